#include "client/text/jsonval.h"

#include <limits.h>
#include <string.h>

#include "client/text/jsontree.h"

static int parse_failed(struct json_tokener *tokener, size_t at, size_t len, struct err *err)
{
    const enum json_tokener_error e = json_tokener_get_error(tokener);
    if (e == json_tokener_error_depth)
        return err_set(err, ERR_LIMIT, "JSON nested deeper than %d", JSONVAL_DEPTH);
    if (e == json_tokener_continue || at >= len)
        return err_set(err, ERR_PROTOCOL, "JSON ends in the middle, after %zu bytes", len);
    return err_set(err, ERR_PROTOCOL, "malformed JSON at byte %zu: %s", at, json_tokener_error_desc(e));
}

static bool is_space_only(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\n' && bytes[i] != '\r')
            return false;
    }
    return true;
}

/* Takes the tokener. */
static int parse_with(struct json_tokener *tokener, const char *bytes, size_t len, struct json_object **out,
                      bool *is_too_deep, struct err *err)
{
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    struct json_object *value = json_tokener_parse_ex(tokener, bytes, (int)len);
    size_t end = json_tokener_get_parse_end(tokener);
    /* A number or a word at the very end is complete only once something follows it. */
    if (json_tokener_get_error(tokener) == json_tokener_continue && !is_space_only(bytes, len)) {
        value = json_tokener_parse_ex(tokener, "", 1);
        end = len;
    }
    int result = 0;
    *is_too_deep = json_tokener_get_error(tokener) == json_tokener_error_depth;
    if (json_tokener_get_error(tokener) != json_tokener_success)
        result = parse_failed(tokener, end, len, err);
    else if (!is_space_only(bytes + end, len - end))
        result = err_set(err, ERR_PROTOCOL, "malformed JSON at byte %zu: text behind the value", end);
    json_tokener_free(tokener);
    if (result != 0) {
        json_object_put(value);
        return -1;
    }
    *out = value;
    return 0;
}

int jsonval_parse(const char *bytes, size_t len, struct json_object **out, struct err *err)
{
    /* A tokener clears its whole stack, which costs more than most texts: most are flat. */
    enum { USUAL_DEPTH = 24 };
    static const int depths[] = {USUAL_DEPTH, JSONVAL_DEPTH};
    bool is_too_deep = true;
    int result = -1;
    *out = NULL;
    if (len >= INT_MAX)
        return err_set(err, ERR_LIMIT, "JSON of %zu bytes is too long", len);
    if (jsontree_parse(bytes, len, out))
        return 0;
    for (size_t i = 0; i < sizeof depths / sizeof depths[0] && is_too_deep; i++) {
        struct json_tokener *tokener = json_tokener_new_ex(depths[i]);
        if (!tokener)
            return err_set(err, ERR_INTERNAL, "no JSON tokener");
        result = parse_with(tokener, bytes, len, out, &is_too_deep, err);
    }
    return result;
}

struct json_object *jsonval_copy(struct json_object *object)
{
    struct json_object *copy = json_object_new_object();
    jsonval_each(object, key, value)
    {
        (void)json_object_object_add_ex(copy, key, json_object_get(value), JSON_C_OBJECT_ADD_KEY_IS_NEW);
    }
    return copy;
}

void jsonval_set(struct json_object *object, const char *key, struct json_object *take_value)
{
    if (!json_object_is_type(object, json_type_object) ||
        json_object_object_add(object, key, take_value) != 0)
        json_object_put(take_value);
}

void jsonval_append(struct json_object *array, struct json_object *take_value)
{
    if (!json_object_is_type(array, json_type_array) || json_object_array_add(array, take_value) != 0)
        json_object_put(take_value);
}

void jsonval_drop(struct json_object *object, const char *key)
{
    if (json_object_is_type(object, json_type_object))
        json_object_object_del(object, key);
}

size_t jsonval_count(struct json_object *object)
{
    return json_object_is_type(object, json_type_object) ? (size_t)json_object_object_length(object) : 0;
}

struct jsonval_member jsonval_first(struct json_object *object)
{
    struct lh_table *members = json_object_get_object(object);
    return (struct jsonval_member){members == NULL ? NULL : members->head};
}

/* Looking at so many members costs less than the hash of a key. */
enum { FEW_MEMBERS = 8 };

struct json_object *jsonval_get(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    const struct lh_table *members = json_object_get_object(object); /* other values have none */
    if (members == NULL)
        return NULL;
    if (members->count > FEW_MEMBERS)
        return json_object_object_get_ex(object, key, &value) ? value : NULL;
    for (const struct lh_entry *e = members->head; e != NULL; e = e->next) {
        const char *name = e->k;
        if (*name == *key && strcmp(name, key) == 0)
            return lh_entry_v(e);
    }
    return NULL;
}

const char *jsonval_text(struct json_object *value)
{
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

const char *jsonval_text_at(struct json_object *array, size_t index)
{
    const char *text = jsonval_text(jsonval_at(array, index));
    return text ? text : "";
}

bool jsonval_has_text(struct json_object *array, const char *text)
{
    for (size_t i = 0; i < jsonval_length(array); i++) {
        const char *element = jsonval_text(jsonval_at(array, i));
        if (element != NULL && strcmp(element, text) == 0)
            return true;
    }
    return false;
}

const char *jsonval_string(struct json_object *object, const char *key)
{
    return jsonval_text(jsonval_get(object, key));
}

const char *jsonval_string_or_empty(struct json_object *object, const char *key)
{
    const char *text = jsonval_string(object, key);
    return text ? text : "";
}

const char *jsonval_metadata(struct json_object *object, const char *key)
{
    return jsonval_string_or_empty(jsonval_get(object, "metadata"), key);
}

bool jsonval_is(struct json_object *object, const char *key, const char *text)
{
    return strcmp(jsonval_string_or_empty(object, key), text) == 0;
}

struct json_object *jsonval_array(struct json_object *object, const char *key)
{
    struct json_object *value = jsonval_get(object, key);
    return json_object_is_type(value, json_type_array) ? value : NULL;
}

size_t jsonval_length(struct json_object *array)
{
    return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

struct json_object *jsonval_at(struct json_object *array, size_t index)
{
    return index < jsonval_length(array) ? json_object_array_get_idx(array, index) : NULL;
}

int64_t jsonval_int(struct json_object *object, const char *key, int64_t fallback)
{
    struct json_object *value = jsonval_get(object, key);
    return json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : fallback;
}

bool jsonval_is_true(struct json_object *object, const char *key)
{
    struct json_object *value = jsonval_get(object, key);
    return json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);
}

void jsonval_cleanup(struct json_object **object)
{
    json_object_put(*object);
}
