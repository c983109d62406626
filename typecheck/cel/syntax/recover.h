/*
 * recover: syntax error recovery and its messages, as ANTLR 4's default error strategy.
 *
 * An extra token is dropped, and a missing one is inserted. Otherwise the rule ends,
 * and tokens are skipped until one with which a calling rule can continue. During
 * recovery nothing more is reported. cel-go's limits apply.
 */
#ifndef TYPECHECK_CEL_SYNTAX_RECOVER_H
#define TYPECHECK_CEL_SYNTAX_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

struct parse_state;

/* To be called before a decision. Returns true if the current token fits, perhaps after a repair. If it
 * returns false, the rule has failed. */
bool recover_sync(struct parse_state *p);

/* To be called if the current token does not match the step. Returns true if that was repaired; then *token
 * is set. If it returns false, the rule has failed. */
bool recover_inline(struct parse_state *p, uint32_t *token);

/* After a rule has failed: skips to a token that can follow it or its callers. */
void recover_rule(struct parse_state *p);

/* Reports "no viable alternative" with the tokens from the current one to the one `failed_ahead` places
 * ahead. */
void recover_no_viable(struct parse_state *p, uint32_t failed_ahead);

/* To be called after a token matched: recovery has ended. */
void recover_done(struct parse_state *p);

#endif
