/*
 * keywords: reads one schema, keyword by keyword, into a graph (graph.h).
 *
 * Members may come in any order. If an object has a key several times, the last
 * one counts, as in most readers of JSON. A faulty OpenAPI document is refused. In
 * the schema of a CustomResourceDefinition, faulty parts are ignored, since its
 * validation reports them.
 */
#ifndef TYPECHECK_CEL_SCHEMA_KEYWORDS_H
#define TYPECHECK_CEL_SCHEMA_KEYWORDS_H

#include "typecheck/base/jsonread.h"
#include "typecheck/cel/schema/graph_builder.h"

/* The reader's place in the document, for messages. */
struct keywords_site {
    const struct keywords_site *parent;
    struct str key;
};

/* A property of an object that is being read. */
struct keywords_pending {
    struct schema_property property;
    uint32_t order; /* in the text */
};

struct keywords_frame;

struct keywords {
    struct schema_graph builder;
    struct jsonread in;
    struct keywords_frame *frames; /* a stack: the nested schemas that are being read */
    size_t depth;
    uint32_t node; /* of the schema that was read last */
    bool is_skipping;
    struct jsonread_skipping skipping;
    struct keywords_pending *pending; /* also a stack */
    uint32_t pending_count, required_count;
    struct keywords_pending *merged; /* room to sort them */
    size_t pending_cap, merged_cap, required_cap;
    uint32_t *required; /* names, also a stack */
    bool is_definition; /* of a CustomResourceDefinition; else an OpenAPI document */
    char *message;
    size_t message_size;
};

/* Ends the reading by the arena's escape; the message is "components.schemas.Widget.properties.spec: WHY". */
_Noreturn void keywords_refuse(struct keywords *r, const struct keywords_site *at, const char *why);

#define KEYWORDS_NO_COMPONENT UINT32_MAX

/* An object with more properties is refused (as ARENA_BUDGET): they are sorted in one step. */
#define KEYWORDS_MAX_PROPERTIES 65536u

/* Begins the next schema. component: its number as a component, or KEYWORDS_NO_COMPONENT. `at` is borrowed
 * until the schema is read. */
void keywords_begin(struct keywords *r, const struct keywords_site *at, uint32_t component);

/* Reads to the offset, or to the end of the keyword at it. Returns true if the schema is read; r->node is
 * then its node (0 if it is not a schema, in a definition). */
bool keywords_read(struct keywords *r, size_t until);

/* Returns true if the name has a NUL. Names are kept NUL-terminated, so such a name is dropped; no server has
 * one. */
bool keywords_has_nul(struct str name);
/* Returns true if the keyword counts in definitions (keywords.is_definition). */
bool keywords_is_of_definitions(struct str key);

#endif
