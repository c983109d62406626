#include "controller/apiserver/crd/crdrules.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/base/pool.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdchild.h"
#include "controller/apiserver/crd/crdcost.h"
#include "controller/apiserver/crd/crdfieldpath.h"
#include "controller/apiserver/crd/crdinvariants.h"
#include "controller/apiserver/crd/crdnode.h"
#include "controller/apiserver/crd/crdsite.h"
#include "controller/apiserver/crd/crdstructural.h"
#include "controller/apiserver/crd/crdversion.h"
#include "controller/apiserver/crd/crdwork.h"
#include "controller/apiserver/validation/gotext.h"
#include "typecheck/schema.h"

#define RULES CRDSITE_RULES

#define MAX_HINT_STEPS ((uint64_t)5 * 1000 * 1000)
#define MAX_STEPS      (CRDRULES_MAX_STEPS - MAX_HINT_STEPS)
#define MAX_TEXT_BYTES ((size_t)8 * 1024 * 1024)

static const char *const reasons[] = {"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid",
                                      "FieldValueRequired", NULL};

/* One version's check. */
struct walk {
    struct crdwork *work;
    struct fielderrors schema_errors, cel_errors;
    size_t n_paid;    /* schema_errors whose text was paid for */
    bool is_hopeless; /* some schema cannot be made a structural one */
    struct crdcost cost;
    struct crdrules *out;
    struct schema *schema; /* the schema's graph; NULL if it would be too large */
    struct pool places;    /* they stay as long as the version is checked */
    struct crdsite *sites; /* in the order of the server's answer */
    size_t site_count;
    size_t n_unread; /* rules that the server does not compile either */
};

struct crdrules_run {
    struct json_object *versions;
    const struct env *env;
    struct crdrules *out;
    struct crdwork work, hints;
    size_t version_count, version; /* the one that is next, or under way */
    bool is_shared, is_open, is_over;
    bool is_read, is_refused; /* the structural schema is read; its refusals are added */
    struct walk walk;         /* the walk over the version under way */
    size_t site, rule;        /* the next to compile */
    size_t n_looked_at;       /* rules, in all versions */
};

/* The place of the walk. */
struct here {
    struct json_object *schema;
    const char *field;
    const char *uncorrelatable; /* the outermost place above whose data of old cannot be found; NULL: none */
    /* The place of data that the schema is about; NULL where data cannot stand. */
    const struct crdplace *place;
    struct crdnode_place meta;
};

static void walk(struct walk *w, const struct here *here);

static bool has_line_break(struct str s)
{
    return s.len > 0 && (memchr(s.at, '\n', s.len) != NULL || memchr(s.at, '\r', s.len) != NULL);
}

/* ---- faults of a rule before it is compiled ---- */

/* The words of servers before 1.34 name the member. */
static void add_invalid(struct walk *w, const char *field, const char *member, struct str value,
                        const char *detail)
{
    bool is_old = !fielderrors_server(&w->schema_errors).shows_json;
    cleanup_mem char *full = mem_printf("%s%s%s", is_old ? member : "", is_old ? " " : "", detail);
    fielderrors_add(&w->schema_errors, fielderrors_invalid_bytes(value.at, value.len, full), "%s.%s", field,
                    member);
}

static void check_message(struct walk *w, struct json_object *rule, const char *field)
{
    struct str text = gotext_trimmed(gotext_member(rule, "rule")), message = gotext_member(rule, "message"),
               plain = gotext_trimmed(message);
    if (text.len == 0)
        fielderrors_add(&w->schema_errors, fielderrors_required("rule is not specified"), "%s.rule", field);
    else if (message.len > 0 && plain.len == 0)
        add_invalid(w, field, "message", message, "must be non-empty if specified");
    else if (has_line_break(plain))
        add_invalid(w, field, "message", message, "must not contain line breaks");
    else if (has_line_break(text) && plain.len == 0)
        fielderrors_add(&w->schema_errors,
                        fielderrors_required("message must be specified if rule contains line breaks"),
                        "%s.message", field);
}

