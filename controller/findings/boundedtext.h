/*
 * boundedtext: a text of at most BOUNDEDTEXT_BYTES that lists items: the first
 * ones that fit, then how many more there are. Pure.
 *
 * The owner may put other text into `text` before the items. Before it adds items, it
 * sets `reserved` to the length of the text that it will put after them. It takes the
 * result with buf_take, or frees it with buf_deinit.
 *
 *     struct boundedtext list;
 *     boundedtext_init(&list);
 *     boundedtext_add(&list, "undefined field 'size'");
 *     boundedtext_end(&list);
 *     text = buf_take(&list.text, NULL);
 */
#ifndef CONTROLLER_FINDINGS_BOUNDEDTEXT_H
#define CONTROLLER_FINDINGS_BOUNDEDTEXT_H

#include <stddef.h>

#include "client/base/buf.h"

enum { BOUNDEDTEXT_BYTES = 1024 };

struct boundedtext {
    struct buf text; /* owned by the owner of the struct: see above */
    size_t reserved;
    size_t items, left_out;
};

void boundedtext_init(struct boundedtext *list);
/* The first item is cut if necessary; later items that do not fit are only counted. Control characters become
 * spaces, so that an item that a user wrote cannot control a terminal. */
void boundedtext_add(struct boundedtext *list, const char *item);
/* Adds how many items were left out, if any: "; and 3 more". */
void boundedtext_end(struct boundedtext *list);

/* "" for one, "s" for any other number. */
const char *boundedtext_plural(size_t count);

#endif
