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
 * string. A number after the type is the minor version that first had the field. */
struct type {
    struct str name;
    const char *fields;
};

#define OBJECT_FIELDS "apiVersion string, kind string, metadata v1.ObjectMeta, "
#define WEBHOOK_FIELDS                                                                                       \
    "name string, clientConfig @WebhookClientConfig, rules []@RuleWithOperations, "                          \
    "failurePolicy @FailurePolicyType, matchPolicy @MatchPolicyType, namespaceSelector v1.LabelSelector, "   \
    "objectSelector v1.LabelSelector, sideEffects @SideEffectClass, timeoutSeconds int32, "                  \
    "admissionReviewVersions []string, matchConditions []@MatchCondition"

static const struct type types[] = {
    {STR_INIT("ValidatingAdmissionPolicy"),
     OBJECT_FIELDS "spec @ValidatingAdmissionPolicySpec, status @ValidatingAdmissionPolicyStatus"},
    {STR_INIT("ValidatingAdmissionPolicyBinding"),
     OBJECT_FIELDS "spec @ValidatingAdmissionPolicyBindingSpec"},
    {STR_INIT("MutatingAdmissionPolicy"), OBJECT_FIELDS "spec @MutatingAdmissionPolicySpec"},
    {STR_INIT("MutatingAdmissionPolicyBinding"), OBJECT_FIELDS "spec @MutatingAdmissionPolicyBindingSpec"},
    {STR_INIT("ValidatingWebhookConfiguration"), OBJECT_FIELDS "webhooks []@ValidatingWebhook"},
    {STR_INIT("MutatingWebhookConfiguration"), OBJECT_FIELDS "webhooks []@MutatingWebhook"},
    {STR_INIT("ObjectMeta"),
     "name string, generateName string, namespace string, selfLink string, uid types.UID, "
     "resourceVersion string, generation int64, creationTimestamp any, deletionTimestamp any, "
     "deletionGracePeriodSeconds int64, labels map[string]string, annotations map[string]string, "
     "ownerReferences []v1.OwnerReference, finalizers []string, managedFields []v1.ManagedFieldsEntry"},
    {STR_INIT("OwnerReference"),
     "apiVersion string, kind string, name string, uid types.UID, controller bool, blockOwnerDeletion bool"},
    {STR_INIT("ManagedFieldsEntry"),
     "manager string, operation v1.ManagedFieldsOperationType, apiVersion string, time any, "
     "fieldsType string, fieldsV1 any, subresource string"},
    {STR_INIT("LabelSelector"),
     "matchLabels map[string]string, matchExpressions []v1.LabelSelectorRequirement"},
    {STR_INIT("LabelSelectorRequirement"), "key string, operator v1.LabelSelectorOperator, values []string"},
    {STR_INIT("ValidatingAdmissionPolicySpec"),
     "paramKind @ParamKind, matchConstraints @MatchResources, validations []@Validation, "
     "failurePolicy @FailurePolicyType, auditAnnotations []@AuditAnnotation, "
     "matchConditions []@MatchCondition, variables []@Variable"},
    {STR_INIT("ParamKind"), "apiVersion string, kind string"},
    {STR_INIT("MatchResources"),
     "namespaceSelector v1.LabelSelector, objectSelector v1.LabelSelector, "
     "resourceRules []@NamedRuleWithOperations, excludeResourceRules []@NamedRuleWithOperations, "
     "matchPolicy @MatchPolicyType"},
    {STR_INIT("NamedRuleWithOperations"),
     "resourceNames []string, RuleWithOperations.operations []v1.OperationType, "
     "RuleWithOperations.Rule.apiGroups []string, RuleWithOperations.Rule.apiVersions []string, "
     "RuleWithOperations.Rule.resources []string, RuleWithOperations.Rule.scope v1.ScopeType"},
    {STR_INIT("Validation"),
     "expression string, message string, reason v1.StatusReason, messageExpression string"},
    {STR_INIT("AuditAnnotation"), "key string, valueExpression string"},
    {STR_INIT("MatchCondition"), "name string, expression string"},
    {STR_INIT("Variable"), "name string, expression string"},
    {STR_INIT("ValidatingAdmissionPolicyStatus"),
     "observedGeneration int64, typeChecking @TypeChecking, conditions []v1.Condition"},
    {STR_INIT("TypeChecking"), "expressionWarnings []@ExpressionWarning"},
    {STR_INIT("ExpressionWarning"), "fieldRef string, warning string"},
    {STR_INIT("Condition"),
     "type string, status v1.ConditionStatus, observedGeneration int64, lastTransitionTime any, "
     "reason string, message string"},
    {STR_INIT("ValidatingAdmissionPolicyBindingSpec"),
     "policyName string, paramRef @ParamRef, matchResources @MatchResources, "
     "validationActions []@ValidationAction"},
    {STR_INIT("ParamRef"), "name string, namespace string, selector v1.LabelSelector, "
                           "parameterNotFoundAction @ParameterNotFoundActionType"},
    {STR_INIT("MutatingAdmissionPolicySpec"),
     "paramKind @ParamKind, matchConstraints @MatchResources, variables []@Variable, mutations []@Mutation, "
     "failurePolicy @FailurePolicyType, matchConditions []@MatchCondition, "
     "reinvocationPolicy @ReinvocationPolicyType"},
    {STR_INIT("Mutation"),
     "patchType @PatchType, applyConfiguration @ApplyConfiguration, jsonPatch @JSONPatch"},
    {STR_INIT("ApplyConfiguration"), "expression string"},
    {STR_INIT("JSONPatch"), "expression string"},
    {STR_INIT("MutatingAdmissionPolicyBindingSpec"),
     "policyName string, paramRef @ParamRef, matchResources @MatchResources"},
    {STR_INIT("ValidatingWebhook"), WEBHOOK_FIELDS},
    {STR_INIT("MutatingWebhook"), WEBHOOK_FIELDS ", reinvocationPolicy @ReinvocationPolicyType"},
    {STR_INIT("WebhookClientConfig"), "url string, service @ServiceReference, caBundle []uint8"},
    {STR_INIT("ServiceReference"), "namespace string, name string, path string, port int32"},
    {STR_INIT("RuleWithOperations"),
     "operations []@OperationType, Rule.apiGroups []string, Rule.apiVersions []string, "
     "Rule.resources []string, Rule.scope @ScopeType"},
    {STR_INIT("AuthenticationConfiguration"),
     "apiVersion string, kind string, jwt []@JWTAuthenticator, anonymous @AnonymousAuthConfig 31"},
    {STR_INIT("AnonymousAuthConfig"), "enabled bool, conditions []@AnonymousAuthCondition"},
    {STR_INIT("AnonymousAuthCondition"), "path string"},
    {STR_INIT("JWTAuthenticator"),
     "issuer @Issuer, claimValidationRules []@ClaimValidationRule, claimMappings @ClaimMappings, "
     "userValidationRules []@UserValidationRule"},
    {STR_INIT("Issuer"),
     "url string, discoveryURL string, certificateAuthority string, audiences []string, "
     "audienceMatchPolicy @AudienceMatchPolicyType, egressSelectorType @EgressSelectorType 34"},
    {STR_INIT("ClaimValidationRule"),
     "claim string, requiredValue string, expression string, message string"},
    {STR_INIT("ClaimMappings"),
     "username @PrefixedClaimOrExpression, groups @PrefixedClaimOrExpression, uid @ClaimOrExpression, "
     "extra []@ExtraMapping"},
    {STR_INIT("PrefixedClaimOrExpression"), "claim string, prefix string, expression string"},
    {STR_INIT("ClaimOrExpression"), "claim string, expression string"},
    {STR_INIT("ExtraMapping"), "key string, valueExpression string"},
    {STR_INIT("UserValidationRule"), "expression string, message string"},
    {STR_INIT("AuthorizationConfiguration"),
     "apiVersion string, kind string, authorizers []@AuthorizerConfiguration"},
    {STR_INIT("AuthorizerConfiguration"), "type string, name string, webhook @WebhookConfiguration"},
    {STR_INIT("WebhookConfiguration"),
     "authorizedTTL any, cacheAuthorizedRequests bool 34, unauthorizedTTL any, "
     "cacheUnauthorizedRequests bool 34, timeout any, subjectAccessReviewVersion string, "
     "matchConditionSubjectAccessReviewVersion string, failurePolicy string, "
     "connectionInfo @WebhookConnectionInfo, matchConditions []@WebhookMatchCondition"},
    {STR_INIT("WebhookConnectionInfo"), "type string, kubeConfigFile string"},
    {STR_INIT("WebhookMatchCondition"), "expression string"},
};

