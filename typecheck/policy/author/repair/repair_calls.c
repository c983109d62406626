#include "typecheck/policy/author/repair/repair_calls.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/author/repair/repair_edits.h"

static bool is_one_of(const struct repair_tokens *t, size_t i, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (repair_tokens_is(t, i, names[k]))
            return true;
    }
    return false;
}

#define IS_ONE_OF(t, i, names) is_one_of((t), (i), (names), sizeof(names) / sizeof *(names))

/* f(x, y, z): x.f(y, z). Rego has the text behind the pattern. */
static void turn(struct repair_edits *e, size_t first, size_t name, struct str method, bool is_swapped)
{
    const struct repair_tokens *t = &e->tokens;
    size_t end = t->match[name + 1], comma = repair_tokens_comma(t, name + 1, end);
    if (comma == end || comma < name + 3 || comma + 1 >= end)
        return;
    struct str target = is_swapped ? repair_edits_operand(e, comma + 1, end - 1)
                                   : repair_edits_operand(e, name + 2, comma - 1);
    struct str args =
        is_swapped ? repair_tokens_slice(t, name + 2, comma - 1) : repair_tokens_slice(t, comma + 1, end - 1);
    repair_edits_change(e, first, end,
                        str_join(t->arena, STR_PARTS(target, STR("."), method, STR("("), args, STR(")"))));
}

/* The name of such a function as a method. */
static struct str method_of(struct str function)
{
    static const struct {
        const char *from;
        struct str to;
    } NAMES[] = {
        {"startsWith", STR_INIT("startsWith")},
        {"startswith", STR_INIT("startsWith")},
        {"endsWith", STR_INIT("endsWith")},
        {"endswith", STR_INIT("endsWith")},
        {"contains", STR_INIT("contains")},
        {"all", STR_INIT("all")},
        {"exists", STR_INIT("exists")},
        {"any", STR_INIT("exists")},
        {"exists_one", STR_INIT("exists_one")},
        {"filter", STR_INIT("filter")},
        {"map", STR_INIT("map")},
        {"split", STR_INIT("split")},
        {"replace", STR_INIT("replace")},
        {"join", STR_INIT("join")},
        {"substring", STR_INIT("substring")},
        {"format", STR_INIT("format")},
        {"sprintf", STR_INIT("format")},
        {"find", STR_INIT("find")},
        {"every", STR_INIT("all")},
        {"some", STR_INIT("exists")},
        {"indexOf", STR_INIT("indexOf")},
        {"isSorted", STR_INIT("isSorted")},
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (str_eq(str_of(NAMES[i].from), function))
            return NAMES[i].to;
    }
    return STR("");
}

void repair_calls_global(struct repair_edits *e)
{
    static const char *const MATCHES[] = {"match", "matches", "re_match", "regexMatch", "regex"};
    static const char *const LOWER[] = {"lower", "toLower", "lowerAscii"}, *const UPPER[] = {"upper",
                                                                                             "toUpper",
                                                                                             "upperAscii"};
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 2 < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_is_method(t, i) && repair_tokens_is(t, i, "match") &&
            repair_tokens_is(t, i - 2, "regex")) {
            turn(e, i - 2, i, STR("matches"), true);
            continue;
        }
        if (!repair_tokens_is_function(t, i))
            continue;
        size_t end = t->match[i + 1];
        struct str method = method_of(repair_tokens_text(t, i));
        if (method.len != 0)
            turn(e, i, i, method, false);
        else if (IS_ONE_OF(t, i, MATCHES))
            turn(e, i, i, STR("matches"), true);
        else if (end > i + 2 && (IS_ONE_OF(t, i, LOWER) || IS_ONE_OF(t, i, UPPER)))
            repair_edits_change(e, i, end,
                                str_join(t->arena, STR_PARTS(repair_edits_operand(e, i + 2, end - 1),
                                                             IS_ONE_OF(t, i, LOWER) ? STR(".lowerAscii()")
                                                                                    : STR(".upperAscii()"))));
        else
            continue;
        i = end;
    }
}

/* ---- macros ---- */

static bool is_quantifier(const struct repair_tokens *t, size_t i)
{
    static const char *const NAMES[] = {"all", "exists", "exists_one", "filter",
                                        "map", "any",    "every",      "some"};
    return IS_ONE_OF(t, i, NAMES);
}

