/*
 * apidoc: an environment and one OpenAPI document, for tests of what is said about policies.
 *
 *     static int setup(void **state) { return apidoc_setup(state, json); }
 *     ... struct policy_type type = apidoc_type(*state, "Thing");
 *     cmocka_run_group_tests(tests, setup, apidoc_teardown);
 */
#ifndef TESTS_UNIT_TYPECHECK_APIDOC_H
#define TESTS_UNIT_TYPECHECK_APIDOC_H

#include <string.h>

#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/typecheck.h"

struct apidoc {
    struct env *env;
    struct schema *schema;
};

static inline int apidoc_setup(void **state, const char *json)
{
    static struct apidoc d;
    char message[256];
    d.env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    d.schema = schema_new(json, strlen(json), message, sizeof message, NULL);
    *state = &d;
    return d.env == NULL || d.schema == NULL;
}

static inline int apidoc_teardown(void **state)
{
    struct apidoc *d = *state;
    env_free(d->env);
    schema_free(d->schema);
    return 0;
}

/* A kind of g/v1; no requests. */
static inline struct policy_type apidoc_type(const struct apidoc *d, const char *kind)
{
    return (struct policy_type){
        .group = STR("g"),
        .version = STR("v1"),
        .kind = str_of(kind),
        .doc = d->schema,
        .node = schema_find(d->schema, STR("g"), STR("v1"), str_of(kind)),
    };
}

#endif
