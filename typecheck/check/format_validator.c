#include "typecheck/check/format_validator.h"

#include "typecheck/syntax/issue.h"
#include "typecheck/types/type.h"

/* Sets of type kinds. */
#define KIND(kind)  (1u << (kind))
#define INTEGERS    (KIND(TYPE_INT) | KIND(TYPE_UINT))
#define FIXED_POINT (KIND(TYPE_DOUBLE) | KIND(TYPE_STRING)) /* the strings are 'NaN' and 'Infinity' */
#define PRINTABLE                                                                                            \
    (INTEGERS | FIXED_POINT | KIND(TYPE_LIST) | KIND(TYPE_MAP) | KIND(TYPE_BOOL) | KIND(TYPE_TIMESTAMP) |    \
     KIND(TYPE_BYTES) | KIND(TYPE_DURATION) | KIND(TYPE_TYPE) | KIND(TYPE_NULL))

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
    {'b', INTEGERS | KIND(TYPE_BOOL), "only integers and bools can be formatted as binary"},
    {'x', INTEGERS | KIND(TYPE_STRING) | KIND(TYPE_BYTES), hex_complaint},
    {'X', INTEGERS | KIND(TYPE_STRING) | KIND(TYPE_BYTES), hex_complaint},
    {'o', INTEGERS, "octal clause can only be used on integers"},
};

struct format {
    struct str text;
    size_t at;
    const struct node *call, *arguments;
    const struct checked *checked;
    struct issues *issues;
};

/* The type's name at run time, without its parameters. */
static struct str type_name(const struct type *t)
{
    switch (t->kind) {
    case TYPE_DYN:
        return STR("dyn");
    case TYPE_ANY:
        return STR("google.protobuf.Any");
    case TYPE_ERROR:
        return STR("*error*");
    case TYPE_NULL:
        return STR("null_type");
    case TYPE_BOOL:
        return STR("bool");
    case TYPE_INT:
        return STR("int");
    case TYPE_UINT:
        return STR("uint");
    case TYPE_DOUBLE:
        return STR("double");
    case TYPE_STRING:
        return STR("string");
    case TYPE_BYTES:
        return STR("bytes");
    case TYPE_DURATION:
        return STR("google.protobuf.Duration");
    case TYPE_TIMESTAMP:
        return STR("google.protobuf.Timestamp");
    case TYPE_LIST:
        return STR("list");
    case TYPE_MAP:
        return STR("map");
    case TYPE_TYPE:
        return STR("type");
    case TYPE_PARAM:
    case TYPE_OPAQUE:
    case TYPE_OBJECT:
        break;
    }
    return t->name;
}

static const struct type *type_of(const struct format *f, const struct node *n)
{
    const struct type *t = f->checked->types[n->id];
    return t == NULL ? &type_dyn : t;
}

/* The first node of `n` that no clause of these kinds takes; of a list or map for %s, what is in it too. */
static const struct node *misfit(const struct format *f, const struct clause *c, const struct node *n)
{
    const struct node *bad = NULL;
    const struct type *t = type_of(f, n);
    if (t->kind != TYPE_DYN && (c->kinds & KIND(t->kind)) == 0)
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
    /* The byte is told as if it were a code point. */
    char utf8[] = {(char)c, '\0', '\0'};
    if (c >= 0x80) {
        utf8[0] = (char)(0xC0 | c >> 6);
        utf8[1] = (char)(0x80 | (c & 0x3F));
    }
    struct text t = {.arena = f->issues->arena};
    text_add(&t, STR("could not parse formatting clause: unrecognized formatting clause \""));
    text_add(&t, (struct str){utf8, c < 0x80 ? 1 : 2});
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
    struct str name = type_name(type_of(f, bad));
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
