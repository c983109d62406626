#include "controller/observe/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/platform.h"
#include "client/base/timer.h"

enum {
    ADDRESS_BYTES = 128,
    BACKLOG = 1024,
    HOST_BYTES = 16,
    NETWORK_BYTES = 8, /* the network part of an IPv6 address: its owner has the whole network */
    REQUEST_COST_BYTES = SERVE_TURN_PEER_BYTES / SERVE_TURN_PEER_REQUESTS, /* even of an empty answer */
};

/* One connection. */
struct peer {
    TAILQ_ENTRY(peer) link;
    TAILQ_ENTRY(peer) wait_link; /* while it is waiting */
    struct MHD_Connection *connection;
    int fd;
    unsigned char host[HOST_BYTES]; /* the peer's IPv4 address or IPv6 network */
    uint64_t since_ms;              /* its start, or its last answer */
    bool has_request;               /* a complete one, whose answer is under way */
    bool is_ended;                  /* hung up on; libmicrohttpd does not know yet */
    bool is_waiting;                /* its request waits, suspended, for a later turn */
    bool is_next;                   /* its request has waited long enough: it is answered in this turn */
    uint64_t turn;                  /* in which it was answered last */
    size_t turn_bytes;              /* that it cost in this turn */
};

struct serve {
    uv_loop_t *loop;
    struct serve_options options;
    struct MHD_Daemon *daemon;
    char address[ADDRESS_BYTES];
    TAILQ_HEAD(peers, peer) peers;     /* by since_ms, the oldest first */
    TAILQ_HEAD(waiting, peer) waiting; /* the next one first */
    uint64_t turn;                     /* the number of the loop's turn */
    size_t turn_bytes;                 /* that all answers of this turn cost */
    uint64_t resumed_turn;             /* in which peers were last let go on */
    bool is_closing;
    uv_poll_t poll;
    uv_prepare_t prepare; /* ends a turn */
    uv_timer_t timer;     /* libmicrohttpd's own timeouts, and ours */
    unsigned to_close;
    void (*on_closed)(void *user);
    void *close_user;
};

struct serve_request {
    struct MHD_Connection *connection;
    const char *rest;
};

/* Addresses */

bool serve_is_off(const char *address)
{
    return strcmp(address, "0") == 0;
}

/* "host:port" into its two parts; brackets of an IPv6 address are left out. */
static int split(const char *address, char host[ADDRESS_BYTES], const char **port, struct err *err)
{
    const char *colon = strrchr(address, ':');
    size_t len = colon == NULL ? 0 : (size_t)(colon - address);
    bool is_bracketed = len >= 2 && address[0] == '[' && address[len - 1] == ']';
    if (colon == NULL || len >= ADDRESS_BYTES || (!is_bracketed && memchr(address, ':', len) != NULL))
        return err_set(err, ERR_INVALID,
                       "'%.64s' is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080", address);
    size_t skipped = is_bracketed ? 1 : 0;
    memcpy(host, address + skipped, len - skipped - skipped);
    host[len - skipped - skipped] = '\0';
    *port = colon + 1;
    return 0;
}

/* The caller frees *out with freeaddrinfo. No host means every address of the machine. */
static int resolve(const char *address, struct addrinfo **out, struct err *err)
{
    char host[ADDRESS_BYTES] = "";
    const char *port = "";
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    if (split(address, host, &port, err) != 0)
        return -1;
    size_t digits = strspn(port, "0123456789");
    int failed = digits == 0 || digits > 5 || port[digits] != '\0' || strtol(port, NULL, 10) > 65535
                     ? EAI_SERVICE
                     : getaddrinfo(host[0] == '\0' ? NULL : host, port, &hints, out);
    if (failed != 0)
        return err_set(err, ERR_INVALID, "'%.64s': %s", address,
                       failed == EAI_SERVICE ? "the port is not a number from 0 to 65535"
                                             : "the host is not an IP address");
    return 0;
}

int serve_check_address(const char *address, struct err *err)
{
    struct addrinfo *found = NULL;
    if (serve_is_off(address))
        return 0;
    if (resolve(address, &found, err) != 0)
        return -1;
    freeaddrinfo(found);
    return 0;
}

