#include "client/base/print.h"

#include <stdarg.h>

#include "client/base/mem.h"
#include "client/base/plain.h"

static void put_plain(FILE *out, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

static void put_plain(FILE *out, const char *fmt, va_list args)
{
    cleanup_mem char *text = mem_vprintf(fmt, args);
    cleanup_mem char *shown = plain_line(text);
    (void)fputs(shown, out);
}

void print_line(FILE *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_plain(out, fmt, args);
    va_end(args);
    (void)fputc('\n', out);
}

void print_part(FILE *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_plain(out, fmt, args);
    va_end(args);
}

void print_text(FILE *out, const char *text)
{
    cleanup_mem char *shown = plain_text(text);
    (void)fputs(shown, out);
}

int print_raw(FILE *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int len = vfprintf(out, fmt, args);
    va_end(args);
    return len;
}
