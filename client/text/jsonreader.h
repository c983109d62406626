/*
 * jsonreader: one JSON text parsed in slices, as jsonval_parse does it at once, so that others have their
 * turns in between. Pure.
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
    struct json_tokener *tokener; /* NULL: the end of the value was seen, or that it is none */
    struct json_object *value;
};

void jsonreader_init(struct jsonreader *reader, const char *bytes, size_t len);

/* About so many bytes more. False: there are no more. */
bool jsonreader_step(struct jsonreader *reader, size_t bytes);

/* Frees what the reader has, wherever it is; out NULL: nobody needs the tree. Errors: as jsonval_parse. */
int jsonreader_end(struct jsonreader *reader, struct json_object **out, struct err *err);

#endif
