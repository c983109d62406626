#include "cmd/kubectl-vapcheck/crd_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/textblock.h"
#include "controller/apiserver/crd/crdcost.h"

enum { COSTS_CAP_BYTES = 64 * 1024 };

struct crd_report_entry *crd_report_add(struct crd_report *r, const struct output_place *place)
{
    r->entries = mem_grow(r->entries, r->count, sizeof *r->entries);
    struct crd_report_entry *e = &r->entries[r->count++];
    *e = (struct crd_report_entry){.file = mem_strdup(place->file),
                                   .name = mem_strdup(output_name(place->root->json)),
                                   .document = place->document,
                                   .line = place->root->start.line};
    return e;
}

struct crd_report_line *crd_report_line_of(struct crd_report_entry *e, const struct output_place *place,
                                           const char *field, bool is_schema)
{
    struct crd_report_line *line = keymap_get(&e->by_field, field);
    if (line != NULL)
        return line;
    line = mem_zalloc(sizeof *line);
    line->field = mem_strdup(field);
    line->where = output_where(place, field);
    frame_init(&line->frame, place->yaml, line->where, line->where);
    line->is_schema = is_schema;
    keymap_put(&e->by_field, field, line);
    e->lines = mem_grow(e->lines, e->count, sizeof(void *));
    return e->lines[e->count++] = line;
}

static uint64_t limit_of(const struct crd_report_line *line)
{
    return line->is_schema ? CRDCOST_TOTAL_LIMIT : cel_place_cost_limit(CEL_PLACE_RULE);
}

bool crd_report_is_over(const struct crd_report *r, const struct crd_report_line *line)
{
    for (size_t i = 0; i < r->n_versions; i++) {
        if (line->costs[i].is_known && line->costs[i].cost > limit_of(line))
            return true;
    }
    return false;
}

/* ---- text ---- */

static bool is_same(const struct crd_report_cost *a, const struct crd_report_cost *b)
{
    return a->is_known == b->is_known && a->cost == b->cost && a->has_moved == b->has_moved &&
           a->moved == b->moved;
}

/* "12.3 % of WHAT", "35 billion times WHAT". */
static void add_share(struct buf *b, uint64_t cost, uint64_t limit, const char *what)
{
    static const struct {
        double least;
        const char *word;
    } words[] = {
        {1e12, " million million"}, {1e9, " billion"}, {1e6, " million"}, {1e3, " thousand"}, {0, ""}};
    const double times = (double)cost / (double)limit;
    size_t i = 0;
    if (cost <= limit) {
        buf_printf(b, "%.1f %% of %s", times * 100, what);
        return;
    }
    while (times < words[i].least)
        i++;
    const double shown = i + 1 < sizeof words / sizeof *words ? times / words[i].least : times;
    buf_printf(b, "%.*f%s times %s", shown < 10 ? 1 : 0, shown, words[i].word, what);
}

static void add_amount(struct buf *b, uint64_t cost)
{
    if (cost == UINT64_MAX)
        buf_puts(b, "more than can be counted");
    else
        buf_printf(b, "%" PRIu64, cost);
}

static void add_cost(struct buf *b, const struct crd_report_line *line, const struct crd_report_cost *c)
{
    if (!c->is_known) {
        buf_puts(b, "not estimated: \"kubectl vapcheck check\" says why");
        return;
    }
    add_amount(b, c->cost);
    buf_puts(b, ", ");
    if (!line->is_schema) {
        add_share(b, c->cost, cel_place_cost_limit(CEL_PLACE_RULE), "a rule's budget");
        buf_puts(b, ", ");
    }
    add_share(b, c->cost, CRDCOST_TOTAL_LIMIT, "the schema's");
    if (c->has_moved) {
        buf_puts(b, "; ");
        add_amount(b, c->moved);
        buf_puts(b, " with the bounds of allOf beside it");
    }
}

/* Versions that follow each other and say the same stand in one row. The caller frees it. */
static char *describe_costs(const struct crd_report *r, const struct crd_report_line *line)
{
    struct buf rows;
    buf_init(&rows, COSTS_CAP_BYTES);
    for (size_t from = 0, to; from < r->n_versions; from = to + 1) {
        to = from;
        while (to + 1 < r->n_versions && is_same(&line->costs[from], &line->costs[to + 1]))
            to++;
        buf_printf(&rows, "%s%s%s%s: ", from == 0 ? "" : "\n", r->versions[from]->kube_version,
                   to > from ? "-" : "", to > from ? r->versions[to]->kube_version : "");
        add_cost(&rows, line, &line->costs[from]);
    }
    return buf_take(&rows, NULL);
}

