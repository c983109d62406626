#include "cmd/kubectl-vapcheck/output/saying.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/output/typewords.h"
#include "typecheck/issues.h"

enum {
    TYPES_SHOWN = 3,
    SAYING_CAP_BYTES = 64 * 1024,
};

static bool has_same_version(const struct types_target *one, const struct types_target *two)
{
    return strcmp(one->group, two->group) == 0 && strcmp(one->version, two->version) == 0;
}

/* "Deployment, StatefulSet (apps/v1)"; the first ones by name, then their number. The caller frees it. */
static char *list_types(const struct saying *s)
{
    struct buf text;
    const struct types_target *const *types = s->types;
    const size_t count = s->n_types, shown = s->has_all_types ? count : TYPES_SHOWN;
    buf_init(&text, SAYING_CAP_BYTES);
    const size_t named = count <= shown + 1 ? count : shown; /* "and 1 more" is as long as a name */
    for (size_t i = 0; i < named; i++) {
        const struct types_target *t = types[i];
        buf_printf(&text, "%s%s", i == 0 ? "" : ", ", t->kind);
        if (i + 1 == named || !has_same_version(t, types[i + 1]))
            buf_printf(&text, " (%s%s%s)", t->group, t->group[0] == '\0' ? "" : "/", t->version);
    }
    if (named < count)
        buf_printf(&text, " and %zu more", count - named);
    return buf_take(&text, NULL);
}

/* The function as it is written in an expression. */
static struct str spelling_of(struct str function)
{
    static const struct {
        struct str function, spelling;
    } operators[] = {
        {STR_INIT("_==_"), STR_INIT("==")},   {STR_INIT("_!=_"), STR_INIT("!=")},
        {STR_INIT("@in"), STR_INIT("in")},    {STR_INIT("_<_"), STR_INIT("<")},
        {STR_INIT("_<=_"), STR_INIT("<=")},   {STR_INIT("_>_"), STR_INIT(">")},
        {STR_INIT("_>=_"), STR_INIT(">=")},   {STR_INIT("_+_"), STR_INIT("+")},
        {STR_INIT("_-_"), STR_INIT("-")},     {STR_INIT("_*_"), STR_INIT("*")},
        {STR_INIT("_/_"), STR_INIT("/")},     {STR_INIT("_%_"), STR_INIT("%")},
        {STR_INIT("_&&_"), STR_INIT("&&")},   {STR_INIT("_||_"), STR_INIT("||")},
        {STR_INIT("!_"), STR_INIT("!")},      {STR_INIT("-_"), STR_INIT("-")},
        {STR_INIT("_[_]"), STR_INIT("[]")},   {STR_INIT("_?_:_"), STR_INIT("?:")},
        {STR_INIT("_[?_]"), STR_INIT("[?]")},
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (str_eq(operators[i].function, function))
            return operators[i].spelling;
    }
    return function;
}

/* The text that the span covers; empty: it is not known. */
static struct str spanned(const struct saying *s)
{
    if (s->at.begin > s->at.end || s->at.end > s->expression.len)
        return STR("");
    return (struct str){s->expression.at + s->at.begin, s->at.end - s->at.begin};
}

