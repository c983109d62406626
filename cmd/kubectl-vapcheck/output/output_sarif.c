/* -o sarif: SARIF 2.1.0, one run, for code scanning. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/found.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

struct sarif_output {
    struct json_object *results, *notifications;
    bool has_errors;
};

static void add_string(struct json_object *object, const char *key, const char *value)
{
    jsonval_set(object, key, json_object_new_string(value));
}

/* {"text": ...}, as SARIF has messages. */
static void add_message(struct json_object *object, const char *key, const char *text)
{
    struct json_object *message = json_object_new_object();
    cleanup_mem char *shown = plain_sarif(text);
    add_string(message, "text", shown);
    jsonval_set(object, key, message);
}

/* A path as a relative reference, or an absolute file URI. */
static char *uri_of(const char *file)
{
    static const char plain[] = "-._~/!$&'()*+,;=@";
    size_t len = strlen(file), room = 3 * len + sizeof "file://", used = 0;
    char *uri = mem_array(room, 1);
    if (*file == '/')
        used = (size_t)snprintf(uri, room, "file://");
    for (const char *p = file; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                        strchr(plain, c) != NULL;
        used += (size_t)snprintf(uri + used, room - used, is_plain ? "%c" : "%%%02X", c);
    }
    return uri;
}

struct json_object *output_sarif_locations(const char *file, struct yaml_place where, const char *logical)
{
    cleanup_mem char *uri = uri_of(file);
    struct json_object *artifact = json_object_new_object(), *physical = json_object_new_object();
    struct json_object *location = json_object_new_object(), *list = json_object_new_array();
    add_string(artifact, "uri", uri);
    jsonval_set(physical, "artifactLocation", artifact);
    if (where.line != 0) {
        struct json_object *region = json_object_new_object();
        jsonval_set(region, "startLine", json_object_new_int64((int64_t)where.line));
        jsonval_set(region, "startColumn", json_object_new_int64((int64_t)where.column));
        jsonval_set(physical, "region", region);
    }
    jsonval_set(location, "physicalLocation", physical);
    if (logical != NULL) {
        struct json_object *one = json_object_new_object(), *all = json_object_new_array();
        add_string(one, "fullyQualifiedName", logical);
        jsonval_append(all, one);
        jsonval_set(location, "logicalLocations", all);
    }
    jsonval_append(list, location);
    return list;
}

static const char *level_of(enum finding_severity severity)
{
    return severity == FINDING_ADVICE ? "note" : finding_severity_name(severity);
}

static void add_result(struct sarif_output *out, const struct found_item *item, const char *file,
                       const char *logical, const char *text)
{
    struct json_object *result = json_object_new_object();
    add_string(result, "ruleId", finding_pages[item->id].id);
    jsonval_set(result, "ruleIndex", json_object_new_int((int)item->id));
    add_string(result, "level", level_of(item->severity));
    add_message(result, "message", text);
    jsonval_set(result, "locations", output_sarif_locations(file, item->at, logical));
    jsonval_append(out->results, result);
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        const bool is_refusal = item->id == FINDING_REFUSED;
        cleanup_mem char *logical = *item->field == '\0'
                                        ? mem_strdup(output_title(place, f))
                                        : mem_printf("%s/%s", output_title(place, f), item->field);
        cleanup_mem char *text = mem_printf("%s%s%s%s", is_refusal ? item->field : "", is_refusal ? ": " : "",
                                            item->text, item->hint);
        add_result(user, item, place->file, logical, text);
    }
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    (void)user;
    (void)place;
    (void)kind;
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct sarif_output *out = user;
    const struct found_item item = {.id = FINDING_UNREADABLE_FILE, .severity = FINDING_ERROR, .at = *where};
    struct json_object *notification = json_object_new_object();
    out->has_errors = true;
    add_string(notification, "level", "error");
    add_message(notification, "message", message);
    jsonval_set(notification, "locations", output_sarif_locations(file, *where, NULL));
    jsonval_append(out->notifications, notification);
    add_result(out, &item, file, NULL, message);
}

/* A notification of the run. */
static void on_nothing(void *user, const char *message)
{
    struct sarif_output *out = user;
    struct json_object *notification = json_object_new_object();
    add_string(notification, "level", "note");
    add_message(notification, "message", message);
    jsonval_append(out->notifications, notification);
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    cleanup_mem char *text = output_describe_suppressed(suppressed);
    on_nothing(user, text);
}

/* A rule a finding, so that the index of a rule is the finding's. */
static struct json_object *rule_list(void)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_page *page = &finding_pages[i];
        struct json_object *rule = json_object_new_object(), *configuration = json_object_new_object();
        cleanup_mem char *url = output_help_url((enum finding_id)i);
        add_string(rule, "id", page->id);
        add_message(rule, "shortDescription", page->summary);
        add_message(rule, "help", page->text);
        if (*url != '\0')
            add_string(rule, "helpUri", url);
        add_string(configuration, "level", level_of(page->severity));
        jsonval_set(rule, "defaultConfiguration", configuration);
        jsonval_append(list, rule);
    }
    return list;
}

static struct json_object *driver(void)
{
    struct json_object *d = json_object_new_object();
    add_string(d, "name", "kubectl-vapcheck");
    add_string(d, "version", VAPCHECK_VERSION);
    jsonval_set(d, "rules", rule_list());
    return d;
}

static void on_end(void *user)
{
    struct sarif_output *out = user;
    struct json_object *all = json_object_new_object(), *runs = json_object_new_array();
    struct json_object *run = json_object_new_object(), *tool = json_object_new_object();
    struct json_object *invocation = json_object_new_object(), *invocations = json_object_new_array();
    jsonval_set(tool, "driver", driver());
    jsonval_set(run, "tool", tool);
    jsonval_set(invocation, "executionSuccessful", json_object_new_boolean(!out->has_errors));
    jsonval_set(invocation, "toolExecutionNotifications", out->notifications);
    jsonval_append(invocations, invocation);
    jsonval_set(run, "invocations", invocations);
    add_string(run, "columnKind", "unicodeCodePoints");
    jsonval_set(run, "results", out->results);
    jsonval_append(runs, run);
    add_string(all, "$schema", SCHEMA);
    add_string(all, "version", "2.1.0");
    jsonval_set(all, "runs", runs);
    output_print_json(all);
    mem_free(out);
}

struct output output_sarif(const struct style *style)
{
    (void)style;
    struct sarif_output *out = mem_zalloc(sizeof *out);
    out->results = json_object_new_array();
    out->notifications = json_object_new_array();
    return (struct output){on_finding, on_skipped, on_error, on_nothing, on_end, out, NULL, on_suppressed};
}
