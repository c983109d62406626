#include "typecheck/eval/constant_fold.h"

#include <string.h>

#include "typecheck/base/arena.h"

/* Bytes that are read one by one, for a step. */
#define SLOW_STEP_BYTES 16u

/* Bytes that are searched, for a step. */
#define SEARCH_STEP_BYTES 16u

/* Equality */

static bool int_equals_uint(int64_t i, uint64_t u)
{
    return i >= 0 && (uint64_t)i == u;
}

static bool is_number(const struct literal *l)
{
    return l->kind == LITERAL_INT || l->kind == LITERAL_UINT || l->kind == LITERAL_DOUBLE;
}

static double as_double(const struct literal *l)
{
    return l->kind == LITERAL_INT    ? (double)l->integer
           : l->kind == LITERAL_UINT ? (double)l->uinteger
                                     : l->floating;
}

static bool numbers_equal(const struct literal *one, const struct literal *two)
{
    if (one->kind == LITERAL_DOUBLE || two->kind == LITERAL_DOUBLE) {
        double a = as_double(one), b = as_double(two);
        return a >= b && a <= b;
    }
    if (one->kind == two->kind)
        return one->kind == LITERAL_INT ? one->integer == two->integer : one->uinteger == two->uinteger;
    return one->kind == LITERAL_INT ? int_equals_uint(one->integer, two->uinteger)
                                    : int_equals_uint(two->integer, one->uinteger);
}

bool constant_fold_equal(struct arena *a, const struct literal *one, const struct literal *two)
{
    if (is_number(one) && is_number(two))
        return numbers_equal(one, two);
    if (one->kind != two->kind)
        return false;
    if (one->kind == LITERAL_NULL)
        return true;
    if (one->kind == LITERAL_BOOL)
        return one->boolean == two->boolean;
    if (one->bytes.len == two->bytes.len)
        arena_pay_bytes(a, one->bytes.len);
    return str_eq(one->bytes, two->bytes);
}

/* Functions */

static struct literal of_bool(bool b)
{
    return (struct literal){.kind = LITERAL_BOOL, .boolean = b};
}

static struct literal of_string(struct str s)
{
    return (struct literal){.kind = LITERAL_STRING, .bytes = s};
}

static struct literal of_int(int64_t i)
{
    return (struct literal){.kind = LITERAL_INT, .integer = i};
}

static bool add_strings(struct arena *a, const struct literal *args, struct literal *result)
{
    *result = of_string(str_join(a, STR_PARTS(args[0].bytes, args[1].bytes)));
    return true;
}

static bool add_integers(const struct literal *args, struct literal *result)
{
    *result = of_int(0);
    return !__builtin_add_overflow(args[0].integer, args[1].integer, &result->integer);
}

static bool starts_with(struct arena *a, const struct literal *args, struct literal *result)
{
    arena_pay_bytes(a, args[1].bytes.len);
    *result = of_bool(str_has_prefix(args[0].bytes, args[1].bytes));
    return true;
}

static bool ends_with(struct arena *a, const struct literal *args, struct literal *result)
{
    arena_pay_bytes(a, args[1].bytes.len);
    *result = of_bool(str_has_suffix(args[0].bytes, args[1].bytes));
    return true;
}

/* Where `part` begins in `s`; -1: it is not there. */
static int64_t find(struct arena *a, struct str s, struct str part)
{
    if (part.len == 0)
        return 0;
    const char *at = s.len < part.len ? NULL : memmem(s.at, s.len, part.at, part.len);
    arena_pay(a, ((at == NULL ? s.len : (size_t)(at - s.at)) + part.len) / SEARCH_STEP_BYTES);
    return at == NULL ? -1 : at - s.at;
}

static bool contains(struct arena *a, const struct literal *args, struct literal *result)
{
    *result = of_bool(find(a, args[0].bytes, args[1].bytes) >= 0);
    return true;
}

static bool with_case(struct arena *a, struct str s, unsigned char first, unsigned char last,
                      struct literal *result)
{
    unsigned char *bytes = ARENA_ARRAY(a, s.len + 1, unsigned char);
    memcpy(bytes, s.at, s.len);
    for (size_t i = 0; i < s.len; i++) {
        if (bytes[i] >= first && bytes[i] <= last)
            bytes[i] ^= 0x20u;
    }
    *result = of_string((struct str){(const char *)bytes, s.len});
    return true;
}

static bool lower_ascii(struct arena *a, const struct literal *args, struct literal *result)
{
    return with_case(a, args[0].bytes, 'A', 'Z', result);
}

static bool upper_ascii(struct arena *a, const struct literal *args, struct literal *result)
{
    return with_case(a, args[0].bytes, 'a', 'z', result);
}

