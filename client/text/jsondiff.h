/*
 * jsondiff: where two JSON values differ, member by member and item by item.
 *
 *     jsondiff_walk(before, after, on_difference, user);
 *     char *text = jsondiff_value(difference->after);
 */
#ifndef CLIENT_TEXT_JSONDIFF_H
#define CLIENT_TEXT_JSONDIFF_H

#include <json-c/json.h>
#include <stdbool.h>

struct jsondiff {
    const char *path; /* as an expression has it, "metadata.labels['a/b']"; "": the whole */
    /* A JSON pointer. If items at the end of a list are gone, each of them has the pointer of the first one:
     * so the differences are a JSON patch if they are applied in their order. */
    const char *pointer;
    bool has_before, has_after; /* a member that is not there is nothing, which is not null */
    struct json_object *before, *after;
};

/* The difference and its texts are the walk's. */
typedef void jsondiff_visit(void *user, const struct jsondiff *difference);

/* The depth of the walk is that of the values, which their parser has bounded. */
void jsondiff_walk(struct json_object *before, struct json_object *after, jsondiff_visit *visit, void *user);

/* A value as JSON, cut off where it is long; "nothing" if there is none. The caller frees it. */
char *jsondiff_value(bool has_value, struct json_object *value);

#endif
