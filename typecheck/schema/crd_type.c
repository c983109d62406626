#include "typecheck/schema/crd_type.h"

#include <stdlib.h>

#include "typecheck/base/arena.h"
#include "typecheck/schema/property_name.h"
#include "typecheck/syntax/reserved.h"
#include "typecheck/types/type.h"

/* The fewest bytes of JSON that values take (pkg/cel/limits.go, types.go). */
enum {
    BYTES_ANY = 1, /* 0 */
    BYTES_BOOL = 4,
    BYTES_NUMBER = 1,
    BYTES_STRING = 2,
    BYTES_DURATION = 3,
    BYTES_DATE = 12,
    BYTES_DATE_TIME = 21,
    BYTES_BRACKETS = 2,
    BYTES_ITEM = 1, /* its comma */
    BYTES_MAP_ENTRY = 6,
    BYTES_FIELD = 4, /* quotes, colon, comma */
};

/* The most characters of strings with a format. */
enum { LONGEST_DURATION = 32, LONGEST_DATE = 12, LONGEST_DATE_TIME = 32 };

/* maxLength counts code points, cost bytes. */
enum { CODE_POINT_BYTES = 4 };

static const struct crd_type string_key = {.scalar = &type_string, .min_bytes = BYTES_STRING};

static struct crd_type *new_scalar(struct arena *a, const struct type *type, int64_t min_bytes,
                                   int64_t max_elements)
{
    struct crd_type *self = ARENA_NEW(a, struct crd_type);
    *self = (struct crd_type){.scalar = type, .min_bytes = min_bytes, .max_elements = max_elements};
    return self;
}

static int64_t bound(struct structural_bound b, int64_t factor, int64_t otherwise)
{
    if (!b.is_set)
        return otherwise;
    int64_t product;
    /* Go's product wraps round */
    __builtin_mul_overflow(b.value < 0 ? 0 : b.value, factor, &product);
    return product;
}

/* The most elements of a container of such elements. */
static int64_t most_of(struct structural_bound max, const struct crd_type *element, int64_t entry_bytes)
{
    return bound(max, 1, (CRD_TYPE_REQUEST_BYTES - BYTES_BRACKETS) / (element->min_bytes + entry_bytes));
}

/* The longest int-or-string, or string without a format or with that of bytes. */
static int64_t longest(const struct structural *node)
{
    int64_t unbounded = CRD_TYPE_REQUEST_BYTES - BYTES_STRING;
    if (!node->is_int_or_string && str_eq(node->format, STR("byte")))
        return bound(node->max_length, 1, unbounded);
    bool is_chosen = !node->is_int_or_string && node->has_enum;
    return bound(node->max_length, CODE_POINT_BYTES, is_chosen ? node->longest_enum_bytes : unbounded);
}

static struct crd_type *derive_string(struct arena *a, const struct structural *node)
{
    if (str_eq(node->format, STR("byte")))
        return new_scalar(a, &type_bytes, BYTES_STRING, longest(node));
    if (str_eq(node->format, STR("duration")))
        return new_scalar(a, &type_duration, BYTES_DURATION, LONGEST_DURATION);
    if (str_eq(node->format, STR("date")))
        return new_scalar(a, &type_timestamp, BYTES_DATE, LONGEST_DATE);
    if (str_eq(node->format, STR("date-time")))
        return new_scalar(a, &type_timestamp, BYTES_DATE_TIME, LONGEST_DATE_TIME);
    return new_scalar(a, &type_string, BYTES_STRING, longest(node));
}

static struct crd_type *derive_container(struct arena *a, enum crd_type_shape shape, struct structural *inner,
                                         struct structural_bound max, int64_t entry_bytes)
{
    const struct crd_type *element = inner == NULL ? NULL : crd_type_derive(a, inner);
    if (element == NULL)
        return NULL;
    struct crd_type *self = ARENA_NEW(a, struct crd_type);
    *self = (struct crd_type){
        .shape = shape,
        .max_elements = most_of(max, element, entry_bytes),
        .min_bytes = BYTES_BRACKETS,
        .key = shape == CRD_TYPE_MAP ? &string_key : NULL,
        .element = element,
    };
    return self;
}

