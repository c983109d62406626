/*
 * objectkind: the kinds of objects that are about CEL expressions, by the table kinds.def. Pure.
 *
 *     enum objectkind kind = objectkind_of(object);
 *     if (kind < OBJECTKIND_MISNAMED)
 *         say(objectkind_rows[kind].name);
 */
#ifndef CONTROLLER_MATCH_OBJECTKIND_H
#define CONTROLLER_MATCH_OBJECTKIND_H

#include <json-c/json.h>
#include <stdbool.h>

#define OBJECTKIND_ADMISSION_GROUP "admissionregistration.k8s.io"

enum objectkind {
#define WORDS(id, one, many)
#define KIND(id, group, versions, name, words, view, resource, listed) OBJECTKIND_##id,
#include "controller/match/kinds.def"
    OBJECTKIND_MISNAMED, /* a kind of the admission group in another group, or another kind in that group */
    OBJECTKIND_OTHER,
};

enum { OBJECTKIND_COUNT = OBJECTKIND_MISNAMED };

enum objectkind_words_id {
#define WORDS(id, one, many) OBJECTKIND_WORDS_##id,
#define KIND(id, group, versions, name, words, view, resource, listed)
#include "controller/match/kinds.def"
    OBJECTKIND_WORDS_COUNT,
};

struct objectkind_words {
    const char *one, *many;
};

struct objectkind_row {
    const char *group, *versions, *name, *resource, *listed;
    enum objectkind_words_id words;
};

extern const struct objectkind_row objectkind_rows[OBJECTKIND_COUNT];
/* The words in the order in which objects are counted. */
extern const struct objectkind_words objectkind_words[OBJECTKIND_WORDS_COUNT];

/* The kind by apiVersion and kind. The expressions of an object may still be of another language, as those of
 * a ConstraintTemplate may be. */
enum objectkind objectkind_of(struct json_object *object);
/* The kind of this name, in whatever group; OTHER: there is none. */
enum objectkind objectkind_named(const char *name);
/* The words for a kind of this name. */
enum objectkind_words_id objectkind_words_of(const char *name);
/* This is true for definitions of custom resources: CRDs, and what Crossplane makes CRDs of. */
bool objectkind_is_definition(enum objectkind kind);

#endif
