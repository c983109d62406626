/*
 * assist: completion and hover for an editor: the names that fit at an offset of an expression, and what the
 * name there means.
 * Pure; a public header beside typecheck.h.
 *
 * The rest of the expression may be incomplete or wrong (operand.h). If the policy is about several types,
 * the first ASSIST_TYPES_MAX of them are used.
 *
 *     struct assist found;
 *     assist_complete(env, &policy, expression, offset, &found);
 *     for (size_t i = 0; i < found.count; i++) offer(found.items[i].name);
 *     assist_deinit(&found);
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ASSIST_ASSIST_H
#define TYPECHECK_POLICY_AUTHOR_ASSIST_ASSIST_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/compile/cel_place.h"

struct typecheck_policy;

enum { ASSIST_TYPES_MAX = 20, ASSIST_ITEMS_MAX = 2000 };

/* The limit for one request: some tens of ms at most. */
#define ASSIST_MAX_STEPS ((uint64_t)2 * 1000 * 1000)

/* An expression that stands in no policy. */
struct assist_place {
    struct str text;
    enum cel_place place;
    struct cel_place_scope scope; /* without types */
};

enum assist_kind {
    ASSIST_FIELD,
    ASSIST_VARIABLE,
    ASSIST_FUNCTION,
    ASSIST_MACRO,
};

struct assist_item {
    enum assist_kind kind;
    struct str name;
    struct str detail; /* its type ("list(string)"), or how a function is called; may be empty */
    struct str holder; /* for a field: the type that has it ("Deployment.spec"); else empty */
    size_t first_type; /* the first of the policy's types in which it is so */
};

struct assist {
    uint32_t from, to;         /* the name at the place, in the expression; may be empty */
    struct assist_item *items; /* each once: to complete, by name; to explain, by name and detail */
    size_t count;
    struct arena arena; /* holds the items */
};

/* expression: an index into the policy's; offset: a byte of its text. Finds as much as ASSIST_MAX_STEPS
 * allow. */
void assist_complete(const struct env *env, const struct typecheck_policy *policy, size_t expression,
                     size_t offset, struct assist *out);
void assist_explain(const struct env *env, const struct typecheck_policy *policy, size_t expression,
                    size_t offset, struct assist *out);
/* The same for another place. */
void assist_complete_at(const struct assist_place *place, size_t offset, struct assist *out);
void assist_explain_at(const struct assist_place *place, size_t offset, struct assist *out);
void assist_deinit(struct assist *found);

#endif
