#include "typecheck/cel/schema/default_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 128 };

#define WRITTEN  DEFAULT_ROWS_WRITTEN
#define DROPPED  DEFAULT_ROWS_DROPPED
#define SENT     DEFAULT_ROWS_SENT
#define UPDATED  DEFAULT_ROWS_UPDATED
#define DECODED  DEFAULT_ROWS_DECODED
#define ADMITTED DEFAULT_ROWS_ADMITTED
#define CREATED  DEFAULT_ROWS_CREATED
#define ROW(how, stage, type, field, when, value)                                                            \
    {                                                                                                        \
        type, field, when, value, stage, how                                                                 \
    }
#define SET(...)  ROW(DEFAULT_ROWS_SET, __VA_ARGS__),
#define FILL(...) ROW(DEFAULT_ROWS_FILL, __VA_ARGS__),
#define PUT(...)  ROW(DEFAULT_ROWS_PUT, __VA_ARGS__),
#define DROP(...) ROW(DEFAULT_ROWS_DROP, DEFAULT_ROWS_DROPPED, __VA_ARGS__, "null"),

static const struct default_row rows[] = {
#include "typecheck/cel/schema/default_rows.def"
};
static const size_t row_count = sizeof rows / sizeof *rows;

static int compare_type(const void *name, const void *row)
{
    return strcmp(name, ((const struct default_row *)row)->type);
}

static struct default_rows find(const char *type)
{
    const struct default_row *row = bsearch(type, rows, row_count, sizeof *row, compare_type);
    if (row == NULL)
        return (struct default_rows){NULL, 0};
    size_t first = (size_t)(row - rows), end = first + 1;
    while (first > 0 && strcmp(rows[first - 1].type, type) == 0)
        first--;
    while (end < row_count && strcmp(rows[end].type, type) == 0)
        end++;
    return (struct default_rows){&rows[first], end - first};
}

struct default_rows default_rows_all(void)
{
    return (struct default_rows){rows, row_count};
}

struct default_rows default_rows_of(const struct component_name *name)
{
    char text[NAME_BYTES];
    const int len = snprintf(text, sizeof text, "%.*s.%.*s", STR_ARG(name->group), STR_ARG(name->type));
    return len < NAME_BYTES ? find(text) : (struct default_rows){NULL, 0};
}

struct default_rows default_rows_of_each(void)
{
    return find("*");
}

bool default_rows_is_version(struct str word, struct str version, int minor, bool *holds)
{
    if (word.len == 0 || strchr("@<>", word.at[0]) == NULL)
        return false;
    *holds = word.at[0] == '@'   ? str_eq(str_skip(word, 1), version)
             : word.at[0] == '<' ? minor < (int)strtol(word.at + 1, NULL, 10)
                                 : minor >= (int)strtol(word.at + 2, NULL, 10);
    return true;
}

bool default_rows_is_always(const struct default_row *row, struct str version, int minor)
{
    bool holds = true;
    for (const char *at = row->when; holds && *at != '\0';) {
        const struct str word = {at, strcspn(at, " ")};
        if (!default_rows_is_version(word, version, minor, &holds))
            return false;
        at += word.len + (at[word.len] == ' ');
    }
    return holds;
}
