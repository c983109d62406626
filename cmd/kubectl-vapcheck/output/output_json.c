/* -o json: one object, in the stable form that programs read. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/found.h"
#include "cmd/kubectl-vapcheck/output/output_witness.h"

struct json_output {
    struct json_object *findings; /* of no object */
    struct json_object *results, *skipped, *left_out, *errors;
    struct json_object *suppressed; /* NULL: nothing was */
};

static struct json_object *string(const char *text)
{
    return json_object_new_string(text);
}

static void add_place(struct json_object *object, const struct output_place *place)
{
    json_object_object_add(object, "file", string(place->file));
    json_object_object_add(object, "document", json_object_new_int64((int64_t)place->document));
}

static struct json_object *type_list(const struct check_result *r)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < r->n_types; i++) {
        const struct types_target *t = &r->types[i];
        cleanup_mem char *name = mem_printf("%s/%s, Kind=%s", t->group, t->version, t->kind);
        json_object_array_add(list, string(name));
    }
    return list;
}

static void add_where(struct json_object *object, struct yaml_place where)
{
    json_object_object_add(object, "line", json_object_new_int64((int64_t)where.line));
    json_object_object_add(object, "column", json_object_new_int64((int64_t)where.column));
}

static const char *const sources[] = {
    [OUTPUT_UPSTREAM] = "upstream",
    [OUTPUT_VAPCHECK] = "vapcheck",
    [OUTPUT_API_SERVER] = "apiserver",
};

static struct json_object *warning_list(const struct output_place *place,
                                        const struct output_finding *finding)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < finding->n_written; i++) {
        const struct output_warning *found = &finding->written[i];
        struct json_object *w = json_object_new_object();
        json_object_object_add(w, "fieldRef", string(found->field));
        json_object_object_add(w, "warning", json_object_new_string_len(found->text, (int)found->len));
        add_where(w, output_where(place, found->field));
        if (*found->hint != '\0')
            json_object_object_add(w, "hint", string(found->hint));
        json_object_object_add(w, "source", string(sources[found->source]));
        json_object_array_add(list, w);
    }
    return list;
}

/* What the server answers. */
struct json_object *output_json_refusals(const struct output_place *place,
                                         const struct output_finding *finding)
{
    const struct fielderrors *refusals = finding->refusals;
    const size_t count = refusals->n_decoding > 0 ? refusals->n_decoding : refusals->count;
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        const struct fielderror *e = &refusals->items[i];
        struct json_object *o = json_object_new_object();
        json_object_object_add(o, "field", string(e->field));
        json_object_object_add(o, "message", json_object_new_string_len(e->message, (int)e->len));
        add_where(o, output_where(place, e->field));
        if (finding->hints[i] != NULL)
            json_object_object_add(o, "hint", string(finding->hints[i]));
        json_object_array_add(list, o);
    }
    return list;
}

static struct json_object *note_list(const struct output_place *place, const struct fielderrors *notes)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < notes->count; i++) {
        struct json_object *o = json_object_new_object();
        json_object_object_add(o, "field", string(notes->items[i].field));
        json_object_object_add(o, "message", string(notes->items[i].message));
        add_where(o, output_where(place, notes->items[i].field));
        json_object_array_add(list, o);
    }
    return list;
}

static void add_value(struct json_object *o, const char *key, const char *json)
{
    struct json_object *value;
    if (json != NULL && jsonval_parse(json, strlen(json), &value, NULL) == 0)
        json_object_object_add(o, key, value);
}

static struct json_object *witness_of(const struct output_witness *w)
{
    struct json_object *o = json_object_new_object();
    const struct types_target *t = w->issue->first_type;
    cleanup_mem char *type = mem_printf("%s/%s, Kind=%s", t->group, t->version, t->kind);
    json_object_object_add(o, "issue", string(w->issue->message));
    json_object_object_add(o, "line", json_object_new_int(w->issue->line));
    json_object_object_add(o, "column", json_object_new_int(w->issue->column));
    json_object_object_add(o, "type", string(type));
    if (w->reason != NULL) {
        json_object_object_add(o, "reason", string(w->reason));
        return o;
    }
    json_object_object_add(o, "operation", string(w->operation));
    json_object_object_add(o, "resource", string(w->resource));
    add_value(o, "object", w->object);
    add_value(o, "oldObject", w->old_object);
    add_value(o, "params", w->params);
    add_value(o, "request", w->request);
    add_value(o, "namespaceObject", w->namespace_object);
    if (w->asks_authorizer)
        json_object_object_add(o, "authorizerAllows", json_object_new_boolean(w->is_allowed));
    if (w->is_without_conditions)
        json_object_object_add(o, "withoutMatchConditions", json_object_new_boolean(true));
    if (w->failure != NULL)
        json_object_object_add(o, "failure", string(w->failure));
    else if (w->error == NULL)
        json_object_object_add(o, "result", json_object_new_boolean(w->result));
    if (w->error != NULL)
        json_object_object_add(o, "error", string(w->error));
    return o;
}

struct json_object *output_json_item(const struct found_item *item)
{
    struct json_object *o = json_object_new_object();
    json_object_object_add(o, "id", string(finding_pages[item->id].id));
    json_object_object_add(o, "severity", string(finding_severity_name(item->severity)));
    json_object_object_add(o, "field", string(item->field));
    json_object_object_add(o, "message", string(item->text));
    add_where(o, item->at);
    if (*item->hint != '\0')
        json_object_object_add(o, "hint", string(item->hint));
    if (item->n_witnesses > 0) {
        struct json_object *list = json_object_new_array();
        for (size_t i = 0; i < item->n_witnesses; i++)
            json_object_array_add(list, witness_of(&item->witnesses[i]));
        json_object_object_add(o, "witnesses", list);
    }
    return o;
}

