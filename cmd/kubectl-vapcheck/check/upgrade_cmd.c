#include "cmd/kubectl-vapcheck/check/upgrade_cmd.h"

#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/check/respell.h"
#include "cmd/kubectl-vapcheck/check/upgrade_report.h"
#include "cmd/kubectl-vapcheck/output/caret.h"

/* Issues of one expression that another spelling is looked for; rounds of checks without the spellings that
 * were bad. */
enum { ISSUES_MAX = 32, ROUNDS_MAX = 4 };

/* Another spelling of an expression. */
struct candidate {
    char *key; /* of the object */
    char *field, *text;
    bool is_bad; /* something is wrong with it on either version */
};

struct run {
    const struct options *options;
    int minors[2]; /* of the versions: from, to */
    struct inputs inputs;
    struct collection found[2], respelled[2]; /* as it is; with all candidates in place */
    struct upgrade_report report;
    struct candidate *candidates;
    size_t n_candidates;
    struct check_outcome outcome;
};

/* ---- one version ---- */

/* With files alone the schemas of either version count; else those of the cluster count for both. */
static int open_schemas(struct run *r, size_t version, struct schemas **out, struct err *err)
{
    const struct options *o = r->options;
    const struct bundle *bundle = version == 0 ? o->bundle : o->to;
    if (!o->is_live && o->schemas == NULL)
        return schemas_open_bytes(bundle->bytes, bundle->len, out, err);
    if ((o->is_live ? schemas_open_cluster(&o->cluster, out, err) : schemas_open(o->schemas, out, err)) != 0)
        return -1;
    const int minor = bundle_minor(o->to);
    if (version == 1 && schemas_minor(*out) >= minor) {
        err_set(err, ERR_INVALID,
                "the version of --to must be newer than the version of the server, which is 1.%d",
                schemas_minor(*out));
    } else if (version == 0 || schemas_set_minor(*out, minor, err) == 0) {
        return 0;
    }
    schemas_free(*out);
    return -1;
}

typedef void prepare_function(void *user, const struct output_place *place);

static int check_version(struct run *r, size_t version, struct collection *found, prepare_function *prepare,
                         struct check_outcome *outcome, struct err *err)
{
    struct schemas *schemas;
    if (open_schemas(r, version, &schemas, err) != 0)
        return -1;
    r->minors[version] = schemas_minor(schemas);
    *outcome =
        check_inputs(&(struct check_request){.options = r->options,
                                             .schemas = schemas,
                                             .is_bundle = !r->options->is_live && r->options->schemas == NULL,
                                             .is_quiet = found != &r->found[0],
                                             .output = collect_output(found),
                                             .prepare = prepare,
                                             .user = r},
                     &r->inputs);
    schemas_free(schemas);
    return 0;
}

/* ---- what changes ---- */

static struct caret_span find_span(const struct output_place *place, const struct versiondiff_item *item)
{
    if (*item->field == '\0')
        return (struct caret_span){place->root->start, place->root->start};
    if (item->sort == VERSIONDIFF_REFUSED)
        return caret_of_refusal(place, item->field, &item->at);
    return caret_of_warning(place, item->field, &item->at);
}

/* The place of the change in the file, as far as it is known. */
static void put_place(struct upgrade_change *c, const struct output_place *place,
                      const struct collected *object)
{
    c->where = yaml_place_at(object->line, 1);
    if (place == NULL)
        return;
    const struct caret_span span = find_span(place, c->change.item);
    c->where = span.at;
    if (*c->change.item->field == '\0')
        return;
    c->frame = mem_zalloc(sizeof *c->frame);
    frame_init(c->frame, place->yaml, span.at, span.end);
}

/* A new warning of the API server, or of a binding, breaks nothing. */
static void judge(struct check_outcome *outcome, const struct versiondiff_change *change)
{
    const bool is_new = !change->is_gone, is_warned = change->item->sort == VERSIONDIFF_WARNED,
               is_unchecked = change->item->sort == VERSIONDIFF_UNCHECKED;
    outcome->has_warning = outcome->has_warning || (is_new && is_warned);
    outcome->has_error = outcome->has_error || (is_new && !is_warned && !is_unchecked);
    outcome->has_unchecked = outcome->has_unchecked || is_unchecked;
}

