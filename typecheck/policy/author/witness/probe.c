#include "typecheck/policy/author/witness/probe.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/authorizer.h"
#include "typecheck/cel/schema/go_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/request_schema.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/policy/author/witness/required_fields.h"

/* The names of the made objects and requests. */
#define NAME      STR("a")
#define NAMESPACE STR("default")

/* Of each Namespace, with its name. */
#define NAME_LABEL STR("kubernetes.io/metadata.name")

static bool is_namespace(const struct policy_type *type)
{
    return type->group.len == 0 && str_eq(type->kind, STR("Namespace"));
}

/* The name of a Namespace that the policy's selector takes; usual: unless it asks for another one. */
static struct str selected_name(const struct policy *p, struct str usual)
{
    struct str name = usual;
    for (size_t i = 0; p != NULL && i < p->namespaces.count; i++) {
        const struct policy_label *label = &p->namespaces.labels[i];
        if (str_eq(label->key, NAME_LABEL) && !(label->is_absent && str_eq(label->value, NAME)))
            name = label->is_absent ? NAME : label->value.len != 0 ? label->value : name;
    }
    return name;
}

/* Of the namespace that the object is in, and of the object itself. */
static struct str namespace_of(const struct probe_kind *kind)
{
    return selected_name(kind->policy, NAMESPACE);
}

static struct str name_of(const struct probe_kind *kind)
{
    return is_namespace(kind->type) ? selected_name(kind->policy, NAME) : NAME;
}

static struct sample_schema schema_of(const struct policy_type *type)
{
    return (struct sample_schema){type->doc, type->doc == NULL ? NULL : type->node};
}

static struct str api_version(struct arena *a, const struct policy_type *type)
{
    return type->group.len == 0 ? type->version
                                : str_join(a, STR_PARTS(type->group, STR("/"), type->version));
}

/* A whole object, of which nobody has said what it is called. */
static struct sample *new_object(struct arena *a, const struct probe_kind *kind,
                                 const struct policy_type *type, bool is_namespaced)
{
    struct sample *made = sample_new(a, schema_of(type)), *required = made->first;
    made->kind = SAMPLE_MAP; /* where there is no schema, too */
    made->first = NULL;
    sample_say(a, made, STR("apiVersion"), api_version(a, type));
    sample_say(a, made, STR("kind"), type->kind);
    struct sample *metadata = sample_field(a, made, STR("metadata"));
    sample_add(made, required);
    if (metadata == NULL) /* options have none */
        return made;
    metadata->kind = SAMPLE_MAP;
    metadata->is_fixed = true;
    (void)sample_fix(a, metadata, STR("name"), type == kind->type ? name_of(kind) : NAME);
    if (is_namespaced)
        (void)sample_fix(a, metadata, STR("namespace"), namespace_of(kind));
    return made;
}

static void name_kind(struct arena *a, struct sample *request, struct str field,
                      const struct policy_type *type, struct str last, struct str value)
{
    struct sample *kind = sample_field(a, request, field);
    kind->is_fixed = true;
    sample_say(a, kind, STR("group"), type->group);
    sample_say(a, kind, STR("version"), type->version);
    sample_say(a, kind, last, value);
}

static struct str operation_name(enum policy_operation operation)
{
    size_t i = 0;
    while (i + 1 < POLICY_OPERATIONS && 1u << i != (unsigned)operation)
        i++;
    return policy_operation_names[i];
}

static void add_user(struct arena *a, struct sample *request)
{
    struct sample *user = sample_field(a, request, STR("userInfo"));
    user->is_fixed = true;
    (void)sample_fix(a, user, STR("username"), NAME);
}

