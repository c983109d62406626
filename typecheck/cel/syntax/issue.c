#include "typecheck/cel/syntax/issue.h"

#include <stdarg.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/source.h"

/* The full-width forms of '.' and '^', which stand below characters of more than one byte. */
#define WIDE_DOT   "\xEF\xBC\x8E"
#define WIDE_CARET "\xEF\xBC\xBE"

/* Bytes of a line that one step of the budget pays for: each code point is looked at, and gets a dot. */
#define CARET_STEP_BYTES 8u

void issues_init(struct issues *is, struct arena *a)
{
    *is = (struct issues){.arena = a};
}

/* Counts one more issue. Returns true if there is room to show it. */
static bool reserve(struct issues *is)
{
    if (is->count++ >= ISSUES_SHOWN)
        return false;
    ARENA_ROOM(is->arena, is->list, is->count - 1, is->cap, 4);
    return true;
}

void issues_take(struct issues *is, const struct issue *issue)
{
    if (reserve(is))
        is->list[is->count - 1] = *issue;
}

void issues_add(struct issues *is, enum issue_code code, struct extent at, struct str message)
{
    issues_take(is, &(struct issue){at, code, .message = message});
}

void issues_join(struct issues *is, enum issue_code code, struct extent at, const struct str *parts,
                 size_t count)
{
    issues_add(is, code, at, issues_is_full(is) ? STR("") : str_join(is->arena, parts, count));
}

void issues_addf(struct issues *is, enum issue_code code, struct extent at, const char *format, ...)
{
    struct str message = STR("");
    va_list args;
    va_start(args, format);
    if (!issues_is_full(is))
        message = str_vformat(is->arena, format, args);
    va_end(args);
    issues_add(is, code, at, message);
}

void issues_blame_operand(struct issues *is)
{
    if (is->count <= ISSUES_SHOWN)
        is->list[is->count - 1].is_of_operand = true;
}

void issues_tell(struct issues *is, struct issue_about about)
{
    if (is->count > ISSUES_SHOWN)
        return;
    is->list[is->count - 1].about = issue_about_pack(is->arena, &about);
}

/* Places in their order: first issues without a place, then those before the first character; those past the
 * end come last. */
static uint64_t order_of(const struct issue *issue, const struct source *s)
{
    if (issue->at.offset == SOURCE_NOWHERE)
        return 0;
    if (issue->at.offset == SOURCE_BEFORE || s->text.len == 0)
        return 1;
    return 2 + (uint64_t)(issue->at.offset < s->text.len ? issue->at.offset : s->text.len);
}

const struct issue *issues_first(const struct issues *is, const struct source *s)
{
    size_t first = 0;
    for (size_t i = 1; i < issues_shown(is); i++) {
        if (order_of(&is->list[i], s) < order_of(&is->list[first], s))
            first = i;
    }
    return is->count == 0 ? NULL : &is->list[first];
}

/* Sorts by place, ties in the order of discovery: insertion sort, at most ISSUES_SHOWN of them. */
static void sort(const struct issue **list, size_t count, const struct source *s)
{
    for (size_t i = 1; i < count; i++) {
        const struct issue *moving = list[i];
        size_t to = i;
        for (; to > 0 && order_of(moving, s) < order_of(list[to - 1], s); to--)
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
    arena_pay(t->arena, (uint64_t)line.len / CARET_STEP_BYTES);
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

static void add_issue(struct text *t, const struct issue *issue, const struct source *s)
{
    arena_pay_bytes(t->arena, s->text.len); /* the column is counted */
    struct location at = source_location(s, issue->at.offset);
    text_add(t, STR("ERROR: <input>:"));
    text_add_int(t, at.line);
    text_add_char(t, ':');
    text_add_int(t, at.column + 1);
    text_add(t, STR(": "));
    text_add(t, issue->message);
    struct str line = source_line(s, at.line);
    if (at.line >= 1 && s->text.len != 0 && line.len <= ISSUE_SNIPPET_MAX_BYTES)
        add_snippet(t, line, at.column);
}

const struct issue **issues_sorted(const struct issues *is, const struct source *s, size_t *count)
{
    *count = issues_shown(is);
    const struct issue **list = ARENA_ARRAY(is->arena, *count, const struct issue *);
    for (size_t i = 0; i < *count; i++)
        list[i] = &is->list[i];
    sort(list, *count, s);
    return list;
}

struct str issues_render(const struct issues *is, const struct source *s)
{
    if (is->count == 0)
        return STR("");
    struct text t = {.arena = is->arena};
    size_t count;
    const struct issue **list = issues_sorted(is, s, &count);
    for (size_t i = 0; i < count; i++) {
        if (i != 0)
            text_add_char(&t, '\n');
        add_issue(&t, list[i], s);
    }
    if (is->count > count)
        text_addf(&t, "\n%zu more errors were truncated", is->count - count);
    return text_str(&t);
}
