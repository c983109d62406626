/* -o github: workflow commands, which GitHub shows at the lines of a pull request. */
#include <stdio.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/output/ci.h"
#include "cmd/kubectl-vapcheck/test/report/testreport.h"

enum { CAP_BYTES = 1024 * 1024 };

struct github_report {
    struct testreport_options options;
    const char *version;
};

/* The caller frees it. */
static char *title_of(const struct github_report *out, const char *what)
{
    return out->options.has_versions ? mem_printf("%s (Kubernetes %s)", what, out->version)
                                     : mem_strdup(what);
}

static void on_problem(void *user, const struct testproblem *p)
{
    (void)user;
    ci_print_command(p->is_warning ? "warning" : "error", p->file, p->at, "test suite", p->message);
}

static void on_suite(void *user, const struct testsuite *suite, const char *version)
{
    (void)suite;
    ((struct github_report *)user)->version = version;
}

static void on_finding(void *user, const struct testfinding *f)
{
    cleanup_mem char *what = mem_printf("%s: %s", f->name, f->headline), *title = title_of(user, what);
    cleanup_mem char *text = mem_printf("%s%s", f->text, f->hint);
    ci_print_command(f->is_refusal ? "error" : "warning", f->file, f->at, title, text);
}

static void on_result(void *user, const struct testcase *test, const struct testresult *r)
{
    const struct testplace place = testreport_place(test, r);
    if (r->verdict == TESTRESULT_PASSED)
        return;
    cleanup_mem char *what = mem_printf("%s: %s", test->policy, test->name), *title = title_of(user, what),
                     *headline = testreport_headline(r);
    cleanup_buf struct buf text;
    buf_init(&text, CAP_BYTES);
    buf_puts(&text, headline);
    for (size_t i = 0; i < r->n_parts; i++) {
        cleanup_mem char *part = testreport_part(&r->parts[i]);
        buf_printf(&text, "\n%s:%u:%u: %s", r->policy->place.file, r->parts[i].at.line, r->parts[i].at.column,
                   part);
    }
    for (size_t i = 0; i < r->n_notes; i++)
        buf_printf(&text, "\nnote: %s", r->notes[i]);
    ci_print_command("error", place.file, place.at, title, text.data);
}

static void on_gap(void *user, const struct testreport_gap *gap)
{
    const struct github_report *out = user;
    if (!out->options.has_coverage)
        return;
    cleanup_mem char *what = mem_printf("%s: %s", gap->policy->name, gap->field),
                     *title = title_of(out, what);
    ci_print_command("notice", gap->policy->place.file, gap->at, title, gap->text);
}

static void on_end(void *user, const struct testreport_totals *totals)
{
    (void)totals;
    mem_free(user);
}

struct testreport report_github(const struct testreport_options *options)
{
    struct github_report *out = mem_zalloc(sizeof *out);
    out->options = *options;
    out->version = "";
    return (struct testreport){on_problem, on_suite, on_finding, on_result, on_gap, on_end, out};
}
