#include "controller/apiserver/validation/strictdecode.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"
#include "typecheck/text.h"

/* More unknown fields than any message should name. */
enum { MESSAGE_CAP_BYTES = 1024 * 1024, PATH_CAP_BYTES = 64 * 1024 };

/* A type of the server: its name without package, and "JSON-NAME GO-TYPE" of its fields. The embedded types
 * through which Go reaches the field stand before the name: "Rule.scope". @ is the package of the object's
 * version; `any` is a type that decodes itself: a time, managed fields. A type that is not in the table is a
 * string. A number behind the type is the minor version that first had the field. */
struct type {
    const char *name, *fields;
};

#define OBJECT_FIELDS "apiVersion string, kind string, metadata v1.ObjectMeta, "
#define WEBHOOK_FIELDS                                                                                       \
    "name string, clientConfig @WebhookClientConfig, rules []@RuleWithOperations, "                          \
    "failurePolicy @FailurePolicyType, matchPolicy @MatchPolicyType, namespaceSelector v1.LabelSelector, "   \
    "objectSelector v1.LabelSelector, sideEffects @SideEffectClass, timeoutSeconds int32, "                  \
    "admissionReviewVersions []string, matchConditions []@MatchCondition"

static const struct type types[] = {
    {"ValidatingAdmissionPolicy",
     OBJECT_FIELDS "spec @ValidatingAdmissionPolicySpec, status @ValidatingAdmissionPolicyStatus"},
    {"ValidatingAdmissionPolicyBinding", OBJECT_FIELDS "spec @ValidatingAdmissionPolicyBindingSpec"},
    {"MutatingAdmissionPolicy", OBJECT_FIELDS "spec @MutatingAdmissionPolicySpec"},
    {"MutatingAdmissionPolicyBinding", OBJECT_FIELDS "spec @MutatingAdmissionPolicyBindingSpec"},
    {"ValidatingWebhookConfiguration", OBJECT_FIELDS "webhooks []@ValidatingWebhook"},
    {"MutatingWebhookConfiguration", OBJECT_FIELDS "webhooks []@MutatingWebhook"},
    {"ObjectMeta",
     "name string, generateName string, namespace string, selfLink string, uid types.UID, "
     "resourceVersion string, generation int64, creationTimestamp any, deletionTimestamp any, "
     "deletionGracePeriodSeconds int64, labels map[string]string, annotations map[string]string, "
     "ownerReferences []v1.OwnerReference, finalizers []string, managedFields []v1.ManagedFieldsEntry"},
    {"OwnerReference",
     "apiVersion string, kind string, name string, uid types.UID, controller bool, blockOwnerDeletion bool"},
    {"ManagedFieldsEntry",
     "manager string, operation v1.ManagedFieldsOperationType, apiVersion string, time any, "
     "fieldsType string, fieldsV1 any, subresource string"},
    {"LabelSelector", "matchLabels map[string]string, matchExpressions []v1.LabelSelectorRequirement"},
    {"LabelSelectorRequirement", "key string, operator v1.LabelSelectorOperator, values []string"},
    {"ValidatingAdmissionPolicySpec",
     "paramKind @ParamKind, matchConstraints @MatchResources, validations []@Validation, "
     "failurePolicy @FailurePolicyType, auditAnnotations []@AuditAnnotation, "
     "matchConditions []@MatchCondition, variables []@Variable"},
    {"ParamKind", "apiVersion string, kind string"},
    {"MatchResources",
     "namespaceSelector v1.LabelSelector, objectSelector v1.LabelSelector, "
     "resourceRules []@NamedRuleWithOperations, excludeResourceRules []@NamedRuleWithOperations, "
     "matchPolicy @MatchPolicyType"},
    {"NamedRuleWithOperations",
     "resourceNames []string, RuleWithOperations.operations []v1.OperationType, "
     "RuleWithOperations.Rule.apiGroups []string, RuleWithOperations.Rule.apiVersions []string, "
     "RuleWithOperations.Rule.resources []string, RuleWithOperations.Rule.scope v1.ScopeType"},
    {"Validation", "expression string, message string, reason v1.StatusReason, messageExpression string"},
    {"AuditAnnotation", "key string, valueExpression string"},
    {"MatchCondition", "name string, expression string"},
    {"Variable", "name string, expression string"},
    {"ValidatingAdmissionPolicyStatus",
     "observedGeneration int64, typeChecking @TypeChecking, conditions []v1.Condition"},
    {"TypeChecking", "expressionWarnings []@ExpressionWarning"},
    {"ExpressionWarning", "fieldRef string, warning string"},
    {"Condition", "type string, status v1.ConditionStatus, observedGeneration int64, lastTransitionTime any, "
                  "reason string, message string"},
    {"ValidatingAdmissionPolicyBindingSpec",
     "policyName string, paramRef @ParamRef, matchResources @MatchResources, "
     "validationActions []@ValidationAction"},
    {"ParamRef", "name string, namespace string, selector v1.LabelSelector, "
                 "parameterNotFoundAction @ParameterNotFoundActionType"},
    {"MutatingAdmissionPolicySpec",
     "paramKind @ParamKind, matchConstraints @MatchResources, variables []@Variable, mutations []@Mutation, "
     "failurePolicy @FailurePolicyType, matchConditions []@MatchCondition, "
     "reinvocationPolicy @ReinvocationPolicyType"},
    {"Mutation", "patchType @PatchType, applyConfiguration @ApplyConfiguration, jsonPatch @JSONPatch"},
    {"ApplyConfiguration", "expression string"},
    {"JSONPatch", "expression string"},
    {"MutatingAdmissionPolicyBindingSpec",
     "policyName string, paramRef @ParamRef, matchResources @MatchResources"},
    {"ValidatingWebhook", WEBHOOK_FIELDS},
    {"MutatingWebhook", WEBHOOK_FIELDS ", reinvocationPolicy @ReinvocationPolicyType"},
    {"WebhookClientConfig", "url string, service @ServiceReference, caBundle []uint8"},
    {"ServiceReference", "namespace string, name string, path string, port int32"},
    {"RuleWithOperations", "operations []@OperationType, Rule.apiGroups []string, Rule.apiVersions []string, "
                           "Rule.resources []string, Rule.scope @ScopeType"},
    {"AuthenticationConfiguration",
     "apiVersion string, kind string, jwt []@JWTAuthenticator, anonymous @AnonymousAuthConfig 31"},
    {"AnonymousAuthConfig", "enabled bool, conditions []@AnonymousAuthCondition"},
    {"AnonymousAuthCondition", "path string"},
    {"JWTAuthenticator",
     "issuer @Issuer, claimValidationRules []@ClaimValidationRule, claimMappings @ClaimMappings, "
     "userValidationRules []@UserValidationRule"},
    {"Issuer", "url string, discoveryURL string, certificateAuthority string, audiences []string, "
               "audienceMatchPolicy @AudienceMatchPolicyType, egressSelectorType @EgressSelectorType 34"},
    {"ClaimValidationRule", "claim string, requiredValue string, expression string, message string"},
    {"ClaimMappings",
     "username @PrefixedClaimOrExpression, groups @PrefixedClaimOrExpression, uid @ClaimOrExpression, "
     "extra []@ExtraMapping"},
    {"PrefixedClaimOrExpression", "claim string, prefix string, expression string"},
    {"ClaimOrExpression", "claim string, expression string"},
    {"ExtraMapping", "key string, valueExpression string"},
    {"UserValidationRule", "expression string, message string"},
    {"AuthorizationConfiguration", "apiVersion string, kind string, authorizers []@AuthorizerConfiguration"},
    {"AuthorizerConfiguration", "type string, name string, webhook @WebhookConfiguration"},
    {"WebhookConfiguration",
     "authorizedTTL any, cacheAuthorizedRequests bool 34, unauthorizedTTL any, "
     "cacheUnauthorizedRequests bool 34, timeout any, subjectAccessReviewVersion string, "
     "matchConditionSubjectAccessReviewVersion string, failurePolicy string, "
     "connectionInfo @WebhookConnectionInfo, matchConditions []@WebhookMatchCondition"},
    {"WebhookConnectionInfo", "type string, kubeConfigFile string"},
    {"WebhookMatchCondition", "expression string"},
};