/* The names and dots before the span: "params.spec" of params.spec.size; empty: there are none. */
static struct str chain_before(const struct saying *s)
{
    static const char names[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    size_t start = s->at.begin <= s->expression.len ? s->at.begin : 0;
    const size_t end = start;
    while (start > 0 && strchr(names, s->expression.at[start - 1]) != NULL)
        start--;
    return end == start ? STR("") : (struct str){s->expression.at + start, end - start - 1};
}

/* Returns true if the chain begins with this root variable. */
static bool is_of_root(struct str chain, struct str root)
{
    return str_has_prefix(chain, root) && (chain.len == root.len || chain.at[root.len] == '.');
}

/* The owner of a missing field: "Deployment (apps/v1)", "request for Deployment (apps/v1)", "params.spec";
 * "": it is not known. The caller frees it. */
static char *say_owner(const struct saying *s, struct str chain, const struct issue_about *about)
{
    char *types = list_types(s);
    const bool is_of_request = is_of_root(chain, STR("request"));
    if (!is_of_request && !is_of_root(chain, STR("params")) && !is_of_root(chain, STR("namespaceObject")))
        return types;
    const bool has_types = is_of_request && *types != '\0' && about->where.len == 0;
    char *owner = mem_printf("%.*s%s%s", STR_ARG(chain), has_types ? " for " : "", has_types ? types : "");
    mem_free(types);
    return owner;
}

static char *say_no_field(const struct saying *s, struct issue_about about)
{
    const struct str name = about.name.len != 0 ? about.name : spanned(s), chain = chain_before(s);
    if (str_eq(chain, STR("variables")))
        return mem_printf("the policy declares no variable '%.*s'", STR_ARG(name));
    if (name.len == 0)
        return mem_strdup(s->message);
    cleanup_mem char *owner = say_owner(s, chain, &about);
    return mem_printf("no field '%.*s'%s%s%.*s%s%.*s", STR_ARG(name), *owner == '\0' ? "" : " in ", owner,
                      STR_ARG(about.where), about.why.len == 0 ? "" : ": ", STR_ARG(about.why));
}

/* cel-go names the bracket of a call, and of a variable the name. */
static char *say_undeclared(const struct saying *s, struct issue_about about)
{
    const bool is_function = s->at.offset != s->at.begin;
    return mem_printf("CEL has no %s '%.*s' here", is_function ? "function" : "variable",
                      STR_ARG(about.name));
}

static char *say_mismatch(struct issue_about about)
{
    cleanup_mem char *wanted = typewords_with_article(about.wanted),
                     *given = typewords_with_article(about.given);
    if (about.name.len != 0)
        return mem_printf("field '%.*s' takes %s, and this is %s", STR_ARG(about.name), wanted, given);
    return mem_printf("this must be %s, and is %s", wanted, given);
}

static char *say_range(struct issue_about about)
{
    cleanup_mem char *given = typewords_with_article(about.given);
    return mem_printf("a macro goes over a list or a map, and this is %s", given);
}

static char *say_no_fields(struct issue_about about)
{
    cleanup_mem char *given = typewords_with_article(about.given);
    return mem_printf("%s has no fields%s", given, typewords_is_range(about.given) ? ", its items have" : "");
}

/* The types of a call that no overload takes, in words. */
struct operands {
    struct typewords_call call;
    bool has_range;       /* the second one can hold the first one */
    char *first, *second; /* of two operands; NULL: there are more, or fewer */
};

static struct operands operands_of(struct str given)
{
    struct operands o = {.call = typewords_split(given)};
    struct str list = o.call.arguments, first, second;
    const bool are_two = o.call.target.len == 0 && typewords_next(&list, &first) &&
                         typewords_next(&list, &second) && list.len == 0;
    if (are_two) {
        o.first = typewords_with_article(first);
        o.second = typewords_with_article(second);
        o.has_range = typewords_is_range(second);
    }
    return o;
}

static void operands_free(struct operands *o)
{
    mem_free(o->first);
    mem_free(o->second);
}

/* "an int, a string". The caller frees it. */
static char *list_arguments(struct str list)
{
    struct buf text;
    struct str type;
    buf_init(&text, SAYING_CAP_BYTES);
    while (typewords_next(&list, &type)) {
        cleanup_mem char *words = typewords_with_article(type);
        buf_printf(&text, "%s%s", text.len == 0 ? "" : ", ", words);
    }
    return buf_take(&text, NULL);
}

static char *say_call(const struct operands *o, struct str function, struct str name)
{
    cleanup_mem char *arguments = list_arguments(o->call.arguments);
    const bool is_operator = !str_eq(function, name);
    if (o->call.target.len != 0) {
        cleanup_mem char *target = typewords_with_article(o->call.target);
        return *arguments == '\0'
                   ? mem_printf("%s has no function '%.*s()'", target, STR_ARG(name))
                   : mem_printf("%s has no function '%.*s' that takes %s", target, STR_ARG(name), arguments);
    }
    if (o->first != NULL && str_eq(function, STR("_[_]")))
        return mem_printf("%s has no index that is %s", o->first, o->second);
    if (o->first != NULL && is_operator)
        return mem_printf("'%.*s' does not work with %s and %s", STR_ARG(name), o->first, o->second);
    return mem_printf("'%.*s' does not %s %s", STR_ARG(name), is_operator ? "work with" : "take",
                      *arguments == '\0' ? "an empty list of arguments" : arguments);
}

static char *say_overload(struct issue_about about)
{
    struct operands o = operands_of(about.given);
    cleanup_mem char *said = say_call(&o, about.name, spelling_of(about.name));
    operands_free(&o);
    return mem_printf("%s%.*s", said, STR_ARG(about.where));
}

/* Describes a comparison that is never true; "in" needs something that it can look into. */
static char *say_unequal(struct issue_about about)
{
    struct operands o = operands_of(about.given);
    const struct str name = spelling_of(about.name);
    char *said;
    if (o.first == NULL)
        said = mem_printf("'%.*s' compares what is never equal: %.*s%.*s", STR_ARG(name),
                          STR_ARG(about.given), STR_ARG(about.where));
    else if (!str_eq(name, STR("in")))
        said = mem_printf("%s and %s are never equal%.*s", o.first, o.second, STR_ARG(about.where));
    else if (o.has_range)
        said = mem_printf("%s is never in %s%.*s", o.first, o.second, STR_ARG(about.where));
    else
        said =
            mem_printf("'in' looks into a list or a map, and this is %s%.*s", o.second, STR_ARG(about.where));
    operands_free(&o);
    return said;
}

/* Describes a syntax error: the token that cannot stand there, and the ones that could. */
static char *say_syntax(struct issue_about about)
{
    while (about.name.len > 0 && about.name.at[about.name.len - 1] == ' ')
        about.name.len--;
    if (about.name.len > 0 && about.name.at[0] == '\0')
        about.name = STR("\\x00");
    const char *quote = about.why.len > 0 && strchr("'\"", about.name.at[0]) != NULL ? "" : "'";
    const bool is_one = about.wanted.len > 0 && about.wanted.at[0] == '\'';
    if (about.why.len > 0)
        return mem_printf("%s%.*s%s %.*s", quote, STR_ARG(about.name), quote, STR_ARG(about.why));
    if (about.name.len == 0 && about.wanted.len == 0)
        return mem_strdup("the expression ends too early");
    if (about.name.len == 0)
        return mem_printf("the expression ends too early: %.*s is missing", STR_ARG(about.wanted));
    if (is_one)
        return mem_printf("%.*s is missing before '%.*s'", STR_ARG(about.wanted), STR_ARG(about.name));
    return mem_printf("'%.*s' cannot stand here%s%.*s%s", STR_ARG(about.name),
                      about.wanted.len > 0 ? ": " : "", STR_ARG(about.wanted),
                      about.wanted.len > 0 ? " is expected" : "");
}

/* Describes a wrong constant, such as a literal that the function cannot read. */
static char *say_constant(const struct saying *s, struct str function)
{
    static const struct {
        struct str function;
        const char *wanted;
    } readers[] = {
        {STR_INIT("matches"), "a regular expression of RE2"},
        {STR_INIT("duration"), "a duration such as '1h30m'"},
        {STR_INIT("timestamp"), "a time such as '2026-01-31T12:00:00Z'"},
    };
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (str_eq(readers[i].function, function))
            return mem_printf("'%.*s' needs %s, and this is none", STR_ARG(function), readers[i].wanted);
    }
    return mem_strdup(s->message);
}