static void check_path(struct walk *w, const struct here *here, struct str path, const char *field)
{
    const char *problems[3];
    size_t count = 0;
    if (path.len == 0)
        return;
    if (gotext_trimmed(path).len == 0)
        problems[count++] = "must be non-empty if specified";
    if (has_line_break(path))
        problems[count++] = "must not contain line breaks";
    if (!crdfieldpath_is_valid(here->schema, path))
        problems[count++] = "must be a valid path";
    for (size_t i = 0; i < count; i++)
        add_invalid(w, field, "fieldPath", path, problems[i]);
}

static void check_fields(struct walk *w, const struct here *here, struct json_object *rule, const char *field)
{
    struct str message = gotext_member(rule, "messageExpression");
    struct json_object *reason = jsonval_get(rule, "reason");
    check_message(w, rule, field);
    if (message.len > 0 && gotext_trimmed(message).len == 0)
        fielderrors_add(&w->schema_errors,
                        fielderrors_required("messageExpression must be non-empty if specified"),
                        "%s.messageExpression", field);
    if (reason != NULL && !fielderrors_is_choice(json_object_get_string(reason), reasons))
        fielderrors_add(&w->schema_errors, fielderrors_unsupported(&w->schema_errors, reason, reasons),
                        "%s.reason", field);
    check_path(w, here, gotext_member(rule, "fieldPath"), field);
}

/* ---- types and bounds ---- */

/* Sets *most to the bound that the place's own schema sets for its items; returns false if there is none. */
static bool bound_of(const struct schema *s, uint32_t node, struct json_object *schema, uint64_t *most)
{
    const struct schema_place *place = &s->places[node];
    int64_t bound = 1;
    if (s->nodes[node].type == JSON_OBJECT && jsonval_get(schema, "additionalProperties") != NULL)
        bound = place->max_properties;
    else if (s->nodes[node].type == JSON_ARRAY)
        bound = place->max_items;
    *most = bound == SCHEMA_UNBOUNDED ? 0 : (uint64_t)bound;
    return bound != SCHEMA_UNBOUNDED;
}

static const struct crdplace *keep(struct walk *w, struct crdplace place)
{
    struct crdplace *kept = pool_alloc(&w->places, sizeof *kept);
    *kept = place;
    return kept;
}

/* The child's node in the version's schema; 0: it has none. Properties come in the order of the text, and
 * *property is the node of the next one. */
static uint32_t node_of(const struct walk *w, const struct crdplace *place, const struct crdchild *child,
                        uint32_t *property)
{
    const uint32_t node = *property;
    if (child->way == CRDCHILD_ITEMS)
        return w->schema->nodes[place->node].items;
    if (child->way == CRDCHILD_ADDITIONAL)
        return w->schema->nodes[place->node].additional;
    *property = w->schema->places[node].next_property;
    return node;
}

/* Returns the place of data of the child, or NULL where data cannot stand. */
static const struct crdplace *place_of(struct walk *w, const struct here *here, const struct crdchild *child,
                                       uint32_t *property)
{
    const struct crdplace *above = here->place;
    uint64_t most;
    if (above == NULL || child->way >= CRDCHILD_NOT)
        return NULL;
    struct crdplace p = {.parent = above, .property = child->name};
    p.node = node_of(w, above, child, property);
    p.is_bounded = bound_of(w->schema, above->node, here->schema, &most) && above->is_bounded;
    p.at_most = crdcost_product(above->at_most, most);
    p.is_ruled = above->is_ruled || jsonval_length(jsonval_array(child->schema, RULES)) > 0;
    return keep(w, p);
}

/* ---- the walk ---- */

/* Returns true if the old data of a child can be found: the server evaluates transition rules only there. */
static bool is_correlatable(const struct here *here, enum crdchild_way way)
{
    static const char key[] = "x-kubernetes-map-type";
    if (way == CRDCHILD_ITEMS)
        return jsonval_is(here->schema, "x-kubernetes-list-type", "map");
    return way != CRDCHILD_PROPERTY || jsonval_get(here->schema, key) == NULL ||
           jsonval_is(here->schema, key, "granular") || jsonval_is(here->schema, key, "atomic");
}

