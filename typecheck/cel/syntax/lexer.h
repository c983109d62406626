/*
 * lexer: tokens; the next one is a pure function of (text, offset).
 *
 * Tokens are those of cel-go's CEL.g4, longest match first. Space and comments are
 * skipped. Text that is no token is returned as TOKEN_BAD, with the bytes that
 * ANTLR's lexer would have dropped.
 *
 *     for (struct token t = lexer_token(text, 0); t.kind != TOKEN_EOF; t = lexer_token(text, t.end))
 *         ...
 */
#ifndef TYPECHECK_CEL_SYNTAX_LEXER_H
#define TYPECHECK_CEL_SYNTAX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;

/* In messages, sets of tokens are printed in this order. */
enum token_kind {
    TOKEN_EOF,
    TOKEN_EQUALS,
    TOKEN_NOT_EQUALS,
    TOKEN_IN,
    TOKEN_LESS,
    TOKEN_LESS_EQUALS,
    TOKEN_GREATER_EQUALS,
    TOKEN_GREATER,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_LBRACKET,
    TOKEN_RBRACKET,
    TOKEN_LBRACE,
    TOKEN_RBRACE,
    TOKEN_LPAREN,
    TOKEN_RPAREN,
    TOKEN_DOT,
    TOKEN_COMMA,
    TOKEN_MINUS,
    TOKEN_NOT,
    TOKEN_QUESTION,
    TOKEN_COLON,
    TOKEN_PLUS,
    TOKEN_STAR,
    TOKEN_SLASH,
    TOKEN_PERCENT,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_NULL,
    TOKEN_FLOAT,
    TOKEN_INT,
    TOKEN_UINT,
    TOKEN_STRING,
    TOKEN_BYTES,
    TOKEN_IDENT,
    TOKEN_ESCAPED_IDENT, /* `...` */
    TOKEN_BAD,
    TOKEN_KINDS = TOKEN_BAD,
};

struct token {
    enum token_kind kind;
    uint32_t start, end; /* byte offsets */
};

/* The first token at or after `offset`; TOKEN_EOF is empty and lies at the end. */
struct token lexer_token(struct str text, uint32_t offset);

/* Returns true if the text is one token IDENT: a name that can follow a dot. Reserved words are such names,
 * too. */
bool lexer_is_name(struct str text);

/* Returns true if the token is an opening, or a closing, bracket. */
bool token_opens(enum token_kind kind);
bool token_closes(enum token_kind kind);

/*
 * Fills pairs, of `count` tokens: for each bracket the index of the other one, if both are of a sort; for
 * every other token its own. The caller has paid a step for each token.
 */
void token_pair_brackets(struct arena *a, const struct token *tokens, size_t count, uint32_t *pairs);

/* The name in messages: '<=', NUM_INT, <EOF>. */
struct str token_name(enum token_kind kind);

#endif
