#include "controller/apiserver/crd/composite.h"

#include <string.h>

#include "client/base/err.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdversion.h"

#define GROUP "apiextensions.crossplane.io/"

/* The length that a name can have as the value of a label. */
enum { NAME_MAX_LENGTH = 63 };

/* ---- Crossplane's own fields ---- */

#define STRING_FIELD "{\"type\":\"string\"}"
#define NAMED        "{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":" STRING_FIELD "}}"
#define SELECTOR                                                                                             \
    "{\"type\":\"object\",\"required\":[\"matchLabels\"],\"properties\":{\"matchLabels\":"                   \
    "{\"type\":\"object\",\"additionalProperties\":" STRING_FIELD "}}}"
#define CHOICE(a, b) "{\"type\":\"string\",\"enum\":[\"" a "\",\"" b "\"]}"
#define COMPOSITION                                                                                          \
    "\"compositionRef\":" NAMED ",\"compositionSelector\":" SELECTOR ",\"compositionRevisionRef\":" NAMED    \
    ",\"compositionRevisionSelector\":" SELECTOR                                                             \
    ",\"compositionUpdatePolicy\":" CHOICE("Automatic", "Manual")
#define RESOURCE_REFS(namespace)                                                                             \
    "\"resourceRefs\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"atomic\",\"items\":"                  \
    "{\"type\":\"object\",\"required\":[\"apiVersion\",\"kind\"],\"properties\":{"                           \
    "\"apiVersion\":" STRING_FIELD ",\"name\":" STRING_FIELD "," namespace "\"kind\":" STRING_FIELD "}}}"
#define OTHER_NAMESPACE "\"namespace\":" STRING_FIELD ","
#define NESTED(fields)  "{\"crossplane\":{\"type\":\"object\",\"properties\":{" fields "}}}"

static const char namespaced_spec[] = NESTED(COMPOSITION "," RESOURCE_REFS(""));
static const char cluster_spec[] = NESTED(COMPOSITION "," RESOURCE_REFS(OTHER_NAMESPACE));
static const char legacy_spec[] = "{" COMPOSITION "," RESOURCE_REFS(
    OTHER_NAMESPACE) ","
                     "\"claimRef\":{\"type\":\"object\",\"required\":[\"apiVersion\",\"kind\",\"namespace\","
                     "\"name\"],"
                     "\"properties\":{\"apiVersion\":" STRING_FIELD ",\"kind\":" STRING_FIELD
                     ",\"namespace\":" STRING_FIELD ",\"name\":" STRING_FIELD "}},"
                     "\"writeConnectionSecretToRef\":{\"type\":\"object\",\"required\":[\"name\","
                     "\"namespace\"],"
                     "\"properties\":{\"name\":" STRING_FIELD ",\"namespace\":" STRING_FIELD "}}}";
static const char claim_spec[] = "{" COMPOSITION ",\"compositeDeletePolicy\":" CHOICE(
    "Background",
    "Foreground") ","
                  "\"resourceRef\":{\"type\":\"object\",\"required\":[\"apiVersion\",\"kind\",\"name\"],"
                  "\"properties\":{\"apiVersion\":" STRING_FIELD ",\"kind\":" STRING_FIELD
                  ",\"name\":" STRING_FIELD "}},"
                  "\"writeConnectionSecretToRef\":" NAMED "}";

#define TIME_FIELD "{\"type\":\"string\",\"format\":\"date-time\"}"
#define CONDITIONS                                                                                           \
    "\"conditions\":{\"description\":\"Conditions of the resource.\",\"type\":\"array\","                    \
    "\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"type\"],\"items\":"                \
    "{\"type\":\"object\",\"required\":[\"lastTransitionTime\",\"reason\",\"status\",\"type\"],"             \
    "\"properties\":{\"lastTransitionTime\":" TIME_FIELD ",\"message\":" STRING_FIELD                        \
    ",\"reason\":" STRING_FIELD ",\"status\":" STRING_FIELD ",\"type\":" STRING_FIELD                        \
    ",\"observedGeneration\":{\"type\":\"integer\",\"format\":\"int64\"}}}}"

static const char modern_status[] = "{" CONDITIONS "}";
static const char legacy_status[] =
    "{" CONDITIONS ",\"connectionDetails\":{\"type\":\"object\",\"properties\":{"
    "\"lastPublishedTime\":" TIME_FIELD "}},\"claimConditionTypes\":{\"type\":\"array\","
    "\"x-kubernetes-list-type\":\"set\",\"items\":" STRING_FIELD "}}";

/* ---- the definition ---- */

