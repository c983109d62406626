/* -o text: for people. */
#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/frame.h"
#include "cmd/kubectl-vapcheck/output/textblock.h"
#include "cmd/kubectl-vapcheck/test/report/testreport.h"

struct text_report {
    struct testreport_options options;
    struct style_sequences style;
    const char *version;
};

static void print_head(const struct text_report *out, const char *file, struct yaml_place at)
{
    print_sequence(stdout, out->style.bold);
    if (at.line == 0)
        print_part(stdout, "%s:", file);
    else
        print_part(stdout, "%s:%u:%u:", file, at.line, at.column);
    print_raw(stdout, "%s ", out->style.plain);
}

static void on_problem(void *user, const struct testproblem *p)
{
    const struct text_report *out = user;
    print_head(out, p->file, p->at);
    print_raw(stdout, "%s%s%s", p->is_warning ? "" : out->style.red, p->is_warning ? "warning" : "error",
              out->style.plain);
    print_line(stdout, ": %s", p->message);
}

static void on_suite(void *user, const struct testsuite *suite, const char *version)
{
    (void)suite;
    ((struct text_report *)user)->version = version;
}

static void print_version(const struct text_report *out)
{
    if (out->options.has_versions)
        print_part(stdout, " (Kubernetes %s)", out->version);
}

static void on_finding(void *user, const struct testfinding *f)
{
    const struct text_report *out = user;
    (void)textblock_print(&(struct textblock){.severity = f->severity,
                                              .id = f->id,
                                              .versions = out->options.has_versions ? out->version : NULL,
                                              .title = f->title,
                                              .file = f->file,
                                              .at = f->at,
                                              .object = f->object,
                                              .field = f->field,
                                              .frame = *f->field == '\0' ? NULL : &f->frame,
                                              .fix = f->remedy,
                                              .why = f->why,
                                              .server = f->server},
                          &out->style, stdout);
    print_line(stdout, "%s", "");
}

static void print_part_of(const struct text_report *out, const struct testpolicy *policy,
                          const struct testresult_part *part)
{
    cleanup_mem char *text = testreport_part(part);
    struct frame frame;
    print_head(out, policy->place.file, part->at);
    print_line(stdout, "%s: %s", policy->name, text);
    frame_init(&frame, policy->place.yaml, part->at, part->at);
    (void)frame_print(&frame, NULL, false, out->style.severities[FINDING_ERROR], &out->style, stdout);
    frame_deinit(&frame);
    for (size_t i = 0; i < part->n_values; i++) {
        cleanup_mem char *value = testreport_value(&part->values[i]);
        print_line(stdout, "value: %s", value);
    }
    if (part->n_omitted > 0)
        print_line(stdout, "value: %zu more", part->n_omitted);
}

static void on_result(void *user, const struct testcase *test, const struct testresult *r)
{
    static const char *const words[] = {
        [TESTRESULT_PASSED] = "passed", [TESTRESULT_FAILED] = "failed", [TESTRESULT_BROKEN] = "error"};
    const struct text_report *out = user;
    const bool is_passed = r->verdict == TESTRESULT_PASSED;
    const struct testplace place = is_passed ? test->place : testreport_place(test, r);
    if (is_passed && r->n_notes == 0 && !out->options.is_verbose)
        return;
    cleanup_mem char *headline = testreport_headline(r);
    print_head(out, place.file, place.at);
    print_part(stdout, "%s: %s: ", test->policy, test->name);
    print_raw(stdout, "%s%s%s", is_passed ? "" : out->style.red, words[r->verdict], out->style.plain);
    if (!is_passed)
        print_part(stdout, ": %s", headline);
    print_version(out);
    print_line(stdout, "%s", "");
    for (size_t i = 0; !is_passed && i < r->n_parts; i++)
        print_part_of(out, r->policy, &r->parts[i]);
    for (size_t i = 0; i < r->n_notes; i++)
        print_line(stdout, "note: %s", r->notes[i].text);
}

static void on_gap(void *user, const struct testreport_gap *gap)
{
    const struct text_report *out = user;
    if (!out->options.has_coverage)
        return;
    print_head(out, gap->policy->place.file, gap->at);
    print_part(stdout, "%s: %s: %s", gap->policy->name, gap->field, gap->text);
    print_version(out);
    print_line(stdout, "%s", "");
}

static void on_end(void *user, const struct testreport_totals *t)
{
    const size_t expressions = t->covered + t->uncovered;
    print_part(stdout, "%zu suite%s, %zu test%s: %zu passed, %zu failed, %zu error%s", t->suites,
               t->suites == 1 ? "" : "s", t->tests, t->tests == 1 ? "" : "s", t->passed, t->failed, t->broken,
               t->broken == 1 ? "" : "s");
    if (expressions > 0)
        print_part(stdout, "; %zu of %zu expressions were both true and false", t->covered, expressions);
    if (((struct text_report *)user)->options.has_coverage)
        print_part(stdout, "; %zu of %zu branches were reached", t->branches - t->unreached, t->branches);
    if (t->problems > 0)
        print_part(stdout, "; %zu place%s could not be read", t->problems, t->problems == 1 ? "" : "s");
    print_line(stdout, "%s", "");
    mem_free(user);
}

struct testreport report_text(const struct testreport_options *options)
{
    struct text_report *out = mem_zalloc(sizeof *out);
    out->options = *options;
    out->style = style_sequences(&options->style, stdout);
    out->version = "";
    return (struct testreport){on_problem, on_suite, on_finding, on_result, on_gap, on_end, out};
}
