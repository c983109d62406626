/*
 * written_object: the JSON that an API server writes of an object that a client sends, as far as its schema
 * tells.
 *
 * sent_object.h says what is completed and what is left out.
 *
 *     struct str made;
 *     if (!written_object(&arena, str_of(json), &type, &made)) ...
 */
#ifndef TYPECHECK_POLICY_RUN_WRITTEN_OBJECT_H
#define TYPECHECK_POLICY_RUN_WRITTEN_OBJECT_H

#include <stdbool.h>

#include "typecheck/base/str.h"
#include "typecheck/policy/run/policy_run_request.h"

struct arena;

/* *out lies in the arena. The type must be known. Returns false if the text is not JSON, or the schema has
 * more defaults than are kept of a document. */
bool written_object(struct arena *a, struct str json, const struct policy_run_type *type, struct str *out);

#endif
