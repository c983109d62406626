/*
 * yaml_json: reads a JSON document of a YAML text as the events that libyaml has for it. Pure.
 *
 * JSON is YAML, and most of what tools write is plain. libyaml takes 180 instructions
 * for each byte of it, this a tenth. It takes only documents whose events are certain to be
 * the same: objects and arrays of ASCII characters, without tabs and carriage returns,
 * with each colon right behind its key. All others, and malformed ones, are left
 * to libyaml.
 *
 *     size_t n = yaml_json_length(text, len);
 *     if (n == 0) ... libyaml parses it ...
 *     yaml_json_init(&j, text, n, mark);
 *     while (yaml_json_next(&j, &event)) ...
 *     yaml_json_deinit(&j);
 */
#ifndef CLIENT_TEXT_YAML_JSON_H
#define CLIENT_TEXT_YAML_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "client/base/buf.h"
#include "client/text/yaml.h"

enum yaml_json_state {
    YAML_JSON_VALUE, /* comes next */
    YAML_JSON_FIRST, /* a key, or an element, or the end of the object or array */
    YAML_JSON_NEXT,  /* a key, or an element */
    YAML_JSON_AFTER, /* a comma or the end */
    YAML_JSON_DONE,
};

struct yaml_json {
    const char *at, *end; /* borrowed */
    const char *line;     /* where the line begins that `at` is on, or the text */
    yaml_mark_t mark;     /* of `line`; its index is not used */
    enum yaml_json_state state;
    size_t depth;
    bool is_object[YAML_DEPTH]; /* what is open: an object, or else an array */
    struct buf text;            /* of the last scalar */
};

/* Bytes from the text's begin to the end of the document, with the "---" before it and the white space behind
 * it; 0: it is left to libyaml. */
size_t yaml_json_length(const char *text, size_t len);

/* mark: that of the text. */
void yaml_json_init(struct yaml_json *json, const char *text, size_t len, yaml_mark_t mark);
void yaml_json_deinit(struct yaml_json *json);

/* The next event, from a scalar, mapping or sequence to its end. Its text is valid until the next call, and
 * is not for yaml_event_delete. False: there are no more. */
bool yaml_json_next(struct yaml_json *json, yaml_event_t *event);

#endif
