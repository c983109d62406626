/* -o text: a line for each finding, and the sums. */
#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"

static void begin(struct auditreport *r)
{
    (void)r;
}

static void on_object(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found)
{
    cleanup_mem char *title = auditreport_title(object);
    for (size_t i = 0; i < found->count; i++) {
        cleanup_mem char *text = auditreport_describe(r, &found->items[i]);
        if (object->file[0] != '\0')
            print_line(stdout, "%s:%zu: %s: %s", object->file, object->line, title, text);
        else
            print_line(stdout, "%s: %s", title, text);
    }
    r->n_written += found->count;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* What only mutating policies do is left out where there are none. */
static void print_counts(const size_t counts[AUDIT_EFFECTS], bool is_validating, bool is_mutating)
{
    const char *separator = "";
    for (size_t i = 0; i < AUDIT_EFFECTS; i++) {
        const bool is_of_mutating = i == AUDIT_CHANGED || i == AUDIT_UNKNOWN;
        const bool is_of_both = i == AUDIT_FAILED || i == AUDIT_IGNORED;
        if (is_of_both || (is_of_mutating ? is_mutating : is_validating)) {
            print_part(stdout, "%s%zu %s", separator, counts[i], audit_effect_name((enum audit_effect)i));
            separator = ", ";
        }
    }
}

static void print_policy(const struct rulebook_policy *p)
{
    const char *binding = !p->is_unbound        ? ""
                          : rulebook_is_idle(p) ? " (no binding: it changes nothing)"
                                                : " (no binding: as if it were bound to everything)";
    print_part(stdout, "%spolicy %s%s: ", p->is_mutating ? "mutating " : "", p->name, binding);
    if (p->problem != NULL && p->n_matched == 0) {
        print_line(stdout, "not evaluated: %s", p->problem);
        return;
    }
    print_part(stdout, p->n_matched == 1 ? "%zu object matches: " : "%zu objects match: ", p->n_matched);
    print_counts(p->n_effects, !p->is_mutating, p->is_mutating);
    if (p->problem != NULL)
        print_part(stdout, "; not evaluated completely: %s", p->problem);
    print_line(stdout, "%s", "");
}

static void end(struct auditreport *r)
{
    size_t n_problems = 0;
    bool is_mutating = false;
    if (r->n_written > 0)
        print_line(stdout, "%s", "");
    for (size_t i = 0; i < r->book->count; i++) {
        print_policy(&r->book->items[i]);
        n_problems += r->book->items[i].problem != NULL;
        is_mutating = is_mutating || r->book->items[i].is_mutating;
    }
    for (size_t i = 0; i < jsonval_length(r->not_read); i++)
        print_line(stdout, "not read: %s: %s", jsonval_string_or_empty(jsonval_at(r->not_read, i), "what"),
                   jsonval_string_or_empty(jsonval_at(r->not_read, i), "message"));
    if (r->n_assumed > 0)
        print_line(stdout, "%zu namespace%s in no file, taken to have no labels of %s own", r->n_assumed,
                   plural(r->n_assumed), r->n_assumed == 1 ? "its" : "their");
    print_part(stdout, "%zu object%s of %zu kind%s, %zu polic%s: ", r->n_objects, plural(r->n_objects),
               r->n_kinds, plural(r->n_kinds), r->book->count, r->book->count == 1 ? "y" : "ies");
    print_counts(r->n_with, true, is_mutating);
    if (n_problems > 0)
        print_part(stdout, "; %zu polic%s not evaluated completely", n_problems,
                   n_problems == 1 ? "y" : "ies");
    print_line(stdout, "%s", "");
}

const struct auditreport_format auditreport_text = {.begin = begin, .object = on_object, .end = end};
