#include "cmd/kubectl-vapcheck/input/remote.h"

#include <string.h>
#include <uv.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/discovery/discovery_fetch.h"
#include "client/discovery/discovery_legacy.h"
#include "client/discovery/discovery_parse.h"
#include "client/rest/api.h"
#include "client/text/jsonval.h"

#define INDEX "/openapi/v3"
#define AGGREGATED_DISCOVERY                                                                                 \
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"

/* An answer that was kept. */
struct answer {
    char *path, *bytes;
    size_t len;
};

struct remote {
    struct config *config;
    uv_loop_t loop;
    struct api *api;
    struct json_object *index;   /* the index of the OpenAPI documents; NULL if it was not read yet */
    struct discovery *discovery; /* of a server that has only the older form; NULL: not read */
    struct answer *answers;
    size_t n_answers;
};

/* One request under way. */
struct request {
    struct answer *answer;
    struct err *err;
    bool is_done;
};

int remote_open(const struct config_source *source, struct remote **out, struct err *err)
{
    struct config *config;
    struct api_options options = {.program = "kubectl-vapcheck"};
    if (config_source_load(source, &config, err) != 0)
        return -1;
    struct remote *r = mem_zalloc(sizeof *r);
    r->config = config;
    uv_loop_init(&r->loop);
    if (api_new(&r->loop, config, &options, &r->api, err) != 0) {
        remote_close(r);
        return -1;
    }
    *out = r;
    return 0;
}

void remote_close(struct remote *r)
{
    if (r == NULL)
        return;
    if (r->api != NULL)
        api_close(r->api, NULL, NULL);
    uv_run(&r->loop, UV_RUN_DEFAULT);
    uv_loop_close(&r->loop);
    for (size_t i = 0; i < r->n_answers; i++) {
        mem_free(r->answers[i].path);
        mem_free(r->answers[i].bytes);
    }
    mem_free(r->answers);
    json_object_put(r->index);
    discovery_free(r->discovery);
    config_free(r->config);
    mem_free(r);
}

static void on_reply(void *user, const struct err *err, const struct api_reply *reply)
{
    struct request *q = user;
    q->is_done = true;
    if (err != NULL) {
        err_copy(q->err, err);
        return;
    }
    q->answer->bytes = mem_strndup(reply->body, reply->len);
    q->answer->len = reply->len;
}

static bool is_discovery(const char *path)
{
    return strcmp(path, "/api") == 0 || strcmp(path, "/apis") == 0;
}

/* url may carry a query; NULL with *err. */
static struct answer *ask(struct remote *r, const char *path, const char *url, struct err *err)
{
    struct answer answer = {0};
    struct request q = {&answer, err, false};
    struct api_get get = {.path = url, .accept = is_discovery(path) ? AGGREGATED_DISCOVERY : NULL};
    api_get(r->api, &get, on_reply, &q);
    while (!q.is_done)
        uv_run(&r->loop, UV_RUN_ONCE);
    if (answer.bytes == NULL)
        return NULL;
    answer.path = mem_strdup(path);
    r->answers = mem_realloc(r->answers, r->n_answers + 1, sizeof *r->answers);
    r->answers[r->n_answers++] = answer;
    return &r->answers[r->n_answers - 1];
}

/* The document's URL in the index: "/openapi/v3/apis/apps/v1?hash=..."; NULL with *err. */
static const char *document_url(struct remote *r, const char *path, struct err *err)
{
    const struct answer *a = r->index == NULL ? ask(r, INDEX, INDEX, err) : NULL;
    if (r->index == NULL && (a == NULL || jsonval_parse(a->bytes, a->len, &r->index, err) != 0))
        return NULL;
    struct json_object *entry = jsonval_get(jsonval_get(r->index, "paths"), path + strlen(INDEX "/"));
    const char *url = jsonval_string(entry, "serverRelativeURL");
    if (url == NULL)
        err_set(err, ERR_NOT_FOUND, "the server publishes no %s", path);
    return url;
}

/*
 * A document of the index. If it changed since the index was read, the server redirects to the hash that it
 * has now; without a hash the answer is the present document (kube-openapi: pkg/handler3/handler.go).
 */
static struct answer *ask_document(struct remote *r, const char *path, struct err *err)
{
    const char *url = document_url(r, path, err);
    struct answer *a = url == NULL ? NULL : ask(r, path, url, err);
    if (a != NULL || url == NULL || err->http_status / 100 != 3)
        return a;
    err_clear(err);
    return ask(r, path, path, err);
}

/* A discovery under way. */
struct finding {
    struct discovery **out;
    struct err *err;
    bool is_done, has_failed;
};

