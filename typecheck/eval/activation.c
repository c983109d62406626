#include "typecheck/eval/activation.h"

#include "typecheck/absval/absmap.h"
#include "typecheck/base/arena.h"
#include "typecheck/eval/cleared.h"
#include "typecheck/types/admission_types.h"
#include "typecheck/types/type.h"

static const struct absval *record(struct arena *a, const struct absfield *fields, size_t count,
                                   const struct type *rest)
{
    struct absfield *copy = ARENA_ARRAY(a, count, struct absfield);
    memcpy(copy, fields, count * sizeof *copy);
    return absval_of_map(
        a, (struct absmap){.fields = copy, .field_count = count, .type = rest, .is_declared = true});
}

#define RECORD(a, rest, ...)                                                                                 \
    record((a), (const struct absfield[]){__VA_ARGS__},                                                      \
           sizeof((const struct absfield[]){__VA_ARGS__}) / sizeof(struct absfield), (rest))
#define ALWAYS(text, what)                                                                                   \
    {                                                                                                        \
        .name = STR_INIT(text), .presence = ABS_PRESENT, .value = (what)                                     \
    }
#define MAYBE(text, what)                                                                                    \
    {                                                                                                        \
        .name = STR_INIT(text), .presence = ABS_MAYBE, .value = (what)                                       \
    }

static const struct absval *some_string(struct arena *a, bool is_known, struct str text)
{
    return is_known ? absval_of_string(a, text) : absval_type_determined(a, &absval_string);
}

/* kind, apiVersion and metadata are decoded for every kind. */
enum { DECODED = 3 };

/* kind and apiVersion are always set; the rest is what the schema says, less what is cleared. */
static const struct absval *root_object(struct arena *a, struct types *ts,
                                        const struct activation_subject *subject, const struct cleared_at *at,
                                        enum absval_form form)
{
    const struct policy_type *kind = at->kind;
    struct str version =
        kind->group.len == 0 ? kind->version : str_join(a, STR_PARTS(kind->group, STR("/"), kind->version));
    struct absfield *fields = ARENA_ARRAY(a, DECODED + CLEARED_FIELDS, struct absfield);
    fields[0] = (struct absfield)ALWAYS("kind", absval_of_string(a, kind->kind));
    fields[1] = (struct absfield)ALWAYS("apiVersion", absval_of_string(a, version));
    struct absmap map = {.fields = fields, .field_count = 2};
    if (subject->type->kind != TYPE_OBJECT) {
        map.key = &absval_string;
        map.value = &absval_json;
        return absval_of_map(a, map);
    }
    map.type = subject->type;
    map.form = form == ABS_UNVALIDATED ? ABS_PLAIN : form;
    map.field_count += cleared_fields(a, ts, at, absval_of_map(a, map), fields + map.field_count);
    const struct str metadata = STR("metadata");
    if (form == ABS_UNVALIDATED && absmap_field(a, &map, metadata) == NULL) {
        const struct absmap_found found = absmap_find(a, ts, absval_of_map(a, map), metadata);
        fields[map.field_count++] =
            (struct absfield){.name = metadata, .presence = found.presence, .value = found.value};
    }
    map.form = form;
    return absval_of_map(a, map);
}

static struct str operation_name(enum policy_operation operation)
{
    size_t i = 0;
    while (i + 1 < POLICY_OPERATIONS && 1u << i != operation)
        i++;
    return policy_operation_names[i];
}

static const struct absval *group_version_kind(struct arena *a, const struct policy_type *kind, bool is_known)
{
    return RECORD(a, NULL, ALWAYS("group", some_string(a, is_known, kind->group)),
                  ALWAYS("version", some_string(a, is_known, kind->version)),
                  ALWAYS("kind", absval_of_string(a, kind->kind)));
}

static const struct absval *group_version_resource(struct arena *a, const struct policy_request *r,
                                                   bool is_known)
{
    static const struct policy_request unknown;
    bool is_named = r != NULL;
    r = r == NULL ? &unknown : r;
    return RECORD(a, NULL, ALWAYS("group", some_string(a, is_known && is_named, r->group)),
                  ALWAYS("version", some_string(a, is_known && is_named, r->version)),
                  ALWAYS("resource", some_string(a, is_named, r->resource)));
}

/* Strings that are empty are left out of the request. */
static struct absfield subresource(struct arena *a, struct str name, const struct policy_request *r)
{
    if (r == NULL)
        return (struct absfield){
            .name = name, .presence = ABS_MAYBE, .value = absval_type_determined(a, &absval_string)};
    if (r->subresource.len == 0)
        return (struct absfield){.name = name, .presence = ABS_ABSENT};
    return (struct absfield){
        .name = name, .presence = ABS_PRESENT, .value = absval_of_string(a, r->subresource)};
}

