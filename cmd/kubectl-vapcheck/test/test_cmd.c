#include "cmd/kubectl-vapcheck/test/test_cmd.h"

#include <stdio.h>
#include <string.h>

#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/test/report/testreport.h"
#include "cmd/kubectl-vapcheck/test/runner/testrun.h"
#include "cmd/kubectl-vapcheck/test/suite/suites.h"
#include "cmd/kubectl-vapcheck/test/testgaps.h"

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

static void run_test(struct run *r, const struct testcontext *context, const struct testcase *test)
{
    struct testresult result;
    testrun_run(context, test, &result);
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
    struct testrequest_kept kept = {0};
    const struct testcontext context = {suite, &policies, version->schemas, &r->steps_left, &kept};
    for (size_t i = 0; i < suite->n_cases; i++)
        run_test(r, &context, &suite->cases[i]);
    testrequest_kept_deinit(&kept);
    for (size_t i = 0; i < policies.count; i++)
        testgaps_report(policies.items[i], &r->report, &r->totals);
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

static testreport_make *const makers[OUTPUT_FORMAT_COUNT] = {
#define FORMAT(ID, id, name, note, check, test, audit, list, status)                                         \
    OUTPUT_FORMAT_MAKER_##test([OUTPUT_FORMAT_##ID] = report_##id)
#include "cmd/kubectl-vapcheck/output/output_format.def"
};

static void find_suites(struct run *r)
{
    const struct options *o = r->options;
    if (o->n_names == 0)
        suites_add(&r->suites, ".", &o->excludes);
    for (size_t i = 0; i < o->n_names; i++)
        suites_add(&r->suites, o->names[i], &o->excludes);
    if (r->suites.count > 0 || r->suites.n_problems > 0 || r->suites.has_missing || o->allows_empty)
        return;
    print_line(stderr, "kubectl-vapcheck test: no test suite of kaptest or kat was found");
    r->totals.problems++;
}

int test_cmd(const struct options *o)
{
    struct run r = {.options = o, .steps_left = TESTCONTEXT_STEPS};
    struct err err = {0};
    int status = 2;
    find_suites(&r);
    if (open_versions(&r, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck test: %s", err.msg);
    } else {
        const struct testreport_options options = {r.n_versions > 1, o->is_coverage, o->is_verbose, o->style,
                                                   options_schemas(o)};
        r.report = makers[o->format](&options);
        run_suites(&r);
        r.report.end(r.report.user, &r.totals);
        status = r.suites.has_missing ? 2 : r.totals.failed + r.totals.broken + r.totals.problems > 0 ? 1 : 0;
    }
    for (size_t i = 0; i < r.n_versions; i++)
        schemas_free(r.versions[i].schemas);
    suites_deinit(&r.suites);
    return status;
}
