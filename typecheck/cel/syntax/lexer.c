/*
 * lexer_token() skips space and comments, and then chooses by the first character what to read: a name, a
 * number, a string or a symbol. A table of character classes stands in place of ANTLR's automaton, with the
 * same result: the longest match counts. No state is kept between tokens, so that code for messages can look
 * at any token again. If no token fits, the result is TOKEN_BAD with the bytes that ANTLR would drop, up to
 * the character at which this became clear.
 */
#include "typecheck/cel/syntax/lexer.h"

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/source.h"

static const struct str NAMES[TOKEN_KINDS] = {
    [TOKEN_EOF] = STR_INIT("<EOF>"),
    [TOKEN_EQUALS] = STR_INIT("'=='"),
    [TOKEN_NOT_EQUALS] = STR_INIT("'!='"),
    [TOKEN_IN] = STR_INIT("'in'"),
    [TOKEN_LESS] = STR_INIT("'<'"),
    [TOKEN_LESS_EQUALS] = STR_INIT("'<='"),
    [TOKEN_GREATER_EQUALS] = STR_INIT("'>='"),
    [TOKEN_GREATER] = STR_INIT("'>'"),
    [TOKEN_AND] = STR_INIT("'&&'"),
    [TOKEN_OR] = STR_INIT("'||'"),
    [TOKEN_LBRACKET] = STR_INIT("'['"),
    [TOKEN_RBRACKET] = STR_INIT("']'"),
    [TOKEN_LBRACE] = STR_INIT("'{'"),
    [TOKEN_RBRACE] = STR_INIT("'}'"),
    [TOKEN_LPAREN] = STR_INIT("'('"),
    [TOKEN_RPAREN] = STR_INIT("')'"),
    [TOKEN_DOT] = STR_INIT("'.'"),
    [TOKEN_COMMA] = STR_INIT("','"),
    [TOKEN_MINUS] = STR_INIT("'-'"),
    [TOKEN_NOT] = STR_INIT("'!'"),
    [TOKEN_QUESTION] = STR_INIT("'?'"),
    [TOKEN_COLON] = STR_INIT("':'"),
    [TOKEN_PLUS] = STR_INIT("'+'"),
    [TOKEN_STAR] = STR_INIT("'*'"),
    [TOKEN_SLASH] = STR_INIT("'/'"),
    [TOKEN_PERCENT] = STR_INIT("'%'"),
    [TOKEN_TRUE] = STR_INIT("'true'"),
    [TOKEN_FALSE] = STR_INIT("'false'"),
    [TOKEN_NULL] = STR_INIT("'null'"),
    [TOKEN_FLOAT] = STR_INIT("NUM_FLOAT"),
    [TOKEN_INT] = STR_INIT("NUM_INT"),
    [TOKEN_UINT] = STR_INIT("NUM_UINT"),
    [TOKEN_STRING] = STR_INIT("STRING"),
    [TOKEN_BYTES] = STR_INIT("BYTES"),
    [TOKEN_IDENT] = STR_INIT("IDENTIFIER"),
    [TOKEN_ESCAPED_IDENT] = STR_INIT("ESC_IDENTIFIER"),
};

struct str token_name(enum token_kind kind)
{
    return kind < TOKEN_KINDS ? NAMES[kind] : STR("<invalid>");
}

/* The tokens that a character can be part of. */
enum {
    SPACE = 1,
    LETTER = 2, /* _ too */
    DIGIT = 4,
    HEX = 8,
    ESCAPABLE = 16,  /* may follow a backslash, as an escape of two characters */
    IN_ESCAPED = 32, /* between backquotes */
};