/* .all(x.y == 1): .all(x, x.y == 1), if its first name is not declared elsewhere. */
static void name_variable(struct repair_edits *e, size_t name)
{
    const struct repair_tokens *t = &e->tokens;
    size_t end = t->match[name + 1], first = name + 2;
    while (repair_tokens_kind(t, first) == TOKEN_NOT || repair_tokens_is(t, first, "has") ||
           repair_tokens_kind(t, first) == TOKEN_LPAREN)
        first++;
    struct str variable = repair_tokens_text(t, first);
    if (repair_tokens_comma(t, name + 1, end) != end || !repair_tokens_is_name(t, first) ||
        repair_tokens_kind(t, first + 1) != TOKEN_DOT || str_eq(variable, STR("object")) ||
        str_eq(variable, STR("self")) || str_eq(variable, STR("variables")) ||
        str_eq(variable, STR("params")) || str_eq(variable, STR("request")) ||
        str_eq(variable, STR("oldObject")))
        return;
    repair_edits_behind(e, name + 1, str_join(t->arena, STR_PARTS(variable, STR(", "))));
    repair_edits_show(e,
                      str_join(t->arena, STR_PARTS(repair_tokens_text(t, name), STR("("), variable, STR(", "),
                                                   repair_tokens_slice(t, name + 2, end - 1), STR(")"))));
}

/* `x => p`, `x -> p`, `x : p`, `|x| p`: x, p. How many tokens stand between the variable and p; 0: none. */
static size_t arrow(const struct repair_tokens *t, size_t i)
{
    enum token_kind kind = repair_tokens_kind(t, i), next = repair_tokens_kind(t, i + 1);
    if (kind == TOKEN_BAD && repair_tokens_is(t, i, "=") && next == TOKEN_GREATER)
        return 2;
    if (kind == TOKEN_MINUS && next == TOKEN_GREATER)
        return 2;
    return kind == TOKEN_COLON ? 1 : 0;
}

/* all(x in list, p): list.all(x, p). */
static void turn_around(struct repair_edits *e, size_t name)
{
    const struct repair_tokens *t = &e->tokens;
    size_t end = t->match[name + 1], comma = repair_tokens_comma(t, name + 1, end);
    if (comma == end || comma < name + 5 || comma + 1 >= end)
        return;
    struct str list = repair_tokens_slice(t, name + 4, comma - 1);
    repair_edits_change(e, name, end,
                        str_join(t->arena, STR_PARTS(list, STR("."), repair_tokens_text(t, name), STR("("),
                                                     repair_tokens_text(t, name + 2), STR(", "),
                                                     repair_tokens_slice(t, comma + 1, end - 1), STR(")"))));
}

void repair_calls_macros(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 2 < t->count; i++) {
        arena_step(t->arena);
        if (!is_quantifier(t, i) || repair_tokens_kind(t, i + 1) != TOKEN_LPAREN || t->match[i + 1] < i + 3)
            continue;
        size_t tokens = repair_tokens_kind(t, i + 2) == TOKEN_IDENT ? arrow(t, i + 3) : 0;
        if (tokens > 0 && repair_tokens_is_method(t, i)) {
            repair_edits_put(e, t->list[i + 2].end, t->list[i + 2 + tokens].end, STR(","));
            repair_edits_show(e, str_join(t->arena, STR_PARTS(repair_tokens_text(t, i), STR("("),
                                                              repair_tokens_text(t, i + 2), STR(", ...)"))));
        } else if (repair_tokens_is_method(t, i)) {
            name_variable(e, i);
        } else if (repair_tokens_kind(t, i + 3) == TOKEN_IN) {
            turn_around(e, i);
        }
    }
}

/* ---- arguments ---- */

/* '%s'.format(x): '%s'.format([x]). */
void repair_calls_format(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 2 < t->count; i++) {
        size_t end = t->match[i + 1];
        arena_step(t->arena);
        if (!repair_tokens_is_method(t, i) || !repair_tokens_is(t, i, "format") || end < i + 3 ||
            (repair_tokens_kind(t, i + 2) == TOKEN_LBRACKET && t->match[i + 2] + 1 == end))
            continue;
        repair_edits_behind(e, i + 1, STR("["));
        repair_edits_before(e, end, STR("]"));
        repair_edits_show(
            e, str_join(t->arena,
                        STR_PARTS(STR("format(["), repair_tokens_slice(t, i + 2, end - 1), STR("])"))));
    }
}

