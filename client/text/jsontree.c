#include "client/text/jsontree.h"

#include <stdint.h>
#include <string.h>

#include "client/text/jsonstring.h"

enum {
    KEY_BYTES = 256,            /* a key, its NUL included */
    STRING_CAP_BYTES = 1 << 20, /* a string with escapes */
};

/* Its functions return false where the text is left to json-c. */
struct tree {
    const char *at, *end;
    int depth;
    struct buf decoded; /* a string with escapes */
};

static inline void skip_space(struct tree *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\n' || *t->at == '\t' || *t->at == '\r'))
        t->at++;
}

/* Returns true if c comes next, after white space; then it is passed. */
static inline bool take(struct tree *t, char c)
{
    skip_space(t);
    if (t->at == t->end || *t->at != c)
        return false;
    t->at++;
    return true;
}

static bool read_string(struct tree *t, const char **content, size_t *len)
{
    return jsonstring_read(&t->at, t->end, false, &t->decoded, content, len);
}

static bool read_number(struct tree *t, struct json_object **out)
{
    enum { LONGEST = 18 }; /* digits that fit for certain */
    const char *begin = t->at;
    int64_t n = 0;
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9' && t->at - begin < LONGEST; t->at++)
        n = 10 * n + (*t->at - '0');
    if (t->at == begin || t->at == t->end || strchr(",]} \t\r\n", *t->at) == NULL || *t->at == '\0' ||
        (*begin == '0' && t->at - begin > 1))
        return false;
    *out = json_object_new_int64(n);
    return *out != NULL;
}

static bool read_word(struct tree *t, const char *word, size_t len, struct json_object *value,
                      struct json_object **out)
{
    *out = value;
    if ((size_t)(t->end - t->at) < len || memcmp(t->at, word, len) != 0)
        return false;
    t->at += len;
    return true;
}

static bool read_value(struct tree *t, struct json_object **out);

/* Reads the rest of an object, after its brace. */
static bool read_members(struct tree *t, struct json_object *object)
{
    if (take(t, '}'))
        return true;
    do {
        char key[KEY_BYTES];
        const char *name;
        size_t len;
        struct json_object *value = NULL;
        if (!take(t, '"') || !read_string(t, &name, &len) || len >= sizeof key)
            return false;
        memcpy(key, name, len);
        key[len] = '\0';
        if (!take(t, ':') || !read_value(t, &value) || json_object_object_add(object, key, value) != 0) {
            json_object_put(value);
            return false;
        }
    } while (take(t, ','));
    return take(t, '}');
}

/* Reads the rest of an array, after its bracket. */
static bool read_elements(struct tree *t, struct json_object *array)
{
    if (take(t, ']'))
        return true;
    do {
        struct json_object *value = NULL;
        if (!read_value(t, &value) || json_object_array_add(array, value) != 0) {
            json_object_put(value);
            return false;
        }
    } while (take(t, ','));
    return take(t, ']');
}

/* *out is the caller's in any case. */
static bool read_container(struct tree *t, struct json_object **out)
{
    enum { FEW = 4 }; /* elements; json-c's own room for them is 32 */
    const bool is_object = *t->at++ == '{';
    *out = is_object ? json_object_new_object() : json_object_new_array_ext(FEW);
    if (*out == NULL || t->depth == JSONTREE_DEPTH)
        return false;
    t->depth++;
    const bool is_read = is_object ? read_members(t, *out) : read_elements(t, *out);
    t->depth--;
    return is_read;
}

static bool read_value(struct tree *t, struct json_object **out)
{
    const char *content;
    size_t len;
    skip_space(t);
    if (t->at == t->end)
        return false;
    switch (*t->at) {
    case '{':
    case '[':
        return read_container(t, out);
    case '"':
        t->at++;
        if (!read_string(t, &content, &len))
            return false;
        *out = json_object_new_string_len(content, (int)len);
        return *out != NULL;
    case 't':
        return read_word(t, "true", 4, json_object_new_boolean(true), out);
    case 'f':
        return read_word(t, "false", 5, json_object_new_boolean(false), out);
    case 'n':
        return read_word(t, "null", 4, NULL, out);
    default:
        return read_number(t, out);
    }
}

bool jsontree_parse(const char *bytes, size_t len, struct json_object **out)
{
    struct tree t = {.at = bytes, .end = bytes + len};
    buf_init(&t.decoded, STRING_CAP_BYTES);
    *out = NULL;
    skip_space(&t);
    bool is_read = t.at < t.end && (*t.at == '{' || *t.at == '[') && read_container(&t, out);
    skip_space(&t);
    is_read = is_read && t.at == t.end;
    buf_deinit(&t.decoded);
    if (is_read)
        return true;
    json_object_put(*out);
    *out = NULL;
    return false;
}

static void write_members(struct buf *b, struct json_object *object)
{
    bool is_first = true;
    (void)buf_putc(b, '{');
    json_object_object_foreach(object, key, value)
    {
        if (!is_first)
            (void)buf_putc(b, ',');
        is_first = false;
        (void)buf_put_json(b, key, strlen(key));
        (void)buf_putc(b, ':');
        jsontree_write(b, value);
    }
    (void)buf_putc(b, '}');
}

static void write_elements(struct buf *b, struct json_object *array)
{
    (void)buf_putc(b, '[');
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        if (i > 0)
            (void)buf_putc(b, ',');
        jsontree_write(b, json_object_array_get_idx(array, i));
    }
    (void)buf_putc(b, ']');
}

void jsontree_write(struct buf *b, struct json_object *json)
{
    switch (json_object_get_type(json)) {
    case json_type_object:
        write_members(b, json);
        return;
    case json_type_array:
        write_elements(b, json);
        return;
    case json_type_string:
        (void)buf_put_json(b, json_object_get_string(json), (size_t)json_object_get_string_len(json));
        return;
    case json_type_null:
    case json_type_boolean:
    case json_type_int:
    case json_type_double:
        break;
    }
    (void)buf_puts(b, json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN));
}

void jsontree_begin_element(struct buf *b)
{
    const char last = b->data[b->len - 1];
    if (last != '{' && last != '[')
        (void)buf_putc(b, ',');
}

void jsontree_begin_member(struct buf *b, const char *name)
{
    jsontree_begin_element(b);
    (void)buf_put_json(b, name, strlen(name));
    (void)buf_putc(b, ':');
}
