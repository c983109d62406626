#include "cmd/kubectl-vapcheck/crd_cmd.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/crd_report.h"
#include "cmd/kubectl-vapcheck/input/definitions.h"
#include "cmd/kubectl-vapcheck/output/unreadable.h"
#include "controller/apiserver/crd/crdallof.h"
#include "controller/apiserver/crd/crdrules.h"
#include "controller/findings/suppress.h"
#include "typecheck/version.h"

struct run {
    const struct options *options;
    struct env *envs[CRD_REPORT_VERSIONS]; /* of new expressions, by version of the report */
    int minors[CRD_REPORT_VERSIONS];
    struct crd_report report;
    size_t n_definitions; /* with rules or without */
    struct check_outcome outcome;
};

/* Estimates one definition's costs on one version; returns true if all of it was reached. hints: gets, by
 * field, which bound to add; NULL if that is not wanted. */
static bool estimate(const struct run *r, size_t version, struct json_object *definition,
                     struct crdcosts *costs, struct keymap *hints)
{
    struct crdrules found = {.refusals = {.minor = r->minors[version]}, .costs = costs};
    crdrules_check(definition, r->envs[version], &found);
    for (size_t i = 0; hints != NULL && i < found.refusals.count; i++) {
        struct fielderror *e = &found.refusals.items[i];
        if (e->hint == NULL || keymap_get(hints, e->field) != NULL)
            continue;
        keymap_put(hints, e->field, e->hint);
        e->hint = NULL;
    }
    const bool is_whole = found.n_unchecked == 0;
    crdrules_deinit(&found);
    return is_whole;
}

/* Gives the lines the hints of their fields. */
static void put_hints(struct crd_report_entry *e, const struct keymap *hints)
{
    for (size_t i = 0; i < e->count; i++) {
        const char *hint = keymap_get(hints, e->lines[i]->field);
        e->lines[i]->hint = hint == NULL ? NULL : mem_strdup(hint);
    }
}

/* Sets what a line costs with the bounds moved; true if it is cheaper then. */
static bool put_moved_cost(struct crd_report_line *line, size_t version, uint64_t moved)
{
    struct crd_report_cost *c = &line->costs[version];
    c->has_moved = c->is_known && moved < c->cost;
    c->moved = c->has_moved ? moved : 0;
    return c->has_moved;
}

/* The same for a schema and its rules. */
static bool put_moved(struct crd_report_entry *e, const struct output_place *place, size_t version,
                      const struct crdcost_schema *schema, const struct crdcost_schema *moved)
{
    bool is_cheaper = false;
    for (size_t i = 0; i < schema->count; i++)
        is_cheaper = put_moved_cost(crd_report_line_of(e, place, schema->rules[i].field, false), version,
                                    moved->rules[i].cost) ||
                     is_cheaper;
    return put_moved_cost(crd_report_line_of(e, place, schema->field, true), version, moved->total) ||
           is_cheaper;
}

/* Puts the estimates of one version into the report. */
static void put_costs(struct crd_report_entry *e, const struct output_place *place, size_t version,
                      const struct crdcost_schema *schema)
{
    for (size_t i = 0; i < schema->count; i++) {
        const struct crdcost_rule *rule = &schema->rules[i];
        struct crd_report_line *line = crd_report_line_of(e, place, rule->field, false);
        line->costs[version].is_known = schema->is_structural && rule->is_known;
        line->costs[version].cost = line->costs[version].is_known ? rule->cost : 0;
    }
    struct crd_report_line *all = crd_report_line_of(e, place, schema->field, true);
    all->costs[version].is_known = schema->is_structural;
    all->costs[version].cost = schema->is_structural ? schema->total : 0;
}

/* Schemas that differ by their bounds alone may be one to the server when those are moved. */
static const struct crdcost_schema *find_moved(const struct crdcosts *moved, const struct crdcosts *costs,
                                               size_t index)
{
    const bool is_one = moved->count == 1;
    if (moved->count == 0 || (!is_one && moved->count != costs->count))
        return NULL;
    const struct crdcost_schema *found = &moved->items[is_one ? 0 : index];
    return found->is_structural && found->count == costs->items[index].count ? found : NULL;
}

static void add_bounds(struct crd_report_entry *e, const struct output_place *place,
                       const struct crdallof *found)
{
    e->bounds = mem_array(found->count, sizeof *e->bounds);
    for (; e->n_bounds < found->count; e->n_bounds++) {
        const struct crdallof_bound *b = &found->items[e->n_bounds];
        struct crd_report_bound *bound = &e->bounds[e->n_bounds];
        *bound = (struct crd_report_bound){.field = mem_strdup(b->field),
                                           .where = output_where(place, b->field),
                                           .keyword = b->keyword,
                                           .bound = b->bound};
        frame_init(&bound->frame, place->yaml, bound->where, bound->where);
    }
}

