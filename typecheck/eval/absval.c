#include "typecheck/eval/absval.h"

#include "typecheck/base/arena.h"
#include "typecheck/eval/absmap.h"
#include "typecheck/eval/bounds.h"
#include "typecheck/eval/constant_fold.h"
#include "typecheck/types/type.h"

const struct absval absval_any = {.kinds = ABS_ALL,
                                  .can_be_true = true,
                                  .can_be_false = true,
                                  .may_be_none = true,
                                  .may_have = true,
                                  .inner = &absval_any};
static const struct abslist json_list = {.element = &absval_json};
static const struct absmap json_map = {.key = &absval_string, .value = &absval_json};
const struct absval absval_json = {
    .kinds = ABS_JSON, .can_be_true = true, .can_be_false = true, .list = &json_list, .maps = &json_map};
const struct absval absval_bool = {.kinds = ABS_BOOL, .can_be_true = true, .can_be_false = true};
const struct absval absval_true = {.kinds = ABS_BOOL, .can_be_true = true};
const struct absval absval_false = {.kinds = ABS_BOOL, .can_be_false = true};
const struct absval absval_error = {.kinds = ABS_ALL, .may_fail = true, .is_broken = true};
const struct absval absval_doubtful = {.kinds = ABS_ALL,
                                       .can_be_true = true,
                                       .can_be_false = true,
                                       .may_be_none = true,
                                       .may_have = true,
                                       .inner = &absval_any,
                                       .may_fail = true,
                                       .is_fixed = true};
const struct absval absval_null = {.kinds = ABS_NULL};
const struct absval absval_string = {.kinds = ABS_STRING};
const struct absval absval_int = {.kinds = ABS_INT};
const struct absval absval_none = {.kinds = ABS_OPTIONAL, .may_be_none = true};

static struct absval *copy(struct arena *a, const struct absval *v)
{
    struct absval *c = ARENA_NEW(a, struct absval);
    *c = *v;
    return c;
}

/* A value of nothing but these kinds. */
static struct absval *of_kinds(struct arena *a, uint32_t kinds)
{
    struct absval *v = copy(a, &absval_any);
    v->kinds = kinds;
    return v;
}

const struct absval *absval_of_bools(struct arena *a, bool can_be_true, bool can_be_false)
{
    struct absval *v = copy(a, &absval_bool);
    v->can_be_true = can_be_true;
    v->can_be_false = can_be_false;
    return v;
}

static uint32_t literal_kind(const struct literal *l)
{
    switch (l->kind) {
    case LITERAL_NULL:
        return ABS_NULL;
    case LITERAL_BOOL:
        return ABS_BOOL;
    case LITERAL_INT:
        return ABS_INT;
    case LITERAL_UINT:
        return ABS_UINT;
    case LITERAL_DOUBLE:
        return ABS_DOUBLE;
    case LITERAL_STRING:
        return ABS_STRING;
    case LITERAL_BYTES:
        return ABS_BYTES;
    }
    return ABS_ALL;
}

const struct absval *absval_of_literal(struct arena *a, struct literal literal)
{
    if (literal.kind == LITERAL_BOOL)
        return literal.boolean ? &absval_true : &absval_false;
    if (literal.kind == LITERAL_NULL)
        return &absval_null;
    struct absval *v = ARENA_NEW(a, struct absval);
    v->kinds = literal_kind(&literal);
    struct literal *value = ARENA_NEW(a, struct literal);
    *value = literal;
    v->values = value;
    v->value_count = 1;
    return v;
}

const struct absval *absval_of_string(struct arena *a, struct str text)
{
    return absval_of_literal(a, (struct literal){.kind = LITERAL_STRING, .bytes = text});
}

const struct absval *absval_of_items(struct arena *a, const struct absval **items, size_t count)
{
    const struct absval *element = NULL;
    for (size_t i = 0; i < count; i++)
        element = element == NULL ? items[i] : absval_join(a, element, items[i]);
    struct absval *v = copy(a, absval_of_elements(a, element));
    struct abslist *list = ARENA_NEW(a, struct abslist);
    *list = (struct abslist){
        .element = element, .items = items, .count = count, .is_exact = true, .is_settled = true};
    for (size_t i = 0; i < count; i++)
        list->is_settled = list->is_settled && absval_is_settled(items[i]);
    v->list = list;
    return v;
}

/* Walks over values recurse. */
static uint16_t one_deeper(struct arena *a, const struct absval *inner)
{
    if (inner == NULL)
        return 1;
    if (inner->depth >= BOUNDS_VALUE_DEPTH)
        arena_fail(a, ARENA_STEPS);
    return (uint16_t)(inner->depth + 1);
}

