#include "typecheck/regexp/regexp.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/regexp/limits.h"
#include "typecheck/regexp/reader.h"

#define MAX_COUNT     1000 /* in {n,m} */
#define NO_REPEAT     SIZE_MAX
#define BAD_PERL      "invalid or unsupported Perl syntax"
#define BAD_NAME      "invalid named capture"
#define BAD_COUNT     "invalid repeat count"
#define NO_OPERAND    "missing argument to repetition operator"
#define TWO_REPEATS   "invalid nested repetition operator"
#define STRAY_CLOSE   "unexpected )"
#define MISSING_CLOSE "missing closing )"

struct parser {
    struct regexp_reader in;
    struct regexp_limits stack;
    bool fold;          /* (?i) is on */
    size_t last_repeat; /* where a repetition began that ends here, or NO_REPEAT */
};

static bool fail(struct parser *p, const char *error, size_t from, size_t to)
{
    return regexp_reader_fail(&p->in, error, from, to);
}

static bool literal(struct parser *p)
{
    int32_t rune;
    if (!regexp_reader_rune(&p->in, &rune))
        return false;
    regexp_limits_literal(&p->stack, p->fold);
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
    regexp_limits_open(&p->stack, true, p->fold);
    return true;
}

/* "(?flags)" or "(?flags:": a group that captures nothing, or a change of flags to the end of this group. */
static bool flags(struct parser *p)
{
    struct regexp_reader *in = &p->in;
    size_t start = in->at;
    bool fold = p->fold, negative = false, any = false;
    in->at += 2;
    while (in->at < in->text.len) {
        int32_t c;
        if (!regexp_reader_rune(in, &c))
            return false;
        if (c == 'i' || c == 'm' || c == 's' || c == 'U') {
            any = true;
            fold = c == 'i' ? !negative : fold;
        } else if (c == '-' && !negative) {
            negative = true;
            any = false;
        } else if ((c == ':' || c == ')') && (any || !negative)) {
            if (c == ':')
                regexp_limits_open(&p->stack, false, p->fold);
            p->fold = fold;
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
    regexp_limits_open(&p->stack, true, p->fold);
    return true;
}

static bool close_group(struct parser *p)
{
    p->in.at++;
    /* A tree that grew too large while it was put together comes first. */
    if (!regexp_limits_close(&p->stack, &p->fold) && p->stack.exceeded == NULL)
        return fail(p, STRAY_CLOSE, 0, p->in.text.len);
    return true;
}

/* Applies a repetition that began at `start`, with an optional "?" still ahead. */
static bool repeat(struct parser *p, enum regexp_repeat how, int min, int max, size_t start)
{
    struct regexp_reader *in = &p->in;
    if (regexp_reader_sees(in, "?"))
        in->at++;
    if (p->last_repeat != NO_REPEAT)
        return fail(p, TWO_REPEATS, p->last_repeat, in->at);
    if (!regexp_limits_repeatable(&p->stack))
        return fail(p, NO_OPERAND, start, in->at);
    if (!regexp_limits_repeat(&p->stack, how, min, max) && p->stack.exceeded == NULL)
        return fail(p, BAD_COUNT, start, in->at);
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

static bool escape(struct parser *p)
{
    struct regexp_reader *in = &p->in;
    int letter = in->at + 1 < in->text.len ? (unsigned char)in->text.at[in->at + 1] : -1;
    int32_t rune;
    bool found;
    if (letter == 'A' || letter == 'b' || letter == 'B' || letter == 'z') {
        in->at += 2;
        regexp_limits_assertion(&p->stack);
        return true;
    }
    if (letter == 'C')
        return fail(p, "invalid escape sequence", in->at, in->at + 2);
    if (letter == 'Q')
        return quoted(p);
    if (!regexp_reader_escaped_class(in, &found))
        return false;
    if (found) {
        regexp_limits_class(&p->stack, false);
        return true;
    }
    if (!regexp_reader_escape(in, &rune))
        return false;
    regexp_limits_literal(&p->stack, p->fold);
    return true;
}

static bool class(struct parser *p)
{
    bool single;
    if (!regexp_reader_class(&p->in, &single))
        return false;
    regexp_limits_class(&p->stack, single && !p->fold);
    return true;
}

/* One term, operator or parenthesis; all of these start with an ASCII character. */
static bool piece(struct parser *p)
{
    size_t start = p->in.at;
    char c = p->in.text.at[start];
    switch (c) {
    case '*':
    case '+':
    case '?':
        p->in.at++;
        return repeat(p, c == '*' ? REGEXP_STAR : c == '+' ? REGEXP_PLUS : REGEXP_QUEST, 0, 0, start);
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
        return true;
    case '^':
    case '$':
        p->in.at++;
        regexp_limits_assertion(&p->stack);
        return true;
    case '.':
        p->in.at++;
        regexp_limits_class(&p->stack, false);
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

bool regexp_valid(struct arena *a, struct str pattern, struct str *message)
{
    struct parser p = {.in = {.text = pattern}, .last_repeat = NO_REPEAT};
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
