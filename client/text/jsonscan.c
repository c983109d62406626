#include "client/text/jsonscan.h"

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
