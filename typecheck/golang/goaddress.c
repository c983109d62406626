#include "typecheck/golang/goaddress.h"

#include <string.h>

#include "bytes/hex.h"
#include "typecheck/base/arena.h"
#include "typecheck/golang/gonumber.h"
#include "typecheck/golang/goquote.h"

/* The reason why a text is not an address; `why` is NULL if it is one. */
struct refusal {
    const char *why;
    struct str at; /* the rest of the text there; empty: not said */
};

static struct refusal refuse(const char *why, struct str at)
{
    return (struct refusal){why, at};
}

static const struct refusal ACCEPTED = {NULL, {NULL, 0}};

/* ---- reading ---- */

static struct refusal read_ipv4(struct str s, uint8_t *out)
{
    const struct str nowhere = STR("");
    size_t field = 0, digits = 0;
    int value = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (str_is_digit(s.at[i])) {
            if (digits == 1 && value == 0)
                return refuse("IPv4 field has octet with leading zero", nowhere);
            value = value * 10 + (s.at[i] - '0');
            digits++;
            if (value > UINT8_MAX)
                return refuse("IPv4 field has value >255", nowhere);
            continue;
        }
        if (s.at[i] != '.')
            return refuse("unexpected character", str_skip(s, i));
        if (i == 0 || i == s.len - 1 || s.at[i - 1] == '.')
            return refuse("IPv4 field must have at least one digit", str_skip(s, i));
        if (field == GOADDRESS_IPV4_BYTES - 1)
            return refuse("IPv4 address too long", nowhere);
        out[field++] = (uint8_t)value;
        value = 0;
        digits = 0;
    }
    out[field] = (uint8_t)value;
    return field < GOADDRESS_IPV4_BYTES - 1 ? refuse("IPv4 address too short", nowhere) : ACCEPTED;
}

enum { GROUP_DIGITS = 4, GROUP_BYTES = 2 };

/* The hexadecimal digits that begin `s`. */
static struct refusal read_group(struct str s, size_t *digits, unsigned *value)
{
    *value = 0;
    for (*digits = 0; *digits < s.len && hex_digit(s.at[*digits]) >= 0; ++*digits) {
        *value = *value << 4 | (unsigned)hex_digit(s.at[*digits]);
        if (*digits == GROUP_DIGITS)
            return refuse("each group must have 4 or less digits", s);
    }
    return *digits == 0 ? refuse("each colon-separated field must have at least one digit", s) : ACCEPTED;
}

/* The last four bytes as an IPv4 address. */
static struct refusal read_embedded(struct str s, size_t at, bool has_gap, uint8_t *out)
{
    if (!has_gap && at != GOADDRESS_IPV6_BYTES - GOADDRESS_IPV4_BYTES)
        return refuse("embedded IPv4 address must replace the final 2 fields of the address", s);
    if (at + GOADDRESS_IPV4_BYTES > GOADDRESS_IPV6_BYTES)
        return refuse("too many hex fields to fit an embedded IPv4 at the end of the address", s);
    return read_ipv4(s, out + at);
}

/* Moves past the colon after a group. Sets *gap at "::". */
static struct refusal read_colon(struct str *s, size_t at, size_t *gap)
{
    if (s->at[0] != ':')
        return refuse("unexpected character, want colon", *s);
    if (s->len == 1)
        return refuse("colon must be followed by more characters", *s);
    *s = str_skip(*s, 1);
    if (s->at[0] != ':')
        return ACCEPTED;
    if (*gap != SIZE_MAX)
        return refuse("multiple :: in address", *s);
    *gap = at;
    *s = str_skip(*s, 1);
    return ACCEPTED;
}

/* The bytes from the gap to `at` move to the end. */
static void open_gap(uint8_t *out, size_t gap, size_t at)
{
    size_t moved = at - gap;
    memmove(out + GOADDRESS_IPV6_BYTES - moved, out + gap, moved);
    memset(out + gap, 0, GOADDRESS_IPV6_BYTES - at);
}

/* Reads an IPv6 address without a zone. */
static struct refusal read_ipv6(struct str s, uint8_t *out)
{
    size_t at = 0, gap = SIZE_MAX, digits;
    unsigned value;
    if (s.len >= 2 && s.at[0] == ':' && s.at[1] == ':') {
        gap = 0;
        s = str_skip(s, 2);
    }
    bool ends = s.len == 0 && gap == 0;
    while (!ends && at < GOADDRESS_IPV6_BYTES) {
        struct refusal refusal = read_group(s, &digits, &value);
        if (refusal.why == NULL && digits < s.len && s.at[digits] == '.') {
            refusal = read_embedded(s, at, gap != SIZE_MAX, out);
            at += GOADDRESS_IPV4_BYTES;
            s.len = 0;
        } else if (refusal.why == NULL) {
            out[at++] = (uint8_t)(value >> 8);
            out[at++] = (uint8_t)value;
            s = str_skip(s, digits);
            if (s.len != 0)
                refusal = read_colon(&s, at, &gap);
        }
        if (refusal.why != NULL)
            return refusal;
        ends = s.len == 0;
    }
    if (s.len != 0)
        return refuse("trailing garbage after address", s);
    if (at < GOADDRESS_IPV6_BYTES && gap == SIZE_MAX)
        return refuse("address string too short", STR(""));
    if (at == GOADDRESS_IPV6_BYTES && gap != SIZE_MAX)
        return refuse("the :: must expand to at least one field of zeros", STR(""));
    if (at < GOADDRESS_IPV6_BYTES)
        open_gap(out, gap, at);
    return ACCEPTED;
}

