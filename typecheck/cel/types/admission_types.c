#include "typecheck/cel/types/admission_types.h"

#include "typecheck/base/str.h"
#include "typecheck/cel/types/type.h"

/*
 * An object, and "NAME TYPE" of its fields. A type that begins with "kubernetes."
 * is another object of the same table; list(...) and map(string, ...) nest. Each
 * variable has a table, which its root begins and a row without a name ends.
 */
struct row {
    const char *name, *fields;
};

#define USER_INFO                                                                                            \
    {                                                                                                        \
        "kubernetes.UserInfo",                                                                               \
            "username string; uid string; groups list(string); extra map(string, list(string))"              \
    }

static const struct row request_rows[] = {
    {"kubernetes.AdmissionRequest",
     "kind kubernetes.GroupVersionKind; resource kubernetes.GroupVersionResource; subResource string; "
     "requestKind kubernetes.GroupVersionKind; requestResource kubernetes.GroupVersionResource; "
     "requestSubResource string; name string; namespace string; operation string; "
     "userInfo kubernetes.UserInfo; dryRun bool; options dyn"},
    {"kubernetes.GroupVersionKind", "group string; version string; kind string"},
    {"kubernetes.GroupVersionResource", "group string; version string; resource string"},
    USER_INFO,
    {NULL, NULL},
};

static const struct row namespace_rows[] = {
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
    {NULL, NULL},
};

static const struct row user_rows[] = {USER_INFO, {NULL, NULL}};

#define ACCESS_REVIEW                                                                                        \
    {                                                                                                        \
        "kubernetes.SubjectAccessReviewSpec",                                                                \
            "resourceAttributes kubernetes.ResourceAttributes; "                                             \
            "nonResourceAttributes kubernetes.NonResourceAttributes; user string; groups list(string); "     \
            "extra map(string, list(string)); uid string"                                                    \
    }
#define RESOURCE_ATTRIBUTES                                                                                  \
    "namespace string; verb string; group string; version string; resource string; subresource string; "     \
    "name string"
#define NON_RESOURCE_ATTRIBUTES                                                                              \
    {                                                                                                        \
        "kubernetes.NonResourceAttributes", "path string; verb string"                                       \
    }
#define SELECTOR_FIELDS "rawSelector string; requirements list(kubernetes.SelectorRequirement)"

static const struct row access_review_rows[] = {
    ACCESS_REVIEW,
    {"kubernetes.ResourceAttributes",
     RESOURCE_ATTRIBUTES "; fieldSelector kubernetes.FieldSelectorAttributes; "
                         "labelSelector kubernetes.LabelSelectorAttributes"},
    {"kubernetes.FieldSelectorAttributes", SELECTOR_FIELDS},
    {"kubernetes.LabelSelectorAttributes", SELECTOR_FIELDS},
    {"kubernetes.SelectorRequirement", "key string; operator string; values list(string)"},
    NON_RESOURCE_ATTRIBUTES,
    {NULL, NULL},
};

/* The types in releases in which selectors are not authorized. */
static const struct row old_access_review_rows[] = {
    ACCESS_REVIEW,
    {"kubernetes.ResourceAttributes", RESOURCE_ATTRIBUTES},
    NON_RESOURCE_ATTRIBUTES,
    {NULL, NULL},
};

#define DEVICE_FIELDS                                                                                        \
    "driver string; attributes map(string, map(string, any)); capacity map(string, map(string, Quantity))"

static const struct row device_rows[] = {
    {"kubernetes.DRADevice", DEVICE_FIELDS "; allowMultipleAllocations bool"},
    {NULL, NULL},
};

/* The types in releases in which a device is allocated only once. */
static const struct row old_device_rows[] = {{"kubernetes.DRADevice", DEVICE_FIELDS}, {NULL, NULL}};

static const struct type *admission_field(const struct type *object, struct str name, struct types *ts);