/* Prints an estimate that the server would refuse as a finding. */
static void print_over(const struct crd_report *r, const struct crd_report_entry *e,
                       const struct crd_report_line *line)
{
    cleanup_mem char *costs = describe_costs(r, line), *object = mem_printf("CRD %s", e->name);
    (void)textblock_print(
        &(struct textblock){.severity = FINDING_ERROR,
                            .id = FINDING_REFUSED,
                            .title = line->is_schema ? "all rules of the schema together are too expensive"
                                                     : "the rule is too expensive",
                            .file = e->file,
                            .at = line->where,
                            .object = object,
                            .field = line->field,
                            .frame = line->frame.line == NULL ? NULL : &line->frame,
                            .fix = line->hint,
                            .why = costs},
        &r->style, stdout);
    print_line(stdout, "%s", "");
}

static void print_cheap(const struct crd_report *r, const struct crd_report_entry *e,
                        const struct crd_report_line *line)
{
    cleanup_mem char *costs = describe_costs(r, line);
    print_line(stdout, "%s:%u:%u: CRD %s, %s%s", e->file, line->where.line, line->where.column, e->name,
               line->field, line->is_schema ? ": all rules" : "");
    for (char *at = costs, *end; at != NULL; at = end) {
        end = strchr(at, '\n');
        if (end != NULL)
            *end++ = '\0';
        print_line(stdout, "  %s", at);
    }
}

static void print_bound(const struct crd_report *r, const struct crd_report_entry *e,
                        const struct crd_report_bound *b)
{
    cleanup_mem char *object = mem_printf("CRD %s", e->name);
    cleanup_mem char *title = mem_printf(
        "%s: %" PRId64 " stands only in allOf, where the API server does not count it", b->keyword, b->bound);
    (void)textblock_print(&(struct textblock){.severity = FINDING_NOTE,
                                              .id = FINDING_COUNT,
                                              .title = title,
                                              .file = e->file,
                                              .at = b->where,
                                              .object = object,
                                              .field = b->field,
                                              .frame = b->frame.line == NULL ? NULL : &b->frame,
                                              .fix = "put it beside allOf"},
                          &r->style, stdout);
    print_line(stdout, "%s", "");
}

