#include "client/http/url.h"

#include <ctype.h>
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/base/mem.h"

/* Returns false if the text has no proper host and port. len: the length of everything before the path. */
static bool parse_authority(const char *text, size_t len, struct url *out)
{
    char *host = NULL, *port = NULL;
    CURLU *u = curl_url();
    bool is_proper = u && text[len - 1] != ':' && curl_url_set(u, CURLUPART_URL, text, 0) == CURLUE_OK &&
                     curl_url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
                     curl_url_get(u, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK;
    if (is_proper) {
        const size_t is_v6 = *host == '[', host_len = strlen(host) - 2 * is_v6;
        out->port = (unsigned)strtoul(port, NULL, 10);
        is_proper = host_len < sizeof out->host && out->port > 0;
        if (is_proper)
            memcpy(out->host, host + is_v6, host_len);
    }
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(u);
    return is_proper;
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
    out->is_tls = strncasecmp(text, "https://", 8) == 0;
    if (!out->is_tls && strncasecmp(text, "http://", 7) != 0)
        return refuse("not an http:// or https:// URL", text, err);
    const char *rest = text + (out->is_tls ? 8 : 7);
    const size_t authority = strcspn(rest, "/?#");
    if (memchr(rest, '@', authority))
        return err_set(err, ERR_INVALID, "a URL with user information is not accepted");
    if (strpbrk(rest, "?#"))
        return refuse("a server URL has no query or fragment", text, err);
    for (const char *p = rest; *p; p++) {
        if (!isgraph((unsigned char)*p))
            return refuse("a URL with a space or control character", text, err);
    }
    if (!parse_authority(text, (size_t)(rest - text) + authority, out))
        return refuse("a URL without a proper host and port", text, err);
    return 0;
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
