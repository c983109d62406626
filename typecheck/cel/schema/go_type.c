#include "typecheck/cel/schema/go_type.h"

#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/property_name.h"

/* The type of the node at `index`, or of the component that its $ref refers to. */
static struct go_type type_at(const struct schema *doc, uint32_t index)
{
    uint32_t component = doc->nodes[index].component;
    if (component == 0 || component == SCHEMA_MISSING_REF)
        return (struct go_type){doc, index, 0};
    return (struct go_type){doc, doc->components[component - 1].node, component};
}

struct str go_type_name(const struct go_type *type)
{
    return type->component == 0
               ? STR("")
               : str_of(type->doc->strings + type->doc->components[type->component - 1].name);
}

/* The Go packages of the kinds that kube-apiserver itself serves. */
static bool is_of_kubernetes(struct str name)
{
    static const struct str packages[] = {
        STR_INIT("io.k8s.api."),
        STR_INIT("io.k8s.apimachinery.pkg."),
        STR_INIT("io.k8s.apiextensions-apiserver.pkg."),
        STR_INIT("io.k8s.kube-aggregator.pkg."),
    };
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        if (str_has_prefix(name, packages[i]))
            return true;
    }
    return false;
}

bool go_type_of_resource(const struct schema *doc, const struct schema_node *root, struct go_type *out)
{
    for (uint32_t i = 0; i < doc->component_count; i++) {
        if (&doc->nodes[doc->components[i].node] != root)
            continue;
        *out = (struct go_type){doc, doc->components[i].node, i + 1};
        return is_of_kubernetes(go_type_name(out));
    }
    return false;
}

static enum go_shape object_shape(const struct go_type *type, const struct schema_node *node)
{
    static const struct str raw[] = {
        STR_INIT("io.k8s.apimachinery.pkg.runtime.RawExtension"),
        STR_INIT("io.k8s.apimachinery.pkg.apis.meta.v1.Patch"),
    };
    if (node->additional != 0)
        return GO_MAP;
    struct str name = go_type_name(type);
    if (str_eq(name, STR("io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1")))
        return GO_FIELDS;
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
        if (str_eq(name, raw[i]))
            return GO_JSON;
    }
    return type->component == 0 ? GO_JSON : GO_STRUCT;
}

bool go_type_is_string(const struct go_type *type)
{
    const struct schema_node *node = &type->doc->nodes[type->node];
    return go_type_shape(type) == GO_SCALAR && node->type == JSON_STRING && node->format == FORMAT_OTHER;
}

enum go_shape go_type_shape(const struct go_type *type)
{
    const struct schema_node *node = &type->doc->nodes[type->node];
    bool is_value =
        node->type != JSON_OBJECT && node->type != JSON_ARRAY; /* a quantity is a text or a number */
    if (is_value && str_eq(go_type_name(type), STR("io.k8s.apimachinery.pkg.api.resource.Quantity")))
        return GO_QUANTITY;
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0)
        return GO_SCALAR;
    switch ((enum schema_json_type)node->type) {
    case JSON_OBJECT:
        return object_shape(type, node);
    case JSON_ARRAY:
        return node->items == 0 ? GO_JSON : GO_LIST;
    case JSON_STRING:
    case JSON_BOOLEAN:
    case JSON_INTEGER:
        return GO_SCALAR;
    case JSON_NUMBER:
        return GO_DOUBLE;
    case JSON_UNTYPED:
        break;
    }
    return GO_JSON;
}

bool go_type_field(struct arena *a, const struct go_type *type, struct str name, struct go_type *out)
{
    const struct schema *doc = type->doc;
    const struct schema_property *p =
        schema_graph_find(doc, &doc->nodes[type->node], property_name_of_key(a, name));
    if (p == NULL)
        return false;
    *out = type_at(doc, p->node);
    return true;
}

struct go_type go_type_property(const struct go_type *type, const struct schema_property *property)
{
    return type_at(type->doc, property->node);
}

struct type_field {
    struct str type, field; /* the end of the type's name */
};

