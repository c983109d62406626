/* The part of url.h that needs no library of URLs: paths, and encoding in them. */
#include "client/http/url.h"

#include <string.h>
#include <strings.h>

int url_join(struct buf *b, const char *base, const char *path)
{
    size_t len = strlen(base);
    while (len > 0 && base[len - 1] == '/')
        len--;
    (void)buf_append(b, base, len);
    return buf_puts(b, path);
}

/* RFC 3986, 2.3 */
static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

int url_put_encoded(struct buf *b, const char *text)
{
    int answer = 0;
    while (*text != '\0' && answer == 0) {
        const char *at = text;
        while (is_unreserved(*at))
            at++;
        answer = buf_append(b, text, (size_t)(at - text));
        if (*at != '\0' && answer == 0)
            answer = buf_printf(b, "%%%02X", (unsigned char)*at++);
        text = at;
    }
    return answer;
}

int url_add_query(struct buf *b, const char *name, const char *value)
{
    (void)buf_putc(b, memchr(b->data, '?', b->len) ? '&' : '?');
    (void)buf_puts(b, name);
    (void)buf_putc(b, '=');
    return url_put_encoded(b, value);
}

bool url_is_segment(const char *text)
{
    return *text != '\0' && strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
}

/* The bytes of a dot at the text; 0: there is none. */
static size_t dot_at(const char *text)
{
    return *text == '.' ? 1 : strncasecmp(text, "%2e", 3) == 0 ? 3 : 0;
}

bool url_is_plain(const char *path)
{
    for (const char *at = path; *at != '\0' && *at != '?';) {
        at += *at == '/';
        size_t first = dot_at(at), both = first > 0 ? first + dot_at(at + first) : 0;
        if (first > 0 && (strchr("/?", at[first]) != NULL || strchr("/?", at[both]) != NULL)) /* or its NUL */
            return false;
        at += strcspn(at, "/?");
    }
    return true;
}

static void add_part(struct buf *b, const char *before, const char *part)
{
    if (!part)
        return;
    (void)buf_puts(b, before);
    (void)url_put_encoded(b, part);
}

char *url_resource(const struct url_resource *parts)
{
    cleanup_buf struct buf path;
    buf_init(&path, URL_CAP_BYTES);
    const bool is_core = strchr(parts->group_version, '/') == NULL;
    (void)buf_printf(&path, "/%s/%s", is_core ? "api" : "apis", parts->group_version);
    add_part(&path, "/namespaces/", parts->namespace);
    add_part(&path, "/", parts->resource);
    add_part(&path, "/", parts->name);
    add_part(&path, "/", parts->subresource);
    return buf_take(&path, NULL);
}
