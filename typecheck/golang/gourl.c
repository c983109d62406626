#include "typecheck/golang/gourl.h"

#include <ctype.h>
#include <string.h>

#include "bytes/hex.h"
#include "typecheck/base/arena.h"
#include "typecheck/golang/goaddress.h"
#include "typecheck/golang/goquote.h"

enum part { PATH, HOST, ZONE, USER, FRAGMENT, PARAMETER };

struct reader {
    struct arena *arena;
    enum gourl_go go;
    bool is_request;  /* it is read as url.ParseRequestURI does */
    struct str error; /* empty: none so far */
};

static bool fail(struct reader *r, struct str error)
{
    r->error = error;
    return false;
}

static bool fail_at(struct reader *r, const char *before, struct str culprit, const char *after)
{
    struct text t = {.arena = r->arena};
    text_add(&t, str_of(before));
    goquote_add(&t, culprit);
    text_add(&t, str_of(after));
    return fail(r, text_str(&t));
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* Returns true if the byte stands for itself there. */
static bool is_plain(char c, enum part part)
{
    static const char *const sets[] = {
        [PATH] = "$&+,/:;=@", [HOST] = "!$&'()*+,;=:[]<>\"", [ZONE] = "!$&'()*+,;=:[]<>\"",
        [USER] = "$&+,;=",    [FRAGMENT] = "$&+,/:;=?@!()*", [PARAMETER] = ""};
    return isalnum((unsigned char)c) || is_one_of(c, "-_.~") || is_one_of(c, sets[part]);
}

static struct str escape(struct arena *a, struct str s, enum part part)
{
    struct text t = {.arena = a};
    arena_pay_bytes(a, s.len);
    for (size_t i = 0; i < s.len; i++) {
        if (is_plain(s.at[i], part))
            text_add_char(&t, s.at[i]);
        else
            text_addf(&t, "%%%02X", (unsigned char)s.at[i]);
    }
    return text_str(&t);
}

/* The byte that a "%" and two digits stand for; -1: in this part they stand for none. */
static int escaped_byte(struct str s, enum part part)
{
    int high = s.len < 3 ? -1 : (int)hex_digit(s.at[1]), low = s.len < 3 ? -1 : (int)hex_digit(s.at[2]);
    if (high < 0 || low < 0)
        return -1;
    int byte = high << 4 | low;
    if (part == HOST && high < 8 && byte != '%')
        return -1;
    if (part == ZONE && byte != '%' && byte != ' ' && !is_plain((char)byte, HOST))
        return -1;
    return byte;
}

static bool unescape(struct reader *r, struct str s, enum part part, struct str *out)
{
    struct text t = {.arena = r->arena};
    arena_pay_bytes(r->arena, s.len);
    for (size_t i = 0; i < s.len; i++) {
        char c = s.at[i];
        struct str rest = str_skip(s, i);
        bool is_host = part == HOST || part == ZONE;
        if (c == '%') {
            int byte = escaped_byte(rest, part);
            if (byte < 0)
                return fail_at(r, "invalid URL escape ", (struct str){rest.at, rest.len < 3 ? rest.len : 3},
                               "");
            c = (char)byte;
            i += 2;
        } else if (is_host && (unsigned char)c < 0x80 && !is_plain(c, part)) {
            return fail_at(r, "invalid character ", (struct str){rest.at, 1}, " in host name");
        } else if (part == PARAMETER && c == '+') {
            c = ' ';
        }
        text_add_char(&t, c);
    }
    *out = text_str(&t);
    return true;
}

/* ---- hosts ---- */

/* "" or a colon and digits. */
static bool is_port(struct str s)
{
    size_t i = 1;
    while (i < s.len && str_is_digit(s.at[i]))
        i++;
    return s.len == 0 || (s.at[0] == ':' && i == s.len);
}

/* "fe80::1%25en0": the zone is escaped in its own way. */
static bool read_literal(struct reader *r, struct str s, struct str *out)
{
    const char *zone = s.len == 0 ? NULL : memmem(s.at, s.len, "%25", 3);
    size_t len = zone == NULL ? s.len : (size_t)(zone - s.at);
    struct str address, rest = STR("");
    struct text why = {.arena = r->arena};
    struct goaddress parsed;
    bool has_zone;
    if (!unescape(r, (struct str){s.at, len}, HOST, &address) ||
        (zone != NULL && !unescape(r, str_skip(s, len), ZONE, &rest)))
        return false;
    *out = str_join(r->arena, STR_PARTS(address, rest));
    if (r->go == GOURL_GO_1_23)
        return true;
    text_add(&why, STR("invalid host: "));
    if (!goaddress_parse(&why, *out, &parsed, &has_zone))
        return fail(r, text_str(&why));
    return parsed.len != GOADDRESS_IPV4_BYTES || fail(r, STR("invalid IP-literal"));
}

static bool read_bracketed(struct reader *r, struct str s, struct str *out)
{
    size_t close = str_find_last(s, ']');
    struct str host;
    if (close == SIZE_MAX)
        return fail(r, STR("missing ']' in host"));
    struct str port = str_skip(s, close + 1);
    if (!is_port(port))
        return fail_at(r, "invalid port ", port, " after host");
    if (!read_literal(r, (struct str){s.at + 1, close - 1}, &host))
        return false;
    *out = str_join(r->arena, STR_PARTS(STR("["), host, STR("]"), port));
    return true;
}

static bool read_host(struct reader *r, struct str scheme, struct str s, struct str *out)
{
    size_t open = str_find_last(s, '['), colon = str_find_last(s, ':');
    if (r->go == GOURL_GO_1_23)
        open = s.len != 0 && s.at[0] == '[' ? 0 : SIZE_MAX;
    if (open == 0 || (open != SIZE_MAX && r->go == GOURL_GO_1_24))
        return read_bracketed(r, str_skip(s, open), out);
    if (open != SIZE_MAX)
        return fail(r, STR("invalid IP-literal"));
    bool is_strict = r->go == GOURL_GO_1_26 && (str_eq(scheme, STR("http")) || str_eq(scheme, STR("https")));
    if (is_strict && colon != SIZE_MAX)
        colon = (size_t)((const char *)memchr(s.at, ':', s.len) - s.at);
    if (colon != SIZE_MAX && !is_port(str_skip(s, colon)))
        return fail_at(r, "invalid port ", str_skip(s, colon), " after host");
    return unescape(r, s, HOST, out);
}

static bool read_user(struct reader *r, struct str s, struct str *out)
{
    struct str name, password;
    for (size_t i = 0; i < s.len; i++) {
        if (!isalnum((unsigned char)s.at[i]) && !is_one_of(s.at[i], "-._:~!$&'()*+,;=%@"))
            return fail(r, STR("net/url: invalid userinfo"));
    }
    bool has_password = str_cut(&s, ':', &name);
    if (!unescape(r, name, USER, &name) || !unescape(r, s, USER, &password))
        return false;
    *out = str_join(r->arena, STR_PARTS(escape(r->arena, name, USER), has_password ? STR(":") : STR(""),
                                        escape(r->arena, password, USER)));
    return true;
}

static bool read_authority(struct reader *r, struct str s, struct gourl *u)
{
    size_t at = str_find_last(s, '@');
    u->has_host = true;
    u->has_user = at != SIZE_MAX;
    if (!read_host(r, u->scheme, u->has_user ? str_skip(s, at + 1) : s, &u->host))
        return false;
    return !u->has_user || read_user(r, (struct str){s.at, at}, &u->user);
}

/* ---- URLs ---- */

/* The length of the scheme; 0 if there is none. */
static size_t scheme_len(struct str s)
{
    size_t i = 0;
    while (i < s.len && (isalpha((unsigned char)s.at[i]) ||
                         (i > 0 && (str_is_digit(s.at[i]) || is_one_of(s.at[i], "+-.")))))
        i++;
    return i < s.len && s.at[i] == ':' ? i : 0;
}

static struct str lower(struct arena *a, struct str s)
{
    char *out = arena_copy(a, s.at, s.len);
    for (size_t i = 0; i < s.len; i++)
        out[i] = (char)tolower((unsigned char)out[i]);
    return (struct str){out, s.len};
}

/* Sets *out to the text as it is written, if all in it may stand there; else to the text escaped again. */
static bool read_escaped(struct reader *r, struct str s, enum part part, struct str *out)
{
    struct str plain;
    bool is_valid = true;
    if (!unescape(r, s, part, &plain))
        return false;
    for (size_t i = 0; i < s.len; i++)
        is_valid = is_valid && (is_one_of(s.at[i], "!$&'()*+,;=:@[]%") || is_plain(s.at[i], part));
    *out = is_valid ? s : escape(r->arena, plain, part);
    return true;
}

/* Authority and path. */
static bool read_rest(struct reader *r, struct str s, struct gourl *u)
{
    bool is_rooted = s.len > 0 && s.at[0] == '/';
    struct str segment = s, before;
    if (!is_rooted && u->scheme.len != 0) {
        u->opaque = s;
        return true;
    }
    if (!is_rooted && r->is_request)
        return fail(r, STR("invalid URI for request"));
    (void)str_cut(&segment, '/', &before);
    if (!is_rooted && before.len != 0 && memchr(before.at, ':', before.len) != NULL)
        return fail(r, STR("first path segment in URL cannot contain colon"));
    bool may_have_host = u->scheme.len != 0 || (!r->is_request && !str_has_prefix(s, STR("///")));
    if (may_have_host && str_has_prefix(s, STR("//"))) {
        struct str authority = str_skip(s, 2);
        const char *slash = authority.len == 0 ? NULL : memchr(authority.at, '/', authority.len);
        s = str_skip(authority, slash == NULL ? authority.len : (size_t)(slash - authority.at));
        authority.len -= s.len;
        if (!read_authority(r, authority, u))
            return false;
    }
    return read_escaped(r, s, PATH, &u->path);
}

static bool parse(struct reader *r, struct str s, struct gourl *u)
{
    *u = (struct gourl){.has_host = false};
    arena_pay_bytes(r->arena, s.len);
    for (size_t i = 0; i < s.len; i++) {
        if ((unsigned char)s.at[i] < ' ' || s.at[i] == 0x7F)
            return fail(r, STR("net/url: invalid control character in URL"));
    }
    if (s.len == 0 && r->is_request)
        return fail(r, STR("empty url"));
    if (str_eq(s, STR("*"))) {
        u->path = s;
        return true;
    }
    if (s.len != 0 && s.at[0] == ':')
        return fail(r, STR("missing protocol scheme"));
    size_t len = scheme_len(s);
    u->scheme = lower(r->arena, (struct str){s.at, len});
    struct str rest = str_skip(s, len == 0 ? 0 : len + 1), before;
    u->has_query = str_cut(&rest, '?', &before);
    u->query = rest;
    return read_rest(r, before, u);
}

static struct str parse_error(struct arena *a, struct str s, struct str why)
{
    struct text t = {.arena = a};
    text_add(&t, STR("parse "));
    goquote_add(&t, s);
    text_add(&t, STR(": "));
    text_add(&t, why);
    return text_str(&t);
}

struct str gourl_parse_request(struct arena *a, struct str s, struct gourl *out)
{
    struct reader r = {.arena = a, .go = GOURL_GO_1_26, .is_request = true};
    return parse(&r, s, out) ? STR("") : parse_error(a, s, r.error);
}

struct str gourl_parse(struct arena *a, struct str s, enum gourl_go go, struct gourl *out)
{
    struct reader r = {.arena = a, .go = go};
    struct str fragment = s, before;
    (void)str_cut(&fragment, '#', &before);
    if (!parse(&r, before, out))
        return parse_error(a, before, r.error);
    if (!unescape(&r, fragment, FRAGMENT, &out->fragment))
        return parse_error(a, s, r.error);
    (void)read_escaped(&r, fragment, FRAGMENT, &out->escaped_fragment);
    return STR("");
}

struct str gourl_text(struct arena *a, const struct gourl *u)
{
    struct text t = {.arena = a};
    text_add(&t, u->scheme);
    text_add(&t, u->scheme.len == 0 ? STR("") : STR(":"));
    text_add(&t, u->opaque);
    if (u->has_host && (u->host.len != 0 || u->path.len != 0 || u->has_user))
        text_add(&t, STR("//"));
    text_add(&t, u->user);
    text_add(&t, u->has_user ? STR("@") : STR(""));
    text_add(&t, escape(a, u->host, HOST));
    text_add(&t, u->path);
    text_add(&t, u->has_query ? STR("?") : STR(""));
    text_add(&t, u->query);
    text_add(&t, u->fragment.len == 0 ? STR("") : STR("#"));
    text_add(&t, u->escaped_fragment);
    return text_str(&t);
}

bool gourl_next_parameter(struct arena *a, struct str *query, struct str *key, struct str *value)
{
    struct reader r = {.arena = a};
    while (query->len != 0) {
        (void)str_cut(query, '&', value);
        arena_step(a);
        if (value->len == 0 || memchr(value->at, ';', value->len) != NULL)
            continue;
        (void)str_cut(value, '=', key);
        if (unescape(&r, *key, PARAMETER, key) && unescape(&r, *value, PARAMETER, value))
            return true;
    }
    return false;
}
