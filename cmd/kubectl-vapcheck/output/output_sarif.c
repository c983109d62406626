/* -o sarif: SARIF 2.1.0, one run, for code scanning. */
#include <json-c/json.h>
#include <stdio.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/fingerprint.h"
#include "cmd/kubectl-vapcheck/output/found.h"
#include "cmd/kubectl-vapcheck/output/sarif.h"

struct sarif_output {
    struct json_object *results, *notifications;
    struct keymap fingerprints;
    const char *schemas;
    char kube_version[16];
    bool has_errors;
};

static const char *level_of(enum finding_severity severity)
{
    return severity == FINDING_ADVICE ? "note" : finding_severity_name(severity);
}

/* One correction, whose replacements belong together. */
static struct json_object *fix_list(const struct found_item *item, const char *file)
{
    struct json_object *list = json_object_new_array(), *fix = json_object_new_object();
    struct json_object *changes = json_object_new_array(), *change = json_object_new_object();
    struct json_object *replacements = json_object_new_array();
    for (size_t i = 0; i < item->fix->n_edits; i++) {
        const struct yaml_edit *edit = &item->fix->edits[i];
        struct json_object *replacement = json_object_new_object(), *content = json_object_new_object();
        sarif_put(content, "text", edit->text);
        jsonval_set(replacement, "deletedRegion", sarif_region(edit->at, edit->end));
        jsonval_set(replacement, "insertedContent", content);
        jsonval_append(replacements, replacement);
    }
    jsonval_set(change, "artifactLocation", sarif_artifact(file));
    jsonval_set(change, "replacements", replacements);
    jsonval_append(changes, change);
    if (*item->hint != '\0')
        sarif_put_message(fix, "description", item->hint);
    jsonval_set(fix, "artifactChanges", changes);
    jsonval_append(list, fix);
    return list;
}

/* fingerprint NULL: it has none. */
static void add_result(struct sarif_output *out, const struct found_item *item, const char *file,
                       const char *logical, const char *text, const char *fingerprint)
{
    struct json_object *result = json_object_new_object();
    sarif_put(result, "ruleId", finding_pages[item->id].id);
    jsonval_set(result, "ruleIndex", json_object_new_int((int)item->id));
    sarif_put(result, "level", level_of(item->severity));
    sarif_put_message(result, "message", text);
    jsonval_set(result, "locations", sarif_locations(file, item->at, item->end, logical));
    if (fingerprint != NULL)
        sarif_put_fingerprint(result, "vapcheckFinding/v1", fingerprint);
    if (item->fix != NULL)
        jsonval_set(result, "fixes", fix_list(item, file));
    jsonval_append(out->results, result);
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        const bool is_refusal = item->id == FINDING_REFUSED;
        if (item->is_counted)
            continue;
        cleanup_mem char *logical = *item->field == '\0'
                                        ? mem_strdup(output_title(place, f))
                                        : mem_printf("%s/%s", output_title(place, f), item->field);
        cleanup_mem char *versions =
            item->versions == NULL ? mem_strdup("") : mem_printf("Kubernetes %s: ", item->versions);
        cleanup_mem char *text = mem_printf("%s%s%s%s%s", versions, is_refusal ? item->field : "",
                                            is_refusal ? ": " : "", item->text, item->hint);
        cleanup_mem char *fingerprint =
            fingerprint_of(&((struct sarif_output *)user)->fingerprints, place, item);
        add_result(user, item, place->file, logical, text, fingerprint);
    }
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct sarif_output *out = user;
    const struct found_item item = {
        .id = FINDING_UNREADABLE_FILE, .severity = FINDING_ERROR, .at = *where, .end = *where};
    struct json_object *notification = json_object_new_object();
    out->has_errors = true;
    sarif_put(notification, "level", "error");
    sarif_put_message(notification, "message", message);
    jsonval_set(notification, "locations", sarif_locations(file, *where, *where, NULL));
    jsonval_append(out->notifications, notification);
    add_result(out, &item, file, NULL, message, NULL);
}

static void add_notification(struct sarif_output *out, const char *level, const char *message)
{
    struct json_object *notification = json_object_new_object();
    sarif_put(notification, "level", level);
    sarif_put_message(notification, "message", message);
    jsonval_append(out->notifications, notification);
}

/* Adds a finding that is about no file, as a notification. */
static void on_remark(void *user, enum finding_id id, enum finding_severity severity, const char *message)
{
    cleanup_mem char *text = mem_printf("%s: %s", finding_pages[id].id, message);
    add_notification(user, level_of(severity), text);
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    cleanup_mem char *text = output_describe_suppressed(suppressed);
    add_notification(user, "note", text);
}

/* A rule a finding, so that the index of a rule is the finding's. */
static struct json_object *rule_list(void)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_page *page = &finding_pages[i];
        struct json_object *rule = sarif_rule(page->id, page->summary),
                           *configuration = json_object_new_object();
        cleanup_mem char *url = output_help_url((enum finding_id)i);
        sarif_put_message(rule, "help", page->text);
        sarif_put(rule, "helpUri", url);
        sarif_put(configuration, "level", level_of(page->severity));
        jsonval_set(rule, "defaultConfiguration", configuration);
        jsonval_append(list, rule);
    }
    return list;
}

static struct json_object *driver(const struct sarif_output *out)
{
    struct json_object *properties = json_object_new_object();
    struct json_object *d = json_object_new_object();
    sarif_put(d, "name", "kubectl-vapcheck");
    sarif_put(d, "version", VAPCHECK_VERSION);
    sarif_put(properties, "kubeVersion", out->kube_version);
    sarif_put(properties, "schemas", out->schemas);
    jsonval_set(d, "properties", properties);
    jsonval_set(d, "rules", rule_list());
    return d;
}

static void on_end(void *user)
{
    struct sarif_output *out = user;
    struct json_object *run = json_object_new_object(), *tool = json_object_new_object();
    struct json_object *invocation = json_object_new_object(), *invocations = json_object_new_array();
    jsonval_set(tool, "driver", driver(out));
    jsonval_set(run, "tool", tool);
    jsonval_set(invocation, "executionSuccessful", json_object_new_boolean(!out->has_errors));
    jsonval_set(invocation, "toolExecutionNotifications", out->notifications);
    jsonval_append(invocations, invocation);
    jsonval_set(run, "invocations", invocations);
    sarif_put(run, "columnKind", "unicodeCodePoints");
    jsonval_set(run, "results", out->results);
    output_print_json(sarif_document(run));
    keymap_deinit(&out->fingerprints, NULL);
    mem_free(out);
}

struct output output_sarif(const struct output_run *run)
{
    struct sarif_output *out = mem_zalloc(sizeof *out);
    (void)snprintf(out->kube_version, sizeof out->kube_version, "%s", run->kube_version);
    out->schemas = run->schemas;
    out->results = json_object_new_array();
    out->notifications = json_object_new_array();
    return (struct output){.finding = on_finding,
                           .error = on_error,
                           .remark = on_remark,
                           .suppressed = on_suppressed,
                           .end = on_end,
                           .user = out};
}
