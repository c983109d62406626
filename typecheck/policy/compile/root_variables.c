#include "typecheck/policy/compile/root_variables.h"

#include "typecheck/cel/types/admission_types.h"
#include "typecheck/cel/types/type.h"

/* Sets of places. */
#define ALL           (~0u)
#define NONE          0u
#define NOT_IN(place) (~(1u << (place)))

/*
 * A message expression has no authorizer at run time; upstream's type checker declares it all the same, and
 * leaves out authorizer.requestResource. A match condition comes before the variables, but for Gatekeeper.
 */
enum root { OBJECT, OLD_OBJECT, REQUEST, NAMESPACE_OBJECT, VARIABLES, PARAMS, AUTHORIZER, REQUEST_RESOURCE };

static const struct {
    struct str name;
    unsigned places[ROOT_VARIABLES_IN_TEMPLATE + 1]; /* by user */
    bool anonymous;
} ROOTS[ROOT_VARIABLES] = {
    [OBJECT] = {STR_INIT("object"), {ALL, ALL, ALL, ALL}, true},
    [OLD_OBJECT] = {STR_INIT("oldObject"), {ALL, ALL, ALL, ALL}, true},
    [REQUEST] = {STR_INIT("request"), {ALL, ALL, ALL, ALL}, false},
    [NAMESPACE_OBJECT] = {STR_INIT("namespaceObject"), {ALL, ALL, ALL, ALL}, false},
    [VARIABLES] = {STR_INIT("variables"), {NOT_IN(POLICY_MATCH_CONDITION), ALL, ALL, ALL}, false},
    [PARAMS] = {STR_INIT("params"), {ALL, ALL, ALL, NONE}, true},
    [AUTHORIZER] = {STR_INIT("authorizer"),
                    {NOT_IN(POLICY_MESSAGE), ALL, NOT_IN(POLICY_MESSAGE), NONE},
                    false},
    [REQUEST_RESOURCE] = {STR_INIT("authorizer.requestResource"),
                          {NOT_IN(POLICY_MESSAGE), NONE, NOT_IN(POLICY_MESSAGE), NONE},
                          false},
};

void root_variables_init(struct root_variables *r, enum root_variables_user user, struct types *ts,
                         const struct type *object, const struct type *params, const struct type *variables)
{
    const struct type *const types[ROOT_VARIABLES] = {
        [OBJECT] = object,
        [OLD_OBJECT] = object,
        [REQUEST] = admission_types_request_type(ts),
        [NAMESPACE_OBJECT] = admission_types_namespace_type(ts),
        [VARIABLES] = variables,
        [PARAMS] = params,
        [AUTHORIZER] = types_object(ts, STR("kubernetes.authorization.Authorizer"), NULL, NULL),
        [REQUEST_RESOURCE] = types_object(ts, STR("kubernetes.authorization.ResourceCheck"), NULL, NULL),
    };
    r->user = user;
    for (size_t i = 0; i < ROOT_VARIABLES; i++)
        r->list[i] =
            (struct variable){.name = ROOTS[i].name, .type = types[i], .anonymous = ROOTS[i].anonymous};
}

size_t root_variables_of(const struct root_variables *r, enum policy_place place,
                         struct variable out[ROOT_VARIABLES])
{
    size_t count = 0;
    for (size_t i = 0; i < ROOT_VARIABLES; i++) {
        if (r->list[i].type != NULL && (ROOTS[i].places[r->user] >> place & 1) != 0)
            out[count++] = r->list[i];
    }
    return count;
}