/* place NULL: it is not known any more. */
static void add_entry(struct run *r, const struct output_place *place, const struct collected *object,
                      const struct versiondiff_report *from, const struct versiondiff_report *to)
{
    struct upgrade_report *report = &r->report;
    struct upgrade_entry entry = {.object = object, .is_partial = from->is_partial || to->is_partial};
    struct versiondiff_change *changes = versiondiff_compare(from, to, &entry.count);
    entry.changes = mem_array(entry.count + 1, sizeof *entry.changes);
    for (size_t i = 0; i < entry.count; i++) {
        struct upgrade_change *c = &entry.changes[i];
        c->change = changes[i];
        put_place(c, place, object);
        judge(&r->outcome, &c->change);
    }
    r->outcome.has_error = r->outcome.has_error || entry.is_partial;
    report->entries = mem_realloc(report->entries, report->count + 1, sizeof *report->entries);
    report->entries[report->count++] = entry;
    mem_free(changes);
}

/* ---- other spellings ---- */

static const struct versiondiff_report nothing = {.count = 0};

/* The expression in another spelling; NULL: none is known. The caller frees it. */
static char *respell(const struct versiondiff_report *report, const char *field, const char *text)
{
    struct respell_issue issues[ISSUES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++) {
        const struct versiondiff_item *item = &report->items[i];
        if (strcmp(item->field, field) != 0 || item->sort == VERSIONDIFF_UNCHECKED)
            continue;
        if (count == ISSUES_MAX)
            return NULL;
        issues[count++] = (struct respell_issue){item->code, item->at.offset};
    }
    return respell_make(text, issues, count);
}

static struct candidate *find_candidate(const struct run *r, const char *key, const char *field)
{
    for (size_t i = 0; i < r->n_candidates; i++) {
        if (strcmp(r->candidates[i].key, key) == 0 && strcmp(r->candidates[i].field, field) == 0)
            return &r->candidates[i];
    }
    return NULL;
}

static void add_candidates(struct run *r, const struct output_place *place, const struct upgrade_entry *entry,
                           const struct collected *object)
{
    for (size_t i = 0; i < entry->count; i++) {
        const struct versiondiff_change *c = &entry->changes[i].change;
        const struct yaml_node *node = output_find_node(place, c->item->field);
        const char *text = node == NULL ? NULL : jsonval_text(node->json);
        if (!versiondiff_breaks(c) || text == NULL || find_candidate(r, object->key, c->item->field) != NULL)
            continue;
        char *other = respell(&object->report, c->item->field, text);
        if (other == NULL)
            continue;
        r->candidates = mem_realloc(r->candidates, r->n_candidates + 1, sizeof *r->candidates);
        r->candidates[r->n_candidates++] = (struct candidate){
            .key = mem_strdup(object->key), .field = mem_strdup(c->item->field), .text = other};
    }
}

static void put_candidates(void *user, const struct output_place *place)
{
    const struct run *r = user;
    cleanup_mem char *key = collect_key(place);
    for (size_t i = 0; i < r->n_candidates; i++) {
        const struct yaml_node *node = r->candidates[i].is_bad || strcmp(r->candidates[i].key, key) != 0
                                           ? NULL
                                           : output_find_node(place, r->candidates[i].field);
        if (node != NULL)
            json_object_set_string(node->json, r->candidates[i].text);
    }
}

/* Returns true if anything is wrong with the expression as it is respelled. */
static bool is_wrong(const struct run *r, size_t version, const struct candidate *candidate)
{
    const struct collected *after = collect_find(&r->respelled[version], candidate->key);
    if (after == NULL || after->report.is_partial)
        return true;
    for (size_t i = 0; i < after->report.count; i++) {
        if (strcmp(after->report.items[i].field, candidate->field) == 0)
            return true;
    }
    return false;
}

/* Returns true if anything is wrong with the object that was not before. */
static bool does_harm(const struct run *r, size_t version, const struct candidate *candidate)
{
    const struct collected *before = collect_find(&r->found[version], candidate->key),
                           *after = collect_find(&r->respelled[version], candidate->key);
    size_t count;
    struct versiondiff_change *changes = versiondiff_compare(
        before == NULL ? &nothing : &before->report, after == NULL ? &nothing : &after->report, &count);
    bool is_new = false;
    for (size_t i = 0; i < count; i++)
        is_new = is_new || !changes[i].is_gone;
    mem_free(changes);
    return is_new;
}

/* Other expressions depend on variables alone. */
static bool does_harm_elsewhere(const struct run *r, size_t version, const struct candidate *candidate)
{
    return strncmp(candidate->field, "spec.variables[", strlen("spec.variables[")) == 0 &&
           does_harm(r, version, candidate);
}

/* All candidates that are not bad yet are checked at once, on either version. */
static int check_round(struct run *r, struct err *err)
{
    struct check_outcome ignored;
    for (size_t i = 0; i < 2; i++) {
        collect_deinit(&r->respelled[i]);
        if (check_version(r, i, &r->respelled[i], put_candidates, &ignored, err) != 0)
            return -1;
    }
    return 0;
}