/* Positions are code points': where each is a byte. */
static bool is_ascii(struct arena *a, struct str s)
{
    unsigned char all = 0;
    arena_pay_bytes(a, s.len);
    for (size_t i = 0; i < s.len; i++)
        all |= (unsigned char)s.at[i];
    return (all & 0x80u) == 0;
}

static bool size(struct arena *a, const struct literal *args, struct literal *result)
{
    *result = of_int((int64_t)args[0].bytes.len);
    return is_ascii(a, args[0].bytes);
}

static bool index_of(struct arena *a, const struct literal *args, struct literal *result)
{
    *result = of_int(find(a, args[0].bytes, args[1].bytes));
    return is_ascii(a, args[0].bytes);
}

static bool slice(struct arena *a, struct str s, int64_t from, int64_t to, struct literal *result)
{
    if (!is_ascii(a, s) || from < 0 || from > to || to > (int64_t)s.len)
        return false;
    *result = of_string((struct str){s.at + from, (size_t)(to - from)});
    return true;
}

static bool substring_from(struct arena *a, const struct literal *args, struct literal *result)
{
    return slice(a, args[0].bytes, args[1].integer, (int64_t)args[0].bytes.len, result);
}

static bool substring(struct arena *a, const struct literal *args, struct literal *result)
{
    return slice(a, args[0].bytes, args[1].integer, args[2].integer, result);
}

/* Just behind the last one there is an empty one. */
static bool char_at(struct arena *a, const struct literal *args, struct literal *result)
{
    int64_t at = args[1].integer, len = (int64_t)args[0].bytes.len;
    return at >= 0 && slice(a, args[0].bytes, at, at < len ? at + 1 : at, result);
}

/* Of a string or of bytes: the same bytes. */
static bool to_bytes(struct arena *a, const struct literal *args, struct literal *result)
{
    (void)a;
    *result = (struct literal){.kind = LITERAL_BYTES, .bytes = args[0].bytes};
    return true;
}

static bool same(struct arena *a, const struct literal *args, struct literal *result)
{
    (void)a;
    *result = args[0];
    return true;
}

static bool size_of_bytes(struct arena *a, const struct literal *args, struct literal *result)
{
    (void)a;
    *result = of_int((int64_t)args[0].bytes.len);
    return true;
}

/*
 * url.ParseRequestURI: without a scheme, which needs a colon, there must be a
 * path from the root. What has one or the other may still be malformed, and is
 * not judged here, but for paths of plain characters.
 */
