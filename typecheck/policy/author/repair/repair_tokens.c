#include "typecheck/policy/author/repair/repair_tokens.h"

#include "typecheck/base/arena.h"

/* A sign of other languages by itself: the lexer takes the byte behind it, too. */
static void cut_sign(const struct repair_tokens *t, struct token *token)
{
    if (token->kind == TOKEN_BAD && token->end > token->start && t->text.at[token->start] != '\0' &&
        strchr("=&|~#;$@^", t->text.at[token->start]) != NULL)
        token->end = token->start + 1;
}

void repair_tokens_init(struct repair_tokens *t, struct arena *a, struct str text)
{
    size_t cap = 0;
    uint32_t offset = 0;
    *t = (struct repair_tokens){.arena = a, .text = text};
    do {
        arena_step(a);
        ARENA_ROOM(a, t->list, t->count, cap, 64);
        t->list[t->count] = lexer_token(text, offset);
        cut_sign(t, &t->list[t->count]);
        offset = t->list[t->count].end;
    } while (t->list[t->count++].kind != TOKEN_EOF);
    t->match = ARENA_ARRAY(a, t->count, uint32_t);
    token_pair_brackets(a, t->list, t->count, t->match);
}

enum token_kind repair_tokens_kind(const struct repair_tokens *t, size_t i)
{
    return i < t->count ? t->list[i].kind : TOKEN_EOF;
}

struct str repair_tokens_slice(const struct repair_tokens *t, size_t first, size_t last)
{
    if (first >= t->count || last >= t->count || first > last)
        return STR("");
    return (struct str){t->text.at + t->list[first].start, t->list[last].end - t->list[first].start};
}

struct str repair_tokens_text(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_slice(t, i, i);
}

bool repair_tokens_is(const struct repair_tokens *t, size_t i, const char *text)
{
    return i < t->count && str_eq(repair_tokens_text(t, i), str_of(text));
}

bool repair_tokens_is_tight(const struct repair_tokens *t, size_t i)
{
    return i + 1 < t->count && t->list[i].end == t->list[i + 1].start;
}

/* `.?name` is a field, too. */
static bool is_behind_dot(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_kind(t, i - 1) == TOKEN_DOT ||
           (repair_tokens_kind(t, i - 1) == TOKEN_QUESTION && repair_tokens_kind(t, i - 2) == TOKEN_DOT);
}

bool repair_tokens_is_name(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_kind(t, i) == TOKEN_IDENT && !is_behind_dot(t, i);
}

bool repair_tokens_is_method(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_kind(t, i) == TOKEN_IDENT && repair_tokens_kind(t, i - 1) == TOKEN_DOT &&
           repair_tokens_kind(t, i + 1) == TOKEN_LPAREN;
}

bool repair_tokens_is_function(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_is_name(t, i) && repair_tokens_kind(t, i + 1) == TOKEN_LPAREN;
}

bool repair_tokens_begins(const struct repair_tokens *t, size_t i)
{
    enum token_kind kind = repair_tokens_kind(t, i);
    return token_opens(kind) || kind == TOKEN_NOT || kind == TOKEN_MINUS || kind == TOKEN_DOT ||
           (kind >= TOKEN_TRUE && kind <= TOKEN_IDENT);
}

bool repair_tokens_ends(const struct repair_tokens *t, size_t i)
{
    enum token_kind kind = repair_tokens_kind(t, i);
    return token_closes(kind) || (kind >= TOKEN_TRUE && kind <= TOKEN_ESCAPED_IDENT);
}

bool repair_tokens_is_relation(const struct repair_tokens *t, size_t i)
{
    enum token_kind kind = repair_tokens_kind(t, i);
    return kind >= TOKEN_EQUALS && kind <= TOKEN_GREATER;
}

/* ---- operands ---- */

/* Its opening bracket, or itself. */
static size_t pair_start(const struct repair_tokens *t, size_t i)
{
    return token_closes(repair_tokens_kind(t, i)) ? t->match[i] : i;
}

static size_t pair_end(const struct repair_tokens *t, size_t i)
{
    return token_opens(repair_tokens_kind(t, i)) ? t->match[i] : i;
}

