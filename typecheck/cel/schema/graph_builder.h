/*
 * graph_builder: builds a graph (graph.h).
 *
 * An element that is equal to one in the graph is not stored again, except nodes of
 * a definition. Everything is in the builder's arena, whose escape the caller
 * prepares with setjmp.
 */
#ifndef TYPECHECK_CEL_SCHEMA_GRAPH_BUILDER_H
#define TYPECHECK_CEL_SCHEMA_GRAPH_BUILDER_H

#include "typecheck/cel/schema/graph.h"

struct schema_graph_slot {
    uint32_t index; /* 1 + the index of an element; 0: free */
    uint32_t hash;  /* kept, so that a table can grow without reading its elements */
};

struct schema_graph_table {
    struct schema_graph_slot *slots;
    uint32_t count, capacity;
};

/* A run of properties that some node has. */
struct schema_graph_list {
    uint32_t first, count, hash;
};

/* The first room of an array in the builder's arena. */
#define SCHEMA_GRAPH_ROOM 256u

struct schema_graph {
    struct arena arena;
    struct schema graph; /* the arrays as they grow; graph.arena is unused until frozen */
    struct schema_graph_list *lists;
    uint32_t list_count;
    size_t note_cap, list_cap, node_cap, place_cap, property_cap, string_cap, kind_cap;
    struct schema_graph_table node_table, list_table, string_table;
    bool has_places;
};

/* More nodes than this are refused (as ARENA_BUDGET). */
#define SCHEMA_MAX_NODES 1000000u

void schema_graph_init(struct schema_graph *b);
void schema_graph_deinit(struct schema_graph *b);

/* To be called once, with the escape prepared, before the others: adds the empty node and the empty string,
 * at index 0. has_places: the graph is of a definition. */
void schema_graph_begin(struct schema_graph *b, bool has_places);
uint32_t schema_graph_string(struct schema_graph *b, struct str s);
uint32_t schema_graph_node(struct schema_graph *b, const struct schema_node *node);
/* A copy of a node under an index of its own: two components are two nodes, even if they are equal. */
uint32_t schema_graph_component_node(struct schema_graph *b, uint32_t node);
/* `list` is sorted by name; returns where an equal run of properties begins. */
uint32_t schema_graph_properties(struct schema_graph *b, const struct schema_property *list, uint32_t count);
/* Adds a note; returns the value for a node's field `note`. */
uint8_t schema_graph_note(struct schema_graph *b, const struct schema_note *note);
void schema_graph_kind(struct schema_graph *b, struct schema_kind kind);

/* A copy of the graph in memory of its own, no larger than needed; NULL if there is no memory for it. */
struct schema *schema_graph_freeze(struct schema_graph *b);

#endif
