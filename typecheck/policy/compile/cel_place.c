#include "typecheck/policy/compile/cel_place.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/cost/cost.h"
#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/schema/crd_type.h"
#include "typecheck/cel/syntax/selection.h"
#include "typecheck/cel/types/admission_types.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/cel/types/mutation_types.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/compile/expression_compile.h"

/* ---- variables ---- */

static size_t declare_roots(enum cel_place place, const struct cel_place_scope *s, struct variable *out)
{
    return root_variables_of(s->roots, (enum policy_place)place, out);
}

static size_t declare_self(enum cel_place place, const struct cel_place_scope *s, struct variable *out)
{
    const struct type *self = crd_type_type(s->types, s->self, STR("selfType"));
    (void)place;
    out[0] = (struct variable){.name = STR("self"), .type = self, .anonymous = true, .from_schema = self};
    out[1] = (struct variable){.name = STR("oldSelf"),
                               .type = s->has_optional_old_self ? types_optional(s->types, self) : self,
                               .anonymous = true};
    return 2;
}

static size_t declare_claims(enum cel_place place, const struct cel_place_scope *s, struct variable *out)
{
    const struct type *claims = types_map(s->types, &type_string, &type_any);
    (void)place;
    *out = (struct variable){.name = STR("claims"), .type = claims, .from_schema = claims};
    return 1;
}

static size_t declare_user(enum cel_place place, const struct cel_place_scope *s, struct variable *out)
{
    (void)place;
    *out = (struct variable){.name = STR("user"), .type = admission_types_user_type(s->types)};
    return 1;
}

static size_t declare_access_review(enum cel_place place, const struct cel_place_scope *s,
                                    struct variable *out)
{
    const bool has_selectors = env_kubernetes(s->env)->authorizes_selectors;
    (void)place;
    *out = (struct variable){.name = STR("request"),
                             .type = admission_types_access_review_type(s->types, has_selectors)};
    return 1;
}

static size_t declare_device(enum cel_place place, const struct cel_place_scope *s, struct variable *out)
{
    const struct type *device =
        admission_types_device_type(s->types, kubernetes_in(s->minor).has_multiple_allocations);
    (void)place;
    *out = (struct variable){.name = STR("device"), .type = device, .from_schema = device};
    return 1;
}

/* ---- what is read of an expression without issues ---- */

static void find_old_self(struct arena *a, struct cel_place_compiled *c)
{
    (void)a;
    for (size_t i = 0; i <= c->expression->ast.max_id && !c->uses_old_self; i++)
        c->uses_old_self = str_eq(c->checked->names[i], STR("oldSelf"));
}

/* claims.NAME, claims.?NAME or has(claims.NAME) */
static bool is_claim(const struct node *n, struct str name)
{
    struct str field = STR("");
    const bool is_dot = n->kind == NODE_SELECT || n->op == AST_OPTIONAL_SELECT;
    const struct node *operand = is_dot ? selection_field(n, &field) : NULL;
    return operand != NULL && operand->kind == NODE_IDENT && str_eq(operand->ident, STR("claims")) &&
           str_eq(field, name);
}

/* Recurses as deep as expressions nest. */
static void find_claims_below(struct arena *a, const struct node *n, struct cel_place_compiled *c)
{
    const struct node *child;
    arena_step(a);
    c->uses_email = c->uses_email || is_claim(n, STR("email"));
    c->uses_email_verified = c->uses_email_verified || is_claim(n, STR("email_verified"));
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++)
        find_claims_below(a, child, c);
}

static void find_claims(struct arena *a, struct cel_place_compiled *c)
{
    if (c->compiles)
        find_claims_below(a, c->expression->ast.root, c);
}

/* ---- wrappers and costs ---- */

static bool takes_none(const struct cel_place_scope *s)
{
    (void)s;
    return false;
}

static bool device_takes_wrappers(const struct cel_place_scope *s)
{
    return kubernetes_in(s->minor).takes_bool_wrappers;
}

static struct sizes sizes_of_self(const struct cel_place_scope *s)
{
    return sizes_of_crd(s->self);
}

static struct sizes sizes_of_selector(const struct cel_place_scope *s)
{
    (void)s;
    return sizes_of_device();
}

/* ---- the table ---- */