static int open_socket(const struct addrinfo *a)
{
    const int on = 1, off = 0;
    int fd = platform_socket(a->ai_family, a->ai_socktype, a->ai_protocol);
    if (fd < 0)
        return -1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (a->ai_family == AF_INET6) /* [::] takes IPv4, too */
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    int failed = errno;
    close(fd);
    errno = failed;
    return -1;
}

/* IPv6 first: its wildcard is the one that takes both. A machine may have none. */
static int listen_on(const char *address, struct err *err)
{
    static const int families[] = {AF_INET6, AF_INET};
    struct addrinfo *found = NULL;
    int fd = -1, failed = 0;
    if (resolve(address, &found, err) != 0)
        return -1;
    for (size_t i = 0; i < 2 && fd < 0 && failed != EADDRINUSE; i++) {
        for (const struct addrinfo *a = found; a != NULL && fd < 0; a = a->ai_next) {
            if (a->ai_family != families[i])
                continue;
            fd = open_socket(a);
            failed = errno;
        }
    }
    freeaddrinfo(found);
    if (fd < 0)
        err_set(err, ERR_NETWORK, "cannot listen on %.64s: %s", address, strerror(failed));
    return fd;
}

static void name_address(int fd, char out[ADDRESS_BYTES])
{
    struct sockaddr_storage bound = {0};
    socklen_t len = sizeof bound;
    char host[INET6_ADDRSTRLEN] = "", port[8] = "";
    (void)getsockname(fd, (struct sockaddr *)&bound, &len);
    (void)getnameinfo((struct sockaddr *)&bound, len, host, sizeof host, port, sizeof port,
                      NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(out, ADDRESS_BYTES, bound.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

/* Requests */

const char *serve_rest(const struct serve_request *request)
{
    return request->rest;
}

struct wanted {
    const char *name, *value;
    bool is_found;
};

static enum MHD_Result look_at(void *cls, enum MHD_ValueKind kind, const char *key, const char *value)
{
    struct wanted *w = cls;
    (void)kind;
    if (strcmp(key, w->name) == 0 && (w->value == NULL || (value != NULL && strcmp(value, w->value) == 0)))
        w->is_found = true;
    return w->is_found ? MHD_NO : MHD_YES;
}

bool serve_has(const struct serve_request *request, const char *name, const char *value)
{
    struct wanted w = {name, value, false};
    MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, look_at, &w);
    return w.is_found;
}

static const struct serve_route *find_route(const struct serve *s, const char *path, const char **rest)
{
    for (size_t i = 0; i < s->options.n_routes; i++) {
        const struct serve_route *route = &s->options.routes[i];
        size_t len = strlen(route->path);
        *rest = path + len;
        if (strncmp(path, route->path, len) != 0)
            continue;
        if (path[len] == '\0')
            return route;
        if (path[len] == '/' && route->is_tree) {
            ++*rest;
            return route;
        }
    }
    return NULL;
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, const struct serve_reply *reply)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(reply->body.len, reply->body.data, MHD_RESPMEM_MUST_COPY);
    if (response == NULL)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->content_type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (reply->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return result;
}

static void refuse(struct serve_reply *reply, int status, const char *text)
{
    reply->status = status;
    buf_reset(&reply->body);
    buf_puts(&reply->body, text);
}

static bool has_body(struct MHD_Connection *connection)
{
    const char *length =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return (length != NULL && strcmp(length, "0") != 0) ||
           MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING) !=
               NULL;
}

static void make_reply(const struct serve *s, struct MHD_Connection *connection, const char *path,
                       const char *method, struct serve_reply *reply)
{
    struct serve_request request = {.connection = connection};
    const struct serve_route *route = find_route(s, path, &request.rest);
    if (has_body(connection))
        refuse(reply, MHD_HTTP_CONTENT_TOO_LARGE, "413 no request here has a body\n");
    else if (route == NULL)
        refuse(reply, MHD_HTTP_NOT_FOUND, "404 page not found\n");
    else if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        refuse(reply, MHD_HTTP_METHOD_NOT_ALLOWED, "405 method not allowed\n");
    else
        route->handler(s->options.user, &request, reply);
    if (reply->body.is_full)
        refuse(reply, MHD_HTTP_INTERNAL_SERVER_ERROR, "500 the answer is too long\n");
}

static struct peer *peer_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* The work of one turn */

/* A request that comes while others wait, waits behind them. */
static bool may_answer(const struct serve *s, const struct peer *p)
{
    const size_t of_peer = p->turn == s->turn ? p->turn_bytes : 0;
    return s->is_closing || p->is_next ||
           (TAILQ_EMPTY(&s->waiting) && of_peer < SERVE_TURN_PEER_BYTES && s->turn_bytes < SERVE_TURN_BYTES);
}

static void count_answer(struct serve *s, struct peer *p, size_t bytes)
{
    const size_t cost = REQUEST_COST_BYTES + bytes;
    p->turn_bytes = cost + (p->turn == s->turn ? p->turn_bytes : 0);
    p->turn = s->turn;
    p->is_next = false;
    s->turn_bytes += cost;
}

/* libmicrohttpd reads no more of it, and calls on_access with the same request again once it goes on. */
static void make_wait(struct serve *s, struct peer *p)
{
    MHD_suspend_connection(p->connection);
    p->is_waiting = true;
    TAILQ_INSERT_TAIL(&s->waiting, p, wait_link);
}

static void stop_waiting(struct serve *s, struct peer *p)
{
    if (!p->is_waiting)
        return;
    TAILQ_REMOVE(&s->waiting, p, wait_link);
    p->is_waiting = false;
}

static void go_on(struct serve *s, struct peer *p)
{
    stop_waiting(s, p);
    p->is_next = true;
    MHD_resume_connection(p->connection);
}

/* Lets those go on that have waited longest; acts once a turn. */
static void let_some_go_on(struct serve *s)
{
    if (s->resumed_turn == s->turn)
        return;
    s->resumed_turn = s->turn;
    for (int i = 0; i < SERVE_TURN_WAITERS && !TAILQ_EMPTY(&s->waiting); i++)
        go_on(s, TAILQ_FIRST(&s->waiting));
}

static void on_turn_ends(uv_prepare_t *prepare)
{
    struct serve *s = prepare->data;
    s->turn++;
    s->turn_bytes = 0;
}

/* Called with the headers, and again at the request's end. An answer to the headers alone makes
 * libmicrohttpd hang up behind it: right for a body that nobody will read. */
static enum MHD_Result on_access(void *cls, struct MHD_Connection *connection, const char *path,
                                 const char *method, const char *version, const char *bytes, size_t *len,
                                 void **state)
{
    static char is_seen;
    struct serve *s = cls;
    struct peer *p = peer_of(connection);
    struct serve_reply reply = {.status = MHD_HTTP_OK, .content_type = "text/plain; charset=utf-8"};
    (void)version, (void)bytes, (void)len;
    if (*state == NULL && !has_body(connection)) {
        *state = &is_seen;
        return MHD_YES;
    }
    if (p->is_ended)
        return MHD_NO;
    p->has_request = true;
    if (!may_answer(s, p)) {
        make_wait(s, p);
        return MHD_YES;
    }
    buf_init(&reply.body, s->options.body_cap_bytes);
    make_reply(s, connection, path, method, &reply);
    count_answer(s, p, reply.body.len);
    enum MHD_Result result = send_reply(connection, &reply);
    buf_deinit(&reply.body);
    return result;
}

/* Connections */

static void put_newest(struct serve *s, struct peer *p)
{
    p->since_ms = uv_now(s->loop);
    TAILQ_INSERT_TAIL(&s->peers, p, link);
}

static void name_host(const struct sockaddr *address, unsigned char host[HOST_BYTES])
{
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const void *)address;
        memcpy(host, &v4->sin_addr, sizeof v4->sin_addr);
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const void *)address;
        struct in6_addr found = v6->sin6_addr; /* musl's macro takes no const address */
        memcpy(host, &found, IN6_IS_ADDR_V4MAPPED(&found) ? HOST_BYTES : NETWORK_BYTES);
    }
}