static void add_names(struct arena *a, struct sample *request, const struct probe_kind *k)
{
    const struct policy_request *r = k->request;
    const struct policy_type parent = {.group = r->group, .version = r->version};
    const struct str last = STR("resource");
    name_kind(a, request, STR("resource"), &parent, last, r->resource);
    name_kind(a, request, STR("requestResource"), &parent, last, r->resource);
    if (r->subresource.len != 0) {
        sample_say(a, request, STR("subResource"), r->subresource);
        sample_say(a, request, STR("requestSubResource"), r->subresource);
    }
    if (r->is_namespaced)
        (void)sample_fix(a, request, STR("namespace"), namespace_of(k));
}

static struct sample *new_request(struct arena *a, const struct probe_kind *k)
{
    const struct go_type type = request_schema_request(k->own);
    const struct str last = STR("kind");
    struct sample *r = sample_new(a, (struct sample_schema){k->own, &k->own->nodes[type.node]});
    sample_say(a, r, STR("uid"), STR("1"));
    name_kind(a, r, STR("kind"), k->type, last, k->type->kind);
    name_kind(a, r, STR("requestKind"), k->type, last, k->type->kind);
    if (k->request != NULL)
        add_names(a, r, k);
    (void)sample_fix(a, r, STR("name"), name_of(k));
    sample_say(a, r, STR("operation"), operation_name(k->operation));
    add_user(a, r);
    return r;
}

/* Namespaces themselves, and what is in none, come without. */
static struct sample *new_namespace(struct arena *a, const struct probe_kind *k)
{
    const struct go_type type = request_schema_namespace(k->own);
    if (k->request == NULL || !k->request->is_namespaced)
        return NULL;
    struct sample *namespace = sample_new(a, (struct sample_schema){k->own, &k->own->nodes[type.node]});
    struct sample *metadata = sample_field(a, namespace, STR("metadata"));
    metadata->is_fixed = true;
    sample_say(a, metadata, STR("name"), namespace_of(k));
    struct sample *labels = sample_field(a, metadata, STR("labels"));
    labels->is_fixed = true;
    (void)sample_fix(a, labels, NAME_LABEL, namespace_of(k));
    sample_field(a, namespace, STR("spec"))->is_fixed = true;
    sample_field(a, namespace, STR("status"))->is_fixed = true;
    return namespace;
}

/* A Namespace has its name as a label. */
static void add_name_label(struct arena *a, const struct probe_kind *kind, struct sample *namespace)
{
    struct sample *metadata = namespace == NULL ? NULL : sample_find(namespace, STR("metadata"));
    struct sample *labels = metadata == NULL ? NULL : sample_field(a, metadata, STR("labels"));
    if (labels == NULL)
        return;
    labels->is_fixed = true;
    (void)sample_fix(a, labels, NAME_LABEL, name_of(kind));
}

/* The labels that a selector wants; an object without metadata has none. */
static void add_labels(struct arena *a, struct sample *object, const struct policy_selector *selector)
{
    struct sample *metadata = object == NULL ? NULL : sample_find(object, STR("metadata"));
    for (size_t i = 0; metadata != NULL && i < selector->count; i++) {
        const struct policy_label *label = &selector->labels[i];
        struct sample *labels = label->is_absent ? NULL : sample_field(a, metadata, STR("labels"));
        if (labels == NULL)
            continue;
        labels->is_fixed = true;
        if (sample_find(labels, label->key) == NULL)
            sample_say(a, labels, label->key, label->value);
    }
}

static void remove_labels(struct sample *object, const struct policy_selector *selector)
{
    struct sample *metadata = object == NULL ? NULL : sample_find(object, STR("metadata"));
    struct sample *labels = metadata == NULL ? NULL : sample_find(metadata, STR("labels"));
    for (size_t i = 0; labels != NULL && i < selector->count; i++) {
        struct sample *label =
            selector->labels[i].is_absent ? sample_find(labels, selector->labels[i].key) : NULL;
        if (label != NULL)
            (void)sample_remove(labels, label);
    }
}