/* Returns NULL if there is no such type. */
static const struct type *find_named(struct str name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (str_eq(types[i].name, name))
            return &types[i];
    }
    return NULL;
}

/* Finds a type by the name after the package; NULL if it is a basic type, or one that is a string. */
static const struct type *find_type(struct str go)
{
    const size_t dot = str_find_last(go, '.'), package = dot != SIZE_MAX ? dot : str_find_last(go, '@');
    return package == SIZE_MAX ? NULL : find_named((struct str){go.at + package + 1, go.len - package - 1});
}

struct field {
    struct str name; /* with the embedded types before it */
    struct str go;   /* its type */
};

/* Returns true if the name, in which there is no dot, is the last part of the path. */
static bool ends_with(struct str path, struct str name)
{
    const size_t before = path.len - name.len;
    return path.len >= name.len && memcmp(path.at + before, name.at, name.len) == 0 &&
           (before == 0 || path.at[before - 1] == '.');
}

/* minor: 0 for the newest. */
static bool find_field(const struct type *in, const char *key, int minor, struct field *out)
{
    const struct str name = str_of(key);
    const char *space, *end;
    *out = (struct field){.name = name};
    if (memchr(name.at, '.', name.len) != NULL)
        return false;
    for (const char *at = in->fields; (space = strchr(at, ' ')) != NULL; at = end + strlen(", ")) {
        const struct str path = {at, (size_t)(space - at)};
        const char *comma = strchr(space, ',');
        end = comma == NULL ? space + strlen(space) : comma;
        if (ends_with(path, name)) {
            const struct str rest = {space + 1, (size_t)(end - space) - 1};
            const char *since = memchr(rest.at, ' ', rest.len);
            const size_t len = since == NULL ? rest.len : (size_t)(since - rest.at);
            *out = (struct field){path, {rest.at, len}};
            return since == NULL || minor == 0 || minor >= strtol(since, NULL, 10);
        }
        if (comma == NULL)
            break;
    }
    return false;
}