static void add_field(struct arena *a, struct crd_type *object, struct str name, const struct crd_type *type)
{
    struct str escaped;
    if (property_name_escape(a, name, &escaped))
        object->fields[object->field_count++] = (struct crd_type_field){escaped, type};
}

static const struct structural_property *find_property(const struct structural *node, struct str name)
{
    for (size_t i = 0; i < node->property_count; i++) {
        if (str_eq(node->properties[i].name, name))
            return &node->properties[i];
    }
    return NULL;
}

static bool has_property_of(const struct structural *node, struct str name, struct str type)
{
    const struct structural_property *p = find_property(node, name);
    return p != NULL && str_eq(p->node->type, type);
}

/* Whether the schema of a resource names all that every resource has. */
static bool has_resource_fields(const struct structural *node)
{
    if (!has_property_of(node, STR("kind"), STR("string")) ||
        !has_property_of(node, STR("apiVersion"), STR("string")) ||
        !has_property_of(node, STR("metadata"), STR("object")))
        return false;
    const struct structural *metadata = find_property(node, STR("metadata"))->node;
    return has_property_of(metadata, STR("name"), STR("string")) &&
           has_property_of(metadata, STR("generateName"), STR("string"));
}

static const struct crd_type *new_name(struct arena *a, struct structural_bound length)
{
    return new_scalar(a, &type_string, BYTES_STRING,
                      bound(length, CODE_POINT_BYTES, CRD_TYPE_REQUEST_BYTES - BYTES_STRING));
}

static const struct crd_type *new_metadata(struct arena *a, const struct structural *node)
{
    struct crd_type *self = ARENA_NEW(a, struct crd_type);
    *self = (struct crd_type){.shape = CRD_TYPE_OBJECT, .min_bytes = BYTES_BRACKETS};
    self->fields = ARENA_ARRAY(a, 2, struct crd_type_field);
    add_field(a, self, STR("generateName"), new_name(a, node->generate_name_length));
    add_field(a, self, STR("name"), new_name(a, node->name_length));
    return self;
}

static bool is_resource_field(struct str name)
{
    return str_eq(name, STR("kind")) || str_eq(name, STR("apiVersion")) || str_eq(name, STR("metadata"));
}

/* What a resource always has; its required fields still count for its size. */
static void add_resource_field(struct arena *a, const struct structural *node, struct crd_type *object,
                               struct str name, const struct crd_type *type)
{
    const struct structural_property *p = find_property(node, name);
    add_field(a, object, name, type);
    if (p != NULL && p->is_required)
        object->min_bytes += (int64_t)name.len + type->min_bytes + BYTES_FIELD;
}

static int compare_fields(const void *a, const void *b)
{
    return str_cmp(((const struct crd_type_field *)a)->name, ((const struct crd_type_field *)b)->name);
}

static struct crd_type *derive_object(struct arena *a, const struct structural *node)
{
    bool is_completed = node->is_resource && !has_resource_fields(node);
    struct crd_type *self = ARENA_NEW(a, struct crd_type);
    *self = (struct crd_type){.shape = CRD_TYPE_OBJECT, .min_bytes = BYTES_BRACKETS};
    self->fields = ARENA_ARRAY(a, node->property_count + 3, struct crd_type_field);
    for (size_t i = 0; i < node->property_count; i++) {
        const struct structural_property *p = &node->properties[i];
        const struct crd_type *type;
        if ((is_completed && is_resource_field(p->name)) || (type = crd_type_derive(a, p->node)) == NULL)
            continue;
        add_field(a, self, p->name, type);
        /* the server fills in what has a default */
        if (p->is_required && !p->node->has_default)
            self->min_bytes += (int64_t)p->name.len + type->min_bytes + BYTES_FIELD;
    }
    if (is_completed) {
        const struct crd_type *string =
            new_scalar(a, &type_string, BYTES_STRING, CRD_TYPE_REQUEST_BYTES - BYTES_STRING);
        add_resource_field(a, node, self, STR("kind"), string);
        add_resource_field(a, node, self, STR("apiVersion"), string);
        add_resource_field(a, node, self, STR("metadata"), new_metadata(a, node));
    }
    qsort(self->fields, self->field_count, sizeof *self->fields, compare_fields);
    return self;
}

