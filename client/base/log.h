/*
 * log: one line an event on stderr, as text or as JSON.
 *
 * The level and the format are the program's only globals; they are set once,
 * before the loop starts. key is the object the event is about (a policy's
 * name, a resource path), or NULL. Hidden characters (plain.h) are escaped, so a
 * policy's text can neither end a line nor reach a terminal. Tokens are never passed here.
 *
 *     log_info("my-policy", "status applied: %zu warnings", count);
 */
#ifndef CLIENT_BASE_LOG_H
#define CLIENT_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };
enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

/* A line is cut at this length (the mark "..." says so). */
enum { LOG_LINE_BYTES = 4096 };

/* Events above level are dropped. The default is INFO, TEXT. */
void log_set_level(enum log_level level);
void log_set_format(enum log_format format);
bool log_is_enabled(enum log_level level);

void log_event(enum log_level level, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#define log_error(...) log_event(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warn(...)  log_event(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_info(...)  log_event(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_event(LOG_LEVEL_DEBUG, __VA_ARGS__)

/* The pure part: renders one event, newline included, into out (cap_bytes >= 128);
 * returns its length. unix_ms is wall-clock time. */
size_t log_render(char *out, size_t cap_bytes, enum log_format format, enum log_level level,
                  long long unix_ms, const char *key, const char *message);

#endif
