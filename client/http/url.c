#include "client/http/url.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "client/base/mem.h"

static int parse_port(const char *text, size_t len, unsigned *port)
{
    unsigned value = 0;
    if (len == 0 || len > 5)
        return -1;
    for (size_t i = 0; i < len; i++) {
        if (!isdigit((unsigned char)text[i]))
            return -1;
        value = value * 10 + (unsigned)(text[i] - '0');
    }
    if (value == 0 || value > 65535)
        return -1;
    *port = value;
    return 0;
}

/* host, or [v6], then an optional :port. */
static int parse_authority(const char *text, size_t len, struct url *out)
{
    const char *end = text + len;
    const char *host = text;
    const char *host_end;
    const char *after;
    if (len && *text == '[') {
        host++;
        host_end = memchr(host, ']', (size_t)(end - host));
        if (!host_end)
            return -1;
        after = host_end + 1;
    } else {
        host_end = memchr(host, ':', len);
        if (!host_end)
            host_end = end;
        after = host_end;
    }
    const size_t host_len = (size_t)(host_end - host);
    if (host_len == 0 || host_len >= sizeof out->host)
        return -1;
    for (size_t i = 0; i < host_len; i++) {
        if (!isgraph((unsigned char)host[i]))
            return -1;
    }
    memcpy(out->host, host, host_len);
    out->host[host_len] = '\0';
    if (after == end)
        return 0;
    return *after == ':' ? parse_port(after + 1, (size_t)(end - after - 1), &out->port) : -1;
}

/* Says what is wrong with it, and which it is: unless it might hold a password. */
static int refuse(const char *why, const char *text, struct err *err)
{
    if (strchr(text, '@'))
        return err_set(err, ERR_INVALID, "%s", why);
    return err_set(err, ERR_INVALID, "%s: %.200s", why, text);
}

int url_parse(const char *text, struct url *out, struct err *err)
{
    *out = (struct url){0};
    const char *rest;
    if (strncasecmp(text, "https://", 8) == 0) {
        out->is_tls = true;
        out->port = 443;
        rest = text + 8;
    } else if (strncasecmp(text, "http://", 7) == 0) {
        out->port = 80;
        rest = text + 7;
    } else {
        return refuse("not an http:// or https:// URL", text, err);
    }
    const size_t authority = strcspn(rest, "/?#");
    if (memchr(rest, '@', authority))
        return err_set(err, ERR_INVALID, "a URL with user information is not accepted");
    if (strpbrk(rest, "?#"))
        return refuse("a server URL has no query or fragment", text, err);
    for (const char *p = rest; *p; p++) {
        if (!isgraph((unsigned char)*p))
            return refuse("a URL with a space or control character", text, err);
    }
    if (parse_authority(rest, authority, out) != 0)
        return refuse("a URL without a proper host and port", text, err);
    return 0;
}

int url_join(struct buf *b, const char *base, const char *path)
{
    size_t len = strlen(base);
    while (len > 0 && base[len - 1] == '/')
        len--;
    (void)buf_append(b, base, len);
    return buf_puts(b, path);
}

int url_put_encoded(struct buf *b, const char *text)
{
    for (const char *p = text; *p; p++) {
        const unsigned char c = (unsigned char)*p;
        if (isalnum(c) || strchr("-._~", c))
            (void)buf_putc(b, *p);
        else
            (void)buf_printf(b, "%%%02X", c);
    }
    return b->is_full ? -1 : 0;
}

int url_add_query(struct buf *b, const char *name, const char *value)
{
    (void)buf_putc(b, memchr(b->data, '?', b->len) ? '&' : '?');
    (void)buf_puts(b, name);
    (void)buf_putc(b, '=');
    return url_put_encoded(b, value);
}

bool url_rename(const char *url, const char *name, struct url_renamed *out)
{
    const char *scheme_end = strstr(url, "://");
    if (!scheme_end)
        return false;
    const char *authority = scheme_end + 3;
    const size_t len = strcspn(authority, "/?#");
    const char *host_end = *authority == '[' ? memchr(authority, ']', len) : memchr(authority, ':', len);
    const size_t host_len = !host_end ? len : (size_t)(host_end - authority) + (*authority == '[');
    const bool is_v6 = strchr(name, ':') != NULL;
    out->host_header = mem_printf("Host: %.*s", (int)len, authority);
    out->connect_to = mem_printf("::%.*s:", (int)host_len, authority);
    out->url = mem_printf("%.*s%s%s%s%s", (int)(authority - url), url, is_v6 ? "[" : "", name,
                          is_v6 ? "]" : "", authority + host_len);
    return true;
}

void url_renamed_deinit(struct url_renamed *renamed)
{
    mem_free(renamed->url);
    mem_free(renamed->connect_to);
    mem_free(renamed->host_header);
}
