/* -o text: for people. */
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/caret.h"
#include "cmd/kubectl-vapcheck/output/found.h"
#include "cmd/kubectl-vapcheck/output/output_witness.h"
#include "cmd/kubectl-vapcheck/output/style.h"

/* What is counted together, the first that fits. */
static const struct advisedkind {
    const char *suffix, *one, *many;
} kinds[] = {
    {"AdmissionPolicy", "policy", "policies"},
    {"WebhookConfiguration", "webhook configuration", "webhook configurations"},
    {"CustomResourceDefinition", "CRD", "CRDs"},
    {"CompositeResourceDefinition", "XRD", "XRDs"},
    {"AdmissionPolicyBinding", "binding", "bindings"},
    {"AuthenticationConfiguration", "authentication configuration", "authentication configurations"},
    {"AuthorizationConfiguration", "authorization configuration", "authorization configurations"},
    {"ConstraintTemplate", "constraint template", "constraint templates"},
    {"DeviceClass", "device class", "device classes"},
    {"ResourceClaim", "resource claim", "resource claims"},
    {"ResourceClaimTemplate", "resource claim template", "resource claim templates"},
    {"", "unknown kind", "unknown kinds"},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct text_output {
    struct style_sequences style;
    bool is_quiet;
    size_t found[N_KINDS], with_warnings, clean, not_fully_checked, refused, without_policy, skipped, types,
        composites, left_out, errors;
    char *suppressed; /* NULL: nothing was */
};

/* "file:12:17: policy: " */
static void print_head(const struct text_output *out, const struct output_place *place, struct yaml_place at,
                       const char *name)
{
    print_raw(stdout, "%s", out->style.bold);
    print_part(stdout, "%s:%u:%u:", place->file, at.line, at.column);
    print_raw(stdout, "%s", out->style.plain);
    print_part(stdout, " %s: ", name);
}

/* cel-go's own suggestion, which is in the text, is not repeated. */
static void print_hint(const char *hint, const char *text)
{
    if (hint == NULL || *hint == '\0' || strstr(text, hint) != NULL)
        return;
    print_part(stdout, "hint: ");
    print_text(stdout, hint);
    print_line(stdout, "%s", "");
}

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
    if (w->failure != NULL && (w->error == NULL || strstr(w->error, w->failure) == NULL))
        print_line(stdout, "  fails: %s", w->failure);
    if (w->error != NULL)
        print_line(stdout, "  the API server says: %s", w->error);
    else
        print_line(stdout, "  the comparison is %s", w->result ? "true" : "false");
}

/* "file:12:17: policy: spec.validations[0].expression [undefined-field]", and what there is to say. */
static void print_item(const struct text_output *out, const struct output_place *place,
                       const struct output_finding *f, const struct found_item *item)
{
    const bool is_red = item->id == FINDING_REFUSED || item->id == FINDING_LIMIT_REACHED;
    cleanup_mem char *tag = found_tag(item);
    const int red = is_red ? (int)strcspn(item->headline, ":") : 0;
    print_head(out, place, item->at, output_title(place, f));
    if (is_red)
        print_raw(stdout, "%s%.*s%s", out->style.red, red, item->headline, out->style.plain);
    print_part(stdout, "%s", item->headline + red);
    if (found_is_line(item)) {
        print_line(stdout, ": %s%s", item->text, tag);
        return;
    }
    print_line(stdout, "%s", tag);
    caret_print(place, item->at, stdout);
    print_text(stdout, item->text);
    print_hint(item->hint, item->text);
    for (size_t i = 0; i < item->n_witnesses; i++)
        print_witness(&item->witnesses[i]);
}

/* Each object is counted once. */
static void count(struct text_output *out, const char *kind, const struct found *found)
{
    size_t i = 0, len = strlen(kind);
    while (len < strlen(kinds[i].suffix) ||
           strcmp(kind + len - strlen(kinds[i].suffix), kinds[i].suffix) != 0)
        i++;
    out->found[i]++;
    if (found_has(found, FINDING_REFUSED))
        out->refused++;
    else if (found_has_fault_besides(found, FINDING_LIMIT_REACHED))
        out->with_warnings++;
    else if (found_is_unchecked(found))
        out->not_fully_checked++;
    else if (found_has(found, FINDING_POLICY_NOT_AMONG_FILES))
        out->without_policy++;
    else
        out->clean++;
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct text_output *out = user;
    for (size_t i = 0; i < f->found->count; i++)
        print_item(out, place, f, &f->found->items[i]);
    count(out, jsonval_string_or_empty(place->root->json, "kind"), f->found);
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    struct text_output *out = user;
    (void)place;
    if (strcmp(kind, "CustomResourceDefinition") == 0)
        out->types++;
    else if (strcmp(kind, "CompositeResourceDefinition") == 0)
        out->composites++;
    else
        out->skipped++;
}

static void on_left_out(void *user, const char *directory)
{
    (void)directory;
    ((struct text_output *)user)->left_out++;
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    ((struct text_output *)user)->suppressed = output_describe_suppressed(suppressed);
}

/* Errors are printed on stderr, whatever the format. */
static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    (void)file;
    (void)where;
    (void)message;
    ((struct text_output *)user)->errors++;
}

static void on_nothing(void *user, const char *message)
{
    (void)user;
    print_line(stdout, "note: %s [%s]", message, finding_pages[FINDING_NOTHING_CHECKED].id);
}

static void print_types(size_t count, const char *what)
{
    if (count > 0)
        print_part(stdout, "; %zu %s%s read for %s", count, what, count == 1 ? "" : "s",
                   count == 1 ? "its type" : "their types");
}

static void print_counts(const struct text_output *out)
{
    bool is_first = true;
    for (size_t i = 0; i < N_KINDS; i++) {
        if (out->found[i] == 0)
            continue;
        print_part(stdout, "%s%zu %s", is_first ? "" : ", ", out->found[i],
                   out->found[i] == 1 ? kinds[i].one : kinds[i].many);
        is_first = false;
    }
    print_part(stdout, "%s: %zu with warnings, %zu clean, %zu not fully checked",
               is_first ? "0 policies" : "", out->with_warnings, out->clean, out->not_fully_checked);
    if (out->refused != 0)
        print_part(stdout, ", %zu refused", out->refused);
    if (out->without_policy != 0)
        print_part(stdout, ", %zu without %s policy", out->without_policy,
                   out->without_policy == 1 ? "its" : "their");
    print_types(out->types, "CRD");
    print_types(out->composites, "XRD");
    if (out->skipped != 0)
        print_part(stdout, "; %zu other %s skipped", out->skipped, out->skipped == 1 ? "object" : "objects");
    if (out->left_out != 0)
        print_part(stdout, "; %zu %s left out", out->left_out,
                   out->left_out == 1 ? "directory" : "directories");
    if (out->suppressed != NULL)
        print_part(stdout, "; %s", out->suppressed);
    if (out->errors != 0)
        print_part(stdout, "; %zu %s", out->errors, out->errors == 1 ? "error" : "errors");
    print_line(stdout, "%s", "");
}

static void on_end(void *user)
{
    struct text_output *out = user;
    if (!out->is_quiet)
        print_counts(out);
    mem_free(out->suppressed);
    mem_free(out);
}

struct output output_text(const struct style *style)
{
    struct text_output *out = mem_zalloc(sizeof *out);
    out->style = style_sequences(style);
    out->is_quiet = style->is_quiet;
    return (struct output){on_finding, on_skipped, on_error,    on_nothing,
                           on_end,     out,        on_left_out, on_suppressed};
}
