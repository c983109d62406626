#include "typecheck/run/addresses.h"

#include <inttypes.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/gonumber.h"
#include "typecheck/run/goquote.h"

/* Why a text is no address; NULL: it is one. */
struct refusal {
    const char *why;
    struct str at; /* what is left there; empty: not said */
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
        if (field == ADDRESS_IPV4_BYTES - 1)
            return refuse("IPv4 address too long", nowhere);
        out[field++] = (uint8_t)value;
        value = 0;
        digits = 0;
    }
    out[field] = (uint8_t)value;
    return field < ADDRESS_IPV4_BYTES - 1 ? refuse("IPv4 address too short", nowhere) : ACCEPTED;
}

enum { GROUP_DIGITS = 4, GROUP_BYTES = 2 };

/* The hexadecimal digits that begin `s`. */
static struct refusal read_group(struct str s, size_t *digits, unsigned *value)
{
    *value = 0;
    for (*digits = 0; *digits < s.len && str_hex_digit(s.at[*digits]) >= 0; ++*digits) {
        *value = *value << 4 | (unsigned)str_hex_digit(s.at[*digits]);
        if (*digits == GROUP_DIGITS)
            return refuse("each group must have 4 or less digits", s);
    }
    return *digits == 0 ? refuse("each colon-separated field must have at least one digit", s) : ACCEPTED;
}

/* The last four bytes as an IPv4 address. */
static struct refusal read_embedded(struct str s, size_t at, bool has_gap, uint8_t *out)
{
    if (!has_gap && at != ADDRESS_IPV6_BYTES - ADDRESS_IPV4_BYTES)
        return refuse("embedded IPv4 address must replace the final 2 fields of the address", s);
    if (at + ADDRESS_IPV4_BYTES > ADDRESS_IPV6_BYTES)
        return refuse("too many hex fields to fit an embedded IPv4 at the end of the address", s);
    return read_ipv4(s, out + at);
}

/* Past the colon behind a group; *gap is set at "::". */
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
    memmove(out + ADDRESS_IPV6_BYTES - moved, out + gap, moved);
    memset(out + gap, 0, ADDRESS_IPV6_BYTES - at);
}

