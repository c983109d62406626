#include "typecheck/policy/crdrules/rule_tree.h"

#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/interpreter/functions/strings.h"
#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/schema/crd_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/policy/crdrules/crd_error.h"
#include "typecheck/policy/crdrules/custom_value.h"

#define RULES STR("x-kubernetes-validations")

enum { DEPTH = 1000 };
#define RULES_MAX_STEPS ((uint64_t)100 * 1000 * 1000)

/* The compiler's place: in the JSON, and in the graph (0: not there). */
struct here {
    const struct value *schema;
    uint32_t node;
    struct str at; /* below the schema: "properties[spec]." */
    bool is_root;
    unsigned depth;
};

/* ---- rules ---- */

static bool add_plan(struct rule_tree *t, const struct cel_place_compiled *program, struct plan *out)
{
    struct str why;
    if (!program->compiles ||
        plan_make(t->arena, t->env, &program->expression->ast, program->checked, out, &why) == PLAN_READY)
        return program->compiles;
    if (t->missing.len == 0)
        t->missing = why;
    return false;
}

static void add_rule(struct rule_tree *t, struct rule_tree_node *place, const struct here *here, size_t i,
                     const struct value *json, const struct crd_rule_compiled *compiled)
{
    struct arena *a = t->arena;
    struct rule_tree_rule *rule = &place->rules[i];
    *rule = (struct rule_tree_rule){
        .at = str_format(a, "%.*sx-kubernetes-validations[%zu].rule", STR_ARG(here->at), i),
        .text = custom_value_text(a, json, STR("rule")),
        .message = custom_value_text(a, json, STR("message")),
        .reason = custom_value_text(a, json, STR("reason")),
        .field = crd_error_field(a, here->schema, custom_value_text(a, json, STR("fieldPath"))),
        .has_optional_old_self = custom_value_flag(a, json, STR("optionalOldSelf")),
        .uses_old_self = compiled->rule->uses_old_self,
        .index = t->rule_count++};
    if (compiled->rule->problem.text.len != 0 && t->missing.len == 0)
        t->missing = str_join(a, STR_PARTS(rule->at, STR(": "), compiled->rule->problem.text));
    rule->is_ready = add_plan(t, compiled->rule, &rule->plan);
    if (add_plan(t, compiled->message, &rule->message_plan))
        rule->message_expression = custom_value_text(a, json, STR("messageExpression"));
    place->uses_old_self = place->uses_old_self || rule->uses_old_self;
}

static struct crd_rule read_rule(struct arena *a, const struct value *json)
{
    struct str text = custom_value_text(a, json, STR("rule"));
    return (struct crd_rule){strings_trim_space(a, text).len == 0 ? STR("") : text,
                             custom_value_text(a, json, STR("messageExpression")),
                             custom_value_flag(a, json, STR("optionalOldSelf"))};
}

static void compile_rules(struct rule_tree *t, struct rule_tree_node *place, const struct here *here,
                          const struct value_list *list)
{
    struct arena *a = t->arena;
    const struct crd_type self = {.schema = t->doc, .node = here->node};
    struct crd_rule_compiled *compiled = ARENA_ARRAY(a, list->count, struct crd_rule_compiled);
    if (!crd_type_is_exposed(&self))
        return;
    struct crd_type *kept = ARENA_NEW(a, struct crd_type); /* the compiler refers to it */
    *kept = self;
    compiler_init(&place->compiler, &(struct cel_place_scope){.env = t->env, .self = kept}, RULES_MAX_STEPS);
    place->compiled_before = t->compiled;
    t->compiled = place;
    for (size_t i = 0; i < list->count; i++) {
        const struct crd_rule rule = read_rule(a, list->items[i]);
        if (!crd_rule_compile(&place->compiler, &rule, &compiled[i])) {
            t->missing = STR("vapcheck does not evaluate rules that take so much work");
            return;
        }
    }
    place->rules = ARENA_ARRAY(a, list->count, struct rule_tree_rule);
    place->rule_count = list->count;
    for (size_t i = 0; i < list->count; i++)
        add_rule(t, place, here, i, list->items[i], &compiled[i]);
}

/* ---- places ---- */

static struct rule_tree_node *compile(struct rule_tree *t, const struct here *here);

