/*
 * sample: a JSON value that is made from a schema, and that still fits the schema after each change.
 *
 * A sample is a tree in which each node knows its schema. A value that is added is the smallest that its
 * schema accepts. Everything lies in the arena.
 *
 *     struct sample *object = sample_new(a, schema);
 *     struct sample *replicas = sample_field(a, sample_field(a, object, STR("spec")), STR("replicas"));
 *     if (replicas != NULL && sample_set_int(a, replicas, 3)) ...
 */
#ifndef TYPECHECK_WITNESS_SAMPLE_H
#define TYPECHECK_WITNESS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;
struct schema;
struct schema_node;

enum sample_kind { SAMPLE_NULL, SAMPLE_BOOL, SAMPLE_NUMBER, SAMPLE_STRING, SAMPLE_LIST, SAMPLE_MAP };

/* Of a value; node NULL: any JSON fits. */
struct sample_schema {
    const struct schema *doc;
    const struct schema_node *node;
};

struct sample {
    struct sample *first, *next; /* what a LIST or MAP holds; the neighbour in it */
    struct sample *names;        /* it stands for the key of that one; NULL: for itself */
    struct str key;              /* in a MAP */
    struct str text;             /* STRING; BOOL, NUMBER: as JSON writes it */
    struct sample_schema schema;
    enum sample_kind kind;
    bool is_fixed; /* it stays: the schema requires it, or a request has it */
    bool is_said;  /* and its value stays: the request says it */
};

/* The smallest value of the schema: what it requires. */
struct sample *sample_new(struct arena *a, struct sample_schema schema);
struct sample *sample_new_string(struct arena *a, struct str text); /* of no schema */
struct sample *sample_copy(struct arena *a, const struct sample *s);

/* The member of that name (as JSON has it); NULL: there is none. */
struct sample *sample_find(const struct sample *s, struct str key);
/* The same; one that is missing is added. NULL: the schema has no such member, or it is no map. */
struct sample *sample_field(struct arena *a, struct sample *s, struct str key);
/* The item at that index; items that are missing are added. NULL: it is no list, or the list is too long. */
struct sample *sample_item(struct arena *a, struct sample *s, size_t index);
size_t sample_count(const struct sample *s);

/* Adds a member that stays, whatever the schema is; sample_say: its value stays, too. */
struct sample *sample_fix(struct arena *a, struct sample *s, struct str key, struct str text);
void sample_say(struct arena *a, struct sample *s, struct str key, struct str text);

/* Adds the members of a list of them whose names it does not have. */
void sample_add(struct sample *s, struct sample *members);

/* Takes a part away; false: it is fixed, or none. */
bool sample_remove(struct sample *s, const struct sample *part);
/* To so many items or members; false: that is not possible. */
bool sample_resize(struct arena *a, struct sample *s, size_t count);

/* False: the schema takes no such value, or the request says another. */
bool sample_set_string(struct sample *s, struct str text);
/* Another text than that: `text`, if the schema does not say which there may be. */
bool sample_set_other(struct sample *s, struct str than, struct str text);
bool sample_set_int(struct arena *a, struct sample *s, int64_t value);
bool sample_set_double(struct arena *a, struct sample *s, double value);
bool sample_set_bool(struct sample *s, bool value);
bool sample_set_null(struct sample *s);
/* A value of another kind of those that the schema takes becomes what it was made as. */
void sample_reset(struct arena *a, struct sample *s);

/* A list, or a map of any keys, that is empty and not required. */
bool sample_is_left_out(const struct sample *s);
/* Only what is required is left in it, as nobody has set it. */
void sample_zero(struct arena *a, struct sample *s);

/* As JSON. */
struct str sample_text(struct arena *a, const struct sample *s);

#endif
