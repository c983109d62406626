/*
 * yaml_write: a JSON value as YAML, in the form that kubectl get -o yaml has:
 * sorted keys, lists at their key's indentation, texts of several lines as
 * literal blocks, quotes where a scalar would read as another type. Pure.
 * Long lines are not folded. yaml_parse reads the same value back.
 *
 *     struct buf b;
 *     buf_init(&b, cap_bytes);
 *     yaml_write(&b, object);
 */
#ifndef CLIENT_TEXT_YAML_WRITE_H
#define CLIENT_TEXT_YAML_WRITE_H

#include <json-c/json.h>

#include "client/base/buf.h"

/* Appends the document, its last newline included. value is borrowed; NULL is null. */
void yaml_write(struct buf *out, struct json_object *value);

#endif
