/* Policies, surroundings and objects of files. */
#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/audit/audit.h"
#include "cmd/kubectl-vapcheck/input/manifest.h"
#include "controller/apiserver/defaults/requestobject.h"

typedef void visit_object(struct audit *a, const struct manifest *m, const struct manifest_object *object);

/* File by file: no two are in memory. Each pass reads them again; only the first one reports what cannot be
 * read. */
static void visit_files(struct audit *a, visit_object *visit, bool is_first)
{
    for (size_t i = 0; i < a->inputs.count; i++) {
        struct manifest m;
        manifest_read(&m, &a->inputs.items[i]);
        if (m.left_out != NULL && is_first) {
            print_line(stderr, "note: %s: not read: %s", m.file, m.left_out);
            a->has_unread = true;
        }
        if (m.problem != NULL && is_first && !(m.is_empty && a->options->allows_empty)) {
            auditreport_add_error(&a->report, m.file, &m.where, m.problem);
            a->has_failed = a->has_failed || m.is_missing;
        }
        for (size_t k = 0; k < m.n_objects; k++) {
            requestobject_decode(m.objects[k].root->json);
            visit(a, &m, &m.objects[k]);
        }
        manifest_deinit(&m);
        if (!is_first)
            progress_step(&a->progress);
    }
}

static void add_duplicate(struct audit *a, const struct manifest *m, const struct manifest_object *o)
{
    auditreport_add_error(&a->report, m->file, &o->root->start,
                          "another object of this kind has the same name, and counts");
}

static void gather(struct audit *a, const struct manifest *m, const struct manifest_object *o)
{
    const struct rulebook_origin origin = {
        .file = m->file, .line = o->root->start.line, .is_mutating = o->kind == OBJECTKIND_MUTATING_POLICY};
    struct err err = {0};
    bool is_taken = true;
    switch (o->kind) {
    case OBJECTKIND_POLICY:
    case OBJECTKIND_MUTATING_POLICY:
        is_taken = rulebook_add_policy(&a->book, o->root->json, &origin);
        a->n_policies_of_files += is_taken;
        a->n_validating_of_files += is_taken && !origin.is_mutating;
        break;
    case OBJECTKIND_BINDING:
    case OBJECTKIND_MUTATING_BINDING:
        is_taken = rulebook_add_binding(&a->book, o->root->json, o->kind == OBJECTKIND_MUTATING_BINDING);
        break;
    case OBJECTKIND_CRD:
        if (crds_add(a->crds, o->root->json, &err) != 0)
            auditreport_add_error(&a->report, m->file, &o->root->start, err.msg);
        break;
    case OBJECTKIND_VALIDATING_WEBHOOKS:
    case OBJECTKIND_MUTATING_WEBHOOKS:
    case OBJECTKIND_COMPOSITE:
    case OBJECTKIND_AUTHENTICATION:
    case OBJECTKIND_AUTHORIZATION:
    case OBJECTKIND_DEVICE_CLASS:
    case OBJECTKIND_RESOURCE_CLAIM:
    case OBJECTKIND_RESOURCE_CLAIM_TEMPLATE:
    case OBJECTKIND_CONSTRAINT_TEMPLATE:
    case OBJECTKIND_MISNAMED:
    case OBJECTKIND_OTHER:
        break;
    }
    if (!is_taken)
        add_duplicate(a, m, o);
}

void audit_files_gather(struct audit *a)
{
    visit_files(a, gather, true);
}

/* The endpoint that the object is sent to; kind "": none is served for it. */
static struct requestmatch_endpoint find_endpoint(const struct audit *a, struct json_object *json)
{
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(json, "apiVersion"));
    const struct discovery_group *g = discovery_find_group(schemas_discovery(a->schemas), gv.group);
    const struct discovery_version *v =
        discovery_find_version(schemas_discovery(a->schemas), gv.group, gv.version);
    const struct discovery_resource *r =
        v == NULL ? NULL : discovery_find_kind(v, jsonval_string_or_empty(json, "kind"));
    if (r == NULL)
        return (struct requestmatch_endpoint){.kind = ""};
    return (struct requestmatch_endpoint){g->name, v->version, r->name, r->group, r->version, r->kind};
}

