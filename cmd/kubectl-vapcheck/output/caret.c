#include "cmd/kubectl-vapcheck/output/caret.h"

#include <stdbool.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"

static bool ends_with(const char *text, const char *end)
{
    size_t text_len = strlen(text), end_len = strlen(end);
    return text_len >= end_len && strcmp(text + text_len - end_len, end) == 0;
}

/* Returns true if the server takes the white space off this expression before it compiles it. */
static bool is_trimmed(const char *field)
{
    return strstr(field, "matchConditions[") != NULL || ends_with(field, "].valueExpression") ||
           ends_with(field, "].applyConfiguration.expression") || ends_with(field, "].jsonPatch.expression");
}

/* The place in the file of the byte `offset` of a string's value. */
static struct yaml_place find_byte(const struct yaml_node *node, struct str value, size_t offset)
{
    size_t line = 1, start = 0;
    for (size_t i = 0; i < offset; i++) {
        if (value.at[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    return yaml_place_in(node, line, 1 + utf8_count(value.at + start, offset - start));
}

static bool is_before(struct yaml_place one, struct yaml_place two)
{
    return one.line < two.line || (one.line == two.line && one.column < two.column);
}

/* The text of a field; at NULL: it has none. */
static struct str value_of(const struct yaml_node *node)
{
    const char *text = node == NULL ? NULL : jsonval_text(node->json);
    return (struct str){text, text == NULL ? 0 : (size_t)json_object_get_string_len(node->json)};
}

static struct caret_span find_span(const struct output_place *place, const char *field,
                                   const struct extent *issue, bool is_refusal)
{
    const struct yaml_node *node = output_find_node(place, field);
    const struct str value = value_of(node);
    const size_t trimmed = is_refusal && is_trimmed(field) && value.at != NULL
                               ? (size_t)(gotext_trimmed(value).at - value.at)
                               : 0;
    if (value.at == NULL || issue->begin + trimmed > value.len) { /* also what has no place */
        const struct yaml_place at = output_where(place, field);
        return (struct caret_span){at, at};
    }
    const size_t end = issue->end + trimmed < value.len ? issue->end + trimmed : value.len;
    struct caret_span span = {find_byte(node, value, issue->begin + trimmed), find_byte(node, value, end)};
    if (is_before(span.end, span.at))
        span.end = span.at;
    return span;
}

struct caret_span caret_of_warning(const struct output_place *place, const char *field,
                                   const struct extent *issue)
{
    return find_span(place, field, issue, false);
}

struct str caret_expression(const struct output_place *place, const char *field)
{
    const struct str value = value_of(output_find_node(place, field));
    if (value.at == NULL)
        return STR("");
    return is_trimmed(field) ? gotext_trimmed(value) : value;
}

struct caret_span caret_of_refusal(const struct output_place *place, const char *field,
                                   const struct extent *issue)
{
    return find_span(place, field, issue, true);
}

struct caret_span caret_of_error(const struct output_place *place, const struct fielderror *error)
{
    struct extent at = EXTENT_NOWHERE;
    if (error->n_issues > 0)
        at = error->issues->at;
    else if (error->result != NULL)
        at = (struct extent){0, 0, (uint32_t)caret_expression(place, error->field).len};
    return caret_of_refusal(place, error->field, &at);
}
