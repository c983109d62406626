/*
 * structural: a CustomResourceDefinition's schema, as far as its rules depend
 * on it. Data only.
 *
 * What k8s.io/apiextensions-apiserver calls a structural schema: a tree, one
 * node a place of the object. Whoever reads the schema fills the nodes, in an
 * arena that outlives them; `self` is crd_type.c's.
 */
#ifndef TYPECHECK_SCHEMA_STRUCTURAL_H
#define TYPECHECK_SCHEMA_STRUCTURAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct crd_type;
struct structural;

/* maxItems and the like. */
struct structural_bound {
    bool is_set;
    int64_t value;
};

struct structural_property {
    struct str name; /* as in JSON */
    bool is_required;
    struct structural *node;
};

struct structural {
    struct str type, format; /* empty: none */
    bool is_int_or_string;
    bool is_resource; /* the root, or an embedded resource */
    bool has_default;
    struct structural_bound max_items, max_properties, max_length;
    /* Of a resource's metadata, in code points; not set: any length. */
    struct structural_bound name_length, generate_name_length;
    bool has_enum;
    int64_t longest_enum_bytes; /* of its strings */
    struct structural *items, *additional;
    struct structural_property *properties;
    size_t property_count;

    struct crd_type *self; /* once asked for */
    bool is_derived;       /* whether it was */
};

#endif
