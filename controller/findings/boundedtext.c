#include "controller/findings/boundedtext.h"

#include <stdbool.h>
#include <string.h>

#include "bytes/utf8.h"

/* "; and 1234567 more" */
enum { MORE_BYTES = 32 };

void boundedtext_init(struct boundedtext *list)
{
    *list = (struct boundedtext){0};
    buf_init(&list->text, BOUNDEDTEXT_BYTES);
}

static void put_printable(struct buf *b, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool is_control = (unsigned char)text[i] < 0x20 || text[i] == 0x7f;
        buf_append(b, is_control ? " " : &text[i], 1);
    }
}

void boundedtext_add(struct boundedtext *list, const char *item)
{
    size_t taken = list->text.len + list->reserved + MORE_BYTES;
    size_t room = taken < BOUNDEDTEXT_BYTES ? BOUNDEDTEXT_BYTES - taken : 0;
    size_t len = strlen(item);
    list->items++;
    if (list->left_out > 0 || (list->items > 1 && len + 2 > room)) {
        list->left_out++;
        return;
    }
    if (list->items > 1)
        buf_puts(&list->text, "; ");
    if (len <= room) {
        put_printable(&list->text, item, len);
    } else {
        put_printable(&list->text, item, utf8_cut(item, len, room - 3));
        buf_puts(&list->text, "...");
    }
}

void boundedtext_end(struct boundedtext *list)
{
    if (list->left_out > 0)
        buf_printf(&list->text, "; and %zu more", list->left_out);
}

const char *boundedtext_plural(size_t count)
{
    return count == 1 ? "" : "s";
}
