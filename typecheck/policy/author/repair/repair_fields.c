#include "typecheck/policy/author/repair/repair_fields.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/lexer.h"
#include "typecheck/policy/author/repair/repair_edits.h"
#include "typecheck/policy/author/repair/repair_scope.h"

/*
 * Corrections of selections: keys that no identifier can be, wrong uses of has(), of optionals and of fields
 * that do not exist. Each rule looks at the tokens from one place on, and adds an edit if it recognises its
 * mistake. The comment of a rule has the mistake and its correction. An edit need not be right: each is tried
 * before it is shown.
 */

/* ---- keys ---- */

/* Maps of strings that have keys as people like them. */
static bool is_map_name(const struct repair_tokens *t, size_t i)
{
    static const char *const NAMES[] = {"labels",     "annotations", "matchLabels", "nodeSelector", "data",
                                        "stringData", "binaryData",  "limits",      "requests",     "hard"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        if (repair_tokens_is(t, i, NAMES[k]))
            return true;
    }
    return false;
}

/* The last token of a key such as a-b or example.com/team, which begins at i; i: it is an ordinary name. */
static size_t key_end(const struct repair_tokens *t, size_t i)
{
    size_t end = i, last = i;
    bool is_name = true;
    while (repair_tokens_is_tight(t, end)) {
        enum token_kind next = repair_tokens_kind(t, end + 1);
        arena_step(t->arena);
        is_name = !is_name;
        if (is_name ? next != TOKEN_IDENT && next != TOKEN_INT && next != TOKEN_IN
                    : next != TOKEN_DOT && next != TOKEN_MINUS && next != TOKEN_SLASH)
            break;
        end++;
        if (is_name && repair_tokens_kind(t, end + 1) != TOKEN_LPAREN)
            last = end;
    }
    return last;
}

/* Returns true if a key has a - or /. No fields follow the last of these: in `.labels.a-b.c` all of a-b.c is
 * the key. */
static bool is_odd_key(const struct repair_tokens *t, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) == TOKEN_MINUS || repair_tokens_kind(t, i) == TOKEN_SLASH)
            return true;
    }
    return false;
}

/* Returns true if the tokens are the whole argument of has( ... ), in which no index may stand. */
static bool is_within_has(const struct repair_tokens *t, size_t start, size_t last)
{
    return start >= 2 && repair_tokens_kind(t, start - 1) == TOKEN_LPAREN &&
           t->match[start - 1] == last + 1 && repair_tokens_is_name(t, start - 2) &&
           repair_tokens_is(t, start - 2, "has");
}

/* `key in map`, between brackets where a ! stands before it, and the last token is `last`. */
static void put_in(struct repair_edits *e, size_t first, size_t last, struct str key, struct str map)
{
    const struct repair_tokens *t = &e->tokens;
    bool is_negated = repair_tokens_kind(t, first - 1) == TOKEN_NOT;
    struct str open = is_negated ? STR("(") : STR(""), close = is_negated ? STR(")") : STR("");
    repair_edits_change(e, first, last, str_join(t->arena, STR_PARTS(open, key, STR(" in "), map, close)));
}

static const struct {
    struct str escaped;
    char plain;
} SIGNS[] = {{STR_INIT("__dash__"), '-'}, {STR_INIT("__slash__"), '/'}, {STR_INIT("__dot__"), '.'}};

enum { N_SIGNS = sizeof SIGNS / sizeof *SIGNS };

/* The name of a field with such a key, as the rules of definitions have it. */
static struct str escape(struct arena *a, struct str key)
{
    struct text out = {.arena = a};
    arena_pay(a, 1 + key.len);
    for (size_t i = 0; i < key.len; i++) {
        size_t k = 0;
        while (k < N_SIGNS && SIGNS[k].plain != key.at[i])
            k++;
        if (k < N_SIGNS)
            text_add(&out, SIGNS[k].escaped);
        else
            text_add_char(&out, key.at[i]);
    }
    return text_str(&out);
}

