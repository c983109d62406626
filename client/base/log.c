#include "client/base/log.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bytes/utf8.h"
#include "client/base/plain.h"
#include "client/base/rfc3339.h"

static enum log_level current_level = LOG_LEVEL_INFO;
static enum log_format current_format = LOG_FORMAT_TEXT;

static const char *const level_names[] = {[LOG_LEVEL_ERROR] = "error",
                                          [LOG_LEVEL_WARN] = "warn",
                                          [LOG_LEVEL_INFO] = "info",
                                          [LOG_LEVEL_DEBUG] = "debug"};

void log_set_level(enum log_level level)
{
    current_level = level;
}

void log_set_format(enum log_format format)
{
    current_format = format;
}

bool log_is_enabled(enum log_level level)
{
    return level <= current_level;
}

/* A line under construction. Text that does not fit is left out. */
struct line {
    char *out;
    size_t len;
    size_t cap;
    bool is_json;
};

/* Room kept for "..." and what closes the line. */
enum { TAIL_BYTES = 8, KEY_BYTES = 512 };

static void put(struct line *l, const char *bytes, size_t len)
{
    if (len > l->cap - l->len)
        len = l->cap - l->len;
    memcpy(l->out + l->len, bytes, len);
    l->len += len;
}

static void put_text(struct line *l, const char *text)
{
    put(l, text, strlen(text));
}

/* One character as it may stand on the line; returns its length. */
static size_t escape(const struct line *l, uint32_t code, const char *bytes, size_t len,
                     char out[PLAIN_SPELLED_BYTES])
{
    const bool is_special = code == '"' || code == '\\';
    if (plain_is_hidden(code))
        return plain_spell(code, PLAIN_JSON, out);
    if (code == UTF8_REPLACEMENT)
        return utf8_put(code, out);
    if (is_special && l->is_json)
        return (size_t)snprintf(out, PLAIN_SPELLED_BYTES, "\\%c", (int)code);
    memcpy(out, bytes, len);
    return len;
}

/* Writes at most room bytes of the text, then "...". */
static void put_escaped(struct line *l, const char *text, size_t room)
{
    const size_t end = l->len + room < l->cap - TAIL_BYTES ? l->len + room : l->cap - TAIL_BYTES;
    const size_t len = strlen(text);
    for (size_t i = 0; i < len;) {
        uint32_t code;
        char escaped[PLAIN_SPELLED_BYTES];
        const size_t plain = plain_run(text + i, len - i);
        if (plain > 0 && l->len + plain <= end) {
            put(l, text + i, plain);
            i += plain;
            continue;
        }
        const size_t n = utf8_next(text + i, len - i, &code);
        const size_t m = escape(l, code, text + i, n, escaped);
        if (l->len + m > end) {
            put_text(l, "...");
            return;
        }
        put(l, escaped, m);
        i += n;
    }
}

size_t log_render(char *out, size_t cap_bytes, enum log_format format, enum log_level level,
                  long long unix_ms, const char *key, const char *message)
{
    struct line l = {.out = out, .cap = cap_bytes, .is_json = format == LOG_FORMAT_JSON};
    char time[RFC3339_BYTES];
    rfc3339_format(time, unix_ms * 1000, RFC3339_MILLISECONDS);
    put_text(&l, l.is_json ? "{\"ts\":\"" : "");
    put_text(&l, time);
    put_text(&l, l.is_json ? "\",\"level\":\"" : " ");
    put_text(&l, level_names[level]);
    put_text(&l, l.is_json ? "\"," : " ");
    if (key) {
        put_text(&l, l.is_json ? "\"key\":\"" : "[");
        put_escaped(&l, key, KEY_BYTES);
        put_text(&l, l.is_json ? "\"," : "] ");
    }
    put_text(&l, l.is_json ? "\"msg\":\"" : "");
    put_escaped(&l, message, cap_bytes);
    put_text(&l, l.is_json ? "\"}\n" : "\n");
    return l.len;
}

/* One write(2), so that lines of several processes on one pipe stay whole. */
void log_event(enum log_level level, const char *key, const char *fmt, ...)
{
    if (!log_is_enabled(level))
        return;
    char message[LOG_LINE_BYTES];
    char line[LOG_LINE_BYTES];
    struct timespec now;
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    clock_gettime(CLOCK_REALTIME, &now);
    const long long unix_ms = (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    const size_t len = log_render(line, sizeof line, current_format, level, unix_ms, key, message);
    if (write(STDERR_FILENO, line, len) < 0)
        return; /* there is nowhere left to say it */
}
