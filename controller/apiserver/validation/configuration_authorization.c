/* configuration.h for AuthorizationConfiguration. */
#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/configuration.h"
#include "controller/apiserver/validation/gotext.h"
#include "controller/apiserver/validation/kubenames.h"
#include "typecheck/typecheck.h"

#define KIND "AuthorizationConfiguration"

enum { MATCH_CONDITIONS_MAX = 64 };

static const char *const types[] = {"ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook", NULL};
static const char *const review_versions[] = {"v1", "v1beta1", NULL};
static const char *const condition_versions[] = {"v1", NULL};
static const char *const failure_policies[] = {"NoOpinion", "Deny", NULL};

/* One authorizer of the file. */
struct authorizer {
    struct json_object *json;
    const char *at; /* "authorizers[0]" */
    struct compiler *compiler;
    struct fielderrors *out;
};

static void check_choice(const struct authorizer *a, struct json_object *webhook, const char *member,
                         const char *const *choices)
{
    const char *text = jsonval_string_or_empty(webhook, member);
    if (*text == '\0')
        fielderrors_add(a->out, fielderrors_required(""), "%s.%s", a->at, member);
    else
        fielderrors_check_choice(a->out, text, choices, "%s.%s", a->at, member);
}

static void check_condition_version(const struct authorizer *a, struct json_object *webhook)
{
    static const char member[] = "matchConditionSubjectAccessReviewVersion";
    const char *text = jsonval_string_or_empty(webhook, member);
    if (*text != '\0')
        fielderrors_check_choice(a->out, text, condition_versions, "%s.%s", a->at, member);
    else if (jsonval_length(jsonval_array(webhook, "matchConditions")) > 0)
        fielderrors_add(a->out, fielderrors_required("required if match conditions are specified"), "%s.%s",
                        a->at, member);
}

static void check_connection(const struct authorizer *a, struct json_object *info)
{
    const char *type = jsonval_string_or_empty(info, "type"), *file = jsonval_string(info, "kubeConfigFile");
    if (*type == '\0')
        fielderrors_add(a->out, fielderrors_required(""), "%s.connectionInfo.type", a->at);
    if (strcmp(type, "InClusterConfig") == 0 && file != NULL)
        fielderrors_add(a->out, fielderrors_invalid(file, "can only be set when type=KubeConfigFile"),
                        "%s.connectionInfo.kubeConfigFile", a->at);
    if (strcmp(type, "KubeConfigFile") != 0)
        return;
    if (file == NULL || *file == '\0')
        fielderrors_add(a->out, fielderrors_required(""), "%s.connectionInfo.kubeConfigFile", a->at);
    else if (*file != '/')
        fielderrors_add(a->out, fielderrors_invalid(file, "must be an absolute path"),
                        "%s.connectionInfo.kubeConfigFile", a->at);
}

static void check_match_conditions(const struct authorizer *a, struct json_object *list)
{
    const size_t count = jsonval_length(list);
    struct keymap seen = {0};
    if (count > MATCH_CONDITIONS_MAX) {
        fielderrors_add(a->out, fielderrors_too_many(count, MATCH_CONDITIONS_MAX), "%s.matchConditions",
                        a->at);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct str text = gotext_member(jsonval_at(list, i), "expression");
        cleanup_mem char *at = mem_printf("%s.matchConditions[%zu].expression", a->at, i);
        if (gotext_trimmed(text).len == 0)
            fielderrors_add(a->out, fielderrors_required(""), "%s", at);
        else if (!keymap_add(&seen, text.at))
            fielderrors_add(a->out, fielderrors_duplicate(text.at), "%s", at);
        else
            (void)configuration_compile(a->compiler, CEL_PLACE_ACCESS_REVIEW, text, at, a->out);
    }
    keymap_deinit(&seen, NULL);
}

static void check_webhook(const struct authorizer *a, struct json_object *webhook)
{
    if (webhook == NULL) {
        fielderrors_add(a->out, fielderrors_required("required when type=Webhook"), "%s.webhook", a->at);
        return;
    }
    check_choice(a, webhook, "subjectAccessReviewVersion", review_versions);
    check_condition_version(a, webhook);
    check_choice(a, webhook, "failurePolicy", failure_policies);
    check_connection(a, jsonval_get(webhook, "connectionInfo"));
    check_match_conditions(a, jsonval_array(webhook, "matchConditions"));
}