/* The dot before the key's first name is at `dot`. */
static void put_key(struct repair_edits *e, size_t dot, size_t last, struct str key)
{
    const struct repair_tokens *t = &e->tokens;
    struct str index = str_join(t->arena, STR_PARTS(STR("['"), key, STR("']")));
    size_t start = repair_tokens_chain_start(t, dot - 1);
    if (is_within_has(t, start, last)) {
        struct str map = repair_tokens_slice(t, start, dot - 1);
        put_in(e, start - 2, last + 1, str_join(t->arena, STR_PARTS(STR("'"), key, STR("'"))), map);
        return;
    }
    if (e->scope->is_crd_rule) {
        struct str field = str_join(t->arena, STR_PARTS(STR("."), escape(t->arena, key)));
        repair_edits_change(e, dot, last, field);
        return;
    }
    repair_edits_replace(e, dot, last, index);
    repair_edits_show(e, str_join(t->arena, STR_PARTS(repair_tokens_text(t, dot - 1), index)));
}

static void find_keys(struct repair_edits *e, bool is_of_map)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i + 1 < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_DOT || !repair_tokens_ends(t, i - 1) ||
            repair_tokens_kind(t, i + 1) != TOKEN_IDENT || is_map_name(t, i - 1) != is_of_map)
            continue;
        size_t last = key_end(t, i + 1);
        size_t first = i + 1;
        while (!is_of_map && first + 1 < last && repair_tokens_kind(t, first + 1) == TOKEN_DOT)
            first += 2; /* fields; only the last name is odd */
        if (!is_odd_key(t, first, last))
            continue;
        put_key(e, first - 1, last, repair_tokens_slice(t, first, last));
        i = last;
    }
}

/* self['a-b'] in a rule: self.a__dash__b. */
static void find_indexes(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i + 2 < t->count && e->scope->is_crd_rule; i++) {
        struct str s = repair_tokens_text(t, i + 1);
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_LBRACKET || repair_tokens_kind(t, i + 1) != TOKEN_STRING ||
            t->match[i] != i + 2 || !repair_tokens_ends(t, i - 1) || s.len < 3)
            continue;
        struct str key = {s.at + 1, s.len - 2};
        repair_edits_change(e, i, i + 2, str_join(t->arena, STR_PARTS(STR("."), escape(t->arena, key))));
    }
}

void repair_fields_keys(struct repair_edits *e)
{
    find_indexes(e);
    repair_edits_offer(e);
    find_keys(e, true);
    repair_edits_offer(e);
    find_keys(e, false);
}

/* The word between the underscores of __in__, if only an index can name it; empty: it is none. */
static struct str keyword(struct str name)
{
    const bool is_between =
        name.len > 4 && str_has_prefix(name, STR("__")) && str_has_suffix(name, STR("__"));
    const struct str inner = is_between ? (struct str){name.at + 2, name.len - 4} : STR("");
    return inner.len != 0 && lexer_token(inner, 0).end == inner.len && !lexer_is_name(inner) ? inner
                                                                                             : STR("");
}

/* The name that an escaped name stands for; empty: it is none. */
static struct str unescape(struct arena *a, struct str name)
{
    struct text out = {.arena = a};
    bool is_escaped = false;
    arena_pay(a, 1 + name.len);
    for (size_t i = 0; i < name.len;) {
        size_t k = 0;
        struct str rest = {name.at + i, name.len - i};
        while (k < N_SIGNS && !str_has_prefix(rest, SIGNS[k].escaped))
            k++;
        is_escaped = is_escaped || k < N_SIGNS;
        if (k < N_SIGNS)
            text_add_char(&out, SIGNS[k].plain);
        else
            text_add_char(&out, name.at[i]);
        i += k < N_SIGNS ? SIGNS[k].escaped.len : 1;
    }
    return is_escaped ? text_str(&out) : keyword(name);
}

void repair_fields_escaped(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 2; i < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_IDENT || repair_tokens_kind(t, i - 1) != TOKEN_DOT)
            continue;
        struct str key = unescape(t->arena, repair_tokens_text(t, i));
        if (key.len != 0)
            put_key(e, i - 1, i, key);
    }
}

