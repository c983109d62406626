#include "cmd/kubectl-vapcheck/test/test_cmd.h"

#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/test/suite/suites.h"
#include "cmd/kubectl-vapcheck/test/run/testmutation.h"
#include "cmd/kubectl-vapcheck/test/report/testreport.h"
#include "cmd/kubectl-vapcheck/test/run/testrules.h"

enum { VERSIONS_MAX = 32 };

struct version {
    char name[16]; /* "1.36" */
    struct schemas *schemas;
};

struct run {
    const struct options *options;
    struct suites suites;
    struct version versions[VERSIONS_MAX];
    size_t n_versions;
    bool is_bundle;
    struct testreport report;
    struct testreport_totals totals;
    uint64_t steps_left;
};

/* ---- schemas ---- */

static void add_version(struct run *r, struct schemas *schemas)
{
    struct version *v = &r->versions[r->n_versions++];
    (void)snprintf(v->name, sizeof v->name, "1.%d", schemas_minor(schemas));
    v->schemas = schemas;
}

static int open_versions(struct run *r, struct err *err)
{
    const struct options *o = r->options;
    r->is_bundle = !o->is_live && o->schemas == NULL;
    if (!r->is_bundle || o->versions == 0) {
        struct schemas *schemas;
        if (check_open_schemas(o, &schemas, err) != 0)
            return -1;
        add_version(r, schemas);
        return 0;
    }
    for (size_t i = 0; i < bundles_count; i++) {
        struct schemas *schemas;
        if ((o->versions >> i & 1) == 0)
            continue;
        if (schemas_open_bytes(bundles[i].bytes, bundles[i].len, &schemas, err) != 0)
            return -1;
        add_version(r, schemas);
    }
    return 0;
}

/* ---- a suite ---- */

static void add_problems(struct run *r, const struct testproblem *problems, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        r->report.problem(r->report.user, &problems[i]);
        r->totals.problems += !problems[i].is_warning;
    }
}

static const char *describe_gap(const struct testcoverage *c)
{
    if (c->n_true + c->n_false + c->n_failed == 0)
        return "no test reaches it";
    if (c->n_true == 0)
        return "no test makes it true";
    return c->n_false == 0 ? "no test makes it false" : NULL;
}

static void report_expression(struct run *r, const struct testpolicy *p, const char *field,
                              const struct testcoverage *coverage)
{
    const char *text = describe_gap(coverage);
    const struct testreport_gap gap = {p, field, output_where(&p->place, field), text, NULL};
    r->totals.covered += text == NULL;
    r->totals.uncovered += text != NULL;
    if (text != NULL)
        r->report.gap(r->report.user, &gap);
}

static void report_coverage(struct run *r, const struct testpolicy *p, const char *list,
                            const struct testcoverage *coverage, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cleanup_mem char *field = mem_printf("%s.%s[%zu].expression", p->spec, list, i);
        report_expression(r, p, field, &coverage[i]);
    }
}

/* A mutation is neither true nor false. */
static void report_mutations(struct run *r, const struct testpolicy *p)
{
    for (size_t i = 0; i < p->shape.mutation_count; i++) {
        cleanup_mem char *field = testmutation_field(p->shape.mutations[i].is_json_patch, i);
        const struct testreport_gap gap = {p, field, output_where(&p->place, field), "no test reaches it",
                                           NULL};
        if (p->mutated[i].n_true + p->mutated[i].n_failed == 0)
            r->report.gap(r->report.user, &gap);
    }
}

/* Where a part of the expression stands in the file. */
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

static void report_branch(struct run *r, const struct testpolicy *p, const struct policy_trace_branch *branch)
{
    struct policy_run_expression e;
    (void)policy_run_expression(p->run, branch->at, &e);
    const struct str below = str_skip(e.name, STR("spec").len);
    cleanup_mem char *field = mem_printf("%s%.*s", p->spec, STR_ARG(below)),
                     *part = testresult_fold(branch->part), *text = mem_printf("no test reaches %s", part),
                     *whole = mem_strndup(branch->part.at, branch->part.len);
    const struct testreport_gap gap = {p, field, find_place(p, field, branch->before), text, whole};
    r->report.gap(r->report.user, &gap);
}

static void report_branches(struct run *r, const struct testpolicy *p)
{
    struct policy_trace_branches branches;
    if (p->trace == NULL)
        return;
    policy_trace_branches(p->trace, &branches);
    r->totals.branches += branches.reached + branches.count;
    r->totals.unreached += branches.count;
    for (size_t i = 0; i < branches.count; i++)
        report_branch(r, p, &branches.items[i]);
    policy_trace_branches_deinit(&branches);
}

