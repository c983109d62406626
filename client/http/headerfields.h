/*
 * headerfields: the header fields of an answer that this client uses. Pure.
 *
 * Embedded in a request. The caller gives headerfields_line one header line after
 * the other. The case of letters in a name does not matter; if a field comes
 * twice, the last one counts.
 *
 *     headerfields_init(&head);
 *     headerfields_line(&head, "Retry-After: 2\r\n", 16, time(NULL));
 */
#ifndef CLIENT_HTTP_HEADERFIELDS_H
#define CLIENT_HTTP_HEADERFIELDS_H

#include <stddef.h>
#include <stdint.h>

struct headerfields {
    int retry_after_ms; /* at most ERR_RETRY_AFTER_MAX_MS; -1: no such header, or none that can be read */
    char *etag;         /* these are NULL if absent */
    char *content_type;
    char *warning;
    char *content_encoding;
};

void headerfields_init(struct headerfields *head);
void headerfields_deinit(struct headerfields *head);
/* unix_s is the time now, for a Retry-After that is a date. */
void headerfields_line(struct headerfields *head, const char *line, size_t len, int64_t unix_s);

#endif
