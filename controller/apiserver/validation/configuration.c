#include "controller/apiserver/validation/configuration.h"

#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"
#include "controller/apiserver/validation/kubenames.h"
#include "controller/apiserver/validation/serverurl.h"
#include "controller/apiserver/validation/strictdecode.h"
#include "controller/apiserver/validation/validation_common.h"
#include "typecheck/text.h"
#include "typecheck/typecheck.h"

enum { AUTHENTICATORS_MAX = 64 };

/* ---- for both kinds ---- */

bool configuration_fits(struct json_object *file, const char *kind, bool has_v1, struct fielderrors *out)
{
    const char *api_version = jsonval_string_or_empty(file, "apiVersion");
    const char *version = api_version + strlen(CONFIGURATION_GROUP);
    const bool is_beta = strcmp(version, "v1beta1") == 0, is_stable = strcmp(version, "v1") == 0;
    struct fielderror misfit;
    if ((!is_beta && !is_stable && strcmp(version, "v1alpha1") != 0) ||
        (is_beta && !fielderrors_server(out).has_configuration_v1beta1) || (is_stable && !has_v1)) {
        fielderrors_add(out, mem_printf("no kind \"%s\" is registered for version \"%s\"", kind, api_version),
                        "apiVersion");
        return false;
    }
    const enum strictdecode_fit fit = strictdecode_fits(kind, version, out->minor, file, &misfit);
    if (fit == STRICTDECODE_FITS)
        return true;
    strictdecode_add(out, &misfit, true);
    out->n_decoding = out->count;
    return fit != STRICTDECODE_WRONG_TYPE;
}

const struct cel_place_compiled *configuration_compile(struct compiler *compiler, enum cel_place place,
                                                       struct str text, const char *field,
                                                       struct fielderrors *out)
{
    const struct cel_place_compiled *compiled = compiler_compile(compiler, place, text);
    if (compiled == NULL)
        out->is_limited = true;
    else if (!compiled->compiles)
        fielderrors_add_compiled(out, &compiled->problem, text, field);
    return compiled;
}

/* ---- one authenticator ---- */

struct authenticator {
    struct json_object *json;
    const char *at; /* "jwt[0]" */
    struct compiler *compiler;
    struct fielderrors *out;
    bool uses_email, uses_email_verified;
};

static bool is_old(const struct authenticator *a)
{
    return !fielderrors_server(a->out).shows_json;
}

/* The words of 1.34 and later, and those before. */
static const char *choose(const struct authenticator *a, const char *words, const char *old)
{
    return is_old(a) ? old : words;
}

static void add_invalid(struct authenticator *a, const char *at, const char *member, const char *value,
                        const char *detail)
{
    fielderrors_add(a->out, fielderrors_invalid(value, detail), "%s.%s", at, member);
}

static void check_url(struct authenticator *a, const char *at, const char *text)
{
    cleanup_serverurl struct serverurl u;
    if (!serverurl_parse(text, a->out, &u)) {
        fielderrors_add(a->out, fielderrors_invalid(text, u.error), "%s", at);
        return;
    }
    const struct {
        bool is_wrong;
        const char *detail;
    } rows[] = {
        {strcmp(u.scheme, "https") != 0, "URL scheme must be https"},
        {u.user != NULL, "URL must not contain a username or password"},
        {*u.query != '\0', "URL must not contain a query"},
        {*u.fragment != '\0', "URL must not contain a fragment"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].is_wrong)
            fielderrors_add(a->out, fielderrors_invalid(text, rows[i].detail), "%s", at);
    }
}

/* The URL without the slashes at its end. */
static struct str trimmed(const char *url)
{
    struct str s = str_of(url);
    while (s.len > 0 && s.at[s.len - 1] == '/')
        s.len--;
    return s;
}