static struct rule_tree_node *compile_child(struct rule_tree *t, const struct here *here, struct str keyword,
                                            uint32_t node)
{
    const struct here below = {.schema = custom_value_member(t->arena, here->schema, keyword),
                               .node = node & SCHEMA_NODE_MASK,
                               .at = str_join(t->arena, STR_PARTS(here->at, keyword, STR("."))),
                               .depth = here->depth + 1};
    return below.schema == NULL || below.schema->kind != VALUE_MAP || node == 0 ? NULL : compile(t, &below);
}

static uint32_t find_property(const struct rule_tree *t, uint32_t node, struct str key)
{
    const struct schema_place *places = t->doc->places;
    uint32_t at = places[node].first_property;
    while (at != 0 && !str_eq(str_of(t->doc->strings + places[at].key), key)) {
        arena_step(t->arena);
        at = places[at].next_property;
    }
    return at;
}

static void compile_properties(struct rule_tree *t, struct rule_tree_node *place, const struct here *here)
{
    const struct value *properties = custom_value_member(t->arena, here->schema, STR("properties"));
    struct rule_tree_node **end = &place->properties;
    const size_t count = properties == NULL || properties->kind != VALUE_MAP ? 0 : properties->map->count;
    for (size_t i = 0; i < count; i++) {
        const struct value_entry *e = &properties->map->entries[i];
        const struct here below = {
            .schema = e->value,
            .node = find_property(t, here->node, e->key->text),
            .at = str_join(t->arena, STR_PARTS(here->at, STR("properties["), e->key->text, STR("]."))),
            .depth = here->depth + 1};
        struct rule_tree_node *child = below.node == 0 ? NULL : compile(t, &below);
        if (child == NULL)
            continue;
        child->key = e->key->text;
        *end = child;
        end = &child->next;
    }
}

static bool has_rules(struct rule_tree *t, const struct value *schema, unsigned depth)
{
    bool has = custom_value_member(t->arena, schema, RULES) != NULL;
    arena_step(t->arena);
    if (depth > DEPTH)
        arena_fail(t->arena, ARENA_STEPS);
    for (size_t i = 0; !has && schema->kind == VALUE_MAP && i < schema->map->count; i++)
        has = has_rules(t, schema->map->entries[i].value, depth + 1);
    for (size_t i = 0; !has && schema->kind == VALUE_LIST && i < schema->list->count; i++)
        has = has_rules(t, schema->list->items[i], depth + 1);
    return has;
}

/* Compiles the rules here and below; NULL if there are none. */
static struct rule_tree_node *compile(struct rule_tree *t, const struct here *here)
{
    struct arena *a = t->arena;
    struct rule_tree_node *place = ARENA_NEW(a, struct rule_tree_node);
    const struct schema_node *node = &t->doc->nodes[here->node];
    const struct value *rules = custom_value_member(a, here->schema, RULES),
                       *all = custom_value_member(a, here->schema, STR("allOf"));
    arena_step(a);
    if (here->depth > DEPTH)
        arena_fail(a, ARENA_STEPS);
    place->schema = here->schema;
    place->type = custom_value_text(a, here->schema, STR("type"));
    place->is_resource =
        here->is_root || custom_value_flag(a, here->schema, STR("x-kubernetes-embedded-resource"));
    if (all != NULL && has_rules(t, all, 0))
        t->missing = STR("vapcheck does not evaluate rules in allOf");
    if (rules != NULL && rules->kind == VALUE_LIST)
        compile_rules(t, place, here, rules->list);
    place->items = compile_child(t, here, STR("items"), node->items);
    place->additional = compile_child(t, here, STR("additionalProperties"), node->additional);
    compile_properties(t, place, here);
    const bool has_any = place->rule_count > 0 || place->items != NULL || place->additional != NULL ||
                         place->properties != NULL;
    return has_any ? place : NULL;
}

void rule_tree_compile(struct rule_tree *t, const struct value *schema)
{
    const struct here root = {.schema = schema, .node = t->doc->root, .at = STR(""), .is_root = true};
    t->root = compile(t, &root);
}

void rule_tree_free(struct rule_tree *t)
{
    for (struct rule_tree_node *place = t->compiled; place != NULL; place = place->compiled_before)
        compiler_deinit(&place->compiler);
}
