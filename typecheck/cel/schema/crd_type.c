#include "typecheck/cel/schema/crd_type.h"

#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/object_type.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/schema/resource_meta.h"
#include "typecheck/cel/types/type.h"

/* The fewest bytes of JSON that values take (pkg/cel/limits.go, types.go). */
enum {
    BYTES_ANY = 1, /* 0 */
    BYTES_BOOL = 4,
    BYTES_NUMBER = 1,
    BYTES_STRING = 2,
    BYTES_BRACKETS = 2,
    BYTES_ADDED = 2, /* kind, apiVersion, metadata: a string or an object */
    BYTES_ITEM = 1,  /* its comma */
    BYTES_MAP_ENTRY = 6,
    BYTES_FIELD = 4, /* quotes, colon, comma */
};

/* maxLength counts code points, cost bytes. */
enum { CODE_POINT_BYTES = 4 };

#define LONGEST_STRING (CRD_TYPE_REQUEST_BYTES - BYTES_STRING)

/* The longest DNS subdomain; generateName is shorter, because the server adds at least one character. */
enum { LONGEST_NAME = 253, LONGEST_GENERATE_NAME = LONGEST_NAME - 1 };

/* The fewest bytes of strings, and the most where no maxLength counts. */
static const struct {
    int64_t least, most;
} formats[] = {
    [FORMAT_OTHER] = {BYTES_STRING, 0}, [FORMAT_BYTE] = {BYTES_STRING, 0}, [FORMAT_DATE] = {12, 12},
    [FORMAT_DATE_TIME] = {21, 32},      [FORMAT_DURATION] = {3, 32},
};

static const struct schema_node *node_of(const struct crd_type *self)
{
    return &self->schema->nodes[self->node];
}

static uint32_t find_property(const struct schema *s, uint32_t node, struct str name)
{
    const struct schema_property *p = schema_graph_find(s, &s->nodes[node], name);
    return p == NULL ? 0 : p->node;
}

/* Returns true if the node is a resource whose schema does not list all that every resource has. */
static bool is_completed(const struct schema *s, uint32_t node)
{
    uint32_t metadata = find_property(s, node, STR("metadata"));
    return (s->nodes[node].flags & SCHEMA_EMBEDDED_RESOURCE) != 0 &&
           !resource_meta_is_in_graph(s, &s->nodes[node], &s->nodes[metadata]);
}

static bool is_added(struct str name, enum crd_type_shape *shape)
{
    bool is_metadata = str_eq(name, STR("metadata"));
    *shape = is_metadata ? CRD_TYPE_METADATA : CRD_TYPE_STRING;
    return is_metadata || str_eq(name, STR("kind")) || str_eq(name, STR("apiVersion"));
}

/* ---- the fewest bytes ---- */

/* The bytes of the added fields that a resource requires, whether its schema lists them or not. */
static int64_t least_of_added(const struct schema_place *resource)
{
    int64_t bytes = 0;
    for (unsigned i = 0; i < SCHEMA_META_FIELDS; i++) {
        if ((resource->required_meta & (1u << i)) != 0)
            bytes += (int64_t)schema_graph_meta[i].len + BYTES_ADDED + BYTES_FIELD;
    }
    return bytes;
}

/* The bytes of an object with its required fields, without those that the server fills in from a default. */
static int64_t least_of_object(const struct schema *s, uint32_t node)
{
    const struct schema_node *object = &s->nodes[node];
    bool completed = is_completed(s, node);
    int64_t bytes = BYTES_BRACKETS + (completed ? least_of_added(&s->places[node]) : 0);
    for (uint32_t i = 0; i < object->property_count; i++) {
        const struct schema_property *p = &s->properties[object->properties + i];
        const struct schema_place *place = &s->places[p->node];
        enum crd_type_shape added;
        bool is_filled_in = (s->nodes[p->node].flags & SCHEMA_HAS_DEFAULT) != 0;
        bool counts = !completed || !is_added(str_of(s->strings + p->name), &added);
        if (counts && p->is_required && !is_filled_in && place->min_bytes != 0)
            bytes += (int64_t)str_of(s->strings + place->key).len + place->min_bytes + BYTES_FIELD;
    }
    return bytes;
}

/* The node of a list's or a map's elements; 0: it is neither. */
static uint32_t element_of(const struct schema_node *node)
{
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0)
        return 0;
    return node->type == JSON_ARRAY ? node->items : node->type == JSON_OBJECT ? node->additional : 0;
}

static int64_t least_of(const struct schema *s, uint32_t index)
{
    static const int64_t least[] = {
        [JSON_BOOLEAN] = BYTES_BOOL, [JSON_NUMBER] = BYTES_NUMBER, [JSON_INTEGER] = BYTES_NUMBER};
    const struct schema_node *node = &s->nodes[index];
    uint32_t element = element_of(node);
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0)
        return BYTES_ANY;
    if (element != 0)
        return s->places[element].min_bytes == 0 ? 0 : BYTES_BRACKETS;
    if (node->type == JSON_OBJECT)
        return least_of_object(s, index);
    return node->type == JSON_STRING ? formats[node->format].least : least[node->type];
}

void crd_type_measure(struct schema *definition)
{
    /* a node comes behind those below it */
    for (uint32_t i = 1; i < definition->node_count; i++) {
        struct schema_place *place = &definition->places[i];
        place->min_bytes = least_of(definition, i);
        if (definition->ignores_int_or_string_length &&
            (definition->nodes[i].flags & SCHEMA_INT_OR_STRING) != 0)
            place->max_length = SCHEMA_UNBOUNDED;
    }
}