static const struct type *admission_find(const struct type *root, struct str name, struct types *ts);

static bool admission_key(const struct type *object, struct str name, struct types *ts,
                          struct object_entry *out);

static const struct object_ops admission_ops = {
    .field = admission_field, .key = admission_key, .find = admission_find, .declares = admission_types_name};

static const struct type *object_type(struct types *ts, const struct row *table, struct str name)
{
    return types_object(ts, name, &admission_ops, table);
}

static const struct type *root_type(struct types *ts, const struct row *table)
{
    return object_type(ts, table, str_of(table->name));
}

/* The text between a prefix such as "list(" and the last ")". */
static struct str inside(struct str type, struct str prefix)
{
    return (struct str){type.at + prefix.len, type.len - prefix.len - 1};
}

static const struct type *read_type(struct types *ts, const struct row *table, struct str type)
{
    static const struct {
        struct str name;
        const struct type *type;
    } scalars[] = {
        {STR_INIT("string"), &type_string}, {STR_INIT("bool"), &type_bool},
        {STR_INIT("int"), &type_int},       {STR_INIT("timestamp"), &type_timestamp},
        {STR_INIT("dyn"), &type_dyn},       {STR_INIT("any"), &type_any},
    };
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        if (str_eq(type, scalars[i].name))
            return scalars[i].type;
    }
    if (str_eq(type, STR("Quantity")))
        return types_object(ts, STR("kubernetes.Quantity"), NULL, NULL);
    const struct str list = STR("list("), map = STR("map(string, ");
    if (str_has_prefix(type, list))
        return types_list(ts, read_type(ts, table, inside(type, list)));
    if (str_has_prefix(type, map))
        return types_map(ts, &type_string, read_type(ts, table, inside(type, map)));
    return object_type(ts, table, type);
}

/* "": there is no such object. */
static const char *fields_of(const struct row *table, struct str object)
{
    while (table->name != NULL && !str_eq(object, str_of(table->name)))
        table++;
    return table->name == NULL ? "" : table->fields;
}

static const struct type *admission_field(const struct type *object, struct str name, struct types *ts)
{
    const struct row *table = object->data;
    for (const char *at = fields_of(table, object->name), *end; *at != '\0'; at = end + strspn(end, "; ")) {
        const size_t len = strcspn(at, " "), whole = strcspn(at, ";");
        end = at + whole;
        if (str_eq((struct str){at, len}, name))
            return read_type(ts, table, (struct str){at + len + 1, whole - len - 1});
    }
    return NULL;
}

/* The keys at evaluation, where the value is JSON: times are strings, and a namespace's uid is not called
 * "UID". */
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

static const struct type *admission_find(const struct type *root, struct str name, struct types *ts)
{
    const struct row *table = root->data;
    return *fields_of(table, name) == '\0' ? NULL : object_type(ts, table, name);
}

const struct type *admission_types_request_type(struct types *ts)
{
    return root_type(ts, request_rows);
}

const struct type *admission_types_namespace_type(struct types *ts)
{
    return root_type(ts, namespace_rows);
}

const struct type *admission_types_user_type(struct types *ts)
{
    return root_type(ts, user_rows);
}

const struct type *admission_types_access_review_type(struct types *ts, bool has_selectors)
{
    return root_type(ts, has_selectors ? access_review_rows : old_access_review_rows);
}

const struct type *admission_types_device_type(struct types *ts, bool has_multiple_allocations)
{
    return root_type(ts, has_multiple_allocations ? device_rows : old_device_rows);
}

bool admission_types_name(const struct type *object, size_t index, struct str *out)
{
    const char *at = object->ops == &admission_ops ? fields_of(object->data, object->name) : "";
    for (; index > 0 && *at != '\0'; index--) {
        at += strcspn(at, ";");
        at += strspn(at, "; ");
    }
    *out = (struct str){at, strcspn(at, " ")};
    return *at != '\0';
}
