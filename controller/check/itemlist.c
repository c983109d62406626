#include "controller/check/itemlist.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/utf8.h"

/* "; and 1234567 more" */
enum { MORE_BYTES = 32 };

void itemlist_init(struct itemlist *list)
{
    *list = (struct itemlist){0};
    buf_init(&list->text, ITEMLIST_BYTES);
}

static void put_printable(struct buf *b, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool is_control = (unsigned char)text[i] < 0x20 || text[i] == 0x7f;
        buf_append(b, is_control ? " " : &text[i], 1);
    }
}

void itemlist_add(struct itemlist *list, const char *item)
{
    size_t taken = list->text.len + list->reserved + MORE_BYTES;
    size_t room = taken < ITEMLIST_BYTES ? ITEMLIST_BYTES - taken : 0;
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

void itemlist_end(struct itemlist *list)
{
    if (list->left_out > 0)
        buf_printf(&list->text, "; and %zu more", list->left_out);
}