enum scope { SCOPE_LEGACY, SCOPE_NAMESPACED, SCOPE_CLUSTER };

static bool is_version(struct json_object *definition, const char *api_version)
{
    return jsonval_is(definition, "apiVersion", api_version);
}

/* The default of the scope depends on the version. */
static enum scope scope_of(struct json_object *definition)
{
    struct json_object *spec = jsonval_get(definition, "spec");
    if (jsonval_is(spec, "scope", "Cluster"))
        return SCOPE_CLUSTER;
    const bool is_default = *jsonval_string_or_empty(spec, "scope") == '\0';
    return jsonval_is(spec, "scope", "Namespaced") || (is_default && is_version(definition, GROUP "v2"))
               ? SCOPE_NAMESPACED
               : SCOPE_LEGACY;
}

static struct json_object *parse(const char *text)
{
    struct json_object *value = NULL;
    struct err err;
    return jsonval_parse(text, strlen(text), &value, &err) == 0 ? value : NULL;
}

/* Puts a member of one object into another; nothing where it has none. */
static void copy(struct json_object *to, struct json_object *from, const char *key)
{
    struct json_object *value = jsonval_get(from, key);
    if (value != NULL)
        jsonval_set(to, key, json_object_get(value));
}

static void put_string(struct json_object *to, const char *key, const char *value)
{
    jsonval_set(to, key, json_object_new_string(value));
}

/* ---- a schema ---- */

/* The fields that Crossplane adds: all versions share them. */
struct own_fields {
    struct json_object *spec, *status;
};

/* The texts of these fields. */
struct own_texts {
    const char *spec, *status;
    bool is_nested;     /* those of `spec` are in `spec.crossplane` */
    const char *choice; /* the one of `spec` that has a default */
    const char *value;  /* the default */
};

/* Gives one field of `spec` its default. */
static void put_default(struct json_object *fields, const struct own_texts *own)
{
    struct json_object *in = fields;
    if (own->is_nested)
        in = jsonval_get(jsonval_get(fields, "crossplane"), "properties");
    put_string(jsonval_get(in, own->choice), "default", own->value);
}

/* The author's fields, behind them Crossplane's own, which replace equal ones. */
static struct json_object *join_fields(struct json_object *theirs, struct json_object *added)
{
    struct json_object *fields = jsonval_copy(theirs);
    jsonval_each(added, name, schema)
    {
        jsonval_set(fields, name, json_object_get(schema));
    }
    return fields;
}

/* `spec` or `status`. */
static struct json_object *make_field(struct json_object *theirs, struct json_object *own)
{
    static const char *const copied[] = {"required", "x-kubernetes-validations", "oneOf", "description"};
    struct json_object *field = json_object_new_object();
    put_string(field, "type", "object");
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        copy(field, theirs, copied[i]);
    jsonval_set(field, "properties", join_fields(jsonval_get(theirs, "properties"), own));
    return field;
}

/* Its name alone has a schema, with a bound that the author can lower. */
static struct json_object *make_metadata(struct json_object *theirs)
{
    struct json_object *metadata = json_object_new_object(), *fields = json_object_new_object();
    struct json_object *name = json_object_new_object();
    struct json_object *given = jsonval_get(jsonval_get(theirs, "properties"), "name");
    const int64_t most = jsonval_int(given, "maxLength", NAME_MAX_LENGTH);
    put_string(name, "type", "string");
    jsonval_set(name, "maxLength", json_object_new_int64(most < NAME_MAX_LENGTH ? most : NAME_MAX_LENGTH));
    jsonval_set(fields, "name", name);
    put_string(metadata, "type", "object");
    jsonval_set(metadata, "properties", fields);
    return metadata;
}

static struct json_object *make_schema(struct json_object *theirs, const struct own_fields *own)
{
    struct json_object *given = jsonval_get(theirs, "properties");
    struct json_object *schema = json_object_new_object(), *fields = json_object_new_object();
    struct json_object *spec = make_field(jsonval_get(given, "spec"), own->spec);
    copy(spec, jsonval_get(given, "spec"), "x-kubernetes-preserve-unknown-fields");
    jsonval_set(fields, "apiVersion", parse(STRING_FIELD));
    jsonval_set(fields, "kind", parse(STRING_FIELD));
    jsonval_set(fields, "metadata", make_metadata(jsonval_get(given, "metadata")));
    jsonval_set(fields, "spec", spec);
    jsonval_set(fields, "status", make_field(jsonval_get(given, "status"), own->status));
    put_string(schema, "type", "object");
    jsonval_set(schema, "required", parse("[\"spec\"]"));
    copy(schema, theirs, "description");
    copy(schema, theirs, "x-kubernetes-validations");
    jsonval_set(schema, "properties", fields);
    return schema;
}

