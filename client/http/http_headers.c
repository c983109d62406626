#include "client/http/http_headers.h"

#include <string.h>

#include "client/base/mem.h"

void http_headers_add(struct http_headers *headers, const char *name, const char *value)
{
    for (const char *p = value; *p; p++) {
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return;
    }
    char *line = mem_array(strlen(name) + strlen(": ") + strlen(value) + 1, 1);
    (void)stpcpy(stpcpy(stpcpy(line, name), ": "), value);
    headers->lines = mem_realloc(headers->lines, headers->count + 1, sizeof(char *));
    headers->lines[headers->count++] = line;
}

void http_headers_cut(struct http_headers *headers, size_t count)
{
    while (headers->count > count)
        mem_free_secret(headers->lines[--headers->count]);
}

void http_headers_deinit(struct http_headers *headers)
{
    http_headers_cut(headers, 0);
    mem_free(headers->lines);
    *headers = (struct http_headers){0};
}
