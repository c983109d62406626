#include "client/text/jsonpick.h"

#include <string.h>

#include "bytes/hex.h"
#include "bytes/jsonnumber.h"
#include "bytes/jsonplain.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* The walk. Its functions return false once err is set. */
struct walk {
    const char *begin, *at, *end;
    struct jsonpick_pick *picks;
    size_t count;
    size_t depth;  /* of the objects and arrays around `at` */
    bool is_first; /* the walk ends where every pick has a value */
    bool is_done;
    struct err *err;
};

static bool fail(const struct walk *w, const char *what)
{
    if (w->at >= w->end)
        (void)err_set(w->err, ERR_PROTOCOL, "JSON ends in the middle, after %zu bytes",
                      (size_t)(w->end - w->begin));
    else
        (void)err_set(w->err, ERR_PROTOCOL, "malformed JSON at byte %zu: %s", (size_t)(w->at - w->begin),
                      what);
    return false;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Servers write none. */
static inline void skip_space(struct walk *w)
{
    while (w->at < w->end && (unsigned char)*w->at <= ' ' && is_space(*w->at))
        w->at++;
}

/* Returns true if c comes next, after white space; then it is passed. */
static inline bool take(struct walk *w, char c)
{
    skip_space(w);
    if (w->at == w->end || *w->at != c)
        return false;
    w->at++;
    return true;
}

/* Walks over the rest of an escape, after the backslash. */
static bool walk_escape(struct walk *w)
{
    if (w->at == w->end || *w->at == '\0' || strchr("\"\\/bfnrtu", *w->at) == NULL)
        return fail(w, "no such escape");
    if (*w->at++ != 'u')
        return true;
    for (int i = 0; i < 4; i++, w->at++) {
        if (w->at == w->end || hex_digit(*w->at) < 0)
            return fail(w, "four hexadecimal digits expected");
    }
    return true;
}

/* string = quotation-mark *char quotation-mark */
static __attribute__((noinline)) bool walk_any_string(struct walk *w)
{
    if (!take(w, '"'))
        return fail(w, "a string expected");
    while ((w->at = jsonplain_end(w->at, w->end, false)) < w->end) {
        const char c = *w->at++;
        if (c == '"')
            return true;
        if (c == '\\') {
            if (!walk_escape(w))
                return false;
        } else {
            w->at--;
            return fail(w, "a control character in a string");
        }
    }
    return fail(w, "");
}

/* Most strings follow without white space and have no escapes. */
static inline bool walk_string(struct walk *w)
{
    if (w->at < w->end && *w->at == '"') {
        const char *at = jsonplain_end(w->at + 1, w->end, false);
        if (at < w->end && *at == '"') {
            w->at = at + 1;
            return true;
        }
    }
    return walk_any_string(w);
}

static bool walk_number(struct walk *w)
{
    return jsonnumber_skip(&w->at, w->end) || fail(w, "a digit expected");
}

static bool walk_word(struct walk *w, const char *word)
{
    for (; *word; word++, w->at++) {
        if (w->at == w->end || *w->at != *word)
            return fail(w, "a value expected");
    }
    return true;
}

static bool enter(struct walk *w)
{
    if (++w->depth < JSONVAL_DEPTH - 1) /* a parser counts the innermost value too */
        return true;
    (void)err_set(w->err, ERR_LIMIT, "JSON nested deeper than %d", JSONVAL_DEPTH);
    return false;
}

/* value = false / null / true / number / string, and of an object or array its bracket */
static bool walk_scalar(struct walk *w)
{
    switch (*w->at) {
    case '"':
        return walk_string(w);
    case 't':
        return walk_word(w, "true");
    case 'f':
        return walk_word(w, "false");
    case 'n':
        return walk_word(w, "null");
    default:
        return is_digit(*w->at) || *w->at == '-' ? walk_number(w) : fail(w, "a value expected");
    }
}

/* member = string name-separator value, up to the value */
static bool walk_key(struct walk *w)
{
    if (!walk_string(w))
        return false;
    return take(w, ':') || fail(w, "a colon expected");
}

/* Moves past the brackets that close here, and the comma after them. Sets *is_end to true if all brackets
 * that were open are closed. */
static bool walk_ends(struct walk *w, const bool *is_object, size_t base, bool *is_end)
{
    while (w->depth > base) {
        const bool *inner = &is_object[w->depth - 1];
        if (take(w, ','))
            return !*inner || walk_key(w);
        if (!take(w, *inner ? '}' : ']'))
            return fail(w, *inner ? "a comma or a closing brace expected"
                                  : "a comma or a closing bracket expected");
        w->depth--;
    }
    *is_end = true;
    return true;
}

/* An object or array is entered, of which nothing is picked; *is_empty: and left. */
static bool walk_open(struct walk *w, bool *is_object, bool *is_empty)
{
    const bool is_new_object = *w->at++ == '{';
    if (!enter(w))
        return false;
    is_object[w->depth - 1] = is_new_object;
    *is_empty = take(w, is_new_object ? '}' : ']');
    if (!*is_empty)
        return !is_new_object || walk_key(w);
    w->depth--;
    return true;
}

/* A value of which nothing is picked. */
static bool walk_over(struct walk *w)
{
    bool is_object[JSONVAL_DEPTH];
    const size_t base = w->depth;
    for (bool is_end = false; !is_end;) {
        bool is_complete = true;
        skip_space(w);
        if (w->at == w->end)
            return fail(w, "");
        const char c = *w->at;
        if (!(c == '"'               ? walk_string(w)
              : c == '{' || c == '[' ? walk_open(w, is_object, &is_complete)
                                     : walk_scalar(w)))
            return false;
        if (is_complete && !walk_ends(w, is_object, base, &is_end))
            return false;
    }
    return true;
}

/* A member's key was read: finds the picks whose path goes through it; returns false if none does. */
static bool match(struct walk *w, const char *key, size_t len)
{
    const size_t step = w->depth - 1;
    bool is_on_path = false;
    for (size_t i = 0; step < JSONPICK_PATH_MAX && i < w->count; i++) {
        struct jsonpick_pick *p = &w->picks[i];
        if (p->matched >= step && p->path[step] != NULL) {
            const char *wanted = p->path[step];
            const bool is_next = *wanted == *key && strncmp(wanted, key, len) == 0 && wanted[len] == '\0';
            p->matched = step + (is_next ? 1 : 0);
            is_on_path = is_on_path || is_next;
        }
    }
    return is_on_path;
}

/* The value of that member was read. */
static void note(struct walk *w, const char *value)
{
    w->is_done = w->is_first;
    for (size_t i = 0; i < w->count; i++) {
        struct jsonpick_pick *p = &w->picks[i];
        if (p->matched != w->depth)
            continue;
        if (w->depth == JSONPICK_PATH_MAX || p->path[w->depth] == NULL)
            p->value = (struct jsonpick){value, (size_t)(w->at - value)};
        p->matched = w->depth - 1;
    }
    for (size_t i = 0; w->is_done && i < w->count; i++)
        w->is_done = w->picks[i].value.at != NULL;
}

static bool walk_object(struct walk *w);

/* A value that a path leads to; through an array none goes on. No deeper than paths are long. */
static bool walk_value(struct walk *w)
{
    skip_space(w);
    return w->at < w->end && *w->at == '{' && w->depth < JSONPICK_PATH_MAX ? walk_object(w) : walk_over(w);
}

/* member = string name-separator value */
static bool walk_member(struct walk *w)
{
    skip_space(w);
    const char *key = w->at + 1;
    if (!walk_string(w))
        return false;
    const bool is_on_path = match(w, key, (size_t)(w->at - 1 - key));
    if (!take(w, ':'))
        return fail(w, "a colon expected");
    if (!is_on_path)
        return walk_over(w);
    skip_space(w);
    const char *value = w->at;
    if (!walk_value(w))
        return false;
    if (!w->is_done)
        note(w, value);
    return true;
}

/* object = begin-object [ member *( value-separator member ) ] end-object */
static bool walk_object(struct walk *w)
{
    w->at++;
    if (!enter(w))
        return false;
    if (!take(w, '}')) {
        do {
            if (!walk_member(w))
                return false;
        } while (!w->is_done && take(w, ','));
        if (!w->is_done && !take(w, '}'))
            return fail(w, "a comma or a closing brace expected");
    }
    w->depth--;
    return true;
}

static int pick(const char *bytes, size_t len, struct jsonpick_pick *picks, size_t count, bool is_first,
                struct err *err)
{
    struct walk w = {.begin = bytes,
                     .at = bytes,
                     .end = bytes + len,
                     .picks = picks,
                     .count = count,
                     .is_first = is_first,
                     .err = err};
    for (size_t i = 0; i < count; i++) {
        picks[i].value = (struct jsonpick){0};
        picks[i].matched = 0;
    }
    if (!walk_value(&w))
        return -1;
    skip_space(&w);
    if (!w.is_done && w.at < w.end) {
        (void)fail(&w, "text behind the value");
        return -1;
    }
    return 0;
}

int jsonpick_pick(const char *bytes, size_t len, struct jsonpick_pick *picks, size_t count, struct err *err)
{
    return pick(bytes, len, picks, count, false, err);
}

int jsonpick_first(const char *bytes, size_t len, struct jsonpick_pick *picks, size_t count, struct err *err)
{
    return pick(bytes, len, picks, count, true, err);
}

void jsonpick_head(const char *bytes, size_t len, struct jsonpick_pick *picks, size_t count)
{
    /* a failure only says where the text ends */
    (void)!pick(bytes, len, picks, count, true, NULL);
}

struct jsonpick jsonpick_rest(const char *bytes, size_t len, const char *member)
{
    struct walk w = {.begin = bytes, .at = bytes, .end = bytes + len};
    const size_t member_len = strlen(member);
    if (!take(&w, '{'))
        return (struct jsonpick){0};
    do {
        skip_space(&w);
        const char *key = w.at + 1;
        if (!walk_string(&w) || !take(&w, ':'))
            break;
        skip_space(&w);
        if ((size_t)(w.at - key) > member_len && key[member_len] == '"' &&
            memcmp(key, member, member_len) == 0)
            return (struct jsonpick){w.at, (size_t)(w.end - w.at)};
    } while (walk_over(&w) && take(&w, ','));
    return (struct jsonpick){0};
}

/* A picked value is proper JSON: its first byte says what it is. */
static bool is_string(const struct jsonpick *value)
{
    return value->at != NULL && *value->at == '"';
}

char *jsonpick_string(const struct jsonpick *value)
{
    cleanup_json struct json_object *decoded = NULL;
    if (!is_string(value))
        return NULL;
    if (memchr(value->at, '\\', value->len) == NULL)
        return mem_strndup(value->at + 1, value->len - 2);
    return jsonval_parse(value->at, value->len, &decoded, NULL) == 0 ? mem_strdup(jsonval_text(decoded))
                                                                     : NULL;
}

char *jsonpick_string_or_empty(const struct jsonpick *value)
{
    char *string = jsonpick_string(value);
    return string ? string : mem_strdup("");
}

bool jsonpick_is(const struct jsonpick *value, const char *string)
{
    cleanup_mem char *decoded = jsonpick_string(value);
    return decoded && strcmp(decoded, string) == 0;
}

int64_t jsonpick_int(const struct jsonpick *value, int64_t fallback)
{
    enum { LONGEST = 18 }; /* digits that fit for certain */
    int64_t n = 0;
    const bool is_negative = value->len > 0 && *value->at == '-';
    if (value->len == 0 || value->len > LONGEST)
        return fallback;
    for (size_t i = is_negative; i < value->len; i++) {
        if (!is_digit(value->at[i]))
            return fallback;
        n = 10 * n + (value->at[i] - '0');
    }
    return is_negative ? -n : n;
}

bool jsonpick_next(const struct jsonpick *array, struct jsonpick *element)
{
    if (!array->at || *array->at != '[')
        return false;
    struct walk w = {.begin = array->at,
                     .at = element->at ? element->at + element->len : array->at + 1,
                     .end = array->at + array->len};
    (void)take(&w, ',');
    skip_space(&w);
    const char *begin = w.at;
    if (*begin == ']' || !walk_value(&w))
        return false;
    *element = (struct jsonpick){begin, (size_t)(w.at - begin)};
    return true;
}
