#include "controller/hints/hints_edits.h"

#include <string.h>

#include "client/base/mem.h"

/* Bytes of the changed text, and of the first text, up to the same place. */
struct progress {
    size_t changed, first;
};

static struct progress before(const struct hints_edits *e, size_t index)
{
    struct progress p = {0, 0};
    for (size_t i = 0; i < index; i++) {
        p.changed += e->list[i].start - p.first + e->list[i].len;
        p.first = e->list[i].end;
    }
    return p;
}

size_t hints_edits_place(const struct hints_edits *e, size_t index)
{
    const struct progress p = before(e, index);
    return p.changed + e->list[index].start - p.first;
}

static char *replace(const char *text, size_t len, size_t start, size_t end, struct str with, size_t *made)
{
    *made = len - (end - start) + with.len;
    char *out = mem_zalloc(*made + 1);
    memcpy(out, text, start);
    if (with.len > 0)
        memcpy(out + start, with.at, with.len);
    memcpy(out + start + with.len, text + end, len - end);
    return out;
}

/* Joins what the edit touches with it. [from, to): the edits that it touches. */
static struct hints_edit join(struct hints_edits *e, size_t from, size_t to, const struct repair_edit *edit,
                              size_t round)
{
    struct progress p = before(e, from);
    const size_t latest = round;
    size_t start = edit->start, end = edit->end, first = p.first + (edit->start - p.changed);
    if (from < to) {
        const size_t place = hints_edits_place(e, from), last = hints_edits_place(e, to - 1);
        if (place < start) {
            start = place;
            first = e->list[from].start;
        }
        if (last + e->list[to - 1].len > end)
            end = last + e->list[to - 1].len;
        round = e->list[from].round;
    }
    p = before(e, to);
    struct hints_edit made = {
        .start = first, .end = p.first + (end - p.changed), .round = round, .last = latest};
    const size_t front = edit->start - start, behind = end - edit->end;
    made.len = front + edit->text.len + behind;
    made.text = mem_zalloc(made.len + 1);
    memcpy(made.text, e->text + start, front);
    if (edit->text.len > 0)
        memcpy(made.text + front, edit->text.at, edit->text.len);
    memcpy(made.text + front + edit->text.len, e->text + edit->end, behind);
    return made;
}

static void apply_one(struct hints_edits *e, const struct repair_edit *edit, size_t round)
{
    size_t from = 0, to;
    struct progress p = {0, 0};
    for (; from < e->count; from++) {
        const struct hints_edit *at = &e->list[from];
        const size_t end = p.changed + at->start - p.first + at->len;
        if (end > edit->start)
            break;
        p = (struct progress){end, at->end};
    }
    for (to = from; to < e->count; to++) {
        const struct hints_edit *at = &e->list[to];
        const size_t place = p.changed + at->start - p.first;
        if (place >= edit->end)
            break;
        p = (struct progress){place + at->len, at->end};
    }
    const struct hints_edit made = join(e, from, to, edit, round);
    for (size_t i = from; i < to; i++)
        mem_free(e->list[i].text);
    e->list = mem_realloc(e->list, e->count + 1, sizeof *e->list);
    memmove(&e->list[from + 1], &e->list[to], (e->count - to) * sizeof *e->list);
    e->list[from] = made;
    e->count += 1 - (to - from);
    size_t len;
    char *text = replace(e->text, e->len, edit->start, edit->end, edit->text, &len);
    mem_free(e->text);
    e->text = text;
    e->len = len;
}

void hints_edits_apply(struct hints_edits *e, const struct repair_edit *edits, size_t count, size_t round)
{
    char *before = e->text; /* which texts of the edits can be parts of */
    e->text = mem_strndup(before, e->len);
    for (size_t i = count; i-- > 0;) /* from the end: the places of the others stay as they are */
        apply_one(e, &edits[i], round);
    mem_free(before);
}

void hints_edits_deinit(struct hints_edits *e)
{
    for (size_t i = 0; i < e->count; i++)
        mem_free(e->list[i].text);
    mem_free(e->list);
    mem_free(e->text);
    *e = (struct hints_edits){0};
}