/* clang-format off */
#define NAME (LETTER | IN_ESCAPED)
static const unsigned char CLASS[256] = {
    ['\t'] = SPACE, ['\n'] = SPACE, ['\f'] = SPACE, ['\r'] = SPACE, [' '] = SPACE | IN_ESCAPED,
    ['0'] = DIGIT | HEX | IN_ESCAPED, ['1'] = DIGIT | HEX | IN_ESCAPED, ['2'] = DIGIT | HEX | IN_ESCAPED,
    ['3'] = DIGIT | HEX | IN_ESCAPED, ['4'] = DIGIT | HEX | IN_ESCAPED, ['5'] = DIGIT | HEX | IN_ESCAPED,
    ['6'] = DIGIT | HEX | IN_ESCAPED, ['7'] = DIGIT | HEX | IN_ESCAPED, ['8'] = DIGIT | HEX | IN_ESCAPED,
    ['9'] = DIGIT | HEX | IN_ESCAPED,
    ['A'] = NAME | HEX, ['B'] = NAME | HEX, ['C'] = NAME | HEX, ['D'] = NAME | HEX, ['E'] = NAME | HEX,
    ['F'] = NAME | HEX, ['G'] = NAME, ['H'] = NAME, ['I'] = NAME, ['J'] = NAME, ['K'] = NAME, ['L'] = NAME,
    ['M'] = NAME, ['N'] = NAME, ['O'] = NAME, ['P'] = NAME, ['Q'] = NAME, ['R'] = NAME, ['S'] = NAME,
    ['T'] = NAME, ['U'] = NAME, ['V'] = NAME, ['W'] = NAME, ['X'] = NAME, ['Y'] = NAME, ['Z'] = NAME,
    ['_'] = NAME,
    ['a'] = NAME | HEX | ESCAPABLE, ['b'] = NAME | HEX | ESCAPABLE, ['c'] = NAME | HEX, ['d'] = NAME | HEX,
    ['e'] = NAME | HEX, ['f'] = NAME | HEX | ESCAPABLE, ['g'] = NAME, ['h'] = NAME, ['i'] = NAME, ['j'] = NAME,
    ['k'] = NAME, ['l'] = NAME, ['m'] = NAME, ['n'] = NAME | ESCAPABLE, ['o'] = NAME, ['p'] = NAME,
    ['q'] = NAME, ['r'] = NAME | ESCAPABLE, ['s'] = NAME, ['t'] = NAME | ESCAPABLE, ['u'] = NAME,
    ['v'] = NAME | ESCAPABLE, ['w'] = NAME, ['x'] = NAME, ['y'] = NAME, ['z'] = NAME,
    ['"'] = ESCAPABLE, ['\''] = ESCAPABLE, ['\\'] = ESCAPABLE, ['?'] = ESCAPABLE, ['`'] = ESCAPABLE,
    ['.'] = IN_ESCAPED, ['-'] = IN_ESCAPED, ['/'] = IN_ESCAPED,
};
/* clang-format on */

/* The text from the token's first character on; `at` reads 0 past the end, which is in no class. */
struct scan {
    const char *start, *end;
};

static char at(const struct scan *s, const char *p)
{
    if (p < s->end)
        return *p;
    return '\0';
}

static bool is(const struct scan *s, const char *p, int classes)
{
    return p < s->end && (CLASS[(unsigned char)*p] & classes) != 0;
}

static const char *while_is(const struct scan *s, const char *p, int classes)
{
    while (is(s, p, classes))
        p++;
    return p;
}

/* A token and its end; or TOKEN_BAD, and the place where reading failed. */
struct found {
    enum token_kind kind;
    const char *end;
};

static struct found found(enum token_kind kind, const char *end)
{
    return (struct found){kind, end};
}

/* No token begins like this. The character at which that became clear is dropped, too. */
static struct found bad(const struct scan *s, const char *failed_at)
{
    if (failed_at < s->end)
        failed_at += source_code_point_len(failed_at, s->end);
    return found(TOKEN_BAD, failed_at);
}

/* EXPONENT?: the end of ('e' | 'E') ('+' | '-')? DIGIT+ at p, or p. */
static const char *exponent(const struct scan *s, const char *p)
{
    if (at(s, p) != 'e' && at(s, p) != 'E')
        return p;
    const char *digits = p + 1;
    if (at(s, digits) == '+' || at(s, digits) == '-')
        digits++;
    return is(s, digits, DIGIT) ? while_is(s, digits, DIGIT) : p;
}

static struct found integer(const struct scan *s, const char *end)
{
    if (at(s, end) == 'u' || at(s, end) == 'U')
        return found(TOKEN_UINT, end + 1);
    return found(TOKEN_INT, end);
}

/* NUM_FLOAT, NUM_INT, NUM_UINT */
static struct found number(const struct scan *s)
{
    const char *p = s->start;
    if (*p == '0' && at(s, p + 1) == 'x' && is(s, p + 2, HEX))
        return integer(s, while_is(s, p + 2, HEX));
    const char *whole = while_is(s, p, DIGIT);
    if (at(s, whole) == '.' && is(s, whole + 1, DIGIT))
        return found(TOKEN_FLOAT, exponent(s, while_is(s, whole + 1, DIGIT)));
    if (exponent(s, whole) != whole)
        return found(TOKEN_FLOAT, exponent(s, whole));
    return integer(s, whole);
}

