#include "controller/admission/objectmeta.h"

#include <ctype.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/admission/kubenames.h"
#include "controller/admission/managedfields.h"
#include "controller/admission/ownerrefs.h"
#include "controller/admission/static_manifest.h"

enum { ANNOTATIONS_MAX_BYTES = 256 * 1024 };

static void add_invalid(const struct kubenames *problems, const char *value, const char *at,
                        struct fielderrors *errors)
{
    for (size_t i = 0; i < problems->count; i++)
        fielderrors_add(errors, fielderrors_invalid(value, problems->messages[i]), "%s", at);
}

static void check_label_key(const char *key, const char *at, struct fielderrors *errors)
{
    cleanup_kubenames struct kubenames problems = {
        .is_old = fielderrors_is_before(errors, FIELDERRORS_BYTES_SINCE)};
    kubenames_qualified_name(key, &problems);
    add_invalid(&problems, key, at, errors);
}

static void check_label_value(const char *value, const char *at, struct fielderrors *errors)
{
    cleanup_kubenames struct kubenames problems = {
        .is_old = fielderrors_is_before(errors, FIELDERRORS_BYTES_SINCE)};
    kubenames_label_value(value, &problems);
    add_invalid(&problems, value, at, errors);
}

static const char *text_or_empty(struct json_object *value)
{
    const char *text = jsonval_text(value);
    return text == NULL ? "" : text;
}

static void check_labels(struct json_object *labels, const char *at, struct fielderrors *errors)
{
    if (labels == NULL)
        return;
    json_object_object_foreach(labels, key, value)
    {
        check_label_key(key, at, errors);
        check_label_value(text_or_empty(value), at, errors);
    }
}

/* ---- selectors ---- */

static void check_requirement(struct json_object *r, const char *at, struct fielderrors *errors)
{
    const char *operator= jsonval_string_or_empty(r, "operator");
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
    check_label_key(jsonval_string_or_empty(r, "key"), key_at, errors);
    for (size_t i = 0; i < jsonval_length(values); i++) {
        cleanup_mem char *value_at = mem_printf("%s.values[%zu]", at, i);
        check_label_value(text_or_empty(jsonval_at(values, i)), value_at, errors);
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

static void check_name(const char *field, const char *shown, const char *value, struct fielderrors *errors)
{
    cleanup_kubenames struct kubenames problems = {
        .is_old = fielderrors_is_before(errors, FIELDERRORS_BYTES_SINCE)};
    cleanup_mem char *at = mem_printf("metadata.%s", field);
    kubenames_subdomain(value, &problems);
    add_invalid(&problems, shown, at, errors);
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
    check_name("generateName", prefix, masked, errors);
}

static void check_annotations(struct json_object *annotations, struct fielderrors *errors)
{
    size_t total = 0;
    if (annotations == NULL)
        return;
    json_object_object_foreach(annotations, key, value)
    {
        cleanup_kubenames struct kubenames problems = {
            .is_old = fielderrors_is_before(errors, FIELDERRORS_BYTES_SINCE)};
        cleanup_mem char *lower = mem_strdup(key);
        for (char *p = lower; *p != '\0'; p++)
            *p = (char)tolower((unsigned char)*p);
        kubenames_qualified_name(lower, &problems);
        add_invalid(&problems, key, "metadata.annotations", errors);
        total += strlen(key) + strlen(text_or_empty(value));
    }
    if (total > ANNOTATIONS_MAX_BYTES)
        fielderrors_add(errors,
                        mem_printf("Too long: %s %d bytes",
                                   fielderrors_is_before(errors, FIELDERRORS_TYPES_SINCE)
                                       ? "must have at most"
                                       : "may not be more than",
                                   ANNOTATIONS_MAX_BYTES),
                        "metadata.annotations");
}

static void check_finalizers(struct json_object *finalizers, struct fielderrors *errors)
{
    bool orphans = false, deletes = false;
    for (size_t i = 0; i < jsonval_length(finalizers); i++) {
        const char *name = text_or_empty(jsonval_at(finalizers, i));
        check_label_key(name, "metadata.finalizers", errors);
        orphans = orphans || strcmp(name, "orphan") == 0;
        deletes = deletes || strcmp(name, "foregroundDeletion") == 0;
    }
    if (orphans && deletes)
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
        check_name("name", name, name, errors);
    check_labels(jsonval_get(metadata, "labels"), "metadata.labels", errors);
    check_annotations(jsonval_get(metadata, "annotations"), errors);
    ownerrefs_check(jsonval_array(metadata, "ownerReferences"), is_from_file, errors);
    check_finalizers(jsonval_array(metadata, "finalizers"), errors);
    if (is_from_file)
        managedfields_check(jsonval_array(metadata, "managedFields"), errors);
}
