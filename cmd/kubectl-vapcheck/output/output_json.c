/* -o json: one object, in the stable form that programs read. */
#include <json-c/json.h>
#include <json-c/printbuf.h>
#include <stdio.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/found.h"
#include "cmd/kubectl-vapcheck/output/output_witness.h"

struct json_output {
    struct json_object *findings; /* of no object */
    struct json_object *results, *skipped, *left_out, *not_read, *errors;
    struct json_object *suppressed;          /* the list of what was suppressed; NULL if nothing was */
    const struct types_target *shared_types; /* of the last result that has shared ones; NULL: none */
    struct json_object *shared_list;         /* their list, which that result holds */
    const char *schemas;
    char kube_version[16];
};

static struct json_object *string(const char *text)
{
    return json_object_new_string(text);
}

static void add_place(struct json_object *object, const struct output_place *place)
{
    jsonval_set(object, "file", string(place->file));
    jsonval_set(object, "document", json_object_new_int64((int64_t)place->document));
}

/* A list that stands in many results, and its text as json-c writes it at one level. */
struct shared_list {
    struct json_object *list;
    char *text; /* is NULL until the list is written */
    size_t len;
};

static void free_shared(struct json_object *object, void *user)
{
    (void)object;
    struct shared_list *shared = user;
    json_object_put(shared->list);
    mem_free(shared->text);
    mem_free(shared);
}

/* Indents all lines but the first by the level. Strings of JSON have no line feeds. */
static char *indent(const char *text, int level, size_t *len)
{
    struct buf out;
    buf_init(&out, SIZE_MAX);
    for (const char *line = text, *end; line != NULL; line = end) {
        end = strchr(line, '\n');
        buf_append(&out, line, end == NULL ? strlen(line) : (size_t)(end++ - line) + 1);
        for (int i = 0; end != NULL && i < level; i++)
            buf_append(&out, "  ", 2);
    }
    return buf_take(&out, len);
}

/* Writes the list (json_object_to_json_string_fn), whose text is made once: all of them are at one level. */
static int write_shared(struct json_object *object, struct printbuf *out, int level, int flags)
{
    struct shared_list *shared = json_object_get_userdata(object);
    if (shared->text == NULL)
        shared->text = indent(json_object_to_json_string_ext(shared->list, flags), level, &shared->len);
    return printbuf_memappend(out, shared->text, (int)shared->len);
}

static struct json_object *share(struct json_object *take_list)
{
    struct json_object *object = json_object_new_array();
    struct shared_list *shared = mem_zalloc(sizeof *shared);
    shared->list = take_list;
    json_object_set_serializer(object, write_shared, shared, free_shared);
    return object;
}

/* Policies of `*` match the same thousands of types: such a list is one object. */
static struct json_object *type_list(struct json_output *out, const struct check_result *r)
{
    if (r->has_shared_types && r->types == out->shared_types)
        return json_object_get(out->shared_list);
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < r->n_types; i++) {
        cleanup_mem char *name = output_name_type(&r->types[i]);
        jsonval_append(list, string(name));
    }
    if (!r->has_shared_types)
        return list;
    out->shared_types = r->types;
    return out->shared_list = share(list);
}

static struct json_object *list_texts(char *const *texts, size_t count)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++)
        jsonval_append(list, string(texts[i]));
    return list;
}

static void add_where(struct json_object *object, struct yaml_place where)
{
    jsonval_set(object, "line", json_object_new_int64((int64_t)where.line));
    jsonval_set(object, "column", json_object_new_int64((int64_t)where.column));
}

static const char *const sources[] = {
    [OUTPUT_UPSTREAM] = "upstream",
    [OUTPUT_VAPCHECK] = "vapcheck",
    [OUTPUT_API_SERVER] = "apiserver",
};

