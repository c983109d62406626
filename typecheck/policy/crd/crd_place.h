/*
 * crd_place: the places of a definition's schema that have rules, or have such places below them, with their
 * rules ready to be evaluated.
 *
 *     struct crd_places places = {.arena = a, .env = env, .doc = schema};
 *     crd_place_compile(&places, schema_json);
 *     ... places.root, places.missing
 *     crd_place_free(&places);
 */
#ifndef TYPECHECK_POLICY_CRD_CRD_PLACE_H
#define TYPECHECK_POLICY_CRD_CRD_PLACE_H

#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/interpreter/values/value.h"
#include "typecheck/policy/crd/crd_rule.h"

struct crd_place_rule {
    struct str at; /* below the schema: "properties[spec].x-kubernetes-validations[0].rule" */
    struct str text, message, reason;
    struct str message_expression; /* empty: there is none, or it does not compile */
    struct str field;              /* the part that fieldPath adds to the path of the place */
    bool has_optional_old_self, uses_old_self;
    bool is_ready; /* there is a plan; the rule is not empty */
    struct plan plan, message_plan;
    size_t index; /* among all rules */
};

struct crd_place {
    const struct value *schema;
    struct str type, key; /* key: of a property */
    bool is_resource;
    struct crd_place_rule *rules;
    size_t rule_count;
    bool uses_old_self;                                       /* one of the rules does */
    struct crd_place *items, *additional, *properties, *next; /* next: of the same object */
    struct compiler compiler;                                 /* holds the rules */
    struct crd_place *compiled_before;                        /* of all that have a compiler */
};

struct crd_places {
    struct arena *arena;
    const struct env *env;
    const struct schema *doc;
    struct crd_place *root; /* NULL: there are no rules */
    struct crd_place *compiled;
    size_t rule_count;
    struct str missing; /* the thing that this evaluator lacks */
};

/* schema: the JSON of the schema, as json_value_read reads it. */
void crd_place_compile(struct crd_places *places, const struct value *schema);
void crd_place_free(struct crd_places *places);

#endif
