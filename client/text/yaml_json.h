/*
 * yaml_json: reads a JSON document of a YAML text as the events that libyaml has for it. Pure.
 *
 * JSON is YAML, and most of what tools write is plain. libyaml takes 180 instructions
 * for each byte of it, this a sixth. It takes only documents whose events are certain to be
 * the same: objects and arrays of ASCII characters, without tabs and carriage returns,
 * with each colon right behind its key. All others, and malformed ones, are left
 * to libyaml.
 *
 *     size_t n = yaml_json_length(text, len);
 *     if (n == 0) ... libyaml parses it ...
 *     yaml_json_init(&j, text, n, line, column);
 *     while (yaml_json_next(&j, &event)) ...
 *     yaml_json_deinit(&j);
 */
#ifndef CLIENT_TEXT_YAML_JSON_H
#define CLIENT_TEXT_YAML_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"

enum { YAML_JSON_DEPTH = 100 };

enum yaml_json_type {
    YAML_JSON_OBJECT, /* begins */
    YAML_JSON_ARRAY,
    YAML_JSON_OBJECT_END,
    YAML_JSON_ARRAY_END,
    YAML_JSON_STRING, /* keys, too */
    YAML_JSON_PLAIN,  /* a number, true, false or null */
};

struct yaml_json_event {
    enum yaml_json_type type;
    size_t line, column, end_column; /* in the file, from 0 */
    const char *text; /* the content of STRING, and PLAIN; a NUL follows. Valid until the next event */
    size_t len;
};

enum yaml_json_state {
    YAML_JSON_AT_VALUE, /* comes next */
    YAML_JSON_AT_FIRST, /* a key, or an element, or the end of the object or array */
    YAML_JSON_AT_NEXT,  /* a key, or an element */
    YAML_JSON_BEHIND,   /* a comma or the end comes next */
    YAML_JSON_DONE,
};

struct yaml_json {
    const char *at, *end;   /* borrowed */
    const char *line_start; /* of the line that `at` is on, or the text's begin */
    size_t line, column;    /* of line_start */
    enum yaml_json_state state;
    size_t depth;
    bool is_object[YAML_JSON_DEPTH]; /* whether the open value at each depth is an object, or else an array */
    struct buf text;                 /* of the last scalar */
};

/* Bytes from the text's begin to the end of the document, with the "---" before it and the white space after
 * it; 0 if it is left to libyaml. */
size_t yaml_json_length(const char *text, size_t len);

/* line, column: of the text in the file, from 0. */
void yaml_json_init(struct yaml_json *json, const char *text, size_t len, size_t line, size_t column);
void yaml_json_deinit(struct yaml_json *json);

/* Returns false if there are no more. */
bool yaml_json_next(struct yaml_json *json, struct yaml_json_event *event);

#endif