/* libmicrohttpd closes it, and calls on_connection, in one of the next turns. */
static void hang_up(struct peer *p)
{
    p->is_ended = true;
    (void)shutdown(p->fd, SHUT_RDWR);
}

static bool is_of(const struct peer *p, const unsigned char *host)
{
    return host == NULL || memcmp(p->host, host, HOST_BYTES) == 0;
}

static size_t count_of(const struct serve *s, const unsigned char *host)
{
    size_t count = 0;
    for (const struct peer *p = TAILQ_FIRST(&s->peers); p != NULL; p = TAILQ_NEXT(p, link))
        count += !p->is_ended && is_of(p, host);
    return count;
}

/* The host with the most connections; of several the one whose connection is oldest. */
static const unsigned char *busiest_host(const struct serve *s)
{
    const unsigned char *busiest = NULL;
    size_t most = 0;
    for (const struct peer *p = TAILQ_FIRST(&s->peers); p != NULL; p = TAILQ_NEXT(p, link)) {
        const size_t count = count_of(s, p->host);
        if (count > most) {
            most = count;
            busiest = p->host;
        }
    }
    return busiest;
}

/* The connection of the host that gives way to the newcomer: the oldest without a complete request, else the
 * oldest whose answer was not read for too long. NULL: there is none. */