/* The fields that every resource has; at the root they have no defaults. */
static struct crdnode_place meta_of_property(const struct here *here, const char *name)
{
    static const struct {
        const char *name, *no_defaults;
    } fields[] = {{"metadata", "in top-level metadata"},
                  {"kind", "in top-level kind"},
                  {"apiVersion", "in top-level apiVersion"}};
    bool is_root = here->place != NULL && here->place->parent == NULL;
    struct crdnode_place meta = here->meta;
    if (!is_root && !jsonval_is_true(here->schema, "x-kubernetes-embedded-resource"))
        return meta;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name) != 0)
            continue;
        meta.is_in_meta = true;
        if (is_root)
            meta.no_defaults = fields[i].no_defaults;
    }
    return meta;
}

static struct crdnode_place meta_of(const struct here *here, const struct crdchild *child)
{
    struct crdnode_place meta = here->meta;
    if (child->way == CRDCHILD_PROPERTY)
        return meta_of_property(here, child->name);
    if (child->way == CRDCHILD_ADDITIONAL && meta.is_in_meta)
        meta.no_defaults = "inside additionalProperties applying to object metadata";
    return meta;
}

/* Rules in logic are not compiled, only looked at. */
static void walk_below(struct walk *w, const struct here *here)
{
    static const enum crdchild_way ways[] = {CRDCHILD_ADDITIONAL, CRDCHILD_PROPERTY, CRDCHILD_NOT,
                                             CRDCHILD_ALL_OF,     CRDCHILD_ONE_OF,   CRDCHILD_ANY_OF,
                                             CRDCHILD_ITEMS,      CRDCHILD_END};
    uint32_t property = here->place == NULL ? 0 : w->schema->places[here->place->node].first_property;
    struct crdchild child = crdchild_in(here->schema, ways);
    while (crdchild_next(&child)) {
        if (!json_object_is_type(child.schema, json_type_object))
            continue;
        cleanup_mem char *field = crdchild_field(&child, here->field);
        struct here next = {.schema = child.schema,
                            .field = field,
                            .uncorrelatable = here->uncorrelatable,
                            .place = place_of(w, here, &child, &property),
                            .meta = meta_of(here, &child)};
        if (next.uncorrelatable == NULL && !is_correlatable(here, child.way))
            next.uncorrelatable = here->field;
        walk(w, &next);
    }
}

static void keep_site(struct walk *w, const struct here *here)
{
    if (!crdwork_pay_text(w->work, sizeof(struct crdsite) + 2 * strlen(here->field)))
        return;
    w->sites = mem_grow(w->sites, w->site_count, sizeof *w->sites);
    w->sites[w->site_count++] =
        (struct crdsite){here->schema, mem_strdup(here->field),
                         here->uncorrelatable == NULL ? NULL : mem_strdup(here->uncorrelatable), here->place};
}

/* Their fields are looked at here; they are compiled once the walk is over. */
static void check_rules(struct walk *w, const struct here *here, size_t errors_before)
{
    struct json_object *list = jsonval_array(here->schema, RULES);
    for (size_t i = 0; i < jsonval_length(list) && crdwork_pay(w->work, 1); i++) {
        cleanup_mem char *field = mem_printf("%s." RULES "[%zu]", here->field, i);
        check_fields(w, here, jsonval_at(list, i), field);
    }
    w->out->n_rules += jsonval_length(list);
    /* a fault of the schema here or below makes rules unreadable */
    if (jsonval_length(list) > 0 && here->place != NULL && w->schema_errors.count == errors_before)
        keep_site(w, here);
    else
        w->n_unread += jsonval_length(list);
}

/* Recurses as deep as the JSON is. */
static void walk(struct walk *w, const struct here *here)
{
    size_t errors_before = w->schema_errors.count;
    if (!crdwork_pay_errors(w->work, &w->schema_errors, &w->n_paid) || !crdwork_enter(w->work, here->field))
        return;
    if (!crdnode_check(here->schema, here->field, &here->meta, w->work, &w->schema_errors))
        w->is_hopeless = true;
    walk_below(w, here);
    check_rules(w, here, errors_before);
}

