#include "controller/crd/crdfieldpath.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/text/jsonval.h"

/* The next token: a delimiter, a text in single quotes, or what stands before the next delimiter. */
static bool next_token(struct str *rest, struct str *token)
{
    size_t n = 0;
    if (rest->len == 0)
        return false;
    if (rest->at[0] == '\'') {
        for (n = 1; n < rest->len && !(rest->at[n] == '\'' && rest->at[n - 1] != '\\'); n++) {
        }
        n += n < rest->len;
    } else {
        while (n < rest->len && strchr(".[]", rest->at[n]) == NULL)
            n++;
        n += n == 0;
    }
    *token = (struct str){rest->at, n};
    *rest = (struct str){rest->at + n, rest->len - n};
    return true;
}

static bool is_token(struct str token, char delimiter)
{
    return token.len == 1 && token.at[0] == delimiter;
}

/* The text in the quotes without its escapes; false where it is none. */
static bool unquote(struct str token, struct buf *out)
{
    static const char letters[] = "abfnrtv'\\", values[] = "\a\b\f\n\r\t\v'\\";
    if (token.len < 2 || token.at[0] != '\'' || token.at[token.len - 1] != '\'')
        return false;
    for (size_t i = 1; i < token.len - 1; i++) {
        char c = token.at[i];
        if (c == '\\' && i + 1 < token.len - 1 && token.at[i + 1] != '\n') {
            const char *found = strchr(letters, token.at[++i]);
            if (found == NULL || token.at[i] == '\0')
                return false;
            c = values[found - letters];
        }
        buf_putc(out, c);
    }
    return true;
}

static bool has_members(struct json_object *schema)
{
    struct json_object *properties = jsonval_get(schema, "properties");
    return json_object_is_type(properties, json_type_object) && json_object_object_length(properties) > 0;
}

/* The schema of the field; NULL: there is none. */
static struct json_object *enter(struct json_object *schema, const char *name)
{
    struct json_object *next = has_members(schema) ? jsonval_get(jsonval_get(schema, "properties"), name)
                                                   : jsonval_get(schema, "additionalProperties");
    return json_object_is_type(next, json_type_object) ? next : NULL;
}

bool crdfieldpath_is_valid(struct json_object *schema, struct str path)
{
    struct str rest = path, token;
    while (next_token(&rest, &token)) {
        cleanup_buf struct buf name;
        buf_init(&name, path.len + 1);
        bool is_quoted = is_token(token, '[');
        if ((!is_quoted && !is_token(token, '.')) || !next_token(&rest, &token))
            return false;
        if (!is_quoted)
            buf_append(&name, token.at, token.len);
        else if (!unquote(token, &name))
            return false;
        schema = enter(schema, name.data);
        if (schema == NULL || (is_quoted && (!next_token(&rest, &token) || !is_token(token, ']'))))
            return false;
    }
    return true;
}
