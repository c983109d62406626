#include "controller/apiserver/validation/objectmeta.h"

#include <ctype.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/kubenames.h"
#include "controller/apiserver/validation/managedfields.h"
#include "controller/apiserver/validation/ownerrefs.h"
#include "controller/apiserver/validation/static_manifest.h"

enum { ANNOTATIONS_MAX_BYTES = 256 * 1024 };

static void check_labels(struct json_object *labels, const char *at, struct fielderrors *errors)
{
    if (labels == NULL)
        return;
    jsonval_each(labels, key, value)
    {
        const char *text = jsonval_text(value);
        kubenames_check(kubenames_qualified_name, key, key, at, errors);
        kubenames_check(kubenames_label_value, text == NULL ? "" : text, text, at, errors);
    }
}

/* ---- selectors ---- */

static void check_requirement(struct json_object *r, const char *at, struct fielderrors *errors)
{
    const char *operator= jsonval_string_or_empty(r, "operator");
    const char *key = jsonval_string_or_empty(r, "key");
    struct json_object *values = jsonval_array(r, "values");
    cleanup_mem char *key_at = mem_printf("%s.key", at);
    if (strcmp(operator, "In") == 0 || strcmp(operator, "NotIn") == 0) {
        if (jsonval_length(values) == 0)
            fielderrors_add(errors,
                            fielderrors_required("must be specified when `operator` is 'In' or 'NotIn'"),
                            "%s.values", at);
    } else if (strcmp(operator, "Exists") == 0 || strcmp(operator, "DoesNotExist") == 0) {
        if (jsonval_length(values) > 0)
            fielderrors_add(
                errors,
                fielderrors_forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
                "%s.values", at);
    } else {
        struct json_object *given = json_object_new_string(operator);
        fielderrors_add(errors, fielderrors_invalid_json(errors, given, "", "not a valid selector operator"),
                        "%s.operator", at);
        json_object_put(given);
    }
    kubenames_check(kubenames_qualified_name, key, key, key_at, errors);
    for (size_t i = 0; i < jsonval_length(values); i++) {
        cleanup_mem char *value_at = mem_printf("%s.values[%zu]", at, i);
        const char *value = jsonval_text_at(values, i);
        kubenames_check(kubenames_label_value, value, value, value_at, errors);
    }
}

void objectmeta_check_selector(struct json_object *selector, const char *at, struct fielderrors *errors)
{
    cleanup_mem char *labels_at = mem_printf("%s.matchLabels", at);
    struct json_object *list = jsonval_array(selector, "matchExpressions");
    check_labels(jsonval_get(selector, "matchLabels"), labels_at, errors);
    for (size_t i = 0; i < jsonval_length(list); i++) {
        cleanup_mem char *item_at = mem_printf("%s.matchExpressions[%zu]", at, i);
        check_requirement(jsonval_at(list, i), item_at, errors);
    }
}

/* ---- metadata ---- */

char *objectmeta_name(struct json_object *metadata)
{
    const char *name = jsonval_string_or_empty(metadata, "name");
    const char *prefix = jsonval_string_or_empty(metadata, "generateName");
    return *name == '\0' && *prefix != '\0' ? mem_printf("%sxxxxx", prefix) : mem_strdup(name);
}

/* A prefix may end in a dash: the suffix follows. */
static void check_generate_name(const char *prefix, struct fielderrors *errors)
{
    size_t len = strlen(prefix);
    cleanup_mem char *masked = mem_strdup(prefix);
    if (len > 1 && prefix[len - 1] == '-') {
        masked[len - 2] = 'a';
        masked[len - 1] = '\0';
    }
    kubenames_check(kubenames_subdomain, masked, prefix, "metadata.generateName", errors);
}

static void check_annotations(struct json_object *annotations, struct fielderrors *errors)
{
    size_t total = 0;
    if (annotations == NULL)
        return;
    jsonval_each(annotations, key, value)
    {
        const char *text = jsonval_text(value);
        cleanup_mem char *lower = mem_strdup(key);
        for (char *p = lower; *p != '\0'; p++)
            *p = (char)tolower((unsigned char)*p);
        kubenames_check(kubenames_qualified_name, lower, key, "metadata.annotations", errors);
        total += strlen(key) + (text == NULL ? 0 : strlen(text));
    }
    if (total > ANNOTATIONS_MAX_BYTES)
        fielderrors_add(
            errors,
            mem_printf("Too long: %s %d bytes",
                       !fielderrors_server(errors).names_types ? "must have at most" : "may not be more than",
                       ANNOTATIONS_MAX_BYTES),
            "metadata.annotations");
}

static void check_finalizers(struct json_object *finalizers, struct fielderrors *errors)
{
    for (size_t i = 0; i < jsonval_length(finalizers); i++) {
        const char *name = jsonval_text_at(finalizers, i);
        kubenames_check(kubenames_qualified_name, name, name, "metadata.finalizers", errors);
    }
    if (jsonval_has_text(finalizers, "orphan") && jsonval_has_text(finalizers, "foregroundDeletion"))
        fielderrors_add(errors,
                        fielderrors_invalid_json(errors, finalizers, "string",
                                                 "finalizer orphan and foregroundDeletion cannot "
                                                 "be both set"),
                        "metadata.finalizers");
}

void objectmeta_check(struct json_object *metadata, struct fielderrors *errors)
{
    const char *prefix = jsonval_string_or_empty(metadata, "generateName");
    cleanup_mem char *name = objectmeta_name(metadata);
    bool is_from_file = static_manifest_has_name(metadata, errors);
    if (*prefix != '\0')
        check_generate_name(prefix, errors);
    if (*name == '\0')
        fielderrors_add(errors, fielderrors_required("name or generateName is required"), "metadata.name");
    else
        kubenames_check(kubenames_subdomain, name, name, "metadata.name", errors);
    check_labels(jsonval_get(metadata, "labels"), "metadata.labels", errors);
    check_annotations(jsonval_get(metadata, "annotations"), errors);
    ownerrefs_check(jsonval_array(metadata, "ownerReferences"), is_from_file, errors);
    check_finalizers(jsonval_array(metadata, "finalizers"), errors);
    if (is_from_file)
        managedfields_check(jsonval_array(metadata, "managedFields"), errors);
}

void objectmeta_check_declared(struct json_object *metadata, struct fielderrors *errors)
{
    bool is_from_file = static_manifest_has_name(metadata, errors);
    ownerrefs_check_declared(jsonval_array(metadata, "ownerReferences"), is_from_file, errors);
    if (is_from_file)
        managedfields_check_declared(jsonval_array(metadata, "managedFields"), errors);
}
