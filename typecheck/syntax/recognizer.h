/*
 * recognizer: walks the grammar over the tokens and makes a tree.
 *
 * As a parser that ANTLR generated would, but with its stack of rules on the
 * arena instead of the C stack. Syntax errors are added to the issues and
 * recovered from (recover.c), so there is a tree whatever the text is,
 * unless one of cel-go's limits was reached.
 *
 *     struct recognizer r;
 *     recognizer_init(&r, arena, source, issues);
 *     struct parse_tree *t = recognizer_run(&r);
 */
#ifndef TYPECHECK_SYNTAX_RECOGNIZER_H
#define TYPECHECK_SYNTAX_RECOGNIZER_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/syntax/grammar.h"
#include "typecheck/syntax/lexer.h"
#include "typecheck/syntax/parse_tree.h"

struct arena;
struct issues;
struct source;

/* cel-go's limits, and what it says when they are reached. */
#define RECOGNIZER_MAX_RULE_DEPTH 250
#define RECOGNIZER_MAX_ERRORS     100
#define RECOGNIZER_MAX_RECOVERIES 30
#define RECOGNIZER_MAX_SKIPPED    256 /* tokens in one recovery */

/* A rule being recognized. */
struct frame {
    uint8_t rule, precedence;
    bool is_flagged; /* its '?' was there */
    bool is_chained; /* result is its own PARSE_TREE_OR or PARSE_TREE_AND */
    uint16_t back;   /* the step behind the call */
    uint32_t start;  /* token */
    struct parse_tree *result;
};

struct recognizer {
    struct arena *arena;
    const struct source *source;
    struct issues *issues;

    struct token *tokens; /* read so far; grows as the recognizer looks ahead */
    uint32_t token_count, token_cap;
    struct str *dropped; /* what the lexer could not make a token of */
    uint32_t dropped_count, dropped_cap;

    uint32_t pos;       /* the current token */
    enum token_kind la; /* its kind */
    unsigned step;      /* the current step of the grammar */
    struct frame *frames;
    uint32_t depth, frame_cap;
    uint16_t rule_depth[RULE_COUNT];

    bool is_stopped;    /* by a limit */
    bool is_recovering; /* no further errors until a token matches */
    uint32_t error_count, recoveries;
    uint32_t last_error_pos; /* and the steps at which recovery began there: to get on at all */
    uint64_t last_error_steps[(STEP_COUNT + 63) / 64];

    struct frame first_frames[48]; /* what most expressions need */
};

void recognizer_init(struct recognizer *r, struct arena *a, const struct source *s, struct issues *issues);

/* NULL if a limit stopped it; the issues say which. */
struct parse_tree *recognizer_run(struct recognizer *r);

/* For predict.c and recover.c. */

/* Reads on up to the token at that index, or to the end, and returns its kind. */
enum token_kind recognizer_read(struct recognizer *r, uint32_t token);
/* The kind of the token `ahead` places on from the current one (0), the last being TOKEN_EOF. */
static inline enum token_kind recognizer_peek(struct recognizer *r, uint32_t ahead)
{
    uint32_t token = r->pos + ahead;
    return token < r->token_count ? r->tokens[token].kind : recognizer_read(r, token);
}
/* Moves on; TOKEN_EOF stays. */
void recognizer_consume(struct recognizer *r);
/* Adds the syntax error and counts it; stops when there are too many. */
void recognizer_report(struct recognizer *r, uint32_t offset, struct str message);
/* Whether the current token begins what is at `step`, precedences considered. */
bool recognizer_begins(const struct recognizer *r, unsigned step);
struct str recognizer_token_text(const struct recognizer *r, uint32_t token);

#endif
