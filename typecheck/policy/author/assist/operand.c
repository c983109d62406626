#include "typecheck/policy/author/assist/operand.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/lexer.h"
#include "typecheck/cel/syntax/macro.h"

#define NAMES_FIRST 8u

struct work {
    struct arena *arena;
    int level;
    struct str text;
    struct token *tokens; /* all, the end last */
    size_t count, cap;
    size_t behind; /* index of the first token behind the name at the cursor, or behind the cursor */
    struct str *locals;
    size_t local_count, local_cap;
};

static void read_tokens(struct work *w)
{
    uint32_t at = 0;
    do {
        ARENA_ROOM(w->arena, w->tokens, w->count, w->cap, NAMES_FIRST);
        struct token t = lexer_token(w->text, at);
        arena_step(w->arena);
        arena_pay_bytes(w->arena, t.end - at);
        w->tokens[w->count++] = t;
        at = t.end;
    } while (w->tokens[w->count - 1].kind != TOKEN_EOF);
}

static struct str text_between(const struct work *w, uint32_t from, uint32_t to)
{
    return (struct str){w->text.at + from, to - from};
}

static struct str text_of(const struct work *w, size_t token)
{
    return text_between(w, w->tokens[token].start, w->tokens[token].end);
}

static bool is_kind(const struct work *w, size_t token, enum token_kind kind)
{
    return token < w->count && w->tokens[token].kind == kind;
}

/* A word that may become a name: a keyword is one that is typed further. */
static bool is_word(enum token_kind kind)
{
    return kind == TOKEN_IDENT || kind == TOKEN_IN || kind == TOKEN_TRUE || kind == TOKEN_FALSE ||
           kind == TOKEN_NULL;
}

static bool is_opening(enum token_kind kind)
{
    return kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE;
}

static bool is_closing(enum token_kind kind)
{
    return kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE;
}

/* Returns true if an operand can end with it. */
static bool ends_operand(enum token_kind kind)
{
    return is_word(kind) || is_closing(kind) || kind == TOKEN_ESCAPED_IDENT || kind == TOKEN_STRING ||
           kind == TOKEN_BYTES || kind == TOKEN_INT || kind == TOKEN_UINT || kind == TOKEN_FLOAT;
}

/* The bracket that the one at `closing` closes; SIZE_MAX: none. */
static size_t find_opening(struct work *w, size_t closing)
{
    size_t depth = 0;
    for (size_t i = closing + 1; i-- > 0;) {
        arena_step(w->arena);
        depth += is_closing(w->tokens[i].kind);
        depth -= is_opening(w->tokens[i].kind);
        if (depth == 0)
            return i;
    }
    return SIZE_MAX;
}

/* The start of the part of an operand that ends before `end`, without the operand that it is selected from;
 * `end`: it is none. */
static size_t find_part(struct work *w, size_t end)
{
    size_t at = end;
    while (at > 0 && is_closing(w->tokens[at - 1].kind)) {
        const size_t opening = find_opening(w, at - 1);
        if (opening == SIZE_MAX)
            return end;
        at = opening;
        if (w->tokens[opening].kind == TOKEN_LPAREN && at > 0 && w->tokens[at - 1].kind == TOKEN_IDENT)
            return at - 1;
        /* a list, a map or a parenthesis by itself, unless it is an index */
        if (w->tokens[opening].kind != TOKEN_LBRACKET || at == 0 || !ends_operand(w->tokens[at - 1].kind))
            return at;
    }
    return at > 0 && ends_operand(w->tokens[at - 1].kind) ? at - 1 : at;
}

/* The start of the operand that ends before the token `end`; `end`: there is none. */
static size_t find_start(struct work *w, size_t end)
{
    size_t start = end;
    for (;;) {
        const size_t part = find_part(w, start);
        if (part == start)
            return start == end || is_kind(w, start, TOKEN_DOT) ? end : start;
        start = part;
        if (start > 1 && is_kind(w, start - 1, TOKEN_QUESTION) && is_kind(w, start - 2, TOKEN_DOT))
            start -= 2;
        else if (start > 0 && is_kind(w, start - 1, TOKEN_DOT))
            start--;
        else
            return start;
        if (start == 0)
            return end;
    }
}

static bool is_macro(const struct work *w, struct str name)
{
    struct macro_name m;
    for (size_t i = 0; macro_at(i, &m); i++) {
        if (m.level <= w->level && m.is_receiver && str_eq(m.name, name))
            return true;
    }
    return false;
}

static void add_local(struct work *w, struct str name)
{
    ARENA_ROOM(w->arena, w->locals, w->local_count, w->local_cap, NAMES_FIRST);
    w->locals[w->local_count++] = name;
}