/* Those of its issues that are no failures, but true of every request; NULL: none. */
static struct json_object *claim_list(const struct output_warning *warning)
{
    struct json_object *list = NULL;
    for (size_t i = 0; i < warning->n_issues; i++) {
        const struct check_issue *issue = &warning->issues[i];
        if (!issue->is_claim)
            continue;
        struct json_object *claim = json_object_new_object();
        jsonval_set(claim, "id", string(finding_pages[finding_of_issue(issue->code)].id));
        jsonval_set(claim, "message", string(issue->message));
        jsonval_set(claim, "line", json_object_new_int(issue->line));
        jsonval_set(claim, "column", json_object_new_int(issue->column));
        list = list == NULL ? json_object_new_array() : list;
        jsonval_append(list, claim);
    }
    return list;
}

static struct json_object *warning_list(const struct output_place *place,
                                        const struct output_finding *finding)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < finding->n_written; i++) {
        const struct output_warning *found = &finding->written[i];
        if (found->source == OUTPUT_API_SERVER) /* the controller does not write it */
            continue;
        struct json_object *w = json_object_new_object();
        jsonval_set(w, "fieldRef", string(found->field));
        jsonval_set(w, "warning", json_object_new_string_len(found->text, (int)found->len));
        add_where(w, output_where(place, found->field));
        if (*found->hint != '\0')
            jsonval_set(w, "hint", string(found->hint));
        jsonval_set(w, "source", string(sources[found->source]));
        struct json_object *claims = claim_list(found);
        if (claims != NULL)
            jsonval_set(w, "certain", claims);
        jsonval_append(list, w);
    }
    return list;
}

/* The refusals of the server, as a list. */
struct json_object *output_json_refusals(const struct output_place *place,
                                         const struct output_finding *finding)
{
    const struct fielderrors *refusals = finding->refusals;
    const size_t count = refusals->n_decoding > 0 ? refusals->n_decoding : refusals->count;
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        const struct fielderror *e = &refusals->items[i];
        struct json_object *o = json_object_new_object();
        jsonval_set(o, "field", string(e->field));
        jsonval_set(o, "message", json_object_new_string_len(e->message, (int)e->len));
        add_where(o, output_where(place, e->field));
        if (finding->hints[i] != NULL)
            jsonval_set(o, "hint", string(finding->hints[i]));
        jsonval_append(list, o);
    }
    return list;
}

static struct json_object *note_list(const struct output_place *place, const struct fielderrors *notes)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < notes->count; i++) {
        struct json_object *o = json_object_new_object();
        jsonval_set(o, "field", string(notes->items[i].field));
        jsonval_set(o, "message", string(notes->items[i].message));
        add_where(o, output_where(place, notes->items[i].field));
        jsonval_append(list, o);
    }
    return list;
}

static void add_value(struct json_object *o, const char *key, const char *json)
{
    struct json_object *value;
    if (json != NULL && jsonval_parse(json, strlen(json), &value, NULL) == 0)
        jsonval_set(o, key, value);
}

static struct json_object *witness_of(const struct output_witness *w)
{
    struct json_object *o = json_object_new_object();
    const struct types_target *t = w->issue->first_type;
    cleanup_mem char *type = output_name_type(t);
    jsonval_set(o, "issue", string(w->issue->message));
    jsonval_set(o, "line", json_object_new_int(w->issue->line));
    jsonval_set(o, "column", json_object_new_int(w->issue->column));
    jsonval_set(o, "type", string(type));
    if (w->reason != NULL) {
        jsonval_set(o, "reason", string(w->reason));
        return o;
    }
    jsonval_set(o, "operation", string(w->operation));
    jsonval_set(o, "resource", string(w->resource));
    add_value(o, "object", w->object);
    add_value(o, "oldObject", w->old_object);
    add_value(o, "params", w->params);
    add_value(o, "request", w->request);
    add_value(o, "namespaceObject", w->namespace_object);
    if (w->asks_authorizer)
        jsonval_set(o, "authorizerAllows", json_object_new_boolean(w->is_allowed));
    if (w->is_without_conditions)
        jsonval_set(o, "withoutMatchConditions", json_object_new_boolean(true));
    if (w->failure != NULL)
        jsonval_set(o, "failure", string(w->failure));
    else if (w->error == NULL)
        jsonval_set(o, "result", json_object_new_boolean(w->result));
    if (w->error != NULL)
        jsonval_set(o, "error", string(w->error));
    return o;
}

