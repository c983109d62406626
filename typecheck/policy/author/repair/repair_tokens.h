/*
 * repair_tokens: an expression as a list of tokens, and where operands begin and end in it.
 *
 * The expression need not parse: brackets are matched as far as they match,
 * and an operand is what stands between two operators. Indexes are of tokens;
 * the last one is TOKEN_EOF. Walks pay steps to the arena.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_TOKENS_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/lexer.h"

struct arena;

struct repair_tokens {
    struct arena *arena;
    struct str text;
    struct token *list;
    uint32_t *match; /* by token: the other bracket of the pair; itself where there is none */
    size_t count;    /* TOKEN_EOF included */
};

void repair_tokens_init(struct repair_tokens *t, struct arena *a, struct str text);

/* The kind of token i; TOKEN_EOF if there is no such token. */
enum token_kind repair_tokens_kind(const struct repair_tokens *t, size_t i);
struct str repair_tokens_text(const struct repair_tokens *t, size_t i);
/* The expression's text from the token `first` to the token `last`. */
struct str repair_tokens_slice(const struct repair_tokens *t, size_t first, size_t last);
bool repair_tokens_is(const struct repair_tokens *t, size_t i, const char *text);
/* Returns true if there is no space between the token and the next one. */
bool repair_tokens_is_tight(const struct repair_tokens *t, size_t i);
/* Returns true if token i is a name, but not of a field: no dot is before it. */
bool repair_tokens_is_name(const struct repair_tokens *t, size_t i);
/* Returns true if token i is the name in `.name(`. */
bool repair_tokens_is_method(const struct repair_tokens *t, size_t i);
/* Returns true if token i is the name in `name(`, without a dot before it. */
bool repair_tokens_is_function(const struct repair_tokens *t, size_t i);
/* Returns true if an operand can begin, or end, with the token. */
bool repair_tokens_begins(const struct repair_tokens *t, size_t i);
bool repair_tokens_ends(const struct repair_tokens *t, size_t i);
/* Returns true if token i is one of == != < <= > >= in. */
bool repair_tokens_is_relation(const struct repair_tokens *t, size_t i);

/* The first token of a chain `a.b(c)[d]` that ends at token i; the last of one that begins there. */
size_t repair_tokens_chain_start(const struct repair_tokens *t, size_t i);
size_t repair_tokens_chain_end(const struct repair_tokens *t, size_t i);
/* The same for the operand of a relation or logical operator: sums and products. */
size_t repair_tokens_side_start(const struct repair_tokens *t, size_t i);
size_t repair_tokens_side_end(const struct repair_tokens *t, size_t i);
/* The last token of the operand of a logical operator, a comma or a bracket, which may have relations. */
size_t repair_tokens_term_end(const struct repair_tokens *t, size_t i);
/* The first comma outside of brackets after `i` and before `end`; else `end`. */
size_t repair_tokens_comma(const struct repair_tokens *t, size_t i, size_t end);

#endif
