#include "cmd/kubectl-vapcheck/input/yamlhints.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

static const char helm[] = "is this a Helm template? check what `helm template` prints";
static const char utf16[] = "the file is UTF-16: save it as UTF-8";
static const char inside[] =
    "a # inside a text of several lines begins no comment: write the comment above the "
    "field, or behind // for CEL";
static const char quote[] = "quote the whole value";
static const char tag[] = "quote it: a value that begins with ! is a tag to YAML";

struct str yamlhints_from_line(struct str text, size_t number)
{
    for (size_t line = 1; line < number && text.len != 0; line++) {
        const char *end = memchr(text.at, '\n', text.len);
        text = str_skip(text, end == NULL ? text.len : (size_t)(end - text.at) + 1);
    }
    return text;
}

/* The line of a text that was not parsed, up to a column. */
static size_t line_before(struct str text, struct yaml_place where, const char **start)
{
    const struct str rest = yamlhints_from_line(text, where.line);
    *start = rest.at;
    return where.column - 1 < rest.len ? where.column - 1 : rest.len;
}

/* Returns true if the parser stumbled over what follows a value: "a: b: c", "a: 'b' == c". */
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

/* Returns true if the parser stumbled over a comma in what it takes for a tag: "a: !b.all(c, d)". */
static bool is_tag(struct str text, struct yaml_place where, const char *message)
{
    const char *line;
    size_t len = line_before(text, where, &line);
    return strstr(message, "did not find expected whitespace or line break") != NULL &&
           memmem(line, len, ": !", 3) != NULL;
}

/* Messages of libyaml, their meaning, and what to do about them; %s stands for the character at the place. */
static const struct {
    const char *message, *meaning, *advice;
} translations[] = {
    {"found character that cannot start any token", "a value cannot begin with %s", "quote it"},
    {"found a tab character", "a tab", "YAML wants spaces"},
    {"mapping values are not allowed", "a key with its colon cannot stand here",
     "quote the whole value, or correct the indentation"},
    {"mapping keys are not allowed", "a value cannot begin with \"? \"", "quote it"},
    {"did not find expected key", "a key is expected here",
     "the indentation does not fit, or the value before needs quotes"},
    {"did not find expected '-' indicator", "an item of the list, \"- \", is expected here",
     "the indentation does not fit"},
    {"did not find expected ',' or ']'", "a comma or the end of the list, ], is expected here", NULL},
    {"did not find expected ',' or '}'", "a comma or the end of the mapping, }, is expected here", NULL},
    {"did not find expected node content", "a value is expected here, not %s", NULL},
    {"did not find expected <document start>",
     "the file, or --- for the next document, is expected to end here", "the indentation does not fit"},
    {"did not find expected comment or line break",
     "only a comment can stand here, behind the sign that begins a text of several lines", NULL},
    {"did not find expected whitespace or line break", "a tag cannot have %s", NULL},
    {"did not find expected hexdecimal number", "hexadecimal digits are expected in this escape", NULL},
    {"block sequence entries are not allowed", "an item of a list, \"- \", cannot begin here",
     "begin it in a new line"},
    {"could not find expected ':'", "a key without its colon", NULL},
    {"found unexpected end of stream", "a quote is not closed before the end of the file", NULL},
    {"found unknown escape character", "an unknown escape between double quotes",
     "write \\\\ for a backslash, or use single quotes"},
    {"control characters are not allowed", "a control character", "this is no text"},
    {"UTF-8", "the file is not UTF-8", NULL},
};

/* The character at the place as a message shows it. The caller frees it. */
static char *character_at(struct str text, struct yaml_place where)
{
    const char *line, *end = text.at + text.len;
    (void)line_before(text, where, &line);
    const char *at = line + utf8_skip(line, (size_t)(end - line), where.column - 1);
    if (at >= end || *at == '\n' || *at == '\r')
        return mem_strdup("the end of the line");
    return mem_printf("%.*s", (int)utf8_len(at, (size_t)(end - at)), at);
}

char *yamlhints_translate(struct str text, struct yaml_place where, const char *message, const char **advice)
{
    *advice = NULL;
    size_t i = where.line == 0 ? sizeof translations / sizeof *translations : 0;
    while (i < sizeof translations / sizeof *translations && strstr(message, translations[i].message) == NULL)
        i++;
    if (i == sizeof translations / sizeof *translations)
        return mem_strdup(message);
    cleanup_mem char *character = character_at(text, where);
    if (i == 0 && *character == '\t')
        i = 1; /* the character is a tab, whatever else is wrong */
    *advice = translations[i].advice;
    const char *meaning = translations[i].meaning, *hole = strstr(meaning, "%s");
    return hole == NULL ? mem_strdup(meaning)
                        : mem_printf("%.*s%s%s", (int)(hole - meaning), meaning, character, hole + 2);
}

const char *yamlhints_of_text(struct str text, struct yaml_place where, const char *message)
{
    if (text.len >= 2 && (memcmp(text.at, "\xff\xfe", 2) == 0 || memcmp(text.at, "\xfe\xff", 2) == 0))
        return utf16;
    if (where.line == 0)
        return NULL;
    if (memmem(text.at, text.len, "{{", 2) != NULL && memchr(text.at, '\0', text.len) == NULL)
        return helm;
    if (is_tag(text, where, message))
        return tag;
    return is_unquoted(text, where, message) ? quote : NULL;
}

/* Returns true if what stands behind the key is a tag that nobody meant, as "!has(object.x)" is one. */
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

/* Returns true if a template stands in the value: "{{ .Values.max }}", "{{- include "x" . }}". */
static bool has_template(const struct yaml_node *node)
{
    static const char call[] = "include ";
    const char *at = node->source, *end = at + node->source_len;
    while (at < end && (at = memmem(at, (size_t)(end - at), "{{", 2)) != NULL) {
        at += 2;
        while (at < end && (*at == '-' || *at == ' '))
            at++;
        if (at < end && (*at == '.' || *at == '$' ||
                         ((size_t)(end - at) >= sizeof call && memcmp(at, call, sizeof call - 1) == 0)))
            return true;
    }
    return false;
}

/* Returns true if a line of a text of several lines begins as a comment of YAML. */
static bool has_comment(const struct yaml_node *node)
{
    const struct str text = {node->source, node->source_len};
    bool is_begin = node->style == YAML_LITERAL || node->style == YAML_FOLDED;
    for (size_t i = 0; i < text.len; i++) {
        if (is_begin && text.at[i] == '#')
            return true;
        is_begin = text.at[i] == '\n' || (is_begin && (text.at[i] == ' ' || text.at[i] == '\t'));
    }
    return false;
}

const char *yamlhints_of_value(const struct output_place *place, const struct fielderror *error)
{
    const struct yaml_node *node = output_find_node(place, error->field);
    if (node == NULL || node->style == YAML_COLLECTION)
        return NULL;
    if (is_tagged(place, node))
        return tag;
    if (node->source_len > 0 && has_template(node))
        return helm;
    if (has_comment(node))
        return inside;
    bool is_string = json_object_is_type(node->json, json_type_string);
    if (node->style == YAML_PLAIN && !is_string && error->wants_string)
        return "quote it: YAML does not read this as a string";
    return NULL;
}