static struct peer *who_gives_way(const struct serve *s, const unsigned char *host,
                                  const struct peer *newcomer)
{
    struct peer *slow = NULL;
    for (struct peer *p = TAILQ_FIRST(&s->peers); p != NULL; p = TAILQ_NEXT(p, link)) {
        if (p->is_ended || p == newcomer || !is_of(p, host))
            continue;
        if (!p->has_request)
            return p;
        if (slow == NULL && uv_now(s->loop) - p->since_ms >= SERVE_ANSWER_LEAST_MS)
            slow = p;
    }
    return slow;
}

static struct peer *oldest_of(const struct serve *s, const unsigned char *host)
{
    for (struct peer *p = TAILQ_FIRST(&s->peers); p != NULL; p = TAILQ_NEXT(p, link)) {
        if (!p->is_ended && is_of(p, host))
            return p;
    }
    return NULL;
}

/* A host that holds all connections keeps nobody out: a newcomer is let in, and sends its request at
 * once. The host with the most connections gives way first, so that a single connection outlives a crowd
 * of newcomers until its request was read; for the newcomer of another host it gives way whatever it is
 * doing. */
static void let_in(struct serve *s, struct peer *newcomer)
{
    struct peer *goes;
    if (count_of(s, newcomer->host) > SERVE_CONNECTIONS_PER_PEER) {
        goes = who_gives_way(s, newcomer->host, newcomer);
    } else if (count_of(s, NULL) > SERVE_CONNECTIONS_MAX) {
        const unsigned char *busiest = busiest_host(s);
        goes = who_gives_way(s, busiest, newcomer);
        if (goes == NULL && !is_of(newcomer, busiest))
            goes = oldest_of(s, busiest);
    } else {
        return;
    }
    hang_up(goes != NULL ? goes : newcomer);
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode code)
{
    struct serve *s = cls;
    struct peer *p = *state;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        stop_waiting(s, p);
        TAILQ_REMOVE(&s->peers, p, link);
        mem_free(p);
        return;
    }
    *state = p = mem_zalloc(sizeof *p);
    p->connection = connection;
    p->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    name_host(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr, p->host);
    put_newest(s, p);
    let_in(s, p);
}

static void on_answered(void *cls, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code)
{
    struct serve *s = cls;
    struct peer *p = peer_of(connection);
    (void)state, (void)code;
    TAILQ_REMOVE(&s->peers, p, link);
    put_newest(s, p);
    p->has_request = false;
}

/* libmicrohttpd counts idle time only: a peer that sends a byte now and then would stay for ever. */
static void end_slow_peers(struct serve *s)
{
    for (struct peer *p = TAILQ_FIRST(&s->peers);
         p != NULL && uv_now(s->loop) - p->since_ms >= SERVE_REQUEST_MS; p = TAILQ_NEXT(p, link))
        hang_up(p);
}

