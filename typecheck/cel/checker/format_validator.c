#include "typecheck/cel/checker/format_validator.h"

#include "typecheck/cel/checker/format_clause.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/types/type.h"

struct format {
    struct str text;
    size_t at;
    struct str expression;
    const struct node *call, *arguments;
    const struct checked *checked;
    struct issues *issues;
};

/* The first node of `n` that no clause of these kinds takes; of a list or map for %s, what is in it too. */
static const struct node *misfit(const struct format *f, const struct format_clause *c, const struct node *n)
{
    const struct node *bad = NULL;
    const struct type *t = checked_type_of(f->checked, n);
    if (t->kind != TYPE_DYN && !type_is(t, c->kinds))
        return n;
    if (c->letter != 's')
        return NULL;
    if (n->kind == NODE_LIST) {
        for (size_t i = 0; i < n->list.count && bad == NULL; i++)
            bad = misfit(f, c, n->list.elements[i]);
    } else if (n->kind == NODE_MAP) {
        for (size_t i = 0; i < n->map.count && bad == NULL; i++) {
            bad = misfit(f, c, n->map.entries[i].key);
            if (bad == NULL)
                bad = misfit(f, c, n->map.entries[i].value);
        }
    }
    return bad;
}

static bool complain(struct format *f, enum issue_code code, struct str what)
{
    issues_add(f->issues, code, extent_of_place(f->issues->arena, f->expression, f->call), what);
    return false;
}

/* Checks the clause after a "%" against argument number `index`. */
static bool clause(struct format *f, size_t index)
{
    if (f->at == f->text.len)
        return complain(f, ISSUE_WRONG_CONSTANT, STR("unexpected end of string"));
    struct arena *a = f->issues->arena;
    if (index >= f->arguments->list.count)
        return complain(f, ISSUE_OTHER, str_format(a, "index %zu out of range", index));
    struct format_reading reading;
    if (!format_clause_read(a, f->text, &f->at, &reading))
        return complain(f, ISSUE_WRONG_CONSTANT, reading.error);
    const struct format_clause *c = reading.clause;
    const struct node *bad = misfit(f, c, f->arguments->list.elements[index]);
    if (bad == NULL)
        return true;
    struct str name = checked_type_of(f->checked, bad)->name;
    issues_addf(f->issues, ISSUE_WRONG_CONSTANT, extent_of_place(a, f->expression, bad),
                "error during formatting: %s, was given %.*s", c->complaint, STR_ARG(name));
    return false;
}

bool format_validator_is_literal_call(const struct node *n)
{
    return n->kind == NODE_CALL && str_eq(n->call.function, STR("format")) && n->arg_count == 1 &&
           n->call.target != NULL && n->call.target->kind == NODE_LITERAL &&
           n->call.target->literal.kind == LITERAL_STRING && n->call.args[0]->kind == NODE_LIST;
}

void format_validator_validate(struct str expression, const struct node *call, const struct checked *checked,
                               struct issues *issues)
{
    struct format f = {.text = call->call.target->literal.bytes,
                       .expression = expression,
                       .call = call,
                       .arguments = call->call.args[0],
                       .checked = checked,
                       .issues = issues};
    size_t used = 0;
    while (f.at < f.text.len) {
        if (f.text.at[f.at++] != '%')
            continue;
        if (f.at < f.text.len && f.text.at[f.at] == '%')
            f.at++;
        else if (!clause(&f, used++))
            return;
    }
    if (f.arguments->list.count > used)
        complain(&f, ISSUE_WRONG_CONSTANT,
                 str_format(issues->arena,
                            "too many arguments supplied to string.format (expected %zu, got %zu)", used,
                            f.arguments->list.count));
}
