/* Mutating admission policies and their bindings. */
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"
#include "controller/apiserver/validation/objectmeta.h"
#include "controller/apiserver/validation/static_manifest.h"
#include "controller/apiserver/validation/validation.h"
#include "controller/apiserver/validation/validation_common.h"

static const char *const reinvocation_policies[] = {"IfNeeded", "Never", NULL};
static const char *const patch_types[] = {"ApplyConfiguration", "JSONPatch", NULL};

/* ORDER PATCH_TYPES */
static const struct patch {
    enum policy_place place;
    const char *type, *member, *shown;
} patches[] = {
    {POLICY_APPLY_CONFIGURATION, "ApplyConfiguration", "applyConfiguration", "{applyConfiguration}"},
    {POLICY_JSON_PATCH, "JSONPatch", "jsonPatch", "{jsonPatch}"},
};

/* Returns the row of a mutation's type, or NULL if it is of no such type. */
static const struct patch *find_patch(struct json_object *mutation)
{
    const char *type = jsonval_string_or_empty(mutation, "patchType");
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        if (strcmp(patches[i].type, type) == 0)
            return &patches[i];
    }
    return NULL;
}

static struct str expression_of(struct json_object *mutation, const struct patch *patch)
{
    return gotext_trimmed(gotext_member(jsonval_get(mutation, patch->member), "expression"));
}

/* Compiles all in the server's order: a variable before the expressions that use it. */
static void compile_all(struct validation_common *f, struct json_object *spec, const struct env *env)
{
    struct json_object *mutations = jsonval_array(spec, "mutations");
    validation_common_add_list(f, jsonval_array(spec, "matchConditions"), "expression",
                               POLICY_MATCH_CONDITION);
    validation_common_add_list(f, jsonval_array(spec, "variables"), "expression", POLICY_VARIABLE);
    for (size_t i = 0; i < jsonval_length(mutations); i++) {
        const struct patch *patch = find_patch(jsonval_at(mutations, i));
        struct str text = patch == NULL ? STR("") : expression_of(jsonval_at(mutations, i), patch);
        if (text.len > 0)
            validation_common_add(f, patch->place, STR(""), text);
    }
    validation_common_compile(f, env, jsonval_get(spec, "paramKind") != NULL, true);
}

/* The member that its type asks for. */
static void check_patch(struct validation_common *f, struct json_object *mutation, const struct patch *patch,
                        const char *at)
{
    struct str text = expression_of(mutation, patch);
    cleanup_mem char *detail = mem_printf("must be specified when patchType is %s", patch->type);
    cleanup_mem char *text_at = mem_printf("%s.%s.expression", at, patch->member);
    if (jsonval_get(mutation, patch->member) == NULL)
        fielderrors_add(f->out, fielderrors_required(detail), "%s.%s", at, patch->member);
    else if (text.len == 0)
        fielderrors_add(f->out, fielderrors_required(""), "%s", text_at);
    else
        validation_common_check(f, patch->place, text, text, text_at);
}

static void check_mutation(struct validation_common *f, struct json_object *mutation, size_t i)
{
    const struct patch *patch = find_patch(mutation);
    cleanup_mem char *at = mem_printf("spec.mutations[%zu]", i);
    if (patch == NULL) {
        validation_common_check_required_choice(mutation, "patchType", patch_types, at, f->out);
        return;
    }
    check_patch(f, mutation, patch, at);
    const struct patch *other = patch == &patches[0] ? &patches[1] : &patches[0];
    cleanup_mem char *detail = mem_printf("must not be specified when patchType is %s", patch->type);
    if (jsonval_get(mutation, other->member) != NULL)
        fielderrors_add(f->out, fielderrors_invalid(other->shown, detail), "%s.%s", at, other->member);
}

void validation_of_mutating_policy(struct json_object *policy, const struct env *env, struct fielderrors *out)
{
    struct json_object *spec = jsonval_get(policy, "spec"), *mutations = jsonval_array(spec, "mutations");
    struct validation_common fields = {.out = out};
    if (!validation_common_fit("MutatingAdmissionPolicy", policy, out))
        return;
    objectmeta_check(jsonval_get(policy, "metadata"), out);
    compile_all(&fields, spec, env);
    validation_common_check_spec(&fields, spec, true);
    if (jsonval_length(mutations) == 0)
        fielderrors_add(out, fielderrors_required("mutations must contain at least one item"),
                        "spec.mutations");
    for (size_t i = 0; i < jsonval_length(mutations); i++)
        check_mutation(&fields, jsonval_at(mutations, i), i);
    validation_common_check_required_choice(spec, "reinvocationPolicy", reinvocation_policies, "spec", out);
    objectmeta_check_declared(jsonval_get(policy, "metadata"), out);
    static_manifest_check(policy, out);
    validation_common_deinit(&fields);
}

void validation_of_mutating_binding(struct json_object *binding, struct fielderrors *out)
{
    if (!validation_common_check_binding("MutatingAdmissionPolicyBinding", binding, true, out))
        return;
    objectmeta_check_declared(jsonval_get(binding, "metadata"), out);
    static_manifest_check(binding, out);
}
