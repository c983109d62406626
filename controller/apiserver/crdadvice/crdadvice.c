#include "controller/apiserver/crdadvice/crdadvice.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdsite.h"
#include "controller/apiserver/crdadvice/advicerule.h"
#include "controller/apiserver/crdadvice/constantadvice.h"
#include "controller/apiserver/crdadvice/readadvice.h"
#include "controller/apiserver/crdadvice/transitionadvice.h"

enum { READ_STEPS_MAX = 1000 * 1000 };

struct finder {
    struct advicetrial trial;
    struct advicelist *out;
    bool has_advice;
};

static void look_at_rule(struct finder *f, const struct adviceplace *place, const char *path,
                         const struct str *rules, size_t count, size_t index)
{
    struct rule_reads reads;
    cleanup_mem char *name =
        mem_printf("%s%s" CRDSITE_RULES "[%zu].rule", path, *path == '\0' ? "" : ".", index);
    const struct advicerule rule = {&f->trial, f->out, place, name, rules[index], &reads, index};
    const bool is_read = rule_reads_init(&reads, f->trial.env, rules, count, index, READ_STEPS_MAX);
    advicetrial_pay(&f->trial, reads.arena.steps);
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
    struct str *rules = adviceplace_rules(place, &count);
    for (size_t i = 0; i < count && f->trial.left > 0; i++)
        look_at_rule(f, place, path, rules, count, i);
    mem_free(rules);
}

static void walk(struct finder *f, const struct adviceplace *place, const char *path);

/* name: of the property, or of the keyword. */
static void walk_into(struct finder *f, const struct adviceplace *outer, struct json_object *schema,
                      const char *property, const char *path, const char *name)
{
    const struct adviceplace place = {outer, schema, property, outer->depth + 1};
    if (!json_object_is_type(schema, json_type_object) || place.depth >= ADVICEPLACE_DEPTH_MAX)
        return;
    cleanup_mem char *below =
        mem_printf(property == NULL ? "%s%s%s" : "%s%sproperties[%s]", path, *path == '\0' ? "" : ".", name);
    walk(f, &place, below);
}

/* Recurses as deep as ADVICEPLACE_DEPTH_MAX. */
static void walk(struct finder *f, const struct adviceplace *place, const char *path)
{
    static const char *const keywords[] = {"items", "additionalProperties"};
    look_at_rules(f, place, path);
    jsonval_each(jsonval_get(place->schema, "properties"), name, schema)
    {
        walk_into(f, place, schema, name, path, name);
    }
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        walk_into(f, place, jsonval_get(place->schema, keywords[i]), NULL, path, keywords[i]);
}

void crdadvice_find(struct advicelist *out, struct json_object *definition, const struct env *env, int minor,
                    bool has_advice)
{
    struct json_object *versions = jsonval_array(jsonval_get(definition, "spec"), "versions");
    struct finder f = {
        .trial = {.definition = definition, .env = env, .minor = minor, .left = CRDADVICE_MAX_STEPS},
        .out = out,
        .has_advice = has_advice};
    for (; f.trial.version < jsonval_length(versions); f.trial.version++) {
        struct json_object *schema = jsonval_get(jsonval_at(versions, f.trial.version), "schema");
        const struct adviceplace root = {.schema = jsonval_get(schema, "openAPIV3Schema")};
        if (json_object_is_type(root.schema, json_type_object))
            walk(&f, &root, "");
    }
    advicetrial_deinit(&f.trial);
}
