#include "typecheck/eval/constant_parse.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static size_t count_digits(struct str s)
{
    size_t n = 0;
    while (n < s.len && str_is_digit(s.at[n]))
        n++;
    return n;
}

/* ---- numbers: strconv.ParseInt, ParseUint, ParseBool ---- */

static bool may_be_uint(struct str s)
{
    return s.len != 0 && count_digits(s) == s.len;
}

static bool may_be_int(struct str s)
{
    return may_be_uint(s.len != 0 && is_one_of(s.at[0], "+-") ? str_skip(s, 1) : s);
}

static bool may_be_bool(struct str s)
{
    static const struct str words[] = {
        STR_INIT("1"), STR_INIT("t"), STR_INIT("T"), STR_INIT("true"),  STR_INIT("TRUE"),  STR_INIT("True"),
        STR_INIT("0"), STR_INIT("f"), STR_INIT("F"), STR_INIT("false"), STR_INIT("FALSE"), STR_INIT("False")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_eq(words[i], s))
            return true;
    }
    return false;
}

/* ---- quantities: resource.ParseQuantity ---- */

static bool is_quantity_suffix(struct str s)
{
    static const struct str suffixes[] = {STR_INIT("n"),  STR_INIT("u"),  STR_INIT("m"),  STR_INIT(""),
                                          STR_INIT("k"),  STR_INIT("M"),  STR_INIT("G"),  STR_INIT("T"),
                                          STR_INIT("P"),  STR_INIT("E"),  STR_INIT("Ki"), STR_INIT("Mi"),
                                          STR_INIT("Gi"), STR_INIT("Ti"), STR_INIT("Pi"), STR_INIT("Ei")};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (str_eq(suffixes[i], s))
            return true;
    }
    return s.len > 1 && is_one_of(s.at[0], "eE") && may_be_int(str_skip(s, 1));
}

static bool may_be_quantity(struct str s)
{
    if (s.len == 0)
        return false;
    if (is_one_of(s.at[0], "+-"))
        s = str_skip(s, 1);
    s = str_skip(s, count_digits(s));
    if (s.len != 0 && s.at[0] == '.')
        s = str_skip(s, 1 + count_digits(str_skip(s, 1)));
    return is_quantity_suffix(s);
}

/* ---- addresses: netip.ParseAddr, netip.ParsePrefix ---- */

enum { IPV4_PARTS = 4, IPV4_DIGITS = 3, IPV4_PART_MAX = 255, IPV6_PARTS = 8, IPV6_DIGITS = 4 };

static bool is_ipv4_part(struct str s)
{
    int value = 0;
    if (s.len == 0 || s.len > IPV4_DIGITS || count_digits(s) != s.len || (s.len > 1 && s.at[0] == '0'))
        return false;
    for (size_t i = 0; i < s.len; i++)
        value = value * 10 + (s.at[i] - '0');
    return value <= IPV4_PART_MAX;
}

static bool is_ipv4(struct str s)
{
    for (size_t i = 0; i < IPV4_PARTS; i++) {
        size_t n = 0;
        while (n < s.len && s.at[n] != '.')
            n++;
        if (!is_ipv4_part((struct str){s.at, n}) || (n < s.len) != (i + 1 < IPV4_PARTS))
            return false;
        s = str_skip(s, n + (n < s.len));
    }
    return true;
}

static size_t count_hex(struct str s)
{
    size_t n = 0;
    while (n < s.len && (str_is_digit(s.at[n]) || is_one_of(s.at[n], "abcdefABCDEF")))
        n++;
    return n;
}

/* Without a zone, which is refused. */
static bool is_ipv6(struct str s)
{
    size_t parts = 0;
    bool has_gap = false, may_end = false; /* behind "::" nothing has to follow */
    if (s.len >= 2 && s.at[0] == ':' && s.at[1] == ':') {
        has_gap = may_end = true;
        s = str_skip(s, 2);
    }
    while (s.len != 0 && parts < IPV6_PARTS) {
        size_t n = count_hex(s);
        if (n < s.len && s.at[n] == '.') /* the last two parts as an IPv4 address */
            return is_ipv4(s) && (has_gap ? parts + 2 < IPV6_PARTS : parts + 2 == IPV6_PARTS);
        if (n == 0 || n > IPV6_DIGITS)
            return false;
        parts++;
        s = str_skip(s, n);
        may_end = true;
        if (s.len == 0)
            break;
        if (s.at[0] != ':' || s.len == 1)
            return false;
        s = str_skip(s, 1);
        may_end = false;
        if (s.at[0] == ':') {
            if (has_gap)
                return false;
            has_gap = may_end = true;
            s = str_skip(s, 1);
        }
    }
    return s.len == 0 && may_end && (has_gap ? parts < IPV6_PARTS : parts == IPV6_PARTS);
}

