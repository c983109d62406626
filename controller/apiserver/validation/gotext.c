#include "controller/apiserver/validation/gotext.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/text/jsonval.h"
#include "typecheck/text.h"

/* The letter of a short escape (\n), or 0. */
static char short_escape(uint32_t code)
{
    static const char codes[] = "\b\f\n\r\t\\\"", letters[] = "bfnrt\\\"";
    const char *found = code == 0 || code > 0x7F ? NULL : strchr(codes, (int)code);
    if (found == NULL)
        return '\0';
    return letters[found - codes];
}

void gotext_put_quoted(struct buf *b, const char *text, size_t len)
{
    char quoted[GOQUOTE_CHARACTER_BYTES];
    buf_putc(b, '"');
    for (size_t at = 0; at < len;) {
        at += goquote_character((struct str){text + at, len - at}, quoted);
        buf_puts(b, quoted);
    }
    buf_putc(b, '"');
}

static void put_string(struct buf *b, const char *text, size_t len)
{
    buf_putc(b, '"');
    for (size_t at = 0, n; at < len; at += n) {
        uint32_t code;
        n = utf8_next(text + at, len - at, &code);
        char letter = short_escape(code);
        if (n == 1 && code == UTF8_REPLACEMENT)
            buf_puts(b, "\\ufffd");
        else if (letter != '\0')
            buf_printf(b, "\\%c", letter);
        else if (code < 0x20 || code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029)
            buf_printf(b, "\\u%04x", code);
        else
            buf_append(b, text + at, n);
    }
    buf_putc(b, '"');
}

void gotext_put_json(struct buf *b, struct json_object *value)
{
    const char *separator = "";
    if (json_object_is_type(value, json_type_string)) {
        put_string(b, json_object_get_string(value), (size_t)json_object_get_string_len(value));
    } else if (json_object_is_type(value, json_type_array)) {
        buf_putc(b, '[');
        for (size_t i = 0; i < jsonval_length(value); i++, separator = ",") {
            buf_puts(b, separator);
            gotext_put_json(b, jsonval_at(value, i));
        }
        buf_putc(b, ']');
    } else if (json_object_is_type(value, json_type_object)) {
        buf_putc(b, '{');
        jsonval_each(value, key, member)
        {
            buf_puts(b, separator);
            put_string(b, key, strlen(key));
            buf_putc(b, ':');
            gotext_put_json(b, member);
            separator = ",";
        }
        buf_putc(b, '}');
    } else {
        buf_puts(b, json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
    }
}

struct str gotext_member(struct json_object *object, const char *key)
{
    struct json_object *value = jsonval_get(object, key);
    const char *text = jsonval_text(value);
    return text == NULL ? STR("") : (struct str){text, (size_t)json_object_get_string_len(value)};
}

struct str gotext_trimmed(struct str s)
{
    return unicode_trimmed(s);
}
