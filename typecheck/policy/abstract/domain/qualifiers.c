#include "typecheck/policy/abstract/domain/qualifiers.h"

#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/absval_text.h"

/* Issues */

static struct transfer undefined(struct arena *a, const struct absval *from, struct str name)
{
    const struct absmap *map = from->maps != NULL && from->maps->next == NULL ? from->maps : NULL;
    const struct absfield *field = map == NULL ? NULL : absmap_field(a, map, name);
    const struct absreason unknown = {.text = STR("")};
    const struct absreason why = field != NULL ? field->why : map != NULL ? map->why : unknown;
    bool is_known = field != NULL || why.text.len != 0; /* it is only not there: no slip */
    return transfer_fails(
        a,
        (struct failure){.code = ISSUE_UNDEFINED_FIELD,
                         .is_here = why.is_here,
                         .message = str_join(a, STR_PARTS(STR("undefined field '"), name, STR("'"),
                                                          why.text.len == 0 ? STR("") : STR(": "), why.text)),
                         .hint = {.map = is_known ? NULL : map, .field = name},
                         .about = issue_about_pack(a, &(struct issue_about){.name = name, .why = why.text})});
}

/* The test for the name finds nothing in any object, if nobody declares such a name. */
static struct transfer claim_absent(struct arena *a, struct types *ts, const struct absval *from,
                                    struct str name, bool is_ours, struct transfer t)
{
    const struct absmap *map = absmap_undeclared(a, ts, from, name);
    if (map == NULL)
        return t;
    return transfer_claims(
        a, t.value,
        (struct failure){.code = ISSUE_UNDEFINED_FIELD,
                         .is_ours = is_ours,
                         .message = str_join(a, STR_PARTS(STR("undefined field '"), name, STR("'"))),
                         .hint = {.map = map, .field = name},
                         .about = issue_about_pack(a, &(struct issue_about){.name = name})});
}

/* No object of any type has a map with such a key. */
static struct transfer claim_key(struct arena *a, const struct absval *from, const struct absval *key,
                                 struct transfer t)
{
    const struct absval *keys = from->kinds == ABS_MAP ? absmap_keys(a, from) : NULL;
    if (keys != NULL && t.claim == NULL)
        t.claim = transfer_no_word(a, key, keys);
    return t;
}

static struct transfer unsupported(struct arena *a, const struct absval *from)
{
    const struct str given = absval_text(a, from);
    return transfer_fails(
        a, (struct failure){.code = ISSUE_NO_FIELDS,
                            .message = str_join(a, STR_PARTS(STR("type '"), given,
                                                             STR("' does not support field selection"))),
                            .about = issue_about_pack(a, &(struct issue_about){.given = given})});
}

static struct transfer no_overload(struct arena *a, struct str function, const struct absval *from,
                                   const struct absval *key)
{
    const struct str types =
        str_join(a, STR_PARTS(STR("("), absval_text(a, from), STR(", "), absval_text(a, key), STR(")")));
    return transfer_fails(
        a, (struct failure){
               .code = ISSUE_NO_OVERLOAD,
               .message = str_join(a, STR_PARTS(STR("found no matching overload for '"), function,
                                                STR("' applied to '"), types, STR("'"))),
               .about = issue_about_pack(a, &(struct issue_about){.name = function, .given = types})});
}

/* Selections */

/* "Plain selection on an optional stays optional, and never fails" (applyQualifiers). */
static const struct absval *select_optional(struct arena *a, struct types *ts, const struct absval *from,
                                            struct str name)
{
    const struct absval *inner = from->may_have ? from->inner : NULL;
    if (inner == NULL || (inner->kinds & ABS_MAP) == 0)
        return inner == NULL ? &absval_none : absval_optional(a, NULL, true);
    struct absmap_found found = absmap_find(a, ts, inner, name);
    return absval_optional(a, found.value,
                           from->may_be_none || found.presence != ABS_PRESENT || inner->kinds != ABS_MAP);
}

/* Says why a plain selection can find nothing. */
static struct transfer fail_select(struct arena *a, const struct absval *from, struct str name,
                                   struct str path)
{
    if ((from->kinds & ABS_MAP) != 0)
        return undefined(a, from, name);
    if (from->kinds != ABS_NULL)
        return unsupported(a, from);
    return transfer_fails(
        a,
        (struct failure){.code = ISSUE_NULL_OBJECT,
                         .is_here = true,
                         .message = str_join(
                             a, STR_PARTS(STR("undefined field '"), name, STR("': "), path, STR(" is null"))),
                         .about = issue_about_pack(a, &(struct issue_about){.name = name, .given = path})});
}

