#include "cmd/kubectl-vapcheck/check/check_definition.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/check/fixes.h"
#include "cmd/kubectl-vapcheck/check/hidden_comments.h"
#include "cmd/kubectl-vapcheck/input/definitions.h"
#include "controller/apiserver/crd/crdconditions.h"
#include "controller/apiserver/crdadvice/crdadvice.h"
#include "controller/apiserver/validation/static_manifest.h"
#include "controller/findings/suppress.h"

static bool is_warned_of(const struct checkrun *r, struct json_object *object)
{
    struct fielderrors warnings = {0};
    checkrun_find_server_warnings(r, object, &warnings);
    const bool is = warnings.count > 0;
    fielderrors_deinit(&warnings);
    return is;
}

bool check_definition_is_ours(const struct checkrun *r, const struct manifest_object *o)
{
    struct definitions found;
    bool is_ours = false;
    if (o->verdict != MANIFEST_NOT_ASKED)
        return o->verdict != MANIFEST_NOT_OURS;
    definitions_of(o->kind, o->root->json, &found);
    for (size_t i = 0; i < found.count; i++)
        is_ours = is_ours || crdrules_any(found.items[i]);
    definitions_deinit(&found);
    return is_ours || is_warned_of(r, o->root->json);
}

void check_definition_add(struct checkrun *r, const char *file, const struct manifest_object *o)
{
    struct definitions found;
    if (o->definition != NULL) {
        crds_take(r->crds, o->definition);
        return;
    }
    definitions_of(o->kind, o->root->json, &found);
    for (size_t i = 0; i < found.count; i++) {
        struct err err = {0};
        if (crds_add(r->crds, found.items[i], &err) != 0)
            checkrun_error(r, file, &o->root->start, err.msg, NULL);
    }
    definitions_deinit(&found);
}

/* The server's answer to the definitions. A refusal of both is listed once, at one place of the object. */
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

/* The advice about a definition, as extras; the texts are those of `found` and `texts`. */
struct advice {
    struct advicelist found;
    struct output_extra *extras;
    char **texts;
    size_t count;
};

static bool is_advice_wanted(const struct checkrun *r)
{
    return finding_set_has(r->options->selected, FINDING_OPTIONAL_FIELD) ||
           finding_set_has(r->options->selected, FINDING_TRANSITION_UNSET);
}

/* None about a definition that is refused, or that is made of another object. */
static void find_advice(struct advice *out, const struct checkrun *r, const struct output_place *place,
                        const struct manifest_object *o, const struct crdrules *rules)
{
    *out = (struct advice){.count = 0};
    if (o->kind != OBJECTKIND_CRD || rules->refusals.count > 0)
        return;
    crdadvice_find(&out->found, o->root->json, schemas_env(r->schemas), schemas_minor(r->schemas),
                   is_advice_wanted(r));
    out->extras = mem_array(out->found.count + 1, sizeof *out->extras);
    out->texts = mem_array(out->found.count + 1, sizeof *out->texts);
    for (; out->count < out->found.count; out->count++) {
        const struct advicelist_item *item = &out->found.items[out->count];
        const struct yaml_node *node = output_find_node(place, item->field);
        out->texts[out->count] = *item->resource == '\0'
                                     ? mem_strdup(item->message)
                                     : mem_printf("%s\nfor example: %s\n", item->message, item->resource);
        out->extras[out->count] = (struct output_extra){
            .id = item->id,
            .field = item->field,
            .text = out->texts[out->count],
            .hint = item->hint,
            .is_note = item->id == FINDING_NEVER_EQUAL,
            .at = node == NULL ? place->root->start : yaml_place_in(node, item->line, item->column)};
    }
}

static void advice_deinit(struct advice *advice)
{
    for (size_t i = 0; i < advice->count; i++)
        mem_free(advice->texts[i]);
    mem_free(advice->texts);
    mem_free(advice->extras);
    advicelist_deinit(&advice->found);
}

static bool has_hidden_comments(const struct checkrun *r, const struct yaml_node *root)
{
    const struct fielderrors none = {.count = 0};
    const struct output_place place = {.root = root};
    struct hidden_comments hidden;
    hidden_comments_init(&hidden, schemas_new_env(r->schemas), &place, &none);
    const bool has = hidden.count > 0;
    hidden_comments_deinit(&hidden);
    return has;
}

