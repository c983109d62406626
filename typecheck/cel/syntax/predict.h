/*
 * predict: decides by lookahead which alternative of a grammar rule to take if the next token alone does not
 * decide.
 *
 * ANTLR looks ahead as far as it needs (ALL(*)). In this grammar that is at most
 * two tokens. The exception is a name with dots: if `{` follows, a.b.c{ begins a message, so the
 * whole name is read. If no alternative fits, the error message names the token that fits none
 * (failed_ahead).
 */
#ifndef TYPECHECK_CEL_SYNTAX_PREDICT_H
#define TYPECHECK_CEL_SYNTAX_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

struct parse_state;

/* The alternative to take at the current step, an OP_CHOICE (grammar.h). Returns 0 if none fits; then
 * *failed_ahead is the distance from the current token to the one that fits none. */
unsigned predict_alternative(struct parse_state *p, uint32_t *failed_ahead);

enum predicted { PREDICT_LEAVE, PREDICT_ITERATE, PREDICT_FAILED };

/* Decides whether to enter the body of the repetition at the current step (OP_LOOP, OP_AGAIN or
 * OP_PLUS_AGAIN) once more. first: the first step of the body. failed_ahead: as above. */
enum predicted predict_loop(struct parse_state *p, unsigned first, uint32_t *failed_ahead);

#endif