/* ---- the versions and the names ---- */

/* If a version has no schema, Crossplane makes no definition at all. */
static struct json_object *make_version(struct json_object *theirs, const struct own_fields *own)
{
    static const char *const copied[] = {"name", "served", "deprecated", "deprecationWarning",
                                         "additionalPrinterColumns"};
    struct json_object *version = json_object_new_object(), *subresources = json_object_new_object();
    struct json_object *schema = crdversion_schema(theirs);
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        copy(version, theirs, copied[i]);
    jsonval_set(version, "storage", json_object_new_boolean(jsonval_is_true(theirs, "referenceable")));
    jsonval_set(subresources, "status", json_object_new_object());
    copy(subresources, jsonval_get(theirs, "subresources"), "scale");
    jsonval_set(version, "subresources", subresources);
    if (json_object_is_type(schema, json_type_object)) {
        struct json_object *wrapped = json_object_new_object();
        jsonval_set(wrapped, "openAPIV3Schema", make_schema(schema, own));
        jsonval_set(version, "schema", wrapped);
    }
    return version;
}

/* A policy of the definition, or its default. */
static const char *policy_of(struct json_object *spec, const char *key, const char *otherwise)
{
    const char *given = jsonval_string_or_empty(spec, key);
    return *given == '\0' ? otherwise : given;
}

static struct own_texts own_texts_of(struct json_object *spec, enum scope scope, enum composite_part part)
{
    struct own_texts own = {.spec = legacy_spec, .status = legacy_status};
    own.choice = "compositionUpdatePolicy";
    own.value = policy_of(spec, "defaultCompositionUpdatePolicy", "Automatic");
    if (part == COMPOSITE_CLAIM) {
        own.spec = claim_spec;
        own.choice = "compositeDeletePolicy";
        own.value = policy_of(spec, "defaultCompositeDeletePolicy", "Background");
    } else if (scope != SCOPE_LEGACY) {
        own.spec = scope == SCOPE_NAMESPACED ? namespaced_spec : cluster_spec;
        own.status = modern_status;
        own.is_nested = true;
    }
    return own;
}

static struct json_object *make_versions(struct json_object *theirs, const struct own_texts *texts)
{
    struct json_object *versions = json_object_new_array();
    const struct own_fields own = {parse(texts->spec), parse(texts->status)};
    put_default(own.spec, texts);
    for (size_t i = 0; i < jsonval_length(theirs); i++)
        jsonval_append(versions, make_version(jsonval_at(theirs, i), &own));
    json_object_put(own.spec);
    json_object_put(own.status);
    return versions;
}

/* A claim's definition is called after its names. */
static void put_name(struct json_object *crd, struct json_object *definition, struct json_object *names,
                     enum composite_part part)
{
    struct json_object *metadata = json_object_new_object();
    const char *plural = jsonval_string_or_empty(names, "plural");
    const char *group = jsonval_string_or_empty(jsonval_get(definition, "spec"), "group");
    cleanup_mem char *name = mem_printf("%s.%s", plural, group);
    put_string(metadata, "name", part == COMPOSITE_CLAIM ? name : jsonval_metadata(definition, "name"));
    jsonval_set(crd, "metadata", metadata);
}

struct json_object *composite_make(struct json_object *definition, enum composite_part part)
{
    const enum scope scope = scope_of(definition);
    const bool is_namespaced = part == COMPOSITE_CLAIM || scope == SCOPE_NAMESPACED;
    struct json_object *given = jsonval_get(definition, "spec");
    const struct own_texts own = own_texts_of(given, scope, part);
    struct json_object *names = jsonval_get(given, part == COMPOSITE_CLAIM ? "claimNames" : "names");
    struct json_object *theirs = jsonval_array(given, "versions");
    if (names == NULL && part == COMPOSITE_CLAIM)
        return NULL;
    struct json_object *crd = json_object_new_object(), *spec = json_object_new_object();
    put_string(crd, "apiVersion", "apiextensions.k8s.io/v1");
    put_string(crd, "kind", "CustomResourceDefinition");
    put_name(crd, definition, names, part);
    copy(spec, given, "group");
    if (names != NULL)
        jsonval_set(spec, "names", json_object_get(names));
    put_string(spec, "scope", is_namespaced ? "Namespaced" : "Cluster");
    jsonval_set(spec, "versions", make_versions(theirs, &own));
    jsonval_set(crd, "spec", spec);
    return crd;
}
