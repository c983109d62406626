/*
 * gotext: values as Go writes them into messages. Pure.
 *
 * Strings as fmt's %q, any value as encoding/json. Code points that Unicode
 * has not assigned count as printable here; to Go they do not.
 */
#ifndef CONTROLLER_FIELD_GOTEXT_H
#define CONTROLLER_FIELD_GOTEXT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/buf.h"
#include "typecheck/base/str.h"

/* unicode.IsPrint */
bool gotext_is_printable(uint32_t code);

void gotext_put_quoted(struct buf *b, const char *text, size_t len);
/* Objects keep the order of their members. */
void gotext_put_json(struct buf *b, struct json_object *value);

/* The string under a member, borrowed; empty where there is none. */
struct str gotext_member(struct json_object *object, const char *key);

/* strings.TrimSpace */
struct str gotext_trimmed(struct str s);

#endif
