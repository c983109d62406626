#include "controller/apiserver/validation/validation_common.h"

#include <ctype.h>
#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"
#include "controller/apiserver/validation/kubenames.h"
#include "controller/apiserver/validation/matchresources.h"
#include "controller/apiserver/validation/objectmeta.h"
#include "controller/apiserver/validation/static_manifest.h"
#include "controller/apiserver/validation/strictdecode.h"

enum { MATCH_CONDITIONS_MAX = 64 };

const char *const validation_common_failure_policies[] = {"Fail", "Ignore", NULL};
static const char *const mutating_operations[] = {"*", "CONNECT", "CREATE", "UPDATE", NULL};
static const char *const not_found_actions[] = {"Deny", "Allow", NULL};
static const char *const reserved[] = {"true",   "false",    "null",  "in",      "as",        "break",
                                       "const",  "continue", "else",  "for",     "function",  "if",
                                       "import", "let",      "loop",  "package", "namespace", "return",
                                       "var",    "void",     "while", NULL};

/* ---- expressions ---- */

void validation_common_add(struct validation_common *f, enum policy_place place, struct str name,
                           struct str text)
{
    f->expressions = mem_grow(f->expressions, f->n_expressions, sizeof *f->expressions);
    f->expressions[f->n_expressions++] =
        (struct policy_expression){.place = place, .name = name, .text = text};
}

void validation_common_compile(struct validation_common *f, const struct env *env, bool has_params,
                               bool has_variables)
{
    const struct policy policy = {.expressions = f->expressions,
                                  .count = f->n_expressions,
                                  .has_params = has_params,
                                  .lacks_variables = !has_variables,
                                  .cache = f->out->cache};
    create_check_policy(env, &policy, &f->compiled);
    f->out->is_limited = f->out->is_limited || f->compiled.is_exhausted;
}

void validation_common_deinit(struct validation_common *f)
{
    create_check_result_deinit(&f->compiled);
    mem_free(f->expressions);
}

/* The compiler's answer for a text; NULL: it was not compiled. The texts of a place are asked for in the
 * order in which they were added, so each search begins where the last search for this place ended. */
static const struct compile_problem *find_problem(struct validation_common *f, enum policy_place place,
                                                  struct str text)
{
    for (size_t k = 0; k < f->n_expressions && f->compiled.problems != NULL; k++) {
        const size_t i = (f->next[place] + k) % f->n_expressions;
        if (f->expressions[i].place != place || f->expressions[i].text.at != text.at)
            continue;
        f->next[place] = i + 1;
        return &f->compiled.problems[i];
    }
    return NULL;
}

void validation_common_check(struct validation_common *f, enum policy_place place, struct str text,
                             struct str shown, const char *at)
{
    const struct compile_problem *problem = find_problem(f, place, text);
    if (problem == NULL || problem->text.len == 0)
        return;
    fielderrors_add_compiled(f->out, problem, shown, at);
}

void validation_common_add_list(struct validation_common *f, struct json_object *list, const char *member,
                                enum policy_place place)
{
    const bool is_annotation = place == POLICY_AUDIT_ANNOTATION;
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct str text = gotext_member(jsonval_at(list, i), member), plain = gotext_trimmed(text);
        if (plain.len > 0 && !(is_annotation && plain.len > VALIDATION_COMMON_VALUE_MAX_BYTES))
            validation_common_add(f, place, gotext_member(jsonval_at(list, i), "name"),
                                  is_annotation || place == POLICY_MATCH_CONDITION ? plain : text);
    }
}

/* ---- fields ---- */

static void check_version(const char *api_version, struct fielderrors *out)
{
    cleanup_groupversion struct groupversion named = groupversion_split(api_version);
    static const char at[] = "spec.paramKind.apiVersion";
    if (*api_version == '\0') {
        fielderrors_add(out, fielderrors_required(""), "%s", at);
        return;
    }
    if (named.is_malformed) {
        cleanup_mem char *detail = mem_printf("unexpected GroupVersion string: %s", api_version);
        fielderrors_add(out, fielderrors_invalid(api_version, detail), "%s", at);
        return;
    }
    if (*named.group != '\0')
        kubenames_check_joined(kubenames_subdomain, named.group, named.group, "", at, out);
    if (*named.version == '\0')
        fielderrors_add(out, fielderrors_invalid(api_version, "version must be specified"), "%s", at);
    else
        kubenames_check_joined(kubenames_label_1035, named.version, named.version, "", at, out);
}

