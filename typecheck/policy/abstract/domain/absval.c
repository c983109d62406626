#include "typecheck/policy/abstract/domain/absval.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/abstract/domain/bounds.h"
#include "typecheck/policy/abstract/domain/spelled.h"

/*
 * An abstract value stands for all the values that an expression can have in the requests of one kind. This
 * file makes such values: the constants, the value of each type and literal, one value with a part changed,
 * and the join of two values, which stands for the values of both. A value is never changed once it was
 * returned; a function that adds something to it makes a copy in the arena. An abstract value may stand for
 * more than can occur, and never for less.
 */

const struct absval absval_any = {
    .kinds = ABS_ALL, .can_be = {true, true}, .may_be_none = true, .may_have = true, .inner = &absval_any};
static const struct abslist json_list = {.element = &absval_json};
static const struct absmap json_map = {.key = &absval_string, .value = &absval_json};
const struct absval absval_json = {
    .kinds = ABS_JSON, .can_be = {true, true}, .list = &json_list, .maps = &json_map};
const struct absval absval_bool = {.kinds = ABS_BOOL, .can_be = {true, true}};
const struct absval absval_true = {.kinds = ABS_BOOL, .can_be = {[true] = true}};
const struct absval absval_false = {.kinds = ABS_BOOL, .can_be = {[false] = true}};
const struct absval absval_error = {.kinds = ABS_ALL, .may_fail = true, .is_error = true};
const struct absval absval_doubtful = {.kinds = ABS_ALL,
                                       .can_be = {true, true},
                                       .may_be_none = true,
                                       .may_have = true,
                                       .inner = &absval_any,
                                       .may_fail = true,
                                       .is_type_determined = true};
const struct absval absval_null = {.kinds = ABS_NULL};
const struct absval absval_no_object = {.kinds = ABS_NULL, .author = ABS_BY_NAMES};
const struct absval absval_string = {.kinds = ABS_STRING};
const struct absval absval_int = {.kinds = ABS_INT};
const struct absval absval_none = {.kinds = ABS_OPTIONAL, .may_be_none = true};

static struct absval *copy(struct arena *a, const struct absval *v)
{
    struct absval *c = ARENA_NEW(a, struct absval);
    *c = *v;
    return c;
}

const struct absval *absval_of_bools(struct arena *a, bool can_be_true, bool can_be_false)
{
    struct absval *v = copy(a, &absval_bool);
    v->can_be[true] = can_be_true;
    v->can_be[false] = can_be_false;
    return v;
}

const struct absval *absval_of_literal(struct arena *a, struct literal literal)
{
    static const struct absval bools[] = {
        {.kinds = ABS_BOOL, .can_be = {[false] = true}, .author = ABS_BY_LITERALS},
        {.kinds = ABS_BOOL, .can_be = {[true] = true}, .author = ABS_BY_LITERALS}};
    static const struct absval null = {.kinds = ABS_NULL, .author = ABS_BY_LITERALS};
    if (literal.kind == LITERAL_BOOL)
        return &bools[literal.boolean];
    if (literal.kind == LITERAL_NULL)
        return &null;
    struct absval *v = ARENA_NEW(a, struct absval);
    v->kinds = kinds_of_literal(literal.kind);
    v->author = ABS_BY_LITERALS;
    struct literal *value = ARENA_NEW(a, struct literal);
    *value = literal;
    v->values = value;
    v->value_count = 1;
    return v;
}

const struct absval *absval_of_int(struct arena *a, size_t integer)
{
    return absval_of_literal(a, (struct literal){.kind = LITERAL_INT, .integer = (int64_t)integer});
}

const struct absval *absval_of_string(struct arena *a, struct str text)
{
    return absval_of_literal(a, (struct literal){.kind = LITERAL_STRING, .bytes = text});
}

const struct absval *absval_of_type_value(struct arena *a, uint32_t kinds)
{
    struct absval *v = ARENA_NEW(a, struct absval);
    v->kinds = ABS_TYPE;
    v->author = ABS_BY_LITERALS;
    v->type_kinds = kinds;
    return v;
}

