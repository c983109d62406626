#include "client/http/http_request.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#include "client/base/mem.h"
#include "client/base/platform.h"
#include "client/http/tls.h"
#include "client/http/url.h"

/* ---- the answer: curl's callbacks note and hand out ---- */

/* Reads the encoding of the body. */
static int read_encoding(struct http_request *r)
{
    const char *encoding = r->head.content_encoding;
    if (!encoding || !*encoding || strcasecmp(encoding, "identity") == 0)
        return 0;
    r->is_gzip = strcasecmp(encoding, "gzip") == 0;
    return r->is_gzip
               ? 0
               : err_set(&r->failure, ERR_PROTOCOL, "an answer in an unknown encoding: %.60s", encoding);
}

/* Calls on_head once the head is complete. Returns -1 if that is the request's end. */
static int give_head(struct http_request *r)
{
    long status = 0;
    if (r->has_head)
        return 0;
    r->has_head = true;
    if (read_encoding(r) != 0)
        return -1;
    (void)curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
    const struct http_head head = {
        .status = (int)status,
        .retry_after_ms = r->head.retry_after_ms,
        .etag = r->head.etag ? r->head.etag : "",
        .content_type = r->head.content_type ? r->head.content_type : "",
        .warning = r->head.warning ? r->head.warning : "",
    };
    if (!r->handler->on_head || r->handler->on_head(r->user, &head) == 0)
        return 0;
    r->was_refused = true;
    return -1;
}

static size_t on_header_line(char *line, size_t size, size_t count, void *user)
{
    struct http_request *r = user;
    const size_t len = size * count;
    if (r->state == HTTP_REQUEST_CANCELED)
        return 0;
    r->header_bytes += len;
    if (r->header_bytes > HTTP_HEADER_CAP_BYTES) {
        (void)err_set(&r->failure, ERR_LIMIT, "headers of more than %d bytes", HTTP_HEADER_CAP_BYTES);
        return 0;
    }
    if (!r->has_head)
        headerfields_line(&r->head, line, len, time(NULL));
    if (r->has_head || len > 2 || strspn(line, "\r\n") < len)
        return len;
    long status = 0;
    (void)curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
    /* 1xx: the real head is still to come. */
    if (status >= 200 && give_head(r) != 0)
        return 0;
    return len;
}

/* ---- the body ---- */

/* Hands out bytes of the decoded body. */
static int give_bytes(void *user, const char *bytes, size_t len, struct err *err)
{
    struct http_request *r = user;
    r->body_bytes += len;
    if (r->cap_bytes && r->body_bytes > r->cap_bytes)
        return err_set(err, ERR_LIMIT, "an answer of more than %zu bytes", r->cap_bytes);
    if (r->handler->on_data && r->handler->on_data(r->user, bytes, len) != 0) {
        r->was_refused = true;
        return -1;
    }
    return r->state == HTTP_REQUEST_CANCELED ? -1 : 0;
}

/* Hands out as much as this turn may; *bytes and *len move on. */
static int give_some(struct http_request *r, const char **bytes, size_t *len)
{
    const uint64_t now_ms = uv_now(r->common->loop);
    if (now_ms != r->turn_ms)
        r->turn_work = HTTP_TURN_WORK;
    r->turn_ms = now_ms;
    if (r->is_gzip)
        return gunzip_feed(&r->gunzip, bytes, len, &r->turn_work, give_bytes, r, &r->failure);
    const char *begin = *bytes;
    const size_t given = *len < r->turn_work ? *len : r->turn_work;
    r->turn_work -= given;
    *bytes += given;
    *len -= given;
    return given > 0 ? give_bytes(r, begin, given, &r->failure) : 0;
}

/* The rest is for the next turns, and curl waits. */
static int keep_rest(struct http_request *r, const char *bytes, size_t len)
{
    if (buf_append(&r->rest, bytes, len) != 0)
        return err_set(&r->failure, ERR_LIMIT, "more than %d bytes at once", HTTP_REST_CAP_BYTES);
    (void)curl_easy_pause(r->easy, CURLPAUSE_RECV);
    r->common->on_rest(r->http);
    return 0;
}

