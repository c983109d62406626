#include "client/base/print.h"

#include <stdarg.h>
#include <string.h>

#include "client/base/cicommand.h"
#include "client/base/mem.h"
#include "client/base/plain.h"

/* The state of the last line of stdout or of stderr. */
static struct cicommand *line_of(const FILE *out)
{
    static struct cicommand lines[2];
    return &lines[out == stderr];
}

static void put(FILE *out, const char *text)
{
    struct cicommand *line = line_of(out);
    cleanup_mem char *spelled = cicommand_pass_harmless(line, text) ? NULL : cicommand_spell(line, text);
    (void)fputs(spelled == NULL ? text : spelled, out);
}

static void put_plain(FILE *out, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

static void put_plain(FILE *out, const char *fmt, va_list args)
{
    cleanup_mem char *text = mem_vprintf(fmt, args);
    cleanup_mem char *shown = plain_has_hidden(text) ? plain_line(text) : NULL;
    put(out, shown == NULL ? text : shown);
}

void print_line(FILE *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_plain(out, fmt, args);
    va_end(args);
    put(out, "\n");
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
    put(out, shown);
}

int print_raw(FILE *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    cleanup_mem char *text = mem_vprintf(fmt, args);
    va_end(args);
    return print_raw_text(out, text, strlen(text));
}

int print_raw_text(FILE *out, const char *text, size_t len)
{
    cicommand_pass(line_of(out), text, len);
    return fwrite(text, 1, len, out) < len ? -1 : (int)len;
}

void print_sequence(FILE *out, const char *sequence)
{
    if (*sequence != '\0')
        (void)print_raw(out, "%s", sequence);
}
