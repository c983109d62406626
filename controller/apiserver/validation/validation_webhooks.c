/* Validating and mutating webhook configurations. */
#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/kubenames.h"
#include "controller/apiserver/validation/matchresources.h"
#include "controller/apiserver/validation/objectmeta.h"
#include "controller/apiserver/validation/serverurl.h"
#include "controller/apiserver/validation/static_manifest.h"
#include "controller/apiserver/validation/validation.h"
#include "controller/apiserver/validation/validation_common.h"
#include "controller/match/objectkind.h"

#define URL_FORM "; desired format: https://host[/path]"

enum { TIMEOUT_MAX_SECONDS = 30, PORT_MAX = 65535 };

static const char *const review_versions[] = {"v1", "v1beta1", NULL};
static const char *const match_policies[] = {"Equivalent", "Exact", NULL};
static const char *const side_effects[] = {"None", "NoneOnDryRun", NULL};
static const char *const reinvocation_policies[] = {"IfNeeded", "Never", NULL};

/* One webhook of a configuration. */
struct hook {
    struct json_object *json;
    const char *at; /* "webhooks[0]" */
    struct fielderrors *out;
};

static void check_name(const struct hook *h)
{
    static const char few[] = "should be a domain with at least three segments separated by dots";
    const char *name = jsonval_string_or_empty(h->json, "name");
    const char *dot = strchr(name, '.');
    cleanup_mem char *at = mem_printf("%s.name", h->at);
    if (*name == '\0')
        fielderrors_add(h->out, fielderrors_required(""), "%s", at);
    else if (kubenames_check_joined(kubenames_subdomain, name, name, "", at, h->out) &&
             (dot == NULL || strchr(dot + 1, '.') == NULL))
        fielderrors_add(h->out, fielderrors_invalid(name, few), "%s", at);
}

static void check_choice(const struct hook *h, const char *field, const char *const *supported)
{
    fielderrors_check_choice(h->out, jsonval_string(h->json, field), supported, "%s.%s", h->at, field);
}

static void check_timeout(const struct hook *h)
{
    struct json_object *value = jsonval_get(h->json, "timeoutSeconds");
    int64_t seconds = value == NULL ? 1 : json_object_get_int64(value);
    if (seconds < 1 || seconds > TIMEOUT_MAX_SECONDS)
        fielderrors_add(
            h->out,
            fielderrors_invalid_json(h->out, value, "", "the timeout value must be between 1 and 30 seconds"),
            "%s.timeoutSeconds", h->at);
}

static void check_selector(const struct hook *h, const char *field)
{
    cleanup_mem char *at = mem_printf("%s.%s", h->at, field);
    objectmeta_check_selector(jsonval_get(h->json, field), at, h->out);
}

/* ---- where it is ---- */

static void check_url(const struct hook *h, const char *text)
{
    cleanup_mem char *at = mem_printf("%s.clientConfig.url", h->at);
    cleanup_serverurl struct serverurl u;
    if (!serverurl_parse(text, h->out, &u)) {
        cleanup_mem char *detail = mem_printf("url must be a valid URL: %s" URL_FORM, u.error);
        fielderrors_add(h->out, fielderrors_required(detail), "%s", at);
        return;
    }
    const struct {
        bool is_wrong;
        const char *value, *detail;
    } rows[] = {
        {strcmp(u.scheme, "https") != 0, u.scheme, "'https' is the only allowed URL scheme" URL_FORM},
        {*u.host == '\0', u.host, "host must be specified" URL_FORM},
        {u.user != NULL, u.user, "user information is not permitted in the URL"},
        {*u.fragment != '\0', u.fragment, "fragments are not permitted in the URL"},
        {*u.query != '\0', u.query, "query parameters are not permitted in the URL"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].is_wrong)
            fielderrors_add(h->out, fielderrors_invalid(rows[i].value, rows[i].detail), "%s", at);
    }
}

/* One segment of a service's path. */
static void check_segment(const struct hook *h, const char *path, const char *segment, size_t number)
{
    cleanup_kubenames struct kubenames problems = {0};
    cleanup_mem char *empty = mem_printf("segment[%zu] may not be empty", number);
    if (*segment == '\0') {
        fielderrors_add(h->out, fielderrors_invalid(path, empty), "%s.clientConfig.service.path", h->at);
        return;
    }
    kubenames_subdomain(segment, &problems);
    for (size_t i = 0; i < problems.count; i++) {
        cleanup_mem char *detail = mem_printf("segment[%zu]: %s", number, problems.messages[i]);
        fielderrors_add(h->out, fielderrors_invalid(path, detail), "%s.clientConfig.service.path", h->at);
    }
}

static void check_path(const struct hook *h, const char *path)
{
    if (*path == '\0' || strcmp(path, "/") == 0)
        return;
    if (strcmp(path, "//") == 0) {
        check_segment(h, path, "", 0);
        return;
    }
    if (*path != '/')
        fielderrors_add(h->out, fielderrors_invalid(path, "must start with a '/'"),
                        "%s.clientConfig.service.path", h->at);
    /* as upstream: the first byte goes, whatever it is */
    cleanup_mem char *rest = mem_strdup(path + 1);
    size_t len = strlen(rest), number = 0;
    if (len > 0 && rest[len - 1] == '/')
        rest[len - 1] = '\0';
    for (char *segment = rest; segment != NULL; number++) {
        char *slash = strchr(segment, '/');
        if (slash != NULL)
            *slash = '\0';
        check_segment(h, path, segment, number);
        segment = slash == NULL ? NULL : slash + 1;
    }
}