/* Returns the depth of a value that holds `inner`. It is limited, because walks over values recurse. */
static uint16_t one_deeper(struct arena *a, const struct absval *inner)
{
    if (inner == NULL)
        return 1;
    if (inner->depth >= BOUNDS_VALUE_DEPTH)
        arena_fail(a, ARENA_STEPS);
    return (uint16_t)(inner->depth + 1);
}

static const struct absval *of_list(struct arena *a, struct abslist list)
{
    struct absval *v = ARENA_NEW(a, struct absval);
    struct abslist *l = ARENA_NEW(a, struct abslist);
    *l = list;
    v->kinds = ABS_LIST;
    v->list = l;
    v->depth = one_deeper(a, list.element);
    return v;
}

const struct absval *absval_of_elements(struct arena *a, const struct absval *element)
{
    return of_list(
        a, (struct abslist){.element = element, .is_exact = element == NULL, .is_input_independent = true});
}

const struct absval *absval_of_items(struct arena *a, const struct absval **items, size_t count)
{
    struct abslist list = {.element = absval_join_all(a, items, count),
                           .items = items,
                           .count = count,
                           .is_exact = true,
                           .is_input_independent = true};
    for (size_t i = 0; i < count; i++)
        list.is_input_independent = list.is_input_independent && absval_is_input_independent(items[i]);
    return of_list(a, list);
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

const struct absval *absval_of_map(struct arena *a, struct absmap map)
{
    struct absval *v = ARENA_NEW(a, struct absval);
    struct absmap *m = ARENA_NEW(a, struct absmap);
    *m = map;
    v->kinds = ABS_MAP;
    v->maps = m;
    return v;
}

const struct absval *absval_of_computed(struct arena *a, uint32_t kind, struct str opaque,
                                        const struct value *computed)
{
    struct absval *v = ARENA_NEW(a, struct absval);
    v->kinds = kind;
    v->opaque = opaque;
    v->computed = computed;
    return v;
}

const struct absval *absval_failing(struct arena *a, const struct absval *v)
{
    if (v->may_fail)
        return v;
    struct absval *c = copy(a, v);
    c->may_fail = true;
    return c;
}

const struct absval *absval_by(struct arena *a, const struct absval *v, enum absval_author author)
{
    if (v->author == author)
        return v;
    struct absval *c = copy(a, v);
    c->author = author;
    return c;
}

const struct absval *absval_in_range(struct arena *a, const struct absval *v, struct absrange range)
{
    struct absval *c = copy(a, v);
    struct absrange *kept = ARENA_NEW(a, struct absrange);
    *kept = range;
    c->range = kept;
    return c;
}

const struct absval *absval_narrowed(struct arena *a, const struct absval *v)
{
    struct absval *c = copy(a, v);
    c->is_narrowed = true;
    return c;
}

const struct absval *absval_with_words(struct arena *a, const struct absval *v, const struct abswords *words)
{
    struct absval *c = copy(a, v);
    c->words = words;
    return c;
}

/* The copy of a list with another element and least size. */
static const struct absval *with_list(struct arena *a, const struct absval *v, const struct absval *element,
                                      size_t least)
{
    struct absval *c = copy(a, v);
    struct abslist *list = ARENA_NEW(a, struct abslist);
    *list = *v->list;
    list->element = element;
    list->least = least;
    c->list = list;
    return c;
}

const struct absval *absval_with_least(struct arena *a, const struct absval *v, size_t least)
{
    return with_list(a, v, v->list->element, least);
}

const struct absval *absval_with_element_range(struct arena *a, const struct absval *v, struct absrange range)
{
    return with_list(a, v, absval_in_range(a, v->list->element, range), v->list->least);
}

const struct absval *absval_with_element_words(struct arena *a, const struct absval *v,
                                               const struct abswords *words)
{
    return with_list(a, v, absval_with_words(a, v->list->element, words), v->list->least);
}

const struct absval *absval_type_determined(struct arena *a, const struct absval *v)
{
    struct absval *c = copy(a, v);
    c->is_type_determined = true;
    c->author = ABS_OF_REQUEST;
    c->surely[true] = c->surely[false] = false;
    return c;
}

const struct absval *absval_derive(struct arena *a, const struct absval *v, const struct absval *from)
{
    if (from->is_error)
        return &absval_error;
    v = from->may_fail ? absval_failing(a, v) : v;
    return from->is_type_determined ? absval_type_determined(a, v) : v;
}

/* Forgets the constant from which the value was computed; no object decides the value, as before. */
static void forget_computed(struct absval *v)
{
    v->is_type_determined = v->is_type_determined || v->computed != NULL;
    v->computed = NULL;
}

const struct absval *absval_nullable(struct arena *a, const struct absval *v)
{
    if ((v->kinds & ABS_NULL) != 0)
        return v;
    struct absval *c = copy(a, v);
    c->kinds |= ABS_NULL;
    c->values = NULL;
    forget_computed(c);
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

const struct absval *absval_entry(struct arena *a, const struct absval *v)
{
    struct absval *c = copy(a, absval_rarely_null(a, v));
    c->is_entry = true;
    return c;
}

uint32_t absval_likely_kinds(const struct absval *v)
{
    return v->is_rarely_null ? v->kinds & ~(uint32_t)ABS_NULL : v->kinds;
}

const struct absval *absval_inexact(struct arena *a, const struct absval *v)
{
    const bool is_exact = v->values != NULL || v->range != NULL || v->computed != NULL ||
                          (v->list != NULL && (v->list->is_exact || v->list->least != 0));
    if (v->is_error || !is_exact)
        return v;
    struct absval *c = copy(a, v);
    c->values = NULL;
    c->range = NULL;
    forget_computed(c);
    if (v->list != NULL)
        c->list = absval_of_elements(a, v->list->element)->list;
    return c;
}

/* Types */

const struct absval *absval_of_type(struct arena *a, const struct type *t)
{
    return absval_of_field(a, t, ABS_PLAIN);
}

/*
 * Pruning goes by what is there: a map has the fields that the schema has, none where the schema
 * is of another type; an element of a list is pruned by the schema of elements (apiextensions-apiserver:
 * pkg/apiserver/schema/pruning/algorithm.go).
 */
static const struct absval *unvalidated(struct arena *a, const struct type *t)
{
    const struct absmap none = {.form = ABS_UNVALIDATED}, of_type = {.type = t, .form = ABS_UNVALIDATED};
    struct absval *v = copy(a, &absval_json);
    v->depth = t->depth;
    if (t->kind == TYPE_LIST)
        v->list =
            of_list(a, (struct abslist){.element = absval_of_field(a, t->params[0], ABS_UNVALIDATED)})->list;
    if (t != &type_open)
        v->maps = absval_of_map(a, kinds_of_type(t) == ABS_MAP ? of_type : none)->maps;
    return v;
}

const struct absval *absval_of_field(struct arena *a, const struct type *t, enum absval_form form)
{
    const struct type *not_null = type_not_null(t);
    if (not_null != NULL)
        return absval_nullable(a, absval_of_field(a, not_null, form));
    uint32_t kinds = kinds_of_type(t);
    arena_step(a);
    if (kinds == ABS_ALL)
        return &absval_any;
    if (t == &type_json)
        return &absval_json;
    if (form == ABS_UNVALIDATED)
        return unvalidated(a, t);
    struct absval *v = copy(a, &absval_any);
    v->kinds = kinds;
    v->depth = t->depth;
    if (t->kind == TYPE_LIST)
        v->list = of_list(a, (struct abslist){.element = absval_of_field(a, t->params[0], form),
                                              .is_input_independent = true,
                                              .is_typed = form == ABS_TYPED})
                      ->list;
    else if (kinds == ABS_MAP)
        v->maps =
            t == &type_open ? &json_map : absval_of_map(a, (struct absmap){.type = t, .form = form})->maps;
    else if (kinds == ABS_OPTIONAL)
        v->inner = absval_of_type(a, t->params[0]);
    else if (kinds == ABS_OPAQUE)
        v->opaque = t->name;
    else if (t == &type_quantity_text)
        v->words = spelled_field(a, STR("quantity"), SPELLING_QUANTITY);
    return v;
}

/* Joins */

/* Returns true if two literals of the same kind have the same bits: the two zeros of a double are not the
 * same. */
static bool is_same(struct arena *a, const struct literal *one, const struct literal *two)
{
    if (one->kind != LITERAL_STRING && one->kind != LITERAL_BYTES)
        return one->uinteger == two->uinteger;
    if (one->bytes.len == two->bytes.len)
        arena_pay_bytes(a, one->bytes.len);
    return str_eq(one->bytes, two->bytes);
}

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
        while (j < count && !is_same(a, &all[j], &two->values[i]))
            j++;
        if (j == count)
            all[count++] = two->values[i];
    }
    out->values = all;
    out->value_count = count;
}

