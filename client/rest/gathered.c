#include "client/rest/gathered.h"

void gathered_init(struct gathered *g, size_t cap_bytes)
{
    *g = (struct gathered){.is_cut = false};
    buf_init(&g->text, cap_bytes);
}

void gathered_deinit(struct gathered *g)
{
    buf_deinit(&g->text);
}

static size_t head_bytes(const struct gathered *g)
{
    return g->text.cap_bytes < GATHERED_HEAD_BYTES ? g->text.cap_bytes : GATHERED_HEAD_BYTES;
}

/* Keeps the beginning alone, in a buffer of its size. */
static void cut(struct gathered *g)
{
    struct buf head;
    const size_t kept = g->text.len < head_bytes(g) ? g->text.len : head_bytes(g);
    buf_init(&head, g->text.cap_bytes);
    (void)buf_append(&head, g->text.data, kept);
    g->passed_over = g->text.len - kept;
    buf_deinit(&g->text);
    g->text = head;
    g->is_cut = true;
}

void gathered_add(struct gathered *g, const char *bytes, size_t len)
{
    if (!g->is_cut && len <= g->text.cap_bytes - g->text.len) {
        (void)buf_append(&g->text, bytes, len);
        return;
    }
    if (!g->is_cut)
        cut(g);
    const size_t room = head_bytes(g) - g->text.len;
    const size_t kept = len < room ? len : room;
    (void)buf_append(&g->text, bytes, kept);
    g->passed_over += len - kept;
}

void gathered_reset(struct gathered *g)
{
    const size_t cap_bytes = g->text.cap_bytes;
    if (g->text.room > GATHERED_KEPT_BYTES) {
        buf_deinit(&g->text);
        buf_init(&g->text, cap_bytes);
    }
    buf_reset(&g->text);
    g->is_cut = false;
    g->passed_over = 0;
}

bool gathered_is_too_long(const struct gathered *g, size_t len)
{
    return len > g->text.cap_bytes;
}
