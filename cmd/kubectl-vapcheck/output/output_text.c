/* -o text: for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/caret.h"
#include "cmd/kubectl-vapcheck/output/output.h"

/* What is counted together, the first that fits. */
static const struct advisedkind {
    const char *suffix, *one, *many;
} kinds[] = {
    {"AdmissionPolicy", "policy", "policies"},
    {"WebhookConfiguration", "webhook configuration", "webhook configurations"},
    {"CustomResourceDefinition", "CRD", "CRDs"},
    {"AdmissionPolicyBinding", "binding", "bindings"},
    {"", "unknown kind", "unknown kinds"},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct text_output {
    const char *bold, *red, *plain; /* sequences for a terminal, else "" */
    size_t found[N_KINDS], with_warnings, clean, not_fully_checked, refused, without_policy, skipped, errors;
};

/* "file:12:17: policy: " */
static void print_head(const struct text_output *out, const struct output_place *place, struct yaml_place at,
                       const char *name)
{
    print_raw(stdout, "%s", out->bold);
    print_part(stdout, "%s:%zu:%zu:", place->file, at.line, at.column);
    print_raw(stdout, "%s", out->plain);
    print_part(stdout, " %s: ", name);
}

static void print_hint(const char *hint)
{
    if (hint == NULL || *hint == '\0')
        return;
    print_part(stdout, "hint: ");
    print_text(stdout, hint);
    print_line(stdout, "%s", "");
}

static void print_refusals(const struct text_output *out, const struct output_place *place,
                           const struct output_finding *f)
{
    for (size_t i = 0; i < f->refusals->count; i++) {
        const struct fielderror *e = &f->refusals->items[i];
        const struct yaml_place at = caret_of_refusal(place, e->field, e->message);
        print_head(out, place, at, output_title(place, f));
        print_raw(stdout, "%srefused%s: ", out->red, out->plain);
        print_line(stdout, "%s", e->field);
        caret_print(place, at, stdout);
        print_text(stdout, e->message);
        print_line(stdout, "%s", "");
        print_hint(f->hints[i]);
    }
}

/* An expression that the server does not even compile is not reported again for each type. */
static bool is_refused(const struct output_finding *f, const char *field_ref)
{
    for (size_t i = 0; i < f->refusals->count; i++) {
        if (strcmp(f->refusals->items[i].field, field_ref) == 0)
            return true;
    }
    return false;
}

static void print_warnings(const struct text_output *out, const struct output_place *place,
                           const struct output_finding *f)
{
    for (size_t i = 0; i < f->n_warnings; i++) {
        const struct output_warning *w = &f->warnings[i];
        if (is_refused(f, w->field))
            continue;
        cleanup_mem char *readable = output_readable(w);
        const struct yaml_place at = caret_of_warning(place, w->field, readable);
        print_head(out, place, at, output_title(place, f));
        cleanup_mem char *headline = output_headline(w);
        print_line(stdout, "%s", headline);
        caret_print(place, at, stdout);
        print_text(stdout, readable);
        print_hint(w->hint);
    }
}

static bool is_not(const struct output_finding *f, const char *type)
{
    const struct condition *c = conditions_find(f->conditions, type);
    return c != NULL && strcmp(c->status, "True") != 0;
}

/* What is no fault of the expressions: whether policy and binding find each other. */
static void print_notes(const struct text_output *out, const struct output_place *place,
                        const struct output_finding *f)
{
    static const char *const types[] = {"Bound", "PolicyFound"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!is_not(f, types[i]))
            continue;
        print_head(out, place, place->root->start, output_title(place, f));
        print_line(stdout, "note: %s", conditions_find(f->conditions, types[i])->message);
    }
    for (size_t i = 0; f->notes != NULL && i < f->notes->count; i++) {
        print_head(out, place, output_where(place, f->notes->items[i].field), output_title(place, f));
        print_line(stdout, "note: %s", f->notes->items[i].message);
    }
}

static void print_problems(const struct text_output *out, const struct output_place *place,
                           const struct output_finding *f)
{
    struct output_unchecked unchecked;
    for (size_t i = 0; output_unchecked(f, i, &unchecked); i++) {
        const char *name = output_title(place, f);
        if (unchecked.is_limit) {
            print_head(out, place, output_unchecked_where(place, &unchecked), name);
            print_raw(stdout, "%slimit reached%s: ", out->red, out->plain);
            print_line(stdout, "%s", unchecked.text);
        } else {
            print_line(stdout, "%s:%zu: %s: not fully checked: %s", place->file, place->root->start.line,
                       name, unchecked.text);
        }
    }
}

static void count(struct text_output *out, const char *kind, const struct output_finding *f)
{
    size_t i = 0, len = strlen(kind);
    while (len < strlen(kinds[i].suffix) ||
           strcmp(kind + len - strlen(kinds[i].suffix), kinds[i].suffix) != 0)
        i++;
    struct output_unchecked unchecked;
    bool has_problems = output_unchecked(f, 0, &unchecked);
    bool has_no_policy = is_not(f, "PolicyFound");
    out->found[i]++;
    out->refused += f->refusals->count != 0;
    out->with_warnings += f->n_warnings != 0;
    out->not_fully_checked += has_problems;
    out->without_policy += has_no_policy;
    out->clean += f->refusals->count == 0 && f->n_warnings == 0 && !has_problems && !has_no_policy;
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct text_output *out = user;
    print_refusals(out, place, f);
    print_warnings(out, place, f);
    print_notes(out, place, f);
    print_problems(out, place, f);
    count(out, jsonval_string_or_empty(place->root->json, "kind"), f);
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    (void)place;
    (void)kind;
    ((struct text_output *)user)->skipped++;
}

/* Errors are printed on stderr, whatever the format. */
static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    (void)file;
    (void)where;
    (void)message;
    ((struct text_output *)user)->errors++;
}

static void on_end(void *user)
{
    struct text_output *out = user;
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
    if (out->skipped != 0)
        print_part(stdout, "; %zu other %s skipped", out->skipped, out->skipped == 1 ? "object" : "objects");
    if (out->errors != 0)
        print_part(stdout, "; %zu %s", out->errors, out->errors == 1 ? "error" : "errors");
    print_line(stdout, "%s", "");
    mem_free(out);
}

struct output output_text(void)
{
    struct text_output *out = mem_zalloc(sizeof *out);
    bool has_colour = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == NULL;
    out->bold = has_colour ? "\033[1m" : "";
    out->red = has_colour ? "\033[31m" : "";
    out->plain = has_colour ? "\033[0m" : "";
    return (struct output){on_finding, on_skipped, on_error, on_end, out};
}
