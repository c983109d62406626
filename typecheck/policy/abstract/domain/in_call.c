#include "typecheck/policy/abstract/domain/in_call.h"

#include "typecheck/policy/abstract/domain/absequal.h"
#include "typecheck/policy/abstract/domain/absmap.h"

/* Comparisons of simple values for a step. */
#define LOOKS_PER_STEP 4u

/* x in [a, b, c], each of which is known: as x == a || x == b || x == c. */
static const struct absval *find_item(const struct abscall *c, const struct absval *x,
                                      const struct abslist *list)
{
    struct absequal_outcome all = {{[false] = true}};
    struct absequal comparison = {.arena = c->arena};
    for (size_t i = 0; i < list->count; i++) {
        if (i % LOOKS_PER_STEP == 0)
            arena_step(c->arena);
        struct absequal_outcome one = absequal_compare(&comparison, x, list->items[i]);
        all.can_be[true] = all.can_be[true] || one.can_be[true];
        all.can_be[false] = all.can_be[false] && one.can_be[false];
    }
    return absequal_value(c->arena, all);
}

/* "null compares with everything", be it an element or a key: a literal's key is known by its kinds alone. */
static bool holds_null(const struct abscall *c, const struct absval *range)
{
    const struct absval *element = (range->kinds & ABS_LIST) != 0 ? absval_elements(range) : NULL;
    if (element != NULL && absval_is_null(element))
        return true;
    for (size_t i = 0; absval_is_exact_list(range) && i < range->list->count; i++) {
        if (i % LOOKS_PER_STEP == 0)
            arena_step(c->arena);
        if (absval_is_null(range->list->items[i]))
            return true;
    }
    for (const struct absmap *m = (range->kinds & ABS_MAP) != 0 ? range->maps : NULL; m != NULL;
         m = m->next) {
        arena_step(c->arena);
        if (m->type == NULL && m->key != NULL && (absval_likely_kinds(m->key) & ABS_NULL) != 0)
            return true;
    }
    return false;
}

/* An empty map, as what is left of a status that is cleared, holds nothing of any type; so does an empty
 * list. */
static bool is_empty_map(const struct abscall *c, const struct absval *range)
{
    return range->kinds == ABS_MAP && absmap_keys(c->arena, range) == NULL;
}

/* Returns true if x can be an element, or a key, by its type. */
static bool can_contain(const struct absval *range, const struct absval *x)
{
    const struct absval *element = (range->kinds & ABS_LIST) != 0 ? absval_elements(range) : NULL;
    if (element != NULL && kinds_meet(element->kinds, x->kinds))
        return true;
    /* names of fields that are missing are no matter of type; an empty list holds nothing of any type */
    return (range->kinds & ABS_MAP) != 0
               ? (x->kinds & (ABS_STRING | ABS_NUMBER | ABS_BOOL)) != 0 && absmap_has_key_kind(range, x)
               : element == NULL;
}

/* "unsupported map key type: types.Int": a typed map looks for strings alone. */
static bool is_bad_key(const struct absval *range, const struct absval *x)
{
    return range->kinds == ABS_MAP && absval_is_typed(range) && (x->kinds & ABS_STRING) == 0;
}

/* 'name' in an object that no object of this type has. */
static struct transfer claim_no_field(const struct abscall *c, const struct absval *range, struct str name,
                                      struct transfer t)
{
    const struct absmap *map = absmap_undeclared(c->arena, c->types, range, name);
    if (map == NULL)
        return t;
    return transfer_claims(
        c->arena, t.value,
        (struct failure){.code = ISSUE_UNDEFINED_FIELD,
                         .is_ours = true,
                         .message = str_join(c->arena, STR_PARTS(STR("undefined field '"), name,
                                                                 STR("': 'in' is always false"))),
                         .hint = {.map = map, .field = name},
                         .about = issue_about_pack(c->arena, &(struct issue_about){.name = name})});
}

/* Returns true if the list has the text. */
static bool has_item(const struct abscall *c, const struct abslist *list, struct str text)
{
    bool has = false;
    for (size_t i = 0; !has && i < list->count; i++) {
        if (i % LOOKS_PER_STEP == 0)
            arena_step(c->arena);
        const struct str *item = absval_constant_string(list->items[i]);
        has = item != NULL && str_eq(*item, text);
    }
    return has;
}

/* Returns true if the list has all that the string can be, in any release of Kubernetes. */
static bool has_all_words(const struct abscall *c, const struct absval *x, const struct abslist *list)
{
    const struct abswords *words = x->words;
    bool has = x->kinds == ABS_STRING && x->values == NULL && !x->may_fail && words != NULL &&
               words->judge == NULL && words->elsewhere == 0;
    for (size_t i = 0; has && i < words->count; i++)
        has = has_item(c, list, words->list[i]);
    for (size_t i = 0; has && i < words->other_count; i++)
        has = has_item(c, list, words->others[i].bytes);
    return has;
}

/* x in ['a', 'b'], where it is always one of the two. */
static struct transfer claim_all(const struct abscall *c)
{
    const struct transfer t = abscall_result(c, &absval_true, false);
    return transfer_claims(
        c->arena, t.value,
        (struct failure){.code = ISSUE_ALWAYS_TRUE,
                         .is_ours = true,
                         .message =
                             str_join(c->arena, STR_PARTS(STR("the list has every "), c->args[0]->words->what,
                                                          STR(": this is always true")))});
}

struct transfer in_call(const struct abscall *c)
{
    const struct absval *x = c->args[0], *range = c->args[1], *v = &absval_bool;
    const struct str *name = absval_constant_string(x);
    bool is_given = false;
    bool may_fail = (range->kinds & ~(uint32_t)(ABS_LIST | ABS_MAP)) != 0;
    if ((range->kinds & (ABS_LIST | ABS_MAP)) == 0 || is_bad_key(range, x))
        return abscall_no_overload(c);
    if (!can_contain(range, x)) {
        const struct absval *element = range->kinds == ABS_LIST ? absval_elements(range) : NULL;
        struct transfer t = abscall_result(c, &absval_false, may_fail);
        bool is_fine = absval_is_null(x) || holds_null(c, range) || is_empty_map(c, range);
        return is_fine ? t : abscall_unequal(c, x, element == NULL ? &absval_any : element, t);
    }
    if (absval_is_exact_list(range)) {
        v = find_item(c, x, range->list);
        if (has_all_words(c, x, range->list))
            return claim_all(c);
    } else if (range->kinds == ABS_MAP) {
        enum absval_presence p = absmap_presence(c->arena, c->types, range, x);
        v = absval_of_bools(c->arena, p != ABS_ABSENT, p < ABS_GIVEN);
        is_given = p == ABS_GIVEN;
    }
    struct transfer t = abscall_result(c, v, may_fail);
    if (name == NULL)
        return t;
    t.is_given = is_given;
    const struct absval *held = range->kinds == ABS_MAP       ? absmap_keys(c->arena, range)
                                : range->kinds != ABS_LIST    ? NULL
                                : absval_is_exact_list(range) ? NULL
                                                              : absval_elements(range);
    if (held != NULL)
        t.claim = transfer_no_word(c->arena, x, held);
    return t.claim != NULL ? t : claim_no_field(c, range, *name, t);
}
