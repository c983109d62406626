/* -o json: one object; its results are written as they are found. */
#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"
#include "cmd/kubectl-vapcheck/output/output.h"

static void begin(struct auditreport *r)
{
    print_raw(stdout, "{\"version\":1,\"kubeVersion\":\"1.%d\",\"schemas\":\"%s\",\"results\":[",
              r->book->minor, r->schemas);
}

static struct json_object *object_of(const struct auditobject *object)
{
    const struct requestmatch_endpoint *at = &object->route->stored_as;
    const char *namespace = auditobject_namespace(object);
    struct json_object *json = json_object_new_object();
    jsonval_set(json, "apiVersion", json_object_get(json_object_object_get(object->json, "apiVersion")));
    auditreport_put(json, "kind", at->kind);
    auditreport_put(json, "namespace", namespace[0] == '\0' ? NULL : namespace);
    auditreport_put(json, "name", output_name(object->json));
    if (object->file[0] == '\0')
        return json;
    auditreport_put(json, "file", object->file);
    jsonval_set(json, "line", json_object_new_int64((int64_t)object->line));
    return json;
}

static void put_policy(struct json_object *json, const struct rulebook_policy *p, const char *name)
{
    auditreport_put(json, name, p->name);
    if (p->is_mutating)
        jsonval_set(json, "mutating", json_object_new_boolean(true));
}

static void on_object(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct evaluation_finding *f = &found->items[i];
        struct json_object *result = json_object_new_object();
        jsonval_set(result, "object", object_of(object));
        put_policy(result, &r->book->items[f->policy], "policy");
        auditreport_put(result, "binding", auditreport_binding(r, f));
        jsonval_set(result, "bound", json_object_new_boolean(!r->book->items[f->policy].is_unbound));
        auditreport_put(result, "effect", audit_effect_name(f->effect));
        jsonval_set(result, "operations", auditreport_operations(f));
        if (f->validation != POLICY_RUN_NO_VALIDATION)
            jsonval_set(result, r->book->items[f->policy].is_mutating ? "mutation" : "validation",
                        json_object_new_int64((int64_t)f->validation));
        auditreport_put(result, "message", f->message);
        if (f->patch != NULL) {
            jsonval_set(result, "step", json_object_new_int64((int64_t)f->step));
            jsonval_set(result, "patch", json_object_get(f->patch));
        }
        if (f->is_after_change)
            jsonval_set(result, "afterChange", json_object_new_boolean(true));
        if (auditreport_may_be_default(r, f))
            jsonval_set(result, "mayBeDefault", json_object_new_boolean(true));
        auditreport_put(result, "reason", f->reason[0] == '\0' ? NULL : f->reason);
        auditreport_write(r, result);
    }
}

static void add_counts(struct json_object *json, const size_t counts[AUDIT_EFFECTS])
{
    for (size_t i = 0; i < AUDIT_EFFECTS; i++)
        jsonval_set(json, audit_effect_name((enum audit_effect)i), json_object_new_int64((int64_t)counts[i]));
}

static void write_policies(struct auditreport *r)
{
    r->n_written = 0;
    print_raw(stdout, "\n],\"policies\":[");
    for (size_t i = 0; i < r->book->count; i++) {
        const struct rulebook_policy *p = &r->book->items[i];
        struct json_object *policy = json_object_new_object();
        cleanup_mem char *problem = auditreport_problem(p);
        put_policy(policy, p, "name");
        auditreport_put(policy, "file", p->file[0] == '\0' ? NULL : p->file);
        jsonval_set(policy, "bound", json_object_new_boolean(!p->is_unbound));
        jsonval_set(policy, "matched", json_object_new_int64((int64_t)p->n_matched));
        add_counts(policy, p->n_effects);
        auditreport_put(policy, "notEvaluated", problem);
        auditreport_write(r, policy);
    }
}

static void write_list(struct auditreport *r, const char *name, struct json_object *list)
{
    r->n_written = 0;
    print_raw(stdout, "\n],\"%s\":[", name);
    for (size_t i = 0; list != NULL && i < jsonval_length(list); i++)
        auditreport_write(r, json_object_get(jsonval_at(list, i)));
}

static void end(struct auditreport *r)
{
    struct json_object *summary = json_object_new_object();
    write_policies(r);
    write_list(r, "notRead", r->not_read);
    write_list(r, "errors", r->errors);
    jsonval_set(summary, "objects", json_object_new_int64((int64_t)r->n_objects));
    jsonval_set(summary, "kinds", json_object_new_int64((int64_t)r->n_kinds));
    jsonval_set(summary, "assumedNamespaces", json_object_new_int64((int64_t)r->n_assumed));
    add_counts(summary, r->n_with);
    r->n_written = 0;
    print_raw(stdout, "\n],\"summary\":");
    auditreport_write(r, summary);
    print_raw(stdout, "}\n");
}

const struct auditreport_format auditreport_json = {.begin = begin, .object = on_object, .end = end};
