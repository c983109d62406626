#include "controller/apiserver/validation/serverurl.h"

#include "client/base/mem.h"
#include "typecheck/text.h"

/* The limit of a URL's parts and its error; objects are smaller by far. */
enum { CAP_BYTES = 256 * 1024 * 1024 };

static enum gourl_go go_of(const struct fielderrors *version)
{
    const struct kubernetes server = fielderrors_server(version);
    return server.reads_urls_as_go_1_26   ? GOURL_GO_1_26
           : server.reads_urls_as_go_1_25 ? GOURL_GO_1_25
           : server.reads_urls_as_go_1_24 ? GOURL_GO_1_24
                                          : GOURL_GO_1_23;
}

static char *copy(struct str s)
{
    return mem_strndup(s.len == 0 ? "" : s.at, s.len);
}

bool serverurl_parse(const char *text, const struct fielderrors *version, struct serverurl *out)
{
    struct arena a;
    arena_init(&a, CAP_BYTES);
    *out = (struct serverurl){.error = NULL};
    if (setjmp(a.escape) == 0) {
        struct gourl u;
        struct str error = gourl_parse(&a, str_of(text), go_of(version), &u);
        *out = (struct serverurl){.error = error.len == 0 ? NULL : copy(error),
                                  .scheme = copy(u.scheme),
                                  .host = copy(u.host),
                                  .user = u.has_user ? copy(u.user) : NULL,
                                  .fragment = copy(u.fragment),
                                  .query = copy(u.query)};
    } else {
        out->error = mem_strdup("too long");
    }
    arena_deinit(&a);
    return out->error == NULL;
}

void serverurl_deinit(struct serverurl *url)
{
    mem_free(url->error);
    mem_free(url->scheme);
    mem_free(url->host);
    mem_free(url->user);
    mem_free(url->fragment);
    mem_free(url->query);
}
