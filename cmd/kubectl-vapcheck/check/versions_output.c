#include "cmd/kubectl-vapcheck/check/versions_output.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/check/collect.h"
#include "cmd/kubectl-vapcheck/output/found.h"

enum { NAMES_CAP_BYTES = 1024 };

/* An object's findings on the versions so far, each once, in the words of the last; `versions` has a bit for
 * each version. */
struct gathered {
    struct found found;
    uint32_t *versions;
    char **fields; /* which the items borrow */
    size_t n_fields;
};

struct versions_output {
    struct output output;
    const char *names[VERSIONS_OUTPUT_MAX];
    size_t count, current;
    struct keymap objects; /* by collect_key */
    char **texts;          /* names of versions, which items borrow */
    size_t n_texts;
};

static bool is_last(const struct versions_output *v)
{
    return v->current == v->count;
}

static uint32_t bit_of(const struct versions_output *v)
{
    return UINT32_C(1) << (v->current - 1);
}

static bool is_place(struct yaml_place a, struct yaml_place b)
{
    return a.line == b.line && a.column == b.column;
}

/* Returns true if the consequences are the same; the example of advice may differ, and so may further
 * mistakes of a refusal. */
static bool has_same_end(const struct found_item *a, const struct found_item *b)
{
    const char *one = a->why == NULL ? "" : a->why, *other = b->why == NULL ? "" : b->why;
    return a->severity == FINDING_ADVICE || a->id == FINDING_REFUSED || strcmp(one, other) == 0;
}

static bool is_same(const struct found_item *a, const struct found_item *b)
{
    return a->id == b->id && a->severity == b->severity && is_place(a->at, b->at) &&
           is_place(a->end, b->end) && strcmp(a->field, b->field) == 0 &&
           strcmp(a->subject, b->subject) == 0 && has_same_end(a, b);
}

static void gather_item(struct gathered *g, const struct found_item *item, uint32_t bit)
{
    size_t i = 0;
    while (i < g->found.count && ((g->versions[i] & bit) != 0 || !is_same(&g->found.items[i], item)))
        i++;
    struct found_item copy = *item;
    if (i < g->found.count) {
        copy.field = g->found.items[i].field;
        found_put_copy(&g->found, i, &copy);
        g->versions[i] |= bit;
        return;
    }
    char *field = mem_strdup(item->field);
    g->fields = mem_grow(g->fields, g->n_fields, sizeof *g->fields);
    g->fields[g->n_fields++] = field;
    copy.field = field;
    found_add_copy(&g->found, &copy);
    g->versions = mem_realloc(g->versions, g->found.count, sizeof *g->versions);
    g->versions[i] = bit;
}

static struct gathered *gather(struct versions_output *v, const struct output_place *place,
                               const struct found *found)
{
    cleanup_mem char *key = collect_key(place);
    struct gathered *g = keymap_get(&v->objects, key);
    if (g == NULL) {
        g = mem_zalloc(sizeof *g);
        keymap_put(&v->objects, key, g);
    }
    for (size_t i = 0; i < found->count; i++)
        gather_item(g, &found->items[i], bit_of(v));
    g->found.was_unchecked = g->found.was_unchecked || found->was_unchecked;
    g->found.has_refusals = g->found.has_refusals || found->has_refusals;
    return g;
}

static long minor_of(const char *version)
{
    return strtol(strchr(version, '.') + 1, NULL, 10);
}

/* Returns how many versions from one on have the finding, with no version of Kubernetes between them. */
static size_t run_from(const struct versions_output *v, uint32_t versions, size_t first)
{
    size_t n = 0;
    while (first + n < v->count && (versions >> (first + n) & 1) != 0 &&
           minor_of(v->names[first + n]) == minor_of(v->names[first]) + (long)n)
        n++;
    return n;
}

/* "1.33, 1.35-1.37". */
static const char *name_versions(struct versions_output *v, uint32_t versions)
{
    struct buf names;
    buf_init(&names, NAMES_CAP_BYTES);
    for (size_t i = 0, n; i < v->count; i += n == 0 ? 1 : n) {
        n = run_from(v, versions, i);
        n = n < 3 && n > 0 ? 1 : n;
        if (n > 0)
            buf_printf(&names, "%s%s", names.len == 0 ? "" : ", ", v->names[i]);
        if (n > 1)
            buf_printf(&names, "-%s", v->names[i + n - 1]);
    }
    v->texts = mem_grow(v->texts, v->n_texts, sizeof *v->texts);
    return v->texts[v->n_texts++] = buf_take(&names, NULL);
}

