#include "controller/apiserver/crd/crdsite.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdbounds.h"
#include "controller/apiserver/validation/gotext.h"
#include "typecheck/crd.h"
#include "typecheck/schema.h"

/* Steps of one rule with its message: a rule that the API server takes, and that is not hostile, needs a
 * hundredth. */
#define RULE_STEPS ((uint64_t)1000 * 1000)

/* The type of self at a place. */
struct self {
    bool is_failed, is_exposed;
    struct crd_type type; /* if it is exposed */
};

/* One rule, compiled. */
struct compiled {
    struct crdsite_run *run;
    const struct crdsite *site;
    char *field;
    struct compiler compiler;
};

/* ---- types ---- */

static bool find_field(const struct crdsite_run *run, const struct crdplace *place, struct crd_type *type)
{
    const struct schema *schema = run->schema;
    return crd_type_field(*type, str_of(schema->strings + schema->places[place->node].name), type);
}

/* The type comes from the parent's type, if that has one for the place; else from the schema alone. */
static struct self self_at(const struct crdsite_run *run, const struct crdplace *place)
{
    const struct crdplace *parent = place->parent;
    bool is_property = place->property != NULL;
    struct self self = {.type = {.schema = run->schema, .node = place->node}};
    if (parent != NULL && parent->is_ruled) {
        struct self above = self_at(run, parent);
        if (above.is_failed)
            return above;
        if (above.is_exposed)
            above.is_exposed =
                is_property ? find_field(run, place, &above.type) : crd_type_element(above.type, &above.type);
        if (above.is_exposed || !is_property)
            return above;
    }
    self.is_exposed = crd_type_is_exposed(&self.type);
    self.is_failed = !self.is_exposed;
    return self;
}

/* ---- faults of a compiled rule ---- */

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
        jsonval_set(o, fields[i].name, value);
    }
    return o;
}

static void add_problem(const struct compiled *c, struct json_object *rule,
                        const struct compile_problem *problem, const char *member)
{
    if (problem->text.len == 0)
        return;
    cleanup_json struct json_object *value = shown(rule);
    fielderrors_add(c->run->errors,
                    fielderrors_invalid_json(c->run->errors, value, "apiextensions.ValidationRule", ""),
                    "%s.%s", c->field, member);
    fielderrors_compiled(c->run->errors, problem);
}

/* The bound that helps. */
static char *hint_for(struct compiled *c, const struct cel_place_compiled *compiled)
{
    struct crdbounds_question question = {.compiler = &c->compiler,
                                          .compiled = compiled,
                                          .schema = c->run->schema,
                                          .place = c->site->place,
                                          .work = c->run->hints};
    c->compiler.arena.max_steps = c->compiler.arena.steps + c->run->hints->left;
    return crdbounds_hint(&question);
}

static void add_cost(struct compiled *c, const struct cel_place_compiled *compiled, uint64_t cost,
                     const char *member)
{
    cleanup_mem char *at = mem_printf("%s.%s", c->field, member);
    static const struct crdcost_words of_rule = {"estimated rule cost", "this rule"},
                                      of_message = {"estimated messageExpression cost", "this message"};
    const uint64_t limit = cel_place_cost_limit(CEL_PLACE_RULE);
    if (cost > limit) {
        crdcost_refuse(c->run->errors, compiled->place == CEL_PLACE_RULE ? &of_rule : &of_message, cost,
                       limit, at);
        fielderrors_hint(c->run->errors, hint_for(c, compiled));
    }
    if (!c->run->cost->keeps_all || crdwork_pay_text(c->run->work, sizeof(struct crdcost_rule) + strlen(at)))
        crdcost_add(c->run->cost, at, cost, compiled->compiles);
}