size_t repair_tokens_chain_start(const struct repair_tokens *t, size_t i)
{
    for (;;) {
        arena_step(t->arena);
        size_t start = pair_start(t, i);
        bool is_bracket = start < i || token_closes(repair_tokens_kind(t, i));
        if (is_bracket && start > 0 &&
            (repair_tokens_kind(t, start - 1) == TOKEN_IDENT ||
             (repair_tokens_ends(t, start - 1) && repair_tokens_kind(t, start) == TOKEN_LBRACKET)))
            i = start - 1; /* a call, an index, a structure */
        else if (is_behind_dot(t, start) && start >= 2)
            i = start - (repair_tokens_kind(t, start - 1) == TOKEN_DOT ? 2 : 3);
        else
            return start;
        if (i >= t->count || !repair_tokens_ends(t, i))
            return start;
    }
}

size_t repair_tokens_chain_end(const struct repair_tokens *t, size_t i)
{
    while (repair_tokens_kind(t, i) == TOKEN_NOT || repair_tokens_kind(t, i) == TOKEN_MINUS)
        i++;
    if (repair_tokens_kind(t, i) == TOKEN_DOT)
        i++;
    i = pair_end(t, i);
    for (;;) {
        arena_step(t->arena);
        enum token_kind next = repair_tokens_kind(t, i + 1);
        if (next == TOKEN_DOT && repair_tokens_kind(t, i + 2) == TOKEN_QUESTION)
            i += 3;
        else if (next == TOKEN_DOT)
            i += 2;
        else if ((next == TOKEN_LPAREN || next == TOKEN_LBRACKET) && t->match[i + 1] > i + 1)
            i = t->match[i + 1];
        else
            return i < t->count ? i : t->count - 1;
    }
}

/* A `?` that begins no optional selection, and what else ends a term. */
static bool is_border(const struct repair_tokens *t, size_t i)
{
    enum token_kind kind = repair_tokens_kind(t, i), before = repair_tokens_kind(t, i - 1);
    if (kind == TOKEN_QUESTION)
        return before != TOKEN_DOT && before != TOKEN_LBRACKET && before != TOKEN_LBRACE &&
               before != TOKEN_COMMA;
    if (kind == TOKEN_IDENT && repair_tokens_is_name(t, i))
        return repair_tokens_is(t, i, "and") || repair_tokens_is(t, i, "or");
    return kind == TOKEN_EOF || kind == TOKEN_AND || kind == TOKEN_OR || kind == TOKEN_COLON ||
           kind == TOKEN_COMMA || kind == TOKEN_BAD || token_opens(kind) || token_closes(kind);
}

size_t repair_tokens_side_start(const struct repair_tokens *t, size_t i)
{
    for (;;) {
        arena_step(t->arena);
        i = pair_start(t, i);
        if (i == 0)
            return 0;
        bool is_pair = token_closes(repair_tokens_kind(t, i - 1)) && t->match[i - 1] < i - 1;
        if (!is_pair && (is_border(t, i - 1) || repair_tokens_is_relation(t, i - 1)))
            return i;
        i--;
    }
}

static size_t find_end(const struct repair_tokens *t, size_t i, bool is_side)
{
    for (;;) {
        arena_step(t->arena);
        i = pair_end(t, i);
        if (i + 1 >= t->count)
            return t->count - 1;
        bool is_pair = token_opens(repair_tokens_kind(t, i + 1)) && t->match[i + 1] > i + 1;
        if (!is_pair && (is_border(t, i + 1) || (is_side && repair_tokens_is_relation(t, i + 1))))
            return i;
        i++;
    }
}

size_t repair_tokens_side_end(const struct repair_tokens *t, size_t i)
{
    return find_end(t, i, true);
}

size_t repair_tokens_term_end(const struct repair_tokens *t, size_t i)
{
    return find_end(t, i, false);
}

size_t repair_tokens_comma(const struct repair_tokens *t, size_t i, size_t end)
{
    for (i++; i < end; i++) {
        arena_step(t->arena);
        i = pair_end(t, i);
        if (repair_tokens_kind(t, i) == TOKEN_COMMA)
            return i;
    }
    return end;
}
