/*
 * jsonmeta: picks what stores need of an object's metadata out of its text, in the
 * same pass as other members that the caller picks. Pure.
 *
 *     struct jsonpick_pick picks[JSONMETA_PICKS + 1] = {[JSONMETA_PICKS] = {.path = {"type"}}};
 *     jsonmeta_paths(picks, "object");                 of {"type": ..., "object": {"metadata": ...
 *     if (jsonpick_pick(line, len, picks, JSONMETA_PICKS + 1, &err) == 0)
 *         jsonmeta_take(&meta, picks);
 */
#ifndef CLIENT_TEXT_JSONMETA_H
#define CLIENT_TEXT_JSONMETA_H

#include "client/text/jsonpick.h"

/* Spans of the text. */
struct jsonmeta {
    struct jsonpick name, namespace, uid, version, generation;
    struct jsonpick managed; /* managedFields */
    struct jsonpick applied; /* kubectl's copy of what was applied, an annotation */
    struct jsonpick labels;
};

enum { JSONMETA_PICKS = 8 };

/* member: the name of the member that holds the object; NULL: the text is the object. */
void jsonmeta_paths(struct jsonpick_pick *picks, const char *member);
void jsonmeta_take(struct jsonmeta *meta, const struct jsonpick_pick *picks);

/* The same for a text that is only the beginning of the object: reads the members that are whole in it. */
void jsonmeta_read_head(struct jsonmeta *meta, const char *bytes, size_t len);

/* Reads the metadata of a text that is the object. Errors: as jsonpick_pick. */
int jsonmeta_read(struct jsonmeta *meta, const char *bytes, size_t len, struct err *err) MUST_CHECK;

#endif
