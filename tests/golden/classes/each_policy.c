#include "tests/golden/classes/each_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "tests/bench/bench.h"

_Noreturn static void fail(const char *path, const char *message)
{
    fprintf(stderr, "%s: %s\n", path, message);
    exit(2);
}

static void add_definition(void *user, struct json_object *object)
{
    struct each_policy *files = user;
    struct err err = {0};
    if (crds_add(files->crds, object, &err) != 0)
        fail(files->path, err.msg);
}

void each_policy_open(struct each_policy *files, int argc, char **argv, const char *program)
{
    struct err err = {0};
    *files = (struct each_policy){.crds = crds_new(), .policies = argv + 3, .policy_count = argc - 3};
    if (argc < 4)
        fail(program, "SCHEMAS DEFINITIONS POLICIES...");
    if (schemas_open(argv[1], &files->schemas, &err) != 0)
        fail(argv[1], err.msg);
    files->path = argv[2];
    bench_each_object(files->path, add_definition, files);
    schemas_put(files->schemas, files->crds);
}

static void take_object(void *user, struct json_object *object)
{
    const struct each_policy *files = user;
    if (jsonval_is(object, "kind", "ValidatingAdmissionPolicy") && jsonval_get(object, "spec") != NULL)
        files->take(files->user, object);
}

void each_policy_take(struct each_policy *files, void (*take)(void *user, struct json_object *policy),
                      void *user)
{
    files->take = take;
    files->user = user;
    for (int i = 0; i < files->policy_count; i++) {
        files->path = files->policies[i];
        bench_each_object(files->path, take_object, files);
    }
}

void each_policy_close(struct each_policy *files)
{
    schemas_free(files->schemas);
    crds_free(files->crds);
}

void each_policy_match_all(struct json_object *policy, const char *operations)
{
    cleanup_mem char *text =
        mem_printf("{\"resourceRules\": [{\"apiGroups\": [\"*\"], \"apiVersions\": [\"*\"], "
                   "\"resources\": [\"*/*\"], \"operations\": %s}]}",
                   operations);
    struct json_object *made;
    struct err err = {0};
    if (jsonval_parse(text, strlen(text), &made, &err) != 0)
        fail("all resources", err.msg);
    jsonval_set(jsonval_get(policy, "spec"), "matchConstraints", made);
}