/* The range of the ints of both; NULL if one of them may be any. */
static const struct absrange *join_ranges(struct arena *a, const struct absval *one, const struct absval *two)
{
    struct absrange of_one, of_two;
    if (one->range == two->range)
        return one->range;
    if (!absval_range(one, &of_one) || !absval_range(two, &of_two))
        return NULL;
    struct absrange *all = ARENA_NEW(a, struct absrange);
    *all = (struct absrange){.min = of_one.min < of_two.min ? of_one.min : of_two.min,
                             .max = of_one.max > of_two.max ? of_one.max : of_two.max,
                             .numbers = of_one.numbers == of_two.numbers ? of_one.numbers : NULL};
    return all;
}

/* The words of the one value, and the strings that the other one can be; NULL if that may be any string. */
static const struct abswords *add_others(struct arena *a, const struct abswords *words,
                                         const struct absval *other)
{
    if ((other->kinds & ABS_STRING) == 0 || words == NULL)
        return words;
    if (other->values == NULL || words->other_count + other->value_count > BOUNDS_VALUES)
        return NULL;
    struct abswords *all = ARENA_NEW(a, struct abswords);
    struct literal *others = ARENA_ARRAY(a, words->other_count + other->value_count, struct literal);
    *all = *words;
    if (words->other_count != 0)
        memcpy(others, words->others, words->other_count * sizeof *others);
    memcpy(others + words->other_count, other->values, other->value_count * sizeof *others);
    all->others = others;
    all->other_count += other->value_count;
    return all;
}