/* *has_rows: rows stand right above, from which a finding is set off by an empty line. */
static void print_entry(const struct crd_report *r, const struct crd_report_entry *e, bool *has_rows)
{
    for (size_t i = 0; i < e->count; i++) {
        const bool is_over = crd_report_is_over(r, e->lines[i]);
        if (is_over && *has_rows)
            print_line(stdout, "%s", "");
        if (is_over)
            print_over(r, e, e->lines[i]);
        else
            print_cheap(r, e, e->lines[i]);
        *has_rows = !is_over;
    }
    if (e->n_bounds > 0 && *has_rows)
        print_line(stdout, "%s", "");
    *has_rows = *has_rows && e->n_bounds == 0;
    for (size_t i = 0; i < e->n_bounds; i++)
        print_bound(r, e, &e->bounds[i]);
    if (e->is_partial)
        print_line(stdout, "%s:%zu: CRD %s: not estimated to its end: it is too large", e->file, e->line,
                   e->name);
    *has_rows = *has_rows || e->is_partial;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

void crd_report_text(const struct crd_report *r)
{
    size_t n_rules = 0, rules_over = 0, schemas_over = 0;
    bool has_rows = false;
    for (size_t i = 0; i < r->count; i++) {
        print_entry(r, &r->entries[i], &has_rows);
        for (size_t k = 0; k < r->entries[i].count; k++) {
            const struct crd_report_line *line = r->entries[i].lines[k];
            n_rules += !line->is_schema;
            rules_over += !line->is_schema && crd_report_is_over(r, line);
            schemas_over += line->is_schema && crd_report_is_over(r, line);
        }
    }
    print_part(stdout, "%zu CRD%s, %zu expression%s: %zu over a rule's budget, %zu schema%s over a schema's",
               r->count, plural(r->count), n_rules, plural(n_rules), rules_over, schemas_over,
               plural(schemas_over));
    if (r->n_skipped > 0)
        print_part(stdout, "; %zu other object%s skipped", r->n_skipped, plural(r->n_skipped));
    if (output_is_suppressed(&r->suppressed)) {
        cleanup_mem char *text = output_describe_suppressed(&r->suppressed);
        print_part(stdout, "; %s", text);
    }
    const size_t n_errors = jsonval_length(r->errors);
    if (n_errors > 0)
        print_part(stdout, "; %zu error%s", n_errors, plural(n_errors));
    print_line(stdout, "%s", "");
}

/* ---- json ---- */

static void add_text(struct json_object *o, const char *key, const char *text)
{
    jsonval_set(o, key, json_object_new_string(text));
}

static void add_place(struct json_object *o, struct yaml_place where)
{
    jsonval_set(o, "line", json_object_new_int64((int64_t)where.line));
    jsonval_set(o, "column", json_object_new_int64((int64_t)where.column));
}

static void put_share(struct json_object *o, const char *key, uint64_t cost, uint64_t limit)
{
    jsonval_set(o, key, json_object_new_double((double)cost / (double)limit));
}

static struct json_object *describe_cost(const struct crd_report_line *line, const struct crd_report_cost *c,
                                         const char *version)
{
    struct json_object *o = json_object_new_object();
    add_text(o, "kubeVersion", version);
    jsonval_set(o, "cost", c->is_known ? json_object_new_uint64(c->cost) : NULL);
    if (!c->is_known)
        return o;
    if (!line->is_schema)
        put_share(o, "shareOfRuleBudget", c->cost, cel_place_cost_limit(CEL_PLACE_RULE));
    put_share(o, "shareOfSchemaBudget", c->cost, CRDCOST_TOTAL_LIMIT);
    if (c->has_moved)
        jsonval_set(o, "costWithBoundsMoved", json_object_new_uint64(c->moved));
    return o;
}

static struct json_object *describe_line(const struct crd_report *r, const struct crd_report_line *line)
{
    struct json_object *o = json_object_new_object(), *costs = json_object_new_array();
    add_text(o, "field", line->field);
    add_place(o, line->where);
    for (size_t i = 0; i < r->n_versions; i++)
        jsonval_append(costs, describe_cost(line, &line->costs[i], r->versions[i]->kube_version));
    jsonval_set(o, "costs", costs);
    jsonval_set(o, "isOverBudget", json_object_new_boolean(crd_report_is_over(r, line)));
    return o;
}

static struct json_object *describe_entry(const struct crd_report *r, const struct crd_report_entry *e)
{
    struct json_object *o = json_object_new_object(), *rules = json_object_new_array(),
                       *schemas = json_object_new_array(), *bounds = json_object_new_array();
    add_text(o, "file", e->file);
    jsonval_set(o, "document", json_object_new_int64((int64_t)e->document));
    jsonval_set(o, "line", json_object_new_int64((int64_t)e->line));
    add_text(o, "name", e->name);
    for (size_t i = 0; i < e->count; i++)
        jsonval_append(e->lines[i]->is_schema ? schemas : rules, describe_line(r, e->lines[i]));
    for (size_t i = 0; i < e->n_bounds; i++) {
        struct json_object *b = json_object_new_object();
        add_text(b, "field", e->bounds[i].field);
        add_place(b, e->bounds[i].where);
        add_text(b, "keyword", e->bounds[i].keyword);
        jsonval_set(b, "bound", json_object_new_int64(e->bounds[i].bound));
        jsonval_append(bounds, b);
    }
    jsonval_set(o, "rules", rules);
    jsonval_set(o, "schemas", schemas);
    jsonval_set(o, "boundsInAllOf", bounds);
    jsonval_set(o, "isComplete", json_object_new_boolean(!e->is_partial));
    return o;
}

void crd_report_json(const struct crd_report *r)
{
    struct json_object *all = json_object_new_object(), *results = json_object_new_array(),
                       *versions = json_object_new_array();
    for (size_t i = 0; i < r->n_versions; i++)
        jsonval_append(versions, json_object_new_string(r->versions[i]->kube_version));
    for (size_t i = 0; i < r->count; i++)
        jsonval_append(results, describe_entry(r, &r->entries[i]));
    jsonval_set(all, "version", json_object_new_int(1));
    jsonval_set(all, "kubeVersions", versions);
    jsonval_set(all, "ruleBudget", json_object_new_uint64(cel_place_cost_limit(CEL_PLACE_RULE)));
    jsonval_set(all, "schemaBudget", json_object_new_uint64(CRDCOST_TOTAL_LIMIT));
    jsonval_set(all, "results", results);
    jsonval_set(all, "errors", r->errors == NULL ? json_object_new_array() : json_object_get(r->errors));
    if (output_is_suppressed(&r->suppressed))
        jsonval_set(all, "suppressed", output_json_suppressed(&r->suppressed));
    output_print_json(all);
}

void crd_report_deinit(struct crd_report *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct crd_report_entry *e = &r->entries[i];
        for (size_t k = 0; k < e->count; k++) {
            mem_free(e->lines[k]->field);
            mem_free(e->lines[k]->hint);
            frame_deinit(&e->lines[k]->frame);
            mem_free(e->lines[k]);
        }
        for (size_t k = 0; k < e->n_bounds; k++) {
            mem_free(e->bounds[k].field);
            frame_deinit(&e->bounds[k].frame);
        }
        mem_free(e->lines);
        mem_free(e->bounds);
        keymap_deinit(&e->by_field, NULL);
        mem_free(e->file);
        mem_free(e->name);
    }
    mem_free(r->entries);
    json_object_put(r->errors);
    *r = (struct crd_report){0};
}
