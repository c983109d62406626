#include "cmd/kubectl-vapcheck/test/report/remarks.h"

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/output/fingerprint.h"

enum { CAP_BYTES = 1024 * 1024 };

struct remarks {
    struct testreport_options options;
    struct remarks_format format;
    const char *version;
};

const char *remarks_id(enum remark_kind kind)
{
    static const char *const ids[REMARK_KINDS] = {
        [REMARK_SUITE] = "test-suite",
        [REMARK_POLICY] = "test-policy",
        [REMARK_FAILED] = "test-failed",
        [REMARK_MISSING] = "test-missing",
    };
    return ids[kind];
}

char *remarks_text(const struct remark *r)
{
    return mem_printf("%s: %s", r->title, r->text);
}

char *remarks_fingerprint(struct keymap *known, const struct remark *r)
{
    cleanup_mem char *what = mem_printf("%s\n%s\n%s", remarks_id(r->kind), r->file, r->title);
    return fingerprint_of_text(known, what);
}

/* Adds the remark, with the version in its title if there are several versions. */
static void add(struct remarks *r, struct remark remark)
{
    cleanup_mem char *title = r->options.has_versions && remark.kind != REMARK_SUITE
                                  ? mem_printf("%s (Kubernetes %s)", remark.title, r->version)
                                  : mem_strdup(remark.title);
    remark.title = title;
    r->format.add(r->format.user, &remark);
}

static void on_problem(void *user, const struct testproblem *p)
{
    add(user, (struct remark){.kind = REMARK_SUITE,
                              .severity = p->is_warning ? FINDING_WARNING : FINDING_ERROR,
                              .file = p->file,
                              .at = p->at,
                              .title = "test suite",
                              .text = p->message});
}

static void on_suite(void *user, const struct testsuite *suite, const char *version)
{
    (void)suite;
    ((struct remarks *)user)->version = version;
}

static void on_finding(void *user, const struct testfinding *f)
{
    cleanup_mem char *title = mem_printf("%s: %s", f->name, f->headline);
    cleanup_mem char *text = mem_printf("%s%s", f->text, f->hint);
    add(user, (struct remark){.kind = REMARK_POLICY,
                              .severity = f->is_refusal ? FINDING_ERROR : FINDING_WARNING,
                              .file = f->file,
                              .at = f->at,
                              .title = title,
                              .text = text});
}

static void on_result(void *user, const struct testcase *test, const struct testresult *r)
{
    const struct testplace place = testreport_place(test, r);
    if (r->verdict == TESTRESULT_PASSED)
        return;
    cleanup_mem char *title = mem_printf("%s: %s", test->policy, test->name),
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
        buf_printf(&text, "\nnote: %s", r->notes[i].text);
    add(user, (struct remark){.kind = REMARK_FAILED,
                              .severity = FINDING_ERROR,
                              .file = place.file,
                              .at = place.at,
                              .title = title,
                              .text = text.data});
}

static void on_gap(void *user, const struct testreport_gap *gap)
{
    struct remarks *r = user;
    if (!r->options.has_coverage)
        return;
    cleanup_mem char *title = mem_printf("%s: %s", gap->policy->name, gap->field);
    add(r, (struct remark){.kind = REMARK_MISSING,
                           .severity = FINDING_NOTE,
                           .file = gap->policy->place.file,
                           .at = gap->at,
                           .title = title,
                           .text = gap->text});
}

static void on_end(void *user, const struct testreport_totals *totals)
{
    struct remarks *r = user;
    (void)totals;
    if (r->format.end != NULL)
        r->format.end(r->format.user);
    mem_free(r);
}

struct testreport remarks_report(const struct testreport_options *options, struct remarks_format format)
{
    struct remarks *r = mem_zalloc(sizeof *r);
    *r = (struct remarks){.options = *options, .format = format, .version = ""};
    return (struct testreport){on_problem, on_suite, on_finding, on_result, on_gap, on_end, r};
}
