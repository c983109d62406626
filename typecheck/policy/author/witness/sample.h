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
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_SAMPLE_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;
struct schema;
struct schema_node;

enum sample_kind { SAMPLE_NULL, SAMPLE_BOOL, SAMPLE_NUMBER, SAMPLE_STRING, SAMPLE_LIST, SAMPLE_MAP };

/* The schema of a value; node NULL: any JSON fits. */
struct sample_schema {
    const struct schema *doc;
    const struct schema_node *node;
};

struct sample {
    struct sample *first, *next; /* the first part of a LIST or MAP; the next part of the one around it */
    struct sample *names;        /* this sample stands for the key of that one; NULL: for itself */
    struct str key;              /* in a MAP */
    struct str text;             /* STRING; BOOL, NUMBER: as JSON writes it */
    struct sample_schema schema;
    enum sample_kind kind;
    bool is_fixed; /* it cannot be removed: the schema requires it, or every request has it */
    bool is_said;  /* its value cannot change either: the request fixes it */
};

/* Makes the smallest value of the schema, with what it requires. */
struct sample *sample_new(struct arena *a, struct sample_schema schema);
struct sample *sample_new_string(struct arena *a, struct str text); /* of no schema */
struct sample *sample_copy(struct arena *a, const struct sample *s);

/* The member of that name (as JSON has it); NULL if there is none. */
struct sample *sample_find(const struct sample *s, struct str key);
/* The same; one that is missing is added. Returns NULL if the schema has no such member, or it is no map. */
struct sample *sample_field(struct arena *a, struct sample *s, struct str key);
/* The item at that index; items that are missing are added. Returns NULL if it is no list, or the list is too
 * long. */
struct sample *sample_item(struct arena *a, struct sample *s, size_t index);
size_t sample_count(const struct sample *s);

/* Adds a member that cannot be removed, without regard to the schema; sample_say: its value cannot change
 * either. */
struct sample *sample_fix(struct arena *a, struct sample *s, struct str key, struct str text);
void sample_say(struct arena *a, struct sample *s, struct str key, struct str text);

/* Adds those members of the list whose names it does not have. */
void sample_add(struct sample *s, struct sample *members);

/* Removes a part; returns false if it is fixed, or not a part of the sample. */
bool sample_remove(struct sample *s, const struct sample *part);
/* Removes all items of a list, also the one that a required list is made with. */
void sample_clear(struct sample *s);
/* Changes the number of items or members; false if that is not possible. */
bool sample_resize(struct arena *a, struct sample *s, size_t count);

/* Sets the value. Returns false if the schema takes no such value, or the request fixes another. */
bool sample_set_string(struct sample *s, struct str text);
/* Sets another text than `than`: `text`, unless the schema has an enum. */
bool sample_set_other(struct sample *s, struct str than, struct str text);
bool sample_set_int(struct arena *a, struct sample *s, int64_t value);
bool sample_set_double(struct arena *a, struct sample *s, double value);
bool sample_set_bool(struct sample *s, bool value);
bool sample_set_null(struct sample *s);
/* Sets a value back to the kind with which it was made, if it has another kind now. */
void sample_reset(struct arena *a, struct sample *s);

/* Returns true if its schema takes integers and strings. */
bool sample_is_int_or_string(const struct sample *s);
/* Returns true if the sample is an empty list, or an empty map of any keys, that is not required. */
bool sample_is_left_out(const struct sample *s);
/* Removes everything that is not required, and sets the rest to its first values. */
void sample_zero(struct arena *a, struct sample *s);

/* The sample as JSON. */
struct str sample_text(struct arena *a, const struct sample *s);

#endif
