/*
 * facts: the facts about an expression's nodes that the estimate of its cost knows: how large their values
 * can be, and where they are in the schema. cost.c fills them in, from the leaves to the root; facts.c looks
 * them up; facts_deep.c does so for cel-go 0.33 and later (celgo->measures_contents), where a size comes with
 * the sizes of the parts.
 */
#ifndef TYPECHECK_CEL_COST_FACTS_H
#define TYPECHECK_CEL_COST_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/cel/cost/measure.h"
#include "typecheck/cel/cost/sizes.h"
#include "typecheck/cel/types/type.h"

struct arena;
struct celgo;
struct checked;
struct node;

/* Says how large keys and values of a list or map are, where a size has no parts. */
struct facts_entries {
    enum type_kind container; /* TYPE_ERROR: nothing is known */
    struct estimate key, value;
};

/* The facts about a node, or about the variable of a comprehension. */
struct facts_item {
    struct sizes_path path;
    bool has_size;
    struct measure size;
    struct facts_entries entries;
};

/* A variable of a comprehension, in the scope that the walk is in. */
struct facts_local {
    const struct facts_local *outer;
    struct str name;
    struct facts_item facts;
    const struct node *range; /* its range; only if the cel-go does not track variables */
};

struct facts {
    struct arena *arena;
    const struct checked *checked;
    const struct celgo *celgo;
    const struct sizes *sizes;
    struct facts_item *items; /* by node id */
    const struct facts_local *locals;
};

struct facts_item *facts_of(struct facts *f, const struct node *n);

/* A selection can be a name, too: google.protobuf.Timestamp. */
bool facts_is_name(const struct facts *f, const struct node *n);
struct str facts_name(const struct facts *f, const struct node *n);
/* The variable that the node names; NULL if it is none of a comprehension. */
const struct facts_local *facts_local_of(const struct facts *f, const struct node *n);

/* Go's append: a slice with room is written to where it is. */
struct sizes_path facts_append(struct facts *f, struct sizes_path path, struct str step);
struct sizes_path facts_path(struct facts *f, const struct node *n);
/* The node's path within the schema. The variable in which a loop collects has none. */
struct sizes_path facts_schema_path(struct facts *f, const struct node *n);

bool facts_is_scalar(const struct celgo *celgo, const struct type *t);
/* Sets *size to the size of a literal; returns false if the node is a list or a map, or not a literal. */
bool facts_literal_size(const struct node *n, uint64_t *size);

void facts_set_size(struct facts *f, const struct node *n, struct measure size);
/* Sets *out to the size that follows from the expression itself; returns false if it says none. */
bool facts_computed_size(struct facts *f, const struct node *n, struct measure *out);
/* The same, or else the size by the schema, by the type, or of the value that a variable stands for. */
bool facts_find_size(struct facts *f, const struct node *n, struct measure *out);
struct measure facts_size_or_unknown(struct facts *f, const struct node *n);

void facts_set_entries(struct facts *f, const struct node *n, struct facts_entries e);
struct facts_entries facts_entries_of(struct facts *f, const struct node *n);

/* facts_find_size where a size has parts. */
bool facts_deep_size(struct facts *f, const struct node *n, struct measure *out);

#endif
