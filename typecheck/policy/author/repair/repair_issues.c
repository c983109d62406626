#include "typecheck/policy/author/repair/repair_issues.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/suggest.h"
#include "typecheck/policy/author/repair/repair_edits.h"
#include "typecheck/policy/author/repair/repair_fields.h"
#include "typecheck/policy/author/repair/repair_scope.h"

/* Comparisons of two letters that one step of the budget pays for. */
#define LETTERS_PER_STEP 8u

/* Expressions with more issues are rare; corrections of the later ones are proposed when the first ones are
 * repaired. */
enum { MAX_ISSUES = 16 };

static size_t issue_count(const struct repair_edits *e)
{
    return e->scope->issue_count < MAX_ISSUES ? e->scope->issue_count : MAX_ISSUES;
}

/* ---- what the check proposes ---- */

/* The text between the quotes of a plain string; empty: it is none. */
static struct str content(const struct repair_tokens *t, size_t i)
{
    struct str s = repair_tokens_text(t, i);
    const bool is_plain = repair_tokens_kind(t, i) == TOKEN_STRING && s.len > 2 &&
                          (s.at[0] == '\'' || s.at[0] == '"') && memchr(s.at, '\\', s.len) == NULL &&
                          s.at[1] != s.at[0];
    return is_plain ? (struct str){s.at + 1, s.len - 2} : STR("");
}

/* Returns true if the name stands there, as a field or as a string. */
static bool is_named(const struct repair_tokens *t, size_t i, struct str name)
{
    return repair_tokens_kind(t, i) == TOKEN_IDENT ? str_eq(repair_tokens_text(t, i), name)
                                                   : str_eq(content(t, i), name);
}

/* Returns how far the token is from the offset, in bytes. */
static uint32_t distance(const struct repair_tokens *t, size_t i, uint32_t offset)
{
    const struct token *token = &t->list[i];
    return offset < token->start ? token->start - offset : offset > token->end ? offset - token->end : 0;
}

/* The token of that name that is nearest to the issue; t->count: there is none. */
static size_t find_named(const struct repair_tokens *t, uint32_t offset, struct str name)
{
    size_t best = t->count;
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        if (name.len != 0 && is_named(t, i, name) &&
            (best == t->count || distance(t, i, offset) < distance(t, best, offset)))
            best = i;
    }
    return best;
}

static void replace_name(struct repair_edits *e, size_t i, struct str to)
{
    struct str text = repair_tokens_text(&e->tokens, i);
    const bool is_string = repair_tokens_kind(&e->tokens, i) == TOKEN_STRING;
    const struct str quote = {text.at, is_string ? 1 : 0};
    repair_edits_replace(e, i, i, str_join(e->tokens.arena, STR_PARTS(quote, to, quote)));
}

/* The same name after the same operand is the same mistake. */
static void replace_everywhere(struct repair_edits *e, size_t found, struct str to)
{
    const struct repair_tokens *t = &e->tokens;
    const struct str chain = repair_tokens_slice(t, repair_tokens_chain_start(t, found), found);
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        if (i == found || (repair_tokens_kind(t, i) == TOKEN_IDENT &&
                           str_eq(repair_tokens_text(t, i), repair_tokens_text(t, found)) &&
                           str_eq(repair_tokens_slice(t, repair_tokens_chain_start(t, i), i), chain)))
            replace_name(e, i, to);
    }
    repair_edits_show(e, to);
}

static void wrap(struct repair_edits *e, size_t first, size_t last, struct str function)
{
    const struct repair_tokens *t = &e->tokens;
    if (first > last || last >= t->count)
        return;
    repair_edits_before(e, first, str_join(t->arena, STR_PARTS(function, STR("("))));
    repair_edits_behind(e, last, STR(")"));
    repair_edits_show(
        e, str_join(t->arena, STR_PARTS(function, STR("("), repair_tokens_slice(t, first, last), STR(")"))));
    repair_edits_offer(e);
}

/* The token that begins at the offset, or is the next one. */
static size_t token_at(const struct repair_tokens *t, uint32_t offset)
{
    size_t i = 0;
    while (i + 1 < t->count && t->list[i].start < offset) {
        arena_step(t->arena);
        i++;
    }
    return i;
}

