/*
 * yaml_scalar: the meaning of a plain YAML scalar, as sigs.k8s.io/yaml has it
 * (go-yaml v2: YAML 1.1). Pure.
 *
 * Plain `yes`, `on`, `y` are booleans, `017` and `0o17` are 15, `1_000` is
 * 1000; dates stay strings; `1.0` becomes the integer 1, since Go writes it so.
 */
#ifndef CLIENT_TEXT_YAML_SCALAR_H
#define CLIENT_TEXT_YAML_SCALAR_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"

/* The value of a scalar; *out is the caller's, NULL for null. tag is "" or the tag in full; a
 * scalar that is_quoted and has no tag is a string. Errors: INVALID (the text does not fit
 * the tag; infinity and NaN, which JSON does not have). */
int yaml_scalar_resolve(const char *text, size_t len, const char *tag, bool is_quoted,
                        struct json_object **out, struct err *err) MUST_CHECK;

enum { YAML_SCALAR_NUMBER_BYTES = 40 };

/* The text of a mapping's key: the value of the scalar, as text. *out is text itself, number, or a constant.
 * Errors: INVALID (null). */
int yaml_scalar_key(const char *text, size_t len, const char *tag, bool is_quoted,
                    char number[YAML_SCALAR_NUMBER_BYTES], const char **out, struct err *err) MUST_CHECK;

#endif