/* Reports the findings of all versions, with the versions that have them. A comment is unused only if no
 * version has a finding that it names. */
static void say(struct versions_output *v, const struct output_place *place,
                const struct output_finding *given, struct gathered *g)
{
    struct output_finding finding = *given;
    const uint32_t all = v->count == VERSIONS_OUTPUT_MAX ? UINT32_MAX : (UINT32_C(1) << v->count) - 1;
    struct found found = {.was_unchecked = g->found.was_unchecked, .has_refusals = g->found.has_refusals};
    for (size_t i = 0; i < g->found.count; i++) {
        if (g->found.items[i].id == FINDING_UNUSED_IGNORE && g->versions[i] != all)
            continue;
        found_add_copy(&found, &g->found.items[i]);
        found.items[found.count - 1].versions = name_versions(v, g->versions[i]);
    }
    found_sort(&found);
    finding.found = &found;
    v->output.finding(v->output.user, place, &finding);
    found_deinit(&found);
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *finding)
{
    struct versions_output *v = user;
    struct gathered *g = gather(v, place, finding->found);
    if (is_last(v))
        say(v, place, finding, g);
}

/* The findings of earlier versions; NULL: none. The tree of a file without anything to check is gone. */
static struct gathered *find_gathered(const struct versions_output *v, const struct output_place *place)
{
    if (place->root == NULL)
        return NULL;
    cleanup_mem char *key = collect_key(place);
    return keymap_get(&v->objects, key);
}

/* The last version may pass over an object that another has something to say about. */
static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    struct versions_output *v = user;
    struct gathered *g = find_gathered(v, place);
    struct fielderrors refusals = {0};
    struct conditions conditions = {0};
    if (!is_last(v))
        return;
    if (g == NULL) {
        output_report_skipped(&v->output, place, kind);
        return;
    }
    const struct output_finding finding = {.name = jsonval_metadata(place->root->json, "name"),
                                           .refusals = &refusals,
                                           .conditions = &conditions};
    say(v, place, &finding, g);
}

/* Errors are reported once: they are about no object, and the same on each version. */
static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct versions_output *v = user;
    if (is_last(v))
        output_report_error(&v->output, file, where, message);
}

static void on_remark(void *user, enum finding_id id, enum finding_severity severity, const char *message)
{
    struct versions_output *v = user;
    const bool has_objects = v->objects.count > 0;
    if (is_last(v) && !(id == FINDING_NOTHING_CHECKED && has_objects))
        output_report_remark(&v->output, id, severity, message);
}

static void on_left_out(void *user, const char *path, const char *reason)
{
    struct versions_output *v = user;
    if (is_last(v))
        output_report_left_out(&v->output, path, reason);
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    struct versions_output *v = user;
    if (is_last(v))
        output_report_suppressed(&v->output, suppressed);
}

static void on_end(void *user)
{
    struct versions_output *v = user;
    if (is_last(v))
        output_end(&v->output);
}

struct versions_output *versions_output_new(const struct output *output, const char *const *names,
                                            size_t count)
{
    struct versions_output *v = mem_zalloc(sizeof *v);
    v->output = *output;
    v->count = count;
    memcpy(v->names, names, count * sizeof *names);
    return v;
}

static void free_gathered(void *value)
{
    struct gathered *g = value;
    found_deinit(&g->found);
    for (size_t i = 0; i < g->n_fields; i++)
        mem_free(g->fields[i]);
    mem_free(g->fields);
    mem_free(g->versions);
    mem_free(g);
}

void versions_output_free(struct versions_output *v)
{
    keymap_deinit(&v->objects, free_gathered);
    for (size_t i = 0; i < v->n_texts; i++)
        mem_free(v->texts[i]);
    mem_free(v->texts);
    mem_free(v);
}

struct output versions_output_next(struct versions_output *v)
{
    v->current++;
    return (struct output){.finding = on_finding,
                           .skipped = on_skipped,
                           .error = on_error,
                           .remark = on_remark,
                           .left_out = on_left_out,
                           .suppressed = on_suppressed,
                           .end = on_end,
                           .user = v};
}
