#include "client/text/yaml_write.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/cicommand.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/text/jsonval.h"
#include "client/text/yaml_scalar.h"

static void put_value(struct buf *out, struct json_object *value, int indent);

/* Returns true if one of the lines has something that nobody would see. */
static bool has_hidden_lines(const char *text)
{
    cleanup_mem char *lines = mem_strdup(text);
    for (char *end = lines; (end = strchr(end, '\n')) != NULL;)
        *end = ' ';
    return plain_has_hidden(lines);
}

/* Returns true if a plain scalar can have this text at all. */
static bool is_plain(const char *text)
{
    size_t len = strlen(text);
    return len > 0 && strchr(" -?:,[]{}#&*!|>'\"%@`", text[0]) == NULL && text[len - 1] != ' ' &&
           text[len - 1] != ':' && strstr(text, ": ") == NULL && strstr(text, " #") == NULL;
}

/* Returns true if the plain scalar would be read as something else: "True", "3", a date. */
static bool is_other_type(const char *text)
{
    cleanup_json struct json_object *value = NULL;
    if (strlen(text) >= 10 && strspn(text, "0123456789") == 4 && text[4] == '-' && text[7] == '-')
        return true;
    return yaml_scalar_resolve(text, strlen(text), "", false, &value, NULL) != 0 ||
           !json_object_is_type(value, json_type_string);
}

static void put_single_quoted(struct buf *out, const char *text)
{
    buf_putc(out, '\'');
    for (; *text != '\0'; text++)
        buf_puts(out, *text == '\'' ? "''" : (char[]){*text, '\0'});
    buf_putc(out, '\'');
}

static void put_block(struct buf *out, const char *text, int indent)
{
    size_t len = strlen(text);
    bool has_end = text[len - 1] == '\n';
    buf_puts(out, !has_end ? "|-" : text[len - 2] == '\n' ? "|+" : "|");
    while (*text != '\0') {
        size_t line = strcspn(text, "\n");
        buf_putc(out, '\n');
        if (line > 0)
            buf_printf(out, "%*s%.*s", indent, "", (int)line, text);
        text += line + (text[line] == '\n');
    }
}

/* A JSON string is a double-quoted scalar; so it is with what plain and cicommand make visible. */
static void put_double_quoted(struct buf *out, const char *text)
{
    cleanup_buf struct buf quoted;
    buf_init(&quoted, out->cap_bytes);
    buf_put_json(&quoted, text, strlen(text));
    cleanup_mem char *shown = cicommand_replace(plain_line(quoted.data), "\\x5b");
    buf_puts(out, quoted.is_full ? "" : shown);
}

static void put_string(struct buf *out, const char *text, int indent)
{
    if (strchr(text, '\n') != NULL && text[0] != ' ' && text[0] != '\n' && !has_hidden_lines(text) &&
        !cicommand_is_in(text, false))
        put_block(out, text, indent);
    else if (plain_has_hidden(text) || cicommand_is_in(text, true) || is_other_type(text))
        put_double_quoted(out, text);
    else if (is_plain(text))
        buf_puts(out, text);
    else
        put_single_quoted(out, text);
}

static int compare_keys(const void *left, const void *right)
{
    const char *const *l = left, *const *r = right;
    return strcmp(*l, *r);
}

/* Starts after `indent` columns that are there already. */
static void put_mapping(struct buf *out, struct json_object *object, int indent)
{
    size_t count = 0;
    const char **keys = mem_array(jsonval_count(object), sizeof *keys);
    jsonval_each(object, key, value)
    {
        (void)value;
        keys[count++] = key;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++) {
        struct json_object *member = jsonval_get(object, keys[i]);
        if (i > 0)
            buf_printf(out, "\n%*s", indent, "");
        put_string(out, keys[i], indent);
        buf_putc(out, ':');
        if (json_object_is_type(member, json_type_object) && jsonval_count(member) > 0) {
            buf_printf(out, "\n%*s", indent + 2, "");
            put_value(out, member, indent + 2);
        } else if (jsonval_length(member) > 0) {
            buf_printf(out, "\n%*s", indent, "");
            put_value(out, member, indent);
        } else {
            buf_putc(out, ' ');
            put_value(out, member, indent + 2);
        }
    }
    mem_free(keys);
}

static void put_value(struct buf *out, struct json_object *value, int indent)
{
    if (json_object_is_type(value, json_type_object) && jsonval_count(value) > 0) {
        put_mapping(out, value, indent);
    } else if (json_object_is_type(value, json_type_array) && jsonval_length(value) > 0) {
        for (size_t i = 0; i < jsonval_length(value); i++) {
            if (i > 0)
                buf_printf(out, "\n%*s", indent, "");
            buf_puts(out, "- ");
            put_value(out, jsonval_at(value, i), indent + 2);
        }
    } else if (json_object_is_type(value, json_type_string)) {
        put_string(out, json_object_get_string(value), indent);
    } else {
        buf_puts(out, json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
    }
}

void yaml_write(struct buf *out, struct json_object *value)
{
    put_value(out, value, 0);
    buf_putc(out, '\n');
}
