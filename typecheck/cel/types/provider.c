/*
 * A name is looked up in the tables of cel-go's registry (identifiers, opaque types, messages of protobuf)
 * and in Kubernetes' own provider (find_own), which comes first where a structure is made. The object types
 * of Kubernetes' provider are in no table. Their names are dotted ways of fields that begin with the name of
 * a variable's type, so walk() follows the fields from the declared variable, and no schema is ever expanded
 * as a whole. Each look-up pays for the rows and the bytes that it reads.
 */
#include "typecheck/cel/types/provider.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/reserved.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/cel/types/mutation_types.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A name and the type it denotes, spelled as signatures spell types. */
struct named {
    const char *name, *type;
};

/* The identifiers of cel-go's registry; the opaque types of Kubernetes' libraries are in functions.def. */
static const struct named idents[] = {
    {"bool", "bool"},
    {"bytes", "bytes"},
    {"double", "double"},
    {"google.protobuf.Duration", "duration"},
    {"google.protobuf.Timestamp", "timestamp"},
    {"int", "int"},
    {"list", "list(dyn)"},
    {"map", "map(dyn, dyn)"},
    {"null_type", "null"},
    {"string", "string"},
    {"type", "type"},
    {"uint", "uint"},
};

/* In cel-go without scopes, the two types that have parameters are variables of their own. */
static const struct named generic_idents[] = {
    {"list", "list(A)"},
    {"map", "map(A, B)"},
};

/* Kubernetes' provider knows these as structures; most are identifiers already (cel/types.go, findScalar). */
static const struct named scalars[] = {
    {"bool", "bool"}, {"bytes", "bytes"},    {"double", "double"},     {"duration", "duration"},
    {"int", "int"},   {"null_type", "null"}, {"string", "string"},     {"timestamp", "timestamp"},
    {"uint", "uint"}, {"list", "list(any)"}, {"map", "map(any, any)"},
};

/* Messages that stand for a type of CEL; the first of a type is what it is made as. */
static const struct named messages[] = {
    {"google.protobuf.Any", "any"},
    {"google.protobuf.BoolValue", "wrapper(bool)"},
    {"google.protobuf.BytesValue", "wrapper(bytes)"},
    {"google.protobuf.DoubleValue", "wrapper(double)"},
    {"google.protobuf.Duration", "duration"},
    {"google.protobuf.FloatValue", "wrapper(double)"},
    {"google.protobuf.Int64Value", "wrapper(int)"},
    {"google.protobuf.Int32Value", "wrapper(int)"},
    {"google.protobuf.ListValue", "list(dyn)"},
    {"google.protobuf.StringValue", "wrapper(string)"},
    {"google.protobuf.Struct", "map(string, dyn)"},
    {"google.protobuf.Timestamp", "timestamp"},
    {"google.protobuf.UInt64Value", "wrapper(uint)"},
    {"google.protobuf.UInt32Value", "wrapper(uint)"},
    {"google.protobuf.Value", "dyn"},
};

/* Messages that are just that. */
static const char *const plain_messages[] = {"google.protobuf.Empty", "google.protobuf.Struct.FieldsEntry"};

static const struct {
    const char *message, *field, *type;
} fields[] = {
    {"google.protobuf.Any", "type_url", "string"},
    {"google.protobuf.Any", "value", "bytes"},
    {"google.protobuf.BoolValue", "value", "bool"},
    {"google.protobuf.BytesValue", "value", "bytes"},
    {"google.protobuf.DoubleValue", "value", "double"},
    {"google.protobuf.Duration", "nanos", "int"},
    {"google.protobuf.Duration", "seconds", "int"},
    {"google.protobuf.FloatValue", "value", "double"},
    {"google.protobuf.Int32Value", "value", "int"},
    {"google.protobuf.Int64Value", "value", "int"},
    {"google.protobuf.ListValue", "values", "list(dyn)"},
    {"google.protobuf.StringValue", "value", "string"},
    {"google.protobuf.Struct", "fields", "map(string, dyn)"},
    {"google.protobuf.Struct.FieldsEntry", "key", "string"},
    {"google.protobuf.Struct.FieldsEntry", "value", "dyn"},
    {"google.protobuf.Timestamp", "nanos", "int"},
    {"google.protobuf.Timestamp", "seconds", "int"},
    {"google.protobuf.UInt32Value", "value", "uint"},
    {"google.protobuf.UInt64Value", "value", "uint"},
    {"google.protobuf.Value", "bool_value", "bool"},
    {"google.protobuf.Value", "list_value", "list(dyn)"},
    {"google.protobuf.Value", "null_value", "int"},
    {"google.protobuf.Value", "number_value", "double"},
    {"google.protobuf.Value", "string_value", "string"},
    {"google.protobuf.Value", "struct_value", "map(string, dyn)"},
};

