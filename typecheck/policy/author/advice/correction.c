#include "typecheck/policy/author/advice/correction.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/unicode.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/lexer.h"

/* A key is written in quotes. */
static bool is_plain(struct str key)
{
    bool is_plain = key.len > 0;
    for (size_t i = 0; i < key.len && is_plain; i++)
        is_plain = key.at[i] != '\'' && key.at[i] != '\\' && (unsigned char)key.at[i] >= ' ';
    return is_plain;
}

bool correction_can_test(struct str field)
{
    return lexer_is_name(field) || is_plain(field);
}

struct str correction_test(struct arena *a, struct str way, struct str field)
{
    return lexer_is_name(field) /* no other one can be tested with has() */
               ? str_format(a, "has(%.*s.%.*s)", STR_ARG(way), STR_ARG(field))
               : str_format(a, "'%.*s' in %.*s", STR_ARG(field), STR_ARG(way));
}

static bool can_be_tested(const struct correction_read *read)
{
    return read->way.len != 0 && read->atom.len != 0 && correction_can_test(read->field);
}

static bool is_of_atom(const struct correction_read *read, struct str atom)
{
    return read->atom.at == atom.at && read->atom.len == atom.len && can_be_tested(read);
}

/* "has(a.b) && has(a.b.c)": the shortest way first, each once. side: of those reads alone; 0: of all. */
static struct str tests_of(struct arena *a, const struct correction_read *reads, size_t count,
                           struct str atom, unsigned side)
{
    const struct correction_read *last = NULL;
    struct str tests = STR("");
    for (;;) {
        const struct correction_read *next = NULL;
        for (size_t i = 0; i < count; i++) {
            arena_step(a);
            const struct correction_read *r = &reads[i];
            const bool is_later =
                last == NULL || r->way.len > last->way.len || (r->way.len == last->way.len && r > last);
            if (is_of_atom(r, atom) && is_later && (side == 0 || r->side == side) &&
                (next == NULL || r->way.len < next->way.len || (r->way.len == next->way.len && r < next)))
                next = r;
        }
        if (next == NULL)
            return tests;
        const struct str test = correction_test(a, next->way, next->field);
        const bool is_known = memmem(tests.at, tests.len, test.at, test.len) != NULL;
        if (!is_known)
            tests = tests.len == 0 ? test : str_join(a, STR_PARTS(tests, STR(" && "), test));
        last = next;
    }
}

/* An expression that is corrected. */
struct correction {
    struct arena *arena;
    struct str text; /* without the white space around it */
    const struct correction_read *reads;
    size_t count;
};

static struct str correct_within(const struct correction *c, struct str range);

static struct str in_brackets(struct arena *a, struct str text, bool has_them)
{
    return has_them ? str_join(a, STR_PARTS(STR("("), text, STR(")"))) : text;
}

static struct str as_operand(struct arena *a, struct str tests)
{
    return in_brackets(a, tests, memmem(tests.at, tests.len, " && ", 4) != NULL);
}

/* `a.b == c.d` where both may be missing: they are equal, too, if neither is there. */
static struct str correct_pair(struct arena *a, struct str first, struct str second, struct str inner,
                               bool is_denial)
{
    const struct str one = as_operand(a, first), other = as_operand(a, second);
    return is_denial ? str_join(a, STR_PARTS(one, STR(" != "), other, STR(" || ("), first, STR(" && "), inner,
                                             STR(")")))
                     : str_join(a, STR_PARTS(one, STR(" == "), other, STR(" && (!"), one, STR(" || "), inner,
                                             STR(")")));
}

/* Returns true if an operand before it of the same `||` or `&&` has the tests, so that nothing of the atom is
 * asked without the fields: `!has(a.b) || a.b > 1 || a.b < 0`. */
static bool is_tested_before(const struct correction *c, const struct correction_read *read, struct str tests)
{
    const bool ends_the_group = read->group != NULL && (read->group->op == AST_OR) == read->is_denial;
    bool is_tested = false;
    for (size_t i = 0; i < c->count && ends_the_group && !is_tested; i++) {
        const struct correction_read *r = &c->reads[i];
        arena_step(c->arena);
        is_tested = r->group == read->group && r->is_denial == read->is_denial &&
                    r->atom.at < read->atom.at && can_be_tested(r) &&
                    str_eq(tests_of(c->arena, c->reads, c->count, r->atom, 0), tests);
    }
    return is_tested;
}

/* The atom, with its tests before it, and what lies in it corrected, too. */
static struct str correct_atom(const struct correction *c, const struct correction_read *read)
{
    struct arena *a = c->arena;
    const struct str tests = tests_of(a, c->reads, c->count, read->atom, 0),
                     inner = correct_within(c, read->atom);
    const struct str first = tests_of(a, c->reads, c->count, read->atom, 1),
                     second = tests_of(a, c->reads, c->count, read->atom, 2);
    const bool is_pair = first.len != 0 && second.len != 0;
    if (!is_pair && is_tested_before(c, read, tests))
        return inner;
    const struct str made = is_pair ? correct_pair(a, first, second, inner, read->is_denial)
                            : !read->is_denial
                                ? str_join(a, STR_PARTS(tests, STR(" && "), inner))
                                : str_join(a, STR_PARTS(STR("!"), as_operand(a, tests), STR(" || "), inner));
    return in_brackets(a, made, read->atom.len != c->text.len);
}

/* The read with the next atom within the range, from a place in it on, but for the range itself; of several
 * that begin there the longest. Returns NULL if there is none. */
static const struct correction_read *find_next(const struct correction *c, struct str range, const char *from)
{
    const struct correction_read *next = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct correction_read *r = &c->reads[i];
        arena_step(c->arena);
        if (!can_be_tested(r) || r->atom.at < from || r->atom.at + r->atom.len > range.at + range.len ||
            is_of_atom(r, range))
            continue;
        if (next == NULL || r->atom.at < next->atom.at ||
            (r->atom.at == next->atom.at && r->atom.len > next->atom.len))
            next = r;
    }
    return next;
}

/* Recurses as deep as atoms lie in one another. */
static struct str correct_within(const struct correction *c, struct str range)
{
    const char *at = range.at, *end = range.at + range.len;
    struct str made = STR("");
    for (;;) {
        const struct correction_read *next = find_next(c, range, at);
        const struct str kept = {at, (size_t)((next == NULL ? end : next->atom.at) - at)};
        if (next == NULL)
            return str_join(c->arena, STR_PARTS(made, kept));
        made = str_join(c->arena, STR_PARTS(made, kept, correct_atom(c, next)));
        at = next->atom.at + next->atom.len;
    }
}

struct str correction_make(struct arena *a, struct str text, const struct correction_read *reads,
                           size_t count, size_t primary)
{
    const struct str whole = unicode_trimmed(text);
    const struct correction c = {a, whole, reads, count};
    if (!can_be_tested(&reads[primary]))
        return STR("");
    for (size_t i = 0; i < count; i++) {
        if (is_of_atom(&reads[i], whole)) /* the whole is an atom, too */
            return correction_replace(a, text, whole, correct_atom(&c, &reads[i]));
    }
    return correction_replace(a, text, whole, correct_within(&c, whole));
}

struct str correction_replace(struct arena *a, struct str text, struct str part, struct str by)
{
    const struct str before = {text.at, (size_t)(part.at - text.at)};
    return str_join(a, STR_PARTS(before, by, str_skip(text, before.len + part.len)));
}

struct str correction_hint(struct arena *a, struct str corrected)
{
    return str_join(a, STR_PARTS(STR("write \""), unicode_trimmed(corrected), STR("\"")));
}
