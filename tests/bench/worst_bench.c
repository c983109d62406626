/*
 * worst_bench full|upstream SCHEMAS FILE: what the check of hostile input costs.
 *
 * Each policy, webhook configuration and CustomResourceDefinition of the file
 * is checked as the daemon does it, slice by slice, with all schemas read
 * before. Prints a line of JSON for each: CPU time, steps, the longest slice,
 * the most memory of a check, what bound was reached, how many steps there are.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "controller/apiserver/crd/crdrules.h"
#include "controller/findings/check.h"
#include "controller/reconcile/worker.h"
#include "tests/bench/bench.h"

struct cost {
    double seconds, longest; /* of all, of a slice */
    uint64_t steps, longest_steps, budget;
    size_t peak_bytes, limits;
    size_t findings, problems;
};

/* One slice ended. */
static void count_slice(struct cost *c, double began, uint64_t steps)
{
    double seconds = bench_cpu_seconds() - began;
    if (seconds > c->longest)
        c->longest = seconds;
    if (steps - c->steps > c->longest_steps)
        c->longest_steps = steps - c->steps;
    c->seconds += seconds;
    c->steps = steps;
}

static size_t limits_of(const struct check_result *r)
{
    size_t count = r->more_limits;
    for (size_t i = 0; i < r->n_problems; i++)
        count += r->problems[i].reason == TYPES_LIMIT_REACHED;
    return count;
}

static struct cost check_policy(struct schemas *schemas, enum types_scope scope, struct json_object *object)
{
    struct cost cost = {.budget = typecheck_default_caps.steps};
    struct types_options options = {.scope = scope, .max_types = TYPES_MAX_DEFAULT};
    struct policyview *policy;
    struct err err = {0};
    double began = bench_cpu_seconds();
    if (policyview_new(object, &policy, &err) != 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    struct check *check = check_new(policy, schemas_discovery(schemas), &options);
    bool has_more;
    for (size_t i = 0; i < check_path_count(check); i++) {
        enum openapi_state state; /* read now, as the daemon gathers first */
        (void)schemas_lookup(schemas, check_paths(check)[i], &state);
    }
    began = bench_cpu_seconds();
    do {
        has_more = check_step(check, schemas_env(schemas), schemas_lookup, schemas, WORKER_SLICE_STEPS);
        count_slice(&cost, began, check_steps(check));
        began = bench_cpu_seconds();
    } while (has_more);
    const struct check_result *r = check_result(check);
    cost.peak_bytes = r->peak_bytes;
    cost.limits = limits_of(r);
    cost.findings = r->n_warnings;
    cost.problems = r->n_problems;
    check_free(check);
    policyview_free(policy);
    return cost;
}

static struct cost check_definition(struct schemas *schemas, struct json_object *object)
{
    struct cost cost = {.budget = CRDRULES_MAX_STEPS};
    struct crdrules found = {0};
    double began = bench_cpu_seconds();
    struct crdrules_run *run = crdrules_start(object, schemas_env(schemas), &found);
    bool has_more;
    do {
        has_more = crdrules_step(run, WORKER_SLICE_STEPS);
        count_slice(&cost, began, crdrules_steps(run));
        began = bench_cpu_seconds();
    } while (has_more);
    crdrules_end(run);
    cost.limits = found.n_unchecked;
    cost.findings = found.refusals.count;
    crdrules_deinit(&found);
    return cost;
}

static void check_object(struct schemas *schemas, enum types_scope scope, struct json_object *object)
{
    bool is_definition = strcmp(jsonval_string_or_empty(object, "kind"), "CustomResourceDefinition") == 0;
    struct cost c = is_definition ? check_definition(schemas, object) : check_policy(schemas, scope, object);
    printf("{\"seconds\": %.4f, \"longest_ms\": %.2f, \"steps\": %" PRIu64 ", \"longest_steps\": %" PRIu64
           ", \"budget\": %" PRIu64
           ", \"peak_bytes\": %zu, \"limits\": %zu, \"findings\": %zu, \"problems\": %zu}\n",
           c.seconds, c.longest * 1e3, c.steps, c.longest_steps, c.budget, c.peak_bytes, c.limits, c.findings,
           c.problems);
}

int main(int argc, char **argv)
{
    struct schemas *schemas;
    struct yaml *yaml;
    struct err err = {0};
    size_t len;
    if (argc != 4) {
        fputs("usage: worst_bench full|upstream SCHEMAS FILE\n", stderr);
        return 2;
    }
    char *text = bench_read(argv[3], &len);
    if (schemas_open(argv[2], &schemas, &err) != 0 || yaml_parse(text, len, &yaml, NULL, &err) != 0) {
        fprintf(stderr, "%s\n", err.msg);
        return 2;
    }
    enum types_scope scope = strcmp(argv[1], "full") == 0 ? TYPES_FULL : TYPES_UPSTREAM;
    for (size_t i = 0; i < yaml_count(yaml); i++)
        check_object(schemas, scope, yaml_root(yaml, i)->json);
    yaml_close(yaml);
    mem_free(text);
    schemas_free(schemas);
    return 0;
}
