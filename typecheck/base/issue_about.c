#include "typecheck/base/issue_about.h"

#include <string.h>

#include "typecheck/base/arena.h"

enum { TEXTS = 7 };

/* It may stand at any address. */
struct issue_packed {
    unsigned char lengths[TEXTS][2]; /* low byte first */
    char texts[];
};

static size_t length_of(const struct issue_packed *packed, size_t i)
{
    return packed->lengths[i][0] | (size_t)packed->lengths[i][1] << 8;
}

static void list_texts(struct issue_about *about, struct str *texts[TEXTS])
{
    texts[0] = &about->name;
    texts[1] = &about->given;
    texts[2] = &about->wanted;
    texts[3] = &about->why;
    texts[4] = &about->where;
    texts[5] = &about->suggestion;
    texts[6] = &about->near;
}

static size_t shortened(size_t len)
{
    return len < ISSUE_ABOUT_TEXT_MAX ? len : ISSUE_ABOUT_TEXT_MAX;
}

const struct issue_packed *issue_about_pack(struct arena *a, const struct issue_about *about)
{
    struct issue_about read = *about;
    struct str *texts[TEXTS];
    size_t bytes = 0;
    list_texts(&read, texts);
    for (size_t i = 0; i < TEXTS; i++)
        bytes += shortened(texts[i]->len);
    struct issue_packed *packed = arena_alloc(a, sizeof *packed + bytes);
    char *at = packed->texts;
    for (size_t i = 0; i < TEXTS; i++) {
        const size_t len = shortened(texts[i]->len);
        packed->lengths[i][0] = (unsigned char)(len & 0xFF);
        packed->lengths[i][1] = (unsigned char)(len >> 8);
        if (len != 0)
            memcpy(at, texts[i]->at, len);
        at += len;
    }
    return packed;
}

struct issue_about issue_about_read(const struct issue_packed *packed)
{
    struct issue_about about = ISSUE_ABOUT_NOTHING;
    struct str *texts[TEXTS];
    if (packed == NULL)
        return about;
    const char *at = packed->texts;
    list_texts(&about, texts);
    for (size_t i = 0; i < TEXTS; i++) {
        *texts[i] = (struct str){at, length_of(packed, i)};
        at += texts[i]->len;
    }
    return about;
}

size_t issue_about_bytes(const struct issue_packed *packed)
{
    size_t bytes = packed == NULL ? 0 : sizeof *packed;
    for (size_t i = 0; packed != NULL && i < TEXTS; i++)
        bytes += length_of(packed, i);
    return bytes;
}

const struct issue_packed *issue_about_copy(struct arena *a, const struct issue_packed *packed)
{
    const size_t bytes = issue_about_bytes(packed);
    return packed == NULL ? NULL : memcpy(arena_alloc(a, bytes), packed, bytes);
}

const struct issue_packed *issue_about_put(const struct issue_packed *packed, char **at)
{
    const size_t bytes = issue_about_bytes(packed);
    if (packed == NULL)
        return NULL;
    const struct issue_packed *copy = memcpy(*at, packed, bytes);
    *at += bytes;
    return copy;
}
