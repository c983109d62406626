/*
 * The parser reads a pattern from left to right, one piece at a time, and does not recurse: open groups lie
 * on the stack of limits.h. Each piece goes to two places: to limits.h, which measures the pattern as Go's
 * parser would and refuses one that is too large, and to tree.h, if the pattern is to be compiled. A pattern
 * that is only validated has no tree. Errors must be those that Go finds first, so the order of all tests is
 * Go's.
 */
#include "typecheck/cel/regexp/regexp.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/regexp/limits.h"
#include "typecheck/cel/regexp/reader.h"
#include "typecheck/cel/regexp/regexp_program.h"
#include "typecheck/cel/regexp/tree.h"

#define MAX_COUNT     1000 /* in {n,m} */
#define NO_REPEAT     SIZE_MAX
#define BAD_PERL      "invalid or unsupported Perl syntax"
#define BAD_NAME      "invalid named capture"
#define BAD_COUNT     "invalid repeat count"
#define NO_OPERAND    "missing argument to repetition operator"
#define TWO_REPEATS   "invalid nested repetition operator"
#define STRAY_CLOSE   "unexpected )"
#define MISSING_CLOSE "missing closing )"

/* (?imsU) */
enum flag {
    FLAG_FOLD = 1,
    FLAG_LINES = 2,       /* ^ and $ also match at the ends of lines */
    FLAG_DOT_NEWLINE = 4, /* "." also matches a newline */
    FLAG_LAZY = 8,        /* x* is what x*? is otherwise */
};

struct parser {
    struct regexp_reader in;
    struct regexp_limits stack;
    struct regexp_tree *tree; /* the tree that is built; NULL if it is not wanted */
    uint8_t flags;
    size_t last_repeat; /* the start of a repetition that ends here, or NO_REPEAT */
};

static bool fail(struct parser *p, const char *error, size_t from, size_t to)
{
    return regexp_reader_fail(&p->in, error, from, to);
}

/* ---- the measures and the tree ---- */

static void add_rune(struct parser *p, int32_t rune)
{
    bool fold = (p->flags & FLAG_FOLD) != 0;
    regexp_limits_literal(&p->stack, fold);
    if (p->tree != NULL)
        regexp_tree_rune(p->tree, rune, fold);
}

static void add_assertion(struct parser *p, enum regexp_assertion assertion)
{
    regexp_limits_assertion(&p->stack);
    if (p->tree != NULL)
        regexp_tree_assertion(p->tree, assertion);
}

static void add_dot(struct parser *p)
{
    regexp_limits_class(&p->stack, false);
    if (p->tree == NULL)
        return;
    struct regexp_class set = {.arena = p->tree->arena, .edition = p->in.edition};
    if ((p->flags & FLAG_DOT_NEWLINE) == 0)
        regexp_class_add(&set, '\n', '\n');
    regexp_class_negate(&set);
    regexp_tree_class(p->tree, &set);
}

static void add_open(struct parser *p, bool captures)
{
    regexp_limits_open(&p->stack, captures, p->flags);
    if (p->tree != NULL)
        regexp_tree_open(p->tree);
}

/* Has the reader put the next class into `set`, if there is a tree. */
static void want_class(struct parser *p, struct regexp_class *set)
{
    *set = (struct regexp_class){.arena = p->stack.arena, .edition = p->in.edition};
    p->in.set = p->tree == NULL ? NULL : set;
    p->in.fold = (p->flags & FLAG_FOLD) != 0;
}

static void add_class(struct parser *p, const struct regexp_class *set, bool single)
{
    regexp_limits_class(&p->stack, single && (p->flags & FLAG_FOLD) == 0);
    if (p->tree != NULL)
        regexp_tree_class(p->tree, set);
}

/* ---- the grammar ---- */

static bool literal(struct parser *p)
{
    int32_t rune;
    if (!regexp_reader_rune(&p->in, &rune))
        return false;
    add_rune(p, rune);
    return true;
}

