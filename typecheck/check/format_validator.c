#include "typecheck/check/format_validator.h"

#include "typecheck/syntax/issue.h"
#include "typecheck/types/type.h"

/* Sets of type kinds. */
#define INTEGERS (TYPE_KIND(TYPE_INT) | TYPE_KIND(TYPE_UINT))
#define FIXED_POINT                                                                                          \
    (TYPE_KIND(TYPE_DOUBLE) | TYPE_KIND(TYPE_STRING)) /* the strings are 'NaN' and 'Infinity' */
#define PRINTABLE                                                                                            \
    (INTEGERS | FIXED_POINT | TYPE_KIND(TYPE_LIST) | TYPE_KIND(TYPE_MAP) | TYPE_KIND(TYPE_BOOL) |            \
     TYPE_KIND(TYPE_TIMESTAMP) | TYPE_KIND(TYPE_BYTES) | TYPE_KIND(TYPE_DURATION) | TYPE_KIND(TYPE_TYPE) |   \
     TYPE_KIND(TYPE_NULL))

struct clause {
    char letter;
    unsigned kinds;
    const char *complaint;
};

static const char hex_complaint[] = "only integers, byte buffers, and strings can be formatted as hex";

static const struct clause clauses[] = {
    {'s', PRINTABLE,
     "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
     "and timestamps"},
    {'d', INTEGERS, "decimal clause can only be used on integers"},
    {'f', FIXED_POINT, "fixed-point clause can only be used on doubles"},
    {'e', FIXED_POINT, "scientific clause can only be used on doubles"},
    {'b', INTEGERS | TYPE_KIND(TYPE_BOOL), "only integers and bools can be formatted as binary"},
    {'x', INTEGERS | TYPE_KIND(TYPE_STRING) | TYPE_KIND(TYPE_BYTES), hex_complaint},
    {'X', INTEGERS | TYPE_KIND(TYPE_STRING) | TYPE_KIND(TYPE_BYTES), hex_complaint},
    {'o', INTEGERS, "octal clause can only be used on integers"},
};

struct format {
    struct str text;
    size_t at;
    const struct node *call, *arguments;
    const struct checked *checked;
    struct issues *issues;
};

/* The first node of `n` that no clause of these kinds takes; of a list or map for %s, what is in it too. */
static const struct node *misfit(const struct format *f, const struct clause *c, const struct node *n)
{
    const struct node *bad = NULL;
    const struct type *t = checker_type_of(f->checked, n);
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

static bool complain(struct format *f, const char *what)
{
    issues_add(f->issues, f->call->offset, str_copy(f->issues->arena, str_of(what)));
    return false;
}

/* After "%": "." and digits, if there is a point. */
static bool precision(struct format *f)
{
    if (f->text.at[f->at] != '.')
        return true;
    size_t start = ++f->at;
    int64_t value = 0;
    bool overflow = false;
    while (f->at < f->text.len && f->text.at[f->at] >= '0' && f->text.at[f->at] <= '9') {
        int digit = f->text.at[f->at++] - '0';
        overflow = overflow || value > (INT64_MAX - digit) / 10;
        value = overflow ? 0 : value * 10 + digit;
    }
    if (f->at == f->text.len)
        return complain(
            f, "could not parse formatting clause: error while parsing precision: could not find end "
               "of precision specifier");
    if (f->at > start && !overflow)
        return true;
    issues_addf(f->issues, f->call->offset,
                "could not parse formatting clause: error while parsing precision: error while converting "
                "precision to integer: strconv.Atoi: parsing \"%.*s\": %s",
                (int)(f->at - start), f->text.at + start, overflow ? "value out of range" : "invalid syntax");
    return false;
}

static bool unknown_clause(struct format *f, unsigned char c)
{
    char utf8[2]; /* cel-go takes the byte for a code point */
    struct text t = {.arena = f->issues->arena};
    text_add(&t, STR("could not parse formatting clause: unrecognized formatting clause \""));
    text_add(&t, (struct str){utf8, str_put_utf8(utf8, c)});
    text_add_char(&t, '"');
    issues_add(f->issues, f->call->offset, text_str(&t));
    return false;
}

/* What follows a "%", applied to argument number `index`. */
static bool clause(struct format *f, size_t index)
{
    if (f->at == f->text.len)
        return complain(f, "unexpected end of string");
    if (index >= f->arguments->list.count) {
        issues_addf(f->issues, f->call->offset, "index %zu out of range", index);
        return false;
    }
    if (!precision(f))
        return false;
    const struct clause *c = NULL;
    char letter = f->text.at[f->at++];
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses && c == NULL; i++)
        c = clauses[i].letter == letter ? &clauses[i] : NULL;
    if (c == NULL)
        return unknown_clause(f, (unsigned char)letter);
    const struct node *bad = misfit(f, c, f->arguments->list.elements[index]);
    if (bad == NULL)
        return true;
    struct str name = checker_type_of(f->checked, bad)->name;
    issues_addf(f->issues, bad->offset, "error during formatting: %s, was given %.*s", c->complaint,
                STR_ARG(name));
    return false;
}

bool format_validator_is_literal_call(const struct node *n)
{
    return n->kind == NODE_CALL && str_eq(n->call.function, STR("format")) && n->arg_count == 1 &&
           n->call.target != NULL && n->call.target->kind == NODE_LITERAL &&
           n->call.target->literal.kind == LITERAL_STRING && n->call.args[0]->kind == NODE_LIST;
}

void format_validator_validate(const struct node *call, const struct checked *checked, struct issues *issues)
{
    struct format f = {.text = call->call.target->literal.bytes,
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
        issues_addf(issues, call->offset,
                    "too many arguments supplied to string.format (expected %zu, got %zu)", used,
                    f.arguments->list.count);
}
