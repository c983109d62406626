/*
 * jsonreader: parses one JSON text as jsonval_parse does, but in slices, so that other work can run between
 * them. Pure.
 *
 *     jsonreader_init(&r, bytes, len);
 *     while (jsonreader_step(&r, SLICE_BYTES)) turn_the_loop();
 *     if (jsonreader_end(&r, &tree, &err) != 0) ...
 */
#ifndef CLIENT_TEXT_JSONREADER_H
#define CLIENT_TEXT_JSONREADER_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"

struct jsonreader {
    const char *bytes; /* borrowed until the end; NULL: there is no text, and no tree */
    size_t len, at;
    struct json_tokener *tokener; /* NULL: the value has ended, or is malformed */
    struct json_object *value;
};

void jsonreader_init(struct jsonreader *reader, const char *bytes, size_t len);

/* Parses about so many more bytes. False: there are no more. */
bool jsonreader_step(struct jsonreader *reader, size_t bytes);

/* Frees what the reader holds, also before the end; out NULL: the tree is not needed. Errors: as
 * jsonval_parse. */
int jsonreader_end(struct jsonreader *reader, struct json_object **out, struct err *err);

#endif