/* Without a zone. */
static struct refusal read_ipv6(struct str s, uint8_t *out)
{
    size_t at = 0, gap = SIZE_MAX, digits;
    unsigned value;
    if (s.len >= 2 && s.at[0] == ':' && s.at[1] == ':') {
        gap = 0;
        s = str_skip(s, 2);
    }
    bool ends = s.len == 0 && gap == 0;
    while (!ends && at < ADDRESS_IPV6_BYTES) {
        struct refusal refusal = read_group(s, &digits, &value);
        if (refusal.why == NULL && digits < s.len && s.at[digits] == '.') {
            refusal = read_embedded(s, at, gap != SIZE_MAX, out);
            at += ADDRESS_IPV4_BYTES;
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
    if (at < ADDRESS_IPV6_BYTES && gap == SIZE_MAX)
        return refuse("address string too short", STR(""));
    if (at == ADDRESS_IPV6_BYTES && gap != SIZE_MAX)
        return refuse("the :: must expand to at least one field of zeros", STR(""));
    if (at < ADDRESS_IPV6_BYTES)
        open_gap(out, gap, at);
    return ACCEPTED;
}

/* *has_zone: it is one but for the zone behind "%". */
static struct refusal read_address(struct str s, struct address *out, bool *has_zone)
{
    size_t i = 0;
    *out = (struct address){.len = ADDRESS_IPV6_BYTES};
    *has_zone = false;
    while (i < s.len && s.at[i] != '.' && s.at[i] != ':' && s.at[i] != '%')
        i++;
    if (i == s.len)
        return refuse("unable to parse IP", STR(""));
    if (s.at[i] == '%')
        return refuse("missing IPv6 address", STR(""));
    if (s.at[i] == '.') {
        out->len = ADDRESS_IPV4_BYTES;
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
    text_addf(t, "): %s", refusal.why);
    if (refusal.at.len != 0) {
        text_add(t, STR(" (at "));
        goquote_add(t, refusal.at);
        text_add_char(t, ')');
    }
}

bool addresses_read(struct text *why, struct str raw, bool *is_ipv4)
{
    struct address x;
    bool has_zone;
    struct refusal refusal = read_address(raw, &x, &has_zone);
    *is_ipv4 = x.len == ADDRESS_IPV4_BYTES;
    if (refusal.why != NULL)
        add_refusal(why, raw, refusal);
    return refusal.why == NULL;
}

static bool is_mapped(const struct address *x)
{
    static const uint8_t prefix[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    return x->len == ADDRESS_IPV6_BYTES && memcmp(x->bytes, prefix, sizeof prefix) == 0;
}

static const struct value *new_value(struct arena *a, enum value_kind kind, const struct address *x)
{
    struct address *address = ARENA_NEW(a, struct address);
    struct value *v = ARENA_NEW(a, struct value);
    *address = *x;
    v->kind = kind;
    v->address = address;
    return v;
}

static const struct value *parse_ip(struct arena *a, struct str raw)
{
    struct address x;
    bool has_zone;
    struct text t = {.arena = a};
    arena_pay_bytes(a, raw.len);
    struct refusal refusal = read_address(raw, &x, &has_zone);
    if (refusal.why == NULL && !has_zone && !is_mapped(&x))
        return new_value(a, VALUE_IP, &x);
    text_add(&t, refusal.why != NULL ? STR("IP Address ")
                 : has_zone          ? STR("IP address ")
                                     : STR("IPv4-mapped IPv6 address "));
    goquote_add(&t, raw);
    if (refusal.why != NULL) {
        text_add(&t, STR(" parse error during conversion from string: "));
        add_refusal(&t, raw, refusal);
    } else {
        text_add(&t, has_zone ? STR(" with zone value is not allowed") : STR(" is not allowed"));
    }
    return value_error(a, text_str(&t));
}

/* What is wrong with the bits behind the slash; false: nothing, and *bits is set. */
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

/* netip.ParsePrefix; false, and *t says why. */
static bool read_prefix(struct text *t, struct str raw, struct address *out)
{
    bool has_zone;
    size_t slash = raw.len;
    while (slash > 0 && raw.at[slash - 1] != '/')
        slash--;
    text_add(t, STR("netip.ParsePrefix("));
    goquote_add(t, raw);
    text_add(t, STR("): "));
    if (slash == 0) {
        text_add(t, STR("no '/'"));
        return false;
    }
    struct str address = {raw.at, slash - 1};
    struct refusal refusal = read_address(address, out, &has_zone);
    if (refusal.why != NULL) {
        add_refusal(t, address, refusal);
        return false;
    }
    if (has_zone) {
        text_add(t, STR("IPv6 zones cannot be present in a prefix"));
        return false;
    }
    return !refuse_bits(t, str_skip(raw, slash), (int64_t)out->len * 8, &out->bits);
}

static const struct value *parse_cidr(struct arena *a, struct str raw)
{
    static const struct str prefix = STR_INIT("network address parse error during conversion from string: ");
    struct address x;
    struct text why = {.arena = a}, t = {.arena = a};
    arena_pay_bytes(a, raw.len);
    bool is_prefix = read_prefix(&why, raw, &x);
    if (is_prefix && !is_mapped(&x))
        return new_value(a, VALUE_CIDR, &x);
    text_add(&t, prefix);
    if (!is_prefix) {
        text_add(&t, prefix);
        text_add(&t, text_str(&why));
        return value_error(a, text_str(&t));
    }
    text_add(&t, STR("IPv4-mapped IPv6 address "));
    goquote_add(&t, raw);
    text_add(&t, STR(" is not allowed"));
    return value_error(a, text_str(&t));
}

/* ---- writing ---- */

static unsigned group(const struct address *x, size_t i)
{
    return (unsigned)x->bytes[GROUP_BYTES * i] << 8 | x->bytes[GROUP_BYTES * i + 1];
}

enum { GROUPS = 8 };

/* The longest run of zeros, if it has two groups, is "::". */
static void write_ipv6(struct text *t, const struct address *x)
{
    size_t start = GROUPS, end = GROUPS;
    for (size_t i = 0; i < GROUPS; i++) {
        size_t j = i;
        while (j < GROUPS && group(x, j) == 0)
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
        text_addf(t, "%x", group(x, i));
    }
}

struct str addresses_text(struct arena *a, const struct value *v)
{
    const struct address *x = v->address;
    struct text t = {.arena = a};
    if (x->len == ADDRESS_IPV4_BYTES)
        text_addf(&t, "%u.%u.%u.%u", x->bytes[0], x->bytes[1], x->bytes[2], x->bytes[3]);
    else
        write_ipv6(&t, x);
    if (v->kind == VALUE_CIDR)
        text_addf(&t, "/%u", x->bits);
    return text_str(&t);
}

bool addresses_are_equal(const struct value *one, const struct value *two)
{
    const struct address *x = one->address, *y = two->address;
    return x->len == y->len && x->bits == y->bits && memcmp(x->bytes, y->bytes, x->len) == 0;
}

uint64_t addresses_size(const struct value *v)
{
    return v->kind == VALUE_IP ? v->address->len : (v->address->bits + 7u) / 8;
}

/* ---- functions ---- */

const struct value *addresses_ip(const struct invocation *c)
{
    return parse_ip(c->arena, c->args[0]->text);
}

const struct value *addresses_cidr(const struct invocation *c)
{
    return parse_cidr(c->arena, c->args[0]->text);
}

const struct value *addresses_is_ip(const struct invocation *c)
{
    return value_bool(!value_is_error(parse_ip(c->arena, c->args[0]->text)));
}

const struct value *addresses_is_cidr(const struct invocation *c)
{
    return value_bool(!value_is_error(parse_cidr(c->arena, c->args[0]->text)));
}

const struct value *addresses_is_canonical(const struct invocation *c)
{
    const struct value *v = parse_ip(c->arena, c->args[0]->text);
    return value_is_error(v) ? v : value_bool(str_eq(addresses_text(c->arena, v), c->args[0]->text));
}

const struct value *addresses_string(const struct invocation *c)
{
    return value_string(c->arena, addresses_text(c->arena, c->args[0]));
}

const struct value *addresses_family(const struct invocation *c)
{
    return value_int(c->arena, c->args[0]->address->len == ADDRESS_IPV4_BYTES ? 4 : 6);
}

/* All bytes are `byte`, but the last, which is `last`. */
static bool is_all(const struct address *x, uint8_t byte, uint8_t last)
{
    size_t i = 0;
    while (i + 1 < x->len && x->bytes[i] == byte)
        i++;
    return i + 1 == x->len && x->bytes[i] == last;
}

static bool is_loopback(const struct address *x)
{
    return x->len == ADDRESS_IPV4_BYTES ? x->bytes[0] == 127 : is_all(x, 0, 1);
}

static bool is_link_local(const struct address *x)
{
    if (x->len == ADDRESS_IPV4_BYTES)
        return x->bytes[0] == 169 && x->bytes[1] == 254;
    return (group(x, 0) & 0xFFC0) == 0xFE80;
}

static bool is_multicast(const struct address *x)
{
    return x->len == ADDRESS_IPV4_BYTES ? (x->bytes[0] & 0xF0) == 0xE0 : x->bytes[0] == 0xFF;
}

static bool is_link_local_multicast(const struct address *x)
{
    if (x->len == ADDRESS_IPV4_BYTES)
        return x->bytes[0] == 224 && x->bytes[1] == 0 && x->bytes[2] == 0;
    return (group(x, 0) & 0xFF0F) == 0xFF02;
}

static bool is_global(const struct address *x)
{
    bool is_broadcast = x->len == ADDRESS_IPV4_BYTES && is_all(x, UINT8_MAX, UINT8_MAX);
    return !is_all(x, 0, 0) && !is_broadcast && !is_loopback(x) && !is_multicast(x) && !is_link_local(x);
}

const struct value *addresses_ask(const struct invocation *c)
{
    const struct address *x = c->args[0]->address;
    if (str_eq(c->function, STR("isUnspecified")))
        return value_bool(is_all(x, 0, 0));
    if (str_eq(c->function, STR("isLoopback")))
        return value_bool(is_loopback(x));
    if (str_eq(c->function, STR("isLinkLocalMulticast")))
        return value_bool(is_link_local_multicast(x));
    if (str_eq(c->function, STR("isLinkLocalUnicast")))
        return value_bool(is_link_local(x));
    return value_bool(is_global(x));
}

/* Whether the first bits are the same. */
static bool share_bits(const struct address *x, const struct address *y, unsigned bits)
{
    unsigned whole = bits / 8, rest = bits % 8;
    if (x->len != y->len || memcmp(x->bytes, y->bytes, whole) != 0)
        return false;
    return rest == 0 || (x->bytes[whole] ^ y->bytes[whole]) >> (8 - rest) == 0;
}

const struct value *addresses_contains_ip(const struct invocation *c)
{
    const struct value *other = c->args[1];
    if (other->kind == VALUE_STRING)
        other = parse_ip(c->arena, other->text);
    if (value_is_error(other))
        /* the API server looks at the range, and not at the error */
        return value_no_overload(c->arena);
    return value_bool(share_bits(c->args[0]->address, other->address, c->args[0]->address->bits));
}

const struct value *addresses_contains_cidr(const struct invocation *c)
{
    const struct address *x = c->args[0]->address;
    const struct value *other = c->args[1];
    if (other->kind == VALUE_STRING)
        other = parse_cidr(c->arena, other->text);
    if (value_is_error(other))
        return other;
    return value_bool(x->bits <= other->address->bits && share_bits(x, other->address, x->bits));
}

const struct value *addresses_ip_of_cidr(const struct invocation *c)
{
    struct address x = *c->args[0]->address;
    x.bits = 0;
    return new_value(c->arena, VALUE_IP, &x);
}

const struct value *addresses_masked(const struct invocation *c)
{
    struct address x = *c->args[0]->address;
    for (unsigned i = 0; i < x.len; i++) {
        unsigned kept = x.bits <= 8 * i ? 0 : x.bits - 8 * i;
        if (kept < 8)
            x.bytes[i] &= (uint8_t)(0xFF00u >> kept);
    }
    return new_value(c->arena, VALUE_CIDR, &x);
}

const struct value *addresses_prefix_length(const struct invocation *c)
{
    return value_int(c->arena, c->args[0]->address->bits);
}
