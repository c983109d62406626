#include "cmd/kubectl-vapcheck/caret.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/jsonval.h"
#include "client/mem.h"
#include "client/utf8.h"
#include "cmd/kubectl-vapcheck/plain.h"

/* Of a long line only the surroundings of the caret are shown. */
enum { BEFORE = 80, AFTER = 40 };

/* "ERROR: <input>:3:7:" in the text; false if there is no such place in it. */
static bool find_issue(const char *text, size_t *line, size_t *column)
{
    static const char mark[] = "ERROR: <input>:";
    const char *at = strstr(text, mark);
    char *end;
    if (at == NULL)
        return false;
    *line = strtoul(at + sizeof mark - 1, &end, 10);
    if (*end != ':')
        return false;
    *column = strtoul(end + 1, &end, 10);
    return *end == ':' && *line > 0 && *column > 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t text_len = strlen(text), end_len = strlen(end);
    return text_len >= end_len && strcmp(text + text_len - end_len, end) == 0;
}

/* Lines and characters of the white space that the server takes off these expressions' beginning. */
static void add_trimmed(const char *field, const char *value, size_t *line, size_t *column)
{
    bool is_trimmed = ends_with(field, ".valueExpression") || strncmp(field, "spec.matchConditions", 20) == 0;
    size_t lines = 0, columns = 0;
    for (; is_trimmed && (*value == ' ' || (*value >= '\t' && *value <= '\r')); value++) {
        columns = *value == '\n' ? 0 : columns + 1;
        lines += *value == '\n';
    }
    if (*line == 1)
        *column += columns;
    *line += lines;
}

static struct yaml_place find_place(const struct output_place *place, const char *field, const char *text,
                                    bool is_refusal)
{
    const struct yaml_node *node = output_find_node(place, field);
    const char *value = node == NULL ? NULL : jsonval_text(node->json);
    size_t line, column;
    if (value == NULL || !find_issue(text, &line, &column))
        return output_where(place, field);
    if (is_refusal)
        add_trimmed(field, value, &line, &column);
    return yaml_place_in(node, line, column);
}

struct yaml_place caret_of_warning(const struct output_place *place, const char *field, const char *text)
{
    return find_place(place, field, text, false);
}

struct yaml_place caret_of_refusal(const struct output_place *place, const char *field, const char *text)
{
    return find_place(place, field, text, true);
}

/* Bytes of the first `count` characters. */
static size_t bytes_of(const char *text, size_t len, size_t count)
{
    size_t at = 0;
    for (uint32_t code; count > 0 && at < len; count--)
        at += utf8_next(text + at, len - at, &code);
    return at;
}

void caret_print(const struct output_place *place, struct yaml_place where, FILE *out)
{
    size_t len;
    const char *line = yaml_line(place->yaml, where.line, &len);
    size_t from = where.column > BEFORE ? bytes_of(line, len, where.column - BEFORE) : 0;
    size_t to = bytes_of(line, len, where.column - 1);
    size_t end = to + bytes_of(line + to, len - to, AFTER);
    cleanup_mem char *before = mem_strndup(line + from, to - from), *after = mem_strndup(line + to, end - to);
    cleanup_mem char *shown_before = plain_line(before), *shown_after = plain_line(after);
    const char *cut_before = from > 0 ? "..." : "", *cut_after = end < len ? "..." : "";
    int number = snprintf(NULL, 0, "%zu", where.line);
    fprintf(out, " %zu | %s%s%s%s\n", where.line, cut_before, shown_before, shown_after, cut_after);
    fprintf(out, " %*s | %*s^\n", number, "",
            (int)(strlen(cut_before) + utf8_count(shown_before, strlen(shown_before))), "");
}