static void check_urls(struct authenticator *a, struct json_object *issuer)
{
    const char *url = jsonval_string_or_empty(issuer, "url");
    const char *discovery = jsonval_string_or_empty(issuer, "discoveryURL");
    cleanup_mem char *url_at = mem_printf("%s.issuer.url", a->at);
    cleanup_mem char *discovery_at = mem_printf("%s.issuer.discoveryURL", a->at);
    if (*url == '\0')
        fielderrors_add(a->out, fielderrors_required(choose(a, "", "URL is required")), "%s", url_at);
    else
        check_url(a, url_at, url);
    if (*discovery == '\0')
        return;
    if (*url != '\0' && str_eq(trimmed(url), trimmed(discovery)))
        fielderrors_add(a->out, fielderrors_invalid(discovery, "discoveryURL must be different from URL"),
                        "%s", discovery_at);
    check_url(a, discovery_at, discovery);
}

static void check_audiences(struct authenticator *a, struct json_object *issuer)
{
    struct json_object *list = jsonval_array(issuer, "audiences");
    const char *policy = jsonval_string_or_empty(issuer, "audienceMatchPolicy");
    const size_t count = jsonval_length(list);
    struct keymap seen = {0};
    cleanup_mem char *at = mem_printf("%s.issuer.audiences", a->at);
    if (count == 0) {
        cleanup_mem char *detail = mem_printf("at least one %s is required", at);
        fielderrors_add(a->out, fielderrors_required(detail), "%s", at);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const char *audience = jsonval_text_at(list, i);
        if (*audience == '\0')
            fielderrors_add(a->out, fielderrors_required(choose(a, "", "audience can't be empty")), "%s[%zu]",
                            at, i);
        if (!keymap_add(&seen, audience))
            fielderrors_add(a->out, fielderrors_duplicate(audience), "%s[%zu]", at, i);
    }
    keymap_deinit(&seen, NULL);
    if (strcmp(policy, "MatchAny") == 0)
        return;
    if (count > 1)
        add_invalid(a, a->at, "issuer.audienceMatchPolicy", policy,
                    "audienceMatchPolicy must be MatchAny for multiple audiences");
    else if (*policy != '\0')
        add_invalid(a, a->at, "issuer.audienceMatchPolicy", policy,
                    "audienceMatchPolicy must be empty or MatchAny for single audience");
}

static void check_egress(struct authenticator *a, struct json_object *issuer)
{
    const char *type = jsonval_string_or_empty(issuer, "egressSelectorType");
    if (*type != '\0' && strcmp(type, "controlplane") != 0 && strcmp(type, "cluster") != 0)
        add_invalid(a, a->at, "issuer.egressSelectorType", type,
                    "egress selector must be either controlplane or cluster");
}

/* ---- its expressions ---- */

static void compile(struct authenticator *a, enum cel_place place, struct str text, const char *field,
                    bool decides_email)
{
    const struct cel_place_compiled *compiled =
        configuration_compile(a->compiler, place, text, field, a->out);
    if (compiled == NULL || !decides_email)
        return;
    a->uses_email_verified = a->uses_email_verified || compiled->uses_email_verified;
    a->uses_email = a->uses_email || compiled->uses_email;
}

/* `used` is what the username alone can use. */
static void compile_rule(struct authenticator *a, enum cel_place place, struct str text, const char *field)
{
    const bool used = a->uses_email;
    compile(a, place, text, field, true);
    a->uses_email = used;
}

struct seen {
    struct keymap claims, expressions;
};

