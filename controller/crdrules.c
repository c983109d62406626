#include "controller/crdrules.h"

#include <string.h>

#include "client/jsonval.h"
#include "client/mem.h"
#include "controller/crdbounds.h"
#include "controller/crdcost.h"
#include "controller/crdfieldpath.h"
#include "controller/crdinvariants.h"
#include "controller/crdnode.h"
#include "controller/crdstructural.h"
#include "controller/gotext.h"
#include "typecheck/escape.h"
#include "typecheck/rule.h"

#define RULES "x-kubernetes-validations"

/* Memory of one version's schema; the largest that clusters take have 10,000 nodes or so. */
#define SCHEMA_ARENA_BYTES ((size_t)256 * 1024 * 1024)

static const char *const reasons[] = {"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid",
                                      "FieldValueRequired", NULL};

/* How a place hangs on its parent. */
enum way { WAY_ROOT, WAY_PROPERTY, WAY_ITEMS, WAY_ADDITIONAL };

/* A place that data can stand at; rules under not, allOf and the like have none. */
struct place {
    const struct place *parent;
    enum way way;
    const char *property; /* WAY_PROPERTY */
    struct structural *node;
    bool is_ruled;    /* there are rules here or above */
    bool is_bounded;  /* by the bounds of all above */
    uint64_t at_most; /* how often data stands here, then */
};

/* What self is at a place. */
struct self {
    bool is_failed;
    const struct selftype *type; /* NULL: none */
};

/* One version's check. */
struct walk {
    const struct env *env;
    struct arena arena;
    struct fielderrors schema_errors, cel_errors;
    bool is_hopeless; /* some schema cannot be made a structural one */
    struct crdcost cost;
    struct crdrules *out;
};

/* Where the walk is. */
struct here {
    struct json_object *schema;
    const char *field;
    const char *uncorrelatable; /* the outermost place above whose data of old cannot be found; NULL: none */
    const struct place *place;  /* NULL: none */
    struct crdnode_place meta;
};

/* What one evaluation of an expression, times how often it can be evaluated, takes at most. */
struct cost {
    const struct place *place;
    const struct rule *rule;
    const char *field; /* of the rule */
    bool is_message;
    uint64_t value;
};

static void walk(struct walk *w, const struct here *here);

static struct str text_of(struct json_object *entry, const char *key)
{
    struct json_object *value = jsonval_get(entry, key);
    const char *text = jsonval_text(value);
    return text == NULL ? STR("") : (struct str){text, (size_t)json_object_get_string_len(value)};
}

static bool has_line_break(struct str s)
{
    return s.len > 0 && (memchr(s.at, '\n', s.len) != NULL || memchr(s.at, '\r', s.len) != NULL);
}

/* ---- what is wrong with a rule before it is compiled ---- */

static void check_message(struct walk *w, struct json_object *rule, const char *field)
{
    struct str text = gotext_trimmed(text_of(rule, "rule")), message = text_of(rule, "message"),
               plain = gotext_trimmed(message);
    if (text.len == 0)
        fielderrors_add(&w->schema_errors, fielderrors_required("rule is not specified"), "%s.rule", field);
    else if (message.len > 0 && plain.len == 0)
        fielderrors_add(&w->schema_errors,
                        fielderrors_invalid_bytes(message.at, message.len, "must be non-empty if specified"),
                        "%s.message", field);
    else if (has_line_break(plain))
        fielderrors_add(&w->schema_errors,
                        fielderrors_invalid_bytes(message.at, message.len, "must not contain line breaks"),
                        "%s.message", field);
    else if (has_line_break(text) && plain.len == 0)
        fielderrors_add(&w->schema_errors,
                        fielderrors_required("message must be specified if rule contains line breaks"),
                        "%s.message", field);
}

static bool is_reason(struct json_object *reason)
{
    for (size_t i = 0; reasons[i] != NULL; i++) {
        if (strcmp(json_object_get_string(reason), reasons[i]) == 0)
            return true;
    }
    return false;
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
        fielderrors_add(&w->schema_errors, fielderrors_invalid_bytes(path.at, path.len, problems[i]),
                        "%s.fieldPath", field);
}

