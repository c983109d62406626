#include "controller/apiserver/validation/static_manifest.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "typecheck/text.h"

const char static_manifest_note[] =
    "the name ends in " STATIC_MANIFEST_SUFFIX
    ": the API server reads this object from a file in its staticManifestsDir, "
    "and refuses it through the API";

/* "v1" of "admissionregistration.k8s.io/v1" */
static const char *version_of(struct json_object *object)
{
    const char *api_version = jsonval_string_or_empty(object, "apiVersion");
    const char *slash = strchr(api_version, '/');
    return slash == NULL ? api_version : slash + 1;
}

bool static_manifest_has_name(struct json_object *metadata, const struct fielderrors *errors)
{
    return fielderrors_server(errors).reserves_static_names &&
           str_has_suffix(str_of(jsonval_string_or_empty(metadata, "name")), STR(STATIC_MANIFEST_SUFFIX));
}

bool static_manifest_is(struct json_object *object, const struct fielderrors *errors)
{
    return static_manifest_has_name(jsonval_get(object, "metadata"), errors);
}

bool static_manifest_takes_version(struct json_object *object, struct fielderrors *errors)
{
    const char *version = version_of(object);
    if (strcmp(version, "v1") == 0)
        return true;
    fielderrors_add(
        errors,
        mem_printf("unsupported resource type *%s.%s", version, jsonval_string_or_empty(object, "kind")),
        "apiVersion");
    return false;
}

static void check_policy(struct json_object *policy, struct fielderrors *errors)
{
    if (jsonval_get(jsonval_get(policy, "spec"), "paramKind") != NULL)
        fielderrors_add(errors,
                        mem_printf("%s \"%s\": spec.paramKind is not supported for static manifests",
                                   jsonval_string_or_empty(policy, "kind"), jsonval_metadata(policy, "name")),
                        "spec.paramKind");
}

static void check_binding(struct json_object *binding, struct fielderrors *errors)
{
    struct json_object *spec = jsonval_get(binding, "spec");
    const char *policy = jsonval_string_or_empty(spec, "policyName");
    if (!str_has_suffix(str_of(policy), STR(STATIC_MANIFEST_SUFFIX)))
        fielderrors_add(
            errors,
            mem_printf("binding \"%s\": spec.policyName \"%s\" must end with \"" STATIC_MANIFEST_SUFFIX "\"",
                       jsonval_metadata(binding, "name"), policy),
            "spec.policyName");
    else if (jsonval_get(spec, "paramRef") != NULL)
        fielderrors_add(errors,
                        mem_printf("binding \"%s\": spec.paramRef is not supported for static manifests",
                                   jsonval_metadata(binding, "name")),
                        "spec.paramRef");
}

/* The first webhook that is wrong. A URL is there where no service is: validation has seen to that. */
static void check_webhooks(struct json_object *configuration, struct fielderrors *errors)
{
    struct json_object *hooks = jsonval_array(configuration, "webhooks");
    for (size_t i = 0; i < jsonval_length(hooks); i++) {
        struct json_object *hook = jsonval_at(hooks, i);
        if (jsonval_get(jsonval_get(hook, "clientConfig"), "service") == NULL)
            continue;
        fielderrors_add(errors,
                        mem_printf("webhook \"%s\" in \"%s\": clientConfig.service is not supported for "
                                   "static manifests; use clientConfig.url instead",
                                   jsonval_string_or_empty(hook, "name"),
                                   jsonval_metadata(configuration, "name")),
                        "webhooks[%zu].clientConfig.service", i);
        return;
    }
}

void static_manifest_check(struct json_object *object, struct fielderrors *errors)
{
    const char *kind = jsonval_string_or_empty(object, "kind");
    if (errors->count > 0 || !static_manifest_is(object, errors))
        return;
    if (str_has_suffix(str_of(kind), STR("Policy")))
        check_policy(object, errors);
    else if (str_has_suffix(str_of(kind), STR("Binding")))
        check_binding(object, errors);
    else
        check_webhooks(object, errors);
}
