/*
 * repair: proposes what the author of a failing expression may have meant. Pure; a
 * public header beside typecheck.h.
 *
 * People write CEL as they write JavaScript, Python, Go or Rego:
 * `object.spec.x.startswith('a') and not y`. Each rule knows one such slip,
 * and writes the whole expression again without it. The rule does not know whether
 * the result compiles and is free of warnings: the caller tries the text before it
 * shows a hint.
 *
 *     struct repairs r;
 *     repair_find(env, &scope, text, max_steps, &r);
 *     for (size_t i = 0; i < r.count; i++) if (is_good(r.list[i].text)) ... r.list[i].hint
 *     repair_deinit(&r);
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/author/repair/repair_scope.h"

struct repairs {
    struct repair *list; /* the most probable first */
    size_t count;
    struct arena arena; /* holds them; its steps are those that were spent */
};

/* Each rule makes one or two texts, which correct all places with the slip. If max_steps are used up, the
 * texts so far are returned. */
void repair_find(const struct env *env, const struct repair_scope *scope, struct str text, uint64_t max_steps,
                 struct repairs *out);
/* Says why the expression is refused, if no text helps (repair_explain.h); empty: nothing is known. The text
 * lies in the arena of *out, which the caller deinits. */
struct str repair_words(const struct repair_scope *scope, struct str text, uint64_t max_steps,
                        struct repairs *out);
void repair_deinit(struct repairs *r);

#endif
