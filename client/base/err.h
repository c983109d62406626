/*
 * err: how a fallible function says what went wrong.
 *
 * A struct err belongs to the caller, lives on its stack or in its operation,
 * and allocates nothing. Its code is a decision ("the object is gone"), its
 * message a text for a person; the message never holds a token or a Secret's
 * value. Fallible functions return 0 or -1 and take the struct err * last.
 *
 *     struct err err = {0};
 *     if (config_source_load(&source, &config, &err) != 0)
 *         log_error(NULL, "%s", err.msg);
 */
#ifndef CLIENT_BASE_ERR_H
#define CLIENT_BASE_ERR_H

#include <stdbool.h>
#include <stdint.h>

#define MUST_CHECK __attribute__((warn_unused_result))

enum {
    ERR_MSG_BYTES = 1024,
    /* The longest wait that a server can ask for. API servers ask for seconds; a broken proxy must not keep a
     * watch closed for a day. */
    ERR_RETRY_AFTER_MAX_MS = 5 * 60 * 1000,
};

enum err_code {
    ERR_NONE,
    ERR_NOT_FOUND,    /* 404, a missing file: it is not there */
    ERR_CONFLICT,     /* 409: somebody else was faster, or it exists already */
    ERR_GONE,         /* 410: the version asked for is no longer kept */
    ERR_UNAUTHORIZED, /* 401 */
    ERR_FORBIDDEN,    /* 403 */
    ERR_THROTTLED,    /* 429 */
    ERR_UNAVAILABLE,  /* 5xx */
    ERR_TIMEOUT,
    ERR_NETWORK,  /* refused, reset, unresolvable */
    ERR_TLS,      /* handshake or certificate */
    ERR_PROTOCOL, /* an answer that makes no sense */
    ERR_LIMIT,    /* a named cap was reached; 413 */
    ERR_INVALID,  /* input that is wrong and stays wrong; 400, 415, 422 */
    ERR_CANCELED,
    ERR_INTERNAL,
};

struct err {
    enum err_code code;
    int http_status;    /* 0 where no HTTP answer was involved */
    int retry_after_ms; /* the delay that the server asked for; 0: none */
    char msg[ERR_MSG_BYTES];
};

/* Sets code and message, clears the rest. err may be NULL. Returns -1, so that
 * `return err_set(err, ...)` fails. A longer message is cut at a whole UTF-8 character. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts "text: " before the message; code and the rest stay. Returns -1. */
int err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The seconds that a server asks us to wait, as milliseconds from 0 to ERR_RETRY_AFTER_MAX_MS. */
int err_retry_after_ms(int64_t seconds);

void err_clear(struct err *err);

/* Copies from, which may be NULL (then to is cleared). */
void err_copy(struct err *to, const struct err *from);

/* The one decision whether the same request, unchanged, succeeds later if one only waits: a server that is
 * starting, a network that comes back. Not retriable: an error that lasts until a person changes something
 * (rights, certificates). */
bool err_is_retriable(const struct err *err);

/* "NotFound", "Conflict", ...: for logs and metric labels. Static. */
const char *err_code_name(enum err_code code);

#endif
