/*
 * jsonval: parses JSON text, and reads and changes values of the tree (json-c).
 *
 * All fields of a Kubernetes object are optional. Therefore every accessor accepts
 * NULL and values of another type, and answers then as if the value were absent:
 * NULL, 0 or false. Returned strings and objects are borrowed from the tree.
 * json-c's own functions for members and elements end the process if the value has
 * another type; tests/lint/banned allows them in this file only.
 *
 *     cleanup_json struct json_object *o = NULL;
 *     if (jsonval_parse(bytes, len, &o, &err) != 0) return -1;
 *     const char *name = jsonval_string(jsonval_get(o, "metadata"), "name");
 */
#ifndef CLIENT_TEXT_JSONVAL_H
#define CLIENT_TEXT_JSONVAL_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"

/* json-c's own default, 32, is less than real objects need. */
enum { JSONVAL_DEPTH = 512 };

#define cleanup_json __attribute__((cleanup(jsonval_cleanup)))

/* Parses exactly one JSON text (white space around it is fine). The caller owns *out and
 * puts it with json_object_put. A tree costs about 7 times its text: cap len first.
 * Errors: PROTOCOL, with the offset; LIMIT for a depth over JSONVAL_DEPTH. */
int jsonval_parse(const char *bytes, size_t len, struct json_object **out, struct err *err) MUST_CHECK;

/* A new object with the same members, which both share; without any if it is no object. The caller puts
 * it. */
struct json_object *jsonval_copy(struct json_object *object);

/* Puts a member into an object, in place of one with that key. If `object` is not an object, nothing is
 * changed. jsonval_append does the same with an array, which gets another element. Both take the value. */
void jsonval_set(struct json_object *object, const char *key, struct json_object *take_value);
void jsonval_append(struct json_object *array, struct json_object *take_value);
/* Removes a member, if it is there. */
void jsonval_drop(struct json_object *object, const char *key);

/* Returns how many members an object has. */
size_t jsonval_count(struct json_object *object);

struct jsonval_member {
    struct lh_entry *next;
};

struct jsonval_member jsonval_first(struct json_object *object);

/* Returns false if there is no other. */
static inline bool jsonval_next(struct jsonval_member *at, const char **key, struct json_object **value)
{
    const struct lh_entry *entry = at->next;
    if (entry == NULL)
        return false;
    *key = entry->k;
    *value = lh_entry_v(entry);
    at->next = entry->next;
    return true;
}

/* The statement after it is run with each member of the object, in their order. It may drop the member. */
#define jsonval_each(object, key, value)                                                                     \
    const char *(key) __attribute__((unused)) = NULL;                                                        \
    struct json_object *(value) __attribute__((unused)) = NULL;                                              \
    for (struct jsonval_member at_##key = jsonval_first(object); jsonval_next(&at_##key, &(key), &(value));)

/* A member, or NULL. */
struct json_object *jsonval_get(struct json_object *object, const char *key);
/* A member that is a string, or NULL. */
const char *jsonval_string(struct json_object *object, const char *key);
/* The same, with "" for absent. */
const char *jsonval_string_or_empty(struct json_object *object, const char *key);
/* A member of its metadata that is a string; else "". */
const char *jsonval_metadata(struct json_object *object, const char *key);
/* Returns true if the member is that string; one that is absent, or no string, counts as "". */
bool jsonval_is(struct json_object *object, const char *key, const char *text);
/* A member that is an array, or NULL; its length, 0 for NULL. */
struct json_object *jsonval_array(struct json_object *object, const char *key);
size_t jsonval_length(struct json_object *array);
/* An element, or NULL. */
struct json_object *jsonval_at(struct json_object *array, size_t index);
/* A member that is an integer, or fallback. */
int64_t jsonval_int(struct json_object *object, const char *key, int64_t fallback);
/* A member that is a boolean and true. */
bool jsonval_is_true(struct json_object *object, const char *key);
/* The text of a value that is a string; else NULL. */
const char *jsonval_text(struct json_object *value);
/* An element that is a string; else "". */
const char *jsonval_text_at(struct json_object *array, size_t index);
/* Returns true if the array has that string as an element. */
bool jsonval_has_text(struct json_object *array, const char *text);

void jsonval_cleanup(struct json_object **object);

#endif