struct row {
    size_t (*declare)(enum cel_place place, const struct cel_place_scope *s, struct variable *out);
    /* The types that a result may have, up to NULL; if the first is NULL, any type. */
    const struct type *results[3];
    const struct type *(*made_result)(struct types *ts);     /* not NULL: it makes the one result */
    bool (*takes_wrappers)(const struct cel_place_scope *s); /* of a result; NULL: always */
    struct str words[EXPRESSION_HAS_NO_PROGRAM + 1];         /* by failure; a detail follows */
    struct str brief; /* what old servers say of a wrong type; empty: the same */
    /* Makes the environment of the place; NULL for that of the scope. */
    const struct env *(*env)(const struct env *env);
    void (*find)(struct arena *a, struct cel_place_compiled *c); /* what else is to be known; NULL: nothing */
    struct sizes (*sizes)(const struct cel_place_scope *s);      /* of the variables, for the cost */
    uint64_t cost_limit;
    bool hides_type;  /* no detail follows where the result has a wrong type */
    bool is_internal; /* that there is no program is an internal error */
};

/* The words of most places; only those for a result of a wrong type differ. */
#define SAYS(wrong_type)                                                                                     \
    .words = {[EXPRESSION_HAS_ISSUES] = STR_INIT("compilation failed: "),                                    \
              [EXPRESSION_HAS_WRONG_TYPE] = STR_INIT(wrong_type),                                            \
              [EXPRESSION_HAS_NO_PROGRAM] = STR_INIT("program instantiation failed: ")}
#define OF_POLICY(result)                                                                                    \
    .declare = declare_roots, SAYS("must evaluate to " result " but got "),                                  \
    .brief = STR_INIT("must evaluate to " result), .is_internal = true

/*
 * The sources: k8s.io/apiserver/pkg/admission/plugin/cel (compile.go, composition.go),
 * k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel (compilation.go), pkg/authentication/cel and
 * pkg/authorization/cel of k8s.io/apiserver (compile.go), and k8s.io/dynamic-resource-allocation/cel, with
 * the feature gates of Kubernetes 1.34 and later.
 */
static const struct row ROWS[] = {
    [POLICY_VALIDATION] = {OF_POLICY("bool"), .results = {&type_bool}},
    [POLICY_MESSAGE] = {OF_POLICY("string"), .results = {&type_string}},
    [POLICY_MATCH_CONDITION] = {OF_POLICY("bool"), .results = {&type_bool}},
    [POLICY_VARIABLE] = {OF_POLICY("any type")},
    [POLICY_AUDIT_ANNOTATION] = {OF_POLICY("one of [string null_type]"),
                                 .results = {&type_string, &type_null}},
    [POLICY_APPLY_CONFIGURATION] = {OF_POLICY("Object"), .made_result = mutation_types_object,
                                    .env = env_mutating},
    [POLICY_JSON_PATCH] = {OF_POLICY("list(JSONPatch)"), .made_result = mutation_types_patches,
                           .env = env_mutating},
    [CEL_PLACE_RULE] = {.declare = declare_self,
                        .results = {&type_bool},
                        SAYS("cel expression must evaluate to a bool"),
                        .hides_type = true,
                        .find = find_old_self,
                        .sizes = sizes_of_self,
                        .cost_limit = (uint64_t)10 * 1000 * 1000},
    [CEL_PLACE_RULE_MESSAGE] =
        {.declare = declare_self,
         .results = {&type_string},
         .words = {[EXPRESSION_HAS_ISSUES] = STR_INIT("messageExpression compilation failed: "),
                   [EXPRESSION_HAS_WRONG_TYPE] = STR_INIT("messageExpression must evaluate to a string"),
                   [EXPRESSION_HAS_NO_PROGRAM] = STR_INIT("messageExpression instantiation failed: ")},
         .hides_type = true,
         .sizes = sizes_of_self,
         .cost_limit = (uint64_t)10 * 1000 * 1000},
    [CEL_PLACE_CLAIM_RULE] = {.declare = declare_claims,
                              .results = {&type_bool},
                              .takes_wrappers = takes_none,
                              SAYS("must evaluate to bool"),
                              .hides_type = true,
                              .is_internal = true,
                              .find = find_claims},
    [CEL_PLACE_CLAIM_MAPPING] = {.declare = declare_claims,
                                 SAYS(""),
                                 .is_internal = true,
                                 .find = find_claims},
    [CEL_PLACE_USER_RULE] = {.declare = declare_user,
                             .results = {&type_bool},
                             .takes_wrappers = takes_none,
                             SAYS("must evaluate to bool"),
                             .hides_type = true,
                             .is_internal = true},
    [CEL_PLACE_ACCESS_REVIEW] = {.declare = declare_access_review,
                                 .results = {&type_bool},
                                 .takes_wrappers = takes_none,
                                 SAYS("must evaluate to bool but got "),
                                 .is_internal = true},
    [CEL_PLACE_SELECTOR] = {.declare = declare_device,
                            .results = {&type_bool, &type_any},
                            .takes_wrappers = device_takes_wrappers,
                            SAYS("must evaluate to bool or the unknown type, not "),
                            .is_internal = true,
                            .env = env_binding,
                            .sizes = sizes_of_selector,
                            .cost_limit = (uint64_t)1000 * 1000},
};

