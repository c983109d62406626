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
        if (item->is_counted)
            continue;
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

/* A summary: the first fault, and how many more there are. The caller frees it. */
static char *summarize(const struct found *found, size_t n_faults)
{
    size_t i = 0;
    while (found->items[i].severity != FINDING_ERROR && found->items[i].severity != FINDING_WARNING)
        i++;
    const struct found_item *item = &found->items[i];
    cleanup_mem char *more = n_faults == 1 ? mem_strdup("") : mem_printf(", and %zu more", n_faults - 1);
    return mem_printf("%s[%s]: %.*s%s", finding_severity_name(item->severity), finding_pages[item->id].id,
                      (int)strcspn(item->text, "\n"), item->text, more);
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
        cleanup_mem char *message = summarize(f->found, errors + warnings);
        add_case(out, place->file, name, JUNIT_FAILURE, message, text.data);
    } else if (found_is_unchecked(f->found)) {
        add_case(out, place->file, name, JUNIT_SKIPPED, "not fully checked", text.data);
    } else if (text.len > 0) {
        add_case(out, place->file, name, JUNIT_SYSTEM_OUT, NULL, text.data);
    } else {
        add_case(out, place->file, name, JUNIT_PASSED, NULL, "");
    }
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct junit *out = user;
    cleanup_mem char *text = where->line == 0
                                 ? mem_printf("%s: %s", file, message)
                                 : mem_printf("%s:%u:%u: %s", file, where->line, where->column, message);
    add_case(out, file, "readable", JUNIT_ERROR, message, text);
}

static void on_remark(void *user, enum finding_id id, enum finding_severity severity, const char *message)
{
    const bool is_fault = severity == FINDING_ERROR || severity == FINDING_WARNING;
    add_case(user, "kubectl-vapcheck", finding_pages[id].id, is_fault ? JUNIT_FAILURE : JUNIT_SKIPPED,
             message, message);
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

struct output output_junit(const struct output_run *run)
{
    (void)run;
    struct junit *out = mem_zalloc(sizeof *out);
    junit_init(out);
    return (struct output){.finding = on_finding,
                           .error = on_error,
                           .remark = on_remark,
                           .suppressed = on_suppressed,
                           .end = on_end,
                           .user = out};
}
