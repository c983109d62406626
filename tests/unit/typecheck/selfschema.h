/*
 * selfschema: a schema with a field of each kind, for the tests of rules.
 * tests/upstream/costs/tool knows the same one, which says what costs must be.
 */
#ifndef TESTS_UNIT_TYPECHECK_SELFSCHEMA_H
#define TESTS_UNIT_TYPECHECK_SELFSCHEMA_H

#include <string.h>

#include "typecheck/cel/schema/crd_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/schema_document.h"

static const char selfschema_json[] =
    "{\"type\":\"object\",\"required\":[\"n\",\"anything\"],\"properties\":{"
    "\"s\":{\"type\":\"string\",\"maxLength\":10},"
    "\"t\":{\"type\":\"string\"},"
    "\"e\":{\"type\":\"string\",\"enum\":[\"a\",\"abc\"]},"
    "\"n\":{\"type\":\"integer\"},"
    "\"y\":{\"type\":\"string\",\"format\":\"byte\",\"maxLength\":20},"
    "\"u\":{\"type\":\"string\",\"format\":\"duration\"},"
    "\"w\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"i\":{\"x-kubernetes-int-or-string\":true},"
    "\"l\":{\"type\":\"array\",\"maxItems\":5,\"items\":{\"type\":\"string\",\"maxLength\":4}},"
    "\"k\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"m\":{\"type\":\"object\",\"maxProperties\":3,"
    "\"additionalProperties\":{\"type\":\"string\",\"maxLength\":4}},"
    "\"a\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"s\"],"
    "\"properties\":{\"s\":{\"type\":\"string\",\"maxLength\":8}}}},"
    "\"namespace\":{\"type\":\"string\",\"maxLength\":6},"
    "\"no type\":{\"type\":\"string\"}," /* no CEL name */
    "\"anything\":{}}}";

/* The caller frees it with schema_free. */
static struct schema *selfschema_read(void)
{
    static const struct schema_definition definition = {.is_resource = true};
    return schema_new_definition(selfschema_json, strlen(selfschema_json), &definition);
}

static struct crd_type selfschema_root(const struct schema *schema)
{
    return (struct crd_type){.schema = schema, .node = schema->root};
}

#endif
