#include "typecheck/check/planner.h"

#include <inttypes.h>

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/base/gonumber.h"
#include "typecheck/check/checked.h"
#include "typecheck/check/duration.h"
#include "typecheck/check/timestamp.h"
#include "typecheck/regexp/regexp.h"
#include "typecheck/syntax/ast.h"
#include "typecheck/types/celgo.h"
#include "typecheck/types/provider.h"
#include "typecheck/types/type.h"

/* Of which nothing more is known. */
static const struct type a_list = {.kind = TYPE_LIST, .name = STR_INIT("list")};
static const struct type a_map = {.kind = TYPE_MAP, .name = STR_INIT("map")};

/* A planned node: whether the planner knows its value, and where we do, too, that value. */
struct planned {
    bool is_constant;
    const struct type *type; /* at run time; NULL: unknown */
    const struct literal *value;
    struct str spelled; /* a duration or a timestamp: some value of its kind, as string() spells it */
};

struct plan {
    struct arena *arena;
    const struct celgo *celgo;
    const struct planner_names *names; /* NULL: not known */
    struct str message;                /* empty: no failure yet */
};

static struct planned plan_node(struct plan *p, const struct node *n);

static void fail(struct plan *p, struct str message)
{
    if (p->message.len == 0)
        p->message = message;
}

/* ---- conversions ---- */

static bool is_int(struct arena *a, struct str text)
{
    int64_t value;
    (void)a;
    return gonumber_read_int(text, &value);
}

static bool is_uint(struct arena *a, struct str text)
{
    uint64_t value;
    (void)a;
    return gonumber_read_uint(text, &value);
}

static bool is_double(struct arena *a, struct str text)
{
    double value;
    return gonumber_read_double(a, text, &value);
}

static bool is_bool(struct arena *a, struct str text)
{
    bool value;
    (void)a;
    return gonumber_read_bool(text, &value);
}

static bool is_duration(struct arena *a, struct str text)
{
    (void)a;
    return duration_valid(text);
}

static bool is_timestamp(struct arena *a, struct str text)
{
    (void)a;
    return timestamp_valid(text);
}

/* common/types/overflow.go */
static bool overflows(struct str function, const struct literal *value)
{
    bool to_int = str_eq(function, STR("int"));
    if (value->kind == LITERAL_DOUBLE && to_int)
        return !(value->floating > -9223372036854775808.0 && value->floating < 9223372036854775808.0);
    if (value->kind == LITERAL_DOUBLE)
        return !(value->floating >= 0 && value->floating < 18446744073709551616.0);
    return to_int ? value->kind == LITERAL_UINT && value->uinteger > INT64_MAX
                  : value->kind == LITERAL_INT && value->integer < 0;
}

static bool is_utf8(struct str s)
{
    size_t at = 0, len = 1;
    for (; at < s.len && len != 0; at += len)
        len = utf8_len(s.at + at, s.len - at);
    return len != 0;
}

/* overloads.IsTypeConversionFunction */
struct conversion {
    struct str function;
    const struct type *result;                          /* NULL: what the argument is */
    unsigned from;                                      /* kinds of arguments that it has an overload for */
    unsigned kept;                                      /* kinds of literals that it leaves as they are */
    bool (*is_valid)(struct arena *a, struct str text); /* of a string; NULL: every string is */
    /* What becomes of other literals; NULL, and where the answer is NULL: not known. */
    const struct literal *(*convert)(struct plan *p, const struct literal *value);
};

static void fail_conversion(struct plan *p, const char *from, const struct type *to)
{
    fail(p, str_join(p->arena, STR_PARTS(STR("type conversion error from '"), str_of(from), STR("' to '"),
                                         to->name, STR("'"))));
}

static void convert_string(struct plan *p, const struct conversion *c, struct str value)
{
    if (c->is_valid != NULL && !c->is_valid(p->arena, value))
        fail_conversion(p, "string", c->result);
}

static void check_value(struct plan *p, const struct conversion *c, const struct literal *value)
{
    struct str function = c->function;
    bool to_int = str_eq(function, STR("int")), to_uint = str_eq(function, STR("uint"));
    if (value->kind == LITERAL_STRING)
        convert_string(p, c, value->bytes);
    else if (value->kind == LITERAL_BYTES && str_eq(function, STR("string")) && !is_utf8(value->bytes))
        fail(p, STR("invalid UTF-8 in bytes, cannot convert to string"));
    else if ((to_int || to_uint) && overflows(function, value))
        fail(p, to_int ? STR("integer overflow") : STR("unsigned integer overflow"));
    else if (value->kind == LITERAL_INT && str_eq(function, STR("timestamp")) &&
             !timestamp_in_range(value->integer))
        fail(p, STR("timestamp overflow"));
}

