#include "controller/apiserver/dispatch/review.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsontree.h"
#include "client/text/jsonval.h"

/* Keys are given as they are written, with the comma before them: this text is written for every request. */

static void put_text(struct buf *b, const char *key, const char *text)
{
    buf_puts(b, key);
    buf_put_json(b, text, strlen(text));
}

/* An empty text is left out, as Go does. */
static void put_text_if_any(struct buf *b, const char *key, const char *text)
{
    if (*text != '\0')
        put_text(b, key, text);
}

static void put_json(struct buf *b, const char *key, const char *json)
{
    buf_puts(b, key);
    buf_puts(b, json);
}

/* A kind or a resource. The caller frees it. */
static char *name_in_group(const char *group, const char *version, const char *key, const char *name)
{
    size_t len;
    struct buf b;
    buf_init(&b, SIZE_MAX / 2);
    buf_puts(&b, "{\"group\":");
    buf_put_json(&b, group, strlen(group));
    put_text(&b, ",\"version\":", version);
    put_text(&b, key, name);
    buf_puts(&b, "}");
    return buf_take(&b, &len);
}

/* The texts of an endpoint. */
struct names {
    char *kind, *resource;
};

static struct names names_of(const struct requestmatch_endpoint *at)
{
    return (struct names){name_in_group(at->kind_group, at->kind_version, ",\"kind\":", at->kind),
                          name_in_group(at->group, at->version, ",\"resource\":", at->resource)};
}

static void free_names(const struct names *names)
{
    mem_free(names->kind);
    mem_free(names->resource);
}

/* Writes the fields of UserInfo of authentication.k8s.io/v1. */
static void put_user(struct buf *b, struct json_object *user)
{
    static const char *const keys[] = {"username", "uid", "groups", "extra"};
    const char *separator = "{\"";
    buf_puts(b, ",\"userInfo\":");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct json_object *value = jsonval_get(user, keys[i]);
        if (value == NULL)
            continue;
        buf_puts(b, separator);
        buf_puts(b, keys[i]);
        buf_puts(b, "\":");
        jsontree_write(b, value);
        separator = ",\"";
    }
    buf_puts(b, *separator == '{' ? "{}" : "}");
}

static void put_options(struct buf *b, const struct dispatch_request *r)
{
    static const char *const kinds[][2] = {
        {"CREATE", "CreateOptions"}, {"UPDATE", "UpdateOptions"}, {"DELETE", "DeleteOptions"}};
    const bool is_connect = strcmp(r->match.operation, "CONNECT") == 0;
    buf_puts(b, ",\"options\":");
    if (is_connect || r->options != NULL) {
        jsontree_write(b, is_connect ? NULL : r->options);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i][0], r->match.operation) != 0)
            continue;
        buf_puts(b, "{\"apiVersion\":\"meta.k8s.io/v1\"");
        put_text(b, ",\"kind\":", kinds[i][1]);
        buf_puts(b, r->is_dry_run ? ",\"dryRun\":[\"All\"]}" : "}");
    }
}

char *review_text(const struct dispatch_request *request, const struct requestmatch_endpoint *as)
{
    const struct requestmatch_request *r = &request->match;
    const bool is_same = as == &r->endpoint;
    const struct names seen = names_of(as), sent = is_same ? seen : names_of(&r->endpoint);
    struct buf b;
    size_t len;
    buf_init(&b, SIZE_MAX / 2);
    buf_puts(&b, "{\"uid\":\"\"");
    put_json(&b, ",\"kind\":", seen.kind);
    put_json(&b, ",\"resource\":", seen.resource);
    put_text_if_any(&b, ",\"subResource\":", r->subresource);
    put_json(&b, ",\"requestKind\":", sent.kind);
    put_json(&b, ",\"requestResource\":", sent.resource);
    put_text_if_any(&b, ",\"requestSubResource\":", r->subresource);
    put_text_if_any(&b, ",\"name\":", r->name);
    put_text_if_any(&b, ",\"namespace\":", r->namespace);
    put_text(&b, ",\"operation\":", r->operation);
    put_user(&b, request->user_info);
    put_json(&b, ",\"dryRun\":", request->is_dry_run ? "true" : "false");
    put_options(&b, request);
    buf_puts(&b, "}");
    free_names(&seen);
    if (!is_same)
        free_names(&sent);
    return buf_take(&b, &len);
}