/* ---- has ---- */

/* has(m['k']): 'k' in m. */
static bool ask_key(struct repair_edits *e, size_t has, size_t last)
{
    const struct repair_tokens *t = &e->tokens;
    size_t open = repair_tokens_kind(t, last) == TOKEN_RBRACKET ? t->match[last] : last;
    if (open == last || open < has + 3)
        return false;
    size_t first = repair_tokens_kind(t, open + 1) == TOKEN_QUESTION ? open + 2 : open + 1;
    struct str key = repair_tokens_slice(t, first, last - 1), map = repair_tokens_slice(t, has + 2, open - 1);
    put_in(e, has, last + 1, key, map);
    return true;
}

/* has(a.b == 1): has(a.b) && a.b == 1. */
static bool ask_relation(struct repair_edits *e, size_t has, size_t last)
{
    const struct repair_tokens *t = &e->tokens;
    size_t end = repair_tokens_side_end(t, has + 2);
    if (!repair_tokens_is_relation(t, end + 1) || repair_tokens_kind(t, has - 1) == TOKEN_NOT)
        return false;
    struct str field = repair_tokens_slice(t, has + 2, end), all = repair_tokens_slice(t, has + 2, last);
    repair_edits_change(e, has, last + 1,
                        str_join(t->arena, STR_PARTS(STR("has("), field, STR(") && "), all)));
    return true;
}

/* has(a.b, a.c) and has(a.b && a.c): has(a.b) && has(a.c). */
static bool ask_each(struct repair_edits *e, size_t has, size_t last)
{
    const struct repair_tokens *t = &e->tokens;
    bool is_found = false;
    for (size_t i = has + 2; i < last && repair_tokens_kind(t, has - 1) != TOKEN_NOT; i++) {
        enum token_kind kind = repair_tokens_kind(t, i);
        arena_step(t->arena);
        if (t->match[i] > i)
            i = t->match[i];
        if (kind != TOKEN_COMMA && kind != TOKEN_AND && kind != TOKEN_OR)
            continue;
        repair_edits_replace(e, i, i,
                             kind == TOKEN_OR    ? STR(") || has(")
                             : kind == TOKEN_AND ? STR(") && has(")
                                                 : STR(") && has("));
        is_found = true;
    }
    if (is_found)
        repair_edits_show(e, STR("has(...) && has(...)"));
    return is_found;
}

static void repair_has(struct repair_edits *e, size_t has, size_t last)
{
    const struct repair_tokens *t = &e->tokens;
    struct arena *a = t->arena;
    struct str inner = repair_tokens_slice(t, has + 2, last);
    if (repair_tokens_kind(t, has + 2) == TOKEN_NOT) {
        inner = repair_tokens_slice(t, has + 3, last);
        repair_edits_change(e, has, last + 1, str_join(a, STR_PARTS(STR("!has("), inner, STR(")"))));
    } else if (repair_tokens_kind(t, last - 1) == TOKEN_IN ||
               repair_tokens_kind(t, has + 3) == TOKEN_IN) { /* has('k' in m) */
        repair_edits_change(e, has, last + 1, inner);
    } else if (last == has + 2 && repair_tokens_kind(t, last) == TOKEN_IDENT) {
        repair_edits_change(e, has, last + 1, str_join(a, STR_PARTS(inner, STR(" != null"))));
    } else if (repair_tokens_kind(t, last) == TOKEN_STRING &&
               repair_tokens_comma(t, has + 1, last) == last - 1) {
        put_in(e, has, last + 1, repair_tokens_text(t, last),
               repair_tokens_slice(t, has + 2, last - 2)); /* has(m, 'k') */
    } else if (!ask_key(e, has, last) && !ask_each(e, has, last)) {
        ask_relation(e, has, last);
    }
}

/* Returns true if what has() asks for may stand there: a.b.c. */
static bool is_selection(const struct repair_tokens *t, size_t first, size_t last)
{
    return last > first && repair_tokens_chain_end(t, first) == last &&
           repair_tokens_kind(t, last) >= TOKEN_IDENT && repair_tokens_kind(t, first) != TOKEN_NOT;
}

