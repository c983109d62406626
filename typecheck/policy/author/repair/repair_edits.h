/*
 * repair_edits: collects the changes that a rule of repair.h makes to an expression, and makes the changed
 * text.
 *
 * A rule (repair_words.h, repair_fields.h ...) looks for one kind of mistake. It notes its edits, in any
 * order; then repair_edits_offer makes a candidate of them: a struct repair with the changed expression and a
 * hint. Edits that overlap make no candidate. Candidates lie in the arena of the tokens. The texts that the
 * rules pass must live as long.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_EDITS_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_EDITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/policy/author/repair/repair_tokens.h"

struct env;
struct repair;
struct repair_edit;
struct repair_scope;

/* The largest number of different changes that one hint names. */
enum { REPAIR_EDITS_SHOWN = 3 };

/* An expression under repair. */
struct repair_edits {
    struct repair_tokens tokens;
    const struct env *env;
    const struct repair_scope *scope;
    struct repair_edit *edits; /* of the next candidate, so far */
    size_t count, cap;
    struct str shown[REPAIR_EDITS_SHOWN];
    size_t shown_count;
    bool has_more;   /* there are more changes than `shown` has */
    bool is_guess;   /* as in struct repair */
    struct str said; /* the hint; empty: it is made from `shown`, as "did you mean ...?" */
    struct repair *found;
    size_t found_count, found_cap;
};

/* Replaces bytes; the hint does not show it. */
void repair_edits_put(struct repair_edits *e, uint32_t start, uint32_t end, struct str text);
/* Replaces the tokens from first to last. */
void repair_edits_replace(struct repair_edits *e, size_t first, size_t last, struct str text);
/* Inserts text before and after a token. */
void repair_edits_before(struct repair_edits *e, size_t token, struct str text);
void repair_edits_behind(struct repair_edits *e, size_t token, struct str text);
/* Removes the token and the space after it. */
void repair_edits_remove(struct repair_edits *e, size_t token);
/* The text of an operand, in parentheses unless it is like a.b(c). */
struct str repair_edits_operand(const struct repair_edits *e, size_t first, size_t last);
/* Adds a text to `shown`, unless it is there already. */
void repair_edits_show(struct repair_edits *e, struct str text);
/* Replaces tokens, and shows the text in the hint. */
void repair_edits_change(struct repair_edits *e, size_t first, size_t last, struct str text);

/* Sets the hint, instead of the shown texts. */
void repair_edits_say(struct repair_edits *e, struct str hint);

/* Makes a candidate from the noted edits, if there are any. */
void repair_edits_offer(struct repair_edits *e);

#endif