/* Finds a type by the name behind the package; NULL: it is a basic type, or one that is a string. */
static const struct type *find_type(struct str go)
{
    const size_t dot = str_find_last(go, '.'), package = dot != SIZE_MAX ? dot : str_find_last(go, '@');
    const size_t skip = package == SIZE_MAX ? 0 : package + 1;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (str_eq(str_of(types[i].name), (struct str){go.at + skip, go.len - skip}))
            return &types[i];
    }
    return NULL;
}

struct field {
    struct str name; /* with the embedded types before it */
    struct str go;   /* its type */
};

/* minor: 0 for the newest. */
static bool find_field(const struct type *in, const char *name, int minor, struct field *out)
{
    for (const char *at = in->fields, *end; *at != '\0'; at = end + strspn(end, ", ")) {
        size_t len = strcspn(at, " ");
        const size_t dot = str_find_last((struct str){at, len}, '.');
        const char *go = at + len + 1, *last = dot == SIZE_MAX ? at : at + dot + 1;
        end = go + strcspn(go, ",");
        const size_t go_len = strcspn(go, " ,");
        *out = (struct field){{at, len}, {go, go_len}};
        if (str_eq((struct str){last, len - (size_t)(last - at)}, str_of(name)))
            return go + go_len == end || minor == 0 || minor >= strtol(go + go_len, NULL, 10);
    }
    return false;
}

