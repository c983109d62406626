/*
 * graph: an OpenAPI document, or a definition's schema, in memory. graph_builder.h makes it.
 *
 * Nodes, properties and strings are three arrays that refer to each other by
 * index. Equal nodes, lists of properties and strings are stored once: a group
 * of CRDs with the same pod template in each version needs it once.
 */
#ifndef TYPECHECK_CEL_SCHEMA_GRAPH_H
#define TYPECHECK_CEL_SCHEMA_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"

enum schema_json_type {
    JSON_UNTYPED,
    JSON_ARRAY,
    JSON_OBJECT,
    JSON_STRING,
    JSON_BOOLEAN,
    JSON_NUMBER,
    JSON_INTEGER,
};

enum schema_format {
    FORMAT_OTHER,
    FORMAT_BYTE,
    FORMAT_DATE,
    FORMAT_DATE_TIME,
    FORMAT_DURATION,
};

enum schema_flags {
    SCHEMA_INT_OR_STRING = 1, /* by extension or by format */
    SCHEMA_EMBEDDED_RESOURCE = 2,
    SCHEMA_PRESERVES_UNKNOWN = 4,
    SCHEMA_ADDITIONAL_TRUE = 8, /* additionalProperties: true */
    SCHEMA_NULLABLE = 16,
    SCHEMA_HAS_DEFAULT = 32,
    SCHEMA_NO_METADATA = 64, /* x-vapcheck-no-metadata, in our own documents: a root without it */
    SCHEMA_ATOMIC = 128,     /* can only be set as a whole: most lists, few objects */
};

struct schema_property {
    uint32_t name;      /* into strings; property_name_of_key */
    uint32_t node : 24; /* a document of 16 MiB has fewer */
    uint32_t first : 7; /* schema_graph_first: most names differ in it: no look at the strings is needed */
    uint32_t is_required : 1;
};

#define SCHEMA_NODE_MASK 0xffffffu

/* Index 0 means that there is no node; the node there is empty. */
struct schema_node {
    uint8_t type;        /* enum schema_json_type */
    uint8_t format;      /* enum schema_format */
    uint8_t flags;       /* enum schema_flags */
    uint8_t note;        /* 0: none; SCHEMA_NOTE_LOST */
    uint32_t items;      /* node */
    uint32_t additional; /* node; additionalProperties given as a schema */
    uint32_t component;  /* 1 + the component that $ref (or allOf: [$ref]) names; SCHEMA_MISSING_REF */
    uint32_t properties; /* the first of property_count, sorted by name; without any: schema_graph_enum's */
    uint32_t property_count;
};

#define SCHEMA_MISSING_REF UINT32_MAX

/* Members that few nodes have, as JSON; 0: it does not have the member. */
struct schema_note {
    uint32_t default_text, list_keys; /* into strings; the latter: ["containerPort","protocol"] */
};

/* There are more notes than a node can number. */
#define SCHEMA_NOTE_LOST 255u

#define SCHEMA_UNBOUNDED (-1) /* no bound */

/*
 * Facts about a node in the schema of a CustomResourceDefinition, for the cost
 * of its rules. There each node stands for one place, so equal nodes are stored
 * several times.
 */
struct schema_place {
    int64_t max_items, max_properties, max_length; /* SCHEMA_UNBOUNDED; a negative one counts as 0 */
    int64_t longest_enum;                          /* bytes of its strings; SCHEMA_UNBOUNDED: no enum */
    int64_t min_bytes;                             /* as JSON; 0: it has no type, and is not exposed */
    uint32_t key, name;                            /* of a property: as in JSON, and as in the graph */
    uint32_t first_property, next_property;        /* nodes, in the order of the text; 0: no more */
    bool has_format;                               /* any, known or not */
    uint8_t required_meta;                         /* bits: which of schema_graph_meta is required */
};

#define SCHEMA_PLACE_INIT                                                                                    \
    {                                                                                                        \
        .max_items = SCHEMA_UNBOUNDED, .max_properties = SCHEMA_UNBOUNDED, .max_length = SCHEMA_UNBOUNDED,   \
        .longest_enum = SCHEMA_UNBOUNDED                                                                     \
    }

struct schema_component {
    uint32_t name; /* into strings */
    uint32_t node;
};

/* A digest of a schema (graph_digest.h). Equal schemas have both numbers. Both 0: it is not known. */
struct schema_digest {
    uint64_t first, second;
};

struct schema_kind {
    uint32_t group, version, kind; /* into strings */
    uint32_t component;
    struct schema_digest digest;
};

struct schema {
    struct arena arena; /* holds all the arrays */
    struct schema_node *nodes;
    struct schema_property *properties;
    uint32_t *letters; /* by property: suggest_set of its name in JSON, or 0 */
    char *strings;     /* NUL-terminated, one after the other; offset 0 is the empty one */
    struct schema_component *components;
    struct schema_kind *kinds;   /* sorted by kind, version, group */
    struct schema_note *notes;   /* the first is empty */
    struct schema_place *places; /* by node, of a definition; else NULL */
    uint8_t *hashes;             /* the set of the hashes of all strings: a bit for each */
    uint32_t hash_bits;          /* of it; a power of two, or 0 until the graph is whole */
    uint32_t node_count, property_count, string_bytes, component_count, kind_count, note_count;
    uint32_t root; /* of schema_new_single and schema_new_definition */
    bool has_missing_ref;
    bool bounds_names, ignores_int_or_string_length; /* struct schema_definition */
};

/* The first byte of a name, as far as it has seven bits; of sorted names these are sorted. */
static inline unsigned schema_graph_first(struct str name)
{
    const unsigned first = name.len == 0 ? 0 : (unsigned char)name.at[0];
    return first < 127 ? first : 127;
}

/* Returns false if the document, once it is whole, has no string with the hash (str_hash). Nodes are far
 * apart in memory: a look at one costs more than this. */
static inline bool schema_graph_may_have(const struct schema *doc, uint32_t hash)
{
    const uint32_t bit = hash & (doc->hash_bits - 1);
    return doc->hash_bits == 0 || (doc->hashes[bit / 8] >> bit % 8 & 1) != 0;
}

/* The property with this name; NULL if there is none. */
const struct schema_property *schema_graph_find(const struct schema *doc, const struct schema_node *node,
                                                struct str name);

/* The node to which its $ref leads; the node itself if it has none, or its target is missing. */
const struct schema_node *schema_graph_follow(const struct schema *doc, const struct schema_node *node);
/* The component that a node refers to; empty: none. */
struct str schema_graph_component(const struct schema *doc, const struct schema_node *node);

/* Returns true if the node takes members that it does not list: it is any JSON object, or a list or map of
 * any values. */
bool schema_graph_takes_members(const struct schema_node *node);

/* The enum of a string, as a list in JSON; empty: there is none. */
struct str schema_graph_enum(const struct schema *doc, const struct schema_node *node);

/* kind, apiVersion, metadata */
enum { SCHEMA_META_FIELDS = 3 };
extern const struct str schema_graph_meta[SCHEMA_META_FIELDS];

#endif
