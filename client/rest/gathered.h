/*
 * gathered: a text whose pieces arrive one after the other, up to a cap. If a text
 * is longer, only its beginning is kept, which says what it is. Pure.
 *
 *     gathered_init(&g, API_FRAME_CAP_BYTES);
 *     gathered_add(&g, piece, len); ... g.text.data, g.text.len, g.is_cut
 *     gathered_reset(&g);
 */
#ifndef CLIENT_REST_GATHERED_H
#define CLIENT_REST_GATHERED_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"

enum {
    GATHERED_HEAD_BYTES = 64 * 1024,  /* the part that is kept of a text longer than the cap */
    GATHERED_KEPT_BYTES = 256 * 1024, /* memory that is kept from one text to the next */
};

struct gathered {
    struct buf text;
    bool is_cut;        /* only its beginning is kept */
    size_t passed_over; /* bytes of it that are not kept */
};

void gathered_init(struct gathered *g, size_t cap_bytes);
void gathered_deinit(struct gathered *g);
void gathered_add(struct gathered *g, const char *bytes, size_t len);
/* Makes g ready for the next text. */
void gathered_reset(struct gathered *g);

/* Returns true if a text of which nothing has arrived before is longer than the cap. */
bool gathered_is_too_long(const struct gathered *g, size_t len);

#endif