static void on_discovery(void *user, const struct err *err, struct discovery *discovery)
{
    struct finding *f = user;
    f->is_done = true;
    f->has_failed = err != NULL;
    if (err != NULL)
        err_copy(f->err, err);
    else
        *f->out = discovery;
}

int remote_discovery(struct remote *r, struct discovery **out, struct err *err)
{
    struct finding f = {out, err, false, false};
    discovery_fetch(r->api, NULL, on_discovery, &f);
    while (!f.is_done)
        uv_run(&r->loop, UV_RUN_ONCE);
    return f.has_failed ? -1 : 0;
}

/* The server has only the older form of discovery: its answer becomes what the newer form would be. */
static int aggregate(struct remote *r, struct answer *a, struct err *err)
{
    enum discovery_half half = strcmp(a->path, "/api") == 0 ? DISCOVERY_CORE : DISCOVERY_GROUPS;
    cleanup_buf struct buf text;
    buf_init(&text, API_REPLY_CAP_BYTES);
    if (r->discovery == NULL && remote_discovery(r, &r->discovery, err) != 0)
        return -1;
    if (discovery_write(r->discovery, half, &text) != 0)
        return err_set(err, ERR_LIMIT, "%s: more than %d bytes", a->path, API_REPLY_CAP_BYTES);
    mem_free(a->bytes);
    a->bytes = buf_take(&text, &a->len);
    return 0;
}

int remote_get(struct remote *r, const char *path, const char **bytes, size_t *len, struct err *err)
{
    struct answer *a = NULL;
    for (size_t i = 0; i < r->n_answers && a == NULL; i++) {
        if (strcmp(r->answers[i].path, path) == 0)
            a = &r->answers[i];
    }
    bool is_document = strncmp(path, INDEX "/", strlen(INDEX "/")) == 0;
    if (a == NULL)
        a = is_document ? ask_document(r, path, err) : ask(r, path, path, err);
    if (a == NULL)
        return -1;
    if (is_discovery(path) && discovery_legacy_is(a->bytes, a->len) && aggregate(r, a, err) != 0)
        return -1;
    *bytes = a->bytes;
    *len = a->len;
    return 0;
}

void remote_forget_last(struct remote *r)
{
    struct answer *last = &r->answers[--r->n_answers];
    mem_free(last->path);
    mem_free(last->bytes);
}

/* ---- lists ---- */

/* A page under way. */
struct page {
    remote_on_item *on_item;
    void *user;
    char **token;
    struct err *err;
    bool is_done, has_failed;
};

static int on_page_item(void *user, const char *bytes, size_t len, bool is_cut, struct err *err)
{
    struct page *p = user;
    if (is_cut)
        return err_set(err, ERR_LIMIT, "an item of the list is longer than %d bytes", API_FRAME_CAP_BYTES);
    return p->on_item(p->user, bytes, len, err);
}

static void on_page_done(void *user, const struct err *err, const char *resource_version,
                         const char *continue_token)
{
    struct page *p = user;
    (void)resource_version;
    p->is_done = true;
    p->has_failed = err != NULL;
    mem_free(*p->token);
    *p->token = NULL;
    if (err != NULL)
        err_copy(p->err, err);
    else if (continue_token[0] != '\0')
        *p->token = mem_strdup(continue_token);
}

int remote_list(struct remote *r, const char *path, unsigned limit, char **continue_token,
                remote_on_item *on_item, void *user, struct err *err)
{
    static const struct api_list_handler handler = {on_page_item, on_page_done};
    struct page page = {on_item, user, continue_token, err, false, false};
    const struct api_list list = {.path = path, .continue_token = *continue_token, .limit = limit};
    api_list(r->api, &list, &handler, &page);
    while (!page.is_done)
        uv_run(&r->loop, UV_RUN_ONCE);
    return page.has_failed ? -1 : 0;
}

/* ---- the user ---- */

#define REVIEWS "/apis/authentication.k8s.io/v1/selfsubjectreviews"
#define REVIEW  "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}"

int remote_user(struct remote *r, struct json_object **out, struct err *err)
{
    struct answer answer = {0};
    struct request q = {&answer, err, false};
    const struct api_write write = {.path = REVIEWS, .body = REVIEW, .len = strlen(REVIEW)};
    cleanup_json struct json_object *review = NULL;
    api_create(r->api, &write, on_reply, &q);
    while (!q.is_done)
        uv_run(&r->loop, UV_RUN_ONCE);
    cleanup_mem char *bytes = answer.bytes;
    if (bytes == NULL || jsonval_parse(bytes, answer.len, &review, err) != 0)
        return -1;
    *out = json_object_get(jsonval_get(jsonval_get(review, "status"), "userInfo"));
    return *out != NULL ? 0 : err_set(err, ERR_PROTOCOL, "the server answers a review without a user");
}