/* A param as it is stored. */
static struct json_object *read_param(const struct audit *a, struct json_object *json)
{
    struct auditobject_route route;
    const struct requestmatch_endpoint endpoint = find_endpoint(a, json);
    const bool is_namespace =
        endpoint.group != NULL && *endpoint.group == '\0' && strcmp(endpoint.kind, "Namespace") == 0;
    if (endpoint.kind[0] == '\0' || is_namespace || !audit_route(a, &endpoint, &route))
        return json_object_get(json);
    struct defaults_kind kind = auditobject_kind(&route, a->schemas, a->now);
    kind.namespace = NULL;
    audit_route_deinit(&route);
    return defaults_decode(&kind, json, NULL);
}

/* This is true if policies may be evaluated with such objects, as with a namespace or a param. */
static bool surrounds(enum objectkind kind)
{
    switch (kind) {
    case OBJECTKIND_DEVICE_CLASS:
    case OBJECTKIND_RESOURCE_CLAIM:
    case OBJECTKIND_RESOURCE_CLAIM_TEMPLATE:
    case OBJECTKIND_CONSTRAINT_TEMPLATE:
    case OBJECTKIND_OTHER:
        return true;
    case OBJECTKIND_CRD:
    case OBJECTKIND_POLICY:
    case OBJECTKIND_BINDING:
    case OBJECTKIND_MUTATING_POLICY:
    case OBJECTKIND_MUTATING_BINDING:
    case OBJECTKIND_VALIDATING_WEBHOOKS:
    case OBJECTKIND_MUTATING_WEBHOOKS:
    case OBJECTKIND_COMPOSITE:
    case OBJECTKIND_AUTHENTICATION:
    case OBJECTKIND_AUTHORIZATION:
    case OBJECTKIND_MISNAMED:
        break;
    }
    return false;
}

static void surround(struct audit *a, const struct manifest *m, const struct manifest_object *o)
{
    (void)m;
    if (!surrounds(o->kind))
        return;
    cleanup_json struct json_object *read = surroundings_is_param(&a->surroundings, o->root->json)
                                                ? read_param(a, o->root->json)
                                                : json_object_get(o->root->json);
    surroundings_add(&a->surroundings, read);
}

void audit_files_surround(struct audit *a)
{
    progress_init(&a->progress, "files", 2 * a->inputs.count);
    visit_files(a, surround, false);
}

/* Audits an object of a file. One that no server can read is an error, and reaches no policy. */
static void run_object(struct audit *a, const struct manifest *m, const struct manifest_object *o,
                       const struct auditobject_route *route)
{
    const struct defaults_kind kind = auditobject_kind(route, a->schemas, a->now);
    cleanup_mem char *problem = NULL;
    cleanup_json struct json_object *read = defaults_decode(&kind, o->root->json, &problem);
    const struct auditobject object = {route, read, m->file, o->root->start.line, false};
    if (problem != NULL) {
        cleanup_mem char *title = auditobject_title(&object);
        cleanup_mem char *text = mem_printf("no API server can read %s: %s", title, problem);
        auditreport_add_error(&a->report, m->file, &o->root->start, text);
    } else {
        audit_object(a, &object, NULL);
    }
}

static void run(struct audit *a, const struct manifest *m, const struct manifest_object *o)
{
    struct auditobject_route route;
    const struct requestmatch_endpoint endpoint = find_endpoint(a, o->root->json);
    if (endpoint.kind[0] == '\0') {
        cleanup_mem char *text = mem_printf("the server has no kind %s in %s: it is not evaluated",
                                            jsonval_string_or_empty(o->root->json, "kind"),
                                            jsonval_string_or_empty(o->root->json, "apiVersion"));
        auditreport_add_error(&a->report, m->file, &o->root->start, text);
        return;
    }
    struct json_object *metadata = jsonval_get(o->root->json, "metadata");
    if (metadata != NULL && !json_object_is_type(metadata, json_type_object)) {
        auditreport_add_error(&a->report, m->file, &o->root->start,
                              "metadata is no mapping: the object is not evaluated");
        return;
    }
    if (requestmatch_is_exempt(endpoint.group, endpoint.resource) || !audit_route(a, &endpoint, &route))
        return;
    cleanup_mem char *kind = mem_printf("%s/%s", endpoint.group, endpoint.resource);
    a->report.n_kinds += keymap_add(&a->kinds, kind);
    run_object(a, m, o, &route);
    audit_route_deinit(&route);
}

void audit_files_run(struct audit *a)
{
    visit_files(a, run, false);
}