/* What the checker does not see where dyn() hides it. */
static void check_overload(struct plan *p, const struct conversion *c, const struct type *from)
{
    if (from == NULL || type_is(from, c->from))
        return;
    /* there was an overload, without a conversion behind it */
    bool is_declared =
        c->result == &type_duration && from == &type_int && p->celgo->converts_ints_to_durations;
    if (is_declared)
        fail_conversion(p, "int", c->result);
    else
        fail(p, str_join(p->arena,
                         STR_PARTS(STR("no such overload: "), c->function, STR("("), from->name, STR(")"))));
}

/* ---- values of conversions that succeed ---- */

static const struct literal *new_value(struct plan *p, struct literal value)
{
    struct literal *made = ARENA_NEW(p->arena, struct literal);
    *made = value;
    return made;
}

static const struct literal *to_string(struct plan *p, const struct literal *v)
{
    struct str text;
    if (v->kind == LITERAL_BYTES)
        text = v->bytes;
    else if (v->kind == LITERAL_INT)
        text = str_format(p->arena, "%" PRId64, v->integer);
    else if (v->kind == LITERAL_UINT)
        text = str_format(p->arena, "%" PRIu64, v->uinteger);
    else if (v->kind == LITERAL_DOUBLE)
        text = gonumber_double_text(p->arena, v->floating);
    else if (v->kind == LITERAL_BOOL)
        text = v->boolean ? STR("true") : STR("false");
    else
        return NULL;
    return new_value(p, (struct literal){.kind = LITERAL_STRING, .bytes = text});
}

static const struct literal *to_bytes(struct plan *p, const struct literal *v)
{
    return v->kind == LITERAL_STRING
               ? new_value(p, (struct literal){.kind = LITERAL_BYTES, .bytes = v->bytes})
               : NULL;
}

static const struct literal *to_int(struct plan *p, const struct literal *v)
{
    int64_t value;
    if (v->kind == LITERAL_UINT)
        value = (int64_t)v->uinteger;
    else if (v->kind == LITERAL_DOUBLE)
        value = (int64_t)v->floating;
    else if (v->kind != LITERAL_STRING || !gonumber_read_int(v->bytes, &value))
        return NULL;
    return new_value(p, (struct literal){.kind = LITERAL_INT, .integer = value});
}

static const struct literal *to_uint(struct plan *p, const struct literal *v)
{
    uint64_t value;
    if (v->kind == LITERAL_INT)
        value = (uint64_t)v->integer;
    else if (v->kind == LITERAL_DOUBLE)
        value = (uint64_t)v->floating;
    else if (v->kind != LITERAL_STRING || !gonumber_read_uint(v->bytes, &value))
        return NULL;
    return new_value(p, (struct literal){.kind = LITERAL_UINT, .uinteger = value});
}

static const struct literal *to_double(struct plan *p, const struct literal *v)
{
    double value;
    if (v->kind == LITERAL_INT)
        value = (double)v->integer;
    else if (v->kind == LITERAL_UINT)
        value = (double)v->uinteger;
    else if (v->kind != LITERAL_STRING || !gonumber_read_double(p->arena, v->bytes, &value))
        return NULL;
    return new_value(p, (struct literal){.kind = LITERAL_DOUBLE, .floating = value});
}

#define NUMBERS (TYPE_KIND(TYPE_INT) | TYPE_KIND(TYPE_UINT) | TYPE_KIND(TYPE_DOUBLE))
#define TIMES   (TYPE_KIND(TYPE_DURATION) | TYPE_KIND(TYPE_TIMESTAMP))
#define TEXT    TYPE_KIND(TYPE_STRING)

#define KEPT(literal) (1u << (literal))

static const struct conversion conversions[] = {
    {STR_INIT("bool"), &type_bool, TYPE_KIND(TYPE_BOOL) | TEXT, KEPT(LITERAL_BOOL), is_bool, NULL},
    {STR_INIT("bytes"), &type_bytes, TYPE_KIND(TYPE_BYTES) | TEXT, KEPT(LITERAL_BYTES), NULL, to_bytes},
    {STR_INIT("double"), &type_double, NUMBERS | TEXT, KEPT(LITERAL_DOUBLE), is_double, to_double},
    {STR_INIT("duration"), &type_duration, TYPE_KIND(TYPE_DURATION) | TEXT, 0, is_duration, NULL},
    {STR_INIT("dyn"), NULL, ~0u, ~0u, NULL, NULL},
    {STR_INIT("int"), &type_int, NUMBERS | TIMES | TEXT, KEPT(LITERAL_INT), is_int, to_int},
    {STR_INIT("string"), &type_string, NUMBERS | TIMES | TYPE_KIND(TYPE_BOOL) | TYPE_KIND(TYPE_BYTES) | TEXT,
     KEPT(LITERAL_STRING), NULL, to_string},
    {STR_INIT("timestamp"), &type_timestamp, TYPE_KIND(TYPE_TIMESTAMP) | TYPE_KIND(TYPE_INT) | TEXT, 0,
     is_timestamp, NULL},
    {STR_INIT("type"), &type_type, ~0u, 0, NULL, NULL},
    {STR_INIT("uint"), &type_uint, NUMBERS | TEXT, KEPT(LITERAL_UINT), is_uint, to_uint},
};

