/*
 * recover: syntax error recovery and its messages, as ANTLR 4's default error strategy.
 *
 * One token too many is dropped, one too few is made up, and otherwise the
 * rule ends and tokens are skipped until one that a caller can continue
 * with. While recovering nothing more is reported. cel-go's limits apply.
 */
#ifndef TYPECHECK_SYNTAX_RECOVER_H
#define TYPECHECK_SYNTAX_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

struct parse_state;

/* Before a decision: true if the current token fits (maybe after repair), false if the rule has failed. */
bool recover_sync(struct parse_state *p);

/* The current token does not match the step: true and *token if repaired, false if the rule has failed. */
bool recover_inline(struct parse_state *p, uint32_t *token);

/* The rule has failed: skips to what can follow it or its callers. */
void recover_rule(struct parse_state *p);

/* "no viable alternative": the tokens from the current one on, `failed_ahead` the last. */
void recover_no_viable(struct parse_state *p, uint32_t failed_ahead);

/* A token matched. */
void recover_done(struct parse_state *p);

#endif
