/* Prints test results for -o junit: the XML that CI servers read. Each suite, on each version of Kubernetes,
 * becomes a test suite of JUnit. */
#include "client/base/buf.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/output/junit.h"
#include "cmd/kubectl-vapcheck/test/report/testreport.h"

/* More than the text of one test can have: no text is cut. */
enum { CAP_BYTES = 1024 * 1024 * 1024 };

struct junit_report {
    struct testreport_options options;
    struct junit junit;
};

static void add_case(struct junit_report *out, const char *class, const char *name,
                     enum junit_outcome outcome, const char *message, const char *text)
{
    junit_add(&out->junit, &(struct junit_case){class, name, outcome, message, text});
}

static void add_place(struct buf *text, const char *file, struct yaml_place at)
{
    if (at.line == 0)
        buf_printf(text, "%s: ", file);
    else
        buf_printf(text, "%s:%u:%u: ", file, at.line, at.column);
}

static void on_problem(void *user, const struct testproblem *p)
{
    struct junit_report *out = user;
    cleanup_buf struct buf text;
    buf_init(&text, CAP_BYTES);
    add_place(&text, p->file, p->at);
    buf_puts(&text, p->message);
    if (out->junit.suite == NULL)
        junit_open(&out->junit, p->file);
    if (p->is_warning)
        add_case(out, p->file, "readable", JUNIT_SYSTEM_OUT, NULL, text.data);
    else
        add_case(out, p->file, "readable", JUNIT_ERROR, p->message, text.data);
}

static void on_suite(void *user, const struct testsuite *suite, const char *version)
{
    struct junit_report *out = user;
    cleanup_mem char *name = out->options.has_versions
                                 ? mem_printf("%s (Kubernetes %s)", suite->name, version)
                                 : mem_strdup(suite->name);
    junit_open(&out->junit, name);
}

static void on_finding(void *user, const struct testfinding *f)
{
    cleanup_buf struct buf text;
    buf_init(&text, CAP_BYTES);
    add_place(&text, f->file, f->at);
    buf_printf(&text, "%s: %s\n%s%s", f->name, f->headline, f->text, f->hint);
    add_case(user, f->file, f->headline, JUNIT_SYSTEM_OUT, NULL, text.data);
}

static void describe(struct buf *text, const struct testcase *test, const struct testresult *r,
                     const char *headline)
{
    const struct testplace place = testreport_place(test, r);
    add_place(text, place.file, place.at);
    buf_printf(text, "%s\n", headline);
    for (size_t i = 0; i < r->n_parts; i++) {
        cleanup_mem char *part = testreport_part(&r->parts[i]);
        add_place(text, r->policy->place.file, r->parts[i].at);
        buf_printf(text, "%s\n", part);
        for (size_t k = 0; k < r->parts[i].n_values; k++) {
            cleanup_mem char *value = testreport_value(&r->parts[i].values[k]);
            buf_printf(text, "value: %s\n", value);
        }
    }
    for (size_t i = 0; i < r->n_notes; i++)
        buf_printf(text, "note: %s\n", r->notes[i].text);
}

static void on_result(void *user, const struct testcase *test, const struct testresult *r)
{
    struct junit_report *out = user;
    cleanup_mem char *headline = testreport_headline(r);
    cleanup_buf struct buf text;
    buf_init(&text, CAP_BYTES);
    describe(&text, test, r, headline);
    switch (r->verdict) {
    case TESTRESULT_PASSED:
        add_case(out, test->policy, test->name, r->n_notes == 0 ? JUNIT_PASSED : JUNIT_SYSTEM_OUT, NULL,
                 text.data);
        break;
    case TESTRESULT_FAILED:
        add_case(out, test->policy, test->name, JUNIT_FAILURE, headline, text.data);
        break;
    case TESTRESULT_BROKEN:
        add_case(out, test->policy, test->name, JUNIT_ERROR, headline, text.data);
        break;
    }
}

static void on_gap(void *user, const struct testreport_gap *gap)
{
    struct junit_report *out = user;
    if (!out->options.has_coverage)
        return;
    cleanup_mem char *name = mem_printf("coverage of %s", gap->field);
    cleanup_buf struct buf text;
    buf_init(&text, CAP_BYTES);
    add_place(&text, gap->policy->place.file, gap->at);
    buf_puts(&text, gap->text);
    add_case(out, gap->policy->name, name, JUNIT_SYSTEM_OUT, NULL, text.data);
}

static void on_end(void *user, const struct testreport_totals *totals)
{
    struct junit_report *out = user;
    (void)totals;
    junit_end(&out->junit);
    mem_free(out);
}

struct testreport report_junit(const struct testreport_options *options)
{
    struct junit_report *out = mem_zalloc(sizeof *out);
    out->options = *options;
    junit_init(&out->junit);
    return (struct testreport){on_problem, on_suite, on_finding, on_result, on_gap, on_end, out};
}
