/*
 * jsoncut: leaves members out of JSON text while it arrives, wherever they stand. Pure.
 *
 * For answers of which a part that nobody reads may be of any length. White space between
 * values is left out, too. Text that is not JSON becomes text that is not JSON.
 *
 *     static const char *const unread[] = {"categories", NULL};
 *     jsoncut_init(&cut, unread);
 *     jsoncut_feed(&cut, chunk, len, &kept);
 */
#ifndef CLIENT_TEXT_JSONCUT_H
#define CLIENT_TEXT_JSONCUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/buf.h"
#include "client/text/jsonscan.h"

enum {
    JSONCUT_DEPTH = 512,    /* a value that is nested deeper is passed on as it is */
    JSONCUT_KEY_BYTES = 64, /* a member with a longer name is never left out */
};

enum jsoncut_state {
    JSONCUT_BETWEEN, /* between values, or in a number or word */
    JSONCUT_STRING,  /* in a string that is passed on */
    JSONCUT_KEY,     /* in a member's name, which is held back */
    JSONCUT_COLON,   /* behind the name of a member that is left out */
    JSONCUT_BEFORE,  /* before its value */
    JSONCUT_VALUE,   /* in its value */
};

struct jsoncut {
    const char *const *members; /* static; a NULL ends them */
    enum jsoncut_state state;
    struct jsonscan scan; /* VALUE */
    size_t depth;
    uint64_t is_object[JSONCUT_DEPTH / 64], has_member[JSONCUT_DEPTH / 64]; /* a bit for each level */
    bool is_key_next, is_escaped;
    char key[JSONCUT_KEY_BYTES]; /* KEY: with its first quotation mark */
    size_t key_len;
};

void jsoncut_init(struct jsoncut *cut, const char *const *members);

/* Appends what is kept of the bytes. Returns -1 if out is full: it is a beginning of the kept text then. */
int jsoncut_feed(struct jsoncut *cut, const char *bytes, size_t len, struct buf *out);

#endif
