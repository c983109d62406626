#include "client/base/base64.h"

#include <stdint.h>
#include <string.h>

#include "client/base/mem.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

/* The place of the padding in the alphabet: no digit. */
enum { PADDING = 64 };

static int value_of(char c)
{
    const char *at = c ? strchr(alphabet, c) : NULL;
    return at && *at != '=' ? (int)(at - alphabet) : -1;
}

/* The text without its line breaks. */
static char *strip_breaks(const char *text, size_t len, size_t *stripped_len)
{
    char *stripped = mem_zalloc(len + 1);
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '\n' && text[i] != '\r')
            stripped[n++] = text[i];
    }
    *stripped_len = n;
    return stripped;
}

int base64_decode(const char *text, size_t len, char **out, size_t *out_len, struct err *err)
{
    size_t digits;
    cleanup_mem char *stripped = strip_breaks(text, len, &digits);
    size_t padding = 0;
    while (padding < 2 && padding < digits && stripped[digits - 1 - padding] == '=')
        padding++;
    unsigned char *bytes = mem_zalloc(digits / 4 * 3 + 1);
    uint32_t group = 0;
    bool is_valid = digits % 4 == 0;
    for (size_t i = 0; i < digits && is_valid; i++) {
        const int value = i < digits - padding ? value_of(stripped[i]) : 0;
        is_valid = value >= 0;
        group = group << 6 | ((uint32_t)value & 0x3f);
        if (i % 4 == 3) {
            bytes[i / 4 * 3] = (unsigned char)(group >> 16 & 0xff);
            bytes[i / 4 * 3 + 1] = (unsigned char)(group >> 8 & 0xff);
            bytes[i / 4 * 3 + 2] = (unsigned char)(group & 0xff);
        }
    }
    mem_wipe(stripped, digits);
    if (!is_valid) {
        mem_free(bytes);
        return err_set(err, ERR_INVALID, "malformed base64");
    }
    *out = (char *)bytes;
    *out_len = digits / 4 * 3 - padding;
    bytes[*out_len] = '\0';
    return 0;
}

char *base64_encode(const char *bytes, size_t len)
{
    char *out = mem_zalloc((len + 2) / 3 * 4 + 1);
    char *to = out;
    for (size_t i = 0; i < len; i += 3) {
        uint32_t group = (uint32_t)(unsigned char)bytes[i] << 16;
        group |= i + 1 < len ? (uint32_t)(unsigned char)bytes[i + 1] << 8 : 0;
        group |= i + 2 < len ? (uint32_t)(unsigned char)bytes[i + 2] : 0;
        *to++ = alphabet[group >> 18 & 63];
        *to++ = alphabet[group >> 12 & 63];
        *to++ = alphabet[i + 1 < len ? group >> 6 & 63 : PADDING];
        *to++ = alphabet[i + 2 < len ? group & 63 : PADDING];
    }
    return out;
}