const struct absval *absval_of_elements(struct arena *a, const struct absval *element)
{
    struct absval *v = ARENA_NEW(a, struct absval);
    struct abslist *list = ARENA_NEW(a, struct abslist);
    *list = (struct abslist){.element = element, .is_exact = element == NULL, .is_settled = true};
    v->kinds = ABS_LIST;
    v->list = list;
    v->depth = one_deeper(a, element);
    return v;
}

const struct absval *absval_optional(struct arena *a, const struct absval *inner, bool may_be_none)
{
    struct absval *v = ARENA_NEW(a, struct absval);
    v->kinds = ABS_OPTIONAL;
    v->inner = inner;
    v->depth = one_deeper(a, inner);
    v->may_have = inner != NULL;
    v->may_be_none = may_be_none;
    return v;
}

const struct absval *absval_failing(struct arena *a, const struct absval *v)
{
    if (v->may_fail || v->is_broken)
        return v;
    struct absval *c = copy(a, v);
    c->may_fail = true;
    return c;
}

const struct absval *absval_fixed(struct arena *a, const struct absval *v)
{
    struct absval *c = copy(a, v);
    c->is_fixed = true;
    c->is_surely_true = c->is_surely_false = false;
    return c;
}

const struct absval *absval_nullable(struct arena *a, const struct absval *v)
{
    if ((v->kinds & ABS_NULL) != 0)
        return v;
    struct absval *c = copy(a, v);
    c->kinds |= ABS_NULL;
    c->values = NULL;
    return c;
}

const struct absval *absval_rarely_null(struct arena *a, const struct absval *v)
{
    if ((v->kinds & ABS_NULL) != 0)
        return v;
    struct absval *c = copy(a, absval_nullable(a, v));
    c->is_rarely_null = true;
    return c;
}

uint32_t absval_likely_kinds(const struct absval *v)
{
    return v->is_rarely_null ? v->kinds & ~(uint32_t)ABS_NULL : v->kinds;
}

const struct absval *absval_inexact(struct arena *a, const struct absval *v)
{
    if (v->is_broken || (v->values == NULL && (v->list == NULL || !v->list->is_exact)))
        return v;
    struct absval *c = copy(a, v);
    c->values = NULL;
    if (v->list != NULL)
        c->list = absval_of_elements(a, v->list->element)->list;
    return c;
}

/* Types */

static const struct {
    enum type_kind type;
    uint32_t kinds;
} plain_kinds[] = {
    {TYPE_NULL, ABS_NULL},   {TYPE_BOOL, ABS_BOOL},         {TYPE_INT, ABS_INT},
    {TYPE_UINT, ABS_UINT},   {TYPE_DOUBLE, ABS_DOUBLE},     {TYPE_STRING, ABS_STRING},
    {TYPE_BYTES, ABS_BYTES}, {TYPE_DURATION, ABS_DURATION}, {TYPE_TIMESTAMP, ABS_TIMESTAMP},
    {TYPE_LIST, ABS_LIST},   {TYPE_MAP, ABS_MAP},           {TYPE_TYPE, ABS_TYPE},
};

uint32_t absval_kinds_of_type(const struct type *t)
{
    const struct type *not_null = type_not_null(t);
    if (not_null != NULL)
        return absval_kinds_of_type(not_null) | ABS_NULL;
    for (size_t i = 0; i < sizeof plain_kinds / sizeof *plain_kinds; i++) {
        if (plain_kinds[i].type == t->kind)
            return plain_kinds[i].kinds | (t->nullable ? ABS_NULL : 0u);
    }
    if (t == &type_int_or_string)
        return ABS_INT | ABS_STRING;
    if (t == &type_number)
        return ABS_INT | ABS_DOUBLE;
    if (t == &type_json)
        return ABS_JSON;
    if (t == &type_open)
        return ABS_MAP;
    if (type_is_optional(t))
        return ABS_OPTIONAL;
    if (t->kind == TYPE_OPAQUE)
        return ABS_OPAQUE;
    if (t->kind == TYPE_OBJECT)
        return t->ops == NULL ? ABS_OPAQUE : ABS_MAP;
    return ABS_ALL;
}

const struct absval *absval_of_type(struct arena *a, const struct type *t)
{
    const struct type *not_null = type_not_null(t);
    if (not_null != NULL)
        return absval_nullable(a, absval_of_type(a, not_null));
    uint32_t kinds = absval_kinds_of_type(t);
    arena_step(a);
    if (kinds == ABS_ALL)
        return &absval_any;
    if (t == &type_json)
        return &absval_json;
    struct absval *v = of_kinds(a, kinds);
    v->depth = t->depth;
    if (t->kind == TYPE_LIST)
        v->list = absval_of_elements(a, absval_of_type(a, t->params[0]))->list;
    else if (kinds == ABS_MAP)
        v->maps = t == &type_open ? &json_map : absmap_value(a, (struct absmap){.type = t})->maps;
    else if (kinds == ABS_OPTIONAL)
        v->inner = absval_of_type(a, t->params[0]);
    else if (kinds == ABS_OPAQUE)
        v->opaque = t->name;
    return v;
}