/* Rows of a table that one step of the budget pays for. */
#define ROWS_PER_STEP 4u

static const struct type *find_named(struct types *ts, const struct named *table, size_t count,
                                     struct str name)
{
    arena_pay(types_scratch(ts), count / ROWS_PER_STEP);
    for (size_t i = 0; i < count; i++) {
        if (str_eq(str_of(table[i].name), name))
            return decl_read_type(ts, table[i].type, decl_types);
    }
    return NULL;
}

static bool is_plain_message(struct str name)
{
    for (size_t i = 0; i < COUNT(plain_messages); i++) {
        if (str_eq(str_of(plain_messages[i]), name))
            return true;
    }
    return false;
}

/* The innermost of lists, maps, optionals and types of types. */
static const struct type *element_of(const struct type *t)
{
    while (t->param_count > 0)
        t = t->params[t->param_count - 1];
    return t;
}

bool provider_is_declared(const struct type *t)
{
    return t->kind == TYPE_OBJECT && t->ops != NULL;
}

void provider_init(struct provider *p, struct types *ts, const struct env *env,
                   const struct variable *variables, size_t variable_count)
{
    *p = (struct provider){
        .ts = ts, .level = env_level(env), .variables = variables, .variable_count = variable_count};
    p->has_keyword_fields = env_kubernetes(env)->has_keyword_fields;
    p->has_mutation_types = env_is_mutating(env);
    p->has_generic_idents = !env_celgo(env)->has_scopes;
    p->optional_name = env_celgo(env)->has_optional_type ? STR("optional_type") : STR("optional");
    p->has_typed_optionals = env_celgo(env)->has_typed_optionals;
    for (size_t i = 0; i < variable_count; i++)
        p->has_declared |=
            variables[i].from_schema != NULL || provider_is_declared(element_of(variables[i].type));
}

const struct type *provider_ident(const struct provider *p, struct str name)
{
    const struct type *found = NULL;
    if (p->has_generic_idents)
        found = find_named(p->ts, generic_idents, COUNT(generic_idents), name);
    if (found == NULL)
        found = find_named(p->ts, idents, COUNT(idents), name);
    if (found != NULL)
        return found;
    if (str_eq(name, p->optional_name))
        return p->has_typed_optionals ? types_optional(p->ts, &type_dyn) : types_opaque(p->ts, name, NULL, 0);
    for (const struct decl_type *t = decl_types; t->name != NULL; t++) {
        if (t->kind == TYPE_OPAQUE && t->since <= p->level && str_eq(str_of(t->full_name), name))
            return types_opaque(p->ts, name, NULL, 0);
    }
    return is_plain_message(name) ? types_object(p->ts, name, NULL, NULL) : NULL;
}

/* Sets *rest to the part of `name` after `prefix` and a dot; false if `name` does not begin so. */
static bool after_prefix(struct str name, struct str prefix, struct str *rest)
{
    if (!str_has_prefix(name, prefix) || name.len <= prefix.len || name.at[prefix.len] != '.')
        return false;
    *rest = (struct str){name.at + prefix.len + 1, name.len - prefix.len - 1};
    return true;
}

/*
 * The type that a dotted way of fields leads to, provided that it is called
 * `name`: lists and maps are registered under the way, objects under their name.
 */
static const struct type *walk(struct types *ts, const struct type *root, struct str way, struct str name)
{
    const struct type *t = root;
    while (way.len != 0) {
        arena_pay(types_scratch(ts), 1 + way.len / ARENA_STEP_BYTES);
        const char *dot = memchr(way.at, '.', way.len);
        struct str field = {way.at, dot == NULL ? way.len : (size_t)(dot - way.at)};
        way.at += field.len + (dot != NULL);
        way.len -= field.len + (dot != NULL);
        if (!provider_is_declared(t))
            return NULL;
        t = t->ops->field(t, field, ts);
        if (t == NULL)
            return NULL;
    }
    bool is_known =
        provider_is_declared(t) ? str_eq(t->name, name) : t->kind == TYPE_LIST || t->kind == TYPE_MAP;
    return is_known ? t : NULL;
}

