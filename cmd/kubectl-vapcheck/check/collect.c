#include "cmd/kubectl-vapcheck/check/collect.h"

#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/found.h"

char *collect_key(const struct output_place *place)
{
    const struct yaml_place *start = &place->root->start;
    return mem_printf("%s\n%zu\n%u:%u", place->file, place->document, start->line, start->column);
}

static void add_refusals(struct versiondiff_report *r, const struct output_finding *f)
{
    for (size_t i = 0; i < f->refusals->count; i++) {
        const struct fielderror *e = &f->refusals->items[i];
        const struct versiondiff_item item = {
            .field = e->field, .message = e->message, .detail = e->detail, .hint = f->hints[i]};
        versiondiff_add_refusal(r, &item, e->n_issues == 0 ? NULL : &e->issues[0]);
    }
    r->is_partial = r->is_partial || f->refusals->is_limited;
}

/* Those that are not of the check's result: of a binding, or of the API server. */
static void add_warnings(struct versiondiff_report *r, const struct output_finding *f)
{
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *w = &f->found->items[i];
        if (w->id != FINDING_BINDING_PARAMS && w->id != FINDING_API_SERVER_WARNING)
            continue;
        cleanup_mem char *text = mem_strndup(w->text, strcspn(w->text, "\n"));
        versiondiff_add(r,
                        &(struct versiondiff_item){
                            .sort = VERSIONDIFF_WARNED, .field = w->field, .message = text, .hint = w->hint});
    }
}

/* Adds the other findings: an object that is no policy was not checked, or a paramKind is not served. */
static void add_others(struct versiondiff_report *r, const struct output_finding *f)
{
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        const bool is_limit = item->id == FINDING_LIMIT_REACHED,
                   is_param_kind = item->id == FINDING_PARAM_KIND_NOT_SERVED;
        r->is_partial = r->is_partial || is_limit;
        if (is_param_kind || (f->result == NULL && (is_limit || item->id == FINDING_NOT_FULLY_CHECKED)))
            versiondiff_add(r, &(struct versiondiff_item){.sort = is_param_kind ? VERSIONDIFF_WARNED
                                                                                : VERSIONDIFF_UNCHECKED,
                                                          .field = item->field,
                                                          .message = item->text});
    }
}

static struct json_object *list_warnings(const struct found *found)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < found->count; i++) {
        const struct found_item *item = &found->items[i];
        if (item->severity != FINDING_NOTE && item->id != FINDING_REFUSED &&
            item->id != FINDING_LIMIT_REACHED)
            jsonval_append(list, output_json_item(item));
    }
    return list;
}

static struct json_object *list_findings(const struct found *found)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < found->count; i++)
        jsonval_append(list, output_json_item(&found->items[i]));
    return list;
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct collection *all = user;
    struct collected *one = mem_zalloc(sizeof *one);
    struct json_object *json = place->root->json;
    one->key = collect_key(place);
    one->file = mem_strdup(place->file);
    one->api_version = mem_strdup(jsonval_string_or_empty(json, "apiVersion"));
    one->kind = mem_strdup(jsonval_string_or_empty(json, "kind"));
    one->name = mem_strdup(output_title(place, f));
    one->document = place->document;
    one->line = place->root->start.line;
    one->is_refused = found_has(f->found, FINDING_REFUSED);
    one->has_fault = found_has_fault_besides(f->found, FINDING_LIMIT_REACHED);
    one->is_unchecked = found_is_unchecked(f->found);
    one->refusals = output_json_refusals(place, f);
    one->warnings = list_warnings(f->found);
    one->findings = list_findings(f->found);
    add_refusals(&one->report, f);
    if (f->result != NULL)
        versiondiff_add_result(&one->report, f->policy, f->result);
    add_warnings(&one->report, f);
    add_others(&one->report, f);
    all->items = mem_realloc(all->items, all->count + 1, sizeof(void *));
    all->items[all->count++] = one;
    keymap_put(&all->by_key, one->key, one);
    if (all->seen != NULL)
        all->seen(all->user, place, one);
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    (void)place;
    (void)kind;
    ((struct collection *)user)->n_skipped++;
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct collection *all = user;
    if (all->errors == NULL)
        all->errors = json_object_new_array();
    jsonval_append(all->errors, output_json_error(file, where, message));
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    struct output_suppressed *kept = &((struct collection *)user)->suppressed;
    *kept = *suppressed;
    kept->stale = NULL; /* an entry that one version has, another may not have */
    kept->n_stale = 0;
}

struct output collect_output(struct collection *all)
{
    return (struct output){.finding = on_finding,
                           .skipped = on_skipped,
                           .error = on_error,
                           .suppressed = on_suppressed,
                           .user = all};
}

const struct collected *collect_find(const struct collection *all, const char *key)
{
    return keymap_get(&all->by_key, key);
}

struct json_object *collect_errors(const struct collection *all)
{
    return all->errors == NULL ? json_object_new_array() : json_object_get(all->errors);
}

struct output_suppressed collect_most_suppressed(const struct collection *collections, size_t count)
{
    struct output_suppressed most = {0};
    for (size_t i = 0; i < count; i++) {
        const struct output_suppressed *one = &collections[i].suppressed;
        most.findings = one->findings > most.findings ? one->findings : most.findings;
        most.objects = one->objects;
        most.paths = one->paths;
    }
    return most;
}

void collect_print_end(const struct collection *all, const struct output_suppressed *suppressed)
{
    const size_t n_errors = jsonval_length(all->errors);
    if (all->n_skipped > 0)
        print_part(stdout, "; %zu other object%s skipped", all->n_skipped, all->n_skipped == 1 ? "" : "s");
    if (output_is_suppressed(suppressed)) {
        cleanup_mem char *text = output_describe_suppressed(suppressed);
        print_part(stdout, "; %s", text);
    }
    if (n_errors > 0)
        print_part(stdout, "; %zu error%s", n_errors, n_errors == 1 ? "" : "s");
    print_line(stdout, "%s", "");
}

void collect_deinit(struct collection *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct collected *one = all->items[i];
        mem_free(one->key);
        mem_free(one->file);
        mem_free(one->api_version);
        mem_free(one->kind);
        mem_free(one->name);
        json_object_put(one->refusals);
        json_object_put(one->warnings);
        json_object_put(one->findings);
        versiondiff_deinit(&one->report);
        mem_free(one);
    }
    mem_free(all->items);
    json_object_put(all->errors);
    keymap_deinit(&all->by_key, NULL);
    *all = (struct collection){0};
}
