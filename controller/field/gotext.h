/*
 * gotext: values as Go writes them into messages. Pure.
 *
 * Strings as fmt's %q, any value as encoding/json.
 */
#ifndef CONTROLLER_FIELD_GOTEXT_H
#define CONTROLLER_FIELD_GOTEXT_H

#include <json-c/json.h>
#include <stddef.h>

#include "client/base/buf.h"
#include "typecheck/base/str.h"

void gotext_put_quoted(struct buf *b, const char *text, size_t len);
/* Objects keep the order of their members. */
void gotext_put_json(struct buf *b, struct json_object *value);

/* The string under a member, borrowed; empty where there is none. */
struct str gotext_member(struct json_object *object, const char *key);

/* strings.TrimSpace */
struct str gotext_trimmed(struct str s);

#endif
