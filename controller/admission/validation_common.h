/*
 * validation_common: the fields that all kinds with admission CEL share, and what an
 * API server objects to in them at create. Pure.
 *
 * Expressions are compiled all at once, before the fields are looked at.
 * (k8s.io/kubernetes/pkg/apis/admissionregistration/validation)
 *
 *     struct validation_common f = {.out = errors};
 *     validation_common_add(&f, POLICY_MATCH_CONDITION, STR(""), gotext_trimmed(text));
 *     validation_common_compile(&f, env, false, false);
 *     validation_common_check_match_conditions(&f, list, "spec.matchConditions");
 *     validation_common_deinit(&f);
 */
#ifndef CONTROLLER_ADMISSION_VALIDATION_COMMON_H
#define CONTROLLER_ADMISSION_VALIDATION_COMMON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "controller/field/fielderrors.h"
#include "typecheck/create_check.h"

struct validation_common {
    struct policy_expression *expressions;
    size_t n_expressions;
    struct create_check_result compiled;
    size_t next[POLICY_JSON_PATCH + 1]; /* where the search for an expression of the place goes on */
    struct fielderrors *out;
};

extern const char *const validation_common_failure_policies[];

/* What servers before 1.32 call a binding's matchResources where they refuse it. */
#define VALIDATION_COMMON_OLD_MATCH_RESOURCES "matchResouces"

/* Of an audit annotation, trimmed. */
enum { VALIDATION_COMMON_VALUE_MAX_BYTES = 5 * 1024 };

/* Borrows the text until validation_common_deinit: by its address it is found again. */
void validation_common_add(struct validation_common *f, enum policy_place place, struct str name,
                           struct str text);
/* One member of each entry that is more than white space and not too long. What the server trims before it
 * compiles is trimmed. */
void validation_common_add_list(struct validation_common *f, struct json_object *list, const char *member,
                                enum policy_place place);
void validation_common_compile(struct validation_common *f, const struct env *env, bool has_params,
                               bool has_variables);
void validation_common_deinit(struct validation_common *f);

/* What the compiler said of the text at this place, if it was compiled. The message shows `shown` as the
 * value. */
void validation_common_check(struct validation_common *f, enum policy_place place, struct str text,
                             struct str shown, const char *at);

/* Match conditions, trimmed, must have been compiled. */
void validation_common_check_match_conditions(struct validation_common *f, struct json_object *list,
                                              const char *at);
/* The fields of a policy's spec before its validations or mutations. */
void validation_common_check_spec(struct validation_common *f, struct json_object *spec, bool is_mutating);
/* What bindings of both sorts of policies have in common; false: it could not be decoded. */
bool validation_common_check_binding(const char *kind, struct json_object *binding, bool is_mutating,
                                     struct fielderrors *out);
/* A member that must be there, of the field `at`. */
void validation_common_check_required_choice(struct json_object *object, const char *member,
                                             const char *const *choices, const char *at,
                                             struct fielderrors *out);

/* Decoding comes first, and a server that refuses to decode says nothing else. What it would say without the
 * unknown fields is worth knowing all the same. Returns whether there is anything to check besides. */
bool validation_common_fit(const char *kind, struct json_object *object, struct fielderrors *out);

#endif