static void check_fields(struct walk *w, const struct here *here, struct json_object *rule, const char *field)
{
    struct str message = text_of(rule, "messageExpression");
    struct json_object *reason = jsonval_get(rule, "reason");
    check_message(w, rule, field);
    if (message.len > 0 && gotext_trimmed(message).len == 0)
        fielderrors_add(&w->schema_errors,
                        fielderrors_required("messageExpression must be non-empty if specified"),
                        "%s.messageExpression", field);
    if (reason != NULL && !is_reason(reason))
        fielderrors_add(&w->schema_errors, fielderrors_unsupported(&w->out->refusals, reason, reasons),
                        "%s.reason", field);
    check_path(w, here, text_of(rule, "fieldPath"), field);
}

/* ---- types and bounds ---- */

/* From the parent's type where that has one for the place, else from the schema by itself. */
static struct self self_at(struct walk *w, const struct place *place)
{
    const struct place *parent = place->parent;
    struct self above = {0};
    if (parent != NULL && parent->is_ruled) {
        above = self_at(w, parent);
        if (above.is_failed)
            return above;
        if (above.type != NULL && place->way == WAY_PROPERTY) {
            struct str name;
            if (escape_name(&w->arena, str_of(place->property), &name))
                above.type = selftype_field(above.type, name);
            else
                above.type = NULL;
            if (above.type != NULL)
                return above;
        } else if (place->way != WAY_PROPERTY) {
            above.type = above.type == NULL ? NULL : above.type->element;
            return above;
        }
    }
    above.type = selftype_derive(&w->arena, place->node);
    above.is_failed = above.type == NULL;
    return above;
}

/* The bound that the place's own schema sets what it contains; false: there is none. */
static bool bound_of(const struct structural *node, struct json_object *schema, uint64_t *most)
{
    const struct structural_bound *bound = NULL;
    *most = 1;
    if (str_eq(node->type, STR("object")) && jsonval_get(schema, "additionalProperties") != NULL)
        bound = &node->max_properties;
    else if (str_eq(node->type, STR("array")))
        bound = &node->max_items;
    if (bound == NULL)
        return true;
    *most = bound->value < 0 ? 0 : (uint64_t)bound->value;
    return bound->is_set;
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t answer;
    return __builtin_mul_overflow(a, b, &answer) ? UINT64_MAX : answer;
}

static struct place inside(const struct here *here, struct structural *node, enum way way,
                           const char *property)
{
    const struct place *parent = here->place;
    struct place p = {.parent = parent, .way = way, .property = property, .node = node};
    uint64_t most;
    p.is_bounded = bound_of(parent->node, here->schema, &most) && parent->is_bounded;
    p.at_most = product(parent->at_most, most);
    p.is_ruled = parent->is_ruled;
    return p;
}

/* ---- what is wrong with compiled rules ---- */

/* A rule as the server shows it: with every field of its Go type. */
static struct json_object *shown(struct json_object *rule)
{
    static const struct {
        const char *name, *key;
        bool is_pointer;
    } fields[] = {
        {"Rule", "rule", false},
        {"Message", "message", false},
        {"MessageExpression", "messageExpression", false},
        {"Reason", "reason", true},
        {"FieldPath", "fieldPath", false},
        {"OptionalOldSelf", "optionalOldSelf", true},
    };
    struct json_object *o = json_object_new_object();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct json_object *value = jsonval_get(rule, fields[i].key);
        if (value != NULL)
            json_object_get(value);
        else if (!fields[i].is_pointer)
            value = json_object_new_string("");
        json_object_object_add(o, fields[i].name, value);
    }
    return o;
}

static void add_problem(struct walk *w, struct json_object *rule, struct str problem, const char *field,
                        const char *member)
{
    if (problem.len == 0)
        return;
    cleanup_json struct json_object *value = shown(rule);
    cleanup_mem char *detail = mem_strndup(problem.at, problem.len);
    fielderrors_add(
        &w->cel_errors,
        fielderrors_invalid_json(&w->out->refusals, value, "apiextensions.ValidationRule", detail), "%s.%s",
        field, member);
}