/* Compares what is known of two strings. Fields of the same name and type have equal lists and spellings. */
static bool are_same_words(struct arena *a, const struct abswords *one, const struct abswords *two)
{
    bool are = one->judge == two->judge && one->user == two->user && one->sort == two->sort &&
               one->other_count == 0 && two->other_count == 0 && one->count == two->count &&
               one->elsewhere == two->elsewhere && str_eq(one->what, two->what);
    for (size_t i = 0; are && i < one->count + one->elsewhere; i++) {
        arena_step(a);
        are = str_eq(one->list[i], two->list[i]);
    }
    return are;
}

static const struct abswords *join_words(struct arena *a, const struct absval *one, const struct absval *two)
{
    if (one->words == two->words)
        return one->words;
    if (one->words != NULL && two->words != NULL && are_same_words(a, one->words, two->words))
        return one->words;
    return one->words == NULL   ? add_others(a, two->words, one)
           : two->words == NULL ? add_others(a, one->words, two)
                                : NULL;
}

static size_t least_items(const struct abslist *list)
{
    return list->is_exact ? list->count : list->least;
}

static const struct abslist *join_lists(struct arena *a, const struct absval *one, const struct absval *two)
{
    if ((one->kinds & ABS_LIST) == 0 || (two->kinds & ABS_LIST) == 0)
        return (one->kinds & ABS_LIST) != 0 ? one->list : two->list;
    if (one->list == NULL || two->list == NULL)
        return NULL;
    if (one->list == two->list)
        return one->list;
    if (one->list->element == NULL && two->list->element == NULL)
        return one->list;
    struct abslist *list = ARENA_NEW(a, struct abslist); /* not exact */
    list->element = absval_join(a, one->list->element, two->list->element);
    list->is_typed = one->list->is_typed && two->list->is_typed;
    const size_t least_one = least_items(one->list), least_two = least_items(two->list);
    list->least = least_one < least_two ? least_one : least_two;
    return list;
}

