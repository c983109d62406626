/*
 * classes SCHEMAS DEFINITIONS POLICIES...: compares what the check of a policy finds if each type is checked,
 * if types that cannot differ in what it reads are checked once (typecheck/policy/check/classes.h), and if
 * the answers of types are kept for all policies, too (answers.h); then the steps must also be the same.
 *
 * The definitions are added to the schemas, and each policy matches all resources, and once more as it is
 * written. Prints each difference, and how many policies were compared; the exit status is 1 if there is a
 * difference.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/findings/check.h"
#include "controller/match/identities.h"
#include "controller/match/typesets.h"
#include "tests/bench/bench.h"
#include "tests/golden/classes/each_policy.h"

enum { MAX_TYPES = 20000 };

/* So little that the answers begin anew now and then. */
#define ANSWERS_MAX_BYTES ((size_t)1024 * 1024)

/* One step of so many may be another one. */
enum { STEPS_NEAR = 20 };

enum way { EACH_TYPE, CLASSES, ANSWERS, WAYS };

static const char *const way_names[WAYS] = {"each type", "classes", "answers"};

struct comparison {
    struct each_policy files;
    struct typesets typesets; /* with the answers, or without them */
    struct typecheck_answers *answers;
    struct identities identities;
    size_t policies, warnings, steps[WAYS], limited;
    bool differ;
};

/* ---- what a check found, as a text ---- */

static void add_issue(struct buf *out, const struct check_issue *issue)
{
    buf_printf(
        out,
        "  issue %d '%s' %u..%u..%u %d:%d %d%d type %zu site %u/%d/%d/%d/%.*s change %d '%.*s' '%.*s' of",
        (int)issue->code, issue->message, issue->at.begin, issue->at.offset, issue->at.end, issue->line,
        issue->column, issue->is_unequal, issue->is_claim, issue->type, issue->site.node,
        issue->site.is_operand, issue->site.is_behind, (int)issue->site.operation,
        issue->site.request == NULL ? 0 : (int)issue->site.request->resource.len,
        issue->site.request == NULL ? "" : issue->site.request->resource.at, (int)issue->change.sort,
        STR_ARG(issue->change.from), STR_ARG(issue->change.to));
    for (size_t i = 0; i < issue->n_types; i++)
        buf_printf(out, " %s/%s", issue->types[i]->group, issue->types[i]->kind);
    buf_printf(out, "\n");
}

static void add_warning(struct buf *out, const struct check_warning *w)
{
    buf_printf(out, "warning %zu shown %zu consequence %d hint '%s' more %d\n%s\n", w->expression, w->shown,
               (int)w->consequence, w->hint, w->has_more_issues, w->text);
    add_issue(out, &w->first);
    for (size_t i = 0; i < w->n_issues; i++)
        add_issue(out, &w->issues[i]);
}

static void add_result(struct buf *out, const struct check_result *r, size_t expressions)
{
    buf_printf(out, "types %zu left out %zu ignored %d\n", r->n_types, r->left_out, r->has_ignored);
    for (size_t i = 0; i < r->n_warnings; i++)
        add_warning(out, &r->warnings[i]);
    for (size_t i = 0; i < r->n_advice; i++) {
        const struct check_advice *a = &r->advice[i];
        buf_printf(out, "advice %d %zu '%s' %u..%u hint '%s' correction '%s' type %zu node %u chain %u\n",
                   (int)a->id, a->expression, a->message, a->at.begin, a->at.end, a->hint, a->correction,
                   a->type, a->node, a->chain);
    }
    for (size_t i = 0; i < r->n_notes; i++)
        buf_printf(out, "note %d %zu '%s'\n", (int)r->notes[i].code, r->notes[i].expression,
                   r->notes[i].message);
    for (size_t i = 0; i < expressions; i++)
        buf_printf(out, "truth %d\n", r->truths[i]);
}

/* ---- the comparison ---- */

static char *find(struct comparison *c, const struct policyview *policy, enum way way, bool *is_limited,
                  uint64_t *steps)
{
    struct buf out;
    buf_init(&out, BENCH_FILE_CAP_BYTES);
    struct types_options options = {.scope = TYPES_FULL,
                                    .max_types = MAX_TYPES,
                                    .checks_each_type = way == EACH_TYPE,
                                    .shared = way == EACH_TYPE ? NULL : &c->typesets};
    c->typesets.answers = way == ANSWERS ? c->answers : NULL;
    struct check *check = check_new(policy, schemas_discovery(c->files.schemas), &options);
    check_want_advice(check);
    const struct check_result *r =
        check_run(check, schemas_env(c->files.schemas), schemas_lookup, c->files.schemas);
    add_result(&out, r, policy->policy.count);
    for (size_t i = 0; i < r->n_problems; i++)
        *is_limited = *is_limited || r->problems[i].reason == TYPES_LIMIT_REACHED;
    *steps = check_steps(check);
    c->steps[way] += *steps;
    c->warnings += r->n_warnings;
    check_free(check);
    return buf_take(&out, NULL);
}

static void expect_same(struct comparison *c, struct json_object *object, const char *wanted, enum way way,
                        const char *got)
{
    if (strcmp(wanted, got) == 0)
        return;
    c->differ = true;
    printf("%s: %s\n--- wanted\n%s--- %s\n%s", c->files.path,
           json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN), wanted, way_names[way], got);
}

/* What is kept may change the steps a little, but no more: else a limit would depend on it. */
static void expect_near(struct comparison *c, struct json_object *object, uint64_t wanted, uint64_t got)
{
    const uint64_t far = wanted > got ? wanted - got : got - wanted;
    if (far <= wanted / STEPS_NEAR)
        return;
    c->differ = true;
    printf("%s: %s\n%llu steps, and %llu with answers that are kept\n", c->files.path,
           json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN), (unsigned long long)wanted,
           (unsigned long long)got);
}

static void compare(struct comparison *c, struct json_object *object)
{
    struct err err = {0};
    struct policyview *policy;
    bool is_limited = false;
    char *found[WAYS];
    uint64_t steps[WAYS];
    if (policyview_new(object, &policy, &err) != 0)
        return;
    for (int way = 0; way < WAYS; way++)
        found[way] = find(c, policy, (enum way)way, &is_limited, &steps[way]);
    c->policies++;
    c->limited += is_limited;
    if (!is_limited) {
        expect_same(c, object, found[EACH_TYPE], CLASSES, found[CLASSES]);
        expect_same(c, object, found[EACH_TYPE], ANSWERS, found[ANSWERS]);
        expect_near(c, object, steps[CLASSES], steps[ANSWERS]);
    }
    for (int way = 0; way < WAYS; way++)
        mem_free(found[way]);
    policyview_free(policy);
}

static void compare_policy(void *user, struct json_object *object)
{
    compare(user, object);
    each_policy_match_all(object, "[\"*\"]");
    compare(user, object);
}

int main(int argc, char **argv)
{
    struct comparison c = {.policies = 0};
    each_policy_open(&c.files, argc, argv, "classes");
    c.typesets.identities = &c.identities;
    c.answers = typecheck_answers_new(ANSWERS_MAX_BYTES);
    each_policy_take(&c.files, compare_policy, &c);
    printf("%zu policies, %zu not checked to the end, %zu warnings, %zu steps instead of %zu\n", c.policies,
           c.limited, c.warnings, c.steps[CLASSES], c.steps[EACH_TYPE]);
    typecheck_answers_free(c.answers);
    typesets_deinit(&c.typesets);
    identities_deinit(&c.identities);
    each_policy_close(&c.files);
    return c.differ;
}