/* Which bound would help. */
static char *hint_for(struct walk *w, const struct place *place, const struct rule *rule, bool is_message)
{
    size_t len = 0;
    for (const struct place *p = place; p != NULL; p = p->parent)
        len++;
    struct crdbounds_step *way = mem_array(len, sizeof *way);
    struct crdbounds_question question = {.env = w->env,
                                          .rule = *rule,
                                          .is_message = is_message,
                                          .limit = CRDCOST_RULE_LIMIT,
                                          .way = way,
                                          .way_len = len};
    for (const struct place *p = place; p != NULL; p = p->parent)
        way[--len] =
            (struct crdbounds_step){p->node, p->way == WAY_ROOT       ? mem_strdup("")
                                             : p->way == WAY_PROPERTY ? mem_printf(".%s", p->property)
                                                                      : mem_strdup("[*]")};
    char *hint = crdbounds_hint(&w->arena, &question);
    for (size_t i = 0; i < question.way_len; i++)
        mem_free(way[i].label);
    mem_free(way);
    return hint;
}

static void add_cost(struct walk *w, const struct cost *cost)
{
    cleanup_mem char *at = mem_printf("%s.%s", cost->field, cost->is_message ? "messageExpression" : "rule");
    const char *what = cost->is_message ? "estimated messageExpression cost" : "estimated rule cost";
    if (cost->value > CRDCOST_RULE_LIMIT) {
        fielderrors_add(&w->cel_errors, crdcost_message(what, cost->value, CRDCOST_RULE_LIMIT), "%s", at);
        fielderrors_hint(&w->cel_errors, hint_for(w, cost->place, cost->rule, cost->is_message));
    }
    crdcost_add(&w->cost, at, cost->value);
}

static void check_old_self(struct walk *w, const struct here *here, struct json_object *rule, bool is_used,
                           const char *field)
{
    static const struct fielderrors newest = {0}; /* a boolean is the same to all */
    struct json_object *optional = jsonval_get(rule, "optionalOldSelf");
    struct str text = text_of(rule, "rule");
    if (is_used && here->uncorrelatable != NULL) {
        cleanup_mem char *detail =
            mem_printf("oldSelf cannot be used on the uncorrelatable portion of the schema within %s",
                       here->uncorrelatable);
        fielderrors_add(&w->cel_errors, fielderrors_invalid_bytes(text.at, text.len, detail), "%s.rule",
                        field);
    } else if (!is_used && optional != NULL) {
        fielderrors_add(
            &w->cel_errors,
            fielderrors_invalid_json(&newest, optional, "", "may not be set if oldSelf is not used in rule"),
            "%s.optionalOldSelf", field);
    }
}

static void add_result(struct walk *w, const struct here *here, size_t index, const struct rule *compiled,
                       const struct rule_result *r, uint64_t times)
{
    struct json_object *rule = jsonval_at(jsonval_array(here->schema, RULES), index);
    cleanup_mem char *field = mem_printf("%s." RULES "[%zu]", here->field, index);
    struct cost cost = {here->place, compiled, field, false, product(r->cost, times)};
    struct cost message = {here->place, compiled, field, true, r->message_cost};
    add_cost(w, &cost);
    add_problem(w, rule, r->problem, field, "rule");
    add_problem(w, rule, r->message_problem, field, "messageExpression");
    if (r->has_message)
        add_cost(w, &message);
    check_old_self(w, here, rule, r->uses_old_self, field);
}

static void compile_all(struct walk *w, const struct here *here, const struct selftype *self,
                        struct json_object *list)
{
    size_t count = jsonval_length(list);
    struct rule *rules = mem_array(count + 1, sizeof *rules);
    struct rule_results results;
    uint64_t times = here->place->is_bounded ? here->place->at_most : selftype_cardinality(self);
    for (size_t i = 0; i < count; i++) {
        struct json_object *rule = jsonval_at(list, i);
        rules[i] = (struct rule){text_of(rule, "rule"), text_of(rule, "messageExpression"),
                                 jsonval_is_true(rule, "optionalOldSelf")};
    }
    rule_compile(w->env, self, rules, count, &results);
    w->out->n_unchecked += count - results.done;
    for (size_t i = 0; i < results.done; i++)
        add_result(w, here, i, &rules[i], &results.items[i], times);
    rule_results_deinit(&results);
    mem_free(rules);
}

