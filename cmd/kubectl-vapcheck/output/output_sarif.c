/* -o sarif: SARIF 2.1.0, one run, for code scanning. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "cmd/kubectl-vapcheck/output/caret.h"
#include "cmd/kubectl-vapcheck/output/output.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* ORDER RULES: the index in a result is that of the table. */
enum sarif_rule { RULE_WARNING, RULE_REFUSED, RULE_UNCHECKED, RULE_LIMIT, RULE_SERVER, RULE_NOTE };

static const struct {
    const char *id, *level, *text;
} rules[] = {
    [RULE_WARNING] = {"expression-warning", "warning",
                      "An expression that does not go with the schema of a type that the policy matches."},
    [RULE_REFUSED] = {"refused", "error", "What the API server refuses when the object is created."},
    [RULE_UNCHECKED] = {"not-fully-checked", "note",
                        "A part of the policy's rules whose types could not be checked."},
    [RULE_LIMIT] = {"limit-reached", "error",
                    "What takes so much work or memory that it was not checked to its end."},
    [RULE_SERVER] = {"api-server-warning", "warning",
                     "What the API server warns about when the object is created."},
    [RULE_NOTE] = {"note", "note", "What is good to know about an object, and no fault."},
};

struct sarif_output {
    struct json_object *results, *notifications;
};

static void add_string(struct json_object *object, const char *key, const char *value)
{
    json_object_object_add(object, key, json_object_new_string(value));
}

/* {"text": ...}, as SARIF has messages. */
static void add_message(struct json_object *object, const char *key, const char *text)
{
    struct json_object *message = json_object_new_object();
    cleanup_mem char *shown = plain_sarif(text);
    add_string(message, "text", shown);
    json_object_object_add(object, key, message);
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

/* [{"physicalLocation": ...}]; line 0: the file as a whole. */
static struct json_object *locations(const char *file, struct yaml_place where, const char *logical)
{
    cleanup_mem char *uri = uri_of(file);
    struct json_object *artifact = json_object_new_object(), *physical = json_object_new_object();
    struct json_object *location = json_object_new_object(), *list = json_object_new_array();
    add_string(artifact, "uri", uri);
    json_object_object_add(physical, "artifactLocation", artifact);
    if (where.line != 0) {
        struct json_object *region = json_object_new_object();
        json_object_object_add(region, "startLine", json_object_new_int64((int64_t)where.line));
        json_object_object_add(region, "startColumn", json_object_new_int64((int64_t)where.column));
        json_object_object_add(physical, "region", region);
    }
    json_object_object_add(location, "physicalLocation", physical);
    if (logical != NULL) {
        struct json_object *one = json_object_new_object(), *all = json_object_new_array();
        add_string(one, "fullyQualifiedName", logical);
        json_object_array_add(all, one);
        json_object_object_add(location, "logicalLocations", all);
    }
    json_object_array_add(list, location);
    return list;
}

static void add_result(struct sarif_output *out, enum sarif_rule rule, const struct output_place *place,
                       struct yaml_place where, const char *logical, const char *text)
{
    struct json_object *result = json_object_new_object();
    add_string(result, "ruleId", rules[rule].id);
    json_object_object_add(result, "ruleIndex", json_object_new_int(rule));
    add_string(result, "level", rules[rule].level);
    add_message(result, "message", text);
    json_object_object_add(result, "locations", locations(place->file, where, logical));
    json_object_array_add(out->results, result);
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    for (size_t i = 0; i < f->refusals->count; i++) {
        const struct fielderror *e = &f->refusals->items[i];
        cleanup_mem char *logical = mem_printf("%s/%s", output_title(place, f), e->field);
        cleanup_mem char *text = f->hints[i] == NULL
                                     ? mem_printf("%s: %s", e->field, e->message)
                                     : mem_printf("%s: %s\n%s", e->field, e->message, f->hints[i]);
        add_result(user, RULE_REFUSED, place, caret_of_refusal(place, e->field, e->message), logical, text);
    }
    for (size_t i = 0; i < f->n_warnings; i++) {
        const char *field = f->warnings[i].field;
        cleanup_mem char *readable = output_readable(&f->warnings[i]);
        cleanup_mem char *text = mem_printf("%s%s", readable, f->warnings[i].hint);
        cleanup_mem char *logical = mem_printf("%s/%s", output_title(place, f), field);
        add_result(user, f->warnings[i].source == OUTPUT_API_SERVER ? RULE_SERVER : RULE_WARNING, place,
                   caret_of_warning(place, field, readable), logical, text);
    }
    for (size_t i = 0; f->notes != NULL && i < f->notes->count; i++) {
        const struct fielderror *note = &f->notes->items[i];
        cleanup_mem char *logical = mem_printf("%s/%s", output_title(place, f), note->field);
        add_result(user, RULE_NOTE, place, output_where(place, note->field), logical, note->message);
    }
    struct output_unchecked unchecked;
    for (size_t i = 0; output_unchecked(f, i, &unchecked); i++)
        add_result(user, unchecked.is_limit ? RULE_LIMIT : RULE_UNCHECKED, place,
                   output_unchecked_where(place, &unchecked), output_title(place, f), unchecked.text);
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
    struct json_object *notification = json_object_new_object();
    add_string(notification, "level", "error");
    add_message(notification, "message", message);
    json_object_object_add(notification, "locations", locations(file, *where, NULL));
    json_object_array_add(out->notifications, notification);
}

static struct json_object *driver(void)
{
    struct json_object *d = json_object_new_object(), *list = json_object_new_array();
    add_string(d, "name", "kubectl-vapcheck");
    add_string(d, "version", VAPCHECK_VERSION);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct json_object *rule = json_object_new_object(), *configuration = json_object_new_object();
        add_string(rule, "id", rules[i].id);
        add_message(rule, "shortDescription", rules[i].text);
        add_string(configuration, "level", rules[i].level);
        json_object_object_add(rule, "defaultConfiguration", configuration);
        json_object_array_add(list, rule);
    }
    json_object_object_add(d, "rules", list);
    return d;
}

static void on_end(void *user)
{
    struct sarif_output *out = user;
    struct json_object *all = json_object_new_object(), *runs = json_object_new_array();
    struct json_object *run = json_object_new_object(), *tool = json_object_new_object();
    struct json_object *invocation = json_object_new_object(), *invocations = json_object_new_array();
    json_object_object_add(tool, "driver", driver());
    json_object_object_add(run, "tool", tool);
    bool has_errors = json_object_array_length(out->notifications) > 0;
    json_object_object_add(invocation, "executionSuccessful", json_object_new_boolean(!has_errors));
    json_object_object_add(invocation, "toolExecutionNotifications", out->notifications);
    json_object_array_add(invocations, invocation);
    json_object_object_add(run, "invocations", invocations);
    add_string(run, "columnKind", "unicodeCodePoints");
    json_object_object_add(run, "results", out->results);
    json_object_array_add(runs, run);
    add_string(all, "$schema", SCHEMA);
    add_string(all, "version", "2.1.0");
    json_object_object_add(all, "runs", runs);
    output_print_json(all);
    mem_free(out);
}

struct output output_sarif(void)
{
    struct sarif_output *out = mem_zalloc(sizeof *out);
    out->results = json_object_new_array();
    out->notifications = json_object_new_array();
    return (struct output){on_finding, on_skipped, on_error, on_end, out};
}
