/*
 * source: the text of one expression, and the line and column of an offset.
 *
 * Places are byte offsets into `text` (SOURCE_NOWHERE: no place); line and
 * column are computed only when an issue is rendered. The text is UTF-8, as from
 * JSON; a byte that is not UTF-8 counts as one code point. The text is borrowed;
 * memory is from the arena.
 */
#ifndef TYPECHECK_CEL_SYNTAX_SOURCE_H
#define TYPECHECK_CEL_SYNTAX_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;

#define SOURCE_NOWHERE UINT32_MAX

/* The place before the first character, shown as 1:0. cel-go uses it for issues that have a place but no
 * token. */
#define SOURCE_BEFORE (UINT32_MAX - 1)

/* A text with more code points is refused, with upstream's message. */
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

/* The same for a code point that is not ASCII. */
size_t source_wide_len(const char *at, const char *end);
/* Bytes of the code point at `at` (never 0, never past `end`): 1 for what is not UTF-8. */
static inline size_t source_code_point_len(const char *at, const char *end)
{
    return (unsigned char)*at < 0x80 ? 1 : source_wide_len(at, end);
}

/* Indexes the text. Only '\n' ends a line. */
void source_init(struct source *s, struct arena *a, struct str text);

/* An offset after the end counts as the end. The empty source has only the place 1:0. */
struct location source_location(const struct source *s, uint32_t offset);

/* Line number `line` (from 1) without its '\n'; empty if there is none. */
struct str source_line(const struct source *s, int line);

#endif
