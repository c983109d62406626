#include "typecheck/cel/interpreter/values/addresses.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/golang/goquote.h"

static bool is_mapped(const struct goaddress *x)
{
    static const uint8_t prefix[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    return x->len == GOADDRESS_IPV6_BYTES && memcmp(x->bytes, prefix, sizeof prefix) == 0;
}

static const struct value *new_value(struct arena *a, enum value_kind kind, const struct goaddress *x)
{
    struct goaddress *address = ARENA_NEW(a, struct goaddress);
    struct value *v = ARENA_NEW(a, struct value);
    *address = *x;
    v->kind = kind;
    v->address = address;
    return v;
}

static const struct value *parse_ip(struct arena *a, struct str raw)
{
    struct goaddress x;
    bool has_zone;
    struct text why = {.arena = a}, t = {.arena = a};
    arena_pay_bytes(a, raw.len);
    const bool is_address = goaddress_parse(&why, raw, &x, &has_zone);
    if (is_address && !has_zone && !is_mapped(&x))
        return new_value(a, VALUE_IP, &x);
    text_add(&t, !is_address ? STR("IP Address ")
                 : has_zone  ? STR("IP address ")
                             : STR("IPv4-mapped IPv6 address "));
    goquote_add(&t, raw);
    if (!is_address) {
        text_add(&t, STR(" parse error during conversion from string: "));
        text_add(&t, text_str(&why));
    } else {
        text_add(&t, has_zone ? STR(" with zone value is not allowed") : STR(" is not allowed"));
    }
    return value_error(a, text_str(&t));
}

static const struct value *parse_cidr(struct arena *a, struct str raw)
{
    static const struct str prefix = STR_INIT("network address parse error during conversion from string: ");
    struct goaddress x;
    struct text why = {.arena = a}, t = {.arena = a};
    arena_pay_bytes(a, raw.len);
    bool is_prefix = goaddress_parse_prefix(&why, raw, &x);
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

struct str addresses_text(struct arena *a, const struct value *v)
{
    const struct goaddress *x = v->address;
    struct text t = {.arena = a};
    goaddress_add(&t, x);
    if (v->kind == VALUE_CIDR) {
        text_add_char(&t, '/');
        text_add_int(&t, x->bits);
    }
    return text_str(&t);
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
    return value_int(c->arena, c->args[0]->address->len == GOADDRESS_IPV4_BYTES ? 4 : 6);
}

/* All bytes are `byte`, but the last, which is `last`. */
static bool is_all(const struct goaddress *x, uint8_t byte, uint8_t last)
{
    size_t i = 0;
    while (i + 1 < x->len && x->bytes[i] == byte)
        i++;
    return i + 1 == x->len && x->bytes[i] == last;
}

static bool is_loopback(const struct goaddress *x)
{
    return x->len == GOADDRESS_IPV4_BYTES ? x->bytes[0] == 127 : is_all(x, 0, 1);
}

static bool is_link_local(const struct goaddress *x)
{
    if (x->len == GOADDRESS_IPV4_BYTES)
        return x->bytes[0] == 169 && x->bytes[1] == 254;
    return (goaddress_group(x, 0) & 0xFFC0) == 0xFE80;
}

static bool is_multicast(const struct goaddress *x)
{
    return x->len == GOADDRESS_IPV4_BYTES ? (x->bytes[0] & 0xF0) == 0xE0 : x->bytes[0] == 0xFF;
}

static bool is_link_local_multicast(const struct goaddress *x)
{
    if (x->len == GOADDRESS_IPV4_BYTES)
        return x->bytes[0] == 224 && x->bytes[1] == 0 && x->bytes[2] == 0;
    return (goaddress_group(x, 0) & 0xFF0F) == 0xFF02;
}

static bool is_global(const struct goaddress *x)
{
    bool is_broadcast = x->len == GOADDRESS_IPV4_BYTES && is_all(x, UINT8_MAX, UINT8_MAX);
    return !is_all(x, 0, 0) && !is_broadcast && !is_loopback(x) && !is_multicast(x) && !is_link_local(x);
}

const struct value *addresses_ask(const struct invocation *c)
{
    const struct goaddress *x = c->args[0]->address;
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

/* Returns true if the first bits are the same. */
static bool share_bits(const struct goaddress *x, const struct goaddress *y, unsigned bits)
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

/* The host's bits become 0. */
static struct goaddress mask(struct goaddress x)
{
    for (unsigned i = 0; i < x.len; i++) {
        unsigned kept = x.bits <= 8 * i ? 0 : x.bits - 8 * i;
        if (kept < 8)
            x.bytes[i] &= (uint8_t)(0xFF00u >> kept);
    }
    return x;
}

/* Returns the CEL value true if the argument is a range (or one address) no larger than x whose address
 * begins with this many bits of x's address. */
static const struct value *contains(const struct invocation *c, const struct goaddress *x, unsigned bits)
{
    const struct value *other = c->args[1];
    if (other->kind == VALUE_STRING)
        other = parse_cidr(c->arena, other->text);
    if (value_is_error(other))
        return other;
    return value_bool(x->bits <= other->address->bits && share_bits(x, other->address, bits));
}

const struct value *addresses_contains_cidr(const struct invocation *c)
{
    const struct goaddress *x = c->args[0]->address;
    return contains(c, x, x->bits);
}

const struct value *addresses_contains_cidr_at_start(const struct invocation *c)
{
    const struct goaddress x = mask(*c->args[0]->address);
    return contains(c, &x, 8u * x.len);
}

const struct value *addresses_ip_of_cidr(const struct invocation *c)
{
    struct goaddress x = *c->args[0]->address;
    x.bits = 0;
    return new_value(c->arena, VALUE_IP, &x);
}

const struct value *addresses_is_mask(const struct invocation *c)
{
    const struct goaddress *x = c->args[0]->address, masked = mask(*x);
    return value_bool(memcmp(masked.bytes, x->bytes, x->len) == 0);
}

const struct value *addresses_masked(const struct invocation *c)
{
    const struct goaddress x = mask(*c->args[0]->address);
    return new_value(c->arena, VALUE_CIDR, &x);
}

const struct value *addresses_prefix_length(const struct invocation *c)
{
    return value_int(c->arena, c->args[0]->address->bits);
}
