#include "client/text/textedits.h"

#include <stdint.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

enum { PIECE_BYTES = 1024, UNITS = 3 };

/* A piece never begins in the middle of a character or of CR LF, and is never empty. */
struct textedits_piece {
    char *bytes;
    size_t len;
    size_t breaks;       /* line ends */
    size_t units[UNITS]; /* the length in each unit, line ends included; by enum textlines_unit */
};

/* A place in the pieces: a byte of a piece, or, for the end of the text, piece == count. */
struct spot {
    size_t piece, at;
};

/* Bytes of the line end at the begin of a text; 0 if there is none. */
static size_t break_len(const char *bytes, size_t len)
{
    if (len == 0 || (bytes[0] != '\n' && bytes[0] != '\r'))
        return 0;
    return bytes[0] == '\r' && len > 1 && bytes[1] == '\n' ? 2 : 1;
}

/* Bytes of the next character; its units are added. */
static size_t next_char(const char *bytes, size_t len, size_t units[UNITS])
{
    uint32_t code;
    const size_t n = utf8_next(bytes, len, &code);
    units[TEXTLINES_UTF8] += n;
    units[TEXTLINES_UTF16] += code > 0xffff ? 2 : 1;
    units[TEXTLINES_UTF32]++;
    return n;
}

/* ---- pieces ---- */

static struct textedits_piece new_piece(const char *bytes, size_t len)
{
    struct textedits_piece p = {.bytes = mem_strndup(bytes, len), .len = len};
    for (size_t at = 0; at < len;) {
        const size_t end = break_len(bytes + at, len - at);
        p.breaks += end > 0;
        if (end > 1)
            at += next_char(bytes + at, len - at, p.units);
        at += next_char(bytes + at, len - at, p.units);
    }
    return p;
}

/* The end of the first piece of these bytes. No piece is smaller than another by more than half, so that
 * their number does not grow with the number of changes. */
static size_t end_of_piece(const char *bytes, size_t len)
{
    size_t at = 0;
    uint32_t code;
    if (len <= (size_t)2 * PIECE_BYTES)
        return len;
    while (at < PIECE_BYTES) {
        const size_t end = break_len(bytes + at, len - at);
        at += end > 0 ? end : utf8_next(bytes + at, len - at, &code);
    }
    return at;
}

/* Cuts the bytes into pieces. */
static struct textedits_piece *cut(const char *bytes, size_t len, size_t *count)
{
    struct textedits_piece *pieces = NULL;
    *count = 0;
    for (size_t at = 0, n; at < len; at += n) {
        n = end_of_piece(bytes + at, len - at);
        pieces = mem_grow(pieces, *count, sizeof *pieces);
        pieces[(*count)++] = new_piece(bytes + at, n);
    }
    return pieces;
}

void textedits_init(struct textedits *e, const char *bytes, size_t len, size_t cap)
{
    *e = (struct textedits){.len = len, .cap = cap};
    e->pieces = cut(bytes, len, &e->count);
}

static void free_pieces(struct textedits *e, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        mem_free(e->pieces[i].bytes);
}

void textedits_deinit(struct textedits *e)
{
    free_pieces(e, 0, e->count);
    mem_free(e->pieces);
    *e = (struct textedits){0};
}

bool textedits_set(struct textedits *e, const char *bytes, size_t len)
{
    const size_t cap = e->cap;
    if (len > cap)
        return false;
    textedits_deinit(e);
    textedits_init(e, bytes, len, cap);
    return true;
}

/* ---- places ---- */

/* Finds the beginning of a line; false if the text has fewer lines. */
static bool find_line(const struct textedits *e, size_t line, struct spot *out)
{
    size_t i = 0, at = 0;
    for (; i < e->count && line > e->pieces[i].breaks; i++)
        line -= e->pieces[i].breaks;
    if (i == e->count && line > 0)
        return false;
    while (line > 0) {
        const struct textedits_piece *p = &e->pieces[i];
        const size_t end = break_len(p->bytes + at, p->len - at);
        at += end > 0 ? end : 1;
        line -= end > 0;
    }
    *out = i < e->count && at == e->pieces[i].len ? (struct spot){i + 1, 0} : (struct spot){i, at};
    return true;
}