static bool may_be_ip(struct str s)
{
    return memchr(s.at, ':', s.len) != NULL ? is_ipv6(s) : is_ipv4(s);
}

static bool may_be_cidr(struct str s)
{
    size_t slash = s.len;
    while (slash > 0 && s.at[slash - 1] != '/')
        slash--;
    if (slash == 0)
        return false;
    struct str address = {s.at, slash - 1}, bits = str_skip(s, slash);
    int most = memchr(address.at, ':', address.len) != NULL ? 128 : 32, value = 0;
    if (bits.len == 0 || bits.len > IPV4_DIGITS || count_digits(bits) != bits.len ||
        (bits.len > 1 && bits.at[0] == '0'))
        return false;
    for (size_t i = 0; i < bits.len; i++)
        value = value * 10 + (bits.at[i] - '0');
    return value <= most && may_be_ip(address);
}

/* ---- URLs: url.ParseRequestURI ---- */

/* With a scheme, or from the root: what follows is looked at in different ways by releases of Go. */
static bool may_be_url(struct str s)
{
    size_t n = 0;
    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if ((unsigned char)s.at[i] < ' ' || s.at[i] == '\x7f')
            return false;
    }
    if (s.at[0] == '/' || str_eq(s, STR("*")))
        return true;
    while (n < s.len &&
           (is_letter(s.at[n]) || (n > 0 && (str_is_digit(s.at[n]) || is_one_of(s.at[n], "+-.")))))
        n++;
    return n > 0 && n < s.len && s.at[n] == ':';
}

/* ---- versions: blang/semver ---- */

/* The digits of a part, up to what ends it. */
static bool take_number(struct str *s)
{
    size_t n = count_digits(*s);
    if (n == 0 || (n > 1 && s->at[0] == '0'))
        return false;
    *s = str_skip(*s, n);
    return true;
}

static bool may_be_semver(struct str s)
{
    for (size_t i = 0; i < 3; i++) {
        if (!take_number(&s))
            return false;
        if (i == 2)
            return s.len == 0 || is_one_of(s.at[0], "-+");
        if (s.len == 0 || s.at[0] != '.')
            return false;
        s = str_skip(s, 1);
    }
    return true;
}

/* ---- the functions ---- */

static const struct {
    struct str function;
    size_t count;
    bool is_receiver;
    struct constant_parse parse;
} functions[] = {
    {STR_INIT("bool"), 1, false, {0, STR_INIT("bool"), may_be_bool}},
    {STR_INIT("cidr"), 1, false, {0, STR_INIT("cidr"), may_be_cidr}},
    {STR_INIT("containsCIDR"), 2, true, {1, STR_INIT("cidr"), may_be_cidr}},
    {STR_INIT("containsIP"), 2, true, {1, STR_INIT("ip"), may_be_ip}},
    {STR_INIT("int"), 1, false, {0, STR_INIT("int"), may_be_int}},
    {STR_INIT("ip"), 1, false, {0, STR_INIT("ip"), may_be_ip}},
    {STR_INIT("quantity"), 1, false, {0, STR_INIT("quantity"), may_be_quantity}},
    {STR_INIT("semver"), 1, false, {0, STR_INIT("semver"), may_be_semver}},
    {STR_INIT("uint"), 1, false, {0, STR_INIT("uint"), may_be_uint}},
    {STR_INIT("url"), 1, false, {0, STR_INIT("url"), may_be_url}},
};

const struct constant_parse *constant_parse_find(struct str function, size_t count, bool is_receiver)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (functions[i].count == count && functions[i].is_receiver == is_receiver &&
            str_eq(functions[i].function, function))
            return &functions[i].parse;
    }
    return NULL;
}