static bool is_url(struct arena *a, const struct literal *args, struct literal *result)
{
    struct str s = args[0].bytes;
    arena_pay(a, s.len / SLOW_STEP_BYTES);
    *result = of_bool(s.len != 0 && s.at[0] == '/');
    for (size_t i = 0; i < s.len; i++) {
        bool is_alphanumeric = (s.at[i] >= 'a' && s.at[i] <= 'z') || (s.at[i] >= 'A' && s.at[i] <= 'Z') ||
                               (s.at[i] >= '0' && s.at[i] <= '9');
        bool is_plain = is_alphanumeric || s.at[i] == '-' || s.at[i] == '.' || s.at[i] == '_';
        bool is_slash = s.at[i] == '/' && (i == 0 || s.at[i - 1] != '/');
        if (!is_plain && !is_slash)
            return false;
    }
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool trim(struct arena *a, const struct literal *args, struct literal *result)
{
    struct str s = args[0].bytes;
    arena_pay(a, s.len / SLOW_STEP_BYTES);
    while (s.len != 0 && is_space(s.at[0]))
        s = str_skip(s, 1);
    while (s.len != 0 && is_space(s.at[s.len - 1]))
        s.len--;
    *result = of_string(s);
    return is_ascii(a, s);
}

/* All of them; an empty one is everywhere, and not replaced here. */
static bool replace(struct arena *a, const struct literal *args, struct literal *result)
{
    struct text text = {.arena = a};
    struct str rest = args[0].bytes, old = args[1].bytes;
    for (int64_t at; old.len != 0 && (at = find(a, rest, old)) >= 0;) {
        arena_step(a);
        text_add(&text, (struct str){rest.at, (size_t)at});
        text_add(&text, args[2].bytes);
        rest = (struct str){rest.at + at + old.len, rest.len - (size_t)at - old.len};
    }
    text_add(&text, rest);
    *result = of_string(text_str(&text));
    return old.len != 0;
}

/* Strings are ordered by code point, that is by byte. */
static int compare(struct arena *a, const struct literal *args)
{
    if (args[0].kind == LITERAL_STRING)
        arena_pay_bytes(a, args[0].bytes.len);
    if (args[0].kind == LITERAL_STRING)
        return str_cmp(args[0].bytes, args[1].bytes);
    return (args[0].integer > args[1].integer) - (args[0].integer < args[1].integer);
}

static bool is_ordered(enum ast_operator op, int order)
{
    if (order == 0)
        return op == AST_LESS_EQUALS || op == AST_GREATER_EQUALS;
    return (op == AST_LESS || op == AST_LESS_EQUALS) == (order < 0);
}

/* Of two strings or two ints. */
static bool call_operator(struct arena *a, enum ast_operator op, const struct literal *args,
                          struct literal *result)
{
    bool is_string = args[0].kind == LITERAL_STRING;
    if (args[0].kind != args[1].kind || (!is_string && args[0].kind != LITERAL_INT))
        return false;
    if (op == AST_ADD)
        return is_string ? add_strings(a, args, result) : add_integers(args, result);
    if (op != AST_LESS && op != AST_LESS_EQUALS && op != AST_GREATER && op != AST_GREATER_EQUALS)
        return false;
    *result = of_bool(is_ordered(op, compare(a, args)));
    return true;
}

/* Regular expressions of names: plain ones between ^ and $, alone or as alternatives */

static bool is_plain(struct arena *a, struct str pattern)
{
    arena_pay(a, pattern.len / SLOW_STEP_BYTES);
    for (size_t i = 0; i < pattern.len; i++) {
        if (strchr("\\.+*?()|[]{}^$", pattern.at[i]) != NULL)
            return false;
    }
    return true;
}

static bool take_prefix(struct str *s, struct str prefix)
{
    if (!str_has_prefix(*s, prefix))
        return false;
    *s = (struct str){s->at + prefix.len, s->len - prefix.len};
    return true;
}

static bool take_suffix(struct str *s, struct str suffix)
{
    if (!str_has_suffix(*s, suffix))
        return false;
    s->len -= suffix.len;
    return true;
}

static bool matches_plain(struct arena *a, struct str s, struct str plain, bool from_begin, bool to_end)
{
    arena_pay_bytes(a, plain.len);
    if (from_begin && to_end)
        return str_eq(s, plain);
    return from_begin ? str_has_prefix(s, plain) : to_end ? str_has_suffix(s, plain) : find(a, s, plain) >= 0;
}

static bool matches(struct arena *a, const struct literal *args, struct literal *result)
{
    struct str s = args[0].bytes, rest = args[1].bytes, whole = rest;
    bool from_begin = take_prefix(&whole, STR("^")), to_end = take_suffix(&whole, STR("$"));
    bool is_group = take_prefix(&whole, STR("(")) && take_suffix(&whole, STR(")"));
    if (is_group) {
        take_prefix(&whole, STR("?:"));
        rest = whole;
    }
    *result = of_bool(false);
    for (bool is_last = false; !is_last;) {
        int64_t bar = find(a, rest, STR("|"));
        arena_step(a);
        is_last = bar < 0;
        struct str one = {rest.at, is_last ? rest.len : (size_t)bar};
        bool begins = is_group ? from_begin : take_prefix(&one, STR("^"));
        bool ends = is_group ? to_end : take_suffix(&one, STR("$"));
        if (!is_plain(a, one))
            return false;
        result->boolean = result->boolean || matches_plain(a, s, one, begins, ends);
        if (!is_last)
            rest = (struct str){rest.at + bar + 1, rest.len - (size_t)bar - 1};
    }
    return true;
}

/* As a part of a JSON patch's path. */
static bool escape_key(struct arena *a, const struct literal *args, struct literal *result)
{
    struct text t = {.arena = a};
    for (size_t i = 0; i < args[0].bytes.len; i++) {
        char c = args[0].bytes.at[i];
        if (c == '~' || c == '/')
            text_add(&t, c == '~' ? STR("~0") : STR("~1"));
        else
            text_add_char(&t, c);
    }
    *result = (struct literal){.kind = LITERAL_STRING, .bytes = text_str(&t)};
    return true;
}

/* By the kinds of the arguments: s for a string, i for an int, b for bytes. False: not computed. */
static const struct {
    struct str name;
    struct str kinds;
    bool (*call)(struct arena *a, const struct literal *args, struct literal *result);
} FUNCTIONS[] = {
    {STR_INIT("bytes"), STR_INIT("b"), same},
    {STR_INIT("bytes"), STR_INIT("s"), to_bytes},
    {STR_INIT("charAt"), STR_INIT("si"), char_at},
    {STR_INIT("contains"), STR_INIT("ss"), contains},
    {STR_INIT("endsWith"), STR_INIT("ss"), ends_with},
    {STR_INIT("indexOf"), STR_INIT("ss"), index_of},
    {STR_INIT("isURL"), STR_INIT("s"), is_url},
    {STR_INIT("jsonpatch.escapeKey"), STR_INIT("s"), escape_key},
    {STR_INIT("lowerAscii"), STR_INIT("s"), lower_ascii},
    {STR_INIT("matches"), STR_INIT("ss"), matches},
    {STR_INIT("replace"), STR_INIT("sss"), replace},
    {STR_INIT("size"), STR_INIT("b"), size_of_bytes},
    {STR_INIT("size"), STR_INIT("s"), size},
    {STR_INIT("startsWith"), STR_INIT("ss"), starts_with},
    {STR_INIT("string"), STR_INIT("s"), same},
    {STR_INIT("substring"), STR_INIT("si"), substring_from},
    {STR_INIT("substring"), STR_INIT("sii"), substring},
    {STR_INIT("trim"), STR_INIT("s"), trim},
    {STR_INIT("upperAscii"), STR_INIT("s"), upper_ascii},
};

static enum literal_kind kind_called(char letter)
{
    return letter == 's' ? LITERAL_STRING : letter == 'b' ? LITERAL_BYTES : LITERAL_INT;
}

static bool are_of_kinds(const struct literal *args, size_t count, struct str kinds)
{
    if (kinds.len != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (args[i].kind != kind_called(kinds.at[i]))
            return false;
    }
    return true;
}

bool constant_fold_call(struct arena *a, enum ast_operator op, struct str function,
                        const struct literal *args, size_t count, struct literal *result)
{
    if (op != AST_FUNCTION)
        return count == 2 && call_operator(a, op, args, result);
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        if (str_eq(FUNCTIONS[i].name, function) && are_of_kinds(args, count, FUNCTIONS[i].kinds))
            return FUNCTIONS[i].call(a, args, result);
    }
    return false;
}

