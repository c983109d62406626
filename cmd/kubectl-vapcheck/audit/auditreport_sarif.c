/* -o sarif: SARIF 2.1.0, one run. */
#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"
#include "cmd/kubectl-vapcheck/output/sarif.h"

static const char *const texts[AUDIT_EFFECTS] = {
    [AUDIT_REFUSED] = "A policy refuses the object as it is.",
    [AUDIT_WARNED] = "A policy warns about the object as it is.",
    [AUDIT_AUDITED] = "A policy notes the object as it is in the audit log.",
    [AUDIT_FAILED] = "An expression of a policy fails for the object as it is, and the policy refuses it.",
    [AUDIT_IGNORED] =
        "An expression of a policy fails for the object as it is, and failurePolicy ignores that.",
    [AUDIT_CHANGED] = "A mutating policy changes the object as it is.",
    [AUDIT_UNKNOWN] = "It is not known for certain what mutating policies make of the object as it is.",
};

static struct json_object *make_tool(void)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < AUDIT_EFFECTS; i++)
        jsonval_append(list, sarif_rule(auditreport_id((enum audit_effect)i), texts[i]));
    return sarif_tool(list);
}

static void begin(struct auditreport *r)
{
    print_raw(stdout, "{\"$schema\":\"" SARIF_SCHEMA "\",\"version\":\"2.1.0\","
                      "\"runs\":[{\"tool\":");
    auditreport_write(r, make_tool());
    print_raw(stdout, ",\"results\":[");
    r->n_written = 0;
}

static struct json_object *make_location(const struct auditobject *object)
{
    struct json_object *location = json_object_new_object(), *list = json_object_new_array();
    struct json_object *logical = json_object_new_object(), *names = json_object_new_array();
    cleanup_mem char *title = auditobject_title(object);
    sarif_put(logical, "fullyQualifiedName", title);
    sarif_put(logical, "kind", "object");
    jsonval_append(names, logical);
    jsonval_set(location, "logicalLocations", names);
    if (object->file[0] != '\0') {
        const struct yaml_place where = yaml_place_at(object->line, 1);
        cleanup_json struct json_object *places = sarif_locations(object->file, where, where, NULL);
        struct json_object *physical = jsonval_get(jsonval_at(places, 0), "physicalLocation");
        jsonval_set(location, "physicalLocation", json_object_get(physical));
    }
    jsonval_append(list, location);
    return list;
}

static void on_object(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found)
{
    cleanup_mem char *title = auditobject_title(object);
    for (size_t i = 0; i < found->count; i++) {
        const struct evaluation_finding *f = &found->items[i];
        struct json_object *result = json_object_new_object();
        cleanup_mem char *said = auditreport_describe(r, f);
        cleanup_mem char *text = mem_printf("%s: %s", title, said),
                         *fingerprint = auditreport_fingerprint(r, object, f);
        sarif_put(result, "ruleId", auditreport_id(f->effect));
        jsonval_set(result, "ruleIndex", json_object_new_int((int)f->effect));
        sarif_put(result, "level", finding_severity_name(auditreport_severity(r, f)));
        sarif_put_message(result, "message", text);
        jsonval_set(result, "locations", make_location(object));
        sarif_put_fingerprint(result, "vapcheckFinding/v1", fingerprint);
        auditreport_write(r, result);
    }
}

static void add_notification(void *user, const char *file, struct yaml_place where, const char *message)
{
    struct json_object *notification = json_object_new_object();
    sarif_put(notification, "level", "error");
    sarif_put_message(notification, "message", message);
    if (file[0] != '\0')
        jsonval_set(notification, "locations", sarif_locations(file, where, where, NULL));
    jsonval_append(user, notification);
}

static void end(struct auditreport *r)
{
    struct json_object *list = json_object_new_array(), *invocation = json_object_new_object();
    auditreport_each_problem(r, add_notification, list);
    jsonval_set(invocation, "executionSuccessful", json_object_new_boolean(jsonval_length(list) == 0));
    jsonval_set(invocation, "toolExecutionNotifications", list);
    print_raw(stdout, "\n],\"invocations\":[");
    r->n_written = 0;
    auditreport_write(r, invocation);
    print_raw(stdout, "]}]}\n");
}

const struct auditreport_format auditreport_sarif = {.begin = begin, .object = on_object, .end = end};
