#include "controller/apiserver/validation/matchresources.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/kubenames.h"
#include "controller/apiserver/validation/objectmeta.h"

static const char *const match_policies[] = {"Equivalent", "Exact", NULL};
static const char *const operations[] = {"*", "CONNECT", "CREATE", "DELETE", "UPDATE", NULL};
static const char *const scopes[] = {"*", "Cluster", "Namespaced", NULL};

/* A list that must not be empty, and in which * stands alone. go: the type of its items; others: the things
 * that it would hold beside *. */
static void check_list(struct json_object *list, const char *go, const char *at, const char *others,
                       struct fielderrors *errors)
{
    size_t count = jsonval_length(list);
    if (count == 0)
        fielderrors_add(errors, fielderrors_required(""), "%s", at);
    if (count > 1 && jsonval_has_text(list, "*")) {
        cleanup_mem char *detail = mem_printf("if '*' is present, must not specify other %s", others);
        fielderrors_add(errors, fielderrors_invalid_json(errors, list, go, detail), "%s", at);
    }
}

/* Returns true if an entry before this one is WHOLE/part, for a part or a whole of "*". */
static bool has_wildcard(const struct keymap *before, const char *entry, bool is_resource)
{
    const char *slash = strchr(entry, '/');
    cleanup_mem char *wanted =
        is_resource ? mem_printf("%.*s/*", (int)(slash - entry), entry) : mem_printf("*%s", slash);
    return keymap_get(before, wanted) != NULL;
}

static void check_resource(const struct keymap *before, const char *entry, size_t i, const char *at,
                           struct fielderrors *errors)
{
    const char *slash = strchr(entry, '/');
    if (*entry == '\0')
        fielderrors_add(errors, fielderrors_required(""), "%s[%zu]", at, i);
    if (slash == NULL)
        return;
    if (has_wildcard(before, entry, true)) {
        cleanup_mem char *detail =
            mem_printf("if '%.*s/*' is present, must not specify %s", (int)(slash - entry), entry, entry);
        fielderrors_add(errors, fielderrors_invalid(entry, detail), "%s[%zu]", at, i);
    }
    if (has_wildcard(before, entry, false)) {
        cleanup_mem char *detail = mem_printf("if '*%s' is present, must not specify %s", slash, entry);
        fielderrors_add(errors, fielderrors_invalid(entry, detail), "%s[%zu]", at, i);
    }
}

static void check_resources(struct json_object *list, const char *at, struct fielderrors *errors)
{
    size_t count = jsonval_length(list);
    bool has_plain = false; /* as upstream: whether the last entry without a slash is not "*" */
    struct keymap seen = {0};
    if (count == 0)
        fielderrors_add(errors, fielderrors_required(""), "%s", at);
    for (size_t i = 0; i < count; i++) {
        const char *entry = jsonval_text_at(list, i);
        check_resource(&seen, entry, i, at, errors);
        keymap_add(&seen, entry);
        if (*entry != '\0' && strchr(entry, '/') == NULL)
            has_plain = strcmp(entry, "*") != 0;
    }
    if (count > 1 && keymap_get(&seen, "*/*") != NULL)
        fielderrors_add(errors,
                        fielderrors_invalid_json(errors, list, "string",
                                                 "if '*/*' is present, must not specify other resources"),
                        "%s", at);
    if (keymap_get(&seen, "*") != NULL && has_plain)
        fielderrors_add(errors,
                        fielderrors_invalid_json(
                            errors, list, "string",
                            "if '*' is present, must not specify other resources without subresources"),
                        "%s", at);
    keymap_deinit(&seen, NULL);
}

static void check_resource_names(struct json_object *names, const char *at, struct fielderrors *errors)
{
    struct keymap seen = {0};
    for (size_t i = 0; i < jsonval_length(names); i++) {
        cleanup_mem char *name_at = mem_printf("%s.resourceNames[%zu]", at, i);
        const char *name = jsonval_text_at(names, i);
        kubenames_check(kubenames_path_segment, name, name, name_at, errors);
        if (!keymap_add(&seen, name))
            fielderrors_add(errors, fielderrors_duplicate(name), "%s", name_at);
    }
    keymap_deinit(&seen, NULL);
}

static void check_operations(struct json_object *list, const char *at, struct fielderrors *errors)
{
    check_list(list, "admissionregistration.OperationType", at, "operations", errors);
    for (size_t i = 0; i < jsonval_length(list); i++)
        fielderrors_check_choice(errors, jsonval_text_at(list, i), operations, "%s[%zu]", at, i);
}

void matchresources_check_rule(struct json_object *rule, const char *at, struct fielderrors *errors)
{
    cleanup_mem char *operations_at = mem_printf("%s.operations", at);
    cleanup_mem char *groups_at = mem_printf("%s.apiGroups", at);
    cleanup_mem char *versions_at = mem_printf("%s.apiVersions", at);
    cleanup_mem char *resources_at = mem_printf("%s.resources", at);
    struct json_object *versions = jsonval_array(rule, "apiVersions");
    check_resource_names(jsonval_array(rule, "resourceNames"), at, errors);
    check_operations(jsonval_array(rule, "operations"), operations_at, errors);
    check_list(jsonval_array(rule, "apiGroups"), "string", groups_at, "API groups", errors);
    check_list(versions, "string", versions_at, "API versions", errors);
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        if (*jsonval_text_at(versions, i) == '\0')
            fielderrors_add(errors, fielderrors_required(""), "%s[%zu]", versions_at, i);
    }
    check_resources(jsonval_array(rule, "resources"), resources_at, errors);
    fielderrors_check_choice(errors, jsonval_string(rule, "scope"), scopes, "%s.scope", at);
}

static void check_rules(struct json_object *resources, const char *list, const char *at,
                        struct fielderrors *errors)
{
    struct json_object *rules = jsonval_array(resources, list);
    for (size_t i = 0; i < jsonval_length(rules); i++) {
        cleanup_mem char *rule_at = mem_printf("%s.%s[%zu]", at, list, i);
        matchresources_check_rule(jsonval_at(rules, i), rule_at, errors);
    }
}

void matchresources_check(struct json_object *resources, const char *at, struct fielderrors *errors)
{
    cleanup_mem char *namespaces_at = mem_printf("%s.namespaceSelector", at);
    cleanup_mem char *objects_at = mem_printf("%s.objectSelector", at);
    fielderrors_check_choice(errors, jsonval_string(resources, "matchPolicy"), match_policies,
                             "%s.matchPolicy", at);
    objectmeta_check_selector(jsonval_get(resources, "namespaceSelector"), namespaces_at, errors);
    objectmeta_check_selector(jsonval_get(resources, "objectSelector"), objects_at, errors);
    check_rules(resources, "resourceRules", at, errors);
    check_rules(resources, "excludeResourceRules", at, errors);
}
