#include "typecheck/types/admission_types.h"

#include "typecheck/base/str.h"
#include "typecheck/types/type.h"

/*
 * An object, and "NAME TYPE" of its fields. A type that begins with "kubernetes."
 * is another object of this table; list(...) and map(string, ...) nest.
 */
static const struct {
    const char *name, *fields;
} objects[] = {
    {"kubernetes.AdmissionRequest",
     "kind kubernetes.GroupVersionKind; resource kubernetes.GroupVersionResource; subResource string; "
     "requestKind kubernetes.GroupVersionKind; requestResource kubernetes.GroupVersionResource; "
     "requestSubResource string; name string; namespace string; operation string; "
     "userInfo kubernetes.UserInfo; dryRun bool; options dyn"},
    {"kubernetes.GroupVersionKind", "group string; version string; kind string"},
    {"kubernetes.GroupVersionResource", "group string; version string; resource string"},
    {"kubernetes.UserInfo",
     "username string; uid string; groups list(string); extra map(string, list(string))"},
    {"kubernetes.Namespace", "metadata kubernetes.NamespaceMetadata; spec kubernetes.NamespaceSpec; "
                             "status kubernetes.NamespaceStatus"},
    {"kubernetes.NamespaceMetadata",
     "name string; generateName string; namespace string; labels map(string, string); "
     "annotations map(string, string); UID string; creationTimestamp timestamp; "
     "deletionGracePeriodSeconds int; deletionTimestamp timestamp; generation int; "
     "resourceVersion string; finalizers list(string)"},
    {"kubernetes.NamespaceSpec", "finalizers list(string)"},
    {"kubernetes.NamespaceStatus", "conditions list(kubernetes.NamespaceCondition); phase string"},
    {"kubernetes.NamespaceCondition",
     "status string; type string; lastTransitionTime timestamp; message string; reason string"},
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

/* "": there is no such object. */
static const char *fields_of(struct str object)
{
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        if (str_eq(object, str_of(objects[i].name)))
            return objects[i].fields;
    }
    return "";
}

static const struct type *admission_field(const struct type *object, struct str name, struct types *ts)
{
    for (const char *at = fields_of(object->name), *end; *at != '\0'; at = end + strspn(end, "; ")) {
        const size_t len = strcspn(at, " "), whole = strcspn(at, ";");
        end = at + whole;
        if (str_eq((struct str){at, len}, name))
            return read_type(ts, (struct str){at + len + 1, whole - len - 1});
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
    const bool is_declared = is_of_namespace(root->name) == is_of_namespace(name) && *fields_of(name) != '\0';
    return is_declared ? object_type(ts, name) : NULL;
}

const struct type *admission_types_request_type(struct types *ts)
{
    return object_type(ts, STR("kubernetes.AdmissionRequest"));
}

const struct type *admission_types_namespace_type(struct types *ts)
{
    return object_type(ts, STR("kubernetes.Namespace"));
}

bool admission_types_name(const struct type *object, size_t index, struct str *out)
{
    const char *at = object->ops == &admission_ops ? fields_of(object->name) : "";
    for (; index > 0 && *at != '\0'; index--) {
        at += strcspn(at, ";");
        at += strspn(at, "; ");
    }
    *out = (struct str){at, strcspn(at, " ")};
    return *at != '\0';
}