/* ---- versions ---- */

/* The server's name of the schema: if all versions share it, the server writes as if there were one
 * version. */
static char *field_of(const struct crdrules_run *run)
{
    return run->is_shared ? mem_strdup("spec.validation.openAPIV3Schema") : crdversion_field(run->version);
}

static struct json_object *schema_of(const struct crdrules_run *run)
{
    return crdversion_schema(jsonval_at(run->versions, run->version));
}

/* Everything but the rules themselves and what makes the schema structural. */
static void open_version(struct crdrules_run *run)
{
    struct json_object *schema = schema_of(run);
    struct walk *w = &run->walk;
    const struct fielderrors none = {.minor = run->out->refusals.minor};
    *w = (struct walk){.work = &run->work,
                       .out = run->out,
                       .schema_errors = none,
                       .cel_errors = none,
                       .cost = {.keeps_all = run->out->costs != NULL}};
    if (!json_object_is_type(schema, json_type_object)) {
        run->version++;
        return;
    }
    run->is_open = true;
    run->site = run->rule = 0;
    run->is_read = run->is_refused = false;
    const struct schema_definition definition = crdstructural_in(none.minor);
    w->schema = crdstructural_read(schema, &definition);
    run->work.is_exhausted = run->work.is_exhausted || w->schema == NULL;
}

/* Leaves the rules to compile. */
static void read_version(struct crdrules_run *run)
{
    struct walk *w = &run->walk;
    struct json_object *schema = schema_of(run);
    struct crdplace root = {.node = w->schema->root, .is_bounded = true, .at_most = 1};
    run->is_read = true;
    cleanup_mem char *field = field_of(run);
    root.is_ruled = jsonval_length(jsonval_array(schema, RULES)) > 0;
    struct here here = {.schema = schema, .field = field, .place = keep(w, root)};
    walk(w, &here);
    run->n_looked_at += w->n_unread;
}

/* Adds the refusals in the order of the server's answer. */
static void add_refusals(struct crdrules_run *run)
{
    struct walk *w = &run->walk;
    struct fielderrors *refusals = &run->out->refusals;
    cleanup_mem char *field = field_of(run);
    run->is_refused = true;
    /* the server compiles no rule of a schema that is not structural */
    size_t errors_before = refusals->count;
    if (!w->is_hopeless)
        crdinvariants_check(schema_of(run), field, &run->work, refusals);
    bool is_compiled = !w->is_hopeless && refusals->count == errors_before;
    fielderrors_take(refusals, &w->schema_errors);
    if (is_compiled) {
        fielderrors_take(refusals, &w->cel_errors);
        crdcost_finish(&w->cost, field, refusals);
    }
    if (run->out->costs != NULL)
        crdcosts_take(run->out->costs, &w->cost, field, is_compiled);
}

static void close_version(struct crdrules_run *run)
{
    struct walk *w = &run->walk;
    for (size_t i = 0; i < w->site_count; i++) {
        mem_free(w->sites[i].field);
        mem_free(w->sites[i].uncorrelatable);
    }
    mem_free(w->sites);
    pool_deinit(&w->places);
    schema_free(w->schema);
    fielderrors_deinit(&w->schema_errors);
    fielderrors_deinit(&w->cel_errors);
    crdcost_deinit(&w->cost);
    run->is_open = false;
    run->version++;
}

static void compile_next(struct crdrules_run *run)
{
    struct walk *w = &run->walk;
    const struct crdsite *site = &w->sites[run->site];
    struct crdsite_run sites = {.env = run->env,
                                .schema = w->schema,
                                .work = &run->work,
                                .hints = &run->hints,
                                .errors = &w->cel_errors,
                                .cost = &w->cost};
    if (crdsite_compile(&sites, site, run->rule))
        run->n_looked_at++;
    if (++run->rule == jsonval_length(jsonval_array(site->schema, RULES))) {
        run->rule = 0;
        run->site++;
    }
}

/* ---- the definition ---- */