static int take_body(struct http_request *r, const char *bytes, size_t len)
{
    if (http_request_has_rest(r))
        return keep_rest(r, bytes, len);
    if (give_some(r, &bytes, &len) != 0)
        return -1;
    return len > 0 || gunzip_has_more(&r->gunzip) ? keep_rest(r, bytes, len) : 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *user)
{
    struct http_request *r = user;
    const size_t len = size * count;
    if (r->state == HTTP_REQUEST_CANCELED)
        return CURL_WRITEFUNC_ERROR;
    if (give_head(r) != 0)
        return CURL_WRITEFUNC_ERROR;
    if (r->state == HTTP_REQUEST_CANCELED)
        return CURL_WRITEFUNC_ERROR;
    return take_body(r, bytes, len) == 0 ? len : CURL_WRITEFUNC_ERROR;
}

bool http_request_has_rest(const struct http_request *r)
{
    return r->rest.len > r->rest_at || gunzip_has_more(&r->gunzip);
}

void http_request_complete(struct http_request *r, CURLcode code)
{
    r->is_complete = true;
    r->curl_code = code;
}

bool http_request_go_on(struct http_request *r, CURLcode *code)
{
    const char *bytes = r->rest.data + r->rest_at;
    size_t len = r->rest.len - r->rest_at;
    r->turn_ms = 0;
    *code = CURLE_WRITE_ERROR;
    if (give_some(r, &bytes, &len) != 0)
        return true;
    r->rest_at = r->rest.len - len;
    if (http_request_has_rest(r))
        return false;
    buf_deinit(&r->rest);
    r->rest_at = 0;
    *code = r->is_complete ? r->curl_code : curl_easy_pause(r->easy, CURLPAUSE_CONT);
    return r->is_complete || *code != CURLE_OK;
}

/* ---- the request: parameters to options ---- */

/* Opens a socket as curl does, but no program that we start inherits it. */
static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
    (void)user;
    (void)purpose;
    return platform_socket(address->family, address->socktype, address->protocol);
}

/* A dead peer must be noticed within HTTP_USER_TIMEOUT_MS, whether we are sending or waiting. */
static int on_socket_made(void *user, curl_socket_t fd, curlsocktype purpose)
{
    struct http_request *r = user;
    if (purpose != CURLSOCKTYPE_IPCXN)
        return CURL_SOCKOPT_OK;
    const int probes = HTTP_KEEPALIVE_PROBES;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    platform_limit_silence(fd, HTTP_USER_TIMEOUT_MS);
    r->fd = fd;
    return CURL_SOCKOPT_OK;
}

static void add_header(struct http_request *r, const char *line)
{
    struct curl_slist *more = curl_slist_append(r->headers, line);
    if (more)
        r->headers = more;
    else
        (void)err_set(&r->failure, ERR_INTERNAL, "no memory for a header");
}

/* Parsed here: a text that curl parses itself it prints again, character by character, which costs more than
 * all else that is done to it. One that is malformed is left to curl, which says what is wrong. */
static void set_parsed_url(struct http_request *r, const char *url)
{
    curl_easy_setopt(r->easy, CURLOPT_URL, url);
    r->url = curl_url();
    const bool is_proper = r->url && curl_url_set(r->url, CURLUPART_URL, url, 0) == CURLUE_OK;
    curl_easy_setopt(r->easy, CURLOPT_CURLU, is_proper ? r->url : NULL);
}

/* A different name for the certificate: the URL gets that name, the connection goes to the real
 * host all the same, and so does the Host header. */
static void set_url(struct http_request *r, const char *url)
{
    const char *name = r->common->tls ? tls_server_name(r->common->tls) : NULL;
    struct url_renamed renamed;
    if (!name || !url_rename(url, name, &renamed)) {
        set_parsed_url(r, url);
        return;
    }
    add_header(r, renamed.host_header);
    r->connect_to = curl_slist_append(NULL, renamed.connect_to);
    set_parsed_url(r, renamed.url);
    url_renamed_deinit(&renamed);
}