static void compile_here(struct walk *w, const struct here *here, struct json_object *list)
{
    struct self self = self_at(w, here->place);
    const char *problem = self.is_failed
                              ? "internal error: failed to construct type information for "
                                "x-kubernetes-validations rules: unable to convert structural schema "
                                "to CEL declarations"
                          : self.type == NULL ? "failed to convert to declType for CEL validation rules"
                                              : NULL;
    if (problem != NULL)
        fielderrors_add(&w->cel_errors, fielderrors_internal(problem), "%s." RULES, here->field);
    else
        compile_all(w, here, self.type, list);
}

static void check_rules(struct walk *w, const struct here *here, size_t errors_before)
{
    struct json_object *list = jsonval_array(here->schema, RULES);
    for (size_t i = 0; i < jsonval_length(list); i++) {
        cleanup_mem char *field = mem_printf("%s." RULES "[%zu]", here->field, i);
        check_fields(w, here, jsonval_at(list, i), field);
    }
    w->out->n_rules += jsonval_length(list);
    /* what is wrong with the schema here or below makes rules unreadable */
    if (jsonval_length(list) > 0 && here->place != NULL && w->schema_errors.count == errors_before)
        compile_here(w, here, list);
}

/* ---- the walk ---- */

static bool is_text(struct json_object *schema, const char *key, const char *wanted)
{
    return strcmp(jsonval_string_or_empty(schema, key), wanted) == 0;
}

static void enter(struct walk *w, const struct here *here, struct json_object *schema, const char *field,
                  bool is_correlatable, const struct crdnode_place *meta, struct place *place)
{
    struct here next = {.schema = schema,
                        .field = field,
                        .uncorrelatable = here->uncorrelatable,
                        .place = place,
                        .meta = *meta};
    if (!json_object_is_type(schema, json_type_object))
        return;
    if (!is_correlatable && next.uncorrelatable == NULL)
        next.uncorrelatable = here->field;
    if (place != NULL)
        place->is_ruled = place->is_ruled || jsonval_length(jsonval_array(schema, RULES)) > 0;
    walk(w, &next);
}

static void walk_additional(struct walk *w, const struct here *here)
{
    struct json_object *schema = jsonval_get(here->schema, "additionalProperties");
    cleanup_mem char *field = mem_printf("%s.additionalProperties", here->field);
    struct crdnode_place meta = here->meta;
    struct place place = {0};
    if (meta.is_in_meta)
        meta.no_defaults = "inside additionalProperties applying to object metadata";
    if (!json_object_is_type(schema, json_type_object))
        return;
    if (here->place != NULL)
        place = inside(here, here->place->node->additional, WAY_ADDITIONAL, NULL);
    enter(w, here, schema, field, true, &meta, here->place == NULL ? NULL : &place);
}

static void walk_items(struct walk *w, const struct here *here)
{
    struct json_object *schema = jsonval_get(here->schema, "items");
    cleanup_mem char *field = mem_printf("%s.items", here->field);
    struct place place = {0};
    if (!json_object_is_type(schema, json_type_object))
        return;
    if (here->place != NULL)
        place = inside(here, here->place->node->items, WAY_ITEMS, NULL);
    enter(w, here, schema, field, is_text(here->schema, "x-kubernetes-list-type", "map"), &here->meta,
          here->place == NULL ? NULL : &place);
}

static struct structural *find_node(const struct structural *node, const char *name)
{
    for (size_t i = 0; i < node->property_count; i++) {
        if (str_eq(node->properties[i].name, str_of(name)))
            return node->properties[i].node;
    }
    return NULL;
}

/* What every resource has, at the root without defaults. */
static struct crdnode_place property_meta(const struct here *here, const char *name)
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

static void walk_properties(struct walk *w, const struct here *here)
{
    struct json_object *properties = jsonval_get(here->schema, "properties");
    bool is_correlatable = jsonval_get(here->schema, "x-kubernetes-map-type") == NULL ||
                           is_text(here->schema, "x-kubernetes-map-type", "granular") ||
                           is_text(here->schema, "x-kubernetes-map-type", "atomic");
    if (!json_object_is_type(properties, json_type_object))
        return;
    json_object_object_foreach(properties, name, schema)
    {
        cleanup_mem char *field = mem_printf("%s.properties[%s]", here->field, name);
        struct crdnode_place meta = property_meta(here, name);
        struct place place = {0};
        if (!json_object_is_type(schema, json_type_object))
            continue;
        if (here->place != NULL)
            place = inside(here, find_node(here->place->node, name), WAY_PROPERTY, name);
        enter(w, here, schema, field, is_correlatable, &meta, here->place == NULL ? NULL : &place);
    }
}