/* The part that is kept of the macro call whose parenthesis is at `opening`: up to the last comma before the
 * cursor; empty: it is not a macro call, or has declared nothing yet. */
static struct str keep_macro(struct work *w, size_t opening)
{
    const bool is_call =
        opening > 1 && is_kind(w, opening - 1, TOKEN_IDENT) && is_kind(w, opening - 2, TOKEN_DOT);
    if (!is_call || !is_macro(w, text_of(w, opening - 1)))
        return STR("");
    size_t depth = 0, comma = opening, argument = opening + 1, names = 0;
    for (size_t i = opening + 1; i < w->behind; i++) {
        arena_step(w->arena);
        if (is_closing(w->tokens[i].kind))
            depth--;
        else if (is_opening(w->tokens[i].kind))
            depth++;
        if (depth != 0 || w->tokens[i].kind != TOKEN_COMMA)
            continue;
        if (i == argument + 1 && is_kind(w, argument, TOKEN_IDENT) && names++ < 2)
            add_local(w, text_of(w, argument));
        comma = i;
        argument = i + 1;
    }
    const size_t start = find_start(w, opening - 2);
    if (comma == opening || start == opening - 2)
        return STR("");
    return text_between(w, w->tokens[start].start, w->tokens[comma].end);
}

/* The macros around the place, the outermost first. Returns how many. */
static size_t keep_macros(struct work *w, size_t end, struct text *kept)
{
    size_t *open = ARENA_ARRAY(w->arena, end + 1, size_t), depth = 0, count = 0;
    for (size_t i = 0; i < end; i++) {
        if (is_opening(w->tokens[i].kind))
            open[depth++] = i;
        else if (is_closing(w->tokens[i].kind) && depth > 0)
            depth--;
    }
    for (size_t i = 0; i < depth; i++) {
        /* brackets that are closed after the next open one do not count */
        w->behind = i + 1 < depth ? open[i + 1] : end;
        struct str macro = keep_macro(w, open[i]);
        text_add(kept, macro);
        count += macro.len > 0;
    }
    return count;
}

static struct str complete(struct work *w, struct str kept, size_t macros, struct str operand)
{
    struct text t = {.arena = w->arena};
    text_add(&t, kept);
    text_add(&t, operand);
    text_add(&t, STR("." OPERAND_FIELD));
    for (size_t i = 0; i < macros; i++)
        text_add_char(&t, ')');
    return text_str(&t);
}

/* Describes the name that begins at token `name`, or, if there is none, the place for it. */
static void describe(struct work *w, size_t name, struct operand *out)
{
    const size_t is_optional =
        name > 1 && is_kind(w, name - 1, TOKEN_QUESTION) && is_kind(w, name - 2, TOKEN_DOT);
    const size_t dot = is_optional ? name - 2 : name - 1;
    const bool is_selected = name > 0 && is_kind(w, dot, TOKEN_DOT);
    const size_t end = is_selected ? dot : name, start = is_selected ? find_start(w, end) : end;
    struct text kept = {.arena = w->arena};
    if (is_selected && start == end)
        return;
    const size_t macros = keep_macros(w, start, &kept);
    struct str around = text_str(&kept);
    out->place = is_selected ? OPERAND_SELECTED : OPERAND_PRIMARY;
    out->is_optional = is_optional;
    out->locals = w->locals;
    out->local_count = w->local_count;
    if (is_selected) {
        out->before = text_between(w, w->tokens[start].start, w->tokens[end - 1].end);
        out->whole = complete(w, around, macros, out->before);
    }
    if (out->to > out->from)
        out->with_name = complete(w, around, macros, text_between(w, w->tokens[start].start, out->to));
}

void operand_find(struct arena *a, int level, struct str text, uint32_t cursor, struct operand *out)
{
    struct work w = {.arena = a, .level = level, .text = text};
    size_t at = 0;
    *out = (struct operand){.from = cursor, .to = cursor};
    read_tokens(&w);
    while (w.tokens[at].kind != TOKEN_EOF && w.tokens[at].end < cursor)
        at++;
    if (w.tokens[at].end == cursor && !ends_operand(w.tokens[at].kind) && w.tokens[at].kind != TOKEN_BAD &&
        at + 1 < w.count)
        at++; /* what stands right behind the cursor */
    const struct token *t = &w.tokens[at];
    const bool is_inside = t->start < cursor && cursor <= t->end;
    if (is_word(t->kind) && t->start <= cursor) {
        out->from = t->start;
        out->to = t->end;
        out->is_called = is_kind(&w, at + 1, TOKEN_LPAREN);
    } else if (is_inside && (cursor < t->end || t->kind == TOKEN_BAD || ends_operand(t->kind))) {
        return; /* in a literal, or right behind what no name can follow */
    }
    describe(&w, at, out);
}
