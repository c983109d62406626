#include "typecheck/cel/schema/request_schema.h"

#include <string.h>

#include "typecheck/cel/schema/schema_document.h"

#define META           "io.k8s.apimachinery.pkg.apis.meta.v1."
#define CORE           "io.k8s.api.core.v1."
#define ADMISSION      "io.k8s.api.admission.v1."
#define AUTHENTICATION "io.k8s.api.authentication.v1."

#define REF(name)            "{\"$ref\":\"#/components/schemas/" name "\"}"
#define STRING               "{\"type\":\"string\"}"
#define INTEGER              "{\"type\":\"integer\"}"
#define BOOLEAN              "{\"type\":\"boolean\"}"
#define LIST(item)           "{\"type\":\"array\",\"items\":" item "}"
#define MAP(item)            "{\"type\":\"object\",\"additionalProperties\":" item "}"
#define RAW                  REF("io.k8s.apimachinery.pkg.runtime.RawExtension")
#define FIELD(name, t)       "\"" name "\":" t
#define STRUCT(name, fields) "\"" name "\":{\"type\":\"object\",\"properties\":{" fields "}}"
#define KIND(name, fields, group, kind)                                                                      \
    "\"" name "\":{\"type\":\"object\",\"properties\":{" fields                                              \
    "},\"x-kubernetes-group-version-kind\":[{\"group\":\"" group "\",\"version\":\"v1\",\"kind\":\"" kind    \
    "\"}]}"

/* clang-format off */
static const char document[] = "{\"components\":{\"schemas\":{"
    KIND(ADMISSION "AdmissionRequest",
        FIELD("uid", STRING) "," FIELD("kind", REF(META "GroupVersionKind")) ","
        FIELD("resource", REF(META "GroupVersionResource")) "," FIELD("subResource", STRING) ","
        FIELD("requestKind", REF(META "GroupVersionKind")) ","
        FIELD("requestResource", REF(META "GroupVersionResource")) "," FIELD("requestSubResource", STRING) ","
        FIELD("name", STRING) "," FIELD("namespace", STRING) "," FIELD("operation", STRING) ","
        FIELD("userInfo", REF(AUTHENTICATION "UserInfo")) "," FIELD("object", RAW) ","
        FIELD("oldObject", RAW) "," FIELD("dryRun", BOOLEAN) "," FIELD("options", RAW),
        "admission.k8s.io", "AdmissionRequest") ","
    STRUCT(AUTHENTICATION "UserInfo",
        FIELD("username", STRING) "," FIELD("uid", STRING) "," FIELD("groups", LIST(STRING)) ","
        FIELD("extra", MAP(LIST(STRING)))) ","
    STRUCT(META "GroupVersionKind",
        FIELD("group", STRING) "," FIELD("version", STRING) "," FIELD("kind", STRING)) ","
    STRUCT(META "GroupVersionResource",
        FIELD("group", STRING) "," FIELD("version", STRING) "," FIELD("resource", STRING)) ","
    KIND(CORE "Namespace",
        FIELD("apiVersion", STRING) "," FIELD("kind", STRING) "," FIELD("metadata", REF(META "ObjectMeta")) ","
        FIELD("spec", REF(CORE "NamespaceSpec")) "," FIELD("status", REF(CORE "NamespaceStatus")),
        "", "Namespace") ","
    STRUCT(CORE "NamespaceSpec", FIELD("finalizers", LIST(STRING))) ","
    STRUCT(CORE "NamespaceStatus",
        FIELD("conditions", LIST(REF(CORE "NamespaceCondition"))) "," FIELD("phase", STRING)) ","
    STRUCT(CORE "NamespaceCondition",
        FIELD("lastTransitionTime", STRING) "," FIELD("message", STRING) "," FIELD("reason", STRING) ","
        FIELD("status", STRING) "," FIELD("type", STRING)) ","
    STRUCT(META "ObjectMeta",
        FIELD("annotations", MAP(STRING)) "," FIELD("creationTimestamp", STRING) ","
        FIELD("deletionGracePeriodSeconds", INTEGER) "," FIELD("deletionTimestamp", STRING) ","
        FIELD("finalizers", LIST(STRING)) "," FIELD("generateName", STRING) "," FIELD("generation", INTEGER) ","
        FIELD("labels", MAP(STRING)) "," FIELD("managedFields", LIST(REF(META "ManagedFieldsEntry"))) ","
        FIELD("name", STRING) "," FIELD("namespace", STRING) ","
        FIELD("ownerReferences", LIST(REF(META "OwnerReference"))) "," FIELD("resourceVersion", STRING) ","
        FIELD("selfLink", STRING) "," FIELD("uid", STRING)) ","
    STRUCT(META "ManagedFieldsEntry",
        FIELD("apiVersion", STRING) "," FIELD("fieldsType", STRING) ","
        FIELD("fieldsV1", REF(META "FieldsV1")) "," FIELD("manager", STRING) "," FIELD("operation", STRING) ","
        FIELD("subresource", STRING) "," FIELD("time", STRING)) ","
    STRUCT(META "OwnerReference",
        FIELD("apiVersion", STRING) "," FIELD("blockOwnerDeletion", BOOLEAN) "," FIELD("controller", BOOLEAN) ","
        FIELD("kind", STRING) "," FIELD("name", STRING) "," FIELD("uid", STRING)) ","
    KIND(CORE "PodExecOptions",
        FIELD("apiVersion", STRING) "," FIELD("kind", STRING) "," FIELD("stdin", BOOLEAN) ","
        FIELD("stdout", BOOLEAN) "," FIELD("stderr", BOOLEAN) "," FIELD("tty", BOOLEAN) ","
        FIELD("container", STRING) "," FIELD("command", LIST(STRING)),
        "", "PodExecOptions") ","
    KIND(CORE "PodAttachOptions",
        FIELD("apiVersion", STRING) "," FIELD("kind", STRING) "," FIELD("stdin", BOOLEAN) ","
        FIELD("stdout", BOOLEAN) "," FIELD("stderr", BOOLEAN) "," FIELD("tty", BOOLEAN) ","
        FIELD("container", STRING),
        "", "PodAttachOptions") ","
    KIND(CORE "PodPortForwardOptions",
        FIELD("apiVersion", STRING) "," FIELD("kind", STRING) "," FIELD("ports", LIST(INTEGER)),
        "", "PodPortForwardOptions") ","
    "\"" META "FieldsV1\":{\"type\":\"object\"},"
    "\"io.k8s.apimachinery.pkg.runtime.RawExtension\":{\"type\":\"object\"}}}}";
/* clang-format on */

struct schema *request_schema_new(void)
{
    char message[SCHEMA_MESSAGE_BYTES];
    return schema_new(document, sizeof document - 1, message, sizeof message, NULL);
}

static struct go_type find(const struct schema *doc, struct str group, struct str kind)
{
    struct go_type type = {.doc = doc};
    (void)go_type_of_resource(doc, schema_find(doc, group, STR("v1"), kind), &type);
    return type;
}

bool request_schema_options(const struct schema *doc, struct str kind, struct go_type *out)
{
    const struct schema_node *root = schema_find(doc, STR(""), STR("v1"), kind);
    return root != NULL && go_type_of_resource(doc, root, out);
}

struct go_type request_schema_request(const struct schema *doc)
{
    return find(doc, STR("admission.k8s.io"), STR("AdmissionRequest"));
}

struct go_type request_schema_namespace(const struct schema *doc)
{
    return find(doc, STR(""), STR("Namespace"));
}
