/*
 * kept SCHEMAS DEFINITIONS POLICIES...: whether the check of a policy finds the same if what an earlier check
 * kept of its types is used (typecheck/policy/check/kept.h), and if each type is checked.
 *
 * The definitions are added to the schemas, and each policy matches all resources. Of its types some are
 * there; then some come and some go, and the policy is checked again, several times. Prints each difference,
 * and how many policies were compared; the exit status is 1 if there is a difference.
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

enum { MAX_TYPES = 20000, CHECKS = 6, SEED = 7 };

struct comparison {
    struct each_policy files;
    size_t policies, warnings, notes, limited;
    uint64_t steps[2];
    bool differ;
};

/* ---- what a check found, as a text ---- */

static void add_issue(struct buf *out, const struct typecheck_issue *i)
{
    buf_printf(out, "  issue %d '%.*s' %u..%u..%u %d:%d %d%d type %zu site %u/%d/%d/%d change %d of",
               (int)i->code, STR_ARG(i->message), i->at.begin, i->at.offset, i->at.end, i->line, i->column,
               i->is_unequal, i->is_claim, i->first_type, i->site.node, i->site.is_operand, i->site.is_behind,
               (int)i->site.operation, i->change == NULL ? 0 : (int)i->change->sort);
    for (size_t k = 0; k < i->type_count; k++)
        buf_printf(out, " %u", i->types[k]);
    buf_printf(out, "\n");
}

static void add_warning(struct buf *out, const struct typecheck_warning *w)
{
    buf_printf(out, "warning %zu shown %zu consequence %d hint '%.*s' more %d\n%.*s\n", w->expression,
               w->shown, (int)w->consequence, STR_ARG(w->hint), w->has_more_issues, STR_ARG(w->text));
    add_issue(out, &w->first);
    for (size_t i = 0; i < w->issue_count; i++)
        add_issue(out, &w->issues[i]);
}

static char *describe(const struct typecheck_result *r, size_t expressions)
{
    struct buf out;
    buf_init(&out, BENCH_FILE_CAP_BYTES);
    buf_printf(&out, "left out %zu\n", r->left_out);
    for (size_t i = 0; i < r->warning_count; i++)
        add_warning(&out, &r->warnings[i]);
    for (size_t i = 0; i < r->note_count; i++)
        buf_printf(&out, "note %d %zu '%.*s'\n", (int)r->notes[i].code, r->notes[i].expression,
                   STR_ARG(r->notes[i].message));
    for (size_t i = 0; i < expressions; i++)
        buf_printf(&out, "truth %d\n", r->truths[i]);
    return buf_take(&out, NULL);
}

/* ---- the comparison ---- */

static char *find(struct comparison *c, const struct typecheck_policy *policy, bool *is_limited)
{
    struct typecheck *t = typecheck_new(schemas_env(c->files.schemas), policy, NULL);
    while (typecheck_step(t, UINT64_MAX))
        ;
    const struct typecheck_result *r = typecheck_result(t);
    char *found = describe(r, policy->policy.count);
    *is_limited = *is_limited || r->limit_count > 0;
    c->steps[policy->kept != NULL] += typecheck_steps(t);
    c->warnings += r->warning_count;
    c->notes += r->note_count;
    typecheck_free(t);
    return found;
}

static void compare(struct comparison *c, struct json_object *object, const struct typecheck_policy *policy)
{
    struct typecheck_policy asked = *policy;
    bool is_limited = false;
    asked.kept = NULL;
    char *anew = find(c, &asked, &is_limited), *again = find(c, policy, &is_limited);
    c->limited += is_limited;
    if (strcmp(anew, again) != 0 && !is_limited) {
        c->differ = true;
        printf("%s, %zu types: %s\n--- each type\n%s--- what was kept\n%s", c->files.path, policy->type_count,
               json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN), anew, again);
    }
    mem_free(anew);
    mem_free(again);
}

/* Some of all types, which are not few at first. */
static size_t choose(const struct typecheck_policy *all, bool *is_there, bool is_first,
                     struct policy_type *chosen)
{
    const size_t changes = is_first ? 2 * all->type_count : 1 + (size_t)rand() % 3;
    const int one_of = 1 + rand() % 6;
    size_t count = 0;
    for (size_t i = 0; i < changes; i++)
        is_there[(size_t)rand() % all->type_count] = rand() % one_of == 0;
    for (size_t i = 0; i < all->type_count; i++) {
        if (!is_there[i])
            continue;
        chosen[count] = all->types[i];
        chosen[count++].identity = (uint32_t)i + 1;
    }
    return count;
}

/* The fields that a run of the whole check sets otherwise: advice is not kept. */
static void compare_checks(struct comparison *c, struct json_object *object,
                           const struct typecheck_policy *all)
{
    struct typecheck_policy policy = *all;
    struct policy_type *chosen = mem_array(all->type_count, sizeof *chosen);
    bool *is_there = mem_array(all->type_count, sizeof *is_there);
    policy.kept = typecheck_kept_new();
    policy.types = chosen;
    policy.ignore = NULL;
    policy.has_strangers = policy.wants_advice = false;
    policy.params.identity = 1;
    for (int i = 0; i < CHECKS; i++) {
        policy.type_count = choose(all, is_there, i == 0, chosen);
        policy.most_identity = policy.type_count == 0 ? 0 : chosen[policy.type_count - 1].identity;
        policy.has_all_types = rand() % 4 != 0;
        compare(c, object, &policy);
    }
    typecheck_kept_free(policy.kept);
    mem_free(chosen);
    mem_free(is_there);
}

static void compare_policy(void *user, struct json_object *object)
{
    struct comparison *c = user;
    struct policyview *policy;
    struct err err = {0};
    size_t index;
    each_policy_match_all(object, "[\"CREATE\", \"UPDATE\"]");
    if (policyview_new(object, &policy, &err) != 0)
        return;
    const struct types_options options = {.scope = TYPES_FULL, .max_types = MAX_TYPES};
    struct check *check = check_new(policy, schemas_discovery(c->files.schemas), &options);
    const struct typecheck_policy *all = check_scope(check, 0, schemas_lookup, c->files.schemas, &index);
    c->policies++;
    if (all->policy.count > 0)
        compare_checks(c, object, all);
    check_free(check);
    policyview_free(policy);
}

int main(int argc, char **argv)
{
    struct comparison c = {.policies = 0};
    srand(SEED);
    each_policy_open(&c.files, argc, argv, "kept");
    each_policy_take(&c.files, compare_policy, &c);
    printf(
        "%zu policies, %zu checks that reached a limit, %zu warnings, %zu notes, %zu steps instead of %zu\n",
        c.policies, c.limited, c.warnings, c.notes, (size_t)c.steps[1], (size_t)c.steps[0]);
    each_policy_close(&c.files);
    return c.differ;
}
