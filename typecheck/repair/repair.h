/*
 * repair: what the author of a failing expression may have meant. Pure; a
 * public header beside typecheck.h.
 *
 * People write CEL as they write JavaScript, Python, Go or Rego:
 * `object.spec.x.startswith('a') and not y`. Each rule knows one such slip,
 * and makes the whole expression again without it. Whether that compiles, and
 * is free of warnings, the rule does not know: whoever shows a hint tries the
 * text first.
 *
 *     struct repairs r;
 *     repair_find(env, &scope, text, max_steps, &r);
 *     for (size_t i = 0; i < r.count; i++) if (is_good(r.list[i].text)) ... r.list[i].hint
 *     repair_deinit(&r);
 */
#ifndef TYPECHECK_REPAIR_REPAIR_H
#define TYPECHECK_REPAIR_REPAIR_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/repair/repair_scope.h"
#include "typecheck/types/env.h"

struct repairs {
    struct repair *list; /* the likeliest first */
    size_t count;
    struct arena arena; /* holds them; its steps are those that were spent */
};

/* Each rule makes a text or two, of all places that have the slip. Past max_steps those that were made. */
void repair_find(const struct env *env, const struct repair_scope *scope, struct str text, uint64_t max_steps,
                 struct repairs *out);
void repair_deinit(struct repairs *r);

#endif