/* A schema that all versions have in common is the definition's own to the server. */
static bool is_shared(struct json_object *versions)
{
    struct json_object *first = jsonval_get(jsonval_at(versions, 0), "schema");
    for (size_t i = 1; i < jsonval_length(versions); i++) {
        struct json_object *other = jsonval_get(jsonval_at(versions, i), "schema");
        if (first == NULL ? other != NULL : json_object_equal(first, other) == 0)
            return false;
    }
    return true;
}

/* The number of rules below, counted until there are `most`. Recurses as deep as the JSON is. */
static size_t count_rules(struct json_object *value, size_t most)
{
    size_t count = 0;
    if (json_object_is_type(value, json_type_array)) {
        for (size_t i = 0; count < most && i < jsonval_length(value); i++)
            count += count_rules(jsonval_at(value, i), most - count);
        return count;
    }
    jsonval_each(value, key, member)
    {
        if (*key == *RULES && strcmp(key, RULES) == 0)
            count += jsonval_length(member);
        if (count >= most)
            return count;
        count += count_rules(member, most - count);
    }
    return count;
}

bool crdrules_any(struct json_object *definition)
{
    return count_rules(jsonval_get(jsonval_get(definition, "spec"), "versions"), 1) > 0;
}

struct crdrules_run *crdrules_start(struct json_object *definition, const struct env *env,
                                    struct crdrules *out)
{
    struct crdrules_run *run = mem_zalloc(sizeof *run);
    struct json_object *versions = jsonval_array(jsonval_get(definition, "spec"), "versions");
    *run = (struct crdrules_run){.versions = versions,
                                 .env = env,
                                 .out = out,
                                 .work = {.left = MAX_STEPS, .text_left = MAX_TEXT_BYTES},
                                 .hints = {.left = MAX_HINT_STEPS}};
    run->is_shared = is_shared(versions);
    run->version_count = run->is_shared && jsonval_length(versions) > 0 ? 1 : jsonval_length(versions);
    return run;
}

/* Rules that were not looked at count as a limit; those that were not reached are counted, too. */
static void finish(struct crdrules_run *run)
{
    struct crdrules *out = run->out;
    size_t all = 0;
    for (size_t i = 0; run->work.is_exhausted && i < run->version_count; i++)
        all += count_rules(jsonval_at(run->versions, i), SIZE_MAX);
    if (all > out->n_rules)
        out->n_rules = all;
    out->n_unchecked = out->n_rules - run->n_looked_at;
    if (run->work.is_exhausted && out->n_unchecked == 0)
        out->n_unchecked = 1;
    run->is_over = true;
}

/* Does one unit of work. */
static void go_on(struct crdrules_run *run)
{
    if (run->is_open && !run->work.is_exhausted && !run->is_read) {
        read_version(run);
    } else if (run->is_open && !run->work.is_exhausted && run->site < run->walk.site_count) {
        compile_next(run);
    } else if (run->is_open && !run->is_refused) {
        add_refusals(run);
    } else if (run->is_open) {
        close_version(run);
    } else if (run->version < run->version_count && !run->work.is_exhausted) {
        open_version(run);
    } else {
        finish(run);
    }
}

bool crdrules_step(struct crdrules_run *run, uint64_t steps)
{
    uint64_t before = crdrules_steps(run);
    do
        go_on(run);
    while (!run->is_over && crdrules_steps(run) - before < steps);
    return !run->is_over;
}

uint64_t crdrules_steps(const struct crdrules_run *run)
{
    return MAX_STEPS - run->work.left + MAX_HINT_STEPS - run->hints.left;
}

void crdrules_end(struct crdrules_run *run)
{
    if (run->is_open)
        close_version(run);
    mem_free(run);
}

void crdrules_check(struct json_object *definition, const struct env *env, struct crdrules *out)
{
    struct crdrules_run *run = crdrules_start(definition, env, out);
    while (crdrules_step(run, UINT64_MAX)) {
    }
    crdrules_end(run);
}

void crdrules_deinit(struct crdrules *found)
{
    fielderrors_deinit(&found->refusals);
}
