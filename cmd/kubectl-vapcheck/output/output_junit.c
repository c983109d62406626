/* -o junit: a test suite a file, a test case a policy or binding, as CI servers read them. */
#include <stdio.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/ci.h"
#include "cmd/kubectl-vapcheck/output/found.h"

enum { CAP_BYTES = 1024 * 1024 * 1024 };

struct junit_output {
    char *file;       /* of the suite that is open; NULL: none */
    struct buf cases; /* its cases */
    size_t n_cases, n_failures, n_errors, n_skipped;
};

static void print_suite(struct junit_output *out)
{
    if (out->file == NULL)
        return;
    cleanup_mem char *name = plain_xml(out->file);
    print_raw(stdout,
              "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" "
              "time=\"0\">\n%s  </testsuite>\n",
              name, out->n_cases, out->n_failures, out->n_errors, out->n_skipped, out->cases.data);
    mem_free(out->file);
    buf_reset(&out->cases);
    out->file = NULL;
    out->n_cases = out->n_failures = out->n_errors = out->n_skipped = 0;
}

static void open_suite(struct junit_output *out, const char *file)
{
    if (out->file != NULL && strcmp(out->file, file) == 0)
        return;
    print_suite(out);
    out->file = mem_strdup(file);
}

/* A case; element: failure, error, skipped, system-out, which has no message, or NULL for one that is well.
 */
static void add_case(struct junit_output *out, const char *file, const char *name, const char *element,
                     const char *message, const char *text)
{
    open_suite(out, file);
    out->n_cases++;
    ci_put_case(&out->cases, &(struct ci_case){file, name, element, message, text});
}

/* All that was found, as text. */
static void describe(const struct output_place *place, const struct output_finding *f, struct buf *text)
{
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        const bool is_line = found_is_line(item);
        cleanup_mem char *tag = found_tag(item);
        buf_printf(text, "%s:%zu:%zu: %s", place->file, item->at.line, item->at.column, item->headline);
        if (is_line)
            buf_printf(text, ": %s%s\n", item->text, tag);
        else
            buf_printf(text, "%s\n%s", tag, item->text);
        if (*item->hint != '\0')
            buf_printf(text, "%s\n", item->hint);
    }
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct junit_output *out = user;
    cleanup_buf struct buf text;
    cleanup_mem char *name =
        mem_printf("%s %s", jsonval_string_or_empty(place->root->json, "kind"), output_title(place, f));
    const size_t errors = found_count(f->found, FINDING_ERROR);
    const size_t warnings = found_count(f->found, FINDING_WARNING);
    buf_init(&text, CAP_BYTES);
    describe(place, f, &text);
    open_suite(out, place->file);
    if (errors + warnings > 0) {
        cleanup_mem char *message = mem_printf("%zu errors, %zu warnings", errors, warnings);
        out->n_failures++;
        add_case(out, place->file, name, "failure", message, text.data);
    } else if (found_is_unchecked(f->found)) {
        out->n_skipped++;
        add_case(out, place->file, name, "skipped", "not fully checked", text.data);
    } else if (text.len > 0) {
        add_case(out, place->file, name, "system-out", NULL, text.data);
    } else {
        add_case(out, place->file, name, NULL, "", "");
    }
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    (void)user;
    (void)place;
    (void)kind;
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct junit_output *out = user;
    cleanup_mem char *text = where->line == 0
                                 ? mem_printf("%s: %s", file, message)
                                 : mem_printf("%s:%zu:%zu: %s", file, where->line, where->column, message);
    open_suite(out, file);
    out->n_errors++;
    add_case(out, file, "readable", "error", message, text);
}

static void on_nothing(void *user, const char *message)
{
    struct junit_output *out = user;
    const char *id = finding_pages[FINDING_NOTHING_CHECKED].id;
    open_suite(out, "kubectl-vapcheck");
    out->n_skipped++;
    add_case(out, "kubectl-vapcheck", id, "skipped", id, message);
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    struct junit_output *out = user;
    cleanup_mem char *text = output_describe_suppressed(suppressed);
    open_suite(out, "kubectl-vapcheck");
    out->n_skipped++;
    add_case(out, "kubectl-vapcheck", "suppressed", "skipped", text, text);
}

static void on_end(void *user)
{
    struct junit_output *out = user;
    print_suite(out);
    print_raw(stdout, "</testsuites>\n");
    buf_deinit(&out->cases);
    mem_free(out);
}

struct output output_junit(const struct style *style)
{
    (void)style;
    struct junit_output *out = mem_zalloc(sizeof *out);
    buf_init(&out->cases, CAP_BYTES);
    print_raw(stdout, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kubectl-vapcheck\">\n");
    return (struct output){on_finding, on_skipped, on_error, on_nothing, on_end, out, NULL, on_suppressed};
}