/* Joins */

/* The values of both; none where there are too many, or one is not known by its values. */
static void join_values(struct arena *a, struct absval *out, const struct absval *one,
                        const struct absval *two)
{
    out->values = NULL;
    out->value_count = 0;
    if (one->values == NULL || two->values == NULL || one->kinds != two->kinds ||
        one->value_count + two->value_count > BOUNDS_VALUES)
        return;
    arena_pay(a, one->value_count * two->value_count / ARENA_LOOKS_PER_STEP);
    struct literal *all = ARENA_ARRAY(a, one->value_count + two->value_count, struct literal);
    memcpy(all, one->values, one->value_count * sizeof *all);
    size_t count = one->value_count;
    for (size_t i = 0; i < two->value_count; i++) {
        size_t j = 0;
        while (j < count && !constant_fold_equal(a, &all[j], &two->values[i]))
            j++;
        if (j == count)
            all[count++] = two->values[i];
    }
    out->values = all;
    out->value_count = count;
}

static const struct abslist *join_lists(struct arena *a, const struct absval *one, const struct absval *two)
{
    if ((one->kinds & ABS_LIST) == 0 || (two->kinds & ABS_LIST) == 0)
        return (one->kinds & ABS_LIST) != 0 ? one->list : two->list;
    if (one->list == NULL || two->list == NULL)
        return NULL;
    if (one->list == two->list)
        return one->list;
    const struct absval *l = one->list->element, *r = two->list->element;
    if (l == NULL && r == NULL)
        return one->list;
    struct abslist *list = ARENA_NEW(a, struct abslist); /* not exact */
    list->element = l == NULL ? r : r == NULL ? l : absval_join(a, l, r);
    return list;
}

static const struct absmap *join_maps(struct arena *a, const struct absval *one, const struct absval *two)
{
    if ((one->kinds & ABS_MAP) == 0 || (two->kinds & ABS_MAP) == 0)
        return (one->kinds & ABS_MAP) != 0 ? one->maps : two->maps;
    return absmap_join(a, one->maps, two->maps);
}

static void join_optionals(struct arena *a, struct absval *out, const struct absval *one,
                           const struct absval *two)
{
    const struct absval *l = (one->kinds & ABS_OPTIONAL) != 0 && one->may_have ? one->inner : NULL;
    const struct absval *r = (two->kinds & ABS_OPTIONAL) != 0 && two->may_have ? two->inner : NULL;
    out->may_be_none = ((one->kinds & ABS_OPTIONAL) != 0 && one->may_be_none) ||
                       ((two->kinds & ABS_OPTIONAL) != 0 && two->may_be_none);
    out->may_have = l != NULL || r != NULL;
    out->inner = l == NULL ? r : r == NULL || l == r ? l : absval_join(a, l, r);
}

static bool can_be(const struct absval *v, bool truth)
{
    return (v->kinds & ABS_BOOL) != 0 && (truth ? v->can_be_true : v->can_be_false);
}

/* Of a kind that only one of the two may be, that one's word counts. */
static void join_details(struct absval *out, const struct absval *one, const struct absval *two)
{
    bool has_one = (one->kinds & ABS_TYPE) != 0, has_two = (two->kinds & ABS_TYPE) != 0;
    if (has_one && has_two)
        out->type_kinds =
            one->type_kinds == 0 || two->type_kinds == 0 ? 0 : one->type_kinds | two->type_kinds;
    else
        out->type_kinds = has_one ? one->type_kinds : two->type_kinds;
    has_one = (one->kinds & ABS_OPAQUE) != 0;
    has_two = (two->kinds & ABS_OPAQUE) != 0;
    if (has_one && has_two)
        out->opaque = str_eq(one->opaque, two->opaque) ? one->opaque : STR("");
    else
        out->opaque = has_one ? one->opaque : two->opaque;
}

/* What objects decide is all that the other can be: it does not matter what that is fixed to. */
static bool covers(const struct absval *v, const struct absval *fixed)
{
    return !absval_is_settled(v) && (fixed->kinds & ~v->kinds) == 0;
}

static void join_fixed(struct absval *out, const struct absval *one, const struct absval *two)
{
    out->is_fixed = (one->is_fixed && !covers(two, one)) || (two->is_fixed && !covers(one, two));
    out->is_surely_true = absval_is_surely(one, true) || absval_is_surely(two, true);
    out->is_surely_false = absval_is_surely(one, false) || absval_is_surely(two, false);
}

