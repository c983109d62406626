#include "controller/apiserver/validation/validation.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"
#include "controller/apiserver/validation/kubenames.h"
#include "controller/apiserver/validation/objectmeta.h"
#include "controller/apiserver/validation/static_manifest.h"
#include "controller/apiserver/validation/validation_common.h"

enum { AUDIT_ANNOTATIONS_MAX = 20 };

static const char *const reasons[] = {"Forbidden", "Invalid", "RequestEntityTooLarge", NULL};
static const char *const actions[] = {"Audit", "Deny", "Warn", NULL};

/* One policy's validation. */
struct run {
    struct json_object *spec;
    char *name; /* metadata.name */
    struct validation_common fields;
    struct fielderrors *out;
};

static bool is_old(const struct run *r)
{
    return !fielderrors_server(r->out).shows_json;
}

/* The lists of a policy's spec in the order in which the server compiles them, and what of each. */
static const struct list {
    const char *name, *member;
    enum policy_place place;
} lists[] = {
    {"matchConditions", "expression", POLICY_MATCH_CONDITION},
    {"variables", "expression", POLICY_VARIABLE},
    {"validations", "expression", POLICY_VALIDATION},
    {"validations", "messageExpression", POLICY_MESSAGE},
    {"auditAnnotations", "valueExpression", POLICY_AUDIT_ANNOTATION},
};

static void compile_all(struct run *r, const struct env *env)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        validation_common_add_list(&r->fields, jsonval_array(r->spec, lists[i].name), lists[i].member,
                                   lists[i].place);
    validation_common_compile(&r->fields, env, jsonval_get(r->spec, "paramKind") != NULL,
                              jsonval_length(jsonval_array(r->spec, "variables")) > 0);
}

static void check_message(struct run *r, struct json_object *entry, size_t i)
{
    struct str message = gotext_member(entry, "message"), plain = gotext_trimmed(message);
    const char *problem = NULL;
    if (message.len > 0 && plain.len == 0)
        problem = is_old(r) ? "message must be non-empty if specified" : "must be non-empty if specified";
    else if (plain.len > 0 && (memchr(plain.at, '\n', plain.len) || memchr(plain.at, '\r', plain.len)))
        problem = is_old(r) ? "message must not contain line breaks" : "must not contain line breaks";
    if (problem != NULL)
        fielderrors_add(r->out, fielderrors_invalid_bytes(message.at, message.len, problem),
                        "spec.validations[%zu].message", i);
}

static void check_validation(struct run *r, struct json_object *entry, size_t i)
{
    struct str text = gotext_member(entry, "expression"), message = gotext_member(entry, "messageExpression");
    cleanup_mem char *at = mem_printf("spec.validations[%zu].expression", i);
    cleanup_mem char *message_at = mem_printf("spec.validations[%zu].messageExpression", i);
    if (gotext_trimmed(text).len == 0)
        fielderrors_add(r->out, fielderrors_required("expression is not specified"), "%s", at);
    else
        validation_common_check(&r->fields, POLICY_VALIDATION, text, text, at);
    if (message.len > 0 && gotext_trimmed(message).len == 0)
        fielderrors_add(r->out,
                        fielderrors_invalid_bytes(message.at, message.len, "must be non-empty if specified"),
                        "%s", message_at);
    else if (message.len > 0)
        validation_common_check(&r->fields, POLICY_MESSAGE, message, message, message_at);
    check_message(r, entry, i);
    fielderrors_check_choice(r->out, jsonval_string(entry, "reason"), reasons, "spec.validations[%zu].reason",
                             i);
}

static void check_annotation(struct run *r, struct json_object *entry, size_t i, struct keymap *keys)
{
    const char *key = jsonval_string_or_empty(entry, "key");
    struct str given = gotext_member(entry, "valueExpression"), text = gotext_trimmed(given);
    cleanup_mem char *at = mem_printf("spec.auditAnnotations[%zu].valueExpression", i);
    cleanup_mem char *key_at = mem_printf("spec.auditAnnotations[%zu].key", i);
    cleanup_mem char *full_key = mem_printf("%s/%s", r->name, key);
    if (*r->name == '\0')
        fielderrors_add(r->out, fielderrors_invalid(key, "requires metadata.name be non-empty"), "%s",
                        key_at);
    else
        kubenames_check(kubenames_qualified_name, full_key, full_key, key_at, r->out);
    if (text.len == 0)
        fielderrors_add(r->out, fielderrors_required("valueExpression is not specified"), "%s", at);
    else if (text.len > VALIDATION_COMMON_VALUE_MAX_BYTES)
        fielderrors_add(r->out, fielderrors_required("must not exceed 5120 bytes in length"), "%s", at);
    else
        validation_common_check(&r->fields, POLICY_AUDIT_ANNOTATION, text, given, at);
    if (!keymap_add(keys, key))
        fielderrors_add(r->out, fielderrors_duplicate(key), "%s", key_at);
}