static void report_rules(struct run *r, const struct testpolicy *p)
{
    for (size_t i = 0; p->definition != NULL && p->n_tests > 0 && i < p->definition->count; i++) {
        const struct crdevaluation_version *v = &p->definition->versions[i];
        size_t count = 0;
        const struct crd_run_count *counts = v->run == NULL ? NULL : crd_run_counts(v->run, &count);
        for (size_t k = 0; k < count; k++) {
            const struct testcoverage coverage = {counts[k].n_true, counts[k].n_false, counts[k].n_failed};
            cleanup_mem char *field = mem_printf("%s.%.*s", v->field, STR_ARG(counts[k].rule));
            report_expression(r, p, field, &coverage);
        }
    }
}

static void run_test(struct run *r, const struct testresult_context *context, const struct testcase *test)
{
    struct testresult result;
    if (test->subject == TESTSUBJECT_DEFINITION)
        testrules_run(context, test, &result);
    else
        testresult_run(context, test, &result);
    r->totals.tests++;
    r->totals.passed += result.verdict == TESTRESULT_PASSED;
    r->totals.failed += result.verdict == TESTRESULT_FAILED;
    r->totals.broken += result.verdict == TESTRESULT_BROKEN;
    r->report.result(r->report.user, test, &result);
    testresult_deinit(&result);
}

static void run_on(struct run *r, struct testsuite *suite, const struct version *version)
{
    struct testpolicies policies;
    const size_t before = suite->n_problems;
    testpolicies_open(&policies, suite, r->options, version->schemas, r->is_bundle);
    r->report.suite(r->report.user, suite, version->name);
    add_problems(r, suite->problems + before, suite->n_problems - before);
    for (size_t i = 0; i < policies.n_findings; i++)
        r->report.finding(r->report.user, &policies.findings[i]);
    struct testrequest_namespace namespace = {0};
    const struct testresult_context context = {suite, &policies, version->schemas, &r->steps_left,
                                               &namespace};
    for (size_t i = 0; i < suite->n_cases; i++)
        run_test(r, &context, &suite->cases[i]);
    testrequest_namespace_deinit(&namespace);
    for (size_t i = 0; i < policies.count; i++) {
        const struct testpolicy *p = policies.items[i];
        report_rules(r, p);
        if (p->run == NULL)
            continue;
        report_coverage(r, p, "matchConditions", p->conditions, p->shape.match_condition_count);
        report_coverage(r, p, "validations", p->validations, p->shape.validation_count);
        report_mutations(r, p);
        report_branches(r, p);
    }
    testpolicies_close(&policies);
    testfiles_forget(&suite->files);
}

static void run_suites(struct run *r)
{
    add_problems(r, r->suites.problems, r->suites.n_problems);
    for (size_t i = 0; i < r->suites.count; i++) {
        struct testsuite suite;
        suites_read(r->suites.items[i], &suite);
        r->totals.suites++;
        add_problems(r, suite.problems, suite.n_problems);
        for (size_t k = 0; k < r->n_versions; k++)
            run_on(r, &suite, &r->versions[k]);
        testsuite_deinit(&suite);
    }
}

/* ---- the whole ---- */

static testreport_make *find_report(const struct options *o)
{
    return o->make_output == output_json     ? report_json
           : o->make_output == output_junit  ? report_junit
           : o->make_output == output_github ? report_github
                                             : report_text;
}

static int find_suites(struct run *r, struct err *err)
{
    const struct options *o = r->options;
    if (o->n_names == 0)
        suites_add(&r->suites, ".", &o->excludes);
    for (size_t i = 0; i < o->n_names; i++)
        suites_add(&r->suites, o->names[i], &o->excludes);
    return r->suites.count > 0 || r->suites.n_problems > 0
               ? 0
               : err_set(err, ERR_NOT_FOUND, "no test suite of kaptest or kat was found");
}

int test_cmd(const struct options *o)
{
    struct run r = {.options = o, .steps_left = TESTRESULT_STEPS};
    struct err err = {0};
    int status = 2;
    if (find_suites(&r, &err) != 0 || open_versions(&r, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck test: %s", err.msg);
    } else {
        const struct testreport_options options = {r.n_versions > 1, o->is_coverage, o->is_verbose, o->style};
        r.report = find_report(o)(&options);
        run_suites(&r);
        r.report.end(r.report.user, &r.totals);
        status = r.totals.failed + r.totals.broken + r.totals.problems > 0;
    }
    for (size_t i = 0; i < r.n_versions; i++)
        schemas_free(r.versions[i].schemas);
    suites_deinit(&r.suites);
    return status;
}