static void check_param_kind(struct json_object *param_kind, struct fielderrors *out)
{
    const char *kind = jsonval_string_or_empty(param_kind, "kind");
    check_version(jsonval_string_or_empty(param_kind, "apiVersion"), out);
    if (*kind == '\0') {
        fielderrors_add(out, fielderrors_required(""), "spec.paramKind.kind");
        return;
    }
    cleanup_mem char *lower = mem_strdup(kind);
    for (char *p = lower; *p != '\0'; p++)
        *p = (char)tolower((unsigned char)*p);
    kubenames_check_joined(kubenames_label_1035, lower, kind,
                           "may have mixed case, but should otherwise match: ", "spec.paramKind.kind", out);
}

static void check_match_condition(struct validation_common *f, struct json_object *entry, size_t i,
                                  const char *list_at, struct keymap *names)
{
    const char *name = jsonval_string_or_empty(entry, "name");
    struct str text = gotext_trimmed(gotext_member(entry, "expression"));
    cleanup_mem char *at = mem_printf("%s[%zu].expression", list_at, i);
    cleanup_mem char *name_at = mem_printf("%s[%zu].name", list_at, i);
    if (text.len == 0)
        fielderrors_add(f->out, fielderrors_required(""), "%s", at);
    else
        validation_common_check(f, POLICY_MATCH_CONDITION, text, text, at);
    if (*name == '\0')
        fielderrors_add(f->out, fielderrors_required(""), "%s", name_at);
    else
        kubenames_check(kubenames_qualified_name, name, name, name_at, f->out);
    if (*name != '\0' && !keymap_add(names, name))
        fielderrors_add(f->out, fielderrors_duplicate(name), "%s", name_at);
}

void validation_common_check_match_conditions(struct validation_common *f, struct json_object *list,
                                              const char *at)
{
    size_t count = jsonval_length(list);
    if (count > MATCH_CONDITIONS_MAX)
        fielderrors_add(f->out, fielderrors_too_many(count, MATCH_CONDITIONS_MAX), "%s", at);
    struct keymap names = {0};
    for (size_t i = 0; i < count; i++)
        check_match_condition(f, jsonval_at(list, i), i, at, &names);
    keymap_deinit(&names, NULL);
}

static bool is_identifier(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.at[i];
        if (c != '_' && !isalpha(c) && !(isdigit(c) && i > 0))
            return false;
    }
    return name.len > 0 && !fielderrors_is_choice(name.at, reserved);
}

static void check_variable(struct validation_common *f, struct json_object *entry, size_t i)
{
    struct str name = gotext_member(entry, "name"), text = gotext_member(entry, "expression");
    bool is_old = !fielderrors_server(f->out).shows_json;
    cleanup_mem char *at = mem_printf("spec.variables[%zu].expression", i);
    if (gotext_trimmed(name).len == 0)
        fielderrors_add(f->out, fielderrors_required("name is not specified"), "spec.variables[%zu].name", i);
    else if (!is_identifier(name))
        fielderrors_add(f->out,
                        fielderrors_invalid_bytes(name.at, name.len,
                                                  is_old ? "name is not a valid CEL identifier"
                                                         : "must be a valid CEL identifier"),
                        "spec.variables[%zu].name", i);
    if (gotext_trimmed(text).len == 0)
        fielderrors_add(f->out, fielderrors_required("expression is not specified"), "%s", at);
    else
        validation_common_check(f, POLICY_VARIABLE, text, text, at);
}

static void check_operations(struct json_object *rules, const char *at, struct fielderrors *out)
{
    for (size_t i = 0; i < jsonval_length(rules); i++) {
        struct json_object *list = jsonval_array(jsonval_at(rules, i), "operations");
        for (size_t j = 0; j < jsonval_length(list); j++)
            fielderrors_check_choice(out, jsonval_text_at(list, j), mutating_operations,
                                     "%s.resourceRules.operations", at);
    }
}

/* resources may be NULL. */
static void check_match_resources(struct json_object *resources, const char *at, bool is_mutating,
                                  struct fielderrors *out)
{
    struct json_object *rules = jsonval_array(resources, "resourceRules");
    bool is_constraint = strcmp(at, "spec.matchConstraints") == 0;
    matchresources_check(resources, at, out);
    if (is_constraint && jsonval_length(rules) == 0)
        fielderrors_add(out, fielderrors_required(""), "%s.resourceRules", at);
    if (is_mutating)
        check_operations(rules, at, out);
}

