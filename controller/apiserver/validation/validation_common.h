/*
 * validation_common: checks the fields that all kinds with admission CEL share, as an API
 * server does at create. Pure.
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
#ifndef CONTROLLER_APISERVER_VALIDATION_VALIDATION_COMMON_H
#define CONTROLLER_APISERVER_VALIDATION_VALIDATION_COMMON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "controller/apiserver/validation/fielderrors.h"
#include "typecheck/compile.h"

struct validation_common {
    struct policy_expression *expressions;
    size_t n_expressions;
    struct create_check_result compiled;
    size_t next[POLICY_JSON_PATCH + 1]; /* by place: where in `expressions` the next search begins */
    struct fielderrors *out;            /* the caller's; gets the errors */
};

extern const char *const validation_common_failure_policies[];

/* The name of a binding's matchResources in refusals of servers before 1.32. */
#define VALIDATION_COMMON_OLD_MATCH_RESOURCES "matchResouces"

/* The limit of the value of an audit annotation, trimmed. */
enum { VALIDATION_COMMON_VALUE_MAX_BYTES = 5 * 1024 };

/* Adds an expression that will be compiled. name and text are borrowed until validation_common_deinit. The
 * address of the text identifies the expression later, so validation_common_check must get the same
 * pointer. */
void validation_common_add(struct validation_common *f, enum policy_place place, struct str name,
                           struct str text);
/* Adds the expression in `member` of each entry of the list, trimmed where the server trims it. An expression
 * that is empty, or too long for an audit annotation, is not added. */
void validation_common_add_list(struct validation_common *f, struct json_object *list, const char *member,
                                enum policy_place place);
/* Compiles all added expressions; called once. */
void validation_common_compile(struct validation_common *f, const struct env *env, bool has_params,
                               bool has_variables);
void validation_common_deinit(struct validation_common *f);

/* Adds the compiler's errors for the text at this place, if it was compiled. The message shows `shown` as the
 * value. */
void validation_common_check(struct validation_common *f, enum policy_place place, struct str text,
                             struct str shown, const char *at);

/* The match conditions, trimmed, must have been added and compiled before. */
void validation_common_check_match_conditions(struct validation_common *f, struct json_object *list,
                                              const char *at);
/* Checks the fields of a policy's spec that the server checks before validations or mutations. */
void validation_common_check_spec(struct validation_common *f, struct json_object *spec, bool is_mutating);
/* Checks what bindings of both kinds of policies have in common; false if it could not be decoded. */
bool validation_common_check_binding(const char *kind, struct json_object *binding, bool is_mutating,
                                     struct fielderrors *out);
/* Checks a required member of the field `at`, which must have one of the choices. */
void validation_common_check_required_choice(struct json_object *object, const char *member,
                                             const char *const *choices, const char *at,
                                             struct fielderrors *out);

/* Checks whether the object can be decoded. A server that cannot decode it says nothing else. If only unknown
 * fields are the reason, the rest is checked all the same. Returns whether to check the rest. */
bool validation_common_fit(const char *kind, struct json_object *object, struct fielderrors *out);

#endif