/* definition: the object itself, or the one that is made of it. */
static void add_definition(struct run *r, const struct output_place *place, struct json_object *definition)
{
    struct crd_report_entry *e = crd_report_add(&r->report, place);
    struct crdallof found;
    struct keymap hints = {0};
    bool is_cheaper = false;
    crdallof_find(definition, &found);
    e->is_partial = found.is_partial;
    for (size_t i = 0; i < r->report.n_versions; i++) {
        struct crdcosts costs = {0}, moved = {0};
        e->is_partial = !estimate(r, i, definition, &costs, &hints) || e->is_partial;
        if (found.moved != NULL)
            (void)estimate(r, i, found.moved, &moved, NULL);
        for (size_t k = 0; k < costs.count; k++) {
            const struct crdcost_schema *other = find_moved(&moved, &costs, k);
            put_costs(e, place, i, &costs.items[k]);
            if (other != NULL)
                is_cheaper = put_moved(e, place, i, &costs.items[k], other) || is_cheaper;
        }
        crdcosts_deinit(&costs);
        crdcosts_deinit(&moved);
    }
    put_hints(e, &hints);
    keymap_deinit(&hints, mem_free);
    if (is_cheaper)
        add_bounds(e, place, &found);
    crdallof_deinit(&found);
    r->outcome.has_unchecked = r->outcome.has_unchecked || e->is_partial;
    for (size_t i = 0; i < e->count; i++)
        r->outcome.has_error = r->outcome.has_error || crd_report_is_over(&r->report, e->lines[i]);
}

static void add_error(struct run *r, const struct manifest *m)
{
    unreadable_print(&(struct unreadable){m->file, m->where, m->problem, m->problem_line},
                     r->options->format == OUTPUT_FORMAT_TEXT ? &r->options->style : NULL);
    if (r->report.errors == NULL)
        r->report.errors = json_object_new_array();
    jsonval_append(r->report.errors, output_json_error(m->file, &m->where, m->problem));
    r->outcome.has_error = true;
    r->outcome.has_failed = r->outcome.has_failed || m->is_missing;
}

/* Files whose objects nobody can read are not an error. */
static void add_left_out(struct run *r, const struct manifest *m)
{
    print_line(stderr, "note: %s: not read: %s", m->file, m->left_out);
    r->outcome.has_unchecked = true;
}

/* Reports an error if a directory or standard input has no definition, as check does: an empty answer would
 * be no answer. */
static void find_nothing(struct run *r, const struct inputs *inputs)
{
    if (r->n_definitions > 0 || r->outcome.has_error || !inputs->is_searched || r->options->allows_empty)
        return;
    print_line(stderr, "error: no file has a CustomResourceDefinition or a CompositeResourceDefinition [%s]",
               finding_pages[FINDING_NOTHING_CHECKED].id);
    r->outcome.has_error = true;
}

static void add_manifest(struct run *r, const struct manifest *m)
{
    if (m->left_out != NULL)
        add_left_out(r, m);
    if (m->problem != NULL && !(m->is_empty && r->options->allows_empty))
        add_error(r, m);
    for (size_t i = 0; i < m->n_objects; i++) {
        const struct manifest_object *o = &m->objects[i];
        const struct output_place place = {m->file, o->document, m->yaml, o->root};
        struct definitions found;
        definitions_of(o->kind, o->root->json, &found);
        r->n_definitions += found.count > 0;
        if (found.count == 0 || !crdrules_any(found.items[0]))
            r->report.n_skipped++;
        else if (suppress_is_skipped(o->root->json))
            r->report.suppressed.objects++;
        else
            add_definition(r, &place, found.items[0]);
        definitions_deinit(&found);
    }
}

static void add_versions(struct run *r)
{
    for (size_t i = 0; i < bundles_count; i++) {
        if (r->options->versions == 0 ? &bundles[i] != r->options->bundle
                                      : (r->options->versions >> i & 1) == 0)
            continue;
        const size_t n = r->report.n_versions++;
        r->report.versions[n] = &bundles[i];
        r->minors[n] = bundle_minor(&bundles[i]);
        r->envs[n] = env_new(r->minors[n] - 1, celgo_in(r->minors[n]));
    }
}

int crd_cmd(const struct options *o)
{
    struct run r = {.options = o, .report = {.style = style_sequences(&o->style, stdout)}};
    struct inputs inputs = {0};
    add_versions(&r);
    options_open_inputs(o, &inputs);
    for (size_t i = 0; i < inputs.count; i++) {
        struct manifest m;
        manifest_read(&m, &inputs.items[i]);
        add_manifest(&r, &m);
        manifest_deinit(&m);
    }
    r.report.suppressed.paths = inputs.n_excluded;
    if (o->format == OUTPUT_FORMAT_JSON)
        crd_report_json(&r.report);
    else
        crd_report_text(&r.report);
    find_nothing(&r, &inputs);
    const int status = check_exit_status(o, &r.outcome);
    inputs_deinit(&inputs);
    for (size_t i = 0; i < r.report.n_versions; i++)
        env_free(r.envs[i]);
    crd_report_deinit(&r.report);
    return status;
}