struct json_object *output_json_fixes(const struct output_fix *fix)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < fix->n_edits; i++) {
        const struct yaml_edit *edit = &fix->edits[i];
        struct json_object *o = json_object_new_object();
        add_where(o, edit->at);
        jsonval_set(o, "endLine", json_object_new_int64(edit->end.line));
        jsonval_set(o, "endColumn", json_object_new_int64(edit->end.column));
        jsonval_set(o, "text", string(edit->text));
        jsonval_append(list, o);
    }
    return list;
}

struct json_object *output_json_item(const struct found_item *item)
{
    struct json_object *o = json_object_new_object();
    jsonval_set(o, "id", string(finding_pages[item->id].id));
    jsonval_set(o, "severity", string(finding_severity_name(item->severity)));
    jsonval_set(o, "field", string(item->field));
    jsonval_set(o, "message", string(item->text));
    jsonval_set(o, "title", string(item->message));
    add_where(o, item->at);
    jsonval_set(o, "endLine", json_object_new_int64((int64_t)item->end.line));
    jsonval_set(o, "endColumn", json_object_new_int64((int64_t)item->end.column));
    if (item->n_types > 0)
        jsonval_set(o, "types", list_texts(item->types, item->n_types));
    if (*item->hint != '\0')
        jsonval_set(o, "hint", string(item->hint));
    if (item->fix != NULL)
        jsonval_set(o, "fixes", output_json_fixes(item->fix));
    if (item->n_witnesses > 0) {
        struct json_object *list = json_object_new_array();
        for (size_t i = 0; i < item->n_witnesses; i++)
            jsonval_append(list, witness_of(&item->witnesses[i]));
        jsonval_set(o, "witnesses", list);
    }
    return o;
}

static struct json_object *finding_list(const struct output_finding *f)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < f->found->count; i++)
        jsonval_append(list, output_json_item(&f->found->items[i]));
    return list;
}

static struct json_object *condition_list(const struct conditions *conditions)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < conditions->count; i++) {
        const struct condition *c = &conditions->items[i];
        struct json_object *o = json_object_new_object();
        jsonval_set(o, "type", string(c->type));
        jsonval_set(o, "status", string(c->status));
        jsonval_set(o, "reason", string(c->reason));
        jsonval_set(o, "message", string(c->message));
        jsonval_append(list, o);
    }
    return list;
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *finding)
{
    struct json_output *out = user;
    struct json_object *o = json_object_new_object(), *json = place->root->json;
    add_place(o, place);
    jsonval_set(o, "line", json_object_new_int64((int64_t)place->root->start.line));
    jsonval_set(o, "apiVersion", string(jsonval_string_or_empty(json, "apiVersion")));
    jsonval_set(o, "kind", string(jsonval_string_or_empty(json, "kind")));
    jsonval_set(o, "name", string(finding->name));
    jsonval_set(o, "types",
                finding->result == NULL ? json_object_new_array() : type_list(out, finding->result));
    jsonval_set(o, "findings", finding_list(finding));
    jsonval_set(o, "expressionWarnings", warning_list(place, finding));
    jsonval_set(o, "refusals", output_json_refusals(place, finding));
    if (finding->notes != NULL && finding->notes->count > 0)
        jsonval_set(o, "notes", note_list(place, finding->notes));
    jsonval_set(o, "conditions", condition_list(finding->conditions));
    jsonval_append(out->results, o);
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    struct json_output *out = user;
    struct json_object *o = json_object_new_object();
    add_place(o, place);
    jsonval_set(o, "kind", string(kind));
    jsonval_append(out->skipped, o);
}

