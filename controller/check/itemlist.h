/*
 * itemlist: a text of at most ITEMLIST_BYTES made of items: the first ones,
 * then how many more there are. Pure.
 *
 * Whoever owns it may put other text before the items; `reserved` is what is
 * kept free for what comes behind them.
 *
 *     struct itemlist list;
 *     itemlist_init(&list);
 *     itemlist_add(&list, "undefined field 'size'");
 *     itemlist_end(&list);
 *     text = buf_take(&list.text, NULL);
 */
#ifndef CONTROLLER_CHECK_ITEMLIST_H
#define CONTROLLER_CHECK_ITEMLIST_H

#include <stddef.h>

#include "client/base/buf.h"

enum { ITEMLIST_BYTES = 1024 };

struct itemlist {
    struct buf text; /* the owner's */
    size_t reserved;
    size_t items, left_out;
};

void itemlist_init(struct itemlist *list);
/* The first item is cut if need be; of the others those that do not fit are counted. Control characters
 * become spaces: texts of users would reach a terminal with them. */
void itemlist_add(struct itemlist *list, const char *item);
void itemlist_end(struct itemlist *list);

#endif