static char *say(const struct saying *s)
{
    const struct issue_about about = issue_about_read(s->about);
    const struct str name = spelling_of(about.name);
    if (s->about == NULL && s->code != ISSUE_UNDEFINED_FIELD)
        return mem_strdup(s->message);
    switch (s->code) {
    case ISSUE_UNDEFINED_FIELD:
        return say_no_field(s, about);
    case ISSUE_UNDECLARED_REFERENCE:
        return say_undeclared(s, about);
    case ISSUE_NULL_OBJECT:
        return mem_printf("%.*s is null%.*s, and has no field '%.*s'", STR_ARG(about.given),
                          STR_ARG(about.where), STR_ARG(about.name));
    case ISSUE_NO_FIELDS:
        return say_no_fields(about);
    case ISSUE_NO_OVERLOAD:
        return say_overload(about);
    case ISSUE_NEVER_EQUAL:
        if (str_eq(name, about.name)) /* no operator, but a constant that is no such word */
            break;
        return say_unequal(about);
    case ISSUE_TYPE_MISMATCH:
        return say_mismatch(about);
    case ISSUE_NO_RANGE:
        return say_range(about);
    case ISSUE_SYNTAX:
        return say_syntax(about);
    case ISSUE_RESERVED:
        return mem_printf("'%.*s' is a reserved word of CEL, and cannot be a name", STR_ARG(about.name));
    case ISSUE_WRONG_CONSTANT:
        return say_constant(s, about.name);
    case ISSUE_OTHER:
    case ISSUE_WRONG_MUTATION:
    case ISSUE_NO_SUCH_KEY:
    case ISSUE_COST_LIMIT:
    case ISSUE_ALWAYS_TRUE:
    case ISSUE_ALWAYS_FALSE:
    case ISSUE_NEVER_APPLIES:
        break;
    }
    return mem_strdup(s->message);
}

char *saying_of(const struct saying *s)
{
    char *text = say(s);
    const bool names_types =
        s->about == NULL || s->code == ISSUE_UNDEFINED_FIELD || s->code == ISSUE_WRONG_MUTATION;
    if (names_types || s->n_types >= s->n_checked)
        return text;
    cleanup_mem char *types = list_types(s), *short_text = text;
    return mem_printf("%s, for %s", short_text, types);
}

char *saying_why(const struct saying *s)
{
    const struct issue_about about = issue_about_read(s->about);
    const struct str name = about.name.len != 0 ? about.name : spanned(s);
    const char *which = about.where.len != 0 ? "each such request" : "each request that gets here";
    if (s->is_claim)
        return mem_strdup("this part of the expression has the same result for every object");
    if (s->is_unequal)
        return mem_strdup("no error: the comparison has the same result for every object");
    if (s->code == ISSUE_UNDEFINED_FIELD || s->code == ISSUE_NULL_OBJECT)
        return mem_printf("%s fails: " ISSUE_NO_SUCH_KEY_TEXT "%.*s", which, STR_ARG(name));
    if (s->code == ISSUE_NO_OVERLOAD || s->code == ISSUE_NEVER_EQUAL)
        return mem_printf("%s fails: no such overload", which);
    return NULL;
}
