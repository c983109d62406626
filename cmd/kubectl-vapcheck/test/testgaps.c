#include "cmd/kubectl-vapcheck/test/testgaps.h"

#include "bytes/utf8.h"
#include "client/base/mem.h"

struct gaps {
    const struct testpolicy *policy;
    const struct testreport *report;
    struct testreport_totals *totals;
};

static const char *describe_gap(const struct testcoverage *c)
{
    if (c->n_true + c->n_false + c->n_failed == 0)
        return "no test reaches it";
    if (c->n_true == 0)
        return "no test makes it true";
    return c->n_false == 0 ? "no test makes it false" : NULL;
}

static void report_expression(const struct gaps *g, const char *field, const struct testcoverage *coverage)
{
    const struct testpolicy *p = g->policy;
    const char *text = describe_gap(coverage);
    const struct testreport_gap gap = {p, field, output_where(&p->place, field), text, NULL};
    g->totals->covered += text == NULL;
    g->totals->uncovered += text != NULL;
    if (text != NULL)
        g->report->gap(g->report->user, &gap);
}

static void report_coverage(const struct gaps *g, enum policy_place place)
{
    const struct policy *p = dispatch_policy(g->policy->dispatch);
    for (size_t i = 0; i < p->count; i++) {
        cleanup_mem char *field = testpolicies_name_field(g->policy, p->expressions[i].field_ref);
        if (p->expressions[i].place == place)
            report_expression(g, field, &g->policy->coverage[i]);
    }
}

/* A mutation is neither true nor false. */
static void report_mutations(const struct gaps *g)
{
    const struct testpolicy *p = g->policy;
    const struct policy *policy = dispatch_policy(p->dispatch);
    for (size_t i = 0; i < policy->count; i++) {
        cleanup_mem char *field = testpolicies_name_field(p, policy->expressions[i].field_ref);
        const struct testreport_gap gap = {p, field, output_where(&p->place, field), "no test reaches it",
                                           NULL};
        if (policy_is_mutation(policy->expressions[i].place) && p->coverage[i].n_true == 0)
            g->report->gap(g->report->user, &gap);
    }
}

/* The place in the file of a part of an expression. */
static struct yaml_place find_place(const struct testpolicy *p, const char *field, struct str before)
{
    const struct yaml_node *node = output_find_node(&p->place, field);
    const char *line = before.at, *end = before.at + before.len;
    size_t lines = 1;
    for (const char *at = before.at; at < end; at++) {
        lines += *at == '\n';
        line = *at == '\n' ? at + 1 : line;
    }
    return node == NULL ? output_where(&p->place, field)
                        : yaml_place_in(node, lines, 1 + utf8_count(line, (size_t)(end - line)));
}

static void report_branch(const struct gaps *g, const struct policy_trace_branch *branch)
{
    const struct testpolicy *p = g->policy;
    cleanup_mem char *field = testpolicies_field(p, branch->at), *part = testresult_fold(branch->part),
                     *text = mem_printf("no test reaches %s", part),
                     *whole = mem_strndup(branch->part.at, branch->part.len);
    const struct testreport_gap gap = {p, field, find_place(p, field, branch->before), text, whole};
    g->report->gap(g->report->user, &gap);
}

static void report_branches(const struct gaps *g)
{
    const struct testpolicy *p = g->policy;
    struct policy_trace_branches branches;
    if (p->trace == NULL)
        return;
    policy_trace_branches(p->trace, &branches);
    g->totals->branches += branches.reached + branches.count;
    g->totals->unreached += branches.count;
    for (size_t i = 0; i < branches.count; i++)
        report_branch(g, &branches.items[i]);
    policy_trace_branches_deinit(&branches);
}

static void report_rules(const struct gaps *g)
{
    const struct testpolicy *p = g->policy;
    for (size_t i = 0; p->definition != NULL && p->n_tests > 0 && i < p->definition->count; i++) {
        const struct crdevaluation_version *v = &p->definition->versions[i];
        size_t count = 0;
        const struct crd_run_count *counts = v->run == NULL ? NULL : crd_run_counts(v->run, &count);
        for (size_t k = 0; k < count; k++) {
            const struct testcoverage coverage = {counts[k].n_true, counts[k].n_false, counts[k].n_failed};
            cleanup_mem char *field = mem_printf("%s.%.*s", v->field, STR_ARG(counts[k].rule));
            report_expression(g, field, &coverage);
        }
    }
}

void testgaps_report(const struct testpolicy *policy, const struct testreport *report,
                     struct testreport_totals *totals)
{
    const struct gaps g = {policy, report, totals};
    report_rules(&g);
    if (policy->dispatch == NULL)
        return;
    report_coverage(&g, POLICY_MATCH_CONDITION);
    report_coverage(&g, POLICY_VALIDATION);
    report_mutations(&g);
    report_branches(&g);
}
