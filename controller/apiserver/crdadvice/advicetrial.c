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
    if (trial->evaluated_version != trial->version + 1) {
        crdevaluation_free(trial->evaluation);
        trial->evaluation = crdevaluation_new_of(trial->definition, trial->version, trial->env, trial->minor);
        trial->evaluated_version = trial->version + 1;
    }
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

/* Puts a copy of the member, which shares its own members, in its place. */
static struct json_object *copy_member(struct json_object *object, const char *key)
{
    struct json_object *copy = jsonval_copy(jsonval_get(object, key));
    jsonval_set(object, key, copy);
    return copy;
}

/* The same of a list of objects and of one of its items. */
static struct json_object *copy_item(struct json_object *object, const char *key, size_t index)
{
    struct json_object *list = jsonval_array(object, key), *copies = json_object_new_array(), *copy = NULL;
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *item = jsonval_at(list, i);
        copy = i == index ? jsonval_copy(item) : copy;
        jsonval_append(copies, i == index ? copy : json_object_get(item));
    }
    jsonval_set(object, key, copies);
    return copy;
}

/* A copy of the schema that stands at the place, in a copy of the version's schema. */
static struct json_object *copy_schema(struct json_object *root, const struct adviceplace *place)
{
    if (place->outer == NULL)
        return root;
    struct json_object *outer = copy_schema(root, place->outer);
    if (place->property != NULL)
        return copy_member(copy_member(outer, "properties"), place->property);
    return copy_member(outer, jsonval_get(outer, "items") != NULL ? "items" : "additionalProperties");
}

/* The definition with another text of the rule. It shares with the definition what does not hold the rule.
 * The caller puts it. */
static struct json_object *with_rule(const struct advicetrial *trial, const struct adviceplace *place,
                                     size_t index, struct str text)
{
    struct json_object *copy = jsonval_copy(trial->definition);
    struct json_object *version = copy_item(copy_member(copy, "spec"), "versions", trial->version);
    struct json_object *root = copy_member(copy_member(version, "schema"), "openAPIV3Schema");
    struct json_object *rule = copy_item(copy_schema(root, place), CRDSITE_RULES, index);
    jsonval_set(rule, "rule", json_object_new_string_len(text.at, (int)text.len));
    return copy;
}

struct crdevaluation *advicetrial_correct(struct advicetrial *trial, const struct adviceplace *place,
                                          size_t index, struct str text)
{
    cleanup_json struct json_object *copy = with_rule(trial, place, index, text);
    struct crdevaluation *made = crdevaluation_new_of(copy, trial->version, trial->env, trial->minor);
    if (trial->copy_steps == 0)
        trial->copy_steps = COPY_STEPS * (uint64_t)adviceresource_text(trial->definition).len;
    budget_pay(&trial->left, trial->copy_steps);
    return made;
}

void advicetrial_deinit(struct advicetrial *trial)
{
    crdevaluation_free(trial->evaluation);
    schema_free(trial->published);
}