void repair_fields_has(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 2 < t->count; i++) {
        arena_step(t->arena);
        if (!repair_tokens_is_name(t, i) || !repair_tokens_is(t, i, "has"))
            continue;
        size_t end = t->match[i + 1];
        if (repair_tokens_kind(t, i + 1) == TOKEN_IDENT) { /* has a.b */
            repair_edits_put(e, t->list[i].end, t->list[i + 1].start, STR("("));
            end = repair_tokens_chain_end(t, i + 1);
            repair_edits_behind(e, end, STR(")"));
            repair_edits_show(
                e, str_join(t->arena, STR_PARTS(STR("has("), repair_tokens_slice(t, i + 1, end), STR(")"))));
            i = end;
        } else if (repair_tokens_kind(t, i + 1) == TOKEN_LPAREN && end > i + 2 &&
                   !is_selection(t, i + 2, end - 1)) {
            repair_has(e, i, end - 1);
            i = end;
        }
    }
}

/* m.has('k'), m.containsKey('k'): 'k' in m. */
void repair_fields_has_key(struct repair_edits *e)
{
    static const char *const METHODS[] = {
        "has",      "hasKey",  "has_key", "containsKey", "hasOwnProperty", "keyExists", "contains",
        "includes", "contain", "include", "in",          "exists",         "hasLabel"};
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 2; i + 2 < t->count; i++) {
        bool is_one = false;
        arena_step(t->arena);
        for (size_t k = 0; repair_tokens_is_method(t, i) && k < sizeof METHODS / sizeof *METHODS; k++)
            is_one = is_one || repair_tokens_is(t, i, METHODS[k]);
        size_t end = t->match[i + 1];
        if (!is_one || end < i + 3 || repair_tokens_comma(t, i + 1, end) != end)
            continue;
        size_t start = repair_tokens_chain_start(t, i - 2);
        struct str key = repair_tokens_slice(t, i + 2, end - 1), map = repair_tokens_slice(t, start, i - 2);
        put_in(e, start, end, key, map);
        i = end;
    }
}

/* ---- optionals ---- */

/* The last token of the fields from this one on, before a method, an index or what is no part of the
 * chain. */
static size_t last_field(const struct repair_tokens *t, size_t field)
{
    size_t last = field;
    while (repair_tokens_kind(t, last + 1) == TOKEN_DOT && repair_tokens_kind(t, last + 2) == TOKEN_IDENT &&
           repair_tokens_kind(t, last + 3) != TOKEN_LPAREN) {
        arena_step(t->arena);
        last += 2;
    }
    return last;
}

/* Returns true if token i is the name of a method of strings. If the string is not there, such a test is
 * false, as in JavaScript. */
static bool is_text_method(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_is_method(t, i) &&
           (repair_tokens_is(t, i, "startsWith") || repair_tokens_is(t, i, "endsWith") ||
            repair_tokens_is(t, i, "contains") || repair_tokens_is(t, i, "matches"));
}

/* Returns true if 0 is not in the relation to what follows: `> 1`, `>= 1`. */
static bool is_above_zero(const struct repair_tokens *t, size_t i)
{
    enum token_kind kind = repair_tokens_kind(t, i);
    return repair_tokens_kind(t, i + 1) == TOKEN_INT &&
           (kind == TOKEN_GREATER || (kind == TOKEN_GREATER_EQUALS && !repair_tokens_is(t, i + 1, "0")));
}

/* Returns true if an operand of a condition has ended before the token; `a?.b?.c` goes on. */
static bool is_truth_end(const struct repair_tokens *t, size_t i)
{
    enum token_kind kind = repair_tokens_kind(t, i);
    return kind == TOKEN_AND || kind == TOKEN_OR || kind == TOKEN_RPAREN || kind == TOKEN_EOF ||
           (kind == TOKEN_QUESTION && repair_tokens_kind(t, i + 1) != TOKEN_DOT);
}

/* Returns true if the bracket closes a macro's arguments, and the last one is a condition: the macro asks a
 * question about each element. */
