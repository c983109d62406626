/*
 * source: the text of one expression, and the line and column of an offset.
 *
 * Places are byte offsets into `text` (SOURCE_NOWHERE: no place); line and
 * column are made from them only when an issue is rendered. The text is
 * UTF-8 as JSON gave it; a byte that is not counts as one code point.
 * Borrows the text, allocates in the arena.
 */
#ifndef TYPECHECK_SYNTAX_SOURCE_H
#define TYPECHECK_SYNTAX_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;

#define SOURCE_NOWHERE UINT32_MAX

/* Before the first character, shown as 1:0: where cel-go puts what has a place but no token. */
#define SOURCE_BEFORE (UINT32_MAX - 1)

/* More code points than this are refused with upstream's own words. */
#define SOURCE_MAX_CODE_POINTS 100000u

struct source {
    struct str text;
    size_t code_points;
    uint32_t *line_starts; /* byte offset of each line's first byte */
    size_t line_count;
};

struct location {
    int line;   /* from 1; -1 for SOURCE_NOWHERE */
    int column; /* in code points, from 0, as the CEL specification counts; -1 for NOWHERE and BEFORE */
};

/* The same of one that is not ASCII. */
size_t source_wide_len(const char *at, const char *end);
/* Bytes of the code point at `at` (never 0, never past `end`): 1 for what is not UTF-8. */
static inline size_t source_code_point_len(const char *at, const char *end)
{
    return (unsigned char)*at < 0x80 ? 1 : source_wide_len(at, end);
}

/* Indexes the text. Only '\n' ends a line. */
void source_init(struct source *s, struct arena *a, struct str text);

/* An offset past the end is the end. The empty source has but one place, 1:0. */
struct location source_location(const struct source *s, uint32_t offset);

/* Line number `line` (from 1) without its '\n'; empty where there is none. */
struct str source_line(const struct source *s, int line);

#endif