/* ESC_SEQ: moves *p past the sequence whose backslash it is at, or to where it goes wrong. */
static bool escape(const struct scan *s, const char **p)
{
    const char *c = *p + 1;
    int hex_digits = 0;
    if (is(s, c, ESCAPABLE)) {
        *p = c + 1;
        return true;
    }
    switch (at(s, c)) {
    case '0':
    case '1':
    case '2':
    case '3':
        for (int i = 1; i <= 2; i++) {
            if (at(s, c + i) < '0' || at(s, c + i) > '7') {
                *p = c + i;
                return false;
            }
        }
        *p = c + 3;
        return true;
    case 'x':
    case 'X':
        hex_digits = 2;
        break;
    case 'u':
        hex_digits = 4;
        break;
    case 'U':
        hex_digits = 8;
        break;
    }
    if (hex_digits == 0) {
        *p = c;
        return false;
    }
    for (*p = c + 1; hex_digits > 0 && is(s, *p, HEX); hex_digits--)
        ++*p;
    return hex_digits == 0;
}

static bool is_triple(const struct scan *s, const char *p, char quote)
{
    return at(s, p) == quote && at(s, p + 1) == quote && at(s, p + 2) == quote;
}

/* The end of the string in three quotes at p, or NULL. */
static const char *triple_quoted(const struct scan *s, const char *p, bool is_raw)
{
    char quote = *p;
    for (p += 3; p < s->end;) {
        if (is_triple(s, p, quote))
            return p + 3;
        if (*p != '\\' || is_raw)
            p++;
        else if (!escape(s, &p))
            return NULL;
    }
    return NULL;
}

/* Reads the string in single quotes at *p. Returns true with *p at its end; else *p is where reading
 * failed. */
static bool single_quoted(const struct scan *s, const char **p, bool is_raw)
{
    char quote = *(*p)++;
    while (*p < s->end && **p != quote) {
        if (**p == '\n' || **p == '\r')
            return false;
        if (**p != '\\' || is_raw)
            ++*p;
        else if (!escape(s, p))
            return false;
    }
    if (*p >= s->end)
        return false;
    ++*p;
    return true;
}

/* STRING and BYTES from their first quote on. If a string that begins with three quotes has no end, its first
 * two quotes are an empty string. */