static bool is_question_of_macro(const struct repair_tokens *t, size_t closing)
{
    const size_t macro = (size_t)t->match[closing] - 1;
    return t->match[closing] > 0 && repair_tokens_is_method(t, macro) &&
           (repair_tokens_is(t, macro, "all") || repair_tokens_is(t, macro, "exists") ||
            repair_tokens_is(t, macro, "exists_one") || repair_tokens_is(t, macro, "filter"));
}

/* Returns true if the tokens are the whole of a condition, or an operand of a logical operator: a bool is
 * wanted. */
static bool is_condition(const struct repair_tokens *t, size_t first, size_t last)
{
    while (first > 0) {
        arena_step(t->arena);
        const bool is_not = repair_tokens_kind(t, first - 1) == TOKEN_NOT;
        const bool is_group = repair_tokens_kind(t, first - 1) == TOKEN_LPAREN &&
                              t->match[first - 1] == last + 1 && !repair_tokens_is_method(t, first - 2) &&
                              !repair_tokens_is_function(t, first - 2);
        if (!is_not && !is_group)
            break;
        first--;
        last += is_group;
    }
    const enum token_kind before = first == 0 ? TOKEN_AND : repair_tokens_kind(t, first - 1);
    const enum token_kind after = repair_tokens_kind(t, last + 1);
    if (before == TOKEN_COMMA && after == TOKEN_RPAREN)
        return is_question_of_macro(t, last + 1);
    return is_truth_end(t, last + 1) &&
           (before == TOKEN_AND || before == TOKEN_OR || (before == TOKEN_LPAREN && after != TOKEN_RPAREN));
}

/* The first token of the chain with the field, which stands after `.?` or `?.`. */
static size_t optional_start(const struct repair_tokens *t, size_t field)
{
    size_t start = field;
    while (start >= 3 && (repair_tokens_kind(t, start - 1) == TOKEN_QUESTION ||
                          repair_tokens_kind(t, start - 2) == TOKEN_QUESTION)) {
        arena_step(t->arena);
        start = repair_tokens_chain_start(t, start - 3);
    }
    return start;
}

/* Makes an optional of the operand of an equality, if it is a plain value. */
static void make_optional(struct repair_edits *e, size_t first, size_t last)
{
    bool is_plain = !repair_tokens_is(&e->tokens, first, "optional");
    for (size_t i = first; i <= last; i++)
        is_plain = is_plain && repair_tokens_kind(&e->tokens, i) != TOKEN_QUESTION;
    if (!is_plain)
        return;
    repair_edits_before(e, first, STR("optional.of("));
    repair_edits_behind(e, last, STR(")"));
    repair_edits_show(e, STR("optional.of(...)"));
}

static bool is_equality(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_kind(t, i) == TOKEN_EQUALS || repair_tokens_kind(t, i) == TOKEN_NOT_EQUALS;
}

/*
 * `a?.b == x`, `x == a?.b`: what it is compared with is an optional, too. `a?.b > 1`,
 * `a?.b.startsWith('x')`, `a?.b && c`: a value takes the place of the optional, with which that is false.
 */
void repair_fields_settle_optional(struct repair_edits *e, size_t field)
{
    const struct repair_tokens *t = &e->tokens;
    const size_t start = optional_start(t, field), end = repair_tokens_chain_end(t, field),
                 last = last_field(t, field);
    struct str instead = STR("");
    if (is_equality(t, end + 1)) {
        make_optional(e, end + 2, repair_tokens_side_end(t, end + 2));
        return;
    }
    if (start > 1 && is_equality(t, start - 1)) {
        make_optional(e, repair_tokens_side_start(t, start - 2), start - 2);
        return;
    }
    if (is_text_method(t, last + 2))
        instead = STR(".orValue('')");
    else if (last == end && is_above_zero(t, end + 1))
        instead = STR(".orValue(0)");
    else if (last == end && is_condition(t, start, end))
        instead = STR(".orValue(false)");
    if (instead.len == 0)
        return;
    repair_edits_behind(e, last, instead);
    repair_edits_show(e, instead);
}

