/*
 * classes SCHEMAS DEFINITIONS POLICIES...: whether the check of a policy finds the same if types that cannot
 * differ in what it reads are checked once (typecheck/policy/check/classes.h), and if each type is checked.
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
#include "tests/bench/bench.h"
#include "tests/golden/classes/each_policy.h"

enum { MAX_TYPES = 20000 };

struct comparison {
    struct each_policy files;
    size_t policies, warnings, steps[2], limited;
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

static char *find(struct comparison *c, const struct policyview *policy, bool checks_each, bool *is_limited)
{
    struct buf out;
    buf_init(&out, BENCH_FILE_CAP_BYTES);
    struct types_options options = {
        .scope = TYPES_FULL, .max_types = MAX_TYPES, .checks_each_type = checks_each};
    struct check *check = check_new(policy, schemas_discovery(c->files.schemas), &options);
    check_want_advice(check);
    const struct check_result *r =
        check_run(check, schemas_env(c->files.schemas), schemas_lookup, c->files.schemas);
    add_result(&out, r, policy->policy.count);
    for (size_t i = 0; i < r->n_problems; i++)
        *is_limited = *is_limited || r->problems[i].reason == TYPES_LIMIT_REACHED;
    c->steps[checks_each] += check_steps(check);
    c->warnings += r->n_warnings;
    check_free(check);
    return buf_take(&out, NULL);
}

static void compare(struct comparison *c, struct json_object *object)
{
    struct err err = {0};
    struct policyview *policy;
    bool is_limited = false;
    if (policyview_new(object, &policy, &err) != 0)
        return;
    char *once = find(c, policy, false, &is_limited), *each = find(c, policy, true, &is_limited);
    const bool is_same = strcmp(once, each) == 0;
    c->policies++;
    c->limited += is_limited;
    if (!is_same && !is_limited) {
        c->differ = true;
        printf("%s: %s\n--- each type\n%s--- classes\n%s", c->files.path,
               json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN), each, once);
    }
    mem_free(once);
    mem_free(each);
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
    each_policy_take(&c.files, compare_policy, &c);
    printf("%zu policies, %zu not checked to the end, %zu warnings, %zu steps instead of %zu\n", c.policies,
           c.limited, c.warnings, c.steps[0], c.steps[1]);
    each_policy_close(&c.files);
    return c.differ;
}