/* ---- the walk ---- */

struct walk {
    const char *version;
    int minor;          /* of the server; 0: the newest */
    struct buf path;    /* of the value, with indices */
    struct buf go_path; /* the same without: "spec.validations.expression" */
    char *first;        /* path of the first misfit; NULL: none yet */
    char *type_error;   /* NULL: none */
    char *saying;       /* the first misfit in words for people */
    char *hint;         /* a field that the first unknown one may mean; NULL: none */
    bool wants_string;  /* its type */
    struct buf unknown; /* the unknown fields, as the message names them */
};

static void cut(struct buf *b, size_t len)
{
    if (b->len == len)
        return;
    b->len = len;
    b->data[len] = '\0';
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

static const char *describe_json(json_type type)
{
    switch (type) {
    case json_type_null:
        return "null";
    case json_type_boolean:
        return "a bool";
    case json_type_double:
    case json_type_int:
        return "a number";
    case json_type_object:
        return "a mapping";
    case json_type_array:
        return "a list";
    case json_type_string:
        break;
    }
    return "a string";
}

static json_type json_type_of(struct str go);

static void say(struct walk *w, char *saying, char *hint)
{
    mem_free(w->saying);
    mem_free(w->hint);
    w->saying = saying;
    w->hint = hint;
}

/* The first one counts. */
static void mismatch(struct walk *w, const struct type *in, struct json_object *value, struct str go)
{
    if (w->type_error != NULL)
        return;
    mem_free(w->first); /* unknown fields are not reported beside it */
    w->first = mem_strdup(w->path.data);
    bool is_fraction = json_object_is_type(value, json_type_double) && str_has_prefix(go, STR("int"));
    w->wants_string = str_eq(go, STR("string"));
    say(w,
        mem_printf("this must be %s, and is %s",
                   is_fraction ? "a whole number" : describe_json(json_type_of(go)),
                   describe_json(json_object_get_type(value))),
        NULL);
    cleanup_mem char *number = is_fraction ? mem_printf(" %s", json_object_to_json_string(value)) : NULL;
    const char *at = memchr(go.at, '@', go.len);
    int len = at == NULL ? 0 : (int)(at - go.at), rest = (int)go.len - len;
    cleanup_mem char *type = at == NULL ? mem_strndup(go.at, go.len)
                                        : mem_printf("%.*s%s.%.*s", len, go.at, w->version, rest - 1, at + 1);
    w->type_error = mem_printf("json: cannot unmarshal %s%s into Go struct field %s.%s of type %s",
                               word_of(value), number == NULL ? "" : number, in->name, w->go_path.data, type);
}

/* The JSON type of a value of the Go type. */
static json_type json_type_of(struct str go)
{
    if (str_eq(go, STR("[]uint8"))) /* in base64 */
        return json_type_string;
    if (str_has_prefix(go, STR("[]")))
        return json_type_array;
    if (str_has_prefix(go, STR("int")))
        return json_type_int;
    if (str_has_prefix(go, STR("map")) || find_type(go) != NULL)
        return json_type_object;
    return str_eq(go, STR("bool")) ? json_type_boolean : json_type_string;
}

static void walk_struct(struct walk *w, const struct type *type, struct json_object *object);

static struct str behind(struct str go, struct str prefix)
{
    return (struct str){go.at + prefix.len, go.len - prefix.len};
}

/* Null fits every type. */
static void walk_value(struct walk *w, const struct type *in, struct str go, struct json_object *value)
{
    const size_t len = w->path.len;
    if (value == NULL || str_eq(go, STR("any")))
        return;
    if (!json_object_is_type(value, json_type_of(go)))
        mismatch(w, in, value, go);
    else if (json_object_is_type(value, json_type_object) && find_type(go) != NULL)
        walk_struct(w, find_type(go), value);
    else if (json_object_is_type(value, json_type_object)) {
        jsonval_each(value, key, member)
        {
            buf_printf(&w->path, ".%s", key);
            walk_value(w, in, behind(go, STR("map[string]")), member);
            cut(&w->path, len);
        }
    } else {
        for (size_t i = 0; i < jsonval_length(value); i++) {
            buf_printf(&w->path, "[%zu]", i);
            walk_value(w, in, behind(go, STR("[]")), jsonval_at(value, i));
            cut(&w->path, len);
        }
    }
}

/* The field of the type that is nearest to the name. */
static char *hint_of_field(const struct walk *w, const struct type *type, const char *name)
{
    struct suggest near;
    struct field f;
    suggest_init(&near, name);
    cleanup_mem char *fields = mem_strdup(type->fields);
    for (char *at = fields, *end, *dot; *at != '\0'; at = end) {
        const size_t len = strcspn(at, " "), rest = strcspn(at, ",");
        end = at + rest + strspn(at + rest, ", ");
        at[len] = '\0';
        dot = strrchr(at, '.');
        if (find_field(type, dot == NULL ? at : dot + 1, w->minor, &f))
            suggest_offer(&near, dot == NULL ? at : dot + 1);
    }
    return near.best == NULL ? NULL : mem_printf("did you mean \"%s\"?", near.best);
}

static void add_unknown(struct walk *w, const struct type *type, const char *name)
{
    if (w->first == NULL) {
        w->first = mem_strdup(w->path.data);
        say(w, mem_printf("there is no field '%s' here", name), hint_of_field(w, type, name));
    }
    buf_puts(&w->unknown, w->unknown.len == 0 ? "unknown field " : ", unknown field ");
    gotext_put_quoted(&w->unknown, w->path.data, w->path.len);
}

static void walk_struct(struct walk *w, const struct type *type, struct json_object *object)
{
    jsonval_each(object, key, value)
    {
        struct field f;
        const bool is_known = find_field(type, key, w->minor, &f);
        const bool is_old = !kubernetes_in(w->minor).counts_bytes;
        const struct str name = is_known && !is_old ? f.name : str_of(key);
        size_t len = w->path.len, go_len = w->go_path.len;
        buf_printf(&w->path, "%s%s", len == 0 ? "" : ".", key);
        buf_printf(&w->go_path, "%s%.*s", go_len == 0 ? "" : ".", STR_ARG(name));
        if (!is_known)
            add_unknown(w, type, key);
        else
            walk_value(w, type, f.go, value);
        cut(&w->path, len);
        cut(&w->go_path, go_len);
    }
}

void strictdecode_add(struct fielderrors *errors, struct fielderror *misfit, bool is_file)
{
    fielderrors_add(errors, mem_strdup(misfit->message + (is_file ? misfit->detail : 0)), "%s",
                    misfit->field);
    errors->items[errors->count - 1].wants_string = misfit->wants_string;
    fielderrors_say(errors, misfit->saying);
    fielderrors_hint(errors, misfit->hint);
    misfit->saying = misfit->hint = NULL;
    fielderrors_free_one(misfit);
}

enum strictdecode_fit strictdecode_fits(const char *kind, const char *version, int minor,
                                        struct json_object *object, struct fielderror *misfit)
{
    struct walk w = {.version = version, .minor = minor};
    buf_init(&w.path, PATH_CAP_BYTES);
    buf_init(&w.go_path, PATH_CAP_BYTES);
    buf_init(&w.unknown, MESSAGE_CAP_BYTES);
    walk_struct(&w, find_type(str_of(kind)), object);
    const enum strictdecode_fit fit = w.first == NULL        ? STRICTDECODE_FITS
                                      : w.type_error == NULL ? STRICTDECODE_UNKNOWN_FIELDS
                                                             : STRICTDECODE_WRONG_TYPE;
    if (fit != STRICTDECODE_FITS) {
        cleanup_mem char *what =
            mem_printf("%s in version \"%s\" cannot be handled as a %s: ", kind, version, kind);
        *misfit = (struct fielderror){
            .field = w.first,
            .message = mem_printf("%s%s%s", what, w.type_error == NULL ? "strict decoding error: " : "",
                                  w.type_error == NULL ? w.unknown.data : w.type_error),
            .detail = strlen(what),
            .saying = w.saying,
            .hint = w.hint,
            .wants_string = w.wants_string};
    }
    mem_free(w.type_error);
    buf_deinit(&w.path);
    buf_deinit(&w.go_path);
    buf_deinit(&w.unknown);
    return fit;
}
