/* -o openreports, openreports-json: a Report or ClusterReport of openreports.io/v1alpha1 for each object that
 * policies object to, as YAML documents or as a List. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "client/text/yaml_write.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "controller/match/objectkind.h"

enum { REPORT_CAP_BYTES = 64 * 1024 * 1024 };

static const struct {
    const char *result, *severity;
} outcomes[AUDIT_EFFECTS] = {
    [AUDIT_REFUSED] = {"fail", "high"},    [AUDIT_WARNED] = {"warn", "medium"},
    [AUDIT_AUDITED] = {"warn", "low"},     [AUDIT_FAILED] = {"error", "high"},
    [AUDIT_IGNORED] = {"error", "medium"}, [AUDIT_CHANGED] = {"pass", "info"},
    [AUDIT_UNKNOWN] = {"error", "medium"},
};

static struct json_object *make_scope(const struct auditobject *object)
{
    const char *namespace = auditobject_namespace(object);
    struct json_object *scope = json_object_new_object();
    struct json_object *metadata = jsonval_get(object->json, "metadata");
    auditreport_put(scope, "apiVersion", jsonval_string(object->json, "apiVersion"));
    auditreport_put(scope, "kind", object->route->stored_as.kind);
    auditreport_put(scope, "name", output_name(object->json));
    auditreport_put(scope, "namespace", namespace[0] == '\0' ? NULL : namespace);
    auditreport_put(scope, "uid", jsonval_string(metadata, "uid"));
    return scope;
}

/* FNV-1a. */
static uint64_t hash(const char *text)
{
    uint64_t h = 14695981039346656037u;
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

/* The same object has the same name each time; policies that see it in another version have another report.
 */
static char *make_name(const struct auditobject *object)
{
    cleanup_mem char *title = auditobject_title(object);
    const struct auditobject_route *route = object->route;
    cleanup_mem char *key = mem_printf("%s %s %s %s", route->stored_as.group, route->stored_as.version,
                                       route->endpoint.version, title);
    return mem_printf("vapcheck-audit-%016" PRIx64, hash(key));
}

static struct json_object *make_timestamp(void)
{
    struct json_object *timestamp = json_object_new_object();
    jsonval_set(timestamp, "seconds", json_object_new_int64((int64_t)time(NULL)));
    jsonval_set(timestamp, "nanos", json_object_new_int(0));
    return timestamp;
}

static struct json_object *make_result(const struct auditreport *r, const struct evaluation_finding *f)
{
    const struct rulebook_policy *p = &r->book->items[f->policy];
    struct json_object *result = json_object_new_object(), *properties = json_object_new_object();
    cleanup_json struct json_object *operations = auditreport_operations(f);
    cleanup_mem char *rule = auditreport_rule(r, f);
    auditreport_put(result, "source", "vapcheck");
    auditreport_put(result, "policy", p->name);
    auditreport_put(result, "rule", rule);
    auditreport_put(result, "severity", outcomes[f->effect].severity);
    jsonval_set(result, "timestamp", make_timestamp());
    auditreport_put(result, "result", outcomes[f->effect].result);
    jsonval_set(result, "scored",
                json_object_new_boolean(strcmp(outcomes[f->effect].result, "fail") == 0 ||
                                        strcmp(outcomes[f->effect].result, "error") == 0));
    auditreport_put(result, "message", f->message);
    auditreport_put(properties, "binding", auditreport_binding(r, f));
    auditreport_put(properties, "effect", audit_effect_name(f->effect));
    auditreport_put(properties, "bound", p->is_unbound ? "false" : "true");
    auditreport_put(properties, "kind",
                    objectkind_rows[p->is_mutating ? OBJECTKIND_MUTATING_POLICY : OBJECTKIND_POLICY].name);
    auditreport_put(properties, "afterChange", f->is_after_change ? "true" : NULL);
    auditreport_put(properties, "operations",
                    jsonval_length(operations) == 2 ? "CREATE,UPDATE" : jsonval_text_at(operations, 0));
    jsonval_set(result, "properties", properties);
    return result;
}

static struct json_object *make_summary(const struct evaluation_findings *found)
{
    static const char *const names[] = {"pass", "fail", "warn", "error", "skip"};
    struct json_object *summary = json_object_new_object();
    int64_t counts[5] = {(int64_t)found->n_passed, 0, 0, 0, 0};
    for (size_t i = 0; i < found->count; i++) {
        for (size_t j = 0; j < 5; j++)
            counts[j] += strcmp(outcomes[found->items[i].effect].result, names[j]) == 0;
    }
    for (size_t j = 0; j < 5; j++)
        jsonval_set(summary, names[j], json_object_new_int64(counts[j]));
    return summary;
}

static struct json_object *make_report(const struct auditreport *r, const struct auditobject *object,
                                       const struct evaluation_findings *found)
{
    const char *namespace = auditobject_namespace(object);
    struct json_object *report = json_object_new_object(), *metadata = json_object_new_object();
    struct json_object *results = json_object_new_array();
    cleanup_mem char *name = make_name(object);
    auditreport_put(report, "apiVersion", "openreports.io/v1alpha1");
    auditreport_put(report, "kind", namespace[0] == '\0' ? "ClusterReport" : "Report");
    auditreport_put(metadata, "name", name);
    auditreport_put(metadata, "namespace", namespace[0] == '\0' ? NULL : namespace);
    jsonval_set(report, "metadata", metadata);
    auditreport_put(report, "source", "vapcheck");
    jsonval_set(report, "scope", make_scope(object));
    jsonval_set(report, "summary", make_summary(found));
    for (size_t i = 0; i < found->count; i++)
        jsonval_append(results, make_result(r, &found->items[i]));
    jsonval_set(report, "results", results);
    return report;
}

/* Prints to stderr why policies were not evaluated completely: a PolicyReport has no place for it. */
static void end_yaml(struct auditreport *r)
{
    for (size_t i = 0; i < r->book->count; i++) {
        const struct rulebook_policy *p = &r->book->items[i];
        cleanup_mem char *problem = auditreport_problem(p);
        if (problem != NULL)
            print_line(stderr, "kubectl-vapcheck audit: policy %s: not evaluated completely: %s", p->name,
                       problem);
    }
}

static void begin_yaml(struct auditreport *r)
{
    (void)r;
}

static void on_object_yaml(struct auditreport *r, const struct auditobject *object,
                           const struct evaluation_findings *found)
{
    cleanup_json struct json_object *report = make_report(r, object, found);
    cleanup_buf struct buf text;
    buf_init(&text, REPORT_CAP_BYTES);
    yaml_write(&text, report);
    print_raw(stdout, "%s%s", r->n_written++ == 0 ? "" : "---\n", text.data);
}

const struct auditreport_format auditreport_openreports = {
    .begin = begin_yaml, .object = on_object_yaml, .end = end_yaml};

static void begin_json(struct auditreport *r)
{
    (void)r;
    print_raw(stdout, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{},\"items\":[");
}

static void on_object_json(struct auditreport *r, const struct auditobject *object,
                           const struct evaluation_findings *found)
{
    auditreport_write(r, make_report(r, object, found));
}

static void end_json(struct auditreport *r)
{
    print_raw(stdout, "\n]}\n");
    end_yaml(r);
}

const struct auditreport_format auditreport_openreports_json = {
    .begin = begin_json, .object = on_object_json, .end = end_json};
