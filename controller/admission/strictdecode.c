#include "controller/admission/strictdecode.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/field/gotext.h"

/* More unknown fields than any message should name. */
enum { MESSAGE_CAP_BYTES = 1024 * 1024, PATH_CAP_BYTES = 64 * 1024 };

enum form {
    STRING,
    INTEGER,
    BOOLEAN,
    ANY,     /* decodes itself: a time, managed fields */
    STRINGS, /* []T */
    STRING_MAP,
    STRUCT,
    STRUCTS, /* []T */
};

struct field {
    const char *name; /* with the embedded types that Go reaches it through before it: "Rule.scope" */
    enum form form;
    const char *go; /* T; @ stands for the package of the object's version */
    const struct strictdecode *shape;
};

struct strictdecode {
    const char *go;             /* the type's name without package */
    const struct field *fields; /* ends with a NULL name */
};

/* ---- the types ---- */

static const struct field owner_fields[] = {
    {"apiVersion", STRING, "string", NULL},
    {"kind", STRING, "string", NULL},
    {"name", STRING, "string", NULL},
    {"uid", STRING, "types.UID", NULL},
    {"controller", BOOLEAN, "bool", NULL},
    {"blockOwnerDeletion", BOOLEAN, "bool", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode owner = {"OwnerReference", owner_fields};

static const struct field managed_fields[] = {
    {"manager", STRING, "string", NULL},     {"operation", STRING, "v1.ManagedFieldsOperationType", NULL},
    {"apiVersion", STRING, "string", NULL},  {"time", ANY, NULL, NULL},
    {"fieldsType", STRING, "string", NULL},  {"fieldsV1", ANY, NULL, NULL},
    {"subresource", STRING, "string", NULL}, {NULL, ANY, NULL, NULL},
};
static const struct strictdecode managed = {"ManagedFieldsEntry", managed_fields};

static const struct field metadata_fields[] = {
    {"name", STRING, "string", NULL},
    {"generateName", STRING, "string", NULL},
    {"namespace", STRING, "string", NULL},
    {"selfLink", STRING, "string", NULL},
    {"uid", STRING, "types.UID", NULL},
    {"resourceVersion", STRING, "string", NULL},
    {"generation", INTEGER, "int64", NULL},
    {"creationTimestamp", ANY, NULL, NULL},
    {"deletionTimestamp", ANY, NULL, NULL},
    {"deletionGracePeriodSeconds", INTEGER, "int64", NULL},
    {"labels", STRING_MAP, "string", NULL},
    {"annotations", STRING_MAP, "string", NULL},
    {"ownerReferences", STRUCTS, "v1.OwnerReference", &owner},
    {"finalizers", STRINGS, "string", NULL},
    {"managedFields", STRUCTS, "v1.ManagedFieldsEntry", &managed},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode metadata = {"ObjectMeta", metadata_fields};

static const struct field requirement_fields[] = {
    {"key", STRING, "string", NULL},
    {"operator", STRING, "v1.LabelSelectorOperator", NULL},
    {"values", STRINGS, "string", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode requirement = {"LabelSelectorRequirement", requirement_fields};

static const struct field selector_fields[] = {
    {"matchLabels", STRING_MAP, "string", NULL},
    {"matchExpressions", STRUCTS, "v1.LabelSelectorRequirement", &requirement},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode selector = {"LabelSelector", selector_fields};

static const struct field rule_fields[] = {
    {"resourceNames", STRINGS, "string", NULL},
    {"RuleWithOperations.operations", STRINGS, "v1.OperationType", NULL},
    {"RuleWithOperations.Rule.apiGroups", STRINGS, "string", NULL},
    {"RuleWithOperations.Rule.apiVersions", STRINGS, "string", NULL},
    {"RuleWithOperations.Rule.resources", STRINGS, "string", NULL},
    {"RuleWithOperations.Rule.scope", STRING, "v1.ScopeType", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode rule = {"NamedRuleWithOperations", rule_fields};

static const struct field resources_fields[] = {
    {"namespaceSelector", STRUCT, "v1.LabelSelector", &selector},
    {"objectSelector", STRUCT, "v1.LabelSelector", &selector},
    {"resourceRules", STRUCTS, "@NamedRuleWithOperations", &rule},
    {"excludeResourceRules", STRUCTS, "@NamedRuleWithOperations", &rule},
    {"matchPolicy", STRING, "@MatchPolicyType", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode resources = {"MatchResources", resources_fields};

static const struct field param_kind_fields[] = {
    {"apiVersion", STRING, "string", NULL},
    {"kind", STRING, "string", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode param_kind = {"ParamKind", param_kind_fields};

static const struct field validation_fields[] = {
    {"expression", STRING, "string", NULL},
    {"message", STRING, "string", NULL},
    {"reason", STRING, "v1.StatusReason", NULL},
    {"messageExpression", STRING, "string", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode validation = {"Validation", validation_fields};

static const struct field annotation_fields[] = {
    {"key", STRING, "string", NULL},
    {"valueExpression", STRING, "string", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode annotation = {"AuditAnnotation", annotation_fields};

static const struct field named_fields[] = {
    {"name", STRING, "string", NULL},
    {"expression", STRING, "string", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode match_condition = {"MatchCondition", named_fields};
static const struct strictdecode variable = {"Variable", named_fields};

static const struct field policy_spec_fields[] = {
    {"paramKind", STRUCT, "@ParamKind", &param_kind},
    {"matchConstraints", STRUCT, "@MatchResources", &resources},
    {"validations", STRUCTS, "@Validation", &validation},
    {"failurePolicy", STRING, "@FailurePolicyType", NULL},
    {"auditAnnotations", STRUCTS, "@AuditAnnotation", &annotation},
    {"matchConditions", STRUCTS, "@MatchCondition", &match_condition},
    {"variables", STRUCTS, "@Variable", &variable},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode policy_spec = {"ValidatingAdmissionPolicySpec", policy_spec_fields};

static const struct field warning_fields[] = {
    {"fieldRef", STRING, "string", NULL},
    {"warning", STRING, "string", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode warning = {"ExpressionWarning", warning_fields};

static const struct field checking_fields[] = {
    {"expressionWarnings", STRUCTS, "@ExpressionWarning", &warning},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode checking = {"TypeChecking", checking_fields};

static const struct field condition_fields[] = {
    {"type", STRING, "string", NULL},
    {"status", STRING, "v1.ConditionStatus", NULL},
    {"observedGeneration", INTEGER, "int64", NULL},
    {"lastTransitionTime", ANY, NULL, NULL},
    {"reason", STRING, "string", NULL},
    {"message", STRING, "string", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode condition = {"Condition", condition_fields};

static const struct field status_fields[] = {
    {"observedGeneration", INTEGER, "int64", NULL},
    {"typeChecking", STRUCT, "@TypeChecking", &checking},
    {"conditions", STRUCTS, "v1.Condition", &condition},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode status = {"ValidatingAdmissionPolicyStatus", status_fields};

static const struct field policy_fields[] = {
    {"apiVersion", STRING, "string", NULL},
    {"kind", STRING, "string", NULL},
    {"metadata", STRUCT, "v1.ObjectMeta", &metadata},
    {"spec", STRUCT, "@ValidatingAdmissionPolicySpec", &policy_spec},
    {"status", STRUCT, "@ValidatingAdmissionPolicyStatus", &status},
    {NULL, ANY, NULL, NULL},
};
const struct strictdecode strictdecode_policy = {"ValidatingAdmissionPolicy", policy_fields};

static const struct field param_ref_fields[] = {
    {"name", STRING, "string", NULL},
    {"namespace", STRING, "string", NULL},
    {"selector", STRUCT, "v1.LabelSelector", &selector},
    {"parameterNotFoundAction", STRING, "@ParameterNotFoundActionType", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode param_ref = {"ParamRef", param_ref_fields};

static const struct field binding_spec_fields[] = {
    {"policyName", STRING, "string", NULL},
    {"paramRef", STRUCT, "@ParamRef", &param_ref},
    {"matchResources", STRUCT, "@MatchResources", &resources},
    {"validationActions", STRINGS, "@ValidationAction", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode binding_spec = {"ValidatingAdmissionPolicyBindingSpec", binding_spec_fields};

static const struct field binding_fields[] = {
    {"apiVersion", STRING, "string", NULL},
    {"kind", STRING, "string", NULL},
    {"metadata", STRUCT, "v1.ObjectMeta", &metadata},
    {"spec", STRUCT, "@ValidatingAdmissionPolicyBindingSpec", &binding_spec},
    {NULL, ANY, NULL, NULL},
};
const struct strictdecode strictdecode_binding = {"ValidatingAdmissionPolicyBinding", binding_fields};

/* ---- mutating policies ---- */

static const struct field expression_fields[] = {
    {"expression", STRING, "string", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode apply_configuration = {"ApplyConfiguration", expression_fields};
static const struct strictdecode json_patch = {"JSONPatch", expression_fields};

static const struct field mutation_fields[] = {
    {"patchType", STRING, "@PatchType", NULL},
    {"applyConfiguration", STRUCT, "@ApplyConfiguration", &apply_configuration},
    {"jsonPatch", STRUCT, "@JSONPatch", &json_patch},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode mutation = {"Mutation", mutation_fields};

static const struct field mutating_spec_fields[] = {
    {"paramKind", STRUCT, "@ParamKind", &param_kind},
    {"matchConstraints", STRUCT, "@MatchResources", &resources},
    {"variables", STRUCTS, "@Variable", &variable},
    {"mutations", STRUCTS, "@Mutation", &mutation},
    {"failurePolicy", STRING, "@FailurePolicyType", NULL},
    {"matchConditions", STRUCTS, "@MatchCondition", &match_condition},
    {"reinvocationPolicy", STRING, "@ReinvocationPolicyType", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode mutating_spec = {"MutatingAdmissionPolicySpec", mutating_spec_fields};

static const struct field mutating_policy_fields[] = {
    {"apiVersion", STRING, "string", NULL},
    {"kind", STRING, "string", NULL},
    {"metadata", STRUCT, "v1.ObjectMeta", &metadata},
    {"spec", STRUCT, "@MutatingAdmissionPolicySpec", &mutating_spec},
    {NULL, ANY, NULL, NULL},
};
const struct strictdecode strictdecode_mutating_policy = {"MutatingAdmissionPolicy", mutating_policy_fields};

static const struct field mutating_binding_spec_fields[] = {
    {"policyName", STRING, "string", NULL},
    {"paramRef", STRUCT, "@ParamRef", &param_ref},
    {"matchResources", STRUCT, "@MatchResources", &resources},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode mutating_binding_spec = {"MutatingAdmissionPolicyBindingSpec",
                                                          mutating_binding_spec_fields};

static const struct field mutating_binding_fields[] = {
    {"apiVersion", STRING, "string", NULL},
    {"kind", STRING, "string", NULL},
    {"metadata", STRUCT, "v1.ObjectMeta", &metadata},
    {"spec", STRUCT, "@MutatingAdmissionPolicyBindingSpec", &mutating_binding_spec},
    {NULL, ANY, NULL, NULL},
};
const struct strictdecode strictdecode_mutating_binding = {"MutatingAdmissionPolicyBinding",
                                                           mutating_binding_fields};

/* ---- webhooks ---- */

static const struct field service_fields[] = {
    {"namespace", STRING, "string", NULL}, {"name", STRING, "string", NULL}, {"path", STRING, "string", NULL},
    {"port", INTEGER, "int32", NULL},      {NULL, ANY, NULL, NULL},
};
static const struct strictdecode service = {"ServiceReference", service_fields};

static const struct field client_fields[] = {
    {"url", STRING, "string", NULL},
    {"service", STRUCT, "@ServiceReference", &service},
    {"caBundle", STRING, "[]uint8", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode client = {"WebhookClientConfig", client_fields};

static const struct field webhook_rule_fields[] = {
    {"operations", STRINGS, "@OperationType", NULL}, {"Rule.apiGroups", STRINGS, "string", NULL},
    {"Rule.apiVersions", STRINGS, "string", NULL},   {"Rule.resources", STRINGS, "string", NULL},
    {"Rule.scope", STRING, "@ScopeType", NULL},      {NULL, ANY, NULL, NULL},
};
static const struct strictdecode webhook_rule = {"RuleWithOperations", webhook_rule_fields};

/* What both kinds of webhooks have. */
#define WEBHOOK_FIELDS                                                                                       \
    {"name", STRING, "string", NULL}, {"clientConfig", STRUCT, "@WebhookClientConfig", &client},             \
        {"rules", STRUCTS, "@RuleWithOperations", &webhook_rule},                                            \
        {"failurePolicy", STRING, "@FailurePolicyType", NULL},                                               \
        {"matchPolicy", STRING, "@MatchPolicyType", NULL},                                                   \
        {"namespaceSelector", STRUCT, "v1.LabelSelector", &selector},                                        \
        {"objectSelector", STRUCT, "v1.LabelSelector", &selector},                                           \
        {"sideEffects", STRING, "@SideEffectClass", NULL}, {"timeoutSeconds", INTEGER, "int32", NULL},       \
        {"admissionReviewVersions", STRINGS, "string", NULL},                                                \
    {                                                                                                        \
        "matchConditions", STRUCTS, "@MatchCondition", &match_condition                                      \
    }

static const struct field validating_webhook_fields[] = {WEBHOOK_FIELDS, {NULL, ANY, NULL, NULL}};
static const struct strictdecode validating_webhook = {"ValidatingWebhook", validating_webhook_fields};

static const struct field mutating_webhook_fields[] = {
    WEBHOOK_FIELDS,
    {"reinvocationPolicy", STRING, "@ReinvocationPolicyType", NULL},
    {NULL, ANY, NULL, NULL},
};
static const struct strictdecode mutating_webhook = {"MutatingWebhook", mutating_webhook_fields};

static const struct field validating_webhooks_fields[] = {
    {"apiVersion", STRING, "string", NULL},
    {"kind", STRING, "string", NULL},
    {"metadata", STRUCT, "v1.ObjectMeta", &metadata},
    {"webhooks", STRUCTS, "@ValidatingWebhook", &validating_webhook},
    {NULL, ANY, NULL, NULL},
};
const struct strictdecode strictdecode_validating_webhooks = {"ValidatingWebhookConfiguration",
                                                              validating_webhooks_fields};

static const struct field mutating_webhooks_fields[] = {
    {"apiVersion", STRING, "string", NULL},
    {"kind", STRING, "string", NULL},
    {"metadata", STRUCT, "v1.ObjectMeta", &metadata},
    {"webhooks", STRUCTS, "@MutatingWebhook", &mutating_webhook},
    {NULL, ANY, NULL, NULL},
};
const struct strictdecode strictdecode_mutating_webhooks = {"MutatingWebhookConfiguration",
                                                            mutating_webhooks_fields};

/* ---- the walk ---- */

struct walk {
    const char *version;
    bool is_old;
    struct buf path;    /* of the value, with indices */
    struct buf go_path; /* the same without: "spec.validations.expression" */
    char *first;        /* path of the first misfit; NULL: none yet */
    char *type_error;   /* NULL: none */
    struct buf unknown; /* the unknown fields, as the message names them */
};

static void cut(struct buf *b, size_t len)
{
    if (b->len == len)
        return;
    b->len = len;
    b->data[len] = '\0';
}

static void note_first(struct walk *w)
{
    if (w->first == NULL)
        w->first = mem_strdup(w->path.data);
}

static const char *word_of(struct json_object *value)
{
    switch (json_object_get_type(value)) {
    case json_type_null:
        return "null";
    case json_type_boolean:
        return "bool";
    case json_type_double:
    case json_type_int:
        return "number";
    case json_type_object:
        return "object";
    case json_type_array:
        return "array";
    case json_type_string:
        break;
    }
    return "string";
}

/* prefix: "[]" or "map[string]" before the type. The first one counts. */
static void mismatch(struct walk *w, const struct strictdecode *in, struct json_object *value,
                     const char *prefix, const char *go)
{
    bool has_package = *go == '@';
    if (w->type_error != NULL)
        return;
    mem_free(w->first); /* unknown fields are not reported beside it */
    w->first = mem_strdup(w->path.data);
    bool is_fraction = json_object_is_type(value, json_type_double) && strncmp(go, "int", 3) == 0;
    cleanup_mem char *number = is_fraction ? mem_printf(" %s", json_object_to_json_string(value)) : NULL;
    w->type_error =
        mem_printf("json: cannot unmarshal %s%s into Go struct field %s.%s of type %s%s%s%s", word_of(value),
                   number == NULL ? "" : number, in->go, w->go_path.data, prefix,
                   has_package ? w->version : "", has_package ? "." : "", has_package ? go + 1 : go);
}

static void walk_struct(struct walk *w, const struct strictdecode *shape, struct json_object *object);

static bool is_scalar(struct json_object *value, enum form form)
{
    return json_object_is_type(value, form == STRING    ? json_type_string
                                      : form == INTEGER ? json_type_int
                                                        : json_type_boolean);
}

static void walk_list(struct walk *w, const struct strictdecode *in, const struct field *f,
                      struct json_object *list)
{
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *value = jsonval_at(list, i);
        size_t len = w->path.len;
        buf_printf(&w->path, "[%zu]", i);
        bool is_fine =
            f->form == STRINGS ? is_scalar(value, STRING) : json_object_is_type(value, json_type_object);
        if (value != NULL && !is_fine)
            mismatch(w, in, value, "", f->go);
        else if (value != NULL && f->form == STRUCTS)
            walk_struct(w, f->shape, value);
        cut(&w->path, len);
    }
}

static void walk_map(struct walk *w, const struct strictdecode *in, const struct field *f,
                     struct json_object *map)
{
    json_object_object_foreach(map, key, value)
    {
        size_t len = w->path.len;
        buf_printf(&w->path, ".%s", key);
        if (value != NULL && !is_scalar(value, STRING))
            mismatch(w, in, value, "", f->go);
        cut(&w->path, len);
    }
}

static void walk_value(struct walk *w, const struct strictdecode *in, const struct field *f,
                       struct json_object *value)
{
    bool is_object = json_object_is_type(value, json_type_object);
    switch (f->form) {
    case ANY:
        return;
    case STRING:
    case INTEGER:
    case BOOLEAN:
        if (!is_scalar(value, f->form))
            mismatch(w, in, value, "", f->go);
        return;
    case STRINGS:
    case STRUCTS:
        if (json_object_is_type(value, json_type_array))
            walk_list(w, in, f, value);
        else
            mismatch(w, in, value, "[]", f->go);
        return;
    case STRING_MAP:
        if (is_object)
            walk_map(w, in, f, value);
        else
            mismatch(w, in, value, "map[string]", f->go);
        return;
    case STRUCT:
        if (is_object)
            walk_struct(w, f->shape, value);
        else
            mismatch(w, in, value, "", f->go);
        return;
    }
}

static const struct field *find_field(const struct strictdecode *shape, const char *name)
{
    for (const struct field *f = shape->fields; f->name != NULL; f++) {
        const char *dot = strrchr(f->name, '.');
        if (strcmp(dot == NULL ? f->name : dot + 1, name) == 0)
            return f;
    }
    return NULL;
}

static void walk_struct(struct walk *w, const struct strictdecode *shape, struct json_object *object)
{
    json_object_object_foreach(object, key, value)
    {
        const struct field *f = find_field(shape, key);
        size_t len = w->path.len, go_len = w->go_path.len;
        buf_printf(&w->path, "%s%s", len == 0 ? "" : ".", key);
        buf_printf(&w->go_path, "%s%s", go_len == 0 ? "" : ".", f == NULL || w->is_old ? key : f->name);
        if (f == NULL) {
            note_first(w);
            buf_puts(&w->unknown, w->unknown.len == 0 ? "unknown field " : ", unknown field ");
            gotext_put_quoted(&w->unknown, w->path.data, w->path.len);
        } else if (value != NULL) {
            walk_value(w, shape, f, value);
        }
        cut(&w->path, len);
        cut(&w->go_path, go_len);
    }
}

bool strictdecode_fits(const struct strictdecode *shape, const char *version, bool is_old,
                       struct json_object *object, struct fielderror *misfit)
{
    struct walk w = {.version = version, .is_old = is_old};
    buf_init(&w.path, PATH_CAP_BYTES);
    buf_init(&w.go_path, PATH_CAP_BYTES);
    buf_init(&w.unknown, MESSAGE_CAP_BYTES);
    walk_struct(&w, shape, object);
    bool fits = w.first == NULL;
    if (!fits) {
        misfit->field = w.first;
        misfit->message =
            mem_printf("%s in version \"%s\" cannot be handled as a %s: %s%s", shape->go, version, shape->go,
                       w.type_error == NULL ? "strict decoding error: " : "",
                       w.type_error == NULL ? w.unknown.data : w.type_error);
    }
    mem_free(w.type_error);
    buf_deinit(&w.path);
    buf_deinit(&w.go_path);
    buf_deinit(&w.unknown);
    return fits;
}