/* Requests for namespaces have one, too: the namespace itself. */
static bool is_namespace(const struct policy_type *kind)
{
    return kind->group.len == 0 && str_eq(kind->kind, STR("Namespace"));
}

static struct absfield namespace_name(const struct policy_type *kind, const struct policy_request *r)
{
    if (r == NULL || r->is_namespaced || is_namespace(kind))
        return (struct absfield)MAYBE("namespace", &absval_string);
    return (struct absfield){.name = STR("namespace"), .presence = ABS_ABSENT};
}

static const struct absval *user_info(struct arena *a)
{
    const struct absval *strings = absval_of_elements(a, &absval_string);
    struct absmap extra = {.key = &absval_string, .value = strings};
    return RECORD(a, NULL, MAYBE("username", &absval_string), MAYBE("uid", &absval_string),
                  MAYBE("groups", strings), MAYBE("extra", absval_of_map(a, extra)));
}

/* As the rules name it. What matchPolicy Equivalent lets be sent instead comes on top of that. */
static const struct absval *request_value(struct arena *a, const struct activation_subject *subject,
                                          const struct policy_request *r, enum policy_operation operation)
{
    enum { NULL_OBJECTS = 2 };
    const struct policy_type *kind = subject->kind;
    static const struct abswords operations = {policy_operation_names, POLICY_OPERATIONS,
                                               STR_INIT("operation")};
    const struct absval *name =
        absval_with_words(a, some_string(a, r != NULL, operation_name(operation)), &operations);
    const struct absfield fields[] = {
        ALWAYS("uid", &absval_string),
        ALWAYS("kind", group_version_kind(a, kind, true)),
        ALWAYS("resource", group_version_resource(a, r, true)),
        subresource(a, STR("subResource"), r),
        ALWAYS("requestKind", group_version_kind(a, kind, false)),
        ALWAYS("requestResource", group_version_resource(a, r, false)),
        subresource(a, STR("requestSubResource"), r),
        MAYBE("name", &absval_string),
        namespace_name(kind, r),
        ALWAYS("operation", name),
        ALWAYS("userInfo", user_info(a)),
        ALWAYS("dryRun", &absval_bool),
        MAYBE("options", &absval_json),
        MAYBE("object", &absval_null), /* NULL_OBJECTS, the last */
        MAYBE("oldObject", &absval_null),
    };
    const size_t count = sizeof fields / sizeof *fields - (subject->has_null_objects ? 0 : NULL_OBJECTS);
    return record(a, fields, count, NULL);
}

static const struct absval *opaque(struct arena *a, struct types *ts, struct str name)
{
    return absval_of_type(a, types_object(ts, name, NULL, NULL));
}

static const struct absval *namespace_value(struct arena *a, struct types *ts, const struct policy_type *kind,
                                            const struct policy_request *r)
{
    const struct absval *value = absval_of_type(a, admission_types_namespace_type(ts));
    if (r == NULL)
        return absval_nullable(a, value);
    return r->is_namespaced && !is_namespace(kind) ? value : &absval_null;
}

void activation_init(struct activation *s, struct arena *a, struct types *ts,
                     const struct activation_subject *subject, const struct way *way)
{
    const struct policy_request *request = way->request;
    const struct policy_type *kind = subject->kind;
    struct cleared_at at = {.kind = kind,
                            .is_custom = subject->is_custom,
                            .is_metadata_clear = subject->is_created_clear,
                            .is_cluster_scoped = request != NULL && !request->is_namespaced};
    const struct absval *old_object = root_object(a, ts, subject, &at, subject->old_form);
    at.is_created = way->is_created;
    at.has_status = request != NULL && request->has_status;
    const struct absval *object =
        at.is_created || subject->is_mutating ? root_object(a, ts, subject, &at, subject->form) : old_object;
    const bool is_new = way->operation == POLICY_CREATE || way->operation == POLICY_CONNECT;
    s->object = request == NULL                   ? absval_nullable(a, object)
                : way->operation == POLICY_DELETE ? &absval_null
                                                  : object;
    s->old_object = request == NULL ? absval_nullable(a, old_object) : is_new ? &absval_null : old_object;
    /* null where the binding names none */
    s->params =
        subject->params == NULL ? &absval_any : absval_nullable(a, absval_of_type(a, subject->params));
    s->authorizer = opaque(a, ts, STR("kubernetes.authorization.Authorizer"));
    s->resource_check = opaque(a, ts, STR("kubernetes.authorization.ResourceCheck"));
    s->request = request_value(a, subject, request, way->operation);
    s->namespace_object = namespace_value(a, ts, kind, request);
    s->match_namespace_object = &absval_null;
}

const struct absval *activation_changed_object(struct arena *a, struct types *ts,
                                               const struct activation_subject *subject)
{
    const struct cleared_at at = {.kind = subject->kind, .is_custom = subject->is_custom, .is_mutated = true};
    return root_object(a, ts, subject, &at, subject->form);
}
