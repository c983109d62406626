#include "client/text/jsondiff.h"

#include <ctype.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* Bytes of a value that are shown. */
enum { VALUE_MAX = 200 };

struct walk {
    jsondiff_visit *visit;
    void *user;
};

char *jsondiff_value(bool has_value, struct json_object *value)
{
    if (!has_value)
        return mem_strdup("nothing");
    const char *text =
        json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    const size_t len = strlen(text), kept = utf8_cut(text, len, VALUE_MAX);
    return mem_printf("%.*s%s", (int)kept, text, kept < len ? "..." : "");
}

/* Keys that are no names stand in brackets, as in an expression. */
static char *member_path(const char *path, const char *key)
{
    bool is_name = *key != '\0' && !isdigit((unsigned char)*key);
    for (const char *at = key; *at != '\0'; at++)
        is_name = is_name && (isalnum((unsigned char)*at) || *at == '_');
    if (!is_name)
        return mem_printf("%s['%s']", path, key);
    return mem_printf("%s%s%s", path, *path == '\0' ? "" : ".", key);
}

static char *member_pointer(const char *pointer, const char *key)
{
    struct buf text;
    buf_init(&text, strlen(pointer) + 2 * strlen(key) + 2);
    buf_printf(&text, "%s/", pointer);
    for (const char *at = key; *at != '\0'; at++) {
        if (*at == '~' || *at == '/')
            buf_puts(&text, *at == '~' ? "~0" : "~1");
        else
            buf_printf(&text, "%c", *at);
    }
    return buf_take(&text, NULL);
}

static void compare(const struct walk *w, const struct jsondiff *at);

static void compare_members(const struct walk *w, const struct jsondiff *at, const char *key,
                            struct json_object *before, bool has_before)
{
    struct json_object *after;
    cleanup_mem char *path = member_path(at->path, key);
    cleanup_mem char *pointer = member_pointer(at->pointer, key);
    const bool has_after = json_object_object_get_ex(at->after, key, &after);
    compare(w, &(struct jsondiff){path, pointer, has_before, has_after, before, has_after ? after : NULL});
}

static void compare_maps(const struct walk *w, const struct jsondiff *at)
{
    jsonval_each(at->before, key, value)
    {
        compare_members(w, at, key, value, true);
    }
    jsonval_each(at->after, name, added)
    {
        (void)added;
        if (!json_object_object_get_ex(at->before, name, NULL))
            compare_members(w, at, name, NULL, false);
    }
}

static void compare_lists(const struct walk *w, const struct jsondiff *at)
{
    const size_t before = jsonval_length(at->before), after = jsonval_length(at->after);
    for (size_t i = 0; i < before || i < after; i++) {
        cleanup_mem char *path = mem_printf("%s[%zu]", at->path, i);
        cleanup_mem char *pointer = mem_printf("%s/%zu", at->pointer, i < after ? i : after);
        compare(w, &(struct jsondiff){path, pointer, i < before, i < after, jsonval_at(at->before, i),
                                      jsonval_at(at->after, i)});
    }
}

static void compare(const struct walk *w, const struct jsondiff *at)
{
    const enum json_type type = json_object_get_type(at->before);
    const bool has_both = at->has_before && at->has_after;
    const bool is_same_type = has_both && type == json_object_get_type(at->after);
    if (is_same_type && type == json_type_object)
        compare_maps(w, at);
    else if (is_same_type && type == json_type_array)
        compare_lists(w, at);
    else if (!has_both || json_object_equal(at->before, at->after) == 0)
        w->visit(w->user, at);
}

void jsondiff_walk(struct json_object *before, struct json_object *after, jsondiff_visit *visit, void *user)
{
    const struct walk w = {visit, user};
    compare(&w, &(struct jsondiff){"", "", true, true, before, after});
}
