/*
 * rule_tree: the places of a definition's schema that have rules, or have such places below them, with their
 * rules ready to be evaluated.
 *
 *     struct rule_tree tree = {.arena = a, .env = env, .doc = schema};
 *     rule_tree_compile(&tree, schema_json);
 *     ... tree.root, tree.missing
 *     rule_tree_free(&tree);
 */
#ifndef TYPECHECK_POLICY_CRDRULES_RULE_TREE_H
#define TYPECHECK_POLICY_CRDRULES_RULE_TREE_H

#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/interpreter/values/value.h"
#include "typecheck/policy/crdrules/crd_rule.h"

struct rule_tree_rule {
    struct str at; /* below the schema: "properties[spec].x-kubernetes-validations[0].rule" */
    struct str text, message, reason;
    struct str message_expression; /* empty: there is none, or it does not compile */
    struct str field;              /* the part that fieldPath adds to the path of the place */
    bool has_optional_old_self, uses_old_self;
    bool is_ready; /* there is a plan; the rule is not empty */
    struct plan plan, message_plan;
    size_t index; /* among all rules */
};

struct rule_tree_node {
    const struct value *schema;
    struct str type, key; /* key: of a property */
    bool is_resource;
    struct rule_tree_rule *rules;
    size_t rule_count;
    bool uses_old_self;                                            /* one of the rules does */
    struct rule_tree_node *items, *additional, *properties, *next; /* next: of the same object */
    struct compiler compiler;                                      /* holds the rules */
    struct rule_tree_node *compiled_before;                        /* of all that have a compiler */
};

struct rule_tree {
    struct arena *arena;
    const struct env *env;
    const struct schema *doc;
    struct rule_tree_node *root; /* the place of the whole resource; NULL if there are no rules */
    struct rule_tree_node *compiled;
    size_t rule_count;
    struct str missing; /* the thing that this evaluator lacks */
};

/* schema: the JSON of the schema, as json_value_read reads it. */
void rule_tree_compile(struct rule_tree *tree, const struct value *schema);
void rule_tree_free(struct rule_tree *tree);

#endif