/* Sets the options that all requests have in common, once for an easy handle. */
static void set_common(CURL *easy, const struct http_request_common *common, struct err *failure)
{
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* else who ends a request while its host's name is looked up waits, with the loop, for the resolver */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, (long)HTTP_KEEPALIVE_IDLE_S);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, (long)HTTP_KEEPALIVE_EVERY_S);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, on_socket_made);
    if (common->proxy_url)
        curl_easy_setopt(easy, CURLOPT_PROXY, common->proxy_url);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (common->basic_auth) {
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        curl_easy_setopt(easy, CURLOPT_USERPWD, common->basic_auth);
    }
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header_line);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    if (common->tls && tls_apply(common->tls, easy, failure) != 0)
        return; /* the failure is reported from the loop, as every other */
}

/* This and the functions below set everything that differs from request to request, since the last one's
 * value may be there. */
static void set_connection(struct http_request *r, const struct http_params *p)
{
    CURL *easy = r->easy;
    const bool is_tls = strncmp(p->url, "https:", 6) == 0;
    r->is_patient = !p->new_connection && is_tls;
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, r->is_patient ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, p->new_connection ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, p->new_connection ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)HTTP_CONNECT_TIMEOUT_MS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, r->is_short ? (long)p->timeout_ms : 0L);
    curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, r);
    curl_easy_setopt(easy, CURLOPT_PROXYHEADER, is_tls ? r->common->proxy_headers : NULL);
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, r->connect_to);
}

static void set_method(CURL *easy, const struct http_params *p)
{
    if (p->body) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)p->body_len);
        curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, p->body);
    } else {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, NULL);
        curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, p->method);
}

static void set_request(struct http_request *r, const struct http_params *p)
{
    CURL *easy = r->easy;
    const struct http_request_common *common = r->common;
    set_method(easy, p);
    if (p->body)
        add_header(r, "Expect:");
    /* The server compresses each event of a watch alone: for both that is more work than the bytes are worth.
     * The answer to a write is short. */
    if (!common->disable_compression && r->is_short && !p->body)
        add_header(r, "Accept-Encoding: gzip");
    for (size_t i = 0; p->headers && i < p->headers->count; i++)
        add_header(r, p->headers->lines[i]);
    /* as a header like the others: CURLOPT_USERAGENT is printed twice a request */
    if (common->user_agent)
        add_header(r, common->user_agent);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, r->headers);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, r);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, r);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, r);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, r->curl_message);
}

/* One that is kept, or a new one; NULL: curl has no memory. */
static CURL *take_easy(struct http_request_common *common, struct err *failure)
{
    if (common->n_idle > 0)
        return common->idle[--common->n_idle];
    CURL *easy = curl_easy_init();
    if (easy)
        set_common(easy, common, failure);
    else
        (void)err_set(failure, ERR_INTERNAL, "libcurl has no easy handle");
    return easy;
}

struct http_request *http_request_new(struct http_request_common *common, const struct http_params *params,
                                      const struct http_handler *handler, void *user)
{
    struct http_request *r = mem_zalloc(sizeof *r);
    r->common = common;
    r->handler = handler;
    r->user = user;
    r->cap_bytes = params->cap_bytes;
    r->write_timeout_ms = strcmp(params->method, "GET") != 0 ? params->timeout_ms : 0;
    r->fd = -1;
    r->is_short = params->profile == HTTP_SHORT;
    r->generation = common->generation;
    headerfields_init(&r->head);
    gunzip_init(&r->gunzip);
    buf_init(&r->rest, HTTP_REST_CAP_BYTES);
    r->easy = take_easy(common, &r->failure);
    if (r->easy) {
        set_url(r, params->url);
        set_connection(r, params);
        set_request(r, params);
    }
    return r;
}

/* Kept for another request, without what is this one's; an easy handle costs curl more to make than to use.
 */
static void give_back(struct http_request *r)
{
    struct http_request_common *common = r->common;
    if (!r->is_short || r->failure.code != ERR_NONE || r->generation != common->generation ||
        common->n_idle == HTTP_IDLE_MAX) {
        curl_easy_cleanup(r->easy);
        return;
    }
    curl_easy_setopt(r->easy, CURLOPT_CURLU, NULL);
    curl_easy_setopt(r->easy, CURLOPT_CONNECT_TO, NULL);
    curl_easy_setopt(r->easy, CURLOPT_HTTPHEADER, NULL);
    curl_easy_setopt(r->easy, CURLOPT_POSTFIELDS, NULL);
    curl_easy_setopt(r->easy, CURLOPT_ERRORBUFFER, NULL);
    common->idle[common->n_idle++] = r->easy;
}