static void check_service(const struct hook *h, struct json_object *service)
{
    struct json_object *port = jsonval_get(service, "port");
    int64_t number = port == NULL ? 1 : json_object_get_int64(port);
    bool is_old = !fielderrors_server(h->out).shows_json;
    /* as upstream: each is reported under the other's name */
    if (*jsonval_string_or_empty(service, "namespace") == '\0')
        fielderrors_add(h->out, fielderrors_required(is_old ? "service name is required" : ""),
                        "%s.clientConfig.service.name", h->at);
    if (*jsonval_string_or_empty(service, "name") == '\0')
        fielderrors_add(h->out, fielderrors_required(is_old ? "service namespace is required" : ""),
                        "%s.clientConfig.service.namespace", h->at);
    if (number < 1 || number > PORT_MAX)
        fielderrors_add(h->out,
                        fielderrors_invalid_json(h->out, port, "",
                                                 "port is not valid: must be between 1 and 65535, inclusive"),
                        "%s.clientConfig.service.port", h->at);
    check_path(h, jsonval_string_or_empty(service, "path"));
}

static void check_client(const struct hook *h)
{
    struct json_object *config = jsonval_get(h->json, "clientConfig");
    struct json_object *url = jsonval_get(config, "url"), *service = jsonval_get(config, "service");
    if ((url == NULL) == (service == NULL))
        fielderrors_add(h->out, fielderrors_required("exactly one of url or service is required"),
                        "%s.clientConfig", h->at);
    else if (url != NULL)
        check_url(h, json_object_get_string(url));
    else
        check_service(h, service);
}

/* ---- the webhook ---- */

static void check_match_conditions(const struct hook *h, const struct env *env)
{
    struct json_object *list = jsonval_array(h->json, "matchConditions");
    struct validation_common fields = {.out = h->out};
    cleanup_mem char *at = mem_printf("%s.matchConditions", h->at);
    validation_common_add_list(&fields, list, "expression", POLICY_MATCH_CONDITION);
    validation_common_compile(&fields, env, false, false);
    validation_common_check_match_conditions(&fields, list, at);
    validation_common_deinit(&fields);
}

static void check_review_versions(const struct hook *h)
{
    struct json_object *list = jsonval_array(h->json, "admissionReviewVersions");
    bool is_accepted = false;
    struct keymap seen = {0};
    if (jsonval_length(list) == 0) {
        fielderrors_add(h->out, fielderrors_required("must specify one of v1, v1beta1"),
                        "%s.admissionReviewVersions", h->at);
        return;
    }
    for (size_t i = 0; i < jsonval_length(list); i++) {
        cleanup_mem char *at = mem_printf("%s.admissionReviewVersions[%zu]", h->at, i);
        const char *version = jsonval_text_at(list, i);
        if (!keymap_add(&seen, version))
            fielderrors_add(h->out, fielderrors_invalid(version, "duplicate version"), "%s", at);
        else
            kubenames_check(kubenames_label_1035, version, version, at, h->out);
        is_accepted = is_accepted || fielderrors_is_choice(version, review_versions);
    }
    keymap_deinit(&seen, NULL);
    if (!is_accepted)
        fielderrors_add(
            h->out,
            fielderrors_invalid_json(h->out, list, "string", "must include at least one of v1, v1beta1"),
            "%s.admissionReviewVersions", h->at);
}

static void check_hook(const struct hook *h, bool is_mutating, const struct env *env)
{
    struct json_object *rules = jsonval_array(h->json, "rules");
    check_name(h);
    for (size_t i = 0; i < jsonval_length(rules); i++) {
        cleanup_mem char *at = mem_printf("%s.rules[%zu]", h->at, i);
        matchresources_check_rule(jsonval_at(rules, i), at, h->out);
    }
    check_choice(h, "failurePolicy", validation_common_failure_policies);
    check_choice(h, "matchPolicy", match_policies);
    if (jsonval_get(h->json, "sideEffects") == NULL)
        fielderrors_add(h->out, fielderrors_required("must specify one of None, NoneOnDryRun"),
                        "%s.sideEffects", h->at);
    check_choice(h, "sideEffects", side_effects);
    check_timeout(h);
    check_selector(h, "namespaceSelector");
    check_selector(h, "objectSelector");
    if (is_mutating)
        check_choice(h, "reinvocationPolicy", reinvocation_policies);
    check_client(h);
    check_match_conditions(h, env);
    check_review_versions(h);
}

void validation_of_webhooks(struct json_object *configuration, const struct env *env, struct fielderrors *out)
{
    const char *kind = jsonval_string_or_empty(configuration, "kind");
    bool is_mutating = objectkind_named(kind) == OBJECTKIND_MUTATING_WEBHOOKS;
    struct json_object *hooks = jsonval_array(configuration, "webhooks");
    struct keymap names = {0};
    if (!validation_common_fit(kind, configuration, out))
        return;
    objectmeta_check(jsonval_get(configuration, "metadata"), out);
    for (size_t i = 0; i < jsonval_length(hooks); i++) {
        cleanup_mem char *at = mem_printf("webhooks[%zu]", i);
        struct hook hook = {jsonval_at(hooks, i), at, out};
        const char *name = jsonval_string_or_empty(hook.json, "name");
        check_hook(&hook, is_mutating, env);
        if (*name != '\0' && !keymap_add(&names, name))
            fielderrors_add(out, fielderrors_duplicate(name), "%s.name", at);
    }
    keymap_deinit(&names, NULL);
    objectmeta_check_declared(jsonval_get(configuration, "metadata"), out);
    static_manifest_check(configuration, out);
}
