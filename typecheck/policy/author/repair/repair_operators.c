#include "typecheck/policy/author/repair/repair_operators.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/author/repair/repair_edits.h"

/* A word between two operands. */
static bool is_infix(const struct repair_tokens *t, size_t i, const char *word)
{
    return repair_tokens_is_name(t, i) && repair_tokens_is(t, i, word) && i > 0 &&
           repair_tokens_ends(t, i - 1) && repair_tokens_begins(t, i + 1);
}

/* Bytes that are no token at all. */
static bool is_bad(const struct repair_tokens *t, size_t i, const char *text)
{
    return repair_tokens_kind(t, i) == TOKEN_BAD && repair_tokens_is(t, i, text);
}

void repair_operators_logical(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        if (is_infix(t, i, "and") || is_infix(t, i, "AND") || is_bad(t, i, "&"))
            repair_edits_change(e, i, i, STR("&&"));
        else if (is_infix(t, i, "or") || is_infix(t, i, "OR") || is_bad(t, i, "|"))
            repair_edits_change(e, i, i, STR("||"));
    }
}

/* Returns the number of tokens from i on that are a relation as others write it, and in *to the relation
 * of CEL; 0 if they are none. */
static size_t foreign_relation(const struct repair_tokens *t, size_t i, struct str *to)
{
    enum token_kind kind = repair_tokens_kind(t, i), next = repair_tokens_kind(t, i + 1);
    bool is_tight = repair_tokens_is_tight(t, i);
    *to = kind == TOKEN_NOT_EQUALS ? STR("!=") : STR("==");
    if ((kind == TOKEN_EQUALS || kind == TOKEN_NOT_EQUALS) && is_tight && is_bad(t, i + 1, "="))
        return 2; /* === !== */
    if (is_infix(t, i, "is") && repair_tokens_is(t, i + 1, "not")) {
        *to = STR("!=");
        return 2;
    }
    if (is_infix(t, i, "is") || is_infix(t, i, "eq") || is_infix(t, i, "equals"))
        return 1;
    if (kind == TOKEN_LESS && next == TOKEN_GREATER && is_tight) {
        *to = STR("!=");
        return 2;
    }
    if (is_bad(t, i, "=") && is_tight && (next == TOKEN_GREATER || next == TOKEN_LESS)) {
        *to = next == TOKEN_GREATER ? STR(">=") : STR("<=");
        return 2;
    }
    if (repair_tokens_kind(t, i) == TOKEN_COLON && is_bad(t, i + 1, "=") && is_tight)
        return 2; /* := */
    return is_bad(t, i, "=") ? 1 : 0;
}

void repair_operators_relations(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i < t->count; i++) {
        struct str to;
        arena_step(t->arena);
        size_t tokens = foreign_relation(t, i, &to);
        if (tokens == 0)
            continue;
        repair_edits_change(e, i, i + tokens - 1, to);
        i += tokens - 1;
    }
}

/* ---- not ---- */

/* `!(` ... `)` around the tokens, in place of what stands before them. */
static void negate(struct repair_edits *e, size_t from, size_t first, size_t last)
{
    const struct repair_tokens *t = &e->tokens;
    struct str slice = repair_tokens_slice(t, first, last);
    repair_edits_put(e, t->list[from].start, t->list[first].start, STR("!("));
    repair_edits_behind(e, last, STR(")"));
    repair_edits_show(e, str_join(t->arena, STR_PARTS(STR("!("), slice, STR(")"))));
}

static bool has_relation(const struct repair_tokens *t, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++) {
        arena_step(t->arena);
        if (repair_tokens_is_relation(t, i))
            return true;
        if (t->match[i] > i)
            i = t->match[i];
    }
    return false;
}

/* `x not in y`: !(x in y). */
static void negate_in(struct repair_edits *e, size_t word)
{
    const struct repair_tokens *t = &e->tokens;
    size_t start = repair_tokens_side_start(t, word - 1), end = repair_tokens_side_end(t, word + 2);
    struct str left = repair_tokens_slice(t, start, word - 1), right = repair_tokens_slice(t, word + 1, end);
    repair_edits_before(e, start, STR("!("));
    repair_edits_remove(e, word);
    repair_edits_behind(e, end, STR(")"));
    repair_edits_show(e, str_join(t->arena, STR_PARTS(STR("!("), left, STR(" "), right, STR(")"))));
}