/* Texts that hold NUL are no keys; the parser refuses them. */
static void check_claim_rule(struct authenticator *a, struct json_object *rule, size_t i, struct seen *seen)
{
    const char *claim = jsonval_string_or_empty(rule, "claim");
    const char *message = jsonval_string_or_empty(rule, "message");
    const char *required = jsonval_string_or_empty(rule, "requiredValue");
    const struct str text = gotext_member(rule, "expression");
    cleanup_mem char *at = mem_printf("%s.claimValidationRules[%zu]", a->at, i);
    cleanup_mem char *expression_at = mem_printf("%s.expression", at);
    if (*claim != '\0' && text.len > 0) {
        fielderrors_add(a->out, fielderrors_invalid(claim, "claim and expression can't both be set"), "%s",
                        at);
    } else if (*claim != '\0') {
        if (*message != '\0')
            add_invalid(a, at, "message", message,
                        choose(a, "may not be specified when claim is set",
                               "message can't be set when claim is set"));
        if (!keymap_add(&seen->claims, claim))
            fielderrors_add(a->out, fielderrors_duplicate(claim), "%s.claim", at);
    } else if (text.len == 0) {
        fielderrors_add(a->out, fielderrors_required("claim or expression is required"), "%s", at);
    } else {
        if (*required != '\0')
            add_invalid(a, at, "requiredValue", required,
                        choose(a, "may not be specified when expression is set",
                               "requiredValue can't be set when expression is set"));
        if (!keymap_add(&seen->expressions, text.at))
            fielderrors_add(a->out, fielderrors_duplicate(text.at), "%s", expression_at);
        else
            compile_rule(a, CEL_PLACE_CLAIM_RULE, text, expression_at);
    }
}

static void check_claim_rules(struct authenticator *a)
{
    struct json_object *list = jsonval_array(a->json, "claimValidationRules");
    struct seen seen = {0};
    for (size_t i = 0; i < jsonval_length(list); i++)
        check_claim_rule(a, jsonval_at(list, i), i, &seen);
    keymap_deinit(&seen.claims, NULL);
    keymap_deinit(&seen.expressions, NULL);
}

/* username, groups */
static void check_mapping(struct authenticator *a, struct json_object *mappings, const char *member)
{
    struct json_object *mapping = jsonval_get(mappings, member);
    const bool is_username = strcmp(member, "username") == 0;
    const char *claim = jsonval_string_or_empty(mapping, "claim");
    const char *prefix = jsonval_string(mapping, "prefix");
    const struct str text = gotext_member(mapping, "expression");
    cleanup_mem char *at = mem_printf("%s.claimMappings.%s", a->at, member);
    cleanup_mem char *expression_at = mem_printf("%s.expression", at);
    if (text.len > 0 && *claim != '\0') {
        fielderrors_add(a->out, fielderrors_invalid("", "claim and expression can't both be set"), "%s", at);
    } else if (text.len > 0) {
        const bool used = a->uses_email, verified = a->uses_email_verified;
        if (prefix != NULL)
            add_invalid(a, at, "prefix", prefix,
                        choose(a, "may not be specified when expression is set",
                               "prefix can't be set when expression is set"));
        compile(a, CEL_PLACE_CLAIM_MAPPING, text, expression_at, is_username);
        /* one with an error counts as if it used nothing */
        a->uses_email = prefix == NULL ? a->uses_email : used;
        a->uses_email_verified = prefix == NULL ? a->uses_email_verified : verified;
    } else if (*claim == '\0' && is_username) {
        fielderrors_add(a->out, fielderrors_required("claim or expression is required"), "%s", at);
    } else if (*claim != '\0' && prefix == NULL) {
        fielderrors_add(
            a->out,
            fielderrors_required("prefix is required when claim is set. It can be set to an empty "
                                 "string to disable prefixing"),
            "%s.prefix", at);
    }
}

static void check_uid(struct authenticator *a, struct json_object *mapping)
{
    const struct str text = gotext_member(mapping, "expression");
    const bool has_claim = *jsonval_string_or_empty(mapping, "claim") != '\0';
    cleanup_mem char *at = mem_printf("%s.claimMappings.uid", a->at);
    cleanup_mem char *expression_at = mem_printf("%s.expression", at);
    if (has_claim && text.len > 0)
        fielderrors_add(a->out, fielderrors_invalid("", "claim and expression can't both be set"), "%s", at);
    else if (text.len > 0)
        compile(a, CEL_PLACE_CLAIM_MAPPING, text, expression_at, false);
}

/* ---- keys of extra ---- */

