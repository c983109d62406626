#include "typecheck/types/admission_types.h"

#include "typecheck/base/str.h"
#include "typecheck/types/type.h"

/*
 * One line a field: the object it belongs to, its name, its type. A type that
 * begins with "kubernetes." is another object of this table; list(...) and
 * map(string, ...) nest.
 */
struct admission_field {
    const char *object, *name, *type;
};

static const struct admission_field fields[] = {
    {"kubernetes.AdmissionRequest", "kind", "kubernetes.GroupVersionKind"},
    {"kubernetes.AdmissionRequest", "resource", "kubernetes.GroupVersionResource"},
    {"kubernetes.AdmissionRequest", "subResource", "string"},
    {"kubernetes.AdmissionRequest", "requestKind", "kubernetes.GroupVersionKind"},
    {"kubernetes.AdmissionRequest", "requestResource", "kubernetes.GroupVersionResource"},
    {"kubernetes.AdmissionRequest", "requestSubResource", "string"},
    {"kubernetes.AdmissionRequest", "name", "string"},
    {"kubernetes.AdmissionRequest", "namespace", "string"},
    {"kubernetes.AdmissionRequest", "operation", "string"},
    {"kubernetes.AdmissionRequest", "userInfo", "kubernetes.UserInfo"},
    {"kubernetes.AdmissionRequest", "dryRun", "bool"},
    {"kubernetes.AdmissionRequest", "options", "dyn"},

    {"kubernetes.GroupVersionKind", "group", "string"},
    {"kubernetes.GroupVersionKind", "version", "string"},
    {"kubernetes.GroupVersionKind", "kind", "string"},

    {"kubernetes.GroupVersionResource", "group", "string"},
    {"kubernetes.GroupVersionResource", "version", "string"},
    {"kubernetes.GroupVersionResource", "resource", "string"},

    {"kubernetes.UserInfo", "username", "string"},
    {"kubernetes.UserInfo", "uid", "string"},
    {"kubernetes.UserInfo", "groups", "list(string)"},
    {"kubernetes.UserInfo", "extra", "map(string, list(string))"},

    {"kubernetes.Namespace", "metadata", "kubernetes.NamespaceMetadata"},
    {"kubernetes.Namespace", "spec", "kubernetes.NamespaceSpec"},
    {"kubernetes.Namespace", "status", "kubernetes.NamespaceStatus"},

    {"kubernetes.NamespaceMetadata", "name", "string"},
    {"kubernetes.NamespaceMetadata", "generateName", "string"},
    {"kubernetes.NamespaceMetadata", "namespace", "string"},
    {"kubernetes.NamespaceMetadata", "labels", "map(string, string)"},
    {"kubernetes.NamespaceMetadata", "annotations", "map(string, string)"},
    {"kubernetes.NamespaceMetadata", "UID", "string"},
    {"kubernetes.NamespaceMetadata", "creationTimestamp", "timestamp"},
    {"kubernetes.NamespaceMetadata", "deletionGracePeriodSeconds", "int"},
    {"kubernetes.NamespaceMetadata", "deletionTimestamp", "timestamp"},
    {"kubernetes.NamespaceMetadata", "generation", "int"},
    {"kubernetes.NamespaceMetadata", "resourceVersion", "string"},
    {"kubernetes.NamespaceMetadata", "finalizers", "list(string)"},

    {"kubernetes.NamespaceSpec", "finalizers", "list(string)"},

    {"kubernetes.NamespaceStatus", "conditions", "list(kubernetes.NamespaceCondition)"},
    {"kubernetes.NamespaceStatus", "phase", "string"},

    {"kubernetes.NamespaceCondition", "status", "string"},
    {"kubernetes.NamespaceCondition", "type", "string"},
    {"kubernetes.NamespaceCondition", "lastTransitionTime", "timestamp"},
    {"kubernetes.NamespaceCondition", "message", "string"},
    {"kubernetes.NamespaceCondition", "reason", "string"},
};

static const struct type *admission_field(const struct type *object, struct str name, struct types *ts);

static const struct type *admission_find(const struct type *root, struct str name, struct types *ts);

static bool admission_key(const struct type *object, struct str name, struct types *ts,
                          struct object_entry *out);

static const struct object_ops admission_ops = {
    .field = admission_field, .key = admission_key, .find = admission_find};

static const struct type *object_type(struct types *ts, struct str name)
{
    return types_object(ts, name, &admission_ops, NULL);
}

/* The text between a prefix such as "list(" and the last ")". */
static struct str inside(struct str type, struct str prefix)
{
    return (struct str){type.at + prefix.len, type.len - prefix.len - 1};
}

static const struct type *read_type(struct types *ts, struct str type)
{
    static const struct {
        struct str name;
        const struct type *type;
    } scalars[] = {
        {STR_INIT("string"), &type_string}, {STR_INIT("bool"), &type_bool},
        {STR_INIT("int"), &type_int},       {STR_INIT("timestamp"), &type_timestamp},
        {STR_INIT("dyn"), &type_dyn},
    };
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        if (str_eq(type, scalars[i].name))
            return scalars[i].type;
    }
    const struct str list = STR("list("), map = STR("map(string, ");
    if (str_has_prefix(type, list))
        return types_list(ts, read_type(ts, inside(type, list)));
    if (str_has_prefix(type, map))
        return types_map(ts, &type_string, read_type(ts, inside(type, map)));
    return object_type(ts, type);
}

static const struct type *admission_field(const struct type *object, struct str name, struct types *ts)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (str_eq(object->name, str_of(fields[i].object)) && str_eq(name, str_of(fields[i].name)))
            return read_type(ts, str_of(fields[i].type));
    }
    return NULL;
}

/* What is there at evaluation is JSON: times are strings, and a namespace's uid is not called "UID". */
static bool admission_key(const struct type *object, struct str name, struct types *ts,
                          struct object_entry *out)
{
    *out = (struct object_entry){.type = &type_string};
    if (str_eq(object->name, STR("kubernetes.NamespaceMetadata")) &&
        (str_eq(name, STR("UID")) || str_eq(name, STR("uid"))))
        return name.at[0] == 'u';
    const struct type *found = admission_field(object, name, ts);
    out->may_be_null = found == &type_timestamp;
    if (found != &type_timestamp)
        out->type = found == &type_dyn ? &type_json : found;
    return found != NULL;
}

static bool is_of_namespace(struct str object)
{
    return str_has_prefix(object, STR("kubernetes.Namespace"));
}

/* All objects of the table belong either to the request or to the namespace. */
static const struct type *admission_find(const struct type *root, struct str name, struct types *ts)
{
    if (is_of_namespace(root->name) != is_of_namespace(name))
        return NULL;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (str_eq(name, str_of(fields[i].object)))
            return object_type(ts, name);
    }
    return NULL;
}

const struct type *admission_types_request_type(struct types *ts)
{
    return object_type(ts, STR("kubernetes.AdmissionRequest"));
}

const struct type *admission_types_namespace_type(struct types *ts)
{
    return object_type(ts, STR("kubernetes.Namespace"));
}