/* NULL: it converts nothing. */
static const struct conversion *find_conversion(struct str function)
{
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++) {
        if (str_eq(function, conversions[i].function))
            return &conversions[i];
    }
    return NULL;
}

/* What became of the value; NULL: we do not know it. */
static const struct literal *converted(struct plan *p, const struct conversion *c,
                                       const struct literal *value)
{
    if ((c->kept >> value->kind & 1) != 0)
        return value;
    return c->convert == NULL ? NULL : c->convert(p, value);
}

static struct str spelling(struct str function)
{
    if (str_eq(function, STR("duration")))
        return STR("1s");
    return str_eq(function, STR("timestamp")) ? STR("1970-01-01T00:00:00Z") : STR("");
}

/* ---- the planner's walk ---- */

static void check_regexp(struct plan *p, const struct literal *pattern)
{
    struct str message;
    if (pattern != NULL && pattern->kind == LITERAL_STRING &&
        !regexp_valid(p->arena, pattern->bytes, &message))
        fail(p, message);
}

static struct planned plan_call(struct plan *p, const struct node *n)
{
    struct planned last = {.is_constant = false};
    size_t at = 0;
    if (n->call.target != NULL) {
        (void)plan_node(p, n->call.target);
        at++;
    }
    const struct conversion *conversion = find_conversion(n->call.function);
    bool is_find = str_eq(n->call.function, STR("find")) || str_eq(n->call.function, STR("findAll")) ||
                   str_eq(n->call.function, STR("matches"));
    for (size_t i = 0; i < n->arg_count; i++, at++) {
        last = plan_node(p, n->call.args[i]);
        if (is_find && at == 1)
            check_regexp(p, last.value);
    }
    if (at != 1 || !last.is_constant || conversion == NULL)
        return (struct planned){.is_constant = false};
    check_overload(p, conversion, last.type);
    if (last.spelled.len != 0 && str_eq(n->call.function, STR("string")))
        last.value = new_value(p, (struct literal){.kind = LITERAL_STRING, .bytes = last.spelled});
    if (last.value != NULL)
        check_value(p, conversion, last.value);
    bool is_known = last.value != NULL && p->message.len == 0;
    return (struct planned){.is_constant = true,
                            .type = conversion->result == NULL ? last.type : conversion->result,
                            .value = is_known ? converted(p, conversion, last.value) : NULL,
                            .spelled = spelling(n->call.function)};
}

/* Of a name whose value is a type, the planner looks the type up by that name: it finds neither those of
 * Kubernetes' variables nor what a variable holds. */
static void check_name(struct plan *p, const struct node *n)
{
    const bool is_name = p->names != NULL && p->names->checked->names[n->id].len != 0;
    if (!is_name || checked_type_of(p->names->checked, n)->kind != TYPE_TYPE)
        return;
    struct str name = p->names->checked->names[n->id];
    name = str_skip(name, name.at[0] == '.');
    if (provider_ident(p->names->provider, name) == NULL)
        fail(p, str_join(p->arena, STR_PARTS(STR("reference to undefined type: "), name)));
}

/* Its initial value is planned before its range. */
static void plan_comprehension(struct plan *p, const struct comprehension *c)
{
    (void)plan_node(p, c->init);
    (void)plan_node(p, c->range);
    (void)plan_node(p, c->condition);
    (void)plan_node(p, c->step);
    (void)plan_node(p, c->result);
}

static struct planned plan_node(struct plan *p, const struct node *n)
{
    struct planned planned = {.is_constant = n->kind == NODE_LIST || n->kind == NODE_MAP};
    const struct node *child;
    arena_step(p->arena);
    if (n->kind == NODE_LITERAL)
        return (struct planned){
            .is_constant = true, .type = type_of_literal(n->literal.kind), .value = &n->literal};
    if (n->kind == NODE_CALL)
        return plan_call(p, n);
    if (n->kind == NODE_COMPREHENSION)
        plan_comprehension(p, n->comprehension);
    check_name(p, n);
    for (size_t i = 0; n->kind != NODE_COMPREHENSION && (child = ast_child(n, i)) != NULL; i++)
        planned.is_constant = plan_node(p, child).is_constant && planned.is_constant;
    if (planned.is_constant)
        planned.type = n->kind == NODE_LIST ? &a_list : &a_map;
    return planned;
}

bool planner_plan(struct arena *a, const struct celgo *celgo, const struct ast *ast,
                  const struct planner_names *names, struct str *message)
{
    struct plan p = {.arena = a, .celgo = celgo, .names = names, .message = STR("")};
    (void)plan_node(&p, ast->root);
    *message = p.message;
    return p.message.len == 0;
}
