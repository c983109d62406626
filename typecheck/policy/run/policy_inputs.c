#include "typecheck/policy/run/policy_inputs.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/authorizations.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/sent_object.h"
#include "typecheck/cel/interpreter/values/typed_value.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/schema/request_schema.h"

enum { OBJECT, OLD_OBJECT, PARAMS, REQUEST, NAMESPACE, AUTHORIZER, REQUEST_RESOURCE };

static const struct value *find(struct arena *a, const struct value *map, struct str key)
{
    return map->kind == VALUE_MAP ? value_map_member(a, map->map, key) : NULL;
}

/* ---- types ---- */

/*
 * Returns true if the kind is not built in: groups of built-in kinds have no dot, or end in k8s.io. For
 * Kubernetes' own API servers all other kinds are custom resources.
 */
static bool is_custom(struct arena *a, struct str json)
{
    const struct value *version = find(a, json_value_read(a, json), STR("apiVersion"));
    if (version == NULL || version->kind != VALUE_STRING)
        return false;
    size_t end = 0, dots = 0;
    while (end < version->text.len && version->text.at[end] != '/')
        dots += version->text.at[end++] == '.';
    struct str group = {version->text.at, end};
    return end < version->text.len && dots > 0 && !str_has_suffix(group, STR(".k8s.io"));
}

/* The options of a connection, which no OpenAPI document has. */
static bool is_option(struct arena *a, struct str json, const struct schema *own, struct go_type *out)
{
    const struct value *object = json_value_read(a, json);
    const struct value *version = find(a, object, STR("apiVersion")), *kind = find(a, object, STR("kind"));
    bool is_core = version != NULL && version->kind == VALUE_STRING && str_eq(version->text, STR("v1"));
    return is_core && kind != NULL && kind->kind == VALUE_STRING &&
           request_schema_options(own, kind->text, out);
}

static bool is_null(struct str json)
{
    size_t start = 0;
    while (start < json.len && strchr(" \t\r\n", json.at[start]) != NULL)
        start++;
    return start == json.len || json.at[start] == 'n';
}

/* Sets *out to the Go type of an object; false if it is not known. */
static bool choose_type(struct arena *a, const struct policy_run_type *schema, const struct schema *own,
                        struct str json, struct go_type *out, struct run_input *input)
{
    input->type = NULL;
    if (is_null(json))
        return true;
    if (schema->doc == NULL || schema->root == NULL) {
        bool is_known = is_option(a, json, own, out);
        input->type = is_known ? out : NULL;
        return is_known || is_custom(a, json);
    }
    if (go_type_of_resource(schema->doc, schema->root, out))
        input->type = out;
    return true;
}

static bool choose_types(struct policy_inputs *in, struct arena *a, const struct schema *own,
                         const struct policy_run_request *request, bool has_plain_objects)
{
    const struct policy_run_type *type = &request->object_type;
    return (has_plain_objects ||
            (choose_type(a, type, own, request->object, &in->object, &in->inputs[OBJECT]) &&
             choose_type(a, type, own, request->old_object, &in->object, &in->inputs[OLD_OBJECT]))) &&
           choose_type(a, &request->params_type, own, request->params, &in->params, &in->inputs[PARAMS]);
}

/* ---- values ---- */

/* A copy without what `drops` names. */
static struct value *copy_without(struct arena *a, const struct value *map, const struct str *drops,
                                  size_t drop_count)
{
    struct value *copy = value_map_new(a, map->map->count + 1);
    copy->map->is_json = true;
    for (size_t i = 0; i < map->map->count; i++) {
        bool is_dropped = false;
        for (size_t j = 0; j < drop_count; j++)
            is_dropped = is_dropped || str_eq(map->map->entries[i].key->text, drops[j]);
        if (!is_dropped)
            value_map_add(a, copy->map, map->map->entries[i].key, map->map->entries[i].value);
    }
    return copy;
}

