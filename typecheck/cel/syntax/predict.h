/*
 * predict: lookahead: decides which alternative to take if the next token alone does not decide.
 *
 * ANTLR looks ahead as far as it needs (ALL(*)). In this grammar that is at most
 * two tokens, except for a name that may be of a message. If no alternative is
 * viable, the token that showed this is part of the error message.
 */
#ifndef TYPECHECK_CEL_SYNTAX_PREDICT_H
#define TYPECHECK_CEL_SYNTAX_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

struct parse_state;

/* The alternative of the CHOICE at the current step; 0: there is none, because of the token *failed_ahead
 * places ahead. */
unsigned predict_alternative(struct parse_state *p, uint32_t *failed_ahead);

enum predicted { PREDICT_LEAVE, PREDICT_ITERATE, PREDICT_FAILED };

/* Whether to repeat the LOOP, AGAIN or PLUS_AGAIN at the current step, whose body is at `first`. */
enum predicted predict_loop(struct parse_state *p, unsigned first, uint32_t *failed_ahead);

#endif
