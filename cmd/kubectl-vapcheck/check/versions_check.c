#include "cmd/kubectl-vapcheck/check/versions_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/buf.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/check/collect.h"
#include "cmd/kubectl-vapcheck/check/versions_output.h"

enum { WIDEST = 100, VERSIONS_MAX = 32 };

/* ORDER RESULTS: the gravest first. */
enum result { RESULT_REFUSED, RESULT_WARNINGS, RESULT_UNCHECKED, RESULT_CLEAN };
static const char *const result_names[] = {"refused", "warnings", "unchecked", "clean"};

struct run {
    const struct bundle *versions[VERSIONS_MAX];
    struct collection found[VERSIONS_MAX];
    size_t count;
    const struct collected **objects; /* that some version has something to say about, in their order */
    size_t n_objects;
};

static enum result judge(const struct collected *one)
{
    if (one == NULL)
        return RESULT_CLEAN;
    if (one->is_refused)
        return RESULT_REFUSED;
    if (one->has_fault)
        return RESULT_WARNINGS;
    return one->is_unchecked ? RESULT_UNCHECKED : RESULT_CLEAN;
}

static enum result result_of(const struct run *r, size_t version, const struct collected *object)
{
    return judge(collect_find(&r->found[version], object->key));
}

/* The first version that refuses the object, or the first that takes it; NULL: there is none. */
static const char *find_first(const struct run *r, const struct collected *object, bool is_refused)
{
    for (size_t i = 0; i < r->count; i++) {
        if ((result_of(r, i, object) == RESULT_REFUSED) == is_refused)
            return r->versions[i]->kube_version;
    }
    return NULL;
}

/* One version may pass over an object that another has something to say about. */
static void list_objects(struct run *r)
{
    struct keymap known = {0};
    for (size_t i = 0; i < r->count; i++) {
        for (size_t k = 0; k < r->found[i].count; k++) {
            struct collected *one = r->found[i].items[k];
            if (!keymap_add(&known, one->key))
                continue;
            r->objects = mem_realloc(r->objects, r->n_objects + 1, sizeof(void *));
            r->objects[r->n_objects++] = one;
        }
    }
    keymap_deinit(&known, NULL);
}

/* ---- text ---- */

static char *title_of(const struct collected *object)
{
    cleanup_mem char *title = mem_printf("%s:%zu: %s", object->file, object->line, object->name);
    return plain_line(title);
}

static int width_of(const char *text)
{
    return (int)utf8_count(text, strlen(text));
}

static void print_cell(const char *text, int width)
{
    const int gap = width - width_of(text);
    print_part(stdout, "%s%*s  ", text, gap > 0 ? gap : 0, "");
}

static void print_table(const struct run *r, const struct output_suppressed *suppressed, bool is_quiet)
{
    int width = width_of("OBJECT");
    for (size_t i = 0; i < r->n_objects; i++) {
        cleanup_mem char *title = title_of(r->objects[i]);
        width = width_of(title) > width ? width_of(title) : width;
    }
    width = width > WIDEST ? WIDEST : width;
    print_cell("OBJECT", width);
    for (size_t i = 0; i < r->count; i++)
        print_cell(r->versions[i]->kube_version, (int)strlen("unchecked"));
    print_line(stdout, "FIRST REFUSED  FIRST ACCEPTED");
    for (size_t i = 0; i < r->n_objects; i++) {
        cleanup_mem char *title = title_of(r->objects[i]);
        const char *refused = find_first(r, r->objects[i], true),
                   *accepted = find_first(r, r->objects[i], false);
        print_cell(title, width);
        for (size_t k = 0; k < r->count; k++)
            print_cell(result_names[result_of(r, k, r->objects[i])], (int)strlen("unchecked"));
        print_cell(refused == NULL ? "-" : refused, (int)strlen("FIRST REFUSED"));
        print_line(stdout, "%s", accepted == NULL ? "-" : accepted);
    }
    if (is_quiet)
        return;
    print_part(stdout, "%zu object%s on %zu versions", r->n_objects, r->n_objects == 1 ? "" : "s", r->count);
    collect_print_end(&r->found[0], suppressed);
}

