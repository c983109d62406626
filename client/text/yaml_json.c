#include "client/text/yaml_json.h"

#include <string.h>

#include "bytes/jsonnumber.h"
#include "client/text/jsonstring.h"

/* libyaml finds the colon of a key of at most 1,024 characters. */
enum { KEY_BYTES = 1000 };

static const char DASHES[] = "---";

static void skip_space(struct yaml_json *j)
{
    for (; j->at < j->end && (*j->at == ' ' || *j->at == '\n'); j->at++) {
        if (*j->at != '\n')
            continue;
        j->line++;
        j->column = 0;
        j->line_start = j->at + 1;
    }
}

static size_t column_of(const struct yaml_json *j)
{
    return j->column + (size_t)(j->at - j->line_start);
}

/* ---- values ---- */

/* It ends where the reader is. */
static void set_scalar(const struct yaml_json *j, struct yaml_json_event *e, enum yaml_json_type type,
                       const char *text, size_t len)
{
    e->type = type;
    e->end_column = column_of(j);
    e->text = text;
    e->len = len;
}

static bool read_string(struct yaml_json *j, struct yaml_json_event *e)
{
    const char *content;
    size_t len;
    j->at++;
    if (!jsonstring_read(&j->at, j->end, true, &j->text, &content, &len))
        return false;
    set_scalar(j, e, YAML_JSON_STRING, content, len);
    return true;
}

static bool is_number(const char *at, const char *end)
{
    return jsonnumber_skip(&at, end) && at == end;
}

static bool is_word(const char *text, size_t len)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == len && memcmp(text, words[i], len) == 0)
            return true;
    }
    return false;
}

/* A number, true, false or null. */
static bool read_plain(struct yaml_json *j, struct yaml_json_event *e)
{
    const char *begin = j->at;
    while (j->at < j->end && *j->at != ',' && *j->at != '}' && *j->at != ']' && *j->at != ' ' &&
           *j->at != '\n')
        j->at++;
    const size_t len = (size_t)(j->at - begin);
    if (!is_number(begin, j->at) && !is_word(begin, len))
        return false;
    set_scalar(j, e, YAML_JSON_PLAIN, begin, len);
    return true;
}

static bool enter(struct yaml_json *j, struct yaml_json_event *e)
{
    const bool is_object = *j->at == '{';
    if (j->depth == YAML_JSON_DEPTH)
        return false;
    j->is_object[j->depth++] = is_object;
    j->at++;
    j->state = YAML_JSON_AT_FIRST;
    e->type = is_object ? YAML_JSON_OBJECT : YAML_JSON_ARRAY;
    return true;
}

/* ---- the next event ---- */

static void set_behind(struct yaml_json *j)
{
    j->state = j->depth == 0 ? YAML_JSON_DONE : YAML_JSON_BEHIND;
}

static bool read_value(struct yaml_json *j, struct yaml_json_event *e)
{
    if (*j->at == '{' || *j->at == '[')
        return enter(j, e);
    set_behind(j);
    return *j->at == '"' ? read_string(j, e) : read_plain(j, e);
}

static bool read_key(struct yaml_json *j, struct yaml_json_event *e)
{
    const char *begin = j->at;
    if (*begin != '"' || !read_string(j, e) || j->at - begin > KEY_BYTES)
        return false;
    j->state = YAML_JSON_AT_VALUE;
    return j->at < j->end && *j->at++ == ':';
}

static bool is_at_end(const struct yaml_json *j)
{
    return j->depth > 0 && (j->state == YAML_JSON_AT_FIRST || j->state == YAML_JSON_BEHIND) &&
           *j->at == (j->is_object[j->depth - 1] ? '}' : ']');
}

static bool read_next(struct yaml_json *j, struct yaml_json_event *e)
{
    if (is_at_end(j)) {
        e->type = j->is_object[--j->depth] ? YAML_JSON_OBJECT_END : YAML_JSON_ARRAY_END;
        j->at++;
        set_behind(j);
        return true;
    }
    if (j->state == YAML_JSON_BEHIND)
        return false;
    return j->state != YAML_JSON_AT_VALUE && j->is_object[j->depth - 1] ? read_key(j, e) : read_value(j, e);
}

/* The same as yaml_json_next, but no NUL follows the text. */
static bool next(struct yaml_json *j, struct yaml_json_event *e)
{
    skip_space(j);
    if (j->state == YAML_JSON_BEHIND && j->at < j->end && *j->at == ',') {
        j->at++;
        j->state = YAML_JSON_AT_NEXT;
        skip_space(j);
    }
    if (j->state == YAML_JSON_DONE || j->at == j->end)
        return false;
    *e = (struct yaml_json_event){.line = j->line, .column = column_of(j)};
    return read_next(j, e);
}

bool yaml_json_next(struct yaml_json *j, struct yaml_json_event *e)
{
    if (!next(j, e))
        return false;
    if (e->text == NULL || e->text == j->text.data)
        return true;
    buf_reset(&j->text);
    if (buf_append(&j->text, e->text, e->len) != 0)
        return false;
    e->text = j->text.data;
    return true;
}

/* ---- documents ---- */

/* Returns true if the mark between documents comes next. */
static bool is_at_mark(const struct yaml_json *j)
{
    const size_t n = sizeof DASHES - 1, left = (size_t)(j->end - j->at);
    return j->at == j->line_start && left >= n && memcmp(j->at, DASHES, n) == 0 &&
           (left == n || j->at[n] == ' ' || j->at[n] == '\n');
}

static void skip_mark(struct yaml_json *j)
{
    skip_space(j);
    if (is_at_mark(j))
        j->at += sizeof DASHES - 1;
    skip_space(j);
}

void yaml_json_init(struct yaml_json *j, const char *text, size_t len, size_t line, size_t column)
{
    *j =
        (struct yaml_json){.at = text, .end = text + len, .line_start = text, .line = line, .column = column};
    buf_init(&j->text, len);
    skip_mark(j);
}

void yaml_json_deinit(struct yaml_json *j)
{
    buf_deinit(&j->text);
}

/* Returns true if a document ends before its end: white space, then another document or nothing. */
static bool is_over(struct yaml_json *j)
{
    skip_space(j);
    return j->at == j->end || is_at_mark(j);
}

size_t yaml_json_length(const char *text, size_t len)
{
    enum { DELETE = 0x7f }; /* no character of YAML */
    struct yaml_json j;
    struct yaml_json_event e;
    yaml_json_init(&j, text, len, 0, 0);
    bool is_taken = j.at < j.end && (*j.at == '{' || *j.at == '[');
    while (is_taken && next(&j, &e))
        continue;
    is_taken = is_taken && j.state == YAML_JSON_DONE && is_over(&j);
    const size_t taken = (size_t)(j.at - text);
    yaml_json_deinit(&j);
    return is_taken && memchr(text, DELETE, taken) == NULL ? taken : 0;
}
