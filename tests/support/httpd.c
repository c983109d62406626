#include "tests/support/httpd.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "tests/support/gzipped.h"
#include "tests/support/watcher.h"

enum { STREAM_BLOCK_BYTES = 32 * 1024, GZIP_BODY_BYTES = 16 * 1024 };

struct httpd {
    struct MHD_Daemon *daemon;
    httpd_handler *handler;
    void *user;
};

const char *httpd_query(const struct httpd_request *request, const char *name)
{
    const char *value = MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
    return value != NULL ? value : "";
}

const char *httpd_header(const struct httpd_request *request, const char *name)
{
    const char *value = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
    return value != NULL ? value : "";
}

bool httpd_is_true(const struct httpd_request *request, const char *query)
{
    const char *value = httpd_query(request, query);
    return strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
}

bool httpd_accepts(const struct httpd_request *request, const char *what)
{
    return strstr(httpd_header(request, "Accept"), what) != NULL;
}

/* A watch on its way; as gzip, a member a flush, if the client asked for that: so does Kubernetes 1.37. */
struct stream {
    struct watcher *watcher;
    bool is_gzip;
    char *member; /* what is being sent of it; NULL: none */
    size_t len, sent;
};

static bool next_member(struct stream *s)
{
    char block[STREAM_BLOCK_BYTES];
    size_t len = watcher_read(s->watcher, block, sizeof block);
    free(s->member);
    s->member = len > 0 ? gzipped(block, len, &s->len) : NULL;
    s->sent = 0;
    return s->member != NULL;
}

static ssize_t read_stream(void *user, uint64_t position, char *out, size_t cap)
{
    struct stream *s = user;
    (void)position;
    if (!s->is_gzip) {
        size_t len = watcher_read(s->watcher, out, cap);
        return len > 0 ? (ssize_t)len : MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (s->sent == s->len && !next_member(s))
        return MHD_CONTENT_READER_END_OF_STREAM;
    size_t left = s->len - s->sent, len = left < cap ? left : cap;
    memcpy(out, s->member + s->sent, len);
    s->sent += len;
    return (ssize_t)len;
}

static void free_stream(void *user)
{
    struct stream *s = user;
    watcher_free(s->watcher);
    free(s->member);
    mem_free(s);
}

static struct MHD_Response *stream_response(struct watcher *watcher, bool is_gzip)
{
    struct stream *s = mem_zalloc(sizeof *s);
    *s = (struct stream){.watcher = watcher, .is_gzip = is_gzip};
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK_BYTES, read_stream, s, free_stream);
    if (response != NULL && is_gzip)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    return response;
}

/* Large answers are compressed: an API server begins at 128 KiB, but the documents of a bundle are smaller.
 */
static struct MHD_Response *body_response(const struct buf *body, bool is_gzip)
{
    size_t len;
    if (!is_gzip || body->len < GZIP_BODY_BYTES)
        return MHD_create_response_from_buffer(body->len, body->data, MHD_RESPMEM_MUST_COPY);
    char *member = gzipped(body->data, body->len, &len);
    struct MHD_Response *response =
        member != NULL ? MHD_create_response_from_buffer(len, member, MHD_RESPMEM_MUST_FREE) : NULL;
    if (response != NULL)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    return response;
}

static enum MHD_Result send_reply(const struct httpd_request *request, const struct reply *reply)
{
    bool is_gzip = strcmp(httpd_header(request, "Accept-Encoding"), "gzip") == 0;
    struct MHD_Response *response = reply->stream != NULL ? stream_response(reply->stream, is_gzip)
                                                          : body_response(&reply->body, is_gzip);
    if (response == NULL)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->content_type);
    if (reply->etag[0] != '\0')
        MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, reply->etag);
    if (reply->has_retry_after)
        MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    enum MHD_Result result = MHD_queue_response(request->connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer(const struct httpd *httpd, const struct httpd_request *request,
                              bool is_too_large)
{
    struct reply reply = {.status = 200, .content_type = "application/json"};
    buf_init(&reply.body, REPLY_CAP_BYTES);
    if (is_too_large)
        reply_problem(&reply, 413, "RequestEntityTooLarge", "the body is larger than %d bytes",
                      HTTPD_BODY_CAP_BYTES);
    else
        httpd->handler(httpd->user, request, &reply);
    fprintf(stderr, "%d %s %s%s\n", reply.status, request->method, request->path,
            reply.stream != NULL ? " (watch)" : "");
    /* MHD_NO closes the connection */
    enum MHD_Result result = reply.is_cut ? MHD_NO : send_reply(request, &reply);
    buf_deinit(&reply.body);
    return result;
}

/* Called with the headers, then with each piece of the body, then at its end; *state is the body. */
static enum MHD_Result on_access(void *cls, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *bytes, size_t *len,
                                 void **state)
{
    struct buf *body = *state;
    (void)version;
    if (body == NULL) {
        *state = body = mem_zalloc(sizeof *body);
        buf_init(body, HTTPD_BODY_CAP_BYTES);
    } else if (*len > 0) {
        buf_append(body, bytes, *len);
        *len = 0;
    } else {
        return answer(cls, &(struct httpd_request){method, url, body->data, body->len, connection},
                      body->is_full);
    }
    return MHD_YES;
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    (void)cls, (void)connection, (void)code;
    if (*state != NULL)
        buf_deinit(*state);
    mem_free(*state);
}

int httpd_start(unsigned port, httpd_handler *handler, void *user, struct httpd **out, struct err *err)
{
    struct httpd *httpd = mem_zalloc(sizeof *httpd);
    struct sockaddr_in loopback = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    httpd->handler = handler;
    httpd->user = user;
    httpd->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, 0, NULL, NULL,
        on_access, httpd, MHD_OPTION_SOCK_ADDR, &loopback, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1U,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL, MHD_OPTION_END);
    if (httpd->daemon == NULL) {
        mem_free(httpd);
        return err_set(err, ERR_NETWORK, "cannot listen on 127.0.0.1");
    }
    *out = httpd;
    return 0;
}

unsigned httpd_port(const struct httpd *httpd)
{
    return MHD_get_daemon_info(httpd->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

void httpd_stop(struct httpd *httpd)
{
    MHD_stop_daemon(httpd->daemon);
    mem_free(httpd);
}