/* Adds the labels that the selectors of the policy want. */
static void select(struct probe *s, struct arena *a)
{
    const struct policy *p = s->kind->policy;
    if (p == NULL)
        return;
    add_labels(a, s->object, &p->objects);
    add_labels(a, s->old_object, &p->objects);
    add_labels(a, s->namespace_object, &p->namespaces);
    if (is_namespace(s->kind->type)) {
        add_labels(a, s->object, &p->namespaces);
        add_labels(a, s->old_object, &p->namespaces);
    }
}

static void deselect(struct probe *s)
{
    const struct policy *p = s->kind->policy;
    if (p == NULL)
        return;
    remove_labels(s->object, &p->objects);
    remove_labels(s->old_object, &p->objects);
    remove_labels(s->namespace_object, &p->namespaces);
    if (is_namespace(s->kind->type)) {
        remove_labels(s->object, &p->namespaces);
        remove_labels(s->old_object, &p->namespaces);
    }
}

void probe_init(struct probe *s, struct arena *a, const struct probe_kind *kind)
{
    const bool is_namespaced = kind->request != NULL && kind->request->is_namespaced;
    *s = (struct probe){.kind = kind};
    if (kind->operation != POLICY_DELETE)
        s->object = new_object(a, kind, kind->type, is_namespaced);
    if (kind->operation == POLICY_DELETE || kind->operation == POLICY_UPDATE)
        s->old_object = new_object(a, kind, kind->type, is_namespaced);
    if (kind->params != NULL)
        s->params = new_object(a, kind, kind->params, false);
    s->request = new_request(a, kind);
    s->namespace_object = new_namespace(a, kind);
    if (is_namespace(kind->type)) {
        add_name_label(a, kind, s->object);
        add_name_label(a, kind, s->old_object);
    }
    select(s, a);
}

struct sample *probe_root(const struct probe *s, struct str name)
{
    static const struct str names[PROBE_PARTS] = {STR_INIT("object"), STR_INIT("oldObject"),
                                                  STR_INIT("params"), STR_INIT("request"),
                                                  STR_INIT("namespaceObject")};
    for (size_t i = 0; i < PROBE_PARTS; i++) {
        if (str_eq(names[i], name))
            return s->parts[i];
    }
    return NULL;
}

/* ---- what the server does to them ---- */

static bool is_built_in(const struct policy_type *type)
{
    struct go_type ignored;
    return type->doc != NULL && type->node != NULL && go_type_of_resource(type->doc, type->node, &ignored);
}

/* Custom resources have none then; of built-in kinds Go writes an empty one. */
static void clear_status(struct probe *s, struct arena *a)
{
    const struct policy_request *r = s->kind->request;
    bool is_cleared = s->kind->operation == POLICY_CREATE && r != NULL && r->has_status &&
                      r->subresource.len == 0 && s->object != NULL;
    struct sample *status = is_cleared ? sample_find(s->object, STR("status")) : NULL;
    if (status != NULL && is_built_in(s->kind->type))
        sample_zero(a, status);
    else if (status != NULL)
        (void)sample_remove(s->object, status);
}

static struct sample *find_in_metadata(struct sample *object, struct str name)
{
    struct sample *metadata = object == NULL ? NULL : sample_find(object, STR("metadata"));
    return metadata == NULL ? NULL : sample_find(metadata, name);
}

/* They say the same; whichever is no longer as it was made counts. */
static void unify(struct sample *const *places, size_t count, struct str made)
{
    struct str text = made;
    for (size_t i = 0; i < count; i++) {
        if (places[i] != NULL && places[i]->kind == SAMPLE_STRING && !str_eq(places[i]->text, made))
            text = places[i]->text;
    }
    for (size_t i = 0; i < count; i++) {
        if (places[i] != NULL)
            (void)sample_set_string(places[i], text);
    }
}