void repair_calls_format_numbers(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 2 < t->count; i++) {
        arena_step(t->arena);
        if (!repair_tokens_is_method(t, i) || !repair_tokens_is(t, i, "format") ||
            repair_tokens_kind(t, i + 2) != TOKEN_LBRACKET)
            continue;
        for (size_t k = i + 3; k < t->match[i + 2]; k++) {
            arena_step(t->arena);
            if (repair_tokens_kind(t, k) == TOKEN_INT)
                repair_edits_change(e, k, k,
                                    str_join(t->arena, STR_PARTS(repair_tokens_text(t, k), STR(".0"))));
            repair_edits_offer(e);
            k = t->match[k] > k ? t->match[k] : k;
        }
    }
}

/* x.startsWith(['a', 'b']) and x.startsWith('a', 'b'): ['a', 'b'].exists(s, x.startsWith(s)). */
void repair_calls_any_of(struct repair_edits *e)
{
    static const char *const METHODS[] = {"startsWith", "endsWith", "contains", "matches"};
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 2; i + 2 < t->count; i++) {
        size_t end = t->match[i + 1];
        arena_step(t->arena);
        if (!repair_tokens_is_method(t, i) || end < i + 3 || !IS_ONE_OF(t, i, METHODS))
            continue;
        bool is_list = repair_tokens_kind(t, i + 2) == TOKEN_LBRACKET && t->match[i + 2] + 1 == end;
        if (!is_list && repair_tokens_comma(t, i + 1, end) == end)
            continue;
        size_t start = repair_tokens_chain_start(t, i - 2);
        struct str items = repair_tokens_slice(t, i + 2, end - 1), call = repair_tokens_slice(t, start, i);
        repair_edits_change(
            e, start, end,
            str_join(t->arena, STR_PARTS(is_list ? STR("") : STR("["), items, is_list ? STR("") : STR("]"),
                                         STR(".exists(s, "), call, STR("(s))"))));
        i = end;
    }
}

static void replace_chain(struct repair_edits *e, size_t first, size_t last, struct str target,
                          struct str behind)
{
    repair_edits_change(e, first, last, str_join(e->tokens.arena, STR_PARTS(target, behind)));
}

/* x.isEmpty(), empty(x) and, with x a text, a list or a map, !x: x.size() == 0. */
void repair_calls_empty(struct repair_edits *e)
{
    static const char *const EMPTY[] = {"isEmpty", "empty", "is_empty", "isempty"};
    static const char *const FILLED[] = {"isNotEmpty", "notEmpty", "nonEmpty", "isPresent"};
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 2 < t->count; i++) {
        size_t end = t->match[i + 1];
        arena_step(t->arena);
        bool is_empty = IS_ONE_OF(t, i, EMPTY), is_filled = IS_ONE_OF(t, i, FILLED);
        if ((!is_empty && !is_filled) || end <= i + 1)
            continue;
        struct str behind = is_empty ? STR(".size() == 0") : STR(".size() > 0");
        bool is_method = repair_tokens_is_method(t, i) && end == i + 2 && i >= 2;
        size_t start = is_method ? repair_tokens_chain_start(t, i - 2) : i;
        bool is_negated = start > 0 && repair_tokens_kind(t, start - 1) == TOKEN_NOT;
        if (is_negated)
            behind = is_empty ? STR(".size() > 0") : STR(".size() == 0");
        if (is_method)
            replace_chain(e, start - is_negated, end, repair_tokens_slice(t, start, i - 2), behind);
        else if (repair_tokens_is_function(t, i) && end > i + 2)
            replace_chain(e, start - is_negated, end, repair_edits_operand(e, i + 2, end - 1), behind);
    }
    repair_edits_offer(e);
    for (size_t i = 0; i + 1 < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_NOT || repair_tokens_kind(t, i + 1) != TOKEN_IDENT)
            continue;
        size_t end = repair_tokens_chain_end(t, i + 1);
        replace_chain(e, i, end, repair_tokens_slice(t, i + 1, end), STR(".size() == 0"));
    }
}

