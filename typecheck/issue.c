#include "typecheck/issue.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "typecheck/arena.h"
#include "typecheck/source.h"

/* For characters of more than one byte: full-width forms of '.' and '^'. */
#define WIDE_DOT   "\xEF\xBC\x8E"
#define WIDE_CARET "\xEF\xBC\xBE"

void issues_init(struct issues *is, struct arena *a)
{
    *is = (struct issues){.arena = a};
}

/* True if there is room for one more to be shown; it is counted either way. */
static bool reserve(struct issues *is)
{
    if (is->count++ >= ISSUES_SHOWN)
        return false;
    if (is->count > is->cap) {
        size_t cap = is->cap == 0 ? 4 : 2 * is->cap;
        is->list = arena_grow(is->arena, is->list, is->cap, cap, sizeof *is->list);
        is->cap = cap;
    }
    return true;
}

void issues_add_hinted(struct issues *is, uint32_t offset, struct str message, struct str hint)
{
    if (reserve(is))
        is->list[is->count - 1] = (struct issue){offset, message, hint};
}

void issues_add(struct issues *is, uint32_t offset, struct str message)
{
    issues_add_hinted(is, offset, message, STR(""));
}

void issues_join(struct issues *is, uint32_t offset, const struct str *parts, size_t count)
{
    if (reserve(is))
        is->list[is->count - 1] = (struct issue){offset, str_join(is->arena, parts, count), STR("")};
}

void issues_addf(struct issues *is, uint32_t offset, const char *format, ...)
{
    if (!reserve(is))
        return;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    size_t size = len < 0 ? 0 : (size_t)len;
    char *message = arena_alloc(is->arena, size + 1);
    vsnprintf(message, size + 1, format, again);
    va_end(again);
    va_end(args);
    is->list[is->count - 1] = (struct issue){offset, {message, size}, STR("")};
}

struct placed {
    const struct issue *issue;
    struct location at;
};

static bool is_before(struct location a, struct location b)
{
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

/* By place, ties in the order of discovery: insertion sort, at most ISSUES_SHOWN of them. */
static void sort(struct placed *list, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct placed moving = list[i];
        size_t to = i;
        for (; to > 0 && is_before(moving.at, list[to - 1].at); to--)
            list[to] = list[to - 1];
        list[to] = moving;
    }
}

/* The source line, and a caret below the column; a tab shows as one space. */
static void add_snippet(struct text *t, struct str line, int column)
{
    const char *at = line.at, *end = line.at + line.len, *tab;
    text_add(t, STR("\n | "));
    for (; (tab = memchr(at, '\t', (size_t)(end - at))) != NULL; at = tab + 1) {
        text_add(t, (struct str){at, (size_t)(tab - at)});
        text_add_char(t, ' ');
    }
    text_add(t, (struct str){at, (size_t)(end - at)});
    text_add(t, STR("\n | "));
    at = line.at;
    for (int i = 0; i < column && at < end; i++) {
        size_t len = source_code_point_len(at, end);
        if (len > 1)
            text_add(t, STR(WIDE_DOT));
        else
            text_add_char(t, '.');
        at += len;
    }
    bool is_wide = at < end && source_code_point_len(at, end) > 1;
    text_add(t, is_wide ? STR(WIDE_CARET) : STR("^"));
}

static void add_issue(struct text *t, const struct placed *p, const struct source *s)
{
    text_add(t, STR("ERROR: <input>:"));
    text_add_int(t, p->at.line);
    text_add_char(t, ':');
    text_add_int(t, p->at.column + 1);
    text_add(t, STR(": "));
    text_add(t, p->issue->message);
    struct str line = source_line(s, p->at.line);
    if (p->at.line >= 1 && s->text.len != 0 && line.len <= ISSUE_SNIPPET_MAX_BYTES)
        add_snippet(t, line, p->at.column);
}

struct str issues_render(const struct issues *is, const struct source *s)
{
    if (is->count == 0)
        return STR("");
    struct text t = {.arena = is->arena};
    size_t shown = is->count < ISSUES_SHOWN ? is->count : ISSUES_SHOWN;
    struct placed *list = ARENA_ARRAY(is->arena, shown, struct placed);
    for (size_t i = 0; i < shown; i++)
        list[i] = (struct placed){&is->list[i], source_location(s, is->list[i].offset)};
    sort(list, shown);
    for (size_t i = 0; i < shown; i++) {
        if (i != 0)
            text_add_char(&t, '\n');
        add_issue(&t, &list[i], s);
    }
    if (is->count > shown)
        text_addf(&t, "\n%zu more errors were truncated", is->count - shown);
    return text_str(&t);
}
