#include "controller/admission/gourl.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "controller/field/gotext.h"

enum { CAP_BYTES = 64 * 1024 * 1024 };

enum part { PATH, HOST, USER, FRAGMENT };

static bool is_in(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* A message around a text as %q has it; the caller's. */
static char *around(const char *before, const char *text, size_t len, const char *after)
{
    struct buf b;
    buf_init(&b, CAP_BYTES);
    buf_puts(&b, before);
    gotext_put_quoted(&b, text, len);
    buf_puts(&b, after);
    return buf_take(&b, NULL);
}

/* Takes the message. */
static char *fail(char **error, char *message)
{
    *error = message;
    return NULL;
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* What the first percent sign of `at` escapes; -1: nothing. */
static int escaped(const char *at, enum part part)
{
    int high = hex(at[1]), low = high < 0 ? -1 : hex(at[2]);
    if (low < 0 || (part == HOST && high < 8 && !(high == 2 && low == 5)))
        return -1;
    return high << 4 | low;
}

static bool is_host_byte(char c)
{
    return (unsigned char)c >= 0x80 || isalnum((unsigned char)c) || is_in(c, "!$&'()*+,;=:[]<>\"-_.~");
}

/* unescape(); NULL with *error set. The caller frees either. */
static char *unescape(const char *text, size_t len, enum part part, char **error)
{
    cleanup_mem char *copy = mem_strndup(text, len);
    char *to = copy;
    for (const char *at = copy; *at != '\0'; at++) {
        bool is_escape = *at == '%';
        int value = is_escape ? escaped(at, part) : 0;
        if (value < 0)
            return fail(error, around("invalid URL escape ", at, strnlen(at, 3), ""));
        if (!is_escape && part == HOST && !is_host_byte(*at))
            return fail(error, around("invalid character ", at, 1, " in host name"));
        char byte = *at;
        if (is_escape) {
            byte = (char)value;
            at += 2;
        }
        *to++ = byte;
    }
    return mem_strndup(copy, (size_t)(to - copy));
}

/* "" or a colon and digits. */
static bool is_port(const char *text)
{
    return *text == '\0' || (*text == ':' && text[1 + strspn(text + 1, "0123456789")] == '\0');
}

static char *literal_host(const char *host, enum gourl_go go, char **error)
{
    const char *end = strrchr(host, ']');
    char address[sizeof(struct in6_addr)];
    if (end == NULL)
        return fail(error, mem_strdup("missing ']' in host"));
    if (!is_port(end + 1))
        return fail(error, around("invalid port ", end + 1, strlen(end + 1), " after host"));
    cleanup_mem char *inner = unescape(host + 1, (size_t)(end - host - 1), HOST, error);
    if (inner == NULL)
        return NULL;
    cleanup_mem char *plain = mem_strndup(inner, strcspn(inner, "%")); /* without a zone */
    if (go == GOURL_GO_1_23 || inet_pton(AF_INET6, plain, address) == 1)
        return mem_printf("[%s]%s", inner, end + 1);
    return fail(error,
                inet_pton(AF_INET, plain, address) == 1
                    ? mem_strdup("invalid IP-literal")
                    : around("invalid host: ParseAddr(", inner, strlen(inner), "): unable to parse IP"));
}

static char *parse_host(const char *scheme, const char *host, enum gourl_go go, char **error)
{
    const char *bracket = go == GOURL_GO_1_23 ? host : strrchr(host, '[');
    const char *colon = strrchr(host, ':');
    if (bracket != NULL && *bracket == '[' && (bracket == host || go == GOURL_GO_1_24))
        return literal_host(bracket, go, error);
    if (bracket != NULL && *bracket == '[')
        return fail(error, mem_strdup("invalid IP-literal"));
    if (go == GOURL_GO_1_26 && (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0))
        colon = strchr(host, ':');
    if (colon != NULL && !is_port(colon))
        return fail(error, around("invalid port ", colon, strlen(colon), " after host"));
    return unescape(host, strlen(host), HOST, error);
}

/* escape(), for a user or a password. */
static void put_escaped(struct buf *b, const char *text)
{
    for (; *text != '\0'; text++) {
        if (isalnum((unsigned char)*text) || is_in(*text, "-_.~$&+,;="))
            (void)buf_append(b, text, 1);
        else
            buf_printf(b, "%%%02X", (unsigned)(unsigned char)*text);
    }
}

static char *parse_user(const char *text, size_t len, char **error)
{
    const char *colon = memchr(text, ':', len);
    size_t name_len = colon == NULL ? len : (size_t)(colon - text);
    for (size_t i = 0; i < len; i++) {
        if (!isalnum((unsigned char)text[i]) && !is_in(text[i], "-._:~!$&'()*+,;=%@"))
            return fail(error, mem_strdup("net/url: invalid userinfo"));
    }
    cleanup_mem char *name = unescape(text, name_len, USER, error);
    if (name == NULL)
        return NULL;
    struct buf b;
    buf_init(&b, CAP_BYTES);
    put_escaped(&b, name);
    if (colon != NULL) {
        cleanup_mem char *password = unescape(colon + 1, len - name_len - 1, USER, error);
        buf_puts(&b, ":");
        if (password != NULL)
            put_escaped(&b, password);
    }
    return buf_take(&b, NULL);
}

/* What stands between "//" and the path. */
static void parse_authority(struct gourl *u, const char *authority, char **error)
{
    const char *at = strrchr(authority, '@');
    u->host = parse_host(u->scheme, at == NULL ? authority : at + 1, u->go, error);
    if (at != NULL && u->host != NULL)
        u->user = parse_user(authority, (size_t)(at - authority), error);
}

/* The scheme's length; 0: none. */
static size_t scheme_len(const char *text, char **error)
{
    size_t n = 0;
    while (isalpha((unsigned char)text[n]) ||
           (n > 0 && (isdigit((unsigned char)text[n]) || is_in(text[n], "+-."))))
        n++;
    if (text[n] != ':')
        return 0;
    if (n == 0)
        *error = mem_strdup("missing protocol scheme");
    return n;
}

static void take_scheme(struct gourl *u, char **rest, char **error)
{
    size_t n = scheme_len(*rest, error);
    u->scheme = mem_strndup(*rest, n);
    for (size_t i = 0; i < n; i++)
        u->scheme[i] = (char)tolower((unsigned char)u->scheme[i]);
    *rest += n > 0 ? n + 1 : 0;
}

/* Authority and path. */
static void parse_rest(struct gourl *u, char *rest, char **error)
{
    if (*rest != '/') {
        size_t segment = strcspn(rest, "/");
        if (*u->scheme == '\0' && memchr(rest, ':', segment) != NULL)
            *error = mem_strdup("first path segment in URL cannot contain colon");
        if (*u->scheme != '\0' || *error != NULL)
            return; /* opaque */
    } else if (strncmp(rest, "//", 2) == 0 && (*u->scheme != '\0' || rest[2] != '/')) {
        size_t len = strcspn(rest + 2, "/");
        cleanup_mem char *authority = mem_strndup(rest + 2, len);
        parse_authority(u, authority, error);
        rest += 2 + len;
    }
    if (*error == NULL)
        mem_free(unescape(rest, strlen(rest), PATH, error));
}

static void parse_before_fragment(struct gourl *u, const char *text, char **error)
{
    cleanup_mem char *copy = mem_strdup(text);
    char *rest = copy;
    for (const char *c = text; *c != '\0' && *error == NULL; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *error = mem_strdup("net/url: invalid control character in URL");
    }
    if (*error != NULL || strcmp(text, "*") == 0)
        return;
    take_scheme(u, &rest, error);
    char *query = strchr(rest, '?');
    if (query != NULL) {
        *query = '\0';
        u->query = mem_strdup(query + 1);
    }
    if (*error == NULL)
        parse_rest(u, rest, error);
}

bool gourl_parse(const char *text, enum gourl_go go, struct gourl *out)
{
    const char *hash = strchr(text, '#');
    cleanup_mem char *before = hash == NULL ? mem_strdup(text) : mem_strndup(text, (size_t)(hash - text));
    char *error = NULL;
    *out = (struct gourl){.go = go};
    parse_before_fragment(out, before, &error);
    const char *parsed = before;
    if (error == NULL && hash != NULL) {
        parsed = text;
        out->fragment = unescape(hash + 1, strlen(hash + 1), FRAGMENT, &error);
    }
    if (error != NULL) {
        struct buf b;
        buf_init(&b, CAP_BYTES);
        buf_puts(&b, "parse ");
        gotext_put_quoted(&b, parsed, strlen(parsed));
        buf_printf(&b, ": %s", error);
        out->error = buf_take(&b, NULL);
        mem_free(error);
    }
    char **texts[] = {&out->scheme, &out->host, &out->fragment, &out->query};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = *texts[i] == NULL ? mem_strdup("") : *texts[i];
    return out->error == NULL;
}

void gourl_deinit(struct gourl *url)
{
    mem_free(url->error);
    mem_free(url->scheme);
    mem_free(url->host);
    mem_free(url->user);
    mem_free(url->fragment);
    mem_free(url->query);
}