/* The spot that is this many units after the given one, but at most the end of its line. */
static struct spot advance(const struct textedits *e, struct spot spot, size_t column,
                           enum textlines_unit unit)
{
    while (spot.piece < e->count) {
        const struct textedits_piece *p = &e->pieces[spot.piece];
        if (spot.at == 0 && p->breaks == 0 && p->units[unit] <= column) {
            column -= p->units[unit];
        } else {
            while (spot.at < p->len) {
                size_t units[UNITS] = {0};
                const size_t n = next_char(p->bytes + spot.at, p->len - spot.at, units);
                if (units[unit] > column || break_len(p->bytes + spot.at, 1) > 0)
                    return spot;
                column -= units[unit];
                spot.at += n;
            }
        }
        spot = (struct spot){spot.piece + 1, 0};
    }
    return spot;
}

static struct spot find(const struct textedits *e, struct textlines_place place, enum textlines_unit unit)
{
    struct spot spot;
    return find_line(e, place.line, &spot) ? advance(e, spot, place.column, unit)
                                           : (struct spot){e->count, 0};
}

/* ---- changes ---- */

static size_t offset_of(const struct textedits *e, struct spot spot)
{
    size_t offset = spot.at;
    for (size_t i = 0; i < spot.piece; i++)
        offset += e->pieces[i].len;
    return offset;
}

/* Puts pieces in place of others. */
static void put(struct textedits *e, size_t from, size_t to, const struct textedits_piece *pieces,
                size_t count)
{
    const size_t behind = e->count - to;
    free_pieces(e, from, to);
    if (count > to - from)
        e->pieces = mem_realloc(e->pieces, e->count + count - (to - from), sizeof *e->pieces);
    if (behind > 0)
        memmove(e->pieces + from + count, e->pieces + to, behind * sizeof *e->pieces);
    if (count > 0)
        memcpy(e->pieces + from, pieces, count * sizeof *e->pieces);
    e->count = from + count + behind;
}

/* Cuts new pieces from what the change touches, and from the piece before it if it begins where that one
 * ends: its bytes may complete a character or a line end there. */
static void replace(struct textedits *e, struct spot from, struct spot to, const char *bytes, size_t len)
{
    const size_t first = from.at == 0 && from.piece > 0 ? from.piece - 1 : from.piece;
    const size_t behind = to.piece < e->count ? to.piece + 1 : e->count;
    size_t before = from.at, room = len, count;
    if (first < from.piece)
        before = e->pieces[first].len;
    for (size_t i = first; i < behind; i++)
        room += e->pieces[i].len;
    char *text = mem_array(room + 1, 1);
    if (before > 0)
        memcpy(text, e->pieces[first].bytes, before);
    if (len > 0)
        memcpy(text + before, bytes, len);
    size_t size = before + len;
    if (to.piece < e->count) {
        const size_t rest = e->pieces[to.piece].len - to.at;
        memcpy(text + size, e->pieces[to.piece].bytes + to.at, rest);
        size += rest;
    }
    struct textedits_piece *pieces = cut(text, size, &count);
    put(e, first, behind, pieces, count);
    mem_free(pieces);
    mem_free(text);
}

bool textedits_replace(struct textedits *e, struct textlines_place from, struct textlines_place to,
                       enum textlines_unit unit, const char *bytes, size_t len)
{
    struct spot first = find(e, from, unit), behind = find(e, to, unit);
    size_t start = offset_of(e, first), end = offset_of(e, behind);
    if (start > end) {
        const struct spot spot = first;
        first = behind;
        behind = spot;
        const size_t offset = start;
        start = end;
        end = offset;
    }
    if (len > e->cap || e->len - (end - start) > e->cap - len)
        return false;
    replace(e, first, behind, bytes, len);
    e->len = e->len - (end - start) + len;
    return true;
}

char *textedits_take(const struct textedits *e, size_t *len)
{
    char *text = mem_array(e->len + 1, 1);
    size_t at = 0;
    for (size_t i = 0; i < e->count; i++) {
        memcpy(text + at, e->pieces[i].bytes, e->pieces[i].len);
        at += e->pieces[i].len;
    }
    text[at] = '\0';
    *len = at;
    return text;
}
