/* -o junit: a test suite a file, a test case a policy or binding, as CI servers read them. */
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/found.h"
#include "cmd/kubectl-vapcheck/output/junit.h"

enum { CAP_BYTES = 1024 * 1024 * 1024 };

static void add_case(struct junit *out, const char *file, const char *name, enum junit_outcome outcome,
                     const char *message, const char *text)
{
    if (out->suite == NULL || strcmp(out->suite, file) != 0)
        junit_open(out, file);
    junit_add(out, &(struct junit_case){file, name, outcome, message, text});
}

/* All that was found, as text. */
static void describe(const struct output_place *place, const struct output_finding *f, struct buf *text)
{
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        const bool is_line = found_is_line(item);
        cleanup_mem char *tag = found_tag(item);
        buf_printf(text, "%s:%u:%u: %s", place->file, item->at.line, item->at.column, item->headline);
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
    struct junit *out = user;
    cleanup_buf struct buf text;
    cleanup_mem char *name =
        mem_printf("%s %s", jsonval_string_or_empty(place->root->json, "kind"), output_title(place, f));
    const size_t errors = found_count(f->found, FINDING_ERROR);
    const size_t warnings = found_count(f->found, FINDING_WARNING);
    buf_init(&text, CAP_BYTES);
    describe(place, f, &text);
    if (errors + warnings > 0) {
        cleanup_mem char *message = mem_printf("%zu errors, %zu warnings", errors, warnings);
        add_case(out, place->file, name, JUNIT_FAILURE, message, text.data);
    } else if (found_is_unchecked(f->found)) {
        add_case(out, place->file, name, JUNIT_SKIPPED, "not fully checked", text.data);
    } else if (text.len > 0) {
        add_case(out, place->file, name, JUNIT_SYSTEM_OUT, NULL, text.data);
    } else {
        add_case(out, place->file, name, JUNIT_PASSED, NULL, "");
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
    struct junit *out = user;
    cleanup_mem char *text = where->line == 0
                                 ? mem_printf("%s: %s", file, message)
                                 : mem_printf("%s:%u:%u: %s", file, where->line, where->column, message);
    add_case(out, file, "readable", JUNIT_ERROR, message, text);
}

static void on_nothing(void *user, const char *message)
{
    struct junit *out = user;
    const char *id = finding_pages[FINDING_NOTHING_CHECKED].id;
    add_case(out, "kubectl-vapcheck", id, JUNIT_SKIPPED, id, message);
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    struct junit *out = user;
    cleanup_mem char *text = output_describe_suppressed(suppressed);
    add_case(out, "kubectl-vapcheck", "suppressed", JUNIT_SKIPPED, text, text);
}

static void on_end(void *user)
{
    junit_end(user);
    mem_free(user);
}

struct output output_junit(const struct style *style)
{
    (void)style;
    struct junit *out = mem_zalloc(sizeof *out);
    junit_init(out);
    return (struct output){on_finding, on_skipped, on_error, on_nothing, on_end, out, NULL, on_suppressed};
}