static bool quoted(const struct scan *s, const char **p, bool is_raw)
{
    if (is_triple(s, *p, **p)) {
        const char *end = triple_quoted(s, *p, is_raw);
        *p = end != NULL ? end : *p + 2;
        return true;
    }
    return single_quoted(s, p, is_raw);
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

/* Returns true if the word at the start is the prefix of a string that is whole. */
static bool prefixed_string(const struct scan *s, struct found *f)
{
    const char *p = s->start;
    bool is_bytes = *p == 'b' || *p == 'B';
    if (is_bytes)
        p++;
    bool is_raw = at(s, p) == 'r' || at(s, p) == 'R';
    if (is_raw)
        p++;
    if (p == s->start || !is_quote(at(s, p)) || !quoted(s, &p, is_raw))
        return false;
    *f = found(is_bytes ? TOKEN_BYTES : TOKEN_STRING, p);
    return true;
}

static enum token_kind keyword(struct str word)
{
    if (str_eq(word, STR("in")))
        return TOKEN_IN;
    if (str_eq(word, STR("true")))
        return TOKEN_TRUE;
    if (str_eq(word, STR("false")))
        return TOKEN_FALSE;
    if (str_eq(word, STR("null")))
        return TOKEN_NULL;
    return TOKEN_IDENT;
}

static struct found word(const struct scan *s)
{
    struct found f;
    char c = *s->start;
    if ((c == 'b' || c == 'B' || c == 'r' || c == 'R') && prefixed_string(s, &f))
        return f;
    const char *end = while_is(s, s->start, LETTER | DIGIT);
    if (c != 'i' && c != 't' && c != 'f' && c != 'n')
        return found(TOKEN_IDENT, end);
    return found(keyword((struct str){s->start, (size_t)(end - s->start)}), end);
}

/* ESC_IDENTIFIER */
static struct found escaped_ident(const struct scan *s)
{
    const char *end = while_is(s, s->start + 1, IN_ESCAPED);
    if (end == s->start + 1 || at(s, end) != '`')
        return bad(s, end);
    return found(TOKEN_ESCAPED_IDENT, end + 1);
}

static struct found string(const struct scan *s)
{
    const char *p = s->start;
    return quoted(s, &p, false) ? found(TOKEN_STRING, p) : bad(s, p);
}

/* `longer` if the second character is `second`, else `shorter`; TOKEN_BAD if that is none. */
static struct found pair(const struct scan *s, char second, enum token_kind longer, enum token_kind shorter)
{
    if (at(s, s->start + 1) == second)
        return found(longer, s->start + 2);
    return shorter == TOKEN_BAD ? bad(s, s->start + 1) : found(shorter, s->start + 1);
}

static struct found symbol(const struct scan *s)
{
    static const unsigned char OF_ONE[] = {
        ['['] = TOKEN_LBRACKET, [']'] = TOKEN_RBRACKET, ['{'] = TOKEN_LBRACE, ['}'] = TOKEN_RBRACE,
        ['('] = TOKEN_LPAREN,   [')'] = TOKEN_RPAREN,   [','] = TOKEN_COMMA,  ['-'] = TOKEN_MINUS,
        ['?'] = TOKEN_QUESTION, [':'] = TOKEN_COLON,    ['+'] = TOKEN_PLUS,   ['*'] = TOKEN_STAR,
        ['/'] = TOKEN_SLASH,    ['%'] = TOKEN_PERCENT,  ['.'] = TOKEN_DOT,
    };
    const char *next = s->start + 1;
    const unsigned char c = (unsigned char)*s->start;
    if (c == '.' && is(s, next, DIGIT))
        return found(TOKEN_FLOAT, exponent(s, while_is(s, next, DIGIT)));
    if (c < sizeof OF_ONE && OF_ONE[c] != TOKEN_EOF)
        return found(OF_ONE[c], next);
    switch (c) {
    case '=':
        return pair(s, '=', TOKEN_EQUALS, TOKEN_BAD);
    case '!':
        return pair(s, '=', TOKEN_NOT_EQUALS, TOKEN_NOT);
    case '<':
        return pair(s, '=', TOKEN_LESS_EQUALS, TOKEN_LESS);
    case '>':
        return pair(s, '=', TOKEN_GREATER_EQUALS, TOKEN_GREATER);
    case '&':
        return pair(s, '&', TOKEN_AND, TOKEN_BAD);
    case '|':
        return pair(s, '|', TOKEN_OR, TOKEN_BAD);
    case '"':
    case '\'':
        return string(s);
    case '`':
        return escaped_ident(s);
    }
    return bad(s, s->start);
}

/* Skips WHITESPACE and COMMENT. */
static const char *skip_hidden(const struct scan *s, const char *p)
{
    for (;;) {
        p = while_is(s, p, SPACE);
        if (at(s, p) != '/' || at(s, p + 1) != '/')
            return p;
        while (p < s->end && *p != '\n')
            p++;
    }
}

struct token lexer_token(struct str text, uint32_t offset)
{
    struct scan s = {text.at + offset, text.at + text.len};
    s.start = skip_hidden(&s, s.start);
    struct found f;
    if (s.start >= s.end)
        f = found(TOKEN_EOF, s.end);
    else if (is(&s, s.start, LETTER))
        f = word(&s);
    else if (is(&s, s.start, DIGIT))
        f = number(&s);
    else
        f = symbol(&s);
    return (struct token){f.kind, (uint32_t)(s.start - text.at), (uint32_t)(f.end - text.at)};
}

/* ---- brackets ---- */

bool lexer_is_name(struct str text)
{
    if (text.len == 0)
        return false;
    const struct token t = lexer_token(text, 0);
    return t.kind == TOKEN_IDENT && t.start == 0 && t.end == text.len;
}

bool token_opens(enum token_kind kind)
{
    return kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE;
}

bool token_closes(enum token_kind kind)
{
    return kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE;
}

/* Each closing bracket with the innermost open one, if both are of a sort. */
void token_pair_brackets(struct arena *a, const struct token *tokens, size_t count, uint32_t *pairs)
{
    uint32_t *open = ARENA_ARRAY(a, count, uint32_t);
    size_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        enum token_kind kind = tokens[i].kind;
        pairs[i] = i;
        if (token_opens(kind)) {
            open[depth++] = i;
        } else if (token_closes(kind) && depth > 0 && (int)tokens[open[depth - 1]].kind + 1 == (int)kind) {
            pairs[i] = open[--depth];
            pairs[open[depth]] = i;
        }
    }
}