/* The server's own type has no JSON names, so it writes Go's. */
static char *too_many_annotations(const struct run *r, struct json_object *list)
{
    cleanup_json struct json_object *shown = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *entry = json_object_new_object(), *from = jsonval_at(list, i);
        jsonval_set(entry, "Key", json_object_new_string(jsonval_string_or_empty(from, "key")));
        jsonval_set(entry, "ValueExpression",
                    json_object_new_string(jsonval_string_or_empty(from, "valueExpression")));
        jsonval_append(shown, entry);
    }
    return fielderrors_invalid_json(r->out, shown, "admissionregistration.AuditAnnotation",
                                    "must not have more than 20 auditAnnotations");
}

static void check_effects(struct run *r)
{
    static const char nothing[] = "validations or auditAnnotations must contain at least one item";
    struct json_object *validations = jsonval_array(r->spec, "validations");
    struct json_object *annotations = jsonval_array(r->spec, "auditAnnotations");
    struct keymap keys = {0};
    if (jsonval_length(validations) == 0 && jsonval_length(annotations) == 0) {
        fielderrors_add(r->out, fielderrors_required(nothing), "spec.validations");
        fielderrors_add(r->out, fielderrors_required(nothing), "spec.auditAnnotations");
        return;
    }
    for (size_t i = 0; i < jsonval_length(validations); i++)
        check_validation(r, jsonval_at(validations, i), i);
    if (jsonval_length(annotations) > AUDIT_ANNOTATIONS_MAX)
        fielderrors_add(r->out, too_many_annotations(r, annotations), "spec.auditAnnotations");
    for (size_t i = 0; i < jsonval_length(annotations); i++)
        check_annotation(r, jsonval_at(annotations, i), i, &keys);
    keymap_deinit(&keys, NULL);
}

void validation_of_policy(struct json_object *policy, const struct env *env, struct fielderrors *out)
{
    struct json_object *metadata = jsonval_get(policy, "metadata");
    struct run r = {.spec = jsonval_get(policy, "spec"), .fields = {.out = out}, .out = out};
    if (!validation_common_fit("ValidatingAdmissionPolicy", policy, out))
        return;
    r.name = objectmeta_name(metadata);
    objectmeta_check(metadata, out);
    compile_all(&r, env);
    validation_common_check_spec(&r.fields, r.spec, false);
    check_effects(&r);
    objectmeta_check_declared(metadata, out);
    static_manifest_check(policy, out);
    validation_common_deinit(&r.fields);
    mem_free(r.name);
}

/* ---- bindings ---- */

static void check_actions(struct json_object *list, struct fielderrors *out)
{
    size_t count = jsonval_length(list);
    struct keymap seen = {0};
    for (size_t i = 0; i < count; i++) {
        const char *text = jsonval_text_at(list, i);
        cleanup_json struct json_object *action = json_object_new_string(text);
        fielderrors_check_choice(out, text, actions, "spec.validationActions[%zu]", i);
        if (!keymap_add(&seen, text))
            fielderrors_add(out, fielderrors_duplicate_json(out, action), "spec.validationActions[%zu]", i);
    }
    keymap_deinit(&seen, NULL);
    if (jsonval_has_text(list, "Deny") && jsonval_has_text(list, "Warn"))
        fielderrors_add(
            out,
            fielderrors_invalid_json(out, list, "admissionregistration.ValidationAction",
                                     "must not contain both Deny and Warn (repeating the same validation "
                                     "failure information in the API response and headers serves no "
                                     "purpose)"),
            "spec.validationActions");
    if (count == 0 && !fielderrors_server(out).has_brief_requirements)
        fielderrors_add(out, fielderrors_required("at least one validation action is required"),
                        "spec.validationActions");
}

/* Checks the rules that the types declare. */
static void check_declared(struct json_object *binding, struct fielderrors *out)
{
    struct json_object *spec = jsonval_get(binding, "spec");
    objectmeta_check_declared(jsonval_get(binding, "metadata"), out);
    if (!fielderrors_server(out).has_brief_requirements)
        return;
    if (*jsonval_string_or_empty(spec, "policyName") == '\0')
        fielderrors_add(out, fielderrors_required(""), "spec.policyName");
    if (jsonval_length(jsonval_array(spec, "validationActions")) == 0)
        fielderrors_add(out, fielderrors_required(""), "spec.validationActions");
}

void validation_of_binding(struct json_object *binding, struct fielderrors *out)
{
    if (!validation_common_check_binding("ValidatingAdmissionPolicyBinding", binding, false, out))
        return;
    check_actions(jsonval_array(jsonval_get(binding, "spec"), "validationActions"), out);
    check_declared(binding, out);
    static_manifest_check(binding, out);
}
