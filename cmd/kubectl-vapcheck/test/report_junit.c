/* -o junit: a test suite each, as CI servers read them. */
#include <stdio.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/ci.h"
#include "cmd/kubectl-vapcheck/test/testreport.h"

enum { CAP_BYTES = 1024 * 1024 * 1024 };

struct junit_report {
    struct testreport_options options;
    char *name;       /* of the suite that is open; NULL: none */
    struct buf cases; /* its cases */
    size_t n_cases, n_failures, n_errors;
};

static void print_suite(struct junit_report *out)
{
    if (out->name == NULL)
        return;
    cleanup_mem char *name = plain_xml(out->name);
    print_raw(stdout,
              "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" "
              "time=\"0\">\n%s  </testsuite>\n",
              name, out->n_cases, out->n_failures, out->n_errors, out->cases.data);
    mem_free(out->name);
    buf_reset(&out->cases);
    out->name = NULL;
    out->n_cases = out->n_failures = out->n_errors = 0;
}

/* Takes the name. */
static void open_suite(struct junit_report *out, char *name)
{
    print_suite(out);
    out->name = name;
}

/* element NULL: it passed; message NULL: it has none. */
static void add_case(struct junit_report *out, const char *class, const char *name, const char *element,
                     const char *message, const char *text)
{
    out->n_cases++;
    ci_put_case(&out->cases, &(struct ci_case){class, name, element, message, text});
}

static void add_place(struct buf *text, const char *file, struct yaml_place at)
{
    if (at.line == 0)
        buf_printf(text, "%s: ", file);
    else
        buf_printf(text, "%s:%zu:%zu: ", file, at.line, at.column);
}

static void on_problem(void *user, const struct testproblem *p)
{
    struct junit_report *out = user;
    cleanup_buf struct buf text;
    buf_init(&text, CAP_BYTES);
    add_place(&text, p->file, p->at);
    buf_puts(&text, p->message);
    if (out->name == NULL)
        open_suite(out, mem_strdup(p->file));
    if (p->is_warning) {
        add_case(out, p->file, "readable", "system-out", NULL, text.data);
        return;
    }
    out->n_errors++;
    add_case(out, p->file, "readable", "error", p->message, text.data);
}

static void on_suite(void *user, const struct testsuite *suite, const char *version)
{
    struct junit_report *out = user;
    open_suite(out, out->options.has_versions ? mem_printf("%s (Kubernetes %s)", suite->name, version)
                                              : mem_strdup(suite->name));
}

static void on_finding(void *user, const struct testfinding *f)
{
    cleanup_buf struct buf text;
    buf_init(&text, CAP_BYTES);
    add_place(&text, f->file, f->at);
    buf_printf(&text, "%s: %s\n%s%s", f->name, f->headline, f->text, f->hint);
    add_case(user, f->file, f->headline, "system-out", NULL, text.data);
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
        buf_printf(text, "note: %s\n", r->notes[i]);
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
        add_case(out, test->policy, test->name, r->n_notes == 0 ? NULL : "system-out", NULL, text.data);
        break;
    case TESTRESULT_FAILED:
        out->n_failures++;
        add_case(out, test->policy, test->name, "failure", headline, text.data);
        break;
    case TESTRESULT_BROKEN:
        out->n_errors++;
        add_case(out, test->policy, test->name, "error", headline, text.data);
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
    add_case(out, gap->policy->name, name, "system-out", NULL, text.data);
}

static void on_end(void *user, const struct testreport_totals *totals)
{
    struct junit_report *out = user;
    (void)totals;
    print_suite(out);
    print_raw(stdout, "</testsuites>\n");
    buf_deinit(&out->cases);
    mem_free(out);
}

struct testreport report_junit(const struct testreport_options *options)
{
    struct junit_report *out = mem_zalloc(sizeof *out);
    out->options = *options;
    buf_init(&out->cases, CAP_BYTES);
    print_raw(stdout, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kubectl-vapcheck\">\n");
    return (struct testreport){on_problem, on_suite, on_finding, on_result, on_gap, on_end, out};
}