/*
 * "An absent field: no such key"; so is a key of null, a string, a number ...
 * (refQualify); a list takes no string. A field that the schema cannot
 * have is never there; a field that it can have may be there.
 */
struct transfer qualifiers_select(struct arena *a, struct types *ts, const struct absval *from,
                                  struct str name, struct str path)
{
    struct absmap_found found = {.presence = ABS_ABSENT};
    if ((from->kinds & ABS_MAP) != 0)
        found = absmap_find(a, ts, from, name);
    const struct absval *v = found.value;
    bool is_sure = found.presence == ABS_PRESENT;
    if ((from->kinds & ABS_OPTIONAL) != 0 && from->kinds != ABS_ALL) {
        v = absval_join(a, v, select_optional(a, ts, from, name));
        is_sure = is_sure || from->kinds == ABS_OPTIONAL;
    }
    if (v == NULL)
        return fail_select(a, from, name, path);
    v = absval_derive(a, v, from);
    bool may_fail = !is_sure || (from->kinds & ~(uint32_t)(ABS_MAP | ABS_OPTIONAL)) != 0;
    return transfer_passes(may_fail ? absval_failing(a, v) : v);
}

/*
 * "has(a.b) evaluates a. On a null parent it is false, on a string or an int,
 * too. On a list it fails. A null that is there counts as present."
 */
struct transfer qualifiers_has(struct arena *a, struct types *ts, const struct absval *from, struct str name)
{
    const uint32_t opaque = ABS_OPTIONAL | ABS_TIMESTAMP | ABS_DURATION | ABS_OPAQUE;
    struct absmap_found found = {.presence = ABS_PRESENT};
    if (from->kinds == ABS_LIST)
        return unsupported(a, from);
    if ((from->kinds & ABS_MAP) != 0)
        found = absmap_find(a, ts, from, name);
    bool can_be_true = found.value != NULL || (from->kinds & opaque) != 0;
    bool can_be_false = found.presence < ABS_GIVEN || (from->kinds & ~(uint32_t)(ABS_MAP | ABS_LIST)) != 0;
    const struct absval *v = absval_derive(a, absval_of_bools(a, can_be_true, can_be_false), from);
    const bool is_request = from->kinds == ABS_MAP && from->maps != NULL && from->maps->is_declared;
    const struct absfield *field = from->kinds == ABS_MAP && from->maps != NULL && from->maps->next == NULL
                                       ? absmap_field(a, from->maps, name)
                                       : NULL;
    const bool is_cleared = field != NULL && field->presence == ABS_ABSENT;
    if (is_cleared || (is_request && can_be_true != can_be_false))
        v = absval_by(a, v, ABS_BY_NAMES);
    struct transfer t = claim_absent(
        a, ts, from, name, false, transfer_passes((from->kinds & ABS_LIST) != 0 ? absval_failing(a, v) : v));
    t.is_given = found.presence == ABS_GIVEN;
    return t;
}

/* Indexes */

/* The element that a number picks; of a list that is known, the one. */
static const struct absval *pick(const struct absval *from, const struct absval *key)
{
    const struct abslist *list = from->list;
    if (list != NULL && list->is_exact && key->kinds == ABS_INT && key->values != NULL &&
        key->value_count == 1 && key->values[0].integer >= 0 &&
        (uint64_t)key->values[0].integer < list->count)
        return list->items[key->values[0].integer];
    const struct absval *element = absval_elements(from);
    return element == NULL ? &absval_any : element;
}

/* The value that a[key] can find, in a list by a number of the kinds `numbers`; NULL: nothing. */
static const struct absval *find_index(struct arena *a, struct types *ts, const struct absval *from,
                                       const struct absval *key, uint32_t numbers)
{
    const struct absval *v = NULL;
    if ((from->kinds & ABS_MAP) != 0)
        v = absmap_find_key(a, ts, from, key).value;
    if ((from->kinds & ABS_LIST) != 0 && (key->kinds & numbers) != 0)
        v = absval_join(a, v, pick(from, key));
    return v;
}

/* An index of an optional finds an optional, too. */
static const struct absval *find_in_optional(struct arena *a, struct types *ts, const struct absval *from,
                                             const struct absval *key)
{
    const struct str *name = absval_constant_string(key);
    if (name != NULL)
        return select_optional(a, ts, from, *name);
    if (!from->may_have)
        return &absval_none;
    const struct absval *inner = from->inner;
    return absval_optional(
        a, (inner->kinds & ABS_OPTIONAL) != 0 ? &absval_any : find_index(a, ts, inner, key, ABS_NUMBER),
        true);
}