/* ---- json ---- */

static struct json_object *string_or_null(const char *text)
{
    return text == NULL ? NULL : json_object_new_string(text);
}

/* Returns the list, or a new empty one for NULL: nothing was said of the object. */
static struct json_object *list_or_empty(struct json_object *list)
{
    return list == NULL ? json_object_new_array() : json_object_get(list);
}

/* A key by which a finding is the same on several versions, without its hint, which may name the version. The
 * caller frees it. */
static char *key_of(struct json_object *item)
{
    return mem_printf("%s\n%s\n%s\n%" PRId64 ":%" PRId64 "\n%s", jsonval_string_or_empty(item, "id"),
                      jsonval_string_or_empty(item, "severity"), jsonval_string_or_empty(item, "field"),
                      jsonval_int(item, "line", 0), jsonval_int(item, "column", 0),
                      jsonval_string_or_empty(item, "message"));
}

/* Each finding once, with the versions that have it. */
static struct json_object *list_findings(const struct run *r, const struct collected *object)
{
    struct json_object *list = json_object_new_array();
    struct keymap known = {0};
    for (size_t i = 0; i < r->count; i++) {
        const struct collected *one = collect_find(&r->found[i], object->key);
        for (size_t k = 0; one != NULL && k < jsonval_length(one->findings); k++) {
            struct json_object *item = jsonval_at(one->findings, k);
            cleanup_mem char *key = key_of(item);
            struct json_object *copy = keymap_get(&known, key);
            if (copy == NULL) {
                const char *text = json_object_to_json_string_ext(item, JSON_C_TO_STRING_PLAIN);
                (void)!jsonval_parse(text, strlen(text), &copy, NULL);
                jsonval_set(copy, "kubeVersions", json_object_new_array());
                keymap_put(&known, key, copy);
                jsonval_append(list, copy);
            }
            jsonval_append(jsonval_get(copy, "kubeVersions"),
                           json_object_new_string(r->versions[i]->kube_version));
        }
    }
    keymap_deinit(&known, NULL);
    return list;
}

static struct json_object *describe(const struct run *r, const struct collected *object)
{
    struct json_object *o = json_object_new_object(), *versions = json_object_new_array();
    jsonval_set(o, "file", json_object_new_string(object->file));
    jsonval_set(o, "document", json_object_new_int64((int64_t)object->document));
    jsonval_set(o, "line", json_object_new_int64((int64_t)object->line));
    jsonval_set(o, "apiVersion", json_object_new_string(object->api_version));
    jsonval_set(o, "kind", json_object_new_string(object->kind));
    jsonval_set(o, "name", json_object_new_string(object->name));
    for (size_t i = 0; i < r->count; i++) {
        const struct collected *one = collect_find(&r->found[i], object->key);
        struct json_object *v = json_object_new_object();
        jsonval_set(v, "kubeVersion", json_object_new_string(r->versions[i]->kube_version));
        jsonval_set(v, "result", json_object_new_string(result_names[judge(one)]));
        jsonval_set(v, "refusals", list_or_empty(one == NULL ? NULL : one->refusals));
        jsonval_set(v, "warnings", list_or_empty(one == NULL ? NULL : one->warnings));
        jsonval_append(versions, v);
    }
    jsonval_set(o, "findings", list_findings(r, object));
    jsonval_set(o, "versions", versions);
    jsonval_set(o, "firstRefused", string_or_null(find_first(r, object, true)));
    jsonval_set(o, "firstAccepted", string_or_null(find_first(r, object, false)));
    return o;
}

static void print_json(const struct run *r, const struct output_suppressed *suppressed)
{
    struct json_object *all = json_object_new_object(), *results = json_object_new_array(),
                       *versions = json_object_new_array();
    for (size_t i = 0; i < r->count; i++)
        jsonval_append(versions, json_object_new_string(r->versions[i]->kube_version));
    for (size_t i = 0; i < r->n_objects; i++)
        jsonval_append(results, describe(r, r->objects[i]));
    jsonval_set(all, "version", json_object_new_int(1));
    jsonval_set(all, "kubeVersions", versions);
    jsonval_set(all, "schemas", json_object_new_string("bundle"));
    jsonval_set(all, "results", results);
    jsonval_set(all, "errors", collect_errors(&r->found[0]));
    if (output_is_suppressed(suppressed))
        jsonval_set(all, "suppressed", output_json_suppressed(suppressed));
    output_print_json(all);
}

