#include "typecheck/policy/author/repair/repair_explain.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/author/repair/repair_tokens.h"

/* ---- patterns ---- */

/* The end of the class that begins at i; s.len: it has none. */
static size_t class_end(struct str s, size_t i)
{
    i += i + 1 < s.len && s.at[i + 1] == '^' ? 2 : 1;
    for (i++; i < s.len && s.at[i] != ']'; i++) { /* the first sign is never the end */
        if (s.at[i] == '\\')
            i++;
    }
    return i < s.len ? i : s.len;
}

/* Explains a group that begins with "(?" and that RE2 does not have; empty: it is none. */
static struct str explain_group(struct str rest)
{
    if (str_has_prefix(rest, STR("(?=")) || str_has_prefix(rest, STR("(?!")))
        return STR("RE2 has no look-ahead (?=...) or (?!...): ask with a second matches()");
    if (str_has_prefix(rest, STR("(?<=")) || str_has_prefix(rest, STR("(?<!")))
        return STR("RE2 has no look-behind (?<=...) or (?<!...): ask with a second matches()");
    if (str_has_prefix(rest, STR("(?>")))
        return STR("RE2 has no atomic groups (?>...): leave out the '?>'");
    return STR("");
}

static struct str explain_pattern(struct str s)
{
    size_t open = 0;
    for (size_t i = 0; i < s.len; i++) {
        const struct str rest = {s.at + i, s.len - i};
        const struct str group = explain_group(rest);
        if (group.len != 0)
            return group;
        if (s.at[i] == '\\' && i + 1 < s.len) {
            i++;
            if (s.at[i] >= '1' && s.at[i] <= '9')
                return STR("RE2 has no back-references such as \\1");
        } else if (s.at[i] == '[') {
            i = class_end(s, i);
            if (i == s.len)
                return STR("in the pattern, the ']' that ends the class is missing");
        } else if (s.at[i] == ')' && open == 0) {
            return STR("in the pattern, nothing opens the ')': write '\\\\)' for the sign itself");
        } else if (s.at[i] == '(' || s.at[i] == ')') {
            open += s.at[i] == '(' ? 1 : (size_t)-1;
        } else if (s.at[i] == '+' && i > 0 && strchr("*+?}", s.at[i - 1]) != NULL) {
            return STR("RE2 has no possessive quantifiers such as a++: leave out the second '+'");
        }
    }
    return open > 0 ? STR("in the pattern, the ')' that ends the group is missing") : STR("");
}

/* The pattern of a call of matches, find or findAll. */
static struct str explain_patterns(const struct repair_tokens *t)
{
    for (size_t i = 0; i + 2 < t->count; i++) {
        const struct str s = repair_tokens_text(t, i + 2);
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_IDENT || repair_tokens_kind(t, i + 1) != TOKEN_LPAREN ||
            repair_tokens_kind(t, i + 2) != TOKEN_STRING || s.len < 3 ||
            !(repair_tokens_is(t, i, "matches") || repair_tokens_is(t, i, "find") ||
              repair_tokens_is(t, i, "findAll")))
            continue;
        arena_pay_bytes(t->arena, s.len);
        const size_t start = s.at[0] == 'r' || s.at[0] == 'R' ? 2 : 1;
        const struct str why = explain_pattern((struct str){s.at + start, s.len - start - 1});
        if (why.len != 0)
            return why;
    }
    return STR("");
}

/* ---- names ---- */

static bool is_one_of(struct str name, const struct str *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(names[i], name))
            return true;
    }
    return false;
}

/* The field that is selected from the name at token i; empty: none is. */
static struct str field_of(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_kind(t, i + 1) == TOKEN_DOT && repair_tokens_kind(t, i + 2) == TOKEN_IDENT
               ? repair_tokens_text(t, i + 2)
               : STR("");
}

static struct str explain_variable(const struct repair_tokens *t, const struct repair_scope *scope, size_t i)
{
    const struct str name = field_of(t, i);
    if (name.len == 0 || is_one_of(name, scope->variables, scope->variable_count))
        return STR("");
    return str_join(t->arena, STR_PARTS(STR("declare '"), name, STR("' in spec.variables")));
}

static struct str explain_name(const struct repair_tokens *t, const struct repair_scope *scope, size_t i)
{
    static const struct str CLOCKS[] = {STR_INIT("now"), STR_INIT("today"), STR_INIT("time"),
                                        STR_INIT("currentTime"), STR_INIT("Date")};
    const struct str name = repair_tokens_text(t, i);
    if (scope->is_policy && str_eq(name, STR("variables")))
        return explain_variable(t, scope, i);
    if (scope->is_policy && str_eq(name, STR("params")) && !scope->has_params)
        return STR("the policy has no params: name their kind in spec.paramKind");
    if (repair_tokens_kind(t, i + 1) == TOKEN_LPAREN &&
        is_one_of(name, CLOCKS, sizeof CLOCKS / sizeof *CLOCKS))
        return STR("CEL has no clock: an expression can compare only times that the request has, such as "
                   "metadata.creationTimestamp");
    return STR("");
}

/* ---- the rest ---- */

/* Returns true if the token is the ? of a conditional. */
static bool is_conditional(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_kind(t, i) == TOKEN_QUESTION && repair_tokens_kind(t, i - 1) != TOKEN_DOT &&
           repair_tokens_kind(t, i - 1) != TOKEN_LBRACKET;
}

/* Explains an issue that begins with the token. */
static struct str explain_token(const struct repair_tokens *t, const struct repair_scope *scope,
                                const struct repair_issue *issue, size_t i)
{
    const size_t start =
        repair_tokens_chain_start(t, i > 0 && repair_tokens_kind(t, i) == TOKEN_DOT ? i - 1 : i);
    if (repair_tokens_is_name(t, i))
        return explain_name(t, scope, i);
    if (issue->code == ISSUE_UNDECLARED_REFERENCE && repair_tokens_is_function(t, i - 1))
        return explain_name(t, scope, i - 1);
    if (issue->code == ISSUE_NO_OVERLOAD && is_conditional(t, i))
        return STR("both results of 'condition ? a : b' must have the same type");
    if (issue->code == ISSUE_UNDEFINED_FIELD && scope->is_policy && repair_tokens_is(t, start, "variables"))
        return explain_variable(t, scope, start);
    if (issue->code == ISSUE_UNDEFINED_FIELD && scope->is_crd_rule && repair_tokens_is(t, start, "self") &&
        repair_tokens_is(t, start + 2, "metadata") && i == start + 3)
        return STR("of metadata, a rule can read only name and generateName");
    return STR("");
}

struct str repair_explain(struct arena *a, const struct repair_scope *scope, struct str text)
{
    struct repair_tokens t;
    struct str why = STR("");
    repair_tokens_init(&t, a, text);
    for (size_t k = 0; k < scope->issue_count && why.len == 0; k++) {
        const struct repair_issue *issue = &scope->issues[k];
        size_t i = 0;
        while (i + 1 < t.count && t.list[i].start < issue->offset) {
            arena_step(a);
            i++;
        }
        why = explain_token(&t, scope, issue, i);
    }
    return why.len == 0 && scope->issue_count > 0 ? explain_patterns(&t) : why;
}