static bool is_path(const char *text)
{
    static const char others[] = "/-._~%!$&'()*+,;=:";
    for (const char *p = text; *p != '\0'; p++) {
        const bool is_alphanumeric =
            (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        if (!is_alphanumeric && strchr(others, *p) == NULL)
            return false;
    }
    return true;
}

static bool is_reserved(const char *domain)
{
    return strcmp(domain, "kubernetes.io") == 0 || strcmp(domain, "k8s.io") == 0 ||
           str_has_suffix(str_of(domain), STR(".kubernetes.io")) ||
           str_has_suffix(str_of(domain), STR(".k8s.io"));
}

/* "example.com/name" (k8s.io/apimachinery/pkg/util/validation, IsDomainPrefixedPath) */
static void check_prefixed_path(struct authenticator *a, const char *key, const char *at)
{
    const char *slash = strchr(key, '/');
    if (*key == '\0') {
        fielderrors_add(a->out, fielderrors_required(""), "%s", at);
        return;
    }
    if (slash == NULL || slash == key || slash[1] == '\0') {
        fielderrors_add(a->out,
                        fielderrors_invalid(key, "must be a domain-prefixed path (such as \"acme.io/foo\")"),
                        "%s", at);
        return;
    }
    cleanup_mem char *domain = mem_strndup(key, (size_t)(slash - key));
    kubenames_check(kubenames_subdomain, domain, domain, at, a->out);
    if (!is_path(slash + 1))
        fielderrors_add(a->out,
                        fielderrors_invalid(slash + 1, "Invalid path (regex used for validation is "
                                                       "'[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"),
                        "%s", at);
}

static void check_key(struct authenticator *a, const char *key, const char *at)
{
    const char *slash = strchr(key, '/');
    cleanup_mem char *domain = mem_strndup(key, slash == NULL ? 0 : (size_t)(slash - key));
    bool has_upper = false;
    for (const char *p = key; *p != '\0'; p++)
        has_upper = has_upper || (*p >= 'A' && *p <= 'Z');
    check_prefixed_path(a, key, at);
    if (has_upper)
        fielderrors_add(a->out,
                        fielderrors_invalid(key, choose(a, "must be lowercase", "key must be lowercase")),
                        "%s", at);
    if (is_reserved(domain) && fielderrors_server(a->out).reserves_claim_domains)
        fielderrors_add(
            a->out,
            fielderrors_invalid(key,
                                "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use"),
            "%s", at);
}

static void check_extra(struct authenticator *a, struct json_object *list)
{
    struct keymap seen = {0};
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *entry = jsonval_at(list, i);
        const char *key = jsonval_string_or_empty(entry, "key");
        const struct str text = gotext_member(entry, "valueExpression");
        cleanup_mem char *key_at = mem_printf("%s.claimMappings.extra[%zu].key", a->at, i);
        cleanup_mem char *at = mem_printf("%s.claimMappings.extra[%zu].valueExpression", a->at, i);
        check_key(a, key, key_at);
        if (!keymap_add(&seen, key))
            fielderrors_add(a->out, fielderrors_duplicate(key), "%s", key_at);
        else if (text.len == 0)
            fielderrors_add(a->out, fielderrors_required(choose(a, "", "valueExpression is required")), "%s",
                            at);
        else
            compile_rule(a, CEL_PLACE_CLAIM_MAPPING, text, at);
    }
    keymap_deinit(&seen, NULL);
}

static void check_mappings(struct authenticator *a)
{
    struct json_object *mappings = jsonval_get(a->json, "claimMappings");
    const struct str username = gotext_member(jsonval_get(mappings, "username"), "expression");
    check_mapping(a, mappings, "username");
    check_mapping(a, mappings, "groups");
    check_uid(a, jsonval_get(mappings, "uid"));
    check_extra(a, jsonval_array(mappings, "extra"));
    if (a->uses_email && !a->uses_email_verified)
        fielderrors_add(
            a->out,
            fielderrors_invalid_bytes(
                username.at, username.len,
                "claims.email_verified must be used in claimMappings.username.expression or "
                "claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when "
                "claims.email is used in claimMappings.username.expression"),
            "%s.claimMappings.username.expression", a->at);
}

