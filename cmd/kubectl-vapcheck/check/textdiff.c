#include "cmd/kubectl-vapcheck/check/textdiff.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"

enum {
    AROUND = 3,       /* equal lines before and behind a difference */
    AHEAD_MAX = 2000, /* lines in which the texts must agree again; else the rest is one difference */
};

struct lines {
    const char **starts; /* and the end of the text */
    size_t count;
};

/* Lines of both texts that are no longer equal. */
struct change {
    size_t old_start, old_end, new_start, new_end;
};

static struct lines split(struct file_bytes text)
{
    struct lines l = {.starts = NULL};
    for (const char *at = text.at; at < text.at + text.len;) {
        const char *end = memchr(at, '\n', (size_t)(text.at + text.len - at));
        l.starts = mem_grow(l.starts, l.count, sizeof *l.starts);
        l.starts[l.count++] = at;
        at = end == NULL ? text.at + text.len : end + 1;
    }
    l.starts = mem_realloc(l.starts, l.count + 1, sizeof *l.starts);
    l.starts[l.count] = text.at + text.len;
    return l;
}

static bool is_equal(const struct lines *a, size_t i, const struct lines *b, size_t k)
{
    if (i >= a->count || k >= b->count)
        return i >= a->count && k >= b->count;
    const size_t len = (size_t)(a->starts[i + 1] - a->starts[i]);
    return len == (size_t)(b->starts[k + 1] - b->starts[k]) && memcmp(a->starts[i], b->starts[k], len) == 0;
}

/* Finds the change that begins at the first line that differs; returns false if no line differs. */
static bool find_change(const struct lines *old, const struct lines *now, size_t i, size_t k,
                        struct change *found)
{
    while (i < old->count && k < now->count && is_equal(old, i, now, k)) {
        i++;
        k++;
    }
    if (i == old->count && k == now->count)
        return false;
    for (size_t sum = 1; sum < AHEAD_MAX; sum++) {
        for (size_t left = 0; left <= sum; left++) {
            const size_t right = sum - left;
            if (i + left <= old->count && k + right <= now->count &&
                is_equal(old, i + left, now, k + right)) {
                *found = (struct change){i, i + left, k, k + right};
                return true;
            }
        }
    }
    *found = (struct change){i, old->count, k, now->count};
    return true;
}

static void print_line_of(char sign, const struct lines *l, size_t i)
{
    size_t len = (size_t)(l->starts[i + 1] - l->starts[i]);
    const bool is_ended = len > 0 && l->starts[i][len - 1] == '\n';
    len -= is_ended;
    const bool has_return = len > 0 && l->starts[i][len - 1] == '\r';
    len -= has_return;
    cleanup_mem char *line = mem_strndup(l->starts[i], len);
    print_part(stdout, "%c%s", sign, line);
    print_raw(stdout, "%s", has_return ? "\r\n" : "\n");
    if (!is_ended)
        print_line(stdout, "\\ No newline at end of file");
}

/* The changes from first to before end, with the lines around them. */
static void print_part_of(const struct lines *old, const struct lines *now, const struct change *list,
                          size_t first, size_t end)
{
    const size_t front = list[first].old_start < AROUND ? list[first].old_start : AROUND;
    const size_t left = old->count - list[end - 1].old_end, behind = left < AROUND ? left : AROUND;
    size_t at = list[first].old_start - front;
    const size_t old_lines = list[end - 1].old_end + behind - at;
    const size_t new_at = list[first].new_start - front, new_lines = list[end - 1].new_end + behind - new_at;
    print_line(stdout, "@@ -%zu,%zu +%zu,%zu @@", old_lines == 0 ? at : at + 1, old_lines,
               new_lines == 0 ? new_at : new_at + 1, new_lines);
    for (size_t i = first; i < end; i++) {
        for (; at < list[i].old_start; at++)
            print_line_of(' ', old, at);
        for (; at < list[i].old_end; at++)
            print_line_of('-', old, at);
        for (size_t k = list[i].new_start; k < list[i].new_end; k++)
            print_line_of('+', now, k);
    }
    for (size_t i = 0; i < behind; i++)
        print_line_of(' ', old, at + i);
}

void textdiff_print(const char *file, struct file_bytes old_text, struct file_bytes new_text)
{
    struct lines old = split(old_text), now = split(new_text);
    struct change *list = NULL, one;
    size_t count = 0, i = 0, k = 0;
    while (find_change(&old, &now, i, k, &one)) {
        list = mem_grow(list, count, sizeof *list);
        list[count++] = one;
        i = one.old_end;
        k = one.new_end;
    }
    print_line(stdout, "--- a/%s", file + strspn(file, "/"));
    print_line(stdout, "+++ b/%s", file + strspn(file, "/"));
    for (size_t first = 0, end = 0; first < count; first = end) {
        end = first + 1;
        while (end < count && list[end].old_start - list[end - 1].old_end <= (size_t)2 * AROUND)
            end++;
        print_part_of(&old, &now, list, first, end);
    }
    mem_free(list);
    mem_free(old.starts);
    mem_free(now.starts);
}
