#include "client/text/jsoncut.h"

#include <string.h>

void jsoncut_init(struct jsoncut *cut, const char *const *members)
{
    *cut = (struct jsoncut){.members = members};
}

/* ---- levels ---- */

static bool has_bit(const uint64_t *bits, size_t depth)
{
    return depth > 0 && depth <= JSONCUT_DEPTH && (bits[(depth - 1) / 64] >> ((depth - 1) % 64) & 1) != 0;
}

static void set_bit(uint64_t *bits, size_t depth, bool is_set)
{
    const uint64_t bit = UINT64_C(1) << ((depth - 1) % 64);
    if (depth > 0 && depth <= JSONCUT_DEPTH)
        bits[(depth - 1) / 64] = is_set ? bits[(depth - 1) / 64] | bit : bits[(depth - 1) / 64] & ~bit;
}

static void open_level(struct jsoncut *cut, bool is_object)
{
    cut->depth++;
    set_bit(cut->is_object, cut->depth, is_object);
    set_bit(cut->has_member, cut->depth, false);
    cut->is_key_next = has_bit(cut->is_object, cut->depth);
}

static void close_level(struct jsoncut *cut)
{
    cut->depth -= cut->depth > 0;
    cut->is_key_next = false;
}

/* ---- names ---- */

/* The name is not one of them: it is passed on, after a comma where there is a member before it. */
static void pass_key(struct jsoncut *cut, struct buf *out)
{
    if (has_bit(cut->has_member, cut->depth))
        (void)buf_putc(out, ',');
    set_bit(cut->has_member, cut->depth, true);
    (void)buf_append(out, cut->key, cut->key_len);
}

static bool is_left_out(const struct jsoncut *cut)
{
    for (const char *const *m = cut->members; *m != NULL; m++) {
        const size_t len = strlen(*m);
        if (cut->key_len == len + 2 && memcmp(cut->key + 1, *m, len) == 0)
            return true;
    }
    return false;
}

static void step_key(struct jsoncut *cut, char c, struct buf *out)
{
    cut->key[cut->key_len++] = c;
    const bool is_end = c == '"' && !cut->is_escaped;
    cut->is_escaped = c == '\\' && !cut->is_escaped;
    if (is_end && is_left_out(cut)) {
        cut->state = JSONCUT_COLON;
    } else if (is_end || cut->key_len == JSONCUT_KEY_BYTES) {
        pass_key(cut, out);
        cut->state = is_end ? JSONCUT_BETWEEN : JSONCUT_STRING;
    }
}

/* ---- between values ---- */

static void step_between(struct jsoncut *cut, char c, struct buf *out)
{
    if (jsonscan_is_space(c))
        return;
    if (c == '"') {
        cut->state = cut->is_key_next ? JSONCUT_KEY : JSONCUT_STRING;
        cut->key[0] = c;
        cut->key_len = 1;
        cut->is_escaped = false;
        if (cut->is_key_next) {
            cut->is_key_next = false;
            return;
        }
    }
    if (c == ',' && has_bit(cut->is_object, cut->depth)) {
        cut->is_key_next = true; /* the comma comes with the next member that is kept */
        return;
    }
    if (c == '{' || c == '[')
        open_level(cut, c == '{');
    else if (c == '}' || c == ']')
        close_level(cut);
    (void)buf_putc(out, c);
}

/* The rest of the string, as far as it is there. Returns how many bytes that were. */
static size_t pass_string(struct jsoncut *cut, const char *bytes, size_t len, struct buf *out)
{
    size_t n = 0;
    for (bool is_end = false; n < len && !is_end; n++) {
        is_end = bytes[n] == '"' && !cut->is_escaped;
        cut->is_escaped = bytes[n] == '\\' && !cut->is_escaped;
        if (is_end)
            cut->state = JSONCUT_BETWEEN;
    }
    (void)buf_append(out, bytes, n);
    return n;
}

/* Takes a byte while a member is left out. Returns false if the byte does not belong to this member. */
static bool step_left_out(struct jsoncut *cut, char c)
{
    if (cut->state == JSONCUT_COLON) {
        if (c == ':')
            cut->state = JSONCUT_BEFORE;
        return true;
    }
    if (cut->state == JSONCUT_BEFORE) {
        if (jsonscan_is_space(c))
            return true;
        jsonscan_start(&cut->scan);
        cut->state = JSONCUT_VALUE;
    }
    const enum jsonscan_where where = jsonscan_step(&cut->scan, c);
    if (where != JSONSCAN_INSIDE)
        cut->state = JSONCUT_BETWEEN;
    return where != JSONSCAN_AFTER;
}

int jsoncut_feed(struct jsoncut *cut, const char *bytes, size_t len, struct buf *out)
{
    for (size_t i = 0; i < len && !out->is_full;) {
        switch (cut->state) {
        case JSONCUT_BETWEEN:
            step_between(cut, bytes[i++], out);
            break;
        case JSONCUT_STRING:
            i += pass_string(cut, bytes + i, len - i, out);
            break;
        case JSONCUT_KEY:
            step_key(cut, bytes[i++], out);
            break;
        case JSONCUT_COLON:
        case JSONCUT_BEFORE:
        case JSONCUT_VALUE:
            i += step_left_out(cut, bytes[i]);
            break;
        }
    }
    return out->is_full ? -1 : 0;
}