void validation_common_check_spec(struct validation_common *f, struct json_object *spec, bool is_mutating)
{
    struct json_object *param_kind = jsonval_get(spec, "paramKind");
    struct json_object *constraints = jsonval_get(spec, "matchConstraints");
    struct json_object *variables = jsonval_array(spec, "variables");
    fielderrors_check_choice(f->out, jsonval_string(spec, "failurePolicy"),
                             validation_common_failure_policies, "spec.failurePolicy");
    if (param_kind != NULL)
        check_param_kind(param_kind, f->out);
    if (constraints == NULL)
        fielderrors_add(f->out, fielderrors_required(""), "spec.matchConstraints");
    else
        check_match_resources(constraints, "spec.matchConstraints", is_mutating, f->out);
    validation_common_check_match_conditions(f, jsonval_array(spec, "matchConditions"),
                                             "spec.matchConditions");
    for (size_t i = 0; i < jsonval_length(variables); i++)
        check_variable(f, jsonval_at(variables, i), i);
}

void validation_common_check_required_choice(struct json_object *object, const char *member,
                                             const char *const *choices, const char *at,
                                             struct fielderrors *out)
{
    const char *text = jsonval_string_or_empty(object, member);
    if (*text == '\0')
        fielderrors_add(out, fielderrors_required(""), "%s.%s", at, member);
    else
        fielderrors_check_choice(out, text, choices, "%s.%s", at, member);
}

static void check_param_ref(struct json_object *ref, struct fielderrors *out)
{
    static const char both[] = "name and selector are mutually exclusive";
    const char *name = jsonval_string_or_empty(ref, "name");
    struct json_object *selector = jsonval_get(ref, "selector");
    kubenames_check(kubenames_path_segment, name, name, "spec.paramRef.name", out);
    if (*name != '\0' && selector != NULL)
        fielderrors_add(out, fielderrors_forbidden(both), "spec.paramRef.name");
    objectmeta_check_selector(selector, "spec.paramRef.selector", out);
    if (*name != '\0' && selector != NULL)
        fielderrors_add(out, fielderrors_forbidden(both), "spec.paramRef.selector");
    if (*name == '\0' && selector == NULL)
        fielderrors_add(out, fielderrors_required("one of name or selector must be specified"),
                        "spec.paramRef");
    validation_common_check_required_choice(ref, "parameterNotFoundAction", not_found_actions,
                                            "spec.paramRef", out);
}

/* is_declared: the binding's Go type declares that the name is required; then an empty name is reported with
 * the other declared rules (validation.c), not here. */
static void check_policy_name(struct json_object *spec, bool is_declared, struct fielderrors *out)
{
    const char *policy = jsonval_string_or_empty(spec, "policyName");
    if (*policy == '\0' && !is_declared)
        fielderrors_add(out, fielderrors_required(""), "spec.policyName");
    else if (*policy != '\0')
        kubenames_check(kubenames_subdomain, policy, policy, "spec.policyName", out);
}

bool validation_common_fit(const char *kind, struct json_object *object, struct fielderrors *out)
{
    struct fielderror misfit;
    const char *version = strchr(jsonval_string_or_empty(object, "apiVersion"), '/');
    const enum strictdecode_fit fit =
        strictdecode_fits(kind, version == NULL ? "" : version + 1, out->minor, object, &misfit);
    if (fit != STRICTDECODE_FITS) {
        strictdecode_add(out, &misfit, static_manifest_is(object, out));
        out->n_decoding = out->count;
    }
    return fit != STRICTDECODE_WRONG_TYPE &&
           (!static_manifest_is(object, out) || static_manifest_takes_version(object, out));
}

bool validation_common_check_binding(const char *kind, struct json_object *binding, bool is_mutating,
                                     struct fielderrors *out)
{
    struct json_object *spec = jsonval_get(binding, "spec"), *ref = jsonval_get(spec, "paramRef");
    if (!validation_common_fit(kind, binding, out))
        return false;
    objectmeta_check(jsonval_get(binding, "metadata"), out);
    check_policy_name(spec, !is_mutating && fielderrors_server(out).has_brief_requirements, out);
    if (ref != NULL)
        check_param_ref(ref, out);
    bool is_old = !fielderrors_server(out).names_types;
    check_match_resources(jsonval_get(spec, "matchResources"),
                          is_old ? "spec." VALIDATION_COMMON_OLD_MATCH_RESOURCES : "spec.matchResources",
                          is_mutating, out);
    return true;
}