/* Marks the candidates that `is` says something of on either version; returns whether there are any. */
static bool mark_bad(struct run *r,
                     bool (*is)(const struct run *r, size_t version, const struct candidate *candidate))
{
    bool any = false;
    for (size_t i = 0; i < r->n_candidates; i++) {
        struct candidate *candidate = &r->candidates[i];
        if (candidate->is_bad || (!is(r, 0, candidate) && !is(r, 1, candidate)))
            continue;
        candidate->is_bad = any = true;
    }
    return any;
}

/* A bad candidate takes no other one with it: the others are checked again without it. */
static int check_candidates(struct run *r, struct err *err)
{
    bool has_bad = r->n_candidates > 0;
    for (size_t i = 0; i < ROUNDS_MAX && has_bad; i++) {
        if (check_round(r, err) != 0)
            return -1;
        has_bad = mark_bad(r, is_wrong) || mark_bad(r, does_harm_elsewhere);
    }
    mark_bad(r, does_harm);
    for (size_t i = 0; i < r->report.count; i++) {
        struct upgrade_entry *e = &r->report.entries[i];
        for (size_t k = 0; k < e->count; k++) {
            const struct candidate *found =
                find_candidate(r, e->object->key, e->changes[k].change.item->field);
            if (found != NULL && !found->is_bad && versiondiff_breaks(&e->changes[k].change))
                e->changes[k].spelling = found->text;
        }
    }
    return 0;
}

/* ---- the whole ---- */

static void on_seen(void *user, const struct output_place *place, const struct collected *one)
{
    struct run *r = user;
    const struct collected *before = collect_find(&r->found[0], one->key);
    add_entry(r, place, one, before == NULL ? &nothing : &before->report, &one->report);
    add_candidates(r, place, &r->report.entries[r->report.count - 1], one);
}

/* Adds objects that only the older version reports about. */
static void add_forgotten(struct run *r)
{
    for (size_t i = 0; i < r->found[0].count; i++) {
        const struct collected *one = r->found[0].items[i];
        if (collect_find(&r->found[1], one->key) == NULL)
            add_entry(r, NULL, one, &one->report, &nothing);
    }
}

static int compare(struct run *r, struct err *err)
{
    struct check_outcome outcomes[2];
    const struct options *o = r->options;
    if (check_open_inputs(o, &r->inputs, err) != 0)
        return -1;
    inputs_keep(&r->inputs);
    r->found[1].seen = on_seen;
    r->found[1].user = r;
    for (size_t i = 0; i < 2; i++) {
        if (check_version(r, i, &r->found[i], NULL, &outcomes[i], err) != 0)
            return -1;
        r->outcome.has_failed = r->outcome.has_failed || outcomes[i].has_failed;
        r->outcome.has_nothing = r->outcome.has_nothing || outcomes[i].has_nothing;
        r->outcome.has_error = r->outcome.has_error || outcomes[i].has_nothing || r->found[i].errors != NULL;
    }
    add_forgotten(r);
    r->report.style = style_sequences(&r->options->style, stdout);
    r->report.from = r->minors[0];
    r->report.to = r->minors[1];
    r->report.inputs = &r->found[1];
    r->report.suppressed = collect_most_suppressed(r->found, 2);
    return check_candidates(r, err);
}

static void deinit(struct run *r)
{
    upgrade_report_deinit(&r->report);
    for (size_t i = 0; i < 2; i++) {
        collect_deinit(&r->found[i]);
        collect_deinit(&r->respelled[i]);
    }
    for (size_t i = 0; i < r->n_candidates; i++) {
        mem_free(r->candidates[i].key);
        mem_free(r->candidates[i].field);
        mem_free(r->candidates[i].text);
    }
    mem_free(r->candidates);
    inputs_deinit(&r->inputs);
}

int upgrade_cmd(const struct options *o)
{
    struct run r = {.options = o};
    struct err err = {0};
    int status = 2;
    if (compare(&r, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck upgrade: %s", err.msg);
    } else {
        if (o->format == OUTPUT_FORMAT_JSON)
            upgrade_report_json(&r.report);
        else
            upgrade_report_text(&r.report);
        if (r.outcome.has_nothing)
            print_line(stderr, "error: there is no object to check [%s]",
                       finding_pages[FINDING_NOTHING_CHECKED].id);
        status = check_exit_status(o, &r.outcome);
    }
    deinit(&r);
    return status;
}