/* The loop */

static void on_timer(uv_timer_t *timer);

static void turn(struct serve *s)
{
    enum { LOOK_MS = 1000 };
    MHD_UNSIGNED_LONG_LONG due_ms = LOOK_MS;
    end_slow_peers(s);
    let_some_go_on(s);
    MHD_run(s->daemon);
    bool has_due = MHD_get_timeout(s->daemon, &due_ms) == MHD_YES;
    if (!TAILQ_EMPTY(&s->waiting))
        timer_start(&s->timer, on_timer, 0, 0);
    else if (!has_due && TAILQ_EMPTY(&s->peers))
        uv_timer_stop(&s->timer);
    else
        timer_start(&s->timer, on_timer, has_due && due_ms < LOOK_MS ? due_ms : LOOK_MS, 0);
}

static void on_timer(uv_timer_t *timer)
{
    turn(timer->data);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    (void)status, (void)events;
    turn(poll->data);
}

static void on_log(void *cls, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

static void on_log(void *cls, const char *format, va_list args)
{
    char text[512];
    (void)cls;
    (void)vsnprintf(text, sizeof text, format, args);
    text[strcspn(text, "\n")] = '\0';
    log_debug("http", "%s", text);
}

/* Its limit leaves room for those that were hung up on in this turn: at it, it would let nobody in. */
static struct MHD_Daemon *start_daemon(struct serve *s, int fd)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_ERROR_LOG | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_access, s,
        MHD_OPTION_EXTERNAL_LOGGER, on_log, NULL, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
        2U * SERVE_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)SERVE_REQUEST_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVE_IDLE_S, MHD_OPTION_NOTIFY_CONNECTION, on_connection, s,
        MHD_OPTION_NOTIFY_COMPLETED, on_answered, s, MHD_OPTION_END);
}

int serve_start(uv_loop_t *loop, const struct serve_options *options, struct serve **out, struct err *err)
{
    int fd = listen_on(options->address, err);
    *out = NULL;
    if (fd < 0)
        return -1;
    struct serve *s = mem_zalloc(sizeof *s);
    TAILQ_INIT(&s->peers);
    TAILQ_INIT(&s->waiting);
    s->loop = loop;
    s->options = *options;
    name_address(fd, s->address);
    s->daemon = start_daemon(s, fd);
    if (s->daemon == NULL) {
        close(fd);
        mem_free(s);
        return err_set(err, ERR_INTERNAL, "cannot serve on %.64s", options->address);
    }
    uv_timer_init(loop, &s->timer);
    uv_poll_init(loop, &s->poll, MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd);
    uv_prepare_init(loop, &s->prepare);
    uv_prepare_start(&s->prepare, on_turn_ends);
    uv_unref((uv_handle_t *)&s->prepare);
    s->timer.data = s->poll.data = s->prepare.data = s;
    uv_poll_start(&s->poll, UV_READABLE, on_readable);
    *out = s;
    return 0;
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct serve *s = handle->data;
    if (--s->to_close > 0)
        return;
    void (*on_closed)(void *user) = s->on_closed;
    void *user = s->close_user;
    mem_free(s);
    on_closed(user);
}

void serve_close(struct serve *serve, void (*on_closed)(void *user), void *user)
{
    serve->on_closed = on_closed;
    serve->close_user = user;
    serve->to_close = 3;
    serve->is_closing = true;
    while (!TAILQ_EMPTY(&serve->waiting))
        go_on(serve, TAILQ_FIRST(&serve->waiting));
    MHD_run(serve->daemon);
    uv_poll_stop(&serve->poll); /* before its descriptor is closed */
    MHD_stop_daemon(serve->daemon);
    uv_close((uv_handle_t *)&serve->poll, on_handle_closed);
    uv_close((uv_handle_t *)&serve->prepare, on_handle_closed);
    uv_close((uv_handle_t *)&serve->timer, on_handle_closed);
}

const char *serve_address(const struct serve *serve)
{
    return serve->address;
}
