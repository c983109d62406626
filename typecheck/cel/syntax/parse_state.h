/*
 * parse_state: the state of an LL parser: tokens, the stack of rules, the current step of the grammar.
 *
 * The parts of the parser share it: recognizer.c walks the grammar with it, predict.c looks ahead in it,
 * and recover.c repairs it after a syntax error.
 */
#ifndef TYPECHECK_CEL_SYNTAX_PARSE_STATE_H
#define TYPECHECK_CEL_SYNTAX_PARSE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/issue_about.h"
#include "typecheck/cel/syntax/grammar.h"
#include "typecheck/cel/syntax/lexer.h"
#include "typecheck/cel/syntax/parse_tree.h"

struct arena;
struct issues;
struct source;

/* cel-go's limits, and its messages when they are reached. */
#define PARSE_STATE_MAX_RULE_DEPTH 250
#define PARSE_STATE_MAX_ERRORS     100
#define PARSE_STATE_MAX_RECOVERIES 30
#define PARSE_STATE_MAX_SKIPPED    256 /* tokens in one recovery */

/* A rule being recognized. */
struct frame {
    uint8_t rule, precedence;
    bool is_flagged; /* its '?' was there */
    bool is_chained; /* result is its own PARSE_TREE_OR or PARSE_TREE_AND */
    uint16_t back;   /* the step after the call */
    uint32_t start;  /* token */
    struct parse_tree *result;
};

struct parse_state {
    struct arena *arena;
    const struct source *source;
    struct issues *issues;

    struct token *tokens; /* read so far; grows as the parser looks ahead */
    uint32_t token_count;
    struct str *dropped; /* the texts that are no tokens */
    uint32_t dropped_count;

    uint32_t pos;       /* the current token */
    enum token_kind la; /* its kind */
    unsigned step;      /* the current step of the grammar */
    struct frame *frames;
    uint32_t depth;
    uint16_t rule_depth[RULE_COUNT];
    size_t token_cap, dropped_cap, frame_cap;

    bool is_stopped;    /* by a limit */
    bool is_recovering; /* no further errors until a token matches */
    uint32_t error_count, recoveries;
    uint32_t last_error_pos; /* and the steps at which recovery began there, so that it always advances */
    uint64_t last_error_steps[(STEP_COUNT + 63) / 64];

    struct frame first_frames[48]; /* enough for most expressions */
};

void parse_state_init(struct parse_state *p, struct arena *a, const struct source *s, struct issues *issues);

/* Reads up to the token at that index, or to the end, and returns its kind. */
enum token_kind parse_state_read(struct parse_state *p, uint32_t token);
/* The kind of the token `ahead` places after the current one; the last is TOKEN_EOF. */
static inline enum token_kind parse_state_peek(struct parse_state *p, uint32_t ahead)
{
    uint32_t token = p->pos + ahead;
    return token < p->token_count ? p->tokens[token].kind : parse_state_read(p, token);
}
/* The next token becomes the current one; TOKEN_EOF stays. */
void parse_state_consume(struct parse_state *p);
/* Adds the syntax error and counts it; stops when there are too many. about: the text that stands there,
 * empty at the end, with what could stand there, or why the text can stand nowhere. */
void parse_state_report(struct parse_state *p, struct token at, struct str message, struct issue_about about);
/* Returns true if the current token can begin the step, with regard to precedence. */
bool parse_state_begins(const struct parse_state *p, unsigned step);
struct str parse_state_token_text(const struct parse_state *p, uint32_t token);

#endif