const struct absval *absval_join(struct arena *a, const struct absval *one, const struct absval *two)
{
    if (one == two)
        return one;
    if (one->is_broken != two->is_broken) {
        const struct absval *other = one->is_broken ? two : one;
        return absval_failing(a, other);
    }
    if (one == &absval_any && !two->may_fail && !two->is_fixed)
        return one;
    arena_step(a);
    struct absval *v = ARENA_NEW(a, struct absval);
    v->depth = one->depth > two->depth ? one->depth : two->depth;
    v->kinds = one->kinds | two->kinds;
    v->can_be_true = can_be(one, true) || can_be(two, true);
    v->can_be_false = can_be(one, false) || can_be(two, false);
    v->may_fail = one->may_fail || two->may_fail;
    v->is_broken = one->is_broken;
    join_fixed(v, one, two);
    v->is_rarely_null = (one->is_rarely_null || (one->kinds & ABS_NULL) == 0) &&
                        (two->is_rarely_null || (two->kinds & ABS_NULL) == 0);
    join_values(a, v, one, two);
    v->list = join_lists(a, one, two);
    v->maps = join_maps(a, one, two);
    join_optionals(a, v, one, two);
    join_details(v, one, two);
    return v;
}

/* Questions */

bool absval_is_constant(const struct absval *v)
{
    if (v->is_broken || v->is_fixed)
        return false;
    if (v->kinds == ABS_BOOL)
        return v->can_be_true != v->can_be_false;
    return v->kinds == ABS_NULL || (v->values != NULL && v->value_count == 1);
}

const struct str *absval_constant_string(const struct absval *v)
{
    return v->kinds == ABS_STRING && absval_is_constant(v) ? &v->values[0].bytes : NULL;
}

bool absval_is_surely(const struct absval *v, bool truth)
{
    return can_be(v, truth) && (!v->is_fixed || (truth ? v->is_surely_true : v->is_surely_false));
}

bool absval_is_settled(const struct absval *v)
{
    if (v->is_fixed || absval_is_constant(v))
        return true;
    if (v->kinds == ABS_TYPE)
        return v->type_kinds != 0 && (v->type_kinds & (v->type_kinds - 1)) == 0;
    return v->kinds == ABS_LIST && v->list != NULL && v->list->is_exact && v->list->is_settled;
}

bool absval_kinds_meet(uint32_t one, uint32_t two)
{
    return (one & two) != 0 || ((one & ABS_NUMBER) != 0 && (two & ABS_NUMBER) != 0);
}

const struct absval *absval_elements(const struct absval *v)
{
    return v->list == NULL ? &absval_any : v->list->element;
}

/* Texts */

static void print(struct text *out, const struct absval *v);

static void print_list(struct text *out, const struct absval *v)
{
    text_add(out, STR("list("));
    if (v->list == NULL || v->list->element == NULL)
        text_add(out, STR("dyn"));
    else
        print(out, v->list->element);
    text_add_char(out, ')');
}

static void print_map(struct text *out, const struct absval *v)
{
    const struct absmap *m = v->maps;
    if (m != NULL && m->next == NULL && m->type != NULL)
        type_print(out, m->type);
    else
        text_add(out, STR("map"));
}

static void print_kind(struct text *out, const struct absval *v, uint32_t kind)
{
    static const char *const names[] = {"null",         "bool", "int", "uint",      "double",   "string",
                                        "bytes",        "",     "",    "timestamp", "duration", "type",
                                        "optional_type"};
    if (kind == ABS_LIST) {
        print_list(out, v);
    } else if (kind == ABS_MAP) {
        print_map(out, v);
    } else if (kind == ABS_OPAQUE) {
        text_add(out, v->opaque.len == 0 ? STR("opaque") : v->opaque);
    } else {
        size_t i = 0;
        while (1u << i != kind)
            i++;
        text_add(out, str_of(names[i]));
    }
    if (kind == ABS_OPTIONAL) {
        text_add_char(out, '(');
        if (v->inner == NULL)
            text_add(out, STR("dyn"));
        else
            print(out, v->inner);
        text_add_char(out, ')');
    }
}

/* null is told only where there is nothing else: any optional field might be it. */
static void print(struct text *out, const struct absval *v)
{
    uint32_t kinds = v->kinds == ABS_NULL ? v->kinds : v->kinds & ~(uint32_t)ABS_NULL;
    arena_step(out->arena);
    if ((v->kinds & ABS_JSON) == ABS_JSON || kinds == 0) {
        text_add(out, STR("dyn"));
        return;
    }
    bool is_first = true;
    for (uint32_t kind = 1; kind <= ABS_OPAQUE; kind *= 2) {
        if ((kinds & kind) == 0)
            continue;
        if (!is_first)
            text_add(out, STR(" or "));
        print_kind(out, v, kind);
        is_first = false;
    }
}

struct str absval_text(struct arena *a, const struct absval *v)
{
    struct text text = {.arena = a};
    print(&text, v);
    return text_str(&text);
}
