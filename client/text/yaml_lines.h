/*
 * yaml_lines: the lines of a YAML text, and which byte a place in it is. Pure.
 *
 * Lines and columns count from 0 here; a column is a code point, as libyaml counts. A
 * line can be the whole file: places are asked for nearly in order, and each call goes
 * on from the last one.
 *
 *     yaml_lines_init(&lines, text, len);
 *     size_t at = yaml_lines_offset(&lines, line, column);
 *     yaml_lines_deinit(&lines);
 */
#ifndef CLIENT_TEXT_YAML_LINES_H
#define CLIENT_TEXT_YAML_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct yaml_lines {
    const char *text; /* borrowed */
    size_t len;
    size_t *starts; /* the offset of each line's first byte */
    size_t count;
    bool is_ascii; /* all of the text: a column is a byte */
    size_t last_line, last_column, last_offset;
};

void yaml_lines_init(struct yaml_lines *lines, const char *text, size_t len);
void yaml_lines_deinit(struct yaml_lines *lines);

/* The offset of a place, which is at most the text's length. */
size_t yaml_lines_offset(struct yaml_lines *lines, size_t line, size_t column);

enum { YAML_LINES_DIRECTIVES = 100, YAML_LINES_DIRECTIVE_BYTES = 1000 };

/* The first line with a %TAG directive that is too long, or is one more than a document may have, among the
 * lines from `line`, which is read from byte `at`, to byte `end`. If there is none, the count of lines. The
 * directives of one document have only comments and empty lines between them. */
size_t yaml_lines_directive(const struct yaml_lines *lines, size_t line, size_t at, size_t end);

/* Bytes of the line break at p, as YAML 1.1 has them: CR LF, CR, LF, NEL, LS, PS; 0 if there is none. */
size_t yaml_lines_break(const char *p, const char *end);

#endif