size_t cel_place_declare(enum cel_place place, const struct cel_place_scope *scope,
                         struct variable out[CEL_PLACE_VARIABLES])
{
    return ROWS[place].declare(place, scope, out);
}

const struct env *cel_place_env(enum cel_place place, const struct env *env)
{
    return ROWS[place].env == NULL ? env : ROWS[place].env(env);
}

uint64_t cel_place_cost_limit(enum cel_place place)
{
    return ROWS[place].cost_limit;
}

/* ---- compiling ---- */

static void describe(struct cel_place_compiled *c, struct arena *a, enum expression_failure failure,
                     struct str detail, const struct type *wanted)
{
    const struct row *row = &ROWS[c->place];
    const bool is_type = failure == EXPRESSION_HAS_WRONG_TYPE;
    if (is_type && row->hides_type)
        detail = STR("");
    compile_problem_init(&c->problem, a, c->expression, str_join(a, STR_PARTS(row->words[failure], detail)));
    c->problem.is_internal = row->is_internal && failure == EXPRESSION_HAS_NO_PROGRAM;
    if (is_type && row->brief.len > 0)
        c->problem.brief_len = row->brief.len;
    if (is_type)
        compile_problem_result(&c->problem, a, wanted, c->checked->result);
}

/* Returns true if the server takes a wrapper such as google.protobuf.BoolValue for another type than bool. */
static bool is_wrong_wrapper(const struct row *row, const struct cel_place_scope *scope, const struct type *t)
{
    return t->nullable && row->takes_wrappers != NULL && !row->takes_wrappers(scope);
}

/* Fills what expression_compile makes. */
static enum expression_failure compile(const struct row *row, const struct cel_place_scope *scope,
                                       struct arena *a, struct str text, const struct type *const *wanted,
                                       struct cel_place_compiled *out, struct str *detail)
{
    struct variable variables[CEL_PLACE_VARIABLES];
    const size_t count = row->declare(out->place, scope, variables);
    const struct expression_scope names = {scope->types, cel_place_env(out->place, scope->env), variables,
                                           count, scope->cache};
    struct expression *x = ARENA_NEW(a, struct expression);
    struct checked *checked = ARENA_NEW(a, struct checked);
    struct plan *plan = scope->keeps_plans ? ARENA_NEW(a, struct plan) : NULL;
    out->expression = x;
    out->checked = checked;
    out->plan = plan;
    enum expression_failure failure = expression_compile(x, a, &names, text, wanted, checked, plan, detail);
    if (failure != EXPRESSION_COMPILES || !is_wrong_wrapper(row, scope, checked->result))
        return failure;
    *detail = type_text(a, checked->result);
    return EXPRESSION_HAS_WRONG_TYPE;
}

bool cel_place_compile(enum cel_place place, const struct cel_place_scope *scope, struct arena *a,
                       struct str text, struct cel_place_compiled *out)
{
    const struct row *row = &ROWS[place];
    const struct type *const made[2] = {row->made_result == NULL ? NULL : row->made_result(scope->types)};
    const struct type *const *wanted = made[0] == NULL ? row->results : made;
    struct str detail;
    *out = (struct cel_place_compiled){.place = place};
    const enum expression_failure failure = compile(row, scope, a, text, wanted, out, &detail);
    out->compiles = failure == EXPRESSION_COMPILES || failure == EXPRESSION_LACKS_PLAN;
    if (failure == EXPRESSION_LACKS_PLAN)
        out->lack = detail;
    if (!out->compiles)
        describe(out, a, failure, detail, wanted[0]);
    if (row->find != NULL && (out->compiles || failure == EXPRESSION_HAS_NO_PROGRAM))
        row->find(a, out);
    if (out->compiles && row->sizes != NULL)
        out->cost = cel_place_cost(out, scope, a);
    return out->compiles;
}

uint64_t cel_place_cost(const struct cel_place_compiled *compiled, const struct cel_place_scope *scope,
                        struct arena *a)
{
    return cost_estimate(a, &compiled->expression->ast, compiled->checked, env_celgo(scope->env),
                         ROWS[compiled->place].sizes(scope))
        .max;
}
