#include "cmd/kubectl-vapcheck/check/respell.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/mem.h"

/* A text in place of another part of the expression. */
struct edit {
    size_t at, len;
    const char *text;
};

enum { EDITS_MAX = 64 };

struct edits {
    struct edit items[EDITS_MAX];
    size_t count;
};

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* One place may have an issue for each of several types. */
static void add(struct edits *edits, size_t at, size_t len, const char *text)
{
    for (size_t i = 0; i < edits->count; i++) {
        if (edits->items[i].at == at)
            return;
    }
    if (edits->count < EDITS_MAX)
        edits->items[edits->count++] = (struct edit){at, len, text};
}

/* The quote that the one at `at` ends; SIZE_MAX where an escape makes that uncertain. */
static size_t find_quote(const char *text, size_t at)
{
    size_t i = at;
    while (i-- > 0 && text[i] != text[at]) {
        if (text[i] == '\\')
            return SIZE_MAX;
    }
    return i;
}

/* The bracket that the one at `at` closes; SIZE_MAX where that is uncertain. */
static size_t find_opening(const char *text, size_t at)
{
    size_t depth = 0;
    for (size_t i = at; i != SIZE_MAX; i--) {
        if (strchr("\"'`", text[i]) != NULL)
            i = find_quote(text, i);
        if (i == SIZE_MAX)
            break;
        depth += text[i] == ']';
        if (text[i] == '[' && --depth == 0)
            return i;
    }
    return SIZE_MAX;
}

/* x.y.orValue(d): x.?y.orValue(d); x[y].orValue(d): x[?y].orValue(d). */
static bool make_optional(const char *text, size_t at, const char *name, struct edits *edits)
{
    const size_t len = strlen(name);
    if (at < len + 2 || text[at] != '(' || strncmp(text + at - len, name, len) != 0 ||
        text[at - len - 1] != '.')
        return false;
    size_t end = at - len - 1, begin = end;
    if (text[end - 1] == ']') {
        begin = find_opening(text, end - 1);
        if (begin == SIZE_MAX || text[begin + 1] == '?')
            return false;
        add(edits, begin + 1, 0, "?");
        return true;
    }
    while (begin > 0 && is_name(text[begin - 1]))
        begin--;
    if (begin == end || begin == 0 || text[begin - 1] != '.')
        return false;
    add(edits, begin, 0, "?");
    return true;
}

/* x[0u], x[0.0]: x[0]. */
static bool make_int(const char *text, size_t at, struct edits *edits)
{
    size_t end = at + 1;
    if (text[at] != '[')
        return false;
    while (is_digit(text[end]))
        end++;
    const size_t cut = end;
    if (text[end] == 'u' || text[end] == 'U') {
        end++;
    } else if (text[end] == '.') {
        for (end++; text[end] == '0';)
            end++;
    }
    if (cut == at + 1 || end == cut || text[end] != ']')
        return false;
    add(edits, cut, end - cut, "");
    return true;
}

/* An operator has no overload at its bracket, a function at the bracket of its arguments. */
static bool add_edit(const char *text, const struct respell_issue *issue, struct edits *edits)
{
    const size_t at = issue->offset;
    if (at >= strlen(text) || issue->code != ISSUE_NO_OVERLOAD)
        return false;
    return make_optional(text, at, "orValue", edits) || make_optional(text, at, "or", edits) ||
           make_int(text, at, edits);
}

/* Sorts the edits from the end of the text to its beginning: each leaves the places before it as they are. */
static void sort(struct edits *edits)
{
    for (size_t i = 1; i < edits->count; i++) {
        const struct edit moving = edits->items[i];
        size_t to = i;
        for (; to > 0 && edits->items[to - 1].at < moving.at; to--)
            edits->items[to] = edits->items[to - 1];
        edits->items[to] = moving;
    }
}

char *respell_make(const char *expression, const struct respell_issue *issues, size_t count)
{
    struct edits edits = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        if (!add_edit(expression, &issues[i], &edits))
            return NULL;
    }
    if (edits.count == 0 || edits.count == EDITS_MAX)
        return NULL;
    sort(&edits);
    char *text = mem_strdup(expression);
    for (size_t i = 0; i < edits.count; i++) {
        const struct edit *e = &edits.items[i];
        char *next = mem_printf("%.*s%s%s", (int)e->at, text, e->text, text + e->at + e->len);
        mem_free(text);
        text = next;
    }
    return text;
}