static void check_user_rules(struct authenticator *a)
{
    struct json_object *list = jsonval_array(a->json, "userValidationRules");
    struct keymap seen = {0};
    for (size_t i = 0; i < jsonval_length(list); i++) {
        const struct str text = gotext_member(jsonval_at(list, i), "expression");
        cleanup_mem char *at = mem_printf("%s.userValidationRules[%zu].expression", a->at, i);
        if (text.len == 0)
            fielderrors_add(a->out, fielderrors_required(choose(a, "", "expression is required")), "%s", at);
        else if (!keymap_add(&seen, text.at))
            fielderrors_add(a->out, fielderrors_duplicate(text.at), "%s", at);
        else
            compile(a, CEL_PLACE_USER_RULE, text, at, false);
    }
    keymap_deinit(&seen, NULL);
}

/* ---- the file ---- */

struct seen_issuers {
    struct keymap urls, discovery_urls;
};

static void check_authenticator(struct authenticator *a, struct seen_issuers *seen)
{
    struct json_object *issuer = jsonval_get(a->json, "issuer");
    const char *url = jsonval_string_or_empty(issuer, "url");
    const char *discovery = jsonval_string_or_empty(issuer, "discoveryURL");
    check_urls(a, issuer);
    check_audiences(a, issuer);
    check_egress(a, issuer);
    check_claim_rules(a);
    check_mappings(a);
    check_user_rules(a);
    if (!keymap_add(&seen->urls, url))
        fielderrors_add(a->out, fielderrors_duplicate(url), "%s.issuer.url", a->at);
    if (*discovery != '\0' && !keymap_add(&seen->discovery_urls, discovery))
        fielderrors_add(a->out, fielderrors_duplicate(discovery), "%s.issuer.discoveryURL", a->at);
}

/* The conditions in the form of the server's own type. */
static struct json_object *name_paths(struct json_object *conditions)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(conditions); i++) {
        struct json_object *one = json_object_new_object();
        const char *path = jsonval_string_or_empty(jsonval_at(conditions, i), "path");
        jsonval_set(one, "Path", json_object_new_string(path));
        jsonval_append(list, one);
    }
    return list;
}

static void check_anonymous(struct json_object *anonymous, struct fielderrors *out)
{
    cleanup_json struct json_object *conditions = name_paths(jsonval_array(anonymous, "conditions"));
    if (anonymous == NULL)
        return;
    if (!fielderrors_server(out).configures_anonymous)
        fielderrors_add(out,
                        fielderrors_forbidden("anonymous is not supported when "
                                              "AnonymousAuthConfigurableEnpoints feature gate is disabled"),
                        "anonymous");
    if (!jsonval_is_true(anonymous, "enabled") && jsonval_length(conditions) > 0)
        fielderrors_add(out,
                        fielderrors_invalid_json(out, conditions, "apiserver.AnonymousAuthCondition",
                                                 "enabled should be set to true when conditions are defined"),
                        "anonymous.conditions");
}

void configuration_check_authentication(struct json_object *file, const struct env *env,
                                        struct fielderrors *out)
{
    struct json_object *list = jsonval_array(file, "jwt");
    struct seen_issuers seen = {0};
    struct compiler compiler;
    if (!configuration_fits(file, "AuthenticationConfiguration",
                            fielderrors_server(out).has_authentication_v1, out))
        return;
    if (jsonval_length(list) > AUTHENTICATORS_MAX) {
        fielderrors_add(out, fielderrors_too_many(jsonval_length(list), AUTHENTICATORS_MAX), "jwt");
        return;
    }
    compiler_init(&compiler, &(struct cel_place_scope){.env = env}, typecheck_default_caps.steps);
    for (size_t i = 0; i < jsonval_length(list); i++) {
        cleanup_mem char *at = mem_printf("jwt[%zu]", i);
        struct authenticator a = {.json = jsonval_at(list, i), .at = at, .compiler = &compiler, .out = out};
        check_authenticator(&a, &seen);
    }
    check_anonymous(jsonval_get(file, "anonymous"), out);
    compiler_deinit(&compiler);
    keymap_deinit(&seen.urls, NULL);
    keymap_deinit(&seen.discovery_urls, NULL);
}
