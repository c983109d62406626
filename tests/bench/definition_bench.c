/*
 * definition_bench SCHEMAS DEFINITIONS POLICIES: what one definition costs beside policies of `*`.
 *
 * The last definition comes and goes; each time all policies are checked again: once each with all types, as
 * by a program that has just begun, and once as the daemon does it, which shares types and keeps outcomes
 * (controller/reconcile/memories.h). The documents are in memory. Prints the CPU time of both for one
 * change, their ratio, and the memory of what is kept. The warnings must be as many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "controller/findings/check.h"
#include "controller/match/typesets.h"
#include "tests/bench/bench.h"
#include "typecheck/schema.h"

enum { CHANGES = 4, MAX_TYPES = 20000 };

struct policy_of_all {
    struct policyview *view;
    struct typecheck_kept *kept;
};

struct policies {
    struct policy_of_all *list;
    size_t count, warnings;
};

/* With all definitions, and without the last. */
struct clusters {
    struct json_object **definitions;
    size_t count;
    struct crds *crds[2];
    struct schemas *schemas[2];
};

static void check_error(int failed, const struct err *err)
{
    if (failed == 0)
        return;
    fprintf(stderr, "%s\n", err->msg);
    exit(2);
}

static void add_definition(void *user, struct json_object *object)
{
    struct clusters *c = user;
    c->definitions = mem_realloc(c->definitions, c->count + 1, sizeof(struct json_object *));
    c->definitions[c->count++] = json_object_get(object);
}

static void add_policy(void *user, struct json_object *object)
{
    struct policies *p = user;
    struct err err = {0};
    p->list = mem_realloc(p->list, p->count + 1, sizeof *p->list);
    p->list[p->count].kept = typecheck_kept_new();
    check_error(policyview_new(json_object_get(object), &p->list[p->count].view, &err), &err);
    p->count++;
}

static void open_clusters(struct clusters *c, const char *schemas)
{
    struct err err = {0};
    for (int i = 0; i < 2; i++) {
        c->crds[i] = crds_new();
        for (size_t k = 0; k + (size_t)i < c->count; k++)
            check_error(crds_add(c->crds[i], c->definitions[k], &err), &err);
        check_error(schemas_open(schemas, &c->schemas[i], &err), &err);
        schemas_put(c->schemas[i], c->crds[i]);
    }
}

/* As the daemon has them: with digests. */
static const struct schema *lookup(void *user, const char *path, enum openapi_state *state)
{
    union {
        const struct schema *shown;
        struct schema *owned;
    } doc = {.shown = schemas_lookup(user, path, state)};
    if (doc.shown != NULL && doc.shown->kind_count > 0 && doc.shown->kinds[0].digest.first == 0)
        schema_digest_kinds(doc.owned);
    return doc.shown;
}

/* shared NULL: each policy finds its types, and nothing is kept. */
static double check_all(struct policies *p, struct schemas *schemas, struct typesets *shared)
{
    const double begin = bench_cpu_seconds();
    const struct types_options options = {.scope = TYPES_FULL, .max_types = MAX_TYPES, .shared = shared};
    p->warnings = 0;
    for (size_t i = 0; i < p->count; i++) {
        struct check *check = check_new(p->list[i].view, schemas_discovery(schemas), &options);
        if (shared != NULL)
            check_set_kept(check, p->list[i].kept);
        p->warnings += check_run(check, schemas_env(schemas), lookup, schemas)->n_warnings;
        check_free(check);
    }
    return bench_cpu_seconds() - begin;
}

static double check_with_kept(struct policies *p, struct schemas *schemas, struct identities *identities)
{
    const double begin = bench_cpu_seconds();
    struct typesets shared = {.identities = identities};
    check_all(p, schemas, &shared);
    typesets_deinit(&shared);
    return bench_cpu_seconds() - begin;
}

static size_t kept_bytes(const struct policies *p)
{
    size_t bytes = 0;
    for (size_t i = 0; i < p->count; i++)
        bytes += typecheck_kept_bytes(p->list[i].kept);
    return bytes;
}

int main(int argc, char **argv)
{
    struct policies p = {.count = 0};
    struct clusters c = {.count = 0};
    struct identities identities = {0};
    double anew = 0, kept = 0;
    if (argc != 4) {
        fputs("usage: definition_bench SCHEMAS DEFINITIONS POLICIES\n", stderr);
        return 2;
    }
    bench_each_object(argv[2], add_definition, &c);
    bench_each_object(argv[3], add_policy, &p);
    open_clusters(&c, argv[1]);
    check_all(&p, c.schemas[0], NULL); /* reads the documents */
    check_all(&p, c.schemas[1], NULL);
    const double first = check_with_kept(&p, c.schemas[0], &identities);
    for (int i = 1; i <= CHANGES; i++) {
        anew += check_all(&p, c.schemas[i % 2], NULL);
        const size_t warnings = p.warnings;
        kept += check_with_kept(&p, c.schemas[i % 2], &identities);
        if (warnings != p.warnings)
            return 1;
    }
    printf("%zu definitions, %zu policies, %zu warnings\n", c.count, p.count, p.warnings);
    printf("one change: %.0f ms with what is kept (%.0f ms the first time), %.0f ms without: 1 / %.1f\n",
           kept / CHANGES * 1e3, first * 1e3, anew / CHANGES * 1e3, anew / kept);
    printf("kept: %.2f MB\n", (double)kept_bytes(&p) / 1e6);
    return 0;
}