/* "unsupported index type: types.Uint": a typed list takes an int alone (valuesschemalesstyped.go). */
static uint32_t list_numbers(const struct absval *from)
{
    bool is_typed = (from->kinds & ABS_LIST) != 0 && from->list != NULL && from->list->is_typed;
    return is_typed ? ABS_INT : ABS_NUMBER;
}

/* "index out of bounds": of a list whose elements are known, by a number that is. */
static bool is_out_of_bounds(const struct absval *from, const struct absval *key)
{
    if (!absval_is_exact_list(from) || key->kinds != ABS_INT || !absval_is_constant(key))
        return false;
    int64_t index = key->values[0].integer;
    return index < 0 || (uint64_t)index >= from->list->count;
}

/* A list does not count from its end. */
static bool is_negative(const struct absval *from, const struct absval *key)
{
    return from->kinds == ABS_LIST && key->kinds == ABS_INT && absval_is_constant(key) &&
           key->values[0].integer < 0;
}

static struct transfer no_negative_index(struct arena *a, const struct absval *key)
{
    return transfer_fails(
        a, (struct failure){.code = ISSUE_WRONG_CONSTANT,
                            .message = str_format(a,
                                                  "index out of bounds: %lld, the last item of a list is at "
                                                  "size() - 1",
                                                  (long long)key->values[0].integer)});
}

/* A map by one of its keys, a list by a number; nothing else has an index. */
struct transfer qualifiers_index(struct arena *a, struct types *ts, const struct absval *from,
                                 const struct absval *key)
{
    const struct absval *v = NULL;
    const struct str *name = absval_constant_string(key);
    if (is_negative(from, key))
        return no_negative_index(a, key);
    if (is_out_of_bounds(from, key))
        return transfer_fails(a, (struct failure){.message = STR("the list has no such index")});
    if (from->kinds == ABS_OPTIONAL)
        v = find_in_optional(a, ts, from, key);
    else
        v = (from->kinds & ABS_OPTIONAL) != 0 ? &absval_any
                                              : find_index(a, ts, from, key, list_numbers(from));
    if (v != NULL)
        return claim_key(a, from, key, transfer_passes(absval_failing(a, absval_derive(a, v, from))));
    if (name != NULL && (from->kinds & ABS_MAP) != 0)
        return undefined(a, from, *name);
    return no_overload(a, STR("_[_]"), from, key);
}

/* "unsupported map key type: types.Int": a map of JSON answers none, a typed one takes no key but a string.
 */
static bool is_bad_key(const struct absval *from, const struct absval *key)
{
    const uint32_t others = ABS_NUMBER | ABS_BOOL;
    return from->kinds == ABS_MAP && absval_is_typed(from) && (key->kinds & ~others) == 0;
}

/* a.?b, a[?b]: "optional selection on a null parent gives none"; a list takes no string. */
struct transfer qualifiers_optional(struct arena *a, struct types *ts, const struct absval *from,
                                    const struct absval *key, struct str function)
{
    const struct absval *v;
    if ((from->kinds == ABS_LIST && (key->kinds & ABS_NUMBER) == 0) || is_bad_key(from, key))
        return no_overload(a, function, from, key);
    if (from->kinds == ABS_OPTIONAL) {
        v = find_in_optional(a, ts, from, key);
    } else if (from->kinds == ABS_MAP && absval_constant_string(key) != NULL) {
        struct absmap_found found = absmap_find_key(a, ts, from, key);
        v = absval_optional(a, found.value, found.presence != ABS_PRESENT);
    } else {
        bool is_any = (from->kinds & ABS_OPTIONAL) != 0;
        v = absval_optional(a, is_any ? &absval_any : find_index(a, ts, from, key, ABS_NUMBER), true);
    }
    v = absval_derive(a, v, from);
    const struct transfer t =
        transfer_passes((from->kinds & (ABS_LIST | ABS_OPTIONAL)) != 0 ? absval_failing(a, v) : v);
    const struct str *name = absval_constant_string(key);
    const struct absval *holder = from->kinds == ABS_OPTIONAL ? from->inner : from;
    const bool is_index =
        str_eq(function, STR("_[?_]")); /* which upstream takes for a mistake in any object */
    return name == NULL || holder == NULL
               ? t
               : claim_key(a, holder, key, claim_absent(a, ts, holder, *name, is_index, t));
}
