/*
 * httphead: the header fields of an answer that this client uses. Pure.
 *
 * Embedded in a request. The caller gives httphead_line one header line after
 * the other. The case of letters in a name does not matter; if a field comes
 * twice, the last one counts.
 *
 *     httphead_init(&head);
 *     httphead_line(&head, "Retry-After: 2\r\n", 16, time(NULL));
 */
#ifndef CLIENT_HTTP_HTTPHEAD_H
#define CLIENT_HTTP_HTTPHEAD_H

#include <stddef.h>
#include <stdint.h>

struct httphead {
    int retry_after_ms; /* at most ERR_RETRY_AFTER_MAX_MS; -1: no such header, or none that can be read */
    char *etag;         /* these are NULL if absent */
    char *content_type;
    char *warning;
    char *content_encoding;
};

void httphead_init(struct httphead *head);
void httphead_deinit(struct httphead *head);
/* unix_s is the time now, for a Retry-After that is a date. */
void httphead_line(struct httphead *head, const char *line, size_t len, int64_t unix_s);

#endif
