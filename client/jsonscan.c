#include "client/jsonscan.h"

#include <string.h>

void jsonscan_start(struct jsonscan *scan)
{
    *scan = (struct jsonscan){0};
}

bool jsonscan_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static enum jsonscan_where step_string(struct jsonscan *scan, char c)
{
    if (scan->is_escaped)
        scan->is_escaped = false;
    else if (c == '\\')
        scan->is_escaped = true;
    else if (c == '"') {
        scan->in_string = false;
        return scan->depth == 0 ? JSONSCAN_LAST : JSONSCAN_INSIDE;
    }
    return JSONSCAN_INSIDE;
}

enum jsonscan_where jsonscan_step(struct jsonscan *scan, char c)
{
    if (scan->in_string)
        return step_string(scan, c);
    const bool is_first = !scan->has_begun;
    scan->has_begun = true;
    switch (c) {
    case '"':
        if (scan->is_word)
            return JSONSCAN_AFTER;
        scan->in_string = true;
        return JSONSCAN_INSIDE;
    case '{':
    case '[':
        scan->depth++;
        return JSONSCAN_INSIDE;
    case '}':
    case ']':
        if (scan->depth == 0)
            return JSONSCAN_AFTER;
        return --scan->depth == 0 ? JSONSCAN_LAST : JSONSCAN_INSIDE;
    default:
        break;
    }
    if (is_first)
        scan->is_word = true;
    if (scan->is_word && (c == ',' || c == ':' || jsonscan_is_space(c)))
        return JSONSCAN_AFTER;
    return JSONSCAN_INSIDE;
}

/* The end of the value at `at`, which is no white space. */
static const char *skip_value(const char *at, const char *end)
{
    struct jsonscan scan;
    jsonscan_start(&scan);
    for (; at < end; at++) {
        const enum jsonscan_where where = jsonscan_step(&scan, *at);
        if (where == JSONSCAN_AFTER)
            return at;
        if (where == JSONSCAN_LAST)
            return at + 1;
    }
    return end;
}

static const char *skip_separators(const char *at, const char *end)
{
    while (at < end && (jsonscan_is_space(*at) || *at == ',' || *at == ':'))
        at++;
    return at;
}

bool jsonscan_member(const char *bytes, size_t len, const char *key, const char **value, size_t *value_len)
{
    const char *end = bytes + len;
    const size_t key_len = strlen(key);
    const char *at = skip_separators(bytes, end);
    bool is_found = false;
    if (at == end || *at != '{')
        return false;
    at = skip_separators(at + 1, end);
    while (at < end && *at == '"') {
        const char *name = at + 1;
        const char *name_end = skip_value(at, end);
        at = skip_separators(name_end, end);
        const char *value_end = skip_value(at, end);
        /* As parsers do, the last of two equal keys wins. */
        if ((size_t)(name_end - 1 - name) == key_len && memcmp(name, key, key_len) == 0) {
            *value = at;
            *value_len = (size_t)(value_end - at);
            is_found = true;
        }
        at = skip_separators(value_end, end);
    }
    return is_found;
}