static bool has_sort(struct arena *a, const struct absmap *maps, size_t count, const struct absmap *wanted)
{
    arena_pay(a, count / ARENA_LOOKS_PER_STEP);
    for (; maps != NULL; maps = maps->next) {
        if (maps->type == wanted->type && maps->fields == wanted->fields && maps->value == wanted->value &&
            maps->form == wanted->form && maps->key_spelling == wanted->key_spelling &&
            maps->value_spelling == wanted->value_spelling)
            return true;
    }
    return false;
}

/* Joins the maps of two values, if both can be maps. */
static const struct absmap *join_maps(struct arena *a, const struct absval *one, const struct absval *two)
{
    if ((one->kinds & ABS_MAP) == 0 || (two->kinds & ABS_MAP) == 0)
        return (one->kinds & ABS_MAP) != 0 ? one->maps : two->maps;
    const struct absmap *all = one->maps;
    size_t count = 0;
    if (one->maps == NULL || two->maps == NULL)
        return NULL;
    for (const struct absmap *m = all; m != NULL; m = m->next)
        count++;
    for (const struct absmap *m = two->maps; m != NULL; m = m->next) {
        arena_step(a);
        if (has_sort(a, all, count, m))
            continue;
        count++;
        struct absmap *added = ARENA_NEW(a, struct absmap);
        *added = *m;
        added->next = all;
        all = added;
    }
    return all;
}

static void join_optionals(struct arena *a, struct absval *out, const struct absval *one,
                           const struct absval *two)
{
    bool has_one = (one->kinds & ABS_OPTIONAL) != 0, has_two = (two->kinds & ABS_OPTIONAL) != 0;
    out->may_be_none = (has_one && one->may_be_none) || (has_two && two->may_be_none);
    out->inner = absval_join(a, has_one && one->may_have ? one->inner : NULL,
                             has_two && two->may_have ? two->inner : NULL);
    out->may_have = out->inner != NULL;
}

/* Joins the details of kinds. If only one of the two values can be of a kind, its details are kept. */
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
    out->is_sum = (one->is_sum || !has_one) && (two->is_sum || !has_two) && (has_one || has_two);
}

/* Returns true if objects can make v all that the type-determined other value can be: then it does not matter
 * what that is. */
static bool covers(const struct absval *v, const struct absval *other)
{
    return !absval_is_input_independent(v) && (other->kinds & ~v->kinds) == 0;
}

/* Returns true if the type may decide the value: the type, or a computation of which nothing else is
 * known. */
static bool is_determined(const struct absval *v)
{
    return v->is_type_determined || v->computed != NULL;
}

static void join_bools(struct absval *out, const struct absval *one, const struct absval *two)
{
    out->is_type_determined =
        (is_determined(one) && !covers(two, one)) || (is_determined(two) && !covers(one, two));
    for (size_t truth = 0; truth < 2; truth++) {
        out->can_be[truth] = absval_can_be(one, truth) || absval_can_be(two, truth);
        out->surely[truth] = absval_is_surely(one, truth) || absval_is_surely(two, truth);
    }
}

const struct absval *absval_join(struct arena *a, const struct absval *one, const struct absval *two)
{
    if (one == NULL || two == NULL)
        return one == NULL ? two : one;
    if (one == two)
        return one;
    if (one->is_error || two->is_error)
        return absval_failing(a, one->is_error ? two : one);
    if (one == &absval_any && !two->may_fail && !two->is_type_determined)
        return one;
    arena_step(a);
    struct absval *v = ARENA_NEW(a, struct absval);
    v->depth = one->depth > two->depth ? one->depth : two->depth;
    v->kinds = one->kinds | two->kinds;
    v->may_fail = one->may_fail || two->may_fail;
    if (one->author != ABS_OF_REQUEST && two->author != ABS_OF_REQUEST)
        v->author = one->author > two->author ? one->author : two->author;
    v->is_rarely_null = (one->is_rarely_null || (one->kinds & ABS_NULL) == 0) &&
                        (two->is_rarely_null || (two->kinds & ABS_NULL) == 0);
    join_bools(v, one, two);
    join_values(a, v, one, two);
    v->range = join_ranges(a, one, two);
    v->words = join_words(a, one, two);
    v->list = join_lists(a, one, two);
    v->maps = join_maps(a, one, two);
    join_optionals(a, v, one, two);
    join_details(v, one, two);
    return v;
}