int64_t crd_type_min_bytes(const struct crd_type *self)
{
    return self->shape == CRD_TYPE_SCHEMA ? self->schema->places[self->node].min_bytes : BYTES_ADDED;
}

bool crd_type_is_exposed(const struct crd_type *self)
{
    return crd_type_min_bytes(self) != 0;
}

uint64_t crd_type_cardinality(const struct crd_type *self)
{
    return (uint64_t)(CRD_TYPE_REQUEST_BYTES / (crd_type_min_bytes(self) + 1));
}

/* ---- the most elements ---- */

static int64_t most_bytes(int64_t max_length, int64_t otherwise)
{
    int64_t bytes;
    if (max_length == SCHEMA_UNBOUNDED)
        return otherwise;
    /* Go's product wraps round */
    __builtin_mul_overflow(max_length, CODE_POINT_BYTES, &bytes);
    return bytes;
}

static int64_t most_of_string(const struct schema_node *node, const struct schema_place *place)
{
    int64_t most = place->longest_enum == SCHEMA_UNBOUNDED ? LONGEST_STRING : place->longest_enum;
    if (node->format == FORMAT_BYTE)
        return place->max_length == SCHEMA_UNBOUNDED ? LONGEST_STRING : place->max_length;
    return formats[node->format].most != 0 ? formats[node->format].most : most_bytes(place->max_length, most);
}

static int64_t most_in_schema(const struct schema *s, uint32_t index)
{
    const struct schema_node *node = &s->nodes[index];
    const struct schema_place *place = &s->places[index];
    uint32_t element = element_of(node);
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0)
        return most_bytes(place->max_length, LONGEST_STRING);
    if (element == 0)
        return node->type == JSON_STRING ? most_of_string(node, place) : 0;
    bool is_list = node->type == JSON_ARRAY;
    int64_t max = is_list ? place->max_items : place->max_properties;
    int64_t entry_bytes = s->places[element].min_bytes + (is_list ? BYTES_ITEM : BYTES_MAP_ENTRY);
    return max == SCHEMA_UNBOUNDED ? (CRD_TYPE_REQUEST_BYTES - BYTES_BRACKETS) / entry_bytes : max;
}

/* The schema of a resource's metadata may have a shorter bound of its own. */
static int64_t longest_name(const struct crd_type *self, struct str name, int64_t most)
{
    const struct schema *s = self->schema;
    if (!s->bounds_names)
        return LONGEST_STRING;
    uint32_t metadata = find_property(s, self->node, STR("metadata"));
    int64_t own = s->places[find_property(s, metadata, name)].max_length;
    return most_bytes(own >= 0 && own < most ? own : most, 0);
}

int64_t crd_type_max_elements(const struct crd_type *self)
{
    switch (self->shape) {
    case CRD_TYPE_SCHEMA:
        return most_in_schema(self->schema, self->node);
    case CRD_TYPE_STRING:
        return LONGEST_STRING;
    case CRD_TYPE_NAME:
        return longest_name(self, STR("name"), LONGEST_NAME);
    case CRD_TYPE_GENERATE_NAME:
        return longest_name(self, STR("generateName"), LONGEST_GENERATE_NAME);
    case CRD_TYPE_KEY:
    case CRD_TYPE_METADATA:
        break;
    }
    return 0;
}

/* ---- types below ---- */

bool crd_type_field(struct crd_type object, struct str name, struct crd_type *field)
{
    const struct schema_node *node = node_of(&object);
    *field = object;
    if (object.shape == CRD_TYPE_METADATA) {
        field->shape = str_eq(name, STR("name")) ? CRD_TYPE_NAME : CRD_TYPE_GENERATE_NAME;
        return field->shape == CRD_TYPE_NAME || str_eq(name, STR("generateName"));
    }
    if (object.shape != CRD_TYPE_SCHEMA || node->type != JSON_OBJECT || node->additional != 0 ||
        (node->flags & SCHEMA_INT_OR_STRING) != 0)
        return false;
    if (is_completed(object.schema, object.node) && is_added(name, &field->shape))
        return true;
    field->shape = CRD_TYPE_SCHEMA;
    field->node = find_property(object.schema, object.node, name);
    return crd_type_is_exposed(field) && !property_name_is_quoted(name);
}

bool crd_type_element(struct crd_type container, struct crd_type *element)
{
    *element = container;
    element->node = container.shape == CRD_TYPE_SCHEMA ? element_of(node_of(&container)) : 0;
    return element->node != 0 && crd_type_is_exposed(element);
}

bool crd_type_key(struct crd_type map, struct crd_type *key)
{
    struct crd_type element;
    *key = map;
    key->shape = CRD_TYPE_KEY;
    return node_of(&map)->type == JSON_OBJECT && crd_type_element(map, &element);
}

const struct type *crd_type_type(struct types *ts, const struct crd_type *self, struct str name)
{
    const struct schema_node *node = node_of(self);
    if (self->shape == CRD_TYPE_METADATA)
        return object_type_of_metadata(ts, self->schema, name);
    if (self->shape != CRD_TYPE_SCHEMA)
        return &type_string;
    return (node->flags & SCHEMA_EMBEDDED_RESOURCE) != 0
               ? object_type_of_resource(ts, self->schema, node, name, SCHEMA_UPSTREAM)
               : object_type_of_value(ts, self->schema, node, name, SCHEMA_UPSTREAM);
}
