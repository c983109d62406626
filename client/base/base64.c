#include "client/base/base64.h"

#include <limits.h>
#include <openssl/evp.h>
#include <string.h>

#include "client/base/mem.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
    size_t n;
    cleanup_mem char *stripped = strip_breaks(text, len, &n);
    size_t padding = 0;
    while (padding < 2 && padding < n && stripped[n - 1 - padding] == '=')
        padding++;
    /* OpenSSL passes over white space, and takes padding anywhere; a line is as long as an int counts. */
    const bool is_valid = n % 4 == 0 && n <= INT_MAX && strspn(stripped, digits) == n - padding;
    unsigned char *bytes = mem_zalloc(n / 4 * 3 + 1);
    if (is_valid)
        (void)EVP_DecodeBlock(bytes, (const unsigned char *)stripped, (int)n);
    mem_wipe(stripped, n);
    if (!is_valid) {
        mem_free(bytes);
        return err_set(err, ERR_INVALID, "malformed base64");
    }
    *out = (char *)bytes;
    *out_len = n / 4 * 3 - padding;
    bytes[*out_len] = '\0';
    return 0;
}

char *base64_encode(const char *bytes, size_t len)
{
    char *out = mem_zalloc((len + 2) / 3 * 4 + 1);
    (void)EVP_EncodeBlock((unsigned char *)out, (const unsigned char *)bytes, (int)len);
    return out;
}