static void negate_operand(struct repair_edits *e, size_t word)
{
    const struct repair_tokens *t = &e->tokens;
    size_t end = repair_tokens_term_end(t, word + 1);
    if (has_relation(t, word + 1, end)) {
        negate(e, word, word + 1, end);
    } else {
        repair_edits_put(e, t->list[word].start, t->list[word + 1].start, STR("!"));
        repair_edits_show(e, STR("!"));
    }
}

void repair_operators_not(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        bool is_word =
            repair_tokens_is_name(t, i) && (repair_tokens_is(t, i, "not") || repair_tokens_is(t, i, "NOT"));
        if (is_word && i > 0 && repair_tokens_kind(t, i + 1) == TOKEN_IN) {
            negate_in(e, i);
        } else if (is_word && repair_tokens_begins(t, i + 1)) {
            negate_operand(e, i);
        } else if (repair_tokens_kind(t, i) == TOKEN_NOT && repair_tokens_kind(t, i + 1) != TOKEN_NOT) {
            size_t end = repair_tokens_term_end(t, i + 1);
            if (has_relation(t, i + 1, end))
                negate(e, i, i + 1, end);
        }
    }
}

/* ---- words between operands ---- */

void repair_operators_infix(struct repair_edits *e)
{
    static const struct {
        const char *word;
        struct str method;
    } WORDS[] = {
        {"matches", STR_INIT("matches")},       {"contains", STR_INIT("contains")},
        {"startsWith", STR_INIT("startsWith")}, {"endsWith", STR_INIT("endsWith")},
        {"startswith", STR_INIT("startsWith")}, {"endswith", STR_INIT("endsWith")},
        {"includes", STR_INIT("contains")},
    };
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i < t->count; i++) {
        struct str method = STR("");
        size_t last = i;
        arena_step(t->arena);
        for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++)
            method = is_infix(t, i, WORDS[k].word) ? WORDS[k].method : method;
        if (is_bad(t, i, "=~") || is_bad(t, i, "~"))
            method = STR("matches");
        if (is_bad(t, i, "=") && is_bad(t, i + 1, "~")) {
            method = STR("matches");
            last = i + 1;
        }
        if (method.len == 0 || !repair_tokens_begins(t, last + 1) ||
            repair_tokens_side_start(t, i - 1) != repair_tokens_chain_start(t, i - 1))
            continue;
        size_t end = repair_tokens_side_end(t, last + 1);
        struct str call = str_join(t->arena, STR_PARTS(STR("."), method, STR("(")));
        repair_edits_put(e, t->list[i - 1].end, t->list[last + 1].start, call);
        repair_edits_behind(e, end, STR(")"));
        struct str argument = repair_tokens_slice(t, last + 1, end);
        repair_edits_show(e, str_join(t->arena, STR_PARTS(call, argument, STR(")"))));
    }
}

/* The method that a pattern of SQL stands for; *pattern loses its %. Empty: no single method tests it. */
static struct str like_method(struct str *pattern)
{
    const struct str s = *pattern;
    const bool is_open = s.len > 1 && s.at[0] == '%', is_ended = s.len > 1 && s.at[s.len - 1] == '%';
    *pattern = (struct str){s.at + is_open, s.len - is_open - is_ended};
    if (pattern->len == 0 || memchr(pattern->at, '%', pattern->len) != NULL ||
        memchr(pattern->at, '_', pattern->len) != NULL)
        return STR("");
    return is_open && is_ended ? STR(".contains(")
           : is_open           ? STR(".endsWith(")
           : is_ended          ? STR(".startsWith(")
                               : STR(" == ");
}

void repair_operators_like(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i < t->count; i++) {
        struct str s = repair_tokens_text(t, i + 1);
        arena_step(t->arena);
        if ((!is_infix(t, i, "like") && !is_infix(t, i, "LIKE")) ||
            repair_tokens_kind(t, i + 1) != TOKEN_STRING || s.len < 3 || (s.at[0] != '\'' && s.at[0] != '"'))
            continue;
        const struct str quote = {s.at, 1};
        struct str pattern = {s.at + 1, s.len - 2};
        const struct str method = like_method(&pattern);
        if (method.len == 0)
            continue;
        struct str made = str_join(
            t->arena, STR_PARTS(method, quote, pattern, quote, method.at[0] == '.' ? STR(")") : STR("")));
        repair_edits_put(e, t->list[i - 1].end, t->list[i + 1].end, made);
        repair_edits_show(e, made);
    }
}