/* Each operand of the operation in a candidate of its own. */
static void wrap_operands(struct repair_edits *e, const struct repair_issue *issue, struct str function)
{
    const struct repair_tokens *t = &e->tokens;
    const size_t first = token_at(t, issue->offset);
    for (size_t i = first; i < t->count && t->list[i].start < issue->end; i++) {
        const enum token_kind kind = repair_tokens_kind(t, i);
        arena_step(t->arena);
        if (repair_tokens_is_relation(t, i)) {
            wrap(e, repair_tokens_side_start(t, i - 1), i - 1, function);
            wrap(e, i + 1, repair_tokens_side_end(t, i + 1), function);
        } else if (kind == TOKEN_PLUS || kind == TOKEN_MINUS) {
            if (str_eq(function, STR("duration"))) /* what a duration is added to may be a time as well */
                wrap(e, repair_tokens_chain_start(t, i - 1), i - 1, STR("timestamp"));
            wrap(e, repair_tokens_chain_start(t, i - 1), i - 1, function);
            wrap(e, i + 1, repair_tokens_chain_end(t, i + 1), function);
        } else if (kind == TOKEN_LPAREN && t->match[i] > i && i > 0) {
            if (repair_tokens_is_method(t, i - 1))
                wrap(e, repair_tokens_chain_start(t, i - 3), i - 3, function);
            wrap(e, i + 1, t->match[i] - 1, function);
            return;
        }
    }
}

static bool has_call(const struct repair_tokens *t, const char *function)
{
    bool has = false;
    for (size_t i = 0; i + 1 < t->count && !has; i++) {
        arena_step(t->arena);
        has = repair_tokens_is(t, i, function) && repair_tokens_kind(t, i + 1) == TOKEN_LPAREN;
    }
    return has;
}

/* Makes the other operand of a time or a duration one, too, if the API server refuses the expression. */
static void wrap_like_other(struct repair_edits *e, const struct repair_issue *issue)
{
    if (issue->code != ISSUE_NO_OVERLOAD && issue->code != ISSUE_NEVER_EQUAL)
        return;
    if (has_call(&e->tokens, "timestamp"))
        wrap_operands(e, issue, STR("timestamp"));
    if (has_call(&e->tokens, "duration"))
        wrap_operands(e, issue, STR("duration"));
}

static bool is_done(const struct repair_edits *e, size_t issue)
{
    const struct hint_change *change = &e->scope->issues[issue].change;
    for (size_t i = 0; i < issue; i++) {
        const struct hint_change *other = &e->scope->issues[i].change;
        arena_step(e->tokens.arena);
        if (other->sort == change->sort && change->sort != HINT_WRAP && str_eq(other->from, change->from) &&
            str_eq(other->to, change->to))
            return true;
    }
    return false;
}

/* All issues that propose the same. */
static void change_all(struct repair_edits *e, size_t first)
{
    const struct hint_change *change = &e->scope->issues[first].change;
    size_t done = e->tokens.count;
    for (size_t i = first; i < issue_count(e); i++) {
        const struct repair_issue *issue = &e->scope->issues[i];
        const size_t token = find_named(&e->tokens, issue->offset, change->from);
        if (token == e->tokens.count || token == done || issue->change.sort != change->sort ||
            !str_eq(issue->change.from, change->from) || !str_eq(issue->change.to, change->to))
            continue;
        if (change->sort == HINT_OPTIONAL) {
            repair_edits_before(e, token, STR("?"));
            repair_edits_show(e, str_join(e->tokens.arena, STR_PARTS(STR(".?"), change->to)));
        } else if (done == e->tokens.count && repair_tokens_kind(&e->tokens, token) == TOKEN_IDENT) {
            replace_everywhere(e, token, change->to);
        } else if (repair_tokens_kind(&e->tokens, token) == TOKEN_STRING) {
            replace_name(e, token, change->to);
            repair_edits_show(e, change->to);
        }
        done = token;
    }
    repair_edits_offer(e);
}

void repair_issues_changes(struct repair_edits *e)
{
    for (size_t i = 0; i < issue_count(e); i++) {
        const struct repair_issue *issue = &e->scope->issues[i];
        switch (issue->change.sort) {
        case HINT_NOTHING:
            wrap_like_other(e, issue);
            break;
        case HINT_NAME:
        case HINT_VALUE:
        case HINT_OPTIONAL:
            if (!is_done(e, i))
                change_all(e, i);
            break;
        case HINT_WRAP:
            wrap_operands(e, issue, issue->change.to);
            break;
        }
    }
}