/* The fields of the Namespace that CreateNamespaceObject leaves. */
static const struct value *expose(struct arena *a, const struct value *namespace)
{
    static const struct str kind[] = {STR_INIT("apiVersion"), STR_INIT("kind")};
    static const struct str metadata[] = {STR_INIT("selfLink"), STR_INIT("ownerReferences"),
                                          STR_INIT("managedFields")};
    if (namespace->kind != VALUE_MAP)
        return namespace;
    struct value *exposed = copy_without(a, namespace, kind, sizeof kind / sizeof *kind);
    const struct value *old = find(a, namespace, STR("metadata"));
    if (old != NULL && old->kind == VALUE_MAP)
        value_map_set(a, exposed->map, value_string(a, STR("metadata")),
                      copy_without(a, old, metadata, sizeof metadata / sizeof *metadata));
    return exposed;
}

/* Go leaves out none of the three. Match conditions see the resource that was requested, others the one that
 * the policy's rules name. */
static const struct value *complete_request(struct arena *a, const struct value *request,
                                            enum policy_inputs_stage stage)
{
    static const struct str always[] = {STR_INIT("object"), STR_INIT("oldObject"), STR_INIT("options")};
    const struct value *requested = find(a, request, STR("requestResource"));
    if (request->kind != VALUE_MAP)
        return request;
    struct value *copy = copy_without(a, request, NULL, 0);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        if (find(a, copy, always[i]) == NULL)
            value_map_set(a, copy->map, value_string(a, always[i]), &value_null);
    }
    if (stage == POLICY_INPUTS_OF_MATCH_CONDITIONS && requested != NULL)
        value_map_set(a, copy->map, value_string(a, STR("resource")), requested);
    return copy;
}

static struct str text_of(struct arena *a, const struct value *map, struct str key)
{
    const struct value *v = map == NULL ? NULL : find(a, map, key);
    return v == NULL || v->kind != VALUE_STRING ? STR("") : v->text;
}

static const struct value *read(struct arena *a, struct str json)
{
    return json.len == 0 ? &value_null : json_value_read(a, json);
}

static const struct value *typed(struct arena *a, const struct value *v, const struct go_type *type)
{
    return type->doc == NULL ? v : typed_value_of(a, v, type);
}

/* ---- values that most policies do not ask for ---- */

static const struct value *read_request(struct policy_inputs *in, struct arena *a)
{
    if (in->request_read == NULL)
        in->request_read = read(a, in->request_json);
    return in->request_read;
}

static const struct value *make_request(void *user, struct arena *a)
{
    struct policy_inputs *in = user;
    return typed(a, complete_request(a, read_request(in, a), in->stage), &in->request);
}

static const struct value *make_namespace(void *user, struct arena *a)
{
    struct policy_inputs *in = user;
    if (in->stage == POLICY_INPUTS_OF_MATCH_CONDITIONS)
        return &value_null;
    if (in->namespace_read == NULL)
        in->namespace_read = read(a, in->namespace_json);
    const struct value *namespace = in->namespace_read;
    return typed(a, in->stage == POLICY_INPUTS_OF_VALIDATIONS ? expose(a, namespace) : namespace,
                 &in->namespace);
}

static const struct value *make_authorizer(void *user, struct arena *a)
{
    const struct policy_inputs *in = user;
    return authorizations_authorizer_value(a, in->authorizer);
}

/* NewResourceAuthorizerVal: about the resource that was requested. */
static const struct value *make_request_resource(void *user, struct arena *a)
{
    struct policy_inputs *in = user;
    const struct value *request = read_request(in, a);
    const struct value *resource = find(a, request, STR("requestResource"));
    if (resource == NULL)
        resource = find(a, request, STR("resource"));
    const struct authorizer_question question = {
        .group = text_of(a, resource, STR("group")),
        .resource = text_of(a, resource, STR("resource")),
        .subresource = text_of(a, request, STR("subResource")),
        .namespace = text_of(a, request, STR("namespace")),
        .name = text_of(a, request, STR("name")),
    };
    return authorizations_resource_value(a, in->authorizer, &question);
}

/* ---- objects ---- */

/* Completes an object that was sent; if it returns false, *missing says what the evaluator lacks. */
static bool complete(struct arena *a, const struct policy_run_type *schema, struct run_input *input,
                     struct str *missing)
{
    if (input->json.len == 0 || schema->doc == NULL || schema->root == NULL)
        return true;
    const struct value *v =
        sent_object_complete(a, json_value_read(a, input->json), schema->doc, schema->root);
    if (v != NULL && input->type != NULL)
        v = typed_value_of(a, v, input->type);
    if (v == NULL)
        *missing = STR("vapcheck does not evaluate an object that is not as its schema says");
    input->value = v;
    return v != NULL;
}

