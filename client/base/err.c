#include "client/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"

static void format_message(char *msg, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

/* vsnprintf cuts at a byte; a message is cut at a character. */
static void format_message(char *msg, const char *fmt, va_list args)
{
    const int needed = vsnprintf(msg, ERR_MSG_BYTES, fmt, args);
    if (needed >= ERR_MSG_BYTES) {
        const size_t keep = utf8_cut(msg, ERR_MSG_BYTES - 1, ERR_MSG_BYTES - 4);
        memcpy(msg + keep, "...", 4);
    }
}

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
    if (!err)
        return -1;
    /* The arguments may point into err->msg itself. */
    char msg[ERR_MSG_BYTES];
    va_list args;
    va_start(args, fmt);
    format_message(msg, fmt, args);
    va_end(args);
    err_clear(err);
    err->code = code;
    memcpy(err->msg, msg, strlen(msg) + 1);
    return -1;
}

static void format_prefix(char *msg, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void format_prefix(char *msg, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    format_message(msg, fmt, args);
    va_end(args);
}

int err_prefix(struct err *err, const char *fmt, ...)
{
    if (!err)
        return -1;
    char prefix[ERR_MSG_BYTES];
    char msg[ERR_MSG_BYTES];
    va_list args;
    va_start(args, fmt);
    format_message(prefix, fmt, args);
    va_end(args);
    format_prefix(msg, "%s: %s", prefix, err->msg);
    memcpy(err->msg, msg, strlen(msg) + 1);
    return -1;
}

int err_retry_after_ms(int64_t seconds)
{
    const int64_t most = ERR_RETRY_AFTER_MAX_MS / 1000;
    return (int)(seconds < 0 ? 0 : seconds > most ? most : seconds) * 1000;
}

void err_clear(struct err *err)
{
    err->code = ERR_NONE;
    err->http_status = 0;
    err->retry_after_ms = 0;
    err->msg[0] = '\0';
}

void err_copy(struct err *to, const struct err *from)
{
    if (!to)
        return;
    if (from)
        *to = *from;
    else
        err_clear(to);
}

bool err_is_retriable(const struct err *err)
{
    return err->code == ERR_THROTTLED || err->code == ERR_UNAVAILABLE || err->code == ERR_TIMEOUT ||
           err->code == ERR_NETWORK;
}

const char *err_code_name(enum err_code code)
{
    static const char *const names[] = {
        [ERR_NONE] = "None",
        [ERR_NOT_FOUND] = "NotFound",
        [ERR_CONFLICT] = "Conflict",
        [ERR_GONE] = "Gone",
        [ERR_UNAUTHORIZED] = "Unauthorized",
        [ERR_FORBIDDEN] = "Forbidden",
        [ERR_THROTTLED] = "Throttled",
        [ERR_UNAVAILABLE] = "Unavailable",
        [ERR_TIMEOUT] = "Timeout",
        [ERR_NETWORK] = "Network",
        [ERR_TLS] = "TLS",
        [ERR_PROTOCOL] = "Protocol",
        [ERR_LIMIT] = "Limit",
        [ERR_INVALID] = "Invalid",
        [ERR_CANCELED] = "Canceled",
        [ERR_INTERNAL] = "Internal",
    };
    return (size_t)code < sizeof names / sizeof names[0] ? names[code] : "Unknown";
}
