/*
 * predict: lookahead: which alternative to take where the next token alone does not decide.
 *
 * ANTLR looks ahead as far as it needs (ALL(*)). In this grammar that is
 * never more than two tokens, but for a name that may be a message's. Where
 * no alternative is viable the token that showed it is remembered: it is
 * part of the message.
 */
#ifndef TYPECHECK_SYNTAX_PREDICT_H
#define TYPECHECK_SYNTAX_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

struct parse_state;

/* The alternative of the CHOICE at the current step, or 0 with *failed_ahead tokens ahead to blame. */
unsigned predict_alternative(struct parse_state *p, uint32_t *failed_ahead);

enum predicted { PREDICT_LEAVE, PREDICT_ITERATE, PREDICT_FAILED };

/* Whether to go round the LOOP, AGAIN or PLUS_AGAIN at the current step, whose body is at `first`. */
enum predicted predict_loop(struct parse_state *p, unsigned first, uint32_t *failed_ahead);

#endif
