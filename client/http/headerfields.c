#include "client/http/headerfields.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "client/base/err.h"
#include "client/base/mem.h"

void headerfields_init(struct headerfields *head)
{
    *head = (struct headerfields){.retry_after_ms = -1};
}

void headerfields_deinit(struct headerfields *head)
{
    mem_free(head->etag);
    mem_free(head->content_type);
    mem_free(head->warning);
    mem_free(head->content_encoding);
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

static bool is_named(const char *line, size_t name_len, const char *name)
{
    return name_len == strlen(name) && strncasecmp(line, name, name_len) == 0;
}

/* The field that keeps a line of this name as it is; NULL: none. */
static char **field_of(struct headerfields *head, const char *line, size_t name_len)
{
    const struct {
        const char *name;
        char **field;
    } fields[] = {
        {"etag", &head->etag},
        {"content-type", &head->content_type},
        {"content-encoding", &head->content_encoding},
        {"warning", &head->warning},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (is_named(line, name_len, fields[i].name))
            return fields[i].field;
    }
    return NULL;
}

void headerfields_line(struct headerfields *head, const char *line, size_t len, int64_t unix_s)
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
    char **field = field_of(head, line, name_len);
    if (field)
        keep(field, value, value_len);
    else if (is_named(line, name_len, "retry-after"))
        head->retry_after_ms = parse_retry_after(value, value_len, unix_s);
}
