#include "client/httphead.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "client/err.h"
#include "client/mem.h"

void httphead_init(struct httphead *head)
{
    *head = (struct httphead){.retry_after_ms = -1};
}

void httphead_deinit(struct httphead *head)
{
    mem_free(head->etag);
    mem_free(head->content_type);
    mem_free(head->warning);
}

static void keep(char **field, const char *value, size_t len)
{
    mem_free(*field);
    *field = mem_strndup(value, len);
}

/* Seconds, or a date as RFC 9110 wants it. */
static int parse_retry_after(const char *value, size_t len, int64_t unix_s)
{
    char text[64];
    struct tm date = {0};
    if (len == 0 || len >= sizeof text)
        return -1;
    memcpy(text, value, len);
    text[len] = '\0';
    if (strspn(text, "0123456789") == len)
        return err_retry_after_ms(strtoll(text, NULL, 10));
    const char *end = strptime(text, "%a, %d %b %Y %H:%M:%S GMT", &date);
    return end && *end == '\0' ? err_retry_after_ms((int64_t)timegm(&date) - unix_s) : -1;
}

void httphead_line(struct httphead *head, const char *line, size_t len, int64_t unix_s)
{
    const char *colon = memchr(line, ':', len);
    if (!colon)
        return;
    const size_t name_len = (size_t)(colon - line);
    const char *value = colon + 1;
    const char *end = line + len;
    while (value < end && (*value == ' ' || *value == '\t'))
        value++;
    while (end > value && strchr(" \t\r\n", end[-1]))
        end--;
    const size_t value_len = (size_t)(end - value);
    if (name_len == 4 && strncasecmp(line, "etag", 4) == 0)
        keep(&head->etag, value, value_len);
    else if (name_len == 12 && strncasecmp(line, "content-type", 12) == 0)
        keep(&head->content_type, value, value_len);
    else if (name_len == 7 && strncasecmp(line, "warning", 7) == 0)
        keep(&head->warning, value, value_len);
    else if (name_len == 11 && strncasecmp(line, "retry-after", 11) == 0)
        head->retry_after_ms = parse_retry_after(value, value_len, unix_s);
}
