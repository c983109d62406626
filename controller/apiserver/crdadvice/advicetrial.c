#include "controller/apiserver/crdadvice/advicetrial.h"

#include "bytes/budget.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crds.h"
#include "controller/apiserver/crd/crdschema.h"
#include "controller/apiserver/crd/crdsite.h"
#include "controller/apiserver/crd/crdversion.h"
#include "controller/apiserver/crdadvice/adviceresource.h"
#include "typecheck/schema.h"

enum {
    TRY_STEPS = 2000, /* steps of one evaluation, besides those of its memory */
    COPY_STEPS = 2,   /* steps for each byte of a definition that is compiled again */
};

const struct crdevaluation_version *advicetrial_version(struct advicetrial *trial)
{
    if (trial->evaluation == NULL)
        trial->evaluation = crdevaluation_new(trial->definition, trial->env, trial->minor);
    return &trial->evaluation->versions[trial->version];
}

bool advicetrial_can_run(struct advicetrial *trial)
{
    return advicetrial_version(trial)->run != NULL;
}

/* The components to which the document of a definition refers. Metadata may hold anything. */
static struct json_object *new_meta(void)
{
    static const char *const names[] = {CRDSCHEMA_OBJECT_META, CRDSCHEMA_LIST_META};
    struct json_object *document = json_object_new_object(), *components = json_object_new_object(),
                       *schemas = json_object_new_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct json_object *schema = json_object_new_object();
        jsonval_set(schema, "type", json_object_new_string("object"));
        jsonval_set(schema, "x-kubernetes-preserve-unknown-fields", json_object_new_boolean(true));
        jsonval_set(schemas, names[i], schema);
    }
    jsonval_set(components, "schemas", schemas);
    jsonval_set(document, "components", components);
    return document;
}

/* Reads the version as the server publishes it. */
static void publish(struct advicetrial *trial)
{
    struct json_object *spec = jsonval_get(trial->definition, "spec");
    const char *group = jsonval_string_or_empty(spec, "group"), *version = advicetrial_version(trial)->name;
    const char *kind = jsonval_string_or_empty(jsonval_get(spec, "names"), "kind");
    cleanup_mem char *path = mem_printf("apis/%s/%s", group, version);
    cleanup_json struct json_object *meta = new_meta();
    struct crds *crds = crds_new();
    struct err err;
    schema_free(trial->published);
    trial->published = NULL;
    trial->published_root = NULL;
    trial->published_version = trial->version + 1;
    struct json_object *document =
        crds_add(crds, trial->definition, &err) == 0 ? crds_document(crds, path, NULL, meta) : NULL;
    if (document != NULL) {
        const struct str text = adviceresource_text(document);
        trial->published = schema_new(text.at, text.len, NULL, 0, NULL);
        budget_pay(&trial->left, COPY_STEPS * (uint64_t)text.len);
    }
    if (trial->published != NULL)
        trial->published_root = schema_find(trial->published, str_of(group), str_of(version), str_of(kind));
    json_object_put(document);
    crds_free(crds);
}

void advicetrial_run(struct advicetrial *trial, const struct crdevaluation *evaluation,
                     struct json_object *resource, struct json_object *old, struct crd_run_result *result)
{
    if (trial->published_version != trial->version + 1)
        publish(trial);
    const struct crd_run_request request = {.object = adviceresource_text(resource),
                                            .old_object = old == NULL ? STR("") : adviceresource_text(old),
                                            .doc = trial->published_root == NULL ? NULL : trial->published,
                                            .root = trial->published_root};
    crdevaluation_run(evaluation, &evaluation->versions[trial->version], &request, result);
    budget_pay(&trial->left, TRY_STEPS + result->arena.steps + result->arena.peak_bytes / ARENA_STEP_BYTES);
}

/* The schema in a copy of the definition that stands at the place. */
static struct json_object *schema_in(struct json_object *root, const struct adviceplace *place)
{
    if (place->outer == NULL)
        return root;
    struct json_object *outer = schema_in(root, place->outer);
    return place->property == NULL ? adviceplace_element(outer)
                                   : jsonval_get(jsonval_get(outer, "properties"), place->property);
}

/* A copy of the definition with another text of the rule. The caller puts it. */
static struct json_object *with_rule(const struct advicetrial *trial, const struct adviceplace *place,
                                     size_t index, struct str text)
{
    struct json_object *copy = NULL;
    if (json_object_deep_copy(trial->definition, &copy, NULL) != 0)
        return NULL;
    struct json_object *versions = jsonval_array(jsonval_get(copy, "spec"), "versions");
    struct json_object *root = crdversion_schema(jsonval_at(versions, trial->version));
    struct json_object *rules = jsonval_array(schema_in(root, place), CRDSITE_RULES);
    jsonval_set(jsonval_at(rules, index), "rule", json_object_new_string_len(text.at, (int)text.len));
    return copy;
}

struct crdevaluation *advicetrial_correct(struct advicetrial *trial, const struct adviceplace *place,
                                          size_t index, struct str text)
{
    struct json_object *copy = with_rule(trial, place, index, text);
    struct crdevaluation *made = copy == NULL ? NULL : crdevaluation_new(copy, trial->env, trial->minor);
    if (trial->copy_steps == 0)
        trial->copy_steps = COPY_STEPS * (uint64_t)adviceresource_text(trial->definition).len;
    budget_pay(&trial->left, trial->copy_steps);
    json_object_put(copy);
    return made;
}

void advicetrial_deinit(struct advicetrial *trial)
{
    crdevaluation_free(trial->evaluation);
    schema_free(trial->published);
}