/* The most that a version has suppressed, and what occurs on none: *stale, which the caller frees. */
static struct output_suppressed sum_suppressed(const struct run *r, const struct baseline *baseline,
                                               struct output_entry **stale)
{
    struct output_suppressed all = collect_most_suppressed(r->found, r->count);
    *stale = baseline == NULL ? NULL : baseline_find_stale(baseline, &all.n_stale);
    all.stale = *stale;
    return all;
}

/* ---- the runs ---- */

/* All inputs on one version. Returns -1 after an error that was printed. */
static int check_version(const struct options *o, const struct inputs *inputs, const struct bundle *bundle,
                         bool is_quiet, const struct output *output, struct check_outcome *all)
{
    struct schemas *schemas;
    struct err err = {0};
    if (schemas_open_bytes(bundle->bytes, bundle->len, &schemas, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck check: %s: %s", bundle->kube_version, err.msg);
        return -1;
    }
    const struct check_outcome one = check_inputs(
        &(struct check_request){
            .options = o, .schemas = schemas, .is_bundle = true, .is_quiet = is_quiet, .output = *output},
        inputs);
    check_add_outcome(all, &one);
    schemas_free(schemas);
    return 0;
}

/* Each finding with the versions that have it. */
static int check_findings(const struct options *o, const struct inputs *inputs, output_make *make)
{
    const struct bundle *versions[VERSIONS_MAX];
    const char *names[VERSIONS_MAX];
    struct check_outcome all = {0};
    struct buf text;
    size_t count = 0;
    int answer = 0;
    buf_init(&text, ERR_MSG_BYTES);
    for (size_t i = 0; i < bundles_count; i++) {
        if ((o->versions >> i & 1) == 0)
            continue;
        versions[count] = &bundles[i];
        names[count++] = bundles[i].kube_version;
        buf_printf(&text, "%s%s", text.len == 0 ? "" : ", ", bundles[i].kube_version);
    }
    const struct output output = make(&(struct output_run){.style = &o->style,
                                                           .kube_version = text.data,
                                                           .schemas = "bundle",
                                                           .is_fixing = o->fix != OPTIONS_FIX_NOTHING});
    struct versions_output *found = versions_output_new(&output, names, count);
    for (size_t i = 0; i < count && answer == 0; i++) {
        const struct output next = versions_output_next(found);
        answer = check_version(o, inputs, versions[i], i + 1 < count, &next, &all);
    }
    versions_output_free(found);
    buf_deinit(&text);
    return answer == 0 ? check_exit_status(o, &all) : 2;
}

int versions_check(const struct options *o, const struct inputs *inputs, output_make *make)
{
    if (!o->is_matrix && o->format != OUTPUT_FORMAT_JSON)
        return check_findings(o, inputs, make);
    struct run r = {.count = 0};
    struct check_outcome all = {0};
    struct output_entry *stale;
    int answer = 0;
    for (size_t i = 0; i < bundles_count && answer == 0; i++) {
        if ((o->versions >> i & 1) == 0)
            continue;
        r.versions[r.count] = &bundles[i];
        const struct output output = collect_output(&r.found[r.count]);
        answer = check_version(o, inputs, &bundles[i], r.count > 0, &output, &all);
        r.count++;
    }
    list_objects(&r);
    const struct output_suppressed suppressed = sum_suppressed(&r, o->baseline, &stale);
    if (answer == 0 && o->format == OUTPUT_FORMAT_JSON)
        print_json(&r, &suppressed);
    else if (answer == 0)
        print_table(&r, &suppressed, o->style.is_quiet);
    mem_free(stale);
    for (size_t i = 0; i < r.count; i++)
        collect_deinit(&r.found[i]);
    mem_free(r.objects);
    return answer == 0 ? check_exit_status(o, &all) : 2;
}
