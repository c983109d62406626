#include "tests/support/celcheck/evaluate.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "tests/support/celcheck/json_out.h"
#include "tests/support/celcheck/policy_line.h"
#include "tests/support/celcheck/schemas.h"
#include "typecheck/base/arena.h"
#include "typecheck/base/jsonread.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/interpreter/call.h"
#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/interpreter/run.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/sent_object.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/golang/gonumber.h"

/* What one line may take. */
#define LINE_ARENA_BYTES ((size_t)1024 * 1024 * 1024)
#define LINE_MAX_STEPS   ((uint64_t)1000 * 1000 * 1000)

enum { MAX_VALUES = 32 };

struct line {
    struct str id, expr;
    struct run_input inputs[MAX_VALUES];
    struct variable variables[MAX_VALUES];
    size_t count;
    uint64_t limit;
    struct str sent; /* an object */
    bool has_policy;
    bool is_mutating; /* the expression is that of a mutation */
    struct str typed[MAX_VALUES];
    size_t typed_count;
    struct go_type types[MAX_VALUES]; /* by value */
};

static struct str read_string(struct jsonread *r)
{
    return jsonread_peek(r) == JSONREAD_STRING ? jsonread_string(r) : STR("");
}

/* The text of the value that comes next. */
static struct str read_raw(struct jsonread *r)
{
    (void)jsonread_peek(r);
    size_t start = r->at;
    jsonread_skip(r);
    return (struct str){r->text.at + start, r->at - start};
}

static void read_typed(struct jsonread *r, struct line *line)
{
    if (jsonread_peek(r) != JSONREAD_ARRAY || !jsonread_open(r))
        return;
    while (jsonread_element(r)) {
        struct str name = read_string(r);
        if (line->typed_count < MAX_VALUES)
            line->typed[line->typed_count++] = name;
    }
}

static bool is_typed(const struct line *line, struct str name)
{
    bool is = false;
    for (size_t i = 0; !is && i < line->typed_count; i++)
        is = str_eq(line->typed[i], name);
    return is;
}

/* Finds the types of the inputs. Returns false if there is no schema for one. */
static bool choose_types(struct arena *a, struct line *line)
{
    bool ok = true;
    for (size_t i = 0; ok && i < line->count; i++) {
        struct run_input *input = &line->inputs[i];
        if (!is_typed(line, input->name) || str_eq(input->json, STR("null")))
            continue;
        ok = schemas_go_type(a, input->name, input->json, &line->types[i]);
        input->type = &line->types[i];
    }
    return ok;
}

static void read_values(struct jsonread *r, struct line *line)
{
    if (jsonread_peek(r) != JSONREAD_OBJECT || !jsonread_open(r))
        return;
    for (struct str name; jsonread_member(r, &name);) {
        struct str json = read_raw(r);
        if (line->count == MAX_VALUES)
            continue;
        line->inputs[line->count] = (struct run_input){.name = name, .json = json};
        line->variables[line->count++] = (struct variable){.name = name, .type = &type_dyn};
    }
}

static bool read_line(struct arena *a, struct str text, struct line *line)
{
    struct jsonread r;
    jsonread_init(&r, text, a);
    *line = (struct line){.limit = RUN_EXPRESSION_COST};
    if (jsonread_peek(&r) != JSONREAD_OBJECT || !jsonread_open(&r))
        return false;
    for (struct str key; jsonread_member(&r, &key);) {
        if (str_eq(key, STR("id")))
            line->id = read_string(&r);
        else if (str_eq(key, STR("expr")))
            line->expr = read_string(&r);
        else if (str_eq(key, STR("sent")))
            line->sent = read_raw(&r);
        else if (str_eq(key, STR("values")))
            read_values(&r, line);
        else if (str_eq(key, STR("typed")))
            read_typed(&r, line);
        else if (!str_eq(key, STR("limit"))) {
            line->has_policy = line->has_policy || str_eq(key, STR("policy"));
            line->is_mutating = line->is_mutating || str_eq(key, STR("mutating"));
            jsonread_skip(&r);
        } else if (!gonumber_read_uint(read_raw(&r), &line->limit))
            return false;
    }
    return jsonread_end(&r);
}

static void print_begin(const struct line *line)
{
    fputs("{\"id\":", stdout);
    json_out_string(line->id);
}