/* Returns true if the check finds nothing, whatever other objects there are. */
static bool is_clean(const struct checkrun *r, const struct yaml_node *root)
{
    const int minor = schemas_minor(r->schemas);
    struct crdrules rules = {.refusals = {.minor = minor}};
    crdrules_check(root->json, schemas_new_env(r->schemas), &rules);
    const bool is_valid = rules.refusals.count == 0 && !rules.refusals.is_limited && rules.n_unchecked == 0;
    crdrules_deinit(&rules);
    return is_valid && !has_hidden_comments(r, root) &&
           !crdadvice_any(root->json, schemas_env(r->schemas), minor, is_advice_wanted(r));
}

enum manifest_verdict check_definition_judge(void *user, const struct yaml_node *root, bool may_be_clean)
{
    const struct checkrun *r = user;
    struct json_object *definition = root->json;
    const struct fielderrors errors = {.minor = schemas_minor(r->schemas)};
    if (suppress_is_skipped(definition))
        return MANIFEST_NOT_ASKED;
    if (is_warned_of(r, definition))
        return MANIFEST_NEEDED;
    if (!crdrules_any(definition))
        return MANIFEST_NOT_OURS;
    may_be_clean =
        may_be_clean && !suppress_has_ignored(definition) && !static_manifest_is(definition, &errors);
    return may_be_clean && is_clean(r, root) ? MANIFEST_CLEAN : MANIFEST_NEEDED;
}

/* The report about a definition that was checked when its file was read. */
static void report_clean(struct checkrun *r, const struct output_place *place)
{
    const struct crdrules none = {.n_rules = 0};
    struct conditions conditions;
    crdconditions_init(&conditions, &none);
    checkrun_report(r, place,
                    &(struct output_finding){.name = jsonval_metadata(place->root->json, "name"),
                                             .refusals = &none.refusals,
                                             .conditions = &conditions});
    conditions_deinit(&conditions);
}

/* Definitions with more rules are not checked again for each later version. */
enum { VERSION_RULES_MAX = 100 };

/* A validation_find: the refusals of a server with that env. */
static void find_refusals(struct json_object *definition, const struct env *env, struct fielderrors *out)
{
    struct crdrules found = {.refusals = {.minor = out->minor}};
    crdrules_check(definition, env, &found);
    fielderrors_take_new(out, &found.refusals);
    crdrules_deinit(&found);
}

/* A hint for each refusal: a bound, the version that is needed, or how YAML reads the value. The caller frees
 * the array. */
static const char **find_hints(struct checkrun *r, const struct output_place *place,
                               struct json_object *definition, const struct crdrules *found)
{
    if (found->n_rules > VERSION_RULES_MAX)
        return checkrun_find_hints(r, place, &found->refusals);
    const char **hints = versionhints_find(&r->hints, find_refusals, definition, &found->refusals);
    for (size_t i = 0; i < found->refusals.count; i++) {
        if (found->refusals.items[i].n_issues == 0)
            hints[i] = found->refusals.items[i].hint; /* the cost has nothing to do with functions */
    }
    checkrun_add_slips(r, place, &found->refusals, hints);
    return hints;
}

void check_definition(struct checkrun *r, const struct output_place *place, const struct manifest_object *o)
{
    struct definitions definitions;
    if (o->root == NULL || !check_definition_is_ours(r, o)) {
        output_report_skipped(&r->output, place, o->name_of_kind);
        return;
    }
    if (o->verdict == MANIFEST_CLEAN) {
        report_clean(r, place);
        return;
    }
    definitions_of(o->kind, o->root->json, &definitions);
    struct crdrules found = check_rules(r, &definitions);
    struct conditions conditions;
    crdconditions_init(&conditions, &found);
    const char **hints = find_hints(r, place, definitions.items[0], &found);
    const struct hints_cluster cluster = checkrun_cluster(r);
    struct hints tried;
    hints_of_definition(&cluster, definitions.items[0], &found.refusals, &tried);
    checkrun_put_hints(&tried, &found.refusals, hints);
    struct advice advice;
    struct fixes fixes;
    find_advice(&advice, r, place, o, &found);
    fixes_init(&fixes, &tried, &(struct fixes_wanted){.place = place, .is_unsafe = r->options->fixes_unsafe});
    struct output_finding finding = {.name = jsonval_metadata(o->root->json, "name"),
                                     .refusals = &found.refusals,
                                     .hints = hints,
                                     .fixes = fixes.list,
                                     .n_fixes = fixes.count,
                                     .conditions = &conditions,
                                     .extras = advice.extras,
                                     .n_extras = advice.count};
    checkrun_report(r, place, &finding);
    advice_deinit(&advice);
    conditions_deinit(&conditions);
    crdrules_deinit(&found);
    fixes_deinit(&fixes);
    hints_deinit(&tried);
    mem_free(hints);
    definitions_deinit(&definitions);
}
