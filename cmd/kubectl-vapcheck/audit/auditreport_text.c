/* -o text: policy by policy, a line an object, and the counts behind it. */
#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"

static const struct {
    const char *word;
    bool is_bad;
} words[AUDIT_EFFECTS] = {
    [AUDIT_REFUSED] = {"DENY", true},    [AUDIT_WARNED] = {"WARN", false},
    [AUDIT_AUDITED] = {"AUDIT", false},  [AUDIT_FAILED] = {"ERROR", true},
    [AUDIT_IGNORED] = {"ERROR", true},   [AUDIT_CHANGED] = {"CHANGE", false},
    [AUDIT_UNKNOWN] = {"UNKNOWN", true},
};

static void begin(struct auditreport *r)
{
    (void)r;
}

static void on_object(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found)
{
    auditreport_keep(r, object, found);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* "policy p (binding b)". A policy is not asked if it changes nothing or if it could not be compiled. */
static void print_name(const struct rulebook_policy *p, struct style_sequences style)
{
    const char *circumstance = p->is_unbound ? rulebook_is_idle(p) ? " (no binding: it changes nothing)"
                                                                   : " (no binding: audited as if it were "
                                                                     "bound to everything)"
                               : p->n_bindings == 0 ? ""
                               : p->n_bindings == 1 ? " (binding "
                                                    : " (bindings ";
    print_sequence(stdout, style.bold);
    print_part(stdout, "%spolicy %s", p->is_mutating ? "mutating " : "", p->name);
    print_sequence(stdout, style.plain);
    print_part(stdout, "%s", circumstance);
    for (size_t i = 0; i < p->n_bindings && !p->is_unbound; i++)
        print_part(stdout, "%s%s%s", i == 0 ? "" : ", ", jsonval_metadata(p->bindings[i], "name"),
                   i + 1 == p->n_bindings ? ")" : "");
}

static void print_object(const struct auditlines_item *item, struct style_sequences style)
{
    print_raw(stdout, "  %s%-7s%s ", words[item->effect].is_bad ? style.red : "", words[item->effect].word,
              words[item->effect].is_bad ? style.plain : "");
    if (item->file[0] == '\0')
        print_line(stdout, "%s: %s", item->title, item->text);
    else
        print_line(stdout, "%s: %s  %s:%zu", item->title, item->text, item->file, item->line);
}

/* Says how many objects the policy matches, and with which effects. The caller frees it. */
static char *describe_matched(const struct rulebook_policy *p)
{
    cleanup_mem char *counts = auditreport_counts(p->n_effects);
    const bool is_one = p->n_matched == 1;
    if (p->n_matched == 0)
        return mem_strdup("no object matches");
    if (counts[0] == '\0')
        return mem_printf(is_one ? "%zu object matches, and passes" : "%zu objects match, and pass",
                          p->n_matched);
    return mem_printf(is_one ? "%zu object matches: %s" : "%zu objects match: %s", p->n_matched, counts);
}

static void print_policy(const struct auditreport *r, size_t index, struct style_sequences style)
{
    static const struct auditlines_policy none;
    const struct rulebook_policy *p = &r->book->items[index];
    const struct auditlines_policy *of = r->lines.policies == NULL ? &none : &r->lines.policies[index];
    cleanup_mem char *matched = describe_matched(p), *problem = auditreport_problem(p);
    print_name(p, style);
    if (of->count == 0 && problem == NULL) {
        print_line(stdout, ": %s", matched);
        return;
    }
    print_line(stdout, "%s", "");
    for (size_t i = 0; i < of->count; i++)
        print_object(&of->items[i], style);
    if (of->n_left_out > 0)
        print_line(stdout, "  and %zu more line%s", of->n_left_out, plural(of->n_left_out));
    if (problem != NULL)
        print_line(stdout, "  not evaluated%s: %s", p->n_matched == 0 ? "" : " completely", problem);
    if (p->n_matched > 0)
        print_line(stdout, "  %s", matched);
    print_line(stdout, "%s", "");
}

static void print_summary(const struct auditreport *r)
{
    cleanup_mem char *counts = auditreport_counts(r->n_with);
    size_t n_problems = 0;
    for (size_t i = 0; i < r->book->count; i++)
        n_problems += r->book->items[i].problem != NULL;
    print_part(stdout, "%zu object%s of %zu kind%s, %zu polic%s: %s", r->n_objects, plural(r->n_objects),
               r->n_kinds, plural(r->n_kinds), r->book->count, r->book->count == 1 ? "y" : "ies",
               counts[0] == '\0' ? "nothing to report" : counts);
    if (n_problems > 0)
        print_part(stdout, "; %zu polic%s not evaluated completely", n_problems,
                   n_problems == 1 ? "y" : "ies");
    if (jsonval_length(r->errors) > 0)
        print_part(stdout, "; %zu error%s", jsonval_length(r->errors), plural(jsonval_length(r->errors)));
    print_line(stdout, "%s", "");
}

static void end(struct auditreport *r)
{
    const struct style_sequences style = style_sequences(r->style, stdout);
    for (size_t i = 0; i < r->book->count; i++)
        print_policy(r, i, style);
    for (size_t i = 0; i < jsonval_length(r->not_read); i++)
        print_line(stdout, "not read: %s: %s", jsonval_string_or_empty(jsonval_at(r->not_read, i), "what"),
                   jsonval_string_or_empty(jsonval_at(r->not_read, i), "message"));
    if (r->n_assumed > 0)
        print_line(stdout, "%zu namespace%s in no file, taken to have no labels of %s own", r->n_assumed,
                   plural(r->n_assumed), r->n_assumed == 1 ? "its" : "their");
    print_summary(r);
}

const struct auditreport_format auditreport_text = {.begin = begin, .object = on_object, .end = end};
