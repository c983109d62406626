#include "cmd/kubectl-vapcheck/hints/yamlhints.h"

#include <string.h>

static const char helm[] = "is this a Helm template? check what `helm template` prints";
static const char utf16[] = "the file is UTF-16: save it as UTF-8";
static const char quote[] = "quote the whole value";
static const char tag[] = "quote it: a value that begins with ! is a tag to YAML";

/* The line of a text that was not parsed, up to a column. */
static size_t line_before(struct str text, struct yaml_place where, const char **start)
{
    const char *p = text.at, *end = text.at + text.len, *next;
    for (size_t line = 1; line < where.line && (next = memchr(p, '\n', (size_t)(end - p))) != NULL; line++)
        p = next + 1;
    size_t len = (size_t)(end - p);
    *start = p;
    return where.column - 1 < len ? where.column - 1 : len;
}

/* Whether the parser stumbled over what follows a value: "a: b: c", "a: 'b' == c". */
static bool is_unquoted(struct str text, struct yaml_place where, const char *message)
{
    const char *line;
    size_t len = line_before(text, where, &line);
    if (strstr(message, "mapping values are not allowed") != NULL)
        return memmem(line, len, ": ", 2) != NULL;
    while (len > 0 && line[len - 1] == ' ')
        len--;
    return strstr(message, "did not find expected") != NULL && len > 0 &&
           strchr("'\"", line[len - 1]) != NULL;
}

/* Whether the parser stumbled over a comma in what it takes for a tag: "a: !b.all(c, d)". */
static bool is_tag(struct str text, struct yaml_place where, const char *message)
{
    const char *line;
    size_t len = line_before(text, where, &line);
    return strstr(message, "did not find expected whitespace or line break") != NULL &&
           memmem(line, len, ": !", 3) != NULL;
}

const char *yamlhints_of_text(struct str text, struct yaml_place where, const char *message)
{
    if (text.len >= 2 && (memcmp(text.at, "\xff\xfe", 2) == 0 || memcmp(text.at, "\xfe\xff", 2) == 0))
        return utf16;
    if (where.line == 0)
        return NULL;
    if (memmem(text.at, text.len, "{{", 2) != NULL)
        return helm;
    if (is_tag(text, where, message))
        return tag;
    return is_unquoted(text, where, message) ? quote : NULL;
}

/* Whether what stands behind the key is a tag that nobody meant, as "!has(object.x)" is one. */
static bool is_tagged(const struct output_place *place, const struct yaml_node *node)
{
    size_t len;
    const char *line = yaml_line(place->yaml, node->start.line, &len);
    if (node->key == NULL || node->key_start.line != node->start.line)
        return false;
    const char *colon = memchr(line, ':', len);
    const char *p = colon == NULL ? line + len : colon + 1;
    while (p < line + len && *p == ' ')
        p++;
    size_t left = (size_t)(line + len - p);
    bool is_meant = left >= 6 && (memcmp(p, "!!str ", 6) == 0 || memcmp(p, "!!str\t", 6) == 0);
    return left > 0 && *p == '!' && !is_meant;
}

const char *yamlhints_of_value(const struct output_place *place, const struct fielderror *error)
{
    const struct yaml_node *node = output_find_node(place, error->field);
    if (node == NULL || node->style == YAML_COLLECTION)
        return NULL;
    if (is_tagged(place, node))
        return tag;
    bool is_string = json_object_is_type(node->json, json_type_string);
    if (node->style == YAML_PLAIN && !is_string && error->wants_string)
        return "quote it: YAML does not read this as a string";
    return NULL;
}
