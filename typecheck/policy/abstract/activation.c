#include "typecheck/policy/abstract/activation.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/admission_types.h"
#include "typecheck/cel/types/reads.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/abstract/cleared.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/names.h"

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

/* A name, with the slips of it. number: in the reads. */
static const struct absval *named(struct arena *a, const struct activation_subject *subject,
                                  enum policy_name sort, bool is_known, struct str text, size_t number)
{
    if (subject->kind->is_stranger)
        return absval_with_words(a, absval_by(a, &absval_string, ABS_BY_NAMES),
                                 &subject->names->strangers[sort]);
    const struct absval *v =
        absval_by(a, some_string(a, is_known, text), is_known ? ABS_BY_NAMES : ABS_OF_REQUEST);
    if (is_known && number != READS_ALIKE)
        reads_add_name(subject->reads, v->values, (uint32_t)number);
    return subject->names == NULL ? v : absval_with_words(a, v, &subject->names->sets[sort]);
}

static struct str api_version(struct arena *a, const struct policy_type *kind)
{
    return kind->group.len == 0 ? kind->version
                                : str_join(a, STR_PARTS(kind->group, STR("/"), kind->version));
}

/* kind, apiVersion and metadata are decoded for every kind. */
enum { DECODED = 3 };

/* kind and apiVersion are always set; the rest is what the schema says, less what is cleared. */
static const struct absval *root_object(struct arena *a, struct types *ts,
                                        const struct activation_subject *subject, const struct type *type,
                                        const struct cleared_at *at, enum absval_form form)
{
    const struct policy_type *kind = at->kind;
    const struct str version = api_version(a, kind);
    struct absfield *fields = ARENA_ARRAY(a, DECODED + CLEARED_FIELDS, struct absfield);
    fields[0] = (struct absfield)ALWAYS("kind", named(a, subject, POLICY_KIND, true, kind->kind, READS_KIND));
    fields[1] = (struct absfield)ALWAYS(
        "apiVersion", named(a, subject, POLICY_API_VERSION, true, version, READS_API_VERSION));
    struct absmap map = {.fields = fields, .field_count = 2};
    if (type->kind != TYPE_OBJECT) {
        map.key = &absval_string;
        map.value = &absval_json;
        return absval_of_map(a, map);
    }
    map.type = type;
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

struct str activation_name(const void *type, struct arena *a, uint32_t number)
{
    const struct policy_type *kind = type;
    if (number == READS_KIND)
        return kind->kind;
    if (number == READS_GROUP)
        return kind->group;
    if (number == READS_VERSION)
        return kind->version;
    if (number == READS_API_VERSION)
        return api_version(a, kind);
    const struct policy_request *q = &kind->requests[(number - READS_OF_REQUESTS) / READS_REQUEST_NAMES];
    const uint32_t which = (number - READS_OF_REQUESTS) % READS_REQUEST_NAMES;
    return which == READS_REQUEST_GROUP     ? q->group
           : which == READS_REQUEST_VERSION ? q->version
                                            : q->resource;
}

static struct str operation_name(enum policy_operation operation)
{
    size_t i = 0;
    while (i + 1 < POLICY_OPERATIONS && 1u << i != operation)
        i++;
    return policy_operation_names[i];
}

static const struct absval *group_version_kind(struct arena *a, const struct activation_subject *subject,
                                               bool is_known)
{
    const struct policy_type *kind = subject->kind;
    return RECORD(
        a, NULL, ALWAYS("group", named(a, subject, POLICY_GROUP, is_known, kind->group, READS_GROUP)),
        ALWAYS("version", named(a, subject, POLICY_VERSION, is_known, kind->version, READS_VERSION)),
        ALWAYS("kind", named(a, subject, POLICY_KIND, true, kind->kind, READS_KIND)));
}

static const struct absval *group_version_resource(struct arena *a, const struct activation_subject *subject,
                                                   const struct policy_request *r, bool is_known)
{
    static const struct policy_request unknown;
    bool is_named = r != NULL;
    const size_t first =
        r == NULL ? 0 : READS_OF_REQUESTS + (size_t)(r - subject->kind->requests) * READS_REQUEST_NAMES;
    r = r == NULL ? &unknown : r;
    return RECORD(a, NULL,
                  ALWAYS("group", named(a, subject, POLICY_GROUP, is_known && is_named, r->group,
                                        first + READS_REQUEST_GROUP)),
                  ALWAYS("version", named(a, subject, POLICY_VERSION, is_known && is_named, r->version,
                                          first + READS_REQUEST_VERSION)),
                  ALWAYS("resource",
                         named(a, subject, POLICY_RESOURCE, is_named, r->resource, first + READS_RESOURCE)));
}

/* Strings that are empty are left out of the request. */
static struct absfield subresource(struct arena *a, const struct activation_subject *subject, struct str name,
                                   const struct policy_request *r)
{
    const struct str value = r == NULL ? STR("") : r->subresource;
    const bool is_any = r == NULL || subject->kind->is_stranger;
    if (!is_any && value.len == 0)
        return (struct absfield){.name = name, .presence = ABS_ABSENT};
    return (struct absfield){.name = name,
                             .presence = is_any ? ABS_MAYBE : ABS_PRESENT,
                             .value = named(a, subject, POLICY_SUBRESOURCE, r != NULL, value, READS_ALIKE)};
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

/* The value of `request` for a request that the rules name; with matchPolicy Equivalent others can be sent,
 * too. */
static const struct absval *request_value(struct arena *a, const struct activation_subject *subject,
                                          const struct policy_request *r, enum policy_operation operation)
{
    enum { NULL_OBJECTS = 2 };
    const struct policy_type *kind = subject->kind;
    static const struct abswords operations = {
        .what = STR_INIT("operation"), .list = policy_operation_names, .count = POLICY_OPERATIONS};
    const struct absval *name =
        absval_with_words(a,
                          absval_by(a, some_string(a, r != NULL, operation_name(operation)),
                                    r != NULL ? ABS_BY_NAMES : ABS_OF_REQUEST),
                          &operations);
    const struct absfield fields[] = {
        ALWAYS("uid", &absval_string),
        ALWAYS("kind", group_version_kind(a, subject, true)),
        ALWAYS("resource", group_version_resource(a, subject, r, true)),
        subresource(a, subject, STR("subResource"), r),
        ALWAYS("requestKind", group_version_kind(a, subject, false)),
        ALWAYS("requestResource", group_version_resource(a, subject, r, false)),
        subresource(a, subject, STR("requestSubResource"), r),
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
    return r->is_namespaced && !is_namespace(kind) ? value : &absval_no_object;
}

void activation_init(struct activation *s, struct arena *a, struct types *ts,
                     const struct activation_subject *subject, const struct way *way)
{
    const struct policy_request *request = way->request;
    const struct policy_type *kind = subject->kind;
    reads_forget_names(subject->reads);
    struct cleared_at at = {.kind = kind,
                            .is_custom = subject->is_custom,
                            .is_metadata_clear = subject->is_created_clear,
                            .is_cluster_scoped = request != NULL && !request->is_namespaced};
    const struct absval *old_object = root_object(a, ts, subject, subject->type, &at, subject->old_form);
    at.is_created = way->is_created;
    at.has_status = request != NULL && request->has_status;
    const struct type *type = way->is_validated ? subject->valid_type : subject->type;
    const struct absval *object = at.is_created || way->is_validated || subject->is_mutating
                                      ? root_object(a, ts, subject, type, &at, subject->form)
                                      : old_object;
    const bool is_new = way->operation == POLICY_CREATE || way->operation == POLICY_CONNECT;
    s->object = request == NULL                   ? absval_nullable(a, object)
                : way->operation == POLICY_DELETE ? &absval_no_object
                                                  : object;
    s->old_object = request == NULL ? absval_nullable(a, old_object)
                    : is_new        ? &absval_no_object
                                    : old_object;
    /* The value is null if the binding names no params. */
    s->params =
        subject->params == NULL ? &absval_any : absval_nullable(a, absval_of_type(a, subject->params));
    s->authorizer = opaque(a, ts, STR("kubernetes.authorization.Authorizer"));
    s->resource_check = opaque(a, ts, STR("kubernetes.authorization.ResourceCheck"));
    s->request = NULL;
    s->subject = subject;
    s->asked = request;
    s->operation = way->operation;
    s->namespace_object = namespace_value(a, ts, kind, request);
    /* whether they are null is the operation's and the kind's */
    s->object = absval_by(a, s->object, ABS_BY_NAMES);
    s->old_object = absval_by(a, s->old_object, ABS_BY_NAMES);
    s->namespace_object = absval_by(a, s->namespace_object, ABS_BY_NAMES);
    s->match_namespace_object = &absval_no_object;
}

const struct absval *activation_request(struct activation *s, struct arena *a)
{
    if (s->request == NULL)
        s->request = request_value(a, s->subject, s->asked, s->operation);
    return s->request;
}

const struct absval *activation_changed_object(struct arena *a, struct types *ts,
                                               const struct activation_subject *subject)
{
    const struct cleared_at at = {.kind = subject->kind, .is_custom = subject->is_custom, .is_mutated = true};
    return root_object(a, ts, subject, subject->type, &at, subject->form);
}