static bool is_among(const struct type_field *list, size_t count, const struct go_type *type,
                     struct str field)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(field, list[i].field) && str_has_suffix(go_type_name(type), list[i].type))
            return true;
    }
    return false;
}

bool go_type_omits(const struct go_type *type, struct str field)
{
    static const struct type_field containers[] = {
        {STR_INIT(".CertificateSigningRequestSpec"), STR_INIT("usages")},
        {STR_INIT(".CounterSet"), STR_INIT("counters")},
        {STR_INIT(".DeviceCounterConsumption"), STR_INIT("counters")},
        {STR_INIT(".VolumeAttributesClass"), STR_INIT("parameters")},
    };
    return is_among(containers, sizeof containers / sizeof *containers, type, field);
}

bool go_type_keeps(const struct go_type *type, struct str field)
{
    static const struct type_field slices[] = {
        {STR_INIT(".AllocatedDeviceStatus"), STR_INIT("conditions")},
        {STR_INIT(".CSINodeDriver"), STR_INIT("topologyKeys")},
        {STR_INIT(".CSINodeSpec"), STR_INIT("drivers")},
        {STR_INIT(".ClusterRole"), STR_INIT("rules")},
        {STR_INIT(".ContainerImage"), STR_INIT("names")},
        {STR_INIT(".CustomResourceDefinitionStatus"), STR_INIT("conditions")},
        {STR_INIT(".CustomResourceDefinitionStatus"), STR_INIT("storedVersions")},
        {STR_INIT(".DeviceClaim"), STR_INIT("requests")},
        {STR_INIT(".EndpointSlice"), STR_INIT("endpoints")},
        {STR_INIT(".EndpointSlice"), STR_INIT("ports")},
        {STR_INIT(".HorizontalPodAutoscalerStatus"), STR_INIT("currentMetrics")},
        {STR_INIT(".NonResourceRule"), STR_INIT("verbs")},
        {STR_INIT(".PodFailurePolicy"), STR_INIT("rules")},
        {STR_INIT(".ProjectedVolumeSource"), STR_INIT("sources")},
        {STR_INIT(".ResourcePolicyRule"), STR_INIT("namespaces")},
        {STR_INIT(".ResourceRule"), STR_INIT("verbs")},
        {STR_INIT(".Role"), STR_INIT("rules")},
        {STR_INIT(".SubjectRulesReviewStatus"), STR_INIT("nonResourceRules")},
        {STR_INIT(".SubjectRulesReviewStatus"), STR_INIT("resourceRules")},
        {STR_INIT(".TokenRequestSpec"), STR_INIT("audiences")},
    };
    return is_among(slices, sizeof slices / sizeof *slices, type, field);
}

bool go_type_leaves_out(const struct go_type *type, struct str field)
{
    /* LocalObjectReference, and what has its fields */
    static const struct str types[] = {
        STR_INIT(".LocalObjectReference"),  STR_INIT(".ConfigMapEnvSource"),
        STR_INIT(".ConfigMapKeySelector"),  STR_INIT(".ConfigMapProjection"),
        STR_INIT(".ConfigMapVolumeSource"), STR_INIT(".SecretEnvSource"),
        STR_INIT(".SecretKeySelector"),     STR_INIT(".SecretProjection"),
    };
    /* numbers whose default is the value that Go leaves out */
    static const struct type_field numbers[] = {
        {STR_INIT(".ScaleSpec"), STR_INIT("replicas")},
        {STR_INIT(".ReplicationControllerSpec"), STR_INIT("minReadySeconds")}};
    for (size_t i = 0; i < sizeof types / sizeof *types && str_eq(field, STR("name")); i++) {
        if (str_has_suffix(go_type_name(type), types[i]))
            return true;
    }
    return is_among(numbers, sizeof numbers / sizeof *numbers, type, field);
}

struct go_type go_type_item(const struct go_type *type)
{
    const struct schema_node *node = &type->doc->nodes[type->node];
    return type_at(type->doc, node->type == JSON_ARRAY ? node->items : node->additional);
}