/* *has_zone: it is one but for the zone after "%". */
static struct refusal read_address(struct str s, struct goaddress *out, bool *has_zone)
{
    size_t i = 0;
    *out = (struct goaddress){.len = GOADDRESS_IPV6_BYTES};
    *has_zone = false;
    while (i < s.len && s.at[i] != '.' && s.at[i] != ':' && s.at[i] != '%')
        i++;
    if (i == s.len)
        return refuse("unable to parse IP", STR(""));
    if (s.at[i] == '%')
        return refuse("missing IPv6 address", STR(""));
    if (s.at[i] == '.') {
        out->len = GOADDRESS_IPV4_BYTES;
        return read_ipv4(s, out->bytes);
    }
    const char *percent = memchr(s.at, '%', s.len);
    if (percent == NULL)
        return read_ipv6(s, out->bytes);
    size_t len = (size_t)(percent - s.at);
    *has_zone = true;
    if (len + 1 == s.len)
        return refuse("zone must be a non-empty string", STR(""));
    return read_ipv6((struct str){s.at, len}, out->bytes);
}

/* ---- messages ---- */

/* "ParseAddr("x"): unable to parse IP" */
static void add_refusal(struct text *t, struct str raw, struct refusal refusal)
{
    text_add(t, STR("ParseAddr("));
    goquote_add(t, raw);
    text_add(t, STR("): "));
    text_add(t, str_of(refusal.why));
    if (refusal.at.len != 0) {
        text_add(t, STR(" (at "));
        goquote_add(t, refusal.at);
        text_add_char(t, ')');
    }
}

bool goaddress_parse(struct text *why, struct str raw, struct goaddress *out, bool *has_zone)
{
    struct refusal refusal = read_address(raw, out, has_zone);
    if (refusal.why != NULL)
        add_refusal(why, raw, refusal);
    return refusal.why == NULL;
}

/* Writes what is wrong with the bits after the slash, and returns true; if nothing is wrong, sets *bits and
 * returns false. */
static bool refuse_bits(struct text *t, struct str s, int64_t most, uint8_t *bits)
{
    int64_t value = 0;
    bool is_odd = s.len > 1 && (s.at[0] < '1' || s.at[0] > '9');
    if (is_odd || !gonumber_read_int(s, &value)) {
        text_add(t, STR("bad bits after slash: "));
        goquote_add(t, s);
        return true;
    }
    if (value < 0 || value > most) {
        text_add(t, STR("prefix length out of range"));
        return true;
    }
    *bits = (uint8_t)value;
    return false;
}

bool goaddress_parse_prefix(struct text *why, struct str raw, struct goaddress *out)
{
    bool has_zone;
    size_t slash = raw.len;
    while (slash > 0 && raw.at[slash - 1] != '/')
        slash--;
    text_add(why, STR("netip.ParsePrefix("));
    goquote_add(why, raw);
    text_add(why, STR("): "));
    if (slash == 0) {
        text_add(why, STR("no '/'"));
        return false;
    }
    struct str address = {raw.at, slash - 1};
    if (!goaddress_parse(why, address, out, &has_zone))
        return false;
    if (has_zone) {
        text_add(why, STR("IPv6 zones cannot be present in a prefix"));
        return false;
    }
    return !refuse_bits(why, str_skip(raw, slash), (int64_t)out->len * 8, &out->bits);
}

/* ---- writing ---- */

bool goaddress_are_equal(const struct goaddress *one, const struct goaddress *two)
{
    return one->len == two->len && one->bits == two->bits && memcmp(one->bytes, two->bytes, one->len) == 0;
}

unsigned goaddress_group(const struct goaddress *x, size_t i)
{
    return (unsigned)x->bytes[GROUP_BYTES * i] << 8 | x->bytes[GROUP_BYTES * i + 1];
}

enum { GROUPS = 8 };

/* Appends a group in hexadecimal digits. */
static void add_group(struct text *t, unsigned group)
{
    unsigned shift = 4 * (GROUP_DIGITS - 1);
    while (shift > 0 && group >> shift == 0)
        shift -= 4;
    for (; shift > 0; shift -= 4)
        text_add_char(t, "0123456789abcdef"[group >> shift & 0xF]);
    text_add_char(t, "0123456789abcdef"[group & 0xF]);
}

/* The longest run of zeros, if it has two groups, is "::". */
static void write_ipv6(struct text *t, const struct goaddress *x)
{
    size_t start = GROUPS, end = GROUPS;
    for (size_t i = 0; i < GROUPS; i++) {
        size_t j = i;
        while (j < GROUPS && goaddress_group(x, j) == 0)
            j++;
        if (j - i >= 2 && j - i > end - start) {
            start = i;
            end = j;
        }
    }
    for (size_t i = 0; i < GROUPS; i++) {
        if (i == start) {
            text_add(t, STR("::"));
            i = end;
            if (i >= GROUPS)
                break;
        } else if (i > 0) {
            text_add_char(t, ':');
        }
        add_group(t, goaddress_group(x, i));
    }
}

void goaddress_add(struct text *t, const struct goaddress *x)
{
    if (x->len != GOADDRESS_IPV4_BYTES) {
        write_ipv6(t, x);
        return;
    }
    for (size_t i = 0; i < GOADDRESS_IPV4_BYTES; i++) {
        if (i > 0)
            text_add_char(t, '.');
        text_add_int(t, x->bytes[i]);
    }
}