/* ---- failures ---- */

static bool overflows_int(enum ast_operator op, int64_t a, int64_t b)
{
    int64_t result;
    return op == AST_ADD        ? __builtin_add_overflow(a, b, &result)
           : op == AST_SUBTRACT ? __builtin_sub_overflow(a, b, &result)
           : op == AST_MULTIPLY ? __builtin_mul_overflow(a, b, &result)
                                : (op == AST_DIVIDE || op == AST_MODULO) && a == INT64_MIN && b == -1;
}

static bool overflows_uint(enum ast_operator op, uint64_t a, uint64_t b)
{
    uint64_t result;
    return op == AST_ADD        ? __builtin_add_overflow(a, b, &result)
           : op == AST_SUBTRACT ? __builtin_sub_overflow(a, b, &result)
                                : op == AST_MULTIPLY && __builtin_mul_overflow(a, b, &result);
}

static struct str operator_error(enum ast_operator op, const struct literal *args)
{
    if (args[0].kind != args[1].kind)
        return STR("");
    if (args[0].kind == LITERAL_INT && overflows_int(op, args[0].integer, args[1].integer))
        return STR("integer overflow");
    if (args[0].kind == LITERAL_UINT && overflows_uint(op, args[0].uinteger, args[1].uinteger))
        return STR("unsigned integer overflow");
    return STR("");
}

/* charAt and substring: each position is 0 to the length. */
static struct str position_error(struct arena *a, const struct literal *args, size_t count)
{
    if (!is_ascii(a, args[0].bytes))
        return STR("");
    for (size_t i = 1; i < count; i++) {
        if (args[i].integer < 0 || args[i].integer > (int64_t)args[0].bytes.len)
            return str_format(a, "index out of range: %lld", (long long)args[i].integer);
    }
    if (count == CONSTANT_FOLD_MAX_ARGS && args[1].integer > args[2].integer)
        return str_format(a, "invalid substring range. start: %lld, end: %lld", (long long)args[1].integer,
                          (long long)args[2].integer);
    return STR("");
}

struct str constant_fold_error(struct arena *a, enum ast_operator op, struct str function,
                               const struct literal *args, size_t count)
{
    bool is_position = str_eq(function, STR("charAt")) || str_eq(function, STR("substring"));
    if (op == AST_NEGATE && args[0].kind == LITERAL_INT && args[0].integer == INT64_MIN)
        return STR("integer overflow");
    if (op != AST_FUNCTION)
        return count == 2 ? operator_error(op, args) : STR("");
    if (is_position && (are_of_kinds(args, count, STR("si")) || are_of_kinds(args, count, STR("sii"))))
        return position_error(a, args, count);
    return STR("");
}

bool constant_fold_split(struct arena *a, struct str *rest, struct str separator, struct str *part)
{
    int64_t at = rest->at == NULL ? -1 : find(a, *rest, separator);
    arena_step(a);
    if (rest->at == NULL)
        return false;
    *part = at < 0 ? *rest : (struct str){rest->at, (size_t)at};
    *rest = at < 0 ? (struct str){NULL, 0}
                   : (struct str){rest->at + at + separator.len, rest->len - (size_t)at - separator.len};
    return true;
}
