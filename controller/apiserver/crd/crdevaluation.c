#include "controller/apiserver/crd/crdevaluation.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdstructural.h"
#include "controller/apiserver/crd/crdversion.h"
#include "typecheck/schema.h"

static void open_version(struct crdevaluation *e, size_t i, const struct env *env)
{
    struct json_object *json = jsonval_at(jsonval_array(jsonval_get(e->json, "spec"), "versions"), i);
    struct json_object *schema = crdversion_schema(json);
    struct crdevaluation_version *v = &e->versions[i];
    const struct schema_definition how = crdstructural_in(e->minor);
    v->name = jsonval_string_or_empty(json, "name");
    v->field = crdversion_field(i);
    v->has_status = jsonval_get(jsonval_get(json, "subresources"), "status") != NULL;
    if (!json_object_is_type(schema, json_type_object))
        return;
    v->text = crdstructural_text(schema);
    v->schema = schema_new_definition(v->text, strlen(v->text), &how);
    if (v->schema != NULL)
        v->run = crd_run_new(env, v->schema, str_of(v->text));
}

static struct crdevaluation *new_closed(struct json_object *definition, int minor)
{
    struct crdevaluation *e = mem_zalloc(sizeof *e);
    e->json = json_object_get(definition);
    e->minor = minor;
    e->count = jsonval_length(jsonval_array(jsonval_get(definition, "spec"), "versions"));
    e->versions = mem_array(e->count + 1, sizeof *e->versions);
    return e;
}

struct crdevaluation *crdevaluation_new(struct json_object *definition, const struct env *env, int minor)
{
    struct crdevaluation *e = new_closed(definition, minor);
    for (size_t i = 0; i < e->count; i++)
        open_version(e, i, env);
    return e;
}

struct crdevaluation *crdevaluation_new_of(struct json_object *definition, size_t version,
                                           const struct env *env, int minor)
{
    struct crdevaluation *e = new_closed(definition, minor);
    if (version < e->count)
        open_version(e, version, env);
    return e;
}

void crdevaluation_free(struct crdevaluation *e)
{
    if (e == NULL)
        return;
    for (size_t i = 0; i < e->count; i++) {
        crd_run_free(e->versions[i].run);
        schema_free(e->versions[i].schema);
        mem_free(e->versions[i].text);
        mem_free(e->versions[i].field);
    }
    mem_free(e->versions);
    json_object_put(e->json);
    mem_free(e);
}

const struct crdevaluation_version *crdevaluation_find(const struct crdevaluation *e, const char *version)
{
    for (size_t i = 0; i < e->count; i++) {
        if (strcmp(e->versions[i].name, version) == 0)
            return &e->versions[i];
    }
    return NULL;
}

void crdevaluation_run(const struct crdevaluation *e, const struct crdevaluation_version *version,
                       const struct crd_run_request *request, struct crd_run_result *result)
{
    struct crd_run_request whole = *request;
    whole.has_status = version->has_status;
    whole.minor = e->minor;
    crd_run_evaluate(version->run, &whole, result);
}