const struct absval *absval_join_all(struct arena *a, const struct absval *const *values, size_t count)
{
    const struct absval *all = NULL;
    for (size_t i = 0; i < count; i++)
        all = absval_join(a, all, values[i]);
    return all;
}

/* Questions */

bool absval_can_be(const struct absval *v, bool truth)
{
    return !v->is_error && (v->kinds & ABS_BOOL) != 0 && v->can_be[truth];
}

bool absval_is_surely(const struct absval *v, bool truth)
{
    return absval_can_be(v, truth) && (!v->is_type_determined || v->surely[truth]);
}

bool absval_is_doubtful(const struct absval *v, bool truth)
{
    return absval_can_be(v, true) && absval_can_be(v, false) && !absval_is_surely(v, truth);
}

bool absval_is_constant(const struct absval *v)
{
    if (v->is_error || v->is_type_determined)
        return false;
    if (v->kinds == ABS_BOOL)
        return v->can_be[true] != v->can_be[false];
    return v->kinds == ABS_NULL || (v->values != NULL && v->value_count == 1);
}

bool absval_is_always(const struct absval *v, bool truth)
{
    return !v->is_error && !v->may_fail && !v->is_type_determined && v->kinds == ABS_BOOL &&
           v->can_be[truth] && !v->can_be[!truth];
}

bool absval_range(const struct absval *v, struct absrange *out)
{
    const bool is_known =
        v->range != NULL || (v->kinds == ABS_INT && v->values != NULL && v->value_count != 0);
    if (v->is_error || (v->kinds & ABS_NUMBER) != ABS_INT || !is_known)
        return false;
    if (v->range != NULL) {
        *out = *v->range;
        return true;
    }
    *out = (struct absrange){v->values[0].integer, v->values[0].integer, NULL};
    for (size_t i = 1; i < v->value_count; i++) {
        out->min = v->values[i].integer < out->min ? v->values[i].integer : out->min;
        out->max = v->values[i].integer > out->max ? v->values[i].integer : out->max;
    }
    return true;
}

const struct str *absval_constant_string(const struct absval *v)
{
    return v->kinds == ABS_STRING && absval_is_constant(v) ? &v->values[0].bytes : NULL;
}

bool absval_is_exact_list(const struct absval *v)
{
    return v->kinds == ABS_LIST && v->list != NULL && v->list->is_exact;
}

bool absval_is_empty(const struct absval *v)
{
    const struct absmap *map = v->kinds == ABS_MAP ? v->maps : NULL;
    if (map == NULL)
        return absval_is_exact_list(v) && v->list->count == 0;
    return map->next == NULL && map->type == NULL && map->value == NULL && map->field_count == 0;
}

bool absval_is_input_independent(const struct absval *v)
{
    if (v->is_type_determined || v->computed != NULL || absval_is_constant(v))
        return true;
    if (v->kinds == ABS_TYPE)
        return v->type_kinds != 0 && (v->type_kinds & (v->type_kinds - 1)) == 0;
    return absval_is_exact_list(v) && v->list->is_input_independent;
}

bool absval_is_typed(const struct absval *v)
{
    bool has_list = (v->kinds & ABS_LIST) != 0, has_map = (v->kinds & ABS_MAP) != 0;
    if ((has_list && (v->list == NULL || !v->list->is_typed)) || (has_map && v->maps == NULL))
        return false;
    for (const struct absmap *m = v->maps; has_map && m != NULL; m = m->next) {
        if (m->form != ABS_TYPED)
            return false;
    }
    return has_list || has_map;
}

const struct absval *absval_elements(const struct absval *v)
{
    return v->list == NULL ? &absval_any : v->list->element;
}
