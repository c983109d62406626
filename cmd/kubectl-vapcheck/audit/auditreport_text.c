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

static void on_object(struct auditreport *r, const struct evaluation_object *object,
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

static void print_counts(const size_t counts[AUDIT_EFFECTS])
{
    for (size_t i = 0; i < AUDIT_EFFECTS; i++)
        print_part(stdout, "%s%zu %s", i == 0 ? "" : ", ", counts[i],
                   audit_effect_name((enum audit_effect)i));
}

static void print_policy(const struct rulebook_policy *p)
{
    print_part(stdout, "policy %s%s: ", p->name,
               p->is_unbound ? " (no binding: as if it were bound to everything)" : "");
    if (p->problem != NULL && p->n_matched == 0) {
        print_line(stdout, "not evaluated: %s", p->problem);
        return;
    }
    print_part(stdout, p->n_matched == 1 ? "%zu object matches: " : "%zu objects match: ", p->n_matched);
    print_counts(p->n_effects);
    if (p->problem != NULL)
        print_part(stdout, "; not evaluated completely: %s", p->problem);
    print_line(stdout, "%s", "");
}

static void end(struct auditreport *r)
{
    size_t n_problems = 0;
    if (r->n_written > 0)
        print_line(stdout, "%s", "");
    for (size_t i = 0; i < r->book->count; i++) {
        print_policy(&r->book->items[i]);
        n_problems += r->book->items[i].problem != NULL;
    }
    for (size_t i = 0; i < jsonval_length(r->not_read); i++)
        print_line(stdout, "not read: %s: %s", jsonval_string_or_empty(jsonval_at(r->not_read, i), "what"),
                   jsonval_string_or_empty(jsonval_at(r->not_read, i), "message"));
    if (r->n_assumed > 0)
        print_line(stdout, "%zu namespace%s in no file, taken to have no labels of %s own", r->n_assumed,
                   plural(r->n_assumed), r->n_assumed == 1 ? "its" : "their");
    print_part(stdout, "%zu object%s of %zu kind%s, %zu polic%s: ", r->n_objects, plural(r->n_objects),
               r->n_kinds, plural(r->n_kinds), r->book->count, r->book->count == 1 ? "y" : "ies");
    print_counts(r->n_with);
    if (n_problems > 0)
        print_part(stdout, "; %zu polic%s not evaluated completely", n_problems,
                   n_problems == 1 ? "y" : "ies");
    print_line(stdout, "%s", "");
}

const struct auditreport_format auditreport_text = {"text", begin, on_object, end};