/* ---- the walk ---- */

struct walk {
    const char *version;
    int minor;          /* of the server; 0: the newest */
    bool has_embedded;  /* the path without indices names embedded types */
    struct buf path;    /* of the value, with indices */
    struct buf go_path; /* the same without: "spec.validations.expression" */
    char *first;        /* path of the first misfit; NULL: none yet */
    char *type_error;   /* the first error of a type; NULL if there is none */
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

static json_type json_type_of(struct str go, const struct type *type);

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
                   is_fraction ? "a whole number" : describe_json(json_type_of(go, find_type(go))),
                   describe_json(json_object_get_type(value))),
        NULL);
    cleanup_mem char *number = is_fraction ? mem_printf(" %s", json_object_to_json_string(value)) : NULL;
    const char *at = memchr(go.at, '@', go.len);
    int len = at == NULL ? 0 : (int)(at - go.at), rest = (int)go.len - len;
    cleanup_mem char *type = at == NULL ? mem_strndup(go.at, go.len)
                                        : mem_printf("%.*s%s.%.*s", len, go.at, w->version, rest - 1, at + 1);
    w->type_error =
        mem_printf("json: cannot unmarshal %s%s into Go struct field %.*s.%s of type %s", word_of(value),
                   number == NULL ? "" : number, STR_ARG(in->name), w->go_path.data, type);
}

/* The JSON type of a value of the Go type. type: find_type of it. */
static json_type json_type_of(struct str go, const struct type *type)
{
    if (str_eq(go, STR("[]uint8"))) /* in base64 */
        return json_type_string;
    if (str_has_prefix(go, STR("[]")))
        return json_type_array;
    if (str_has_prefix(go, STR("int")))
        return json_type_int;
    if (str_has_prefix(go, STR("map")) || type != NULL)
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
    if (value == NULL || str_eq(go, STR("any")))
        return;
    const size_t len = w->path.len;
    const struct type *type = find_type(go);
    if (!json_object_is_type(value, json_type_of(go, type)))
        mismatch(w, in, value, go);
    else if (json_object_is_type(value, json_type_object) && type != NULL)
        walk_struct(w, type, value);
    else if (json_object_is_type(value, json_type_object)) {
        jsonval_each(value, key, member)
        {
            buf_putc(&w->path, '.');
            buf_puts(&w->path, key);
            walk_value(w, in, behind(go, STR("map[string]")), member);
            cut(&w->path, len);
        }
    } else {
        for (size_t i = 0; i < jsonval_length(value); i++) {
            buf_putc(&w->path, '[');
            buf_put_number(&w->path, (int64_t)i);
            buf_putc(&w->path, ']');
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

/* The member of a path, after a dot unless it is the first one. */
static void add_part(struct buf *path, struct str part)
{
    if (path->len != 0)
        buf_putc(path, '.');
    buf_append(path, part.at, part.len);
}

static void walk_struct(struct walk *w, const struct type *type, struct json_object *object)
{
    const size_t len = w->path.len, go_len = w->go_path.len;
    jsonval_each(object, key, value)
    {
        struct field f;
        const bool is_known = find_field(type, key, w->minor, &f);
        add_part(&w->path, str_of(key));
        add_part(&w->go_path, is_known && w->has_embedded ? f.name : str_of(key));
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
    struct walk w = {.version = version, .minor = minor, .has_embedded = kubernetes_in(minor).counts_bytes};
    buf_init(&w.path, PATH_CAP_BYTES);
    buf_init(&w.go_path, PATH_CAP_BYTES);
    buf_init(&w.unknown, MESSAGE_CAP_BYTES);
    walk_struct(&w, find_named(str_of(kind)), object);
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