static const struct type *find_declared(const struct provider *p, struct str name)
{
    for (size_t i = 0; i < p->variable_count; i++) {
        const struct type *root = element_of(p->variables[i].type), *made = p->variables[i].from_schema;
        if (made != NULL && made->kind == TYPE_MAP && str_eq(name, STR("map")))
            return made; /* schemas' maps are called so */
        if (!provider_is_declared(root) || p->variables[i].anonymous)
            continue;
        if (str_eq(root->name, name))
            return root;
        const struct type *found = root->ops->find == NULL ? NULL : root->ops->find(root, name, p->ts);
        struct str way;
        if (found == NULL && after_prefix(name, root->name, &way))
            found = walk(p->ts, root, way, name);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* The type of that name that Kubernetes' own provider has; NULL if there is none. */
static const struct type *find_own(const struct provider *p, struct str name)
{
    const struct type *found = p->has_mutation_types ? mutation_types_type(p->ts, name) : NULL;
    if (found == NULL && p->has_declared)
        found = find_declared(p, name);
    return found == NULL && p->has_declared ? find_named(p->ts, scalars, COUNT(scalars), name) : found;
}

bool provider_declares(const struct provider *p, struct str name)
{
    return find_own(p, name) != NULL;
}

const struct type *provider_struct(const struct provider *p, struct str name)
{
    const struct type *found = find_own(p, name);
    if (found == NULL)
        found = find_named(p->ts, messages, COUNT(messages), name);
    if (found == NULL && is_plain_message(name))
        found = types_object(p->ts, name, NULL, NULL);
    return found;
}

bool provider_is_enum_value(struct str name)
{
    return str_eq(name, STR("google.protobuf.NullValue.NULL_VALUE"));
}

/* Returns true if `first` is the first component of `name`, or all of it. */
static bool begins(struct str name, struct str first)
{
    return str_has_prefix(name, first) && (name.len == first.len || name.at[first.len] == '.');
}

bool provider_may_know(const struct provider *p, struct str first)
{
    if (str_eq(first, STR("google")) || (p->has_mutation_types && mutation_types_is_object(first)))
        return true;
    for (const struct decl_type *t = decl_types; t->name != NULL; t++) {
        bool may_begin = t->kind == TYPE_OPAQUE && first.len > 0 && t->full_name[0] == first.at[0];
        if (may_begin && begins(str_of(t->full_name), first))
            return true;
    }
    for (size_t i = 0; i < p->variable_count; i++) {
        const struct type *root = element_of(p->variables[i].type);
        if (provider_is_declared(root) && !p->variables[i].anonymous && begins(root->name, first))
            return true;
    }
    return false;
}

static enum provider_found message_field(const struct provider *p, struct str message, struct str field,
                                         const struct type **type)
{
    for (size_t i = 0; i < COUNT(fields); i++) {
        if (!str_eq(str_of(fields[i].message), message) || !str_eq(str_of(fields[i].field), field))
            continue;
        *type = decl_read_type(p->ts, fields[i].type, decl_types);
        return PROVIDER_FOUND;
    }
    return is_plain_message(message) || find_named(p->ts, messages, COUNT(messages), message) != NULL
               ? PROVIDER_NO_FIELD
               : PROVIDER_NO_TYPE;
}

enum provider_found provider_declared_field(const struct provider *p, const struct type *object,
                                            struct str field, const struct type **type)
{
    bool is_hidden = object->ops->escapes_keywords && !p->has_keyword_fields && reserved_has(field);
    *type = is_hidden ? NULL : object->ops->field(object, field, p->ts);
    return *type == NULL ? PROVIDER_NO_FIELD : PROVIDER_FOUND;
}

enum provider_found provider_field(const struct provider *p, struct str type_name, struct str field,
                                   const struct type **type)
{
    const struct type *declared = NULL;
    if (p->has_declared) {
        declared = find_declared(p, type_name);
        if (declared == NULL)
            declared = find_named(p->ts, scalars, COUNT(scalars), type_name);
    }
    if (declared == NULL)
        return message_field(p, type_name, field, type);
    if (provider_is_declared(declared))
        return provider_declared_field(p, declared, field, type);
    *type = declared->kind == TYPE_MAP ? declared->params[1] : NULL;
    return *type == NULL ? PROVIDER_NO_FIELD : PROVIDER_FOUND;
}

struct str provider_message_name(struct types *ts, const struct type *t)
{
    if (t->kind == TYPE_DYN)
        return STR("google.protobuf.Value");
    if (t->kind == TYPE_NULL)
        return STR("google.protobuf.NullValue");
    for (size_t i = 0; i < COUNT(messages) && t->kind != TYPE_OBJECT; i++) {
        if (decl_read_type(ts, messages[i].type, decl_types) == t)
            return str_of(messages[i].name);
    }
    return STR("");
}

const struct type *provider_object(struct types *ts, struct str name)
{
    if (str_eq(name, STR("google.protobuf.NullValue")))
        return &type_null;
    const struct type *message = find_named(ts, messages, COUNT(messages), name);
    return message != NULL ? message : types_object(ts, name, NULL, NULL);
}