static struct crd_type *derive(struct arena *a, struct structural *node)
{
    if (node->is_int_or_string)
        return new_scalar(a, &type_dyn, BYTES_ANY, longest(node));
    if (str_eq(node->type, STR("array")))
        return derive_container(a, CRD_TYPE_LIST, node->items, node->max_items, BYTES_ITEM);
    if (str_eq(node->type, STR("object")))
        return node->additional != NULL ? derive_container(a, CRD_TYPE_MAP, node->additional,
                                                           node->max_properties, BYTES_MAP_ENTRY)
                                        : derive_object(a, node);
    if (str_eq(node->type, STR("string")))
        return derive_string(a, node);
    if (str_eq(node->type, STR("boolean")))
        return new_scalar(a, &type_bool, BYTES_BOOL, 0);
    if (str_eq(node->type, STR("number")))
        return new_scalar(a, &type_double, BYTES_NUMBER, 0);
    if (str_eq(node->type, STR("integer")))
        return new_scalar(a, &type_int, BYTES_NUMBER, 0);
    return NULL;
}

const struct crd_type *crd_type_derive(struct arena *a, struct structural *node)
{
    if (!node->is_derived) {
        node->self = derive(a, node);
        node->is_derived = true;
    }
    return node->self;
}

void crd_type_rebound(struct structural *node)
{
    struct crd_type *self = node->self;
    if (self == NULL)
        return;
    if (self->shape == CRD_TYPE_LIST)
        self->max_elements = most_of(node->max_items, self->element, BYTES_ITEM);
    else if (self->shape == CRD_TYPE_MAP)
        self->max_elements = most_of(node->max_properties, self->element, BYTES_MAP_ENTRY);
    else if (self->shape == CRD_TYPE_SCALAR &&
             (self->scalar == &type_dyn || self->scalar == &type_string || self->scalar == &type_bytes))
        self->max_elements = longest(node);
}

const struct crd_type *crd_type_field(const struct crd_type *object, struct str name)
{
    struct crd_type_field wanted = {.name = name};
    const struct crd_type_field *found =
        object->field_count == 0
            ? NULL
            : bsearch(&wanted, object->fields, object->field_count, sizeof *object->fields, compare_fields);
    return found == NULL ? NULL : found->type;
}

/* ---- types ---- */

static const struct type *object_field(const struct type *object, struct str name, struct types *ts)
{
    const struct crd_type *self = object->data, *field = crd_type_field(self, name);
    struct str escaped;
    /* "__namespace__" is what "namespace" is called in the table */
    if (field == NULL && reserved_has(name) && property_name_escape(types_arena(ts), name, &escaped)) {
        field = crd_type_field(self, escaped);
        name = escaped;
    }
    if (field == NULL)
        return NULL;
    return crd_type_type(ts, field, str_join(types_arena(ts), STR_PARTS(object->name, STR("."), name)));
}

static bool object_name(const struct type *object, size_t index, struct str *out)
{
    const struct crd_type *self = object->data;
    if (index >= self->field_count)
        return false;
    *out = self->fields[index].name;
    return true;
}

static const struct object_ops selftype_ops = {
    .field = object_field, .name = object_name, .escapes_keywords = true};

const struct type *crd_type_type(struct types *ts, const struct crd_type *self, struct str name)
{
    struct arena *a = types_arena(ts);
    switch (self->shape) {
    case CRD_TYPE_SCALAR:
        return self->scalar;
    case CRD_TYPE_LIST:
        return types_list(ts, crd_type_type(ts, self->element, str_join(a, STR_PARTS(name, STR(".@idx")))));
    case CRD_TYPE_MAP:
        return types_map(ts, &type_string,
                         crd_type_type(ts, self->element, str_join(a, STR_PARTS(name, STR(".@elem")))));
    case CRD_TYPE_OBJECT:
        break;
    }
    return types_object(ts, name, &selftype_ops, self);
}

uint64_t crd_type_cardinality(const struct crd_type *self)
{
    return (uint64_t)(CRD_TYPE_REQUEST_BYTES / (self->min_bytes + 1));
}
