#include "typecheck/cel/syntax/extent.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/ast.h"

enum { FIRST_TOKENS = 32 };

/* ---- the part that an issue blames ---- */

/* The place after the bracket that closes the one in `open`; the end of the text if there is none. */
static uint32_t end_of_brackets(struct arena *a, struct str text, struct token open)
{
    struct token t = open;
    for (size_t depth = 1; depth > 0 && t.kind != TOKEN_EOF;) {
        arena_step(a);
        t = lexer_token(text, t.end);
        if (token_opens(t.kind))
            depth++;
        else if (token_closes(t.kind))
            depth--;
    }
    return t.end;
}

/* The name that the dot in `dot` selects: "name" of ".name" and of ".?name"; the dot if there is none. */
static struct token name_behind(struct str text, struct token dot)
{
    struct token t = lexer_token(text, dot.end);
    if (t.kind == TOKEN_QUESTION)
        t = lexer_token(text, t.end);
    return t.kind == TOKEN_IDENT || t.kind == TOKEN_ESCAPED_IDENT ? t : dot;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The name that ends before `offset`, but for space; *name is empty if there is none, as behind a comment. A
 * name of a type has dots. */
static void find_name_before(struct arena *a, struct str text, uint32_t offset, bool has_dots,
                             struct extent *name)
{
    uint32_t end = offset;
    while (end > 0 && is_space(text.at[end - 1]))
        end--;
    uint32_t begin = end;
    if (begin > 0 && text.at[begin - 1] == '`') {
        begin--;
        while (begin > 0 && text.at[begin - 1] != '`')
            begin--;
        begin -= begin > 0;
    }
    while (begin > 0 && (is_letter(text.at[begin - 1]) || (has_dots && text.at[begin - 1] == '.')))
        begin--;
    arena_pay_bytes(a, offset - begin);
    *name = (struct extent){offset, begin, end};
}

/* All from the token at the offset to the one that closes it, if it is a bracket. */
static struct extent extent_at(struct arena *a, struct str text, uint32_t offset)
{
    if (offset >= text.len)
        return (struct extent){offset, offset, offset};
    const struct token t = lexer_token(text, offset);
    if (t.kind == TOKEN_DOT) {
        const struct token name = name_behind(text, t);
        return (struct extent){offset, name.start, name.end};
    }
    return (struct extent){offset, offset, token_opens(t.kind) ? end_of_brackets(a, text, t) : t.end};
}

/* The extent with the name before the bracket or the colon; `is_name`: only the name. */
static struct extent with_name(struct arena *a, struct str text, struct extent span, bool has_dots,
                               bool is_name)
{
    struct extent name;
    find_name_before(a, text, span.offset, has_dots, &name);
    if (name.begin == name.end)
        return span;
    return (struct extent){span.offset, name.begin, is_name ? name.end : span.end};
}

static char letter_at(struct str text, uint32_t offset)
{
    if (offset >= text.len)
        return '\0';
    return text.at[offset];
}

struct extent extent_of_operator(struct arena *a, struct str text, uint32_t offset)
{
    const struct extent span = extent_at(a, text, offset);
    const char first = letter_at(text, offset);
    return first == '(' || first == ':' ? with_name(a, text, span, false, first == ':') : span;
}

struct extent extent_of_place(struct arena *a, struct str text, const struct node *n)
{
    struct extent span = extent_at(a, text, n->offset);
    const char first = letter_at(text, n->offset);
    if (n->kind == NODE_LITERAL && first == '-') /* of a number */
        span.end = lexer_token(text, span.end).end;
    if (n->kind == NODE_STRUCT)
        return with_name(a, text, span, true, false);
    if (n->kind == NODE_SELECT && first == '(' && span.end > span.begin + 1) { /* has(x.name) */
        struct extent name;
        find_name_before(a, text, span.end - 1, false, &name);
        return name.begin < name.end ? (struct extent){span.offset, name.begin, name.end} : span;
    }
    return first == '(' ? with_name(a, text, span, false, false) : span; /* of a call or a macro */
}

struct extent extent_of_name(struct arena *a, struct str text, const struct node *n)
{
    const struct extent span = extent_of_place(a, text, n);
    const char first = letter_at(text, n->offset);
    return (n->kind == NODE_CALL && first == '(') || n->kind == NODE_STRUCT
               ? with_name(a, text, span, n->kind == NODE_STRUCT, true)
               : span;
}

/* ---- the part that a node stands for ---- */

/* Tokens from the first to before the last. */
struct range {
    size_t first, end;
};

static bool is_name(enum token_kind kind)
{
    return kind == TOKEN_IDENT || kind == TOKEN_ESCAPED_IDENT;
}

void extents_init(struct extents *x, struct arena *a, struct str text)
{
    *x = (struct extents){.arena = a, .text = text};
    arena_pay_bytes(a, text.len);
    for (struct token t = lexer_token(text, 0); t.kind != TOKEN_EOF; t = lexer_token(text, t.end)) {
        arena_step(a);
        ARENA_ROOM(a, x->tokens, x->count, x->cap, FIRST_TOKENS);
        x->tokens[x->count++] = t;
    }
    x->partners = ARENA_ARRAY(a, x->count, uint32_t);
    token_pair_brackets(a, x->tokens, x->count, x->partners);
}

/* The last token that does not begin behind the offset. */
static size_t find(const struct extents *x, uint32_t offset)
{
    size_t low = 0, high = x->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (x->tokens[middle].start <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The token at which the name before a bracket begins: a.b.C of a.b.C{}. */
static size_t find_name(const struct extents *x, size_t bracket)
{
    size_t first = bracket;
    while (first > 0 && is_name(x->tokens[first - 1].kind)) {
        arena_step(x->arena);
        first--;
        if (first > 0 && x->tokens[first - 1].kind == TOKEN_DOT)
            first--;
        else
            break;
    }
    return first;
}

/* The tokens at the node's own place. */
static struct range find_own(const struct extents *x, const struct node *n)
{
    const size_t at = find(x, n->offset);
    size_t behind = at + 1;
    switch (x->tokens[at].kind) {
    case TOKEN_LPAREN:
    case TOKEN_LBRACE:
        return (struct range){find_name(x, at), x->partners[at] + (size_t)1};
    case TOKEN_LBRACKET:
        return (struct range){at, x->partners[at] + (size_t)1};
    case TOKEN_DOT: /* of a field */
        while (behind < x->count && !is_name(x->tokens[behind].kind))
            behind++;
        return (struct range){at, behind + 1};
    case TOKEN_MINUS: /* of a number or an operation */
        return (struct range){at, n->kind == NODE_LITERAL ? at + 2 : at + 1};
    default: /* a name that is no local's has its dot before it */
        return (struct range){n->kind == NODE_IDENT && at > 0 && n->ident.at[0] == '.' ? at - 1 : at, at + 1};
    }
}

static struct range add(struct range a, struct range b)
{
    return (struct range){a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end};
}

static struct range find_range(const struct extents *x, const struct node *n)
{
    struct range range = find_own(x, n);
    arena_step(x->arena);
    for (size_t i = 0; ast_child(n, i) != NULL; i++)
        range = add(range, find_range(x, ast_child(n, i)));
    return range;
}

/* Extends the range by the partner of each bracket in it. */
static struct range balance(const struct extents *x, struct range range)
{
    for (size_t i = range.first; i < range.end && i < x->count;) {
        const size_t partner = x->partners[i];
        arena_step(x->arena);
        if (partner >= range.end)
            range.end = partner + 1;
        i++;
        if (partner < range.first) {
            range.first = partner;
            i = partner;
        }
    }
    return range;
}

struct str extents_text(const struct extents *x, const struct node *node)
{
    if (x->count == 0)
        return STR("");
    struct range range = balance(x, find_range(x, node));
    const size_t last = (range.end < x->count ? range.end : x->count) - 1;
    const uint32_t start = x->tokens[range.first].start;
    return (struct str){x->text.at + start, x->tokens[last].end - start};
}

bool extents_is_written(const struct extents *x, const struct node *call)
{
    return x->count != 0 && x->tokens[find(x, call->offset)].kind != TOKEN_LPAREN;
}
