#include "cmd/kubectl-vapcheck/output/caret.h"

#include <stdbool.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"

/* Of a long line only the surroundings of the caret are shown. */
enum { BEFORE = 79, AFTER = 40 };

static bool ends_with(const char *text, const char *end)
{
    size_t text_len = strlen(text), end_len = strlen(end);
    return text_len >= end_len && strcmp(text + text_len - end_len, end) == 0;
}

/* Whether the server takes the white space off this expression before it compiles it. */
static bool is_trimmed(const char *field)
{
    return strstr(field, "matchConditions[") != NULL || ends_with(field, "].valueExpression") ||
           ends_with(field, "].applyConfiguration.expression") || ends_with(field, "].jsonPatch.expression");
}

/* Lines and characters of the white space at a value's beginning. */
static void add_trimmed(struct str value, size_t *line, size_t *column)
{
    const char *end = gotext_trimmed(value).at, *start = value.at;
    size_t lines = 0;
    for (const char *p = value.at; p < end; p++) {
        lines += *p == '\n';
        start = *p == '\n' ? p + 1 : start;
    }
    if (*line == 1)
        *column += utf8_count(start, (size_t)(end - start));
    *line += lines;
}

static struct yaml_place find_place(const struct output_place *place, const char *field, int line, int column,
                                    bool is_refusal)
{
    const struct yaml_node *node = output_find_node(place, field);
    const char *value = node == NULL ? NULL : jsonval_text(node->json);
    if (value == NULL || line < 1 || column < 1)
        return output_where(place, field);
    size_t at_line = (size_t)line, at_column = (size_t)column;
    if (is_refusal && is_trimmed(field))
        add_trimmed((struct str){value, strlen(value)}, &at_line, &at_column);
    return yaml_place_in(node, at_line, at_column);
}

struct yaml_place caret_of_warning(const struct output_place *place, const char *field, int line, int column)
{
    return find_place(place, field, line, column, false);
}

struct yaml_place caret_of_refusal(const struct output_place *place, const char *field, int line, int column)
{
    return find_place(place, field, line, column, true);
}

struct yaml_place caret_of_error(const struct output_place *place, const struct fielderror *error)
{
    const struct typecheck_issue nowhere = {.line = 0},
                                 *first = error->n_issues > 0 ? error->issues : &nowhere;
    return caret_of_refusal(place, error->field, first->line, first->column);
}

char *caret_text(const struct output_place *place, struct yaml_place where)
{
    size_t len;
    const char *line = yaml_line(place->yaml, where.line, &len);
    size_t to = yaml_offset(place->yaml, where), from = utf8_back(line, to, BEFORE);
    size_t end = to + utf8_skip(line + to, len - to, AFTER);
    cleanup_mem char *before = mem_strndup(line + from, to - from), *after = mem_strndup(line + to, end - to);
    cleanup_mem char *shown_before = plain_line(before), *shown_after = plain_line(after);
    const char *cut_before = from > 0 ? "..." : "", *cut_after = end < len ? "..." : "";
    int number = snprintf(NULL, 0, "%u", where.line);
    return mem_printf(" %u | %s%s%s%s\n %*s | %*s^\n", where.line, cut_before, shown_before, shown_after,
                      cut_after, number, "",
                      (int)(strlen(cut_before) + utf8_count(shown_before, strlen(shown_before))), "");
}

void caret_print(const struct output_place *place, struct yaml_place where, FILE *out)
{
    cleanup_mem char *text = caret_text(place, where);
    print_text(out, text);
}