/* ---- fields that are known from elsewhere ---- */

/* The last name of a path. */
static struct str last_name(struct str path)
{
    size_t i = path.len;
    while (i > 0 && path.at[i - 1] != '.')
        i--;
    return str_skip(path, i);
}

/* The path whose last name is the nearest one. */
static struct str nearest_field(struct repair_edits *e, struct str name)
{
    struct str found = STR("");
    struct arena *a = e->tokens.arena;
    struct suggest nearest;
    suggest_init(&nearest, str_copy(a, name).at);
    for (size_t i = 0; i < e->scope->field_count; i++) {
        const char *best = nearest.best;
        const struct str field = last_name(e->scope->fields[i]);
        const size_t shorter = field.len < name.len ? field.len : name.len;
        arena_pay(a, 1 + shorter * shorter / LETTERS_PER_STEP);
        suggest_offer(&nearest, field.at);
        found = nearest.best != best ? e->scope->fields[i] : found;
    }
    return found;
}

static bool has_field(struct repair_edits *e, struct str name)
{
    bool has = false;
    for (size_t i = 0; i < e->scope->field_count && !has; i++) {
        arena_step(e->tokens.arena);
        has = str_eq(e->scope->fields[i], name);
    }
    return has;
}

/* `self.spec.size` in a rule of spec: self is spec, so `self.size`. wrong: the field that self does not
 * have. */
static void skip_field(struct repair_edits *e, struct str wrong)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 4 < t->count; i++) {
        const struct str next = repair_tokens_text(t, i + 4);
        arena_step(t->arena);
        if (!repair_tokens_is_name(t, i) || !repair_tokens_is(t, i, "self") ||
            repair_tokens_kind(t, i + 1) != TOKEN_DOT || !str_eq(repair_tokens_text(t, i + 2), wrong) ||
            repair_tokens_kind(t, i + 3) != TOKEN_DOT || repair_tokens_kind(t, i + 4) != TOKEN_IDENT ||
            !has_field(e, next))
            continue;
        repair_edits_replace(e, i + 2, i + 4, next);
        repair_edits_show(e, str_join(t->arena, STR_PARTS(STR("self."), next)));
    }
    repair_edits_offer(e);
}

void repair_issues_fields(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i < issue_count(e) && e->scope->field_count > 0; i++) {
        const struct repair_issue *issue = &e->scope->issues[i];
        size_t token = token_at(t, issue->offset);
        if (issue->code != ISSUE_UNDEFINED_FIELD || issue->change.sort != HINT_NOTHING)
            continue;
        while (token < t->count && t->list[token].end < issue->end)
            token++;
        if (repair_tokens_kind(t, token) != TOKEN_IDENT)
            continue;
        const bool is_of_self =
            token >= 2 && repair_tokens_is(t, token - 2, "self") && repair_tokens_is_name(t, token - 2);
        const struct str path = nearest_field(e, repair_tokens_text(t, token));
        const struct str near = is_of_self ? path : last_name(path);
        if (near.len != 0 && !str_eq(near, repair_tokens_text(t, token)))
            replace_everywhere(e, token, near);
        repair_edits_offer(e);
        if (is_of_self)
            skip_field(e, repair_tokens_text(t, token));
    }
}

/* ---- comparisons with null ---- */

/* Returns true if a conditional stands outside of all brackets. */
static bool has_conditional(const struct repair_tokens *t)
{
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        i = t->match[i] > i ? t->match[i] : i;
        if (repair_tokens_kind(t, i) == TOKEN_QUESTION && repair_tokens_kind(t, i - 1) != TOKEN_DOT)
            return true;
    }
    return false;
}

/* Where the object is null, there is nothing to validate; but then the policy does not stop such a
 * request. */
static void let_pass(struct repair_edits *e, struct str operation)
{
    const struct repair_tokens *t = &e->tokens;
    const bool needs_brackets = has_conditional(t);
    const struct str guard = str_join(t->arena, STR_PARTS(STR("request.operation == '"), operation,
                                                          STR("' || "), needs_brackets ? STR("(") : STR("")));
    repair_edits_before(e, 0, guard);
    if (needs_brackets && t->count >= 2)
        repair_edits_behind(e, t->count - 2, STR(")"));
    repair_edits_show(
        e, str_join(t->arena, STR_PARTS(STR("request.operation == '"), operation, STR("' || ..."))));
    e->is_guess = true;
    repair_edits_offer(e);
}