static void print_text(const char *name, struct str text)
{
    printf(",\"%s\":", name);
    json_out_string(text);
}

static void print_result(struct arena *a, const struct run_result *result)
{
    if (result->end == RUN_MISSING)
        print_text("missing", result->text);
    else if (result->end == RUN_ERROR)
        print_text("error", result->text);
    else
        print_text("value", value_literal(a, result->value));
    if (result->end != RUN_MISSING)
        printf(",\"cost\":%" PRIu64, result->cost);
}

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The CPU time of one evaluation: of a series that takes at least so long, after shorter ones. The inputs
 * have been read by an evaluation before. */
static double measure(const struct plan *plan, struct arena *a, const struct run_activation *activation,
                      uint64_t limit, double ns)
{
    const struct arena_mark mark = arena_mark(a);
    for (size_t count = 1;; count *= 2) {
        const double start = cpu_ns();
        for (size_t i = 0; i < count; i++) {
            a->steps = 0;
            (void)run_evaluate(plan, a, activation, limit);
            arena_release(a, mark);
        }
        const double spent = cpu_ns() - start;
        if (spent >= ns)
            return spent / (double)count;
    }
}

static void evaluate(struct arena *a, const struct env *env, struct line *line, double ns)
{
    struct expression x;
    struct checked checked;
    struct plan plan;
    struct str why;
    struct expression_scope scope = {types_new(a, env_types(env)), env, line->variables, line->count, NULL};
    bool compiles = expression_parse(&x, a, a, env, line->expr) && expression_check(&x, &scope, &checked);
    enum plan_outcome outcome = compiles ? plan_make(a, env, &x.ast, &checked, &plan, &why) : PLAN_REFUSED;
    if (!compiles) {
        print_text("issues", STR("does not compile"));
    } else if (outcome == PLAN_MISSING) {
        print_text("missing", why);
    } else if (outcome == PLAN_REFUSED) {
        print_text("issues", str_join(a, STR_PARTS(STR("no program: "), why)));
    } else if (!choose_types(a, line)) {
        print_text("missing", STR("vapcheck does not have the schema"));
    } else {
        const struct run_activation activation = {.inputs = line->inputs, .input_count = line->count};
        struct run_result result = run_evaluate(&plan, a, &activation, line->limit);
        print_result(a, &result);
        if (ns > 0)
            printf(",\"ns\":%.1f", measure(&plan, a, &activation, line->limit, ns));
    }
}

/* What policies see of an object. */
static void complete(struct arena *a, struct str json)
{
    const struct policy_run_type type = schemas_of_object(a, json);
    const struct value *v =
        type.root == NULL ? NULL : sent_object_complete(a, json_value_read(a, json), type.doc, type.root);
    if (v == NULL)
        print_text("missing", STR("vapcheck does not have the schema"));
    else
        print_text("value", value_literal(a, v));
}

void evaluate_print_functions(const struct env *env)
{
    size_t count;
    const struct function *functions = env_functions(env, &count);
    puts("| function | evaluated |\n|---|---|");
    for (size_t i = 0; i < count; i++) {
        const struct function *f = &functions[i];
        size_t evaluated = call_count_evaluated(f);
        if (f->count == 0)
            continue;
        printf("| `%.*s` | %s |\n", STR_ARG(f->name),
               evaluated == f->count ? "yes"
               : evaluated == 0      ? "no"
                                     : "in part");
    }
}

bool evaluate_line(const struct env *env, struct str text, double ns)
{
    struct arena a;
    static struct line line;
    bool ok = false;
    arena_init(&a, LINE_ARENA_BYTES);
    a.max_steps = LINE_MAX_STEPS;
    if (setjmp(a.escape) == 0) {
        ok = read_line(&a, text, &line);
        if (ok) {
            print_begin(&line);
            if (line.sent.len != 0)
                complete(&a, line.sent);
            else if (line.has_policy)
                ok = policy_line_evaluate(&a, env, text);
            else
                evaluate(&a, line.is_mutating ? env_mutating(env) : env, &line, ns);
        }
    } else {
        ok = true;
        print_text("limit", STR("too many steps or too much memory"));
    }
    if (ok)
        puts("}");
    arena_deinit(&a);
    return ok;
}
