#include "cmd/kubectl-vapcheck/check/check_definition.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/definitions.h"
#include "controller/apiserver/crd/crdconditions.h"

bool check_definition_is_ours(const struct checkrun *r, const struct manifest_object *o)
{
    struct fielderrors warnings = {0};
    struct definitions found;
    bool is_ours = false;
    definitions_of(o->kind, o->root->json, &found);
    for (size_t i = 0; i < found.count; i++)
        is_ours = is_ours || crdrules_any(found.items[i]);
    definitions_deinit(&found);
    if (is_ours)
        return true;
    checkrun_find_server_warnings(r, o->root->json, &warnings);
    is_ours = warnings.count > 0;
    fielderrors_deinit(&warnings);
    return is_ours;
}

void check_definition_add(struct checkrun *r, const char *file, const struct manifest_object *o)
{
    struct definitions found;
    definitions_of(o->kind, o->root->json, &found);
    for (size_t i = 0; i < found.count; i++) {
        struct err err = {0};
        if (crds_add(r->crds, found.items[i], &err) != 0)
            checkrun_error(r, file, &o->root->start, err.msg);
    }
    definitions_deinit(&found);
}

/* What the server answers to the definitions: what both are refused for is one refusal, at one place of the
 * object. */
static struct crdrules check_rules(const struct checkrun *r, const struct definitions *definitions)
{
    const struct crdrules none = {.refusals = {.minor = schemas_minor(r->schemas)}};
    struct crdrules found = none;
    for (size_t i = 0; i < definitions->count; i++) {
        struct crdrules of_this = none;
        crdrules_check(definitions->items[i], schemas_new_env(r->schemas), &of_this);
        fielderrors_take_new(&found.refusals, &of_this.refusals);
        found.n_rules = of_this.n_rules;
        found.n_unchecked = of_this.n_unchecked > found.n_unchecked ? of_this.n_unchecked : found.n_unchecked;
    }
    return found;
}

void check_definition(struct checkrun *r, const struct output_place *place, const struct manifest_object *o)
{
    struct definitions definitions;
    if (o->root == NULL || !check_definition_is_ours(r, o)) {
        r->output.skipped(r->output.user, place, o->name_of_kind);
        return;
    }
    definitions_of(o->kind, o->root->json, &definitions);
    struct crdrules found = check_rules(r, &definitions);
    struct conditions conditions;
    crdconditions_init(&conditions, &found);
    const char **hints = checkrun_find_hints(place, &found.refusals);
    const struct hints_cluster cluster = checkrun_cluster(r);
    struct hints tried;
    hints_of_definition(&cluster, definitions.items[0], &found.refusals, &tried);
    checkrun_put_hints(&tried, &found.refusals, hints);
    struct output_finding finding = {.name = jsonval_metadata(o->root->json, "name"),
                                     .refusals = &found.refusals,
                                     .hints = hints,
                                     .conditions = &conditions};
    checkrun_report(r, place, &finding);
    conditions_deinit(&conditions);
    crdrules_deinit(&found);
    hints_deinit(&tried);
    mem_free(hints);
    definitions_deinit(&definitions);
}
