/*
 * celfields: the fields that all kinds with admission CEL share, and what an
 * API server objects to in them at create. Pure.
 *
 * Expressions are compiled all at once, before the fields are looked at.
 * (k8s.io/kubernetes/pkg/apis/admissionregistration/validation)
 *
 *     struct celfields f = {.out = errors};
 *     celfields_add(&f, TYPECHECK_MATCH_CONDITION, STR(""), gotext_trimmed(text));
 *     celfields_compile(&f, env, false, false);
 *     celfields_check_match_conditions(&f, list, "spec.matchConditions");
 *     celfields_deinit(&f);
 */
#ifndef CONTROLLER_ADMISSION_CELFIELDS_H
#define CONTROLLER_ADMISSION_CELFIELDS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "controller/admission/strictdecode.h"
#include "controller/field/fielderrors.h"
#include "typecheck/create_check.h"

struct celfields {
    struct typecheck_expression *expressions;
    size_t n_expressions;
    struct create_check_result compiled;
    struct fielderrors *out;
};

extern const char *const celfields_failure_policies[];

/* What servers before 1.32 call a binding's matchResources where they refuse it. */
#define CELFIELDS_OLD_MATCH_RESOURCES "matchResouces"

/* The string under a member, borrowed; "" where there is none. */
struct str celfields_text(struct json_object *entry, const char *member);
/* list ends in NULL. */
bool celfields_is_in(const char *text, const char *const *list);
/* Whether an entry before list[end] has the same string under a member. */
bool celfields_has_before(struct json_object *list, const char *member, size_t end);

/* Borrows the text until celfields_deinit: by its address it is found again. */
void celfields_add(struct celfields *f, enum typecheck_place place, struct str name, struct str text);
void celfields_compile(struct celfields *f, const struct env *env, bool has_params, bool has_variables);
void celfields_deinit(struct celfields *f);

/* What the compiler said of the text at this place, if it was compiled. The message shows `shown` as the
 * value. */
void celfields_check(struct celfields *f, enum typecheck_place place, struct str text, struct str shown,
                     const char *at);

/* Match conditions, trimmed, must have been compiled. */
void celfields_check_match_conditions(struct celfields *f, struct json_object *list, const char *at);
/* The fields of a policy's spec before its validations or mutations. */
void celfields_check_spec(struct celfields *f, struct json_object *spec, bool is_mutating);
/* What bindings of both sorts of policies have in common; false: it could not be decoded. */
bool celfields_check_binding(const struct strictdecode *shape, struct json_object *binding, bool is_mutating,
                             struct fielderrors *out);
void celfields_check_qualified(const char *value, const char *at, struct fielderrors *out);

/* Decoding comes first, and a server that cannot decode says nothing else. */
bool celfields_fit(const struct strictdecode *shape, struct json_object *object, struct fielderrors *out);

#endif
