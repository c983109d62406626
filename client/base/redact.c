#include "client/base/redact.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "bytes/base64.h"
#include "bytes/hex.h"
#include "client/base/mem.h"

/* The forms in which a secret may stand in a text: its own characters, escapes of URLs and JSON, base64. */
enum reading { AS_IS, DECODED, BASE64 };

/* "%2F", "\u002f"; digits: how many, of which the last two count. Returns false where there are none. */
static bool read_hex(const char *at, size_t digits, char *out)
{
    uint32_t value;
    if (!hex_read(at, digits, &value) || value > UINT8_MAX)
        return false;
    *out = (char)value;
    return true;
}

/* "&amp;": returns its length, or 0. */
static size_t read_entity(const char *at, char *out)
{
    static const struct {
        const char *text;
        char c;
    } entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        const size_t len = strlen(entities[i].text);
        if (strncmp(at, entities[i].text, len) == 0) {
            *out = entities[i].c;
            return len;
        }
    }
    return 0;
}

/* The character at `at`, which is not the text's end; returns how many bytes it takes. */
static size_t read_char(const char *at, enum reading reading, char *out)
{
    enum { PERCENT = 3, UNICODE = 6 };
    size_t len;
    *out = *at;
    if (reading == AS_IS)
        return 1;
    if (*at == '%' && read_hex(at + 1, PERCENT - 1, out))
        len = PERCENT;
    else if (*at == '\\' && at[1] == 'u' && read_hex(at + 2, UNICODE - 2, out))
        len = UNICODE;
    else if (*at == '\\' && at[1] != '\0' && strchr("\"\\/", at[1]))
        *out = at[1], len = 2;
    else
        len = *at == '&' ? read_entity(at, out) : 0;
    if (len == 0)
        *out = *at, len = 1;
    if (reading == BASE64)
        *out = (char)(*out == '-' ? '+' : *out == '_' ? '/' : *out);
    return len;
}

/* Returns the number of bytes at text that are the secret, or a beginning of it that discloses some of it. */
static size_t piece_length(const char *text, enum reading reading, const char *secret)
{
    size_t len = 0, matched = 0;
    while (secret[matched] && text[len]) {
        char c;
        const size_t n = read_char(text + len, reading, &c);
        if (c != secret[matched])
            break;
        len += n;
        matched++;
    }
    return matched >= REDACT_PIECE_BYTES || !secret[matched] ? len : 0;
}

/* Returns how much of the text is done. */
static size_t put_mask(char *text, size_t len)
{
    static const char mask[] = "[redacted]";
    const size_t put = len < sizeof mask - 1 ? len : sizeof mask - 1;
    memcpy(text, mask, put);
    memmove(text + put, text + len, strlen(text + len) + 1);
    return put;
}

/* A secret may hold what looks like an encoding: the reading that finds more of it counts. */
static void redact(char *text, enum reading one, enum reading other, const char *secret)
{
    while (*text) {
        const size_t a = piece_length(text, one, secret), b = piece_length(text, other, secret);
        const size_t len = a > b ? a : b;
        text += len ? put_mask(text, len) : 1;
    }
}

/* Cuts out the base64 form of the secret, where it stands behind `before` other bytes: those characters that
 * depend on the secret alone. */
static void redact_coded(char *text, const char *secret, size_t before)
{
    static const size_t first[] = {0, 2, 3}; /* first character without a bit of the bytes before */
    enum { BITS = 6 };
    const size_t len = strlen(secret);
    char *bytes = mem_array(before + len + 1, 1);
    memcpy(bytes + before, secret, len + 1);
    char *coded = mem_zalloc(BASE64_LENGTH(before + len) + 1);
    base64_encode(bytes, before + len, coded);
    const size_t end = (before + len) * 8 / BITS;
    coded[end] = '\0';
    redact(text, BASE64, BASE64, coded + first[before]);
    mem_wipe(bytes, before + len);
    mem_wipe(coded, end);
    mem_free(bytes);
    mem_free(coded);
}

void redact_secret(char *text, const char *secret)
{
    enum { ALIGNMENTS = 3 };
    if (!secret || !*secret)
        return;
    redact(text, AS_IS, DECODED, secret);
    for (size_t before = 0; before < ALIGNMENTS && strlen(secret) >= REDACT_LEAST_CODED_BYTES; before++)
        redact_coded(text, secret, before);
}

/* ---- secrets that are found by the words around them ---- */

static size_t word_length(const char *at)
{
    return strcspn(at, " \t\r\n\"'`<>,;");
}

static bool is_word(const char *at, size_t len, const char *word)
{
    return strlen(word) == len && strncasecmp(at, word, len) == 0;
}

/* The beginning of its value: behind a colon or equals sign, quotes and spaces. */
static char *value_of(char *at)
{
    at += strspn(at, "\"'` \t\\");
    if (*at != ':' && *at != '=')
        return NULL;
    return at + 1 + strspn(at + 1, "\"'` \t\\[");
}

void redact_headers(char *text)
{
    static const char name[] = "authorization";
    for (char *at = text; (at = strcasestr(at, name));) {
        at += sizeof name - 1;
        char *value = value_of(at);
        if (!value)
            continue;
        const size_t len = word_length(value);
        if (is_word(value, len, "Basic") || is_word(value, len, "Bearer")) {
            value += len + strspn(value + len, " \t");
            at = value + put_mask(value, word_length(value));
        } else {
            /* other schemes have many words */
            at = value + put_mask(value, strcspn(value, "\r\n\"'`<>"));
        }
    }
}

void redact_urls(char *text)
{
    static const char mark[] = "://";
    for (char *at = text; (at = strstr(at, mark));) {
        char *scheme = at;
        at += sizeof mark - 1;
        while (scheme > text && isalnum((unsigned char)scheme[-1]))
            scheme--;
        /* one that is quoted ends there, whatever is in it */
        const char quote[] = {(char)(scheme > text ? scheme[-1] : '\0'), '\0'};
        const size_t len =
            *quote && strchr("'\"`", *quote) ? strcspn(at, quote) : strcspn(at, " \t\r\n\"'`<>");
        size_t user = len;
        while (user != 0 && at[user] != '@')
            user--;
        if (at[user] == '@')
            at += put_mask(at, user);
    }
}

static void redact_user(char *text, const char *user)
{
    const char *colon = strchr(user, ':');
    redact_secret(text, user);
    if (colon)
        redact_secret(text, colon + 1);
}

void redact_proxy(char *text, const char *proxy_url)
{
    const char *scheme_end = proxy_url ? strstr(proxy_url, "://") : NULL;
    const char *start = scheme_end ? scheme_end + 3 : proxy_url;
    const char *end = start ? strrchr(start, '@') : NULL;
    if (!end)
        return;
    char *user = mem_strndup(start, (size_t)(end - start)), *decoded = mem_strdup(user);
    size_t len = 0;
    for (const char *at = user; *at; len++)
        at += read_char(at, *at == '%' ? DECODED : AS_IS, &decoded[len]);
    decoded[len] = '\0';
    redact_user(text, user);
    redact_user(text, decoded); /* as curl sends it */
    mem_wipe(user, strlen(user));
    mem_wipe(decoded, len);
    mem_free(user);
    mem_free(decoded);
}