static struct json_object *finding_list(const struct output_finding *f)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < f->found->count; i++)
        json_object_array_add(list, output_json_item(&f->found->items[i]));
    return list;
}

static struct json_object *condition_list(const struct conditions *conditions)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < conditions->count; i++) {
        const struct condition *c = &conditions->items[i];
        struct json_object *o = json_object_new_object();
        json_object_object_add(o, "type", string(c->type));
        json_object_object_add(o, "status", string(c->status));
        json_object_object_add(o, "reason", string(c->reason));
        json_object_object_add(o, "message", string(c->message));
        json_object_array_add(list, o);
    }
    return list;
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *finding)
{
    struct json_output *out = user;
    struct json_object *o = json_object_new_object(), *json = place->root->json;
    add_place(o, place);
    json_object_object_add(o, "line", json_object_new_int64((int64_t)place->root->start.line));
    json_object_object_add(o, "apiVersion", string(jsonval_string_or_empty(json, "apiVersion")));
    json_object_object_add(o, "kind", string(jsonval_string_or_empty(json, "kind")));
    json_object_object_add(o, "name", string(finding->name));
    json_object_object_add(o, "types",
                           finding->result == NULL ? json_object_new_array() : type_list(finding->result));
    json_object_object_add(o, "findings", finding_list(finding));
    json_object_object_add(o, "expressionWarnings", warning_list(place, finding));
    json_object_object_add(o, "refusals", output_json_refusals(place, finding));
    if (finding->notes != NULL && finding->notes->count > 0)
        json_object_object_add(o, "notes", note_list(place, finding->notes));
    json_object_object_add(o, "conditions", condition_list(finding->conditions));
    json_object_array_add(out->results, o);
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    struct json_output *out = user;
    struct json_object *o = json_object_new_object();
    add_place(o, place);
    json_object_object_add(o, "kind", string(kind));
    json_object_array_add(out->skipped, o);
}

/* A finding of no object; file NULL: of none. */
static void add_finding(struct json_output *out, enum finding_id id, const char *file,
                        const struct yaml_place *where, const char *message)
{
    struct json_object *o = json_object_new_object();
    json_object_object_add(o, "id", string(finding_pages[id].id));
    json_object_object_add(o, "severity", string(finding_severity_name(finding_pages[id].severity)));
    if (file != NULL)
        json_object_object_add(o, "file", string(file));
    if (where != NULL && where->line != 0)
        add_where(o, *where);
    json_object_object_add(o, "message", string(message));
    json_object_array_add(out->findings, o);
}

static void on_nothing(void *user, const char *message)
{
    add_finding(user, FINDING_NOTHING_CHECKED, NULL, NULL, message);
}

struct json_object *output_json_error(const char *file, const struct yaml_place *where, const char *message)
{
    struct json_object *o = json_object_new_object();
    json_object_object_add(o, "file", string(file));
    if (where->line != 0)
        add_where(o, *where);
    json_object_object_add(o, "message", string(message));
    return o;
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct json_output *out = user;
    json_object_array_add(out->errors, output_json_error(file, where, message));
    add_finding(out, FINDING_UNREADABLE_FILE, file, where, message);
}

static void on_left_out(void *user, const char *directory)
{
    json_object_array_add(((struct json_output *)user)->left_out, string(directory));
}

struct json_object *output_json_suppressed(const struct output_suppressed *suppressed)
{
    struct json_object *all = json_object_new_object(), *stale = json_object_new_array();
    for (size_t i = 0; i < suppressed->n_stale; i++) {
        const struct output_entry *entry = &suppressed->stale[i];
        struct json_object *o = json_object_new_object();
        json_object_object_add(o, "id", string(entry->id));
        json_object_object_add(o, "object", string(entry->object));
        json_object_object_add(o, "field", string(entry->field));
        json_object_object_add(o, "message", string(entry->message));
        json_object_array_add(stale, o);
    }
    json_object_object_add(all, "findings", json_object_new_int64((int64_t)suppressed->findings));
    json_object_object_add(all, "objects", json_object_new_int64((int64_t)suppressed->objects));
    json_object_object_add(all, "paths", json_object_new_int64((int64_t)suppressed->paths));
    json_object_object_add(all, "stale", stale);
    return all;
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    ((struct json_output *)user)->suppressed = output_json_suppressed(suppressed);
}

static void on_end(void *user)
{
    struct json_output *out = user;
    struct json_object *all = json_object_new_object();
    json_object_object_add(all, "version", json_object_new_int(1));
    json_object_object_add(all, "results", out->results);
    json_object_object_add(all, "skipped", out->skipped);
    if (json_object_array_length(out->left_out) > 0)
        json_object_object_add(all, "leftOut", out->left_out);
    else
        json_object_put(out->left_out);
    json_object_object_add(all, "errors", out->errors);
    json_object_object_add(all, "findings", out->findings);
    if (out->suppressed != NULL)
        json_object_object_add(all, "suppressed", out->suppressed);
    output_print_json(all);
    mem_free(out);
}

struct output output_json(const struct style *style)
{
    (void)style;
    struct json_output *out = mem_zalloc(sizeof *out);
    out->results = json_object_new_array();
    out->skipped = json_object_new_array();
    out->left_out = json_object_new_array();
    out->errors = json_object_new_array();
    out->findings = json_object_new_array();
    return (struct output){on_finding, on_skipped, on_error,    on_nothing,
                           on_end,     out,        on_left_out, on_suppressed};
}
