/*
 * policy_bench SCHEMAS SECONDS FILE...: how long the check of a policy takes.
 *
 * Policies lie in memory as JSON text; each round parses every one, resolves
 * its types, checks it and renders its warnings, as the daemon does between
 * its requests. Schemas are read once. Prints one line: policies, rounds, the
 * CPU time of a policy in ns, the largest arena of a check.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "controller/findings/check.h"
#include "tests/bench/bench.h"

struct bench {
    struct schemas *schemas;
    enum types_scope scope;
    char **texts;
    size_t count;
    size_t warnings; /* of one round: so that nothing is optimised away, and both sides can be compared */
    size_t checks;   /* of one round: of one expression against one type */
    size_t peak_bytes;
};

static void add_policy(void *user, struct json_object *object)
{
    struct bench *b = user;
    if (strcmp(jsonval_string_or_empty(object, "kind"), "ValidatingAdmissionPolicy") != 0)
        return;
    b->texts = mem_realloc(b->texts, b->count + 1, sizeof *b->texts);
    b->texts[b->count++] = mem_strdup(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
}

static void check_one(struct bench *b, const char *text)
{
    struct err err = {0};
    struct policyview *policy;
    cleanup_json struct json_object *object = NULL;
    struct types_options options = {.scope = b->scope, .max_types = TYPES_MAX_DEFAULT};
    if (jsonval_parse(text, strlen(text), &object, &err) != 0 || policyview_new(object, &policy, &err) != 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    struct check *check = check_new(policy, schemas_discovery(b->schemas), &options);
    const struct check_result *r = check_run(check, schemas_env(b->schemas), schemas_lookup, b->schemas);
    b->warnings += r->n_warnings;
    b->checks += r->n_types * r->n_expressions;
    if (r->peak_bytes > b->peak_bytes)
        b->peak_bytes = r->peak_bytes;
    check_free(check);
    policyview_free(policy);
}

static void round_of_all(struct bench *b)
{
    b->warnings = b->checks = 0;
    for (size_t i = 0; i < b->count; i++)
        check_one(b, b->texts[i]);
}

int main(int argc, char **argv)
{
    struct bench b = {.scope = TYPES_UPSTREAM};
    struct err err = {0};
    if (argc < 5) {
        fputs("usage: policy_bench full|upstream SCHEMAS SECONDS FILE...\n", stderr);
        return 2;
    }
    b.scope = strcmp(argv[1], "full") == 0 ? TYPES_FULL : TYPES_UPSTREAM;
    if (schemas_open(argv[2], &b.schemas, &err) != 0) {
        fprintf(stderr, "%s\n", err.msg);
        return 2;
    }
    double seconds = strtod(argv[3], NULL);
    for (int i = 4; i < argc; i++)
        bench_each_object(argv[i], add_policy, &b);
    round_of_all(&b); /* warm: schemas are read now */
    size_t rounds = 0;
    double start = bench_cpu_seconds(), spent;
    do {
        round_of_all(&b);
        rounds++;
        spent = bench_cpu_seconds() - start;
    } while (spent < seconds);
    printf("{\"policies\": %zu, \"warnings\": %zu, \"rounds\": %zu, \"ns_per_policy\": %.0f, "
           "\"checks\": %zu, \"ns_per_check\": %.0f, \"peak_arena_bytes\": %zu}\n",
           b.count, b.warnings, rounds, spent * 1e9 / (double)(rounds * b.count), b.checks,
           spent * 1e9 / (double)(rounds * b.checks), b.peak_bytes);
    for (size_t i = 0; i < b.count; i++)
        mem_free(b.texts[i]);
    mem_free(b.texts);
    schemas_free(b.schemas);
    return 0;
}