void repair_issues_null(struct repair_edits *e)
{
    bool is_object = false, is_old = false;
    for (size_t i = 0; i < issue_count(e) && e->scope->is_validation; i++) {
        const struct repair_issue *issue = &e->scope->issues[i];
        if (issue->code != ISSUE_NULL_OBJECT)
            continue;
        const size_t token = token_at(&e->tokens, issue->offset);
        const size_t start = repair_tokens_chain_start(&e->tokens, token > 0 ? token - 1 : 0);
        is_object = is_object || repair_tokens_is(&e->tokens, start, "object") ||
                    repair_tokens_is(&e->tokens, token, "object");
        is_old = is_old || repair_tokens_is(&e->tokens, start, "oldObject") ||
                 repair_tokens_is(&e->tokens, token, "oldObject");
    }
    if (is_object)
        let_pass(e, STR("DELETE"));
    if (is_old)
        let_pass(e, STR("CREATE"));
}

/* ---- elements ---- */

/* A name for an element that stands nowhere in the expression: c, or x. */
static struct str element_name(const struct repair_tokens *t)
{
    static const struct str NAMES[] = {STR_INIT("c"), STR_INIT("x"), STR_INIT("e"), STR_INIT("item")};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        bool is_used = false;
        for (size_t i = 0; i < t->count && !is_used; i++) {
            arena_step(t->arena);
            is_used = repair_tokens_is_name(t, i) && str_eq(repair_tokens_text(t, i), NAMES[k]);
        }
        if (!is_used)
            return NAMES[k];
    }
    return STR("element");
}

/* `LIST.REST`, in a relation or alone: LIST.macro(c, c.REST). The list ends with the token `list`; the dot of
 * the rest is `dot`. */
static void ask_elements(struct repair_edits *e, size_t list, size_t dot, struct str macro)
{
    const struct repair_tokens *t = &e->tokens;
    const struct str name = element_name(t);
    const size_t start = repair_tokens_chain_start(t, list), end = repair_tokens_term_end(t, dot + 1);
    const struct str target = repair_tokens_slice(t, start, list), rest = repair_tokens_slice(t, dot, end);
    if (end < dot + 1)
        return;
    repair_edits_change(e, start, end,
                        str_join(t->arena, STR_PARTS(target, STR("."), macro, STR("("), name, STR(", "), name,
                                                     rest, STR(")"))));
    repair_edits_offer(e);
}

static void ask_both(struct repair_edits *e, size_t list, size_t dot)
{
    ask_elements(e, list, dot, STR("all"));
    ask_elements(e, list, dot, STR("exists"));
}

void repair_issues_elements(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i + 2 < t->count; i++) { /* [*]. and []. */
        arena_step(t->arena);
        const size_t close = i + (repair_tokens_is(t, i + 1, "*") ? 2 : 1);
        if (repair_tokens_kind(t, i) != TOKEN_LBRACKET || repair_tokens_kind(t, close) != TOKEN_RBRACKET ||
            repair_tokens_kind(t, close + 1) != TOKEN_DOT || !repair_tokens_ends(t, i - 1))
            continue;
        ask_both(e, i - 1, close + 1);
        return;
    }
    for (size_t i = 0; i < issue_count(e); i++) {
        const struct repair_issue *issue = &e->scope->issues[i];
        if (issue->code != ISSUE_NO_FIELDS)
            continue;
        size_t dot = token_at(t, issue->offset);
        while (dot < t->count && repair_tokens_kind(t, dot) != TOKEN_DOT && t->list[dot].start < issue->end)
            dot++;
        if (repair_tokens_kind(t, dot) == TOKEN_DOT && dot > 0)
            ask_both(e, dot - 1, dot);
    }
}

/* ---- optionals ---- */

void repair_issues_optionals(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i + 2 < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_QUESTION || repair_tokens_kind(t, i - 1) != TOKEN_DOT)
            continue;
        repair_fields_settle_optional(e, i + 1);
        i = repair_tokens_chain_end(t, i + 1);
    }
}
