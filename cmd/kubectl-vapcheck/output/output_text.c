/* -o text: for people. */
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/found.h"
#include "cmd/kubectl-vapcheck/output/frame.h"
#include "cmd/kubectl-vapcheck/output/output_witness.h"
#include "cmd/kubectl-vapcheck/output/style.h"
#include "cmd/kubectl-vapcheck/output/summary.h"
#include "cmd/kubectl-vapcheck/output/textblock.h"

struct text_output {
    struct style_sequences style;
    bool is_quiet, is_verbose, has_statistics;
    struct summary summary;
    unsigned seen_line; /* the last line of a file that was shown whole; 0: none was */
    const struct yaml *seen_yaml;
};

static void print_value(const char *name, const char *json)
{
    if (json != NULL)
        print_line(stdout, "  %s: %s", name, json);
}

/* The line and column are those of the expression, as in the warning's text. */
static void print_witness(const struct output_witness *w)
{
    if (w->reason != NULL) {
        print_line(stdout, "witness for %d:%d: none: %s", w->issue->line, w->issue->column, w->reason);
        return;
    }
    print_line(stdout, "witness for %d:%d: %s of %s", w->issue->line, w->issue->column, w->operation,
               w->resource);
    print_value("object", w->object);
    print_value("oldObject", w->old_object);
    print_value("params", w->params);
    print_value("request", w->request);
    print_value("namespaceObject", w->namespace_object);
    if (w->asks_authorizer)
        print_line(stdout, "  authorizer: allows %s", w->is_allowed ? "everything" : "nothing");
    if (w->is_without_conditions)
        print_line(stdout, "  (evaluated without the match conditions, one of which always fails)");
    if (w->failure != NULL && !w->ends_in_failure)
        print_line(stdout, "  fails: %s", w->failure);
    if (w->error != NULL)
        print_line(stdout, "  the API server %s: %s",
                   w->is_of_message ? "says nothing of it, and uses the message beside it, or the default one"
                                    : "says",
                   w->error);
    else
        print_line(stdout, "  %s is %s",
                   w->issue->is_claim ? "this part of the expression" : "the comparison",
                   w->result ? "true" : "false");
}

/* The lines with the server's words: those of the item, or with --verbose its whole text. */
static const char *server_of(const struct text_output *out, const struct found_item *item)
{
    const bool has_block = !found_is_line(item) && out->is_verbose;
    return has_block ? item->text : item->server;
}

static void print_item(struct text_output *out, const struct output_place *place,
                       const struct output_finding *f, const struct found_item *item)
{
    cleanup_mem char *object = output_describe(place, f);
    const bool has_line =
        item->at.line != 0 && (*item->field != '\0' || item->at.line != place->root->start.line);
    struct frame frame;
    if (has_line)
        frame_init(&frame, place->yaml, item->at, item->end);
    const bool has_seen = has_line && out->seen_line == item->at.line && out->seen_yaml == place->yaml;
    const bool is_seen = textblock_print(&(struct textblock){.severity = item->severity,
                                                             .id = item->id,
                                                             .versions = item->versions,
                                                             .title = item->message,
                                                             .file = place->file,
                                                             .at = item->at,
                                                             .object = object,
                                                             .field = item->field,
                                                             .frame = has_line ? &frame : NULL,
                                                             .fix = item->remedy,
                                                             .why = item->why,
                                                             .server = server_of(out, item),
                                                             .has_seen_line = has_seen},
                                         &out->style, stdout);
    if (has_line) {
        frame_deinit(&frame);
        out->seen_line = is_seen ? item->at.line : 0;
        out->seen_yaml = place->yaml;
    }
    for (size_t i = 0; i < item->n_witnesses; i++)
        print_witness(&item->witnesses[i]);
    print_line(stdout, "%s", "");
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct text_output *out = user;
    for (size_t i = 0; i < f->found->count; i++) {
        if (!f->found->items[i].is_counted)
            print_item(out, place, f, &f->found->items[i]);
    }
    summary_add(&out->summary, jsonval_string_or_empty(place->root->json, "kind"), f->found);
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    struct text_output *out = user;
    (void)place;
    summary_skip(&out->summary, kind);
}

static void on_left_out(void *user, const char *path, const char *reason)
{
    struct text_output *out = user;
    (void)path;
    out->summary.left_out += reason == NULL;
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    struct text_output *out = user;
    out->summary.suppressed = output_describe_suppressed(suppressed);
}

/* Errors are printed on stderr, whatever the format. */
static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    (void)file;
    (void)where;
    (void)message;
    ((struct text_output *)user)->summary.unreadable++;
}

static void on_remark(void *user, enum finding_id id, enum finding_severity severity, const char *message)
{
    struct text_output *out = user;
    summary_add_remark(&out->summary, id, severity);
    (void)textblock_print(&(struct textblock){.severity = severity, .id = id, .title = message}, &out->style,
                          stdout);
    print_line(stdout, "%s", "");
}

static void on_end(void *user)
{
    struct text_output *out = user;
    if (out->has_statistics)
        summary_print_statistics(&out->summary);
    if (!out->is_quiet)
        summary_print(&out->summary);
    mem_free(out->summary.suppressed);
    mem_free(out);
}

struct output output_text(const struct output_run *run)
{
    const struct style *style = run->style;
    struct text_output *out = mem_zalloc(sizeof *out);
    out->style = style_sequences(style, stdout);
    out->is_quiet = style->is_quiet;
    out->is_verbose = style->is_verbose;
    out->has_statistics = style->has_statistics;
    out->summary = (struct summary){
        .kube_version = run->kube_version, .schemas = run->schemas, .is_fixing = run->is_fixing};
    return (struct output){.finding = on_finding,
                           .skipped = on_skipped,
                           .error = on_error,
                           .remark = on_remark,
                           .left_out = on_left_out,
                           .suppressed = on_suppressed,
                           .end = on_end,
                           .user = out};
}