/* Empty lists and maps of built-in kinds are left out. */
static void fill_empty(struct arena *a, struct sample *s, struct choices *choices)
{
    for (struct sample *part = s->first, *next; part != NULL; part = next) {
        next = part->next;
        fill_empty(a, part, choices);
        if (!sample_is_left_out(part))
            continue;
        if (choices_take(choices, 2) == 1 || !sample_resize(a, part, 1))
            (void)sample_remove(s, part);
    }
}

/* The label with the name of a Namespace; NULL: it is none. */
static struct sample *find_name_label(const struct probe *s, struct sample *object)
{
    struct sample *labels = is_namespace(s->kind->type) ? find_in_metadata(object, STR("labels")) : NULL;
    return labels == NULL ? NULL : sample_find(labels, NAME_LABEL);
}

/* Adds the fields that the server requires of an object of a built-in kind, and drops those that it leaves
 * out. */
static void make_whole(const struct probe *s, struct arena *a, struct sample *object, struct choices *choices)
{
    if (object == NULL)
        return;
    required_fields_complete(a, object, s->kind->minor, choices);
    fill_empty(a, object, choices);
    required_fields_complete(a, object, s->kind->minor, choices);
}

void probe_clean(struct probe *s, struct arena *a, struct choices *choices)
{
    enum { NAMES = 5, NAMESPACES = 5 };
    struct sample *labels = find_in_metadata(s->namespace_object, STR("labels"));
    struct sample *const names[NAMES] = {find_in_metadata(s->object, STR("name")),
                                         find_in_metadata(s->old_object, STR("name")),
                                         sample_find(s->request, STR("name")), find_name_label(s, s->object),
                                         find_name_label(s, s->old_object)};
    struct sample *const namespaces[NAMESPACES] = {
        find_in_metadata(s->object, STR("namespace")), find_in_metadata(s->old_object, STR("namespace")),
        sample_find(s->request, STR("namespace")), find_in_metadata(s->namespace_object, STR("name")),
        labels == NULL ? NULL : sample_find(labels, NAME_LABEL)};
    unify(names, NAMES, name_of(s->kind));
    if (s->namespace_object != NULL)
        unify(namespaces, NAMESPACES, namespace_of(s->kind));
    if (is_built_in(s->kind->type)) {
        make_whole(s, a, s->object, choices);
        make_whole(s, a, s->old_object, choices);
    }
    clear_status(s, a);
    deselect(s);
}

bool probe_is_valid(const struct probe *s, struct arena *a)
{
    return !is_built_in(s->kind->type) ||
           ((s->object == NULL || required_fields_are_there(a, s->object, s->kind->minor)) &&
            (s->old_object == NULL || required_fields_are_there(a, s->old_object, s->kind->minor)));
}

/* ---- as a request ---- */

static bool allow(void *user, struct arena *a, const struct authorizer_question *question,
                  struct authorizer_answer *answer)
{
    (void)a, (void)question;
    *answer = (struct authorizer_answer){.is_allowed = *(const bool *)user};
    return true;
}

static struct str text_of(struct arena *a, const struct sample *s)
{
    return s == NULL ? STR("") : sample_text(a, s);
}

static struct policy_run_type type_of(const struct policy_type *type)
{
    return type == NULL ? (struct policy_run_type){NULL, NULL}
                        : (struct policy_run_type){type->doc, type->node};
}

struct policy_run_request probe_request(const struct probe *s, struct arena *a)
{
    struct authorizer *authorizer = ARENA_NEW(a, struct authorizer);
    bool *is_allowed = ARENA_NEW(a, bool);
    *is_allowed = s->is_allowed;
    *authorizer = (struct authorizer){allow, is_allowed};
    return (struct policy_run_request){
        .object = text_of(a, s->object),
        .old_object = text_of(a, s->old_object),
        .params = text_of(a, s->params),
        .request = text_of(a, s->request),
        .namespace_object = text_of(a, s->namespace_object),
        .object_type = type_of(s->kind->type),
        .params_type = type_of(s->kind->params),
        .objects = POLICY_RUN_SENT,
        .authorizer = authorizer,
    };
}