static bool complete_all(struct policy_inputs *in, struct arena *a, const struct policy_run_request *request,
                         struct str *missing)
{
    return complete(a, &request->object_type, &in->inputs[OBJECT], missing) &&
           complete(a, &request->object_type, &in->inputs[OLD_OBJECT], missing) &&
           complete(a, &request->params_type, &in->inputs[PARAMS], missing);
}

/* ---- the whole ---- */

bool policy_inputs_init(struct policy_inputs *in, struct arena *a, const struct schema *own,
                        bool has_plain_objects, const struct policy_run_request *request, struct str *missing)
{
    *in = (struct policy_inputs){
        .inputs = {[OBJECT] = {.name = STR("object"), .json = request->object},
                   [OLD_OBJECT] = {.name = STR("oldObject"), .json = request->old_object},
                   [PARAMS] = {.name = STR("params"), .json = request->params},
                   [REQUEST] = {.name = STR("request"), .make = make_request, .user = in},
                   [NAMESPACE] = {.name = STR("namespaceObject"), .make = make_namespace, .user = in},
                   [AUTHORIZER] = {.name = STR("authorizer"), .make = make_authorizer, .user = in},
                   [REQUEST_RESOURCE] = {.name = STR("authorizer.requestResource"),
                                         .make = make_request_resource,
                                         .user = in}},
        .request_json = request->request,
        .namespace_json = request->namespace_object,
        .authorizer = request->authorizer,
    };
    for (size_t i = 0; i < REQUEST; i++) {
        if (in->inputs[i].json.len == 0)
            in->inputs[i].value = &value_null;
    }
    if (own != NULL) {
        in->request = request_schema_request(own);
        in->namespace = request_schema_namespace(own);
    }
    bool is_loose = request->objects == POLICY_RUN_LOOSE;
    if (own != NULL && !is_loose && !choose_types(in, a, own, request, has_plain_objects)) {
        *missing = STR("vapcheck does not evaluate objects of built-in kinds without their schemas");
        return false;
    }
    return request->objects != POLICY_RUN_SENT || complete_all(in, a, request, missing);
}

struct str policy_inputs_refusal(struct arena *a, const struct policy_run_type *schema,
                                 const struct value *object, struct str *missing,
                                 const struct error_names **names)
{
    struct go_type type;
    size_t count;
    if (schema->root == NULL || !go_type_of_resource(schema->doc, schema->root, &type))
        return STR("");
    struct str refusal = typed_value_refusal(a, object, &type, &count, names);
    if (count > 1)
        *missing = STR("vapcheck does not evaluate a patched object that is wrong in several places");
    return count == 1 ? str_join(a, STR_PARTS(STR("Internal error occurred: "), refusal)) : STR("");
}

const struct value *policy_inputs_change(struct policy_inputs *in, struct arena *a,
                                         const struct policy_run_type *schema, const struct value *object,
                                         struct str *missing)
{
    struct run_input *input = &in->inputs[OBJECT];
    const struct value *v =
        schema->root == NULL ? object : sent_object_complete(a, object, schema->doc, schema->root);
    struct go_type type;
    bool is_built_in = schema->root != NULL && go_type_of_resource(schema->doc, schema->root, &type);
    const struct value *typed =
        v != NULL && is_built_in ? typed_value_of(a, v, &type) : v; /* Go decodes it */
    input->value = typed != NULL && input->type == NULL ? v : typed;
    if (input->value == NULL)
        *missing = STR("vapcheck does not evaluate an object that is not as its schema says");
    return input->value == NULL ? NULL : v;
}

void policy_inputs_begin(struct policy_inputs *in, enum policy_inputs_stage stage)
{
    bool has_authorizer = stage != POLICY_INPUTS_OF_ANNOTATIONS;
    in->stage = stage;
    in->inputs[AUTHORIZER].name = has_authorizer ? STR("authorizer") : STR("");
    in->inputs[REQUEST_RESOURCE].name = has_authorizer ? STR("authorizer.requestResource") : STR("");
    for (size_t i = REQUEST; i < POLICY_INPUTS; i++)
        in->inputs[i].value = NULL;
}