/* The body of "(?P<name>" or "(?<name>", which begins `skip` bytes from here. */
static bool named_group(struct parser *p, size_t skip)
{
    struct regexp_reader *in = &p->in;
    size_t start = in->at, name = start + skip;
    const char *end = memchr(in->text.at + start, '>', in->text.len - start);
    if (end == NULL)
        return regexp_reader_utf8(in, start, in->text.len) && fail(p, BAD_NAME, start, in->text.len);
    size_t close = (size_t)(end - in->text.at);
    if (!regexp_reader_utf8(in, name, close))
        return false;
    bool valid = close > name;
    for (size_t i = name; i < close && valid; i++) {
        char c = in->text.at[i];
        valid = c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    in->at = close + 1;
    if (!valid)
        return fail(p, BAD_NAME, start, in->at);
    add_open(p, true);
    return true;
}

/* The flag of a letter; 0 if there is none. */
static uint8_t flag_of(int32_t c)
{
    switch (c) {
    case 'i':
        return FLAG_FOLD;
    case 'm':
        return FLAG_LINES;
    case 's':
        return FLAG_DOT_NEWLINE;
    case 'U':
        return FLAG_LAZY;
    default:
        return 0;
    }
}

/* "(?flags)" or "(?flags:": a group that captures nothing, or a change of flags to the end of this group. */
static bool flags(struct parser *p)
{
    struct regexp_reader *in = &p->in;
    size_t start = in->at;
    uint8_t flags = p->flags, flag;
    bool negative = false, any = false;
    in->at += 2;
    while (in->at < in->text.len) {
        int32_t c;
        if (!regexp_reader_rune(in, &c))
            return false;
        flag = flag_of(c);
        if (flag != 0) {
            any = true;
            flags = (uint8_t)(negative ? flags & ~flag : flags | flag);
        } else if (c == '-' && !negative) {
            negative = true;
            any = false;
        } else if ((c == ':' || c == ')') && (any || !negative)) {
            if (c == ':')
                add_open(p, false);
            p->flags = flags;
            return true;
        } else {
            break;
        }
    }
    return fail(p, BAD_PERL, start, in->at);
}

static bool open_group(struct parser *p)
{
    size_t left = p->in.text.len - p->in.at;
    if (left > 4 && regexp_reader_sees(&p->in, "(?P<"))
        return named_group(p, 4);
    if (left > 3 && regexp_reader_sees(&p->in, "(?<"))
        return named_group(p, 3);
    if (regexp_reader_sees(&p->in, "(?"))
        return flags(p);
    p->in.at++;
    add_open(p, true);
    return true;
}

static bool close_group(struct parser *p)
{
    p->in.at++;
    /* A tree that grew too large while it was put together comes first. */
    bool is_closed = regexp_limits_close(&p->stack, &p->flags);
    if (!is_closed && p->stack.exceeded == NULL)
        return fail(p, STRAY_CLOSE, 0, p->in.text.len);
    if (is_closed && p->tree != NULL)
        regexp_tree_close(p->tree);
    return true;
}

/* Applies a repetition that began at `start`, with an optional "?" still ahead. */
static bool repeat(struct parser *p, enum regexp_repeat how, int min, int max, size_t start)
{
    struct regexp_reader *in = &p->in;
    bool has_mark = regexp_reader_sees(in, "?");
    if (has_mark)
        in->at++;
    if (p->last_repeat != NO_REPEAT)
        return fail(p, TWO_REPEATS, p->last_repeat, in->at);
    if (!regexp_limits_repeatable(&p->stack))
        return fail(p, NO_OPERAND, start, in->at);
    if (!regexp_limits_repeat(&p->stack, how, min, max) && p->stack.exceeded == NULL)
        return fail(p, BAD_COUNT, start, in->at);
    if (p->tree != NULL)
        regexp_tree_repeat(p->tree, min, max, has_mark != ((p->flags & FLAG_LAZY) != 0));
    p->last_repeat = start;
    return true;
}

/* Digits without a leading zero at *at; MAX_COUNT + 1 if it is more. False if there are none. */
static bool number(const struct regexp_reader *in, size_t *at, int *value)
{
    size_t start = *at;
    *value = 0;
    while (*at < in->text.len && in->text.at[*at] >= '0' && in->text.at[*at] <= '9') {
        *value = *value * 10 + in->text.at[(*at)++] - '0';
        if (*value > MAX_COUNT)
            *value = MAX_COUNT + 1;
    }
    return *at > start && (in->text.at[start] != '0' || *at == start + 1);
}

static bool byte_at(const struct regexp_reader *in, size_t at, char c)
{
    return at < in->text.len && in->text.at[at] == c;
}

/* {n} {n,} {n,m}, and past it. False, and nothing is read, if it is not of this form. */
static bool counts(struct regexp_reader *in, int *min, int *max)
{
    size_t at = in->at + 1;
    if (!number(in, &at, min))
        return false;
    *max = *min;
    if (byte_at(in, at, ',')) {
        at++;
        if (byte_at(in, at, '}'))
            *max = -1;
        else if (!number(in, &at, max))
            return false;
    }
    if (!byte_at(in, at, '}'))
        return false;
    in->at = at + 1;
    return true;
}

static bool counted_repeat(struct parser *p)
{
    size_t start = p->in.at;
    int min, max;
    if (!counts(&p->in, &min, &max)) {
        p->last_repeat = NO_REPEAT;
        return literal(p);
    }
    if (min > MAX_COUNT || max > MAX_COUNT || (max >= 0 && min > max))
        return fail(p, BAD_COUNT, start, p->in.at);
    return repeat(p, REGEXP_COUNT, min, max, start);
}

/* \Q...\E: all between is literal; the end of the pattern ends it too. */
static bool quoted(struct parser *p)
{
    struct regexp_reader *in = &p->in;
    in->at += 2;
    struct str whole = in->text;
    const char *end = memmem(whole.at + in->at, whole.len - in->at, "\\E", 2);
    if (end != NULL)
        in->text.len = (size_t)(end - whole.at);
    while (in->at < in->text.len && p->stack.exceeded == NULL) {
        if (!literal(p))
            return false;
    }
    in->text = whole;
    in->at += end == NULL ? 0 : 2;
    return true;
}

/* Adds the assertion \A, \b, \B or \z; returns false if the letter is another one. */
static bool escaped_assertion(struct parser *p, int letter)
{
    static const char letters[] = "AbBz";
    static const enum regexp_assertion assertions[] = {REGEXP_BEGIN_TEXT, REGEXP_WORD_BOUNDARY,
                                                       REGEXP_NO_WORD_BOUNDARY, REGEXP_END_TEXT};
    const char *found = letter <= 0 ? NULL : strchr(letters, letter);
    if (found == NULL)
        return false;
    p->in.at += 2;
    add_assertion(p, assertions[found - letters]);
    return true;
}

static bool escape(struct parser *p)
{
    struct regexp_reader *in = &p->in;
    int letter = in->at + 1 < in->text.len ? (unsigned char)in->text.at[in->at + 1] : -1;
    int32_t rune;
    bool found;
    struct regexp_class set;
    if (escaped_assertion(p, letter))
        return true;
    if (letter == 'C')
        return fail(p, "invalid escape sequence", in->at, in->at + 2);
    if (letter == 'Q')
        return quoted(p);
    want_class(p, &set);
    if (!regexp_reader_escaped_class(in, &found))
        return false;
    if (found) {
        regexp_class_normalise(&set);
        add_class(p, &set, false);
        return true;
    }
    if (!regexp_reader_escape(in, &rune))
        return false;
    add_rune(p, rune);
    return true;
}

static bool class(struct parser *p)
{
    bool single;
    struct regexp_class set;
    want_class(p, &set);
    if (!regexp_reader_class(&p->in, &single))
        return false;
    add_class(p, &set, single);
    return true;
}

/* ^ and $ */
static bool line_assertion(struct parser *p, char c)
{
    bool has_lines = (p->flags & FLAG_LINES) != 0;
    p->in.at++;
    if (c == '^')
        add_assertion(p, has_lines ? REGEXP_BEGIN_LINE : REGEXP_BEGIN_TEXT);
    else
        add_assertion(p, has_lines ? REGEXP_END_LINE : REGEXP_END_TEXT);
    return true;
}

/* Parses one of * + ?. */
static bool plain_repeat(struct parser *p, char c)
{
    size_t start = p->in.at++;
    enum regexp_repeat how = c == '*' ? REGEXP_STAR : c == '+' ? REGEXP_PLUS : REGEXP_QUEST;
    return repeat(p, how, c == '+', c == '?' ? 1 : -1, start);
}

/* One term, operator or parenthesis; all of these start with an ASCII character. */
static bool piece(struct parser *p)
{
    char c = p->in.text.at[p->in.at];
    switch (c) {
    case '*':
    case '+':
    case '?':
        return plain_repeat(p, c);
    case '{':
        return counted_repeat(p);
    default:
        break;
    }
    p->last_repeat = NO_REPEAT;
    switch (c) {
    case '(':
        return open_group(p);
    case ')':
        return close_group(p);
    case '[':
        return class(p);
    case '\\':
        return escape(p);
    case '|':
        p->in.at++;
        regexp_limits_bar(&p->stack);
        if (p->tree != NULL)
            regexp_tree_bar(p->tree);
        return true;
    case '^':
    case '$':
        return line_assertion(p, c);
    case '.':
        p->in.at++;
        add_dot(p);
        return true;
    default:
        return literal(p);
    }
}

static bool parse(struct parser *p)
{
    size_t len = p->in.text.len;
    while (p->in.at < len) {
        if (!piece(p))
            return false;
        if (p->stack.exceeded != NULL)
            return fail(p, p->stack.exceeded, 0, len);
    }
    bool closed = regexp_limits_finish(&p->stack);
    if (p->stack.exceeded != NULL)
        return fail(p, p->stack.exceeded, 0, len);
    return closed || fail(p, MISSING_CLOSE, 0, len);
}

/* Parses the pattern. Returns false, and sets *message, if it is invalid. */
static bool read_pattern(struct arena *a, struct str pattern, enum unicode_edition edition,
                         struct regexp_tree *tree, struct str *message)
{
    struct parser p = {.in = {.text = pattern, .edition = edition}, .tree = tree, .last_repeat = NO_REPEAT};
    regexp_limits_init(&p.stack, a);
    if (pattern.len == 0 || parse(&p))
        return true;
    struct text t = {.arena = a};
    text_add(&t, STR("error parsing regexp: "));
    text_add(&t, str_of(p.in.error));
    text_add(&t, STR(": `"));
    text_add(&t, p.in.culprit);
    text_add(&t, STR("`"));
    *message = text_str(&t);
    return false;
}

bool regexp_valid(struct arena *a, struct str pattern, enum unicode_edition edition, struct str *message)
{
    return read_pattern(a, pattern, edition, NULL, message);
}

struct regexp_program *regexp_compile(struct arena *a, struct str pattern, enum unicode_edition edition,
                                      struct str *message)
{
    struct regexp_tree tree;
    regexp_tree_init(&tree, a, edition);
    if (!read_pattern(a, pattern, edition, &tree, message))
        return NULL;
    return regexp_program_make(a, regexp_tree_finish(&tree));
}
