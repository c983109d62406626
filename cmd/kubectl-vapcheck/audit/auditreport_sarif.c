/* -o sarif: SARIF 2.1.0, one run. */
#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"
#include "cmd/kubectl-vapcheck/output/output.h"

static const struct {
    const char *id, *level, *text;
} rules[AUDIT_EFFECTS] = {
    [AUDIT_REFUSED] = {"audit-refused", "error", "A policy refuses the object as it is."},
    [AUDIT_WARNED] = {"audit-warned", "warning", "A policy warns about the object as it is."},
    [AUDIT_AUDITED] = {"audit-audited", "note", "A policy notes the object as it is in the audit log."},
    [AUDIT_FAILED] = {"audit-failed", "error",
                      "An expression of a policy fails for the object as it is, and the policy refuses it."},
    [AUDIT_IGNORED] = {"audit-ignored", "warning",
                       "An expression of a policy fails for the object as it is, and failurePolicy ignores "
                       "that."},
    [AUDIT_CHANGED] = {"audit-changed", "note", "A mutating policy changes the object as it is."},
    [AUDIT_UNKNOWN] = {"audit-unknown", "warning",
                       "It is not known for certain what mutating policies make of the object as it is."},
};

static void put_message(struct json_object *object, const char *name, const char *text)
{
    struct json_object *message = json_object_new_object();
    cleanup_mem char *shown = plain_sarif(text);
    auditreport_put(message, "text", shown);
    jsonval_set(object, name, message);
}

static struct json_object *make_tool(void)
{
    struct json_object *tool = json_object_new_object(), *driver = json_object_new_object();
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < AUDIT_EFFECTS; i++) {
        struct json_object *rule = json_object_new_object();
        auditreport_put(rule, "id", rules[i].id);
        put_message(rule, "shortDescription", rules[i].text);
        jsonval_append(list, rule);
    }
    auditreport_put(driver, "name", "vapcheck");
    auditreport_put(driver, "version", VAPCHECK_VERSION);
    jsonval_set(driver, "rules", list);
    jsonval_set(tool, "driver", driver);
    return tool;
}

static void begin(struct auditreport *r)
{
    print_raw(stdout, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
                      "\"runs\":[{\"tool\":");
    auditreport_write(r, make_tool());
    print_raw(stdout, ",\"results\":[");
    r->n_written = 0;
}

static struct json_object *make_location(const struct auditobject *object)
{
    struct json_object *location = json_object_new_object(), *list = json_object_new_array();
    struct json_object *logical = json_object_new_object(), *names = json_object_new_array();
    cleanup_mem char *title = auditreport_title(object);
    auditreport_put(logical, "fullyQualifiedName", title);
    auditreport_put(logical, "kind", "object");
    jsonval_append(names, logical);
    jsonval_set(location, "logicalLocations", names);
    if (object->file[0] != '\0') {
        const struct yaml_place where = yaml_place_at(object->line, 1);
        cleanup_json struct json_object *places = output_sarif_locations(object->file, where, NULL);
        struct json_object *physical = jsonval_get(jsonval_at(places, 0), "physicalLocation");
        jsonval_set(location, "physicalLocation", json_object_get(physical));
    }
    jsonval_append(list, location);
    return list;
}

static void on_object(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found)
{
    cleanup_mem char *title = auditreport_title(object);
    for (size_t i = 0; i < found->count; i++) {
        const struct evaluation_finding *f = &found->items[i];
        struct json_object *result = json_object_new_object();
        cleanup_mem char *said = auditreport_describe(r, f);
        cleanup_mem char *text = mem_printf("%s: %s", title, said);
        auditreport_put(result, "ruleId", rules[f->effect].id);
        jsonval_set(result, "ruleIndex", json_object_new_int((int)f->effect));
        auditreport_put(result, "level",
                        auditreport_may_be_default(r, f) ? "warning" : rules[f->effect].level);
        put_message(result, "message", text);
        jsonval_set(result, "locations", make_location(object));
        auditreport_write(r, result);
    }
}

static void add_notification(struct json_object *list, const char *what, const char *message)
{
    struct json_object *notification = json_object_new_object();
    cleanup_mem char *text = mem_printf("%s: %s", what, message);
    auditreport_put(notification, "level", "error");
    put_message(notification, "message", text);
    jsonval_append(list, notification);
}

static void end(struct auditreport *r)
{
    struct json_object *list = json_object_new_array(), *invocation = json_object_new_object();
    for (size_t i = 0; i < r->book->count; i++) {
        if (r->book->items[i].problem != NULL)
            add_notification(list, r->book->items[i].name, r->book->items[i].problem);
    }
    for (size_t i = 0; i < jsonval_length(r->not_read); i++)
        add_notification(list, jsonval_string_or_empty(jsonval_at(r->not_read, i), "what"),
                         jsonval_string_or_empty(jsonval_at(r->not_read, i), "message"));
    for (size_t i = 0; i < jsonval_length(r->errors); i++)
        add_notification(list, jsonval_string_or_empty(jsonval_at(r->errors, i), "file"),
                         jsonval_string_or_empty(jsonval_at(r->errors, i), "message"));
    jsonval_set(invocation, "executionSuccessful", json_object_new_boolean(jsonval_length(list) == 0));
    jsonval_set(invocation, "toolExecutionNotifications", list);
    print_raw(stdout, "\n],\"invocations\":[");
    r->n_written = 0;
    auditreport_write(r, invocation);
    print_raw(stdout, "]}]}\n");
}

const struct auditreport_format auditreport_sarif = {.begin = begin, .object = on_object, .end = end};
