#include "cmd/kubectl-vapcheck/check/fixes.h"

#include <string.h>

#include "client/base/mem.h"

struct placing {
    struct fixes *fixes;
    const struct fixes_wanted *wanted;
};

static void free_edits(struct yaml_edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        yaml_edit_deinit(&edits[i]);
    mem_free(edits);
}

/* The edits are taken. */
static void put(struct fixes *f, const char *field, struct yaml_edit *take_edits, size_t count,
                bool has_words)
{
    f->list = mem_realloc(f->list, f->count + 1, sizeof *f->list);
    f->edits = mem_realloc(f->edits, f->count + 1, sizeof(struct yaml_edit *));
    f->edits[f->count] = take_edits;
    f->list[f->count++] = (struct output_fix){field, take_edits, count, has_words};
}

/* Returns true if the byte is one after the first byte of a character. */
static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Returns how many bytes both texts have in common at their end, if `most` may be common. */
static size_t common_end(const char *a, size_t a_len, const char *b, size_t b_len, size_t most)
{
    size_t n = 0;
    while (n < most && a[a_len - 1 - n] == b[b_len - 1 - n])
        n++;
    while (n > 0 && is_continuation(a[a_len - n]))
        n--;
    return n;
}

void fixes_add_text(struct fixes *f, const struct output_place *place, const char *field, const char *old,
                    const char *text)
{
    const struct yaml_node *node = output_find_node(place, field);
    const size_t old_len = strlen(old), len = strlen(text), shorter = old_len < len ? old_len : len;
    size_t start = 0;
    while (start < shorter && old[start] == text[start])
        start++;
    while (start > 0 && is_continuation(old[start]))
        start--;
    const size_t end = common_end(old, old_len, text, len, shorter - start);
    cleanup_mem char *between = mem_strndup(text + start, len - end - start);
    struct yaml_edit *edit = mem_array(1, sizeof *edit);
    if (node != NULL && yaml_edit_init(edit, node, start, old_len - end, between))
        put(f, field, edit, 1, true);
    else
        mem_free(edit);
}

/* Copies the edits of the first rounds. Returns how many they are; 0: a later round changed the same
 * bytes. */
static size_t take_edits(const struct hint *hint, size_t n_rounds, struct hints_edit *out)
{
    size_t n = 0;
    for (size_t i = 0; i < hint->edits.count; i++) {
        const struct hints_edit *edit = &hint->edits.list[i];
        if (edit->round < n_rounds && edit->last >= n_rounds)
            return 0;
        if (edit->round < n_rounds)
            out[n++] = *edit;
    }
    return n;
}

/* All edits of a correction, or none: they were proved together. */
static void add(void *user, const char *field, void *value)
{
    const struct placing *p = user;
    const struct hint *hint = value;
    const struct fixes_wanted *wanted = p->wanted;
    const struct yaml_node *node = output_find_node(wanted->place, field);
    if (!hint->is_fix || node == NULL ||
        (wanted->is_left_alone != NULL && wanted->is_left_alone(wanted->user, field)))
        return;
    struct hints_edit *taken = mem_array(hint->edits.count + 1, sizeof *taken);
    const size_t count = take_edits(hint, wanted->is_unsafe ? hint->n_rounds : hint->n_sure, taken);
    struct yaml_edit *edits = mem_array(count + 1, sizeof *edits);
    size_t n = 0;
    while (n < count && yaml_edit_init(&edits[n], node, taken[n].start, taken[n].end, taken[n].text))
        n++;
    mem_free(taken);
    if (count > 0 && n == count)
        put(p->fixes, field, edits, count, hint->has_words);
    else
        free_edits(edits, n);
}

void fixes_init(struct fixes *fixes, const struct hints *hints, const struct fixes_wanted *wanted)
{
    *fixes = (struct fixes){.count = 0};
    keymap_each(&hints->list, add, &(struct placing){fixes, wanted});
}

void fixes_deinit(struct fixes *f)
{
    for (size_t i = 0; i < f->count; i++)
        free_edits(f->edits[i], f->list[i].n_edits);
    mem_free(f->list);
    mem_free(f->edits);
}