/* `1 < x < 5`: 1 < x && x < 5. */
static void split_relations(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i < t->count; i++) {
        arena_step(t->arena);
        if (!repair_tokens_is_relation(t, i))
            continue;
        size_t end = repair_tokens_side_end(t, i + 1);
        if (!repair_tokens_is_relation(t, end + 1))
            continue;
        struct str middle = repair_tokens_slice(t, i + 1, end);
        repair_edits_behind(e, end, str_join(t->arena, STR_PARTS(STR(" && "), middle)));
        size_t first = repair_tokens_side_start(t, i - 1), last = repair_tokens_side_end(t, end + 2);
        repair_edits_show(e, str_join(t->arena, STR_PARTS(repair_tokens_slice(t, first, end), STR(" && "),
                                                          repair_tokens_slice(t, i + 1, last))));
    }
}

static bool is_literal(const struct repair_tokens *t, size_t i)
{
    enum token_kind kind = repair_tokens_kind(t, i);
    return kind >= TOKEN_TRUE && kind <= TOKEN_BYTES;
}

/* `x == 'a' || 'b'`: x == 'a' || x == 'b'. */
static void repeat_left_sides(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1, relation = 0, start = 0; i < t->count; i++) {
        enum token_kind before = repair_tokens_kind(t, i - 1);
        arena_step(t->arena);
        if (repair_tokens_is_relation(t, i)) {
            relation = i;
            start = repair_tokens_side_start(t, i - 1);
        }
        bool is_alone = is_literal(t, i) && (before == TOKEN_OR || before == TOKEN_AND) &&
                        repair_tokens_term_end(t, i) == i;
        if (!is_alone || relation == 0)
            continue;
        struct str left = repair_tokens_slice(t, start, relation);
        repair_edits_before(e, i, str_join(t->arena, STR_PARTS(left, STR(" "))));
        repair_edits_show(e, str_join(t->arena, STR_PARTS(left, STR(" "), repair_tokens_text(t, i))));
    }
}

void repair_operators_chained(struct repair_edits *e)
{
    split_relations(e);
    repair_edits_offer(e);
    repeat_left_sides(e);
}

/* `x in ('a', 'b')` and `x in {'a', 'b'}`: x in ['a', 'b']. */
void repair_operators_sets(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 1 < t->count; i++) {
        enum token_kind next = repair_tokens_kind(t, i + 1);
        size_t end = t->match[i + 1];
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_IN || (next != TOKEN_LPAREN && next != TOKEN_LBRACE) ||
            end == i + 1)
            continue;
        if (next == TOKEN_LPAREN && repair_tokens_comma(t, i + 1, end) == end)
            continue;
        repair_edits_replace(e, i + 1, i + 1, STR("["));
        repair_edits_replace(e, end, end, STR("]"));
        repair_edits_show(
            e, end == i + 2 ? STR("[]")
                            : str_join(t->arena, STR_PARTS(STR("["), repair_tokens_slice(t, i + 2, end - 1),
                                                           STR("]"))));
    }
}

/* The token of that word at or behind `i`, before `end`; `end`: there is none. */
static size_t find_word(const struct repair_tokens *t, size_t i, size_t end, const char *word)
{
    while (i < end && !(repair_tokens_is_name(t, i) && repair_tokens_is(t, i, word))) {
        arena_step(t->arena);
        i++;
    }
    return i;
}

/* One `if` in an expression, no more. */
void repair_operators_conditional(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    size_t end = t->count - 1;
    size_t word = find_word(t, 0, end, "if"), other = find_word(t, word, end, "else");
    if (word == end || other == end)
        return;
    if (word == 0) {
        size_t then = find_word(t, 0, end, "then");
        repair_edits_remove(e, word);
        if (then < other)
            repair_edits_replace(e, then, then, STR("?"));
        else if (repair_tokens_kind(t, 1) == TOKEN_LPAREN)
            repair_edits_behind(e, t->match[1], STR(" ?"));
        else
            return;
        repair_edits_replace(e, other, other, STR(":"));
    } else { /* a if c else b */
        struct str condition = repair_tokens_slice(t, word + 1, other - 1);
        repair_edits_before(e, 0, str_join(t->arena, STR_PARTS(condition, STR(" ? "))));
        repair_edits_put(e, t->list[word].start, t->list[other].end, STR(":"));
    }
    repair_edits_say(e, STR("CEL has 'condition ? value : other value'"));
}