/* Rules in there are not compiled, only looked at. */
static void walk_logic(struct walk *w, const struct here *here)
{
    static const char *const keys[] = {"allOf", "oneOf", "anyOf"};
    cleanup_mem char *not_field = mem_printf("%s.not", here->field);
    enter(w, here, jsonval_get(here->schema, "not"), not_field, true, &here->meta, NULL);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct json_object *list = jsonval_array(here->schema, keys[i]);
        for (size_t j = 0; j < jsonval_length(list); j++) {
            cleanup_mem char *field = mem_printf("%s.%s[%zu]", here->field, keys[i], j);
            enter(w, here, jsonval_at(list, j), field, true, &here->meta, NULL);
        }
    }
}

/* Recurses as deep as the JSON is. */
static void walk(struct walk *w, const struct here *here)
{
    size_t errors_before = w->schema_errors.count;
    if (!crdnode_check(here->schema, here->field, &here->meta, &w->out->refusals, &w->schema_errors))
        w->is_hopeless = true;
    walk_additional(w, here);
    walk_properties(w, here);
    walk_logic(w, here);
    walk_items(w, here);
    check_rules(w, here, errors_before);
}

/* ---- versions ---- */

static void check_schema(struct crdrules *out, const struct env *env, struct json_object *schema,
                         const char *field)
{
    struct walk w = {.env = env, .out = out};
    if (!json_object_is_type(schema, json_type_object))
        return;
    arena_init(&w.arena, SCHEMA_ARENA_BYTES);
    if (setjmp(w.arena.escape) == 0) {
        struct place root = {
            .node = crdstructural_read(&w.arena, schema, true), .is_bounded = true, .at_most = 1};
        struct here here = {.schema = schema, .field = field, .place = &root};
        root.is_ruled = jsonval_length(jsonval_array(schema, RULES)) > 0;
        walk(&w, &here);
    } else {
        out->n_unchecked++;
    }
    arena_deinit(&w.arena);
    /* of a schema that is not structural the server compiles no rule */
    size_t errors_before = out->refusals.count;
    if (!w.is_hopeless)
        crdinvariants_check(schema, field, &out->refusals);
    bool is_compiled = !w.is_hopeless && out->refusals.count == errors_before;
    fielderrors_take(&out->refusals, &w.schema_errors);
    if (is_compiled) {
        fielderrors_take(&out->refusals, &w.cel_errors);
        crdcost_finish(&w.cost, field, &out->refusals);
    }
    fielderrors_deinit(&w.cel_errors);
    crdcost_deinit(&w.cost);
}

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

static bool has_rules(struct json_object *value)
{
    if (jsonval_length(jsonval_array(value, RULES)) > 0)
        return true;
    for (size_t i = 0; json_object_is_type(value, json_type_array) && i < jsonval_length(value); i++) {
        if (has_rules(jsonval_at(value, i)))
            return true;
    }
    if (!json_object_is_type(value, json_type_object))
        return false;
    json_object_object_foreach(value, key, member)
    {
        (void)key;
        if (has_rules(member))
            return true;
    }
    return false;
}

bool crdrules_any(struct json_object *definition)
{
    return has_rules(jsonval_get(jsonval_get(definition, "spec"), "versions"));
}

void crdrules_check(struct json_object *definition, const struct env *env, struct crdrules *out)
{
    struct json_object *versions = jsonval_array(jsonval_get(definition, "spec"), "versions");
    size_t count = is_shared(versions) && jsonval_length(versions) > 0 ? 1 : jsonval_length(versions);
    for (size_t i = 0; i < count; i++) {
        struct json_object *schema =
            jsonval_get(jsonval_get(jsonval_at(versions, i), "schema"), "openAPIV3Schema");
        cleanup_mem char *field = is_shared(versions)
                                      ? mem_strdup("spec.validation.openAPIV3Schema")
                                      : mem_printf("spec.versions[%zu].schema.openAPIV3Schema", i);
        check_schema(out, env, schema, field);
    }
}

void crdrules_deinit(struct crdrules *found)
{
    fielderrors_deinit(&found->refusals);
}