void http_request_drop_idle(struct http_request_common *common)
{
    while (common->n_idle > 0)
        curl_easy_cleanup(common->idle[--common->n_idle]);
}

void http_request_renew_common(struct http_request_common *common)
{
    common->generation++;
    http_request_drop_idle(common);
}

void http_request_free(struct http_request *r)
{
    if (r->easy)
        give_back(r);
    curl_url_cleanup(r->url);
    curl_slist_free_all(r->headers);
    curl_slist_free_all(r->connect_to);
    headerfields_deinit(&r->head);
    gunzip_deinit(&r->gunzip);
    buf_deinit(&r->rest);
    mem_free(r);
}

struct http_request *http_request_of(CURL *easy)
{
    struct http_request *r = NULL;
    (void)curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&r);
    return r;
}

void http_request_keep_within(struct http_request *r, uint64_t left_ms)
{
    if (left_ms <= 1) {
        (void)err_set(&r->failure, ERR_CANCELED, "no request may begin any more");
        return;
    }
    if (left_ms <= HTTP_CONNECT_TIMEOUT_MS)
        curl_easy_setopt(r->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(left_ms - 1));
    if (left_ms <= r->write_timeout_ms)
        curl_easy_setopt(r->easy, CURLOPT_TIMEOUT_MS, (long)(left_ms - 1));
}

/* ---- connecting: curl has one limit for all of it ---- */

/* One that it can use: the request goes out. */
static bool has_connection(const struct http_request *r)
{
    curl_off_t ready_us = 0;
    (void)curl_easy_getinfo(r->easy, CURLINFO_PRETRANSFER_TIME_T, &ready_us);
    return ready_us > 0;
}

/* TCP is connected, and the layers above it are not. (curl tells the first only with the second.) */
static bool is_in_handshake(const struct http_request *r)
{
    struct sockaddr_storage peer;
    socklen_t len = sizeof peer;
    return !has_connection(r) && r->fd >= 0 && getpeername(r->fd, (struct sockaddr *)&peer, &len) == 0;
}

bool http_request_has_stalled(struct http_request *r, uint64_t now_ms)
{
    if (!is_in_handshake(r))
        return false;
    if (r->handshake_ms == 0)
        r->handshake_ms = now_ms;
    return now_ms - r->handshake_ms >= HTTP_HANDSHAKE_TIMEOUT_MS;
}

bool http_request_has_waited(const struct http_request *r, uint64_t now_ms)
{
    return r->is_patient && r->fd < 0 && !has_connection(r) && now_ms - r->started_ms >= HTTP_PATIENCE_MS;
}

void http_request_end_patience(struct http_request *r)
{
    r->is_patient = false;
    curl_easy_setopt(r->easy, CURLOPT_PIPEWAIT, 0L);
}

/* ---- the end ---- */

static enum err_code code_of_curl(CURLcode code)
{
    switch ((int)code) {
    case CURLE_OPERATION_TIMEDOUT:
        return ERR_TIMEOUT;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_PROXY:
        return ERR_NETWORK;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CLIENTCERT:
        return ERR_TLS;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return ERR_INVALID;
    case CURLE_OUT_OF_MEMORY:
        return ERR_INTERNAL;
    default:
        return ERR_PROTOCOL;
    }
}

int http_request_result(const struct http_request *r, CURLcode code, struct err *err)
{
    if (r->failure.code != ERR_NONE) {
        err_copy(err, &r->failure);
        return -1;
    }
    if (r->was_refused)
        return err_set(err, ERR_CANCELED, "the answer was refused");
    if (code != CURLE_OK)
        return err_set(err, code_of_curl(code), "%s",
                       r->curl_message[0] ? r->curl_message : curl_easy_strerror(code));
    /* curl is content with a head that was cut; we are not. */
    if (!r->has_head)
        return err_set(err, ERR_NETWORK, "the connection ended within the head of the answer");
    return r->is_gzip ? gunzip_end(&r->gunzip, err) : 0;
}