/* A finding of no object; file NULL: of none. */
static void add_finding(struct json_output *out, enum finding_id id, enum finding_severity severity,
                        const char *file, const struct yaml_place *where, const char *message)
{
    struct json_object *o = json_object_new_object();
    jsonval_set(o, "id", string(finding_pages[id].id));
    jsonval_set(o, "severity", string(finding_severity_name(severity)));
    if (file != NULL)
        jsonval_set(o, "file", string(file));
    if (where != NULL && where->line != 0)
        add_where(o, *where);
    jsonval_set(o, "message", string(message));
    jsonval_append(out->findings, o);
}

static void on_remark(void *user, enum finding_id id, enum finding_severity severity, const char *message)
{
    add_finding(user, id, severity, NULL, NULL, message);
}

struct json_object *output_json_error(const char *file, const struct yaml_place *where, const char *message)
{
    struct json_object *o = json_object_new_object();
    jsonval_set(o, "file", string(file));
    if (where->line != 0)
        add_where(o, *where);
    jsonval_set(o, "message", string(message));
    return o;
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct json_output *out = user;
    jsonval_append(out->errors, output_json_error(file, where, message));
    add_finding(out, FINDING_UNREADABLE_FILE, FINDING_ERROR, file, where, message);
}

static void on_left_out(void *user, const char *path, const char *reason)
{
    struct json_output *out = user;
    if (reason == NULL) {
        jsonval_append(out->left_out, string(path));
        return;
    }
    struct json_object *o = json_object_new_object();
    jsonval_set(o, "file", string(path));
    jsonval_set(o, "reason", string(reason));
    jsonval_append(out->not_read, o);
}

/* Takes the list, which is left out where it is empty. */
static void add_list(struct json_object *all, const char *name, struct json_object *take_list)
{
    if (jsonval_length(take_list) > 0)
        jsonval_set(all, name, take_list);
    else
        json_object_put(take_list);
}

struct json_object *output_json_suppressed(const struct output_suppressed *suppressed)
{
    struct json_object *all = json_object_new_object(), *stale = json_object_new_array();
    for (size_t i = 0; i < suppressed->n_stale; i++) {
        const struct output_entry *entry = &suppressed->stale[i];
        struct json_object *o = json_object_new_object();
        jsonval_set(o, "id", string(entry->id));
        jsonval_set(o, "object", string(entry->object));
        jsonval_set(o, "field", string(entry->field));
        jsonval_set(o, "message", string(entry->message));
        jsonval_append(stale, o);
    }
    jsonval_set(all, "findings", json_object_new_int64((int64_t)suppressed->findings));
    jsonval_set(all, "objects", json_object_new_int64((int64_t)suppressed->objects));
    jsonval_set(all, "paths", json_object_new_int64((int64_t)suppressed->paths));
    jsonval_set(all, "stale", stale);
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
    jsonval_set(all, "version", json_object_new_int(1));
    jsonval_set(all, "kubeVersion", string(out->kube_version));
    jsonval_set(all, "schemas", string(out->schemas));
    jsonval_set(all, "results", out->results);
    jsonval_set(all, "skipped", out->skipped);
    add_list(all, "leftOut", out->left_out);
    add_list(all, "notRead", out->not_read);
    jsonval_set(all, "errors", out->errors);
    jsonval_set(all, "findings", out->findings);
    if (out->suppressed != NULL)
        jsonval_set(all, "suppressed", out->suppressed);
    output_print_json(all);
    mem_free(out);
}

struct output output_json(const struct output_run *run)
{
    struct json_output *out = mem_zalloc(sizeof *out);
    (void)snprintf(out->kube_version, sizeof out->kube_version, "%s", run->kube_version);
    out->schemas = run->schemas;
    out->results = json_object_new_array();
    out->skipped = json_object_new_array();
    out->left_out = json_object_new_array();
    out->not_read = json_object_new_array();
    out->errors = json_object_new_array();
    out->findings = json_object_new_array();
    return (struct output){.finding = on_finding,
                           .skipped = on_skipped,
                           .error = on_error,
                           .remark = on_remark,
                           .left_out = on_left_out,
                           .suppressed = on_suppressed,
                           .end = on_end,
                           .user = out};
}