/* ---- the file ---- */

struct seen {
    struct keymap types, names;
};

/* If it returns false, the server looks at nothing else of the authorizer. */
static bool check_type(const struct authorizer *a, const char *type, struct seen *seen)
{
    if (*type == '\0') {
        fielderrors_add(a->out, fielderrors_required(""), "%s.type", a->at);
        return false;
    }
    if (!fielderrors_is_choice(type, types)) {
        fielderrors_check_choice(a->out, type, types, "%s.type", a->at);
        return false;
    }
    if (keymap_add(&seen->types, type) || strcmp(type, "Webhook") == 0)
        return true;
    fielderrors_add(a->out, fielderrors_duplicate(type), "%s.type", a->at);
    return false;
}

static void check_name(const struct authorizer *a, const char *name, struct seen *seen)
{
    cleanup_mem char *at = mem_printf("%s.name", a->at);
    if (*name == '\0')
        fielderrors_add(a->out, fielderrors_required(""), "%s", at);
    else if (keymap_get(&seen->names, name) != NULL)
        fielderrors_add(a->out, fielderrors_duplicate(name), "%s", at);
    else
        (void)kubenames_check_joined(kubenames_subdomain, name, name, "authorizer name is invalid: ", at,
                                     a->out);
    (void)keymap_add(&seen->names, name);
}

static void check_authorizer(const struct authorizer *a, struct seen *seen)
{
    const char *type = jsonval_string_or_empty(a->json, "type");
    struct json_object *webhook = jsonval_get(a->json, "webhook");
    if (!check_type(a, type, seen))
        return;
    check_name(a, jsonval_string_or_empty(a->json, "name"), seen);
    if (strcmp(type, "Webhook") == 0)
        check_webhook(a, webhook);
    else if (webhook != NULL)
        fielderrors_add(a->out, fielderrors_invalid("non-null", "may only be specified when type=Webhook"),
                        "%s.webhook", a->at);
}

void configuration_check_authorization(struct json_object *file, const struct env *env,
                                       struct fielderrors *out)
{
    struct json_object *list = jsonval_array(file, "authorizers");
    struct seen seen = {0};
    struct compiler compiler;
    if (!configuration_fits(file, KIND, fielderrors_server(out).has_authorization_v1, out))
        return;
    if (jsonval_length(list) == 0)
        fielderrors_add(out, fielderrors_required("at least one authorization mode must be defined"),
                        "authorizers");
    compiler_init(&compiler, &(struct cel_place_scope){.env = env}, typecheck_default_caps.steps);
    for (size_t i = 0; i < jsonval_length(list); i++) {
        cleanup_mem char *at = mem_printf("authorizers[%zu]", i);
        const struct authorizer a = {jsonval_at(list, i), at, &compiler, out};
        check_authorizer(&a, &seen);
    }
    compiler_deinit(&compiler);
    keymap_deinit(&seen.types, NULL);
    keymap_deinit(&seen.names, NULL);
}

char *configuration_field(struct json_object *file, const char *field)
{
    static const char *const outside[] = {"type", "name", "webhook", NULL};
    const char *dot = strchr(field, '.');
    if (!jsonval_is(file, "kind", KIND) || strncmp(field, "authorizers[", strlen("authorizers[")) != 0 ||
        dot == NULL || fielderrors_is_choice(dot + 1, outside) ||
        strncmp(dot + 1, "webhook.", strlen("webhook.")) == 0)
        return mem_strdup(field);
    return mem_printf("%.*s.webhook%s", (int)(dot - field), field, dot);
}

bool configuration_place(const char *field, enum cel_place *place)
{
    static const struct {
        const char *part;
        enum cel_place place;
    } rows[] = {
        {".claimValidationRules[", CEL_PLACE_CLAIM_RULE},
        {".claimMappings.", CEL_PLACE_CLAIM_MAPPING},
        {".userValidationRules[", CEL_PLACE_USER_RULE},
        {".matchConditions[", CEL_PLACE_ACCESS_REVIEW},
    };
    const char *dot = strrchr(field, '.');
    if (dot == NULL || (strcmp(dot, ".expression") != 0 && strcmp(dot, ".valueExpression") != 0))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *place = rows[i].place;
        if (strstr(field, rows[i].part) != NULL)
            return true;
    }
    return false;
}
