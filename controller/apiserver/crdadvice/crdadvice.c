#include "controller/apiserver/crdadvice/crdadvice.h"

#include "bytes/budget.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdchild.h"
#include "controller/apiserver/crd/crdsite.h"
#include "controller/apiserver/crd/crdversion.h"
#include "controller/apiserver/crdadvice/advicerule.h"
#include "controller/apiserver/crdadvice/constantadvice.h"
#include "controller/apiserver/crdadvice/readadvice.h"
#include "controller/apiserver/crdadvice/transitionadvice.h"

enum { READ_STEPS_MAX = 1000 * 1000 };

struct finder {
    struct advicetrial trial;
    struct advicelist *out;
    bool has_advice;
    bool wants_one; /* the first one is enough */
};

static bool is_done(const struct finder *f)
{
    return f->wants_one && f->out->count > 0;
}

static void look_at_rule(struct finder *f, const struct adviceplace *place, const char *path,
                         const struct str *rules, size_t count, size_t index)
{
    struct rule_reads reads;
    cleanup_mem char *name = mem_printf("%s." CRDSITE_RULES "[%zu].rule", path, index);
    const struct advicerule rule = {&f->trial, f->out, place, name + 1, rules[index], &reads, index};
    const bool is_read = rule_reads_init(&reads, f->trial.env, rules, count, index, READ_STEPS_MAX);
    budget_pay(&f->trial.left, reads.arena.steps);
    if (is_read)
        constantadvice_find(&rule);
    if (is_read && f->has_advice) {
        struct json_object *list = jsonval_array(place->schema, CRDSITE_RULES);
        readadvice_find(&rule);
        transitionadvice_find(&rule, jsonval_at(list, index));
    }
    rule_reads_deinit(&reads);
}

static void look_at_rules(struct finder *f, const struct adviceplace *place, const char *path)
{
    size_t count;
    if (jsonval_get(place->schema, CRDSITE_RULES) == NULL) /* nearly always */
        return;
    struct str *rules = adviceplace_rules(place, &count);
    for (size_t i = 0; i < count && f->trial.left > 0 && !is_done(f); i++)
        look_at_rule(f, place, path, rules, count, i);
    mem_free(rules);
}

/* path: of the schema below the version's, ".properties[spec]". Recurses as deep as ADVICEPLACE_DEPTH_MAX. */
static void walk(struct finder *f, const struct adviceplace *place, const char *path)
{
    static const enum crdchild_way data[] = {CRDCHILD_PROPERTY, CRDCHILD_ITEMS, CRDCHILD_ADDITIONAL,
                                             CRDCHILD_END};
    struct crdchild child = crdchild_in(place->schema, data);
    look_at_rules(f, place, path);
    while (!is_done(f) && crdchild_next(&child)) {
        const struct adviceplace below = {place, child.schema, child.name, place->depth + 1};
        if (!json_object_is_type(child.schema, json_type_object) || below.depth >= ADVICEPLACE_DEPTH_MAX)
            continue;
        cleanup_mem char *at = crdchild_field(&child, path);
        walk(f, &below, at);
    }
}

static void find(struct finder *f, struct json_object *definition)
{
    struct json_object *versions = jsonval_array(jsonval_get(definition, "spec"), "versions");
    for (; f->trial.version < jsonval_length(versions) && !is_done(f); f->trial.version++) {
        const struct adviceplace root = {.schema = crdversion_schema(jsonval_at(versions, f->trial.version))};
        if (json_object_is_type(root.schema, json_type_object))
            walk(f, &root, "");
    }
    advicetrial_deinit(&f->trial);
}

static struct advicetrial trial_of(struct json_object *definition, const struct env *env, int minor)
{
    return (struct advicetrial){
        .definition = definition, .env = env, .minor = minor, .left = CRDADVICE_MAX_STEPS};
}

void crdadvice_find(struct advicelist *out, struct json_object *definition, const struct env *env, int minor,
                    bool has_advice)
{
    struct finder f = {.trial = trial_of(definition, env, minor), .out = out, .has_advice = has_advice};
    find(&f, definition);
}

bool crdadvice_any(struct json_object *definition, const struct env *env, int minor, bool has_advice)
{
    struct advicelist found = {.count = 0};
    struct finder f = {.trial = trial_of(definition, env, minor),
                       .out = &found,
                       .has_advice = has_advice,
                       .wants_one = true};
    find(&f, definition);
    const bool is_any = found.count > 0;
    advicelist_deinit(&found);
    return is_any;
}