static void check_old_self(const struct compiled *c, struct json_object *rule, bool is_used)
{
    static const struct fielderrors newest = {0}; /* a boolean is the same to all */
    struct json_object *optional = jsonval_get(rule, "optionalOldSelf");
    struct str text = gotext_member(rule, "rule");
    if (is_used && c->site->uncorrelatable != NULL) {
        cleanup_mem char *detail =
            mem_printf("oldSelf cannot be used on the uncorrelatable portion of the schema within %s",
                       c->site->uncorrelatable);
        fielderrors_add(c->run->errors, fielderrors_invalid_bytes(text.at, text.len, detail), "%s.rule",
                        c->field);
    } else if (!is_used && optional != NULL) {
        fielderrors_add(
            c->run->errors,
            fielderrors_invalid_json(&newest, optional, "", "may not be set if oldSelf is not used in rule"),
            "%s.optionalOldSelf", c->field);
    }
}

/* ---- the rule ---- */

/* Adds the cost of the rule times how often it can be evaluated, and its problems. */
static void add_result(struct compiled *c, struct json_object *rule, const struct crd_rule_compiled *found)
{
    const struct crdplace *place = c->site->place;
    uint64_t times = place->is_bounded ? place->at_most : crd_type_cardinality(c->compiler.scope.self);
    add_cost(c, found->rule, crdcost_product(found->rule->cost, times), "rule");
    add_problem(c, rule, &found->rule->problem, "rule");
    add_problem(c, rule, &found->message->problem, "messageExpression");
    if (found->message->compiles)
        add_cost(c, found->message, found->message->cost, "messageExpression");
    check_old_self(c, rule, found->rule->uses_old_self);
}

/* The text of what may be said about it: the rule, and what is wrong with it. */
static size_t text_len(struct json_object *rule, const struct crd_rule_compiled *found)
{
    return found->rule->problem.text.len + found->message->problem.text.len +
           gotext_member(rule, "rule").len + gotext_member(rule, "messageExpression").len;
}

static bool compile_rule(struct compiled *c, const struct crd_type *self, struct json_object *rule)
{
    struct crdwork *work = c->run->work;
    uint64_t most = work->left < RULE_STEPS ? work->left : RULE_STEPS;
    const struct crd_rule text = {gotext_member(rule, "rule"), gotext_member(rule, "messageExpression"),
                                  jsonval_is_true(rule, "optionalOldSelf")};
    struct crd_rule_compiled found;
    compiler_init(&c->compiler, &(struct cel_place_scope){.env = c->run->env, .self = self}, most);
    bool is_done = crd_rule_compile(&c->compiler, &text, &found);
    bool is_paid = crdwork_pay(work, c->compiler.arena.steps < most ? c->compiler.arena.steps : most);
    is_done = is_done && is_paid && crdwork_pay_text(work, text_len(rule, &found));
    if (is_done)
        add_result(c, rule, &found);
    compiler_deinit(&c->compiler);
    return is_done;
}

/* Adds the failure of the place, which does not depend on its rules: it is reported once. */
static void add_failure(struct crdsite_run *run, const struct crdsite *site, const struct self *self)
{
    const char *problem = self->is_failed
                              ? "internal error: failed to construct type information for "
                                "x-kubernetes-validations rules: unable to convert structural schema "
                                "to CEL declarations"
                              : "failed to convert to declType for CEL validation rules";
    fielderrors_add(run->errors, fielderrors_internal(problem), "%s." CRDSITE_RULES, site->field);
}

bool crdsite_compile(struct crdsite_run *run, const struct crdsite *site, size_t index)
{
    struct json_object *rule = jsonval_at(jsonval_array(site->schema, CRDSITE_RULES), index);
    if (!crdwork_pay(run->work, 1))
        return false;
    struct self self = self_at(run, site->place);
    if (!self.is_exposed) {
        if (index == 0)
            add_failure(run, site, &self);
        return true;
    }
    cleanup_mem char *field = mem_printf("%s." CRDSITE_RULES "[%zu]", site->field, index);
    struct compiled compiled = {.run = run, .site = site, .field = field};
    return compile_rule(&compiled, &self.type, rule);
}