void repair_fields_optional(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i + 1 < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_QUESTION || !repair_tokens_is_tight(t, i))
            continue;
        if (repair_tokens_kind(t, i + 1) == TOKEN_DOT && repair_tokens_ends(t, i - 1)) { /* a?.b */
            repair_edits_change(e, i, i + 1, STR(".?"));
            repair_fields_settle_optional(e, i + 2);
        } else if (repair_tokens_kind(t, i + 1) == TOKEN_QUESTION) { /* a ?? b */
            size_t end = repair_tokens_side_end(t, i + 2);
            if (repair_tokens_kind(t, i - 2) == TOKEN_DOT)
                repair_edits_behind(e, i - 2, STR("?"));
            repair_edits_put(e, t->list[i - 1].end, t->list[i + 2].start, STR(".orValue("));
            repair_edits_behind(e, end, STR(")"));
            repair_edits_show(e, str_join(t->arena, STR_PARTS(STR(".orValue("),
                                                              repair_tokens_slice(t, i + 2, end), STR(")"))));
        }
    }
}

/* ---- fields that are none ---- */

void repair_fields_size(struct repair_edits *e)
{
    static const char *const FIELDS[] = {"size", "length", "len", "count", "Size", "Length"};
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 2; i < t->count; i++) {
        bool is_one = false;
        arena_step(t->arena);
        if (repair_tokens_kind(t, i - 1) != TOKEN_DOT || repair_tokens_kind(t, i + 1) == TOKEN_LPAREN)
            continue;
        for (size_t k = 0; k < sizeof FIELDS / sizeof *FIELDS; k++)
            is_one = is_one || repair_tokens_is(t, i, FIELDS[k]);
        if (!is_one)
            continue;
        repair_edits_replace(e, i, i, STR("size()"));
        repair_edits_show(e, STR(".size()"));
    }
}

/* Corrects comparisons with an object of which one field was meant. */
void repair_fields_parts(struct repair_edits *e)
{
    static const struct {
        const char *object;
        struct str field;
    } PARTS[] = {
        {"request.kind", STR_INIT(".kind")},
        {"request.resource", STR_INIT(".resource")},
        {"request.requestKind", STR_INIT(".kind")},
        {"request.requestResource", STR_INIT(".resource")},
        {"request.userInfo", STR_INIT(".username")},
        {"request.user", STR_INIT("Info.username")},
        {"namespaceObject", STR_INIT(".metadata.name")},
    };
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        for (size_t k = 0; repair_tokens_is_name(t, i) && k < sizeof PARTS / sizeof *PARTS; k++) {
            size_t last = memchr(PARTS[k].object, '.', strlen(PARTS[k].object)) == NULL ? i : i + 2;
            enum token_kind next = repair_tokens_kind(t, last + 1);
            if (!str_eq(repair_tokens_slice(t, i, last), str_of(PARTS[k].object)) ||
                (next == TOKEN_DOT && !repair_tokens_is_method(t, last + 2)) || next == TOKEN_LBRACKET)
                continue;
            repair_edits_behind(e, last, PARTS[k].field);
            repair_edits_show(e,
                              str_join(t->arena, STR_PARTS(repair_tokens_slice(t, i, last), PARTS[k].field)));
        }
    }
}

void repair_fields_null(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    if (!e->scope->is_crd_rule)
        return;
    for (size_t i = 1; i < t->count; i++) {
        enum token_kind kind = repair_tokens_kind(t, i);
        arena_step(t->arena);
        if ((kind != TOKEN_EQUALS && kind != TOKEN_NOT_EQUALS) || repair_tokens_kind(t, i + 1) != TOKEN_NULL)
            continue;
        size_t start = repair_tokens_chain_start(t, i - 1);
        struct str field = repair_tokens_slice(t, start, i - 1);
        struct str has = kind == TOKEN_EQUALS ? STR("!has(") : STR("has(");
        repair_edits_change(e, start, i + 1, str_join(t->arena, STR_PARTS(has, field, STR(")"))));
    }
}