/* authorizer...check('get'): the decision's .allowed(). */
void repair_calls_allowed(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 2 < t->count; i++) {
        size_t end = t->match[i + 1];
        arena_step(t->arena);
        if (!repair_tokens_is_method(t, i) || !repair_tokens_is(t, i, "check") || end <= i + 1)
            continue;
        bool is_field = repair_tokens_kind(t, end + 1) == TOKEN_DOT &&
                        repair_tokens_is(t, end + 2, "allowed") &&
                        repair_tokens_kind(t, end + 3) != TOKEN_LPAREN;
        if (!is_field && repair_tokens_kind(t, end + 1) == TOKEN_DOT)
            continue;
        repair_edits_behind(e, is_field ? end + 2 : end, is_field ? STR("()") : STR(".allowed()"));
        repair_edits_show(e, STR(".allowed()"));
    }
}

/* Calls of methods that CEL does not have. */
void repair_calls_foreign(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    struct arena *a = t->arena;
    for (size_t i = 2; i + 2 < t->count; i++) {
        size_t end = t->match[i + 1];
        arena_step(a);
        if (!repair_tokens_is_method(t, i) || end < i + 3)
            continue;
        size_t start = repair_tokens_chain_start(t, i - 2), comma = repair_tokens_comma(t, i + 1, end);
        struct str target = repair_tokens_slice(t, start, i - 2),
                   args = repair_tokens_slice(t, i + 2, end - 1);
        struct str made = STR("");
        if (repair_tokens_is(t, i, "none") && comma != end)
            made = str_join(a, STR_PARTS(STR("!"), target, STR(".exists("), args, STR(")")));
        else if (repair_tokens_is(t, i, "count") && comma != end)
            made = str_join(a, STR_PARTS(target, STR(".filter("), args, STR(").size()")));
        else if (repair_tokens_is(t, i, "equals") && comma == end &&
                 repair_tokens_kind(t, start - 1) != TOKEN_NOT)
            made = str_join(a, STR_PARTS(target, STR(" == "), args));
        else if (repair_tokens_is(t, i, "get") && comma == end)
            made = str_join(a, STR_PARTS(target, STR("["), args, STR("]")));
        else if (repair_tokens_is(t, i, "get") && comma + 1 < end)
            made = str_join(a, STR_PARTS(target, STR("[?"), repair_tokens_slice(t, i + 2, comma - 1),
                                         STR("].orValue("), repair_tokens_slice(t, comma + 1, end - 1),
                                         STR(")")));
        if (made.len == 0)
            continue;
        repair_edits_change(e, start, end, made);
        i = end;
    }
}

/* Macros, size() and `in` go over the keys of a map as it is; elsewhere a list is meant. */
static bool takes_map(const struct repair_tokens *t, size_t first, size_t end)
{
    static const char *const METHODS[] = {"all", "exists", "exists_one", "map", "filter", "size"};
    return repair_tokens_kind(t, first - 1) == TOKEN_IN ||
           (repair_tokens_is_method(t, end + 2) && IS_ONE_OF(t, end + 2, METHODS));
}

/* m.keys().all(k, ...): m.all(k, ...); m.values(): m.map(k, m[k]). */
void repair_calls_keys(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 2; i + 2 < t->count; i++) {
        const bool is_keys = repair_tokens_is(t, i, "keys");
        const size_t end = i + 2;
        arena_step(t->arena);
        if (!repair_tokens_is_method(t, i) || t->match[i + 1] != end ||
            (!is_keys && !repair_tokens_is(t, i, "values")))
            continue;
        const size_t start = repair_tokens_chain_start(t, i - 2);
        const struct str map = repair_tokens_slice(t, start, i - 2);
        if (is_keys && takes_map(t, start, end))
            repair_edits_change(e, start, end, map);
        else
            repair_edits_change(e, start, end,
                                str_join(t->arena, STR_PARTS(map, STR(".map(k, "), is_keys ? STR("k") : map,
                                                             is_keys ? STR("") : STR("[k]"), STR(")"))));
        i = end;
    }
}
