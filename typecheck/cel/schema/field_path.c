#include "typecheck/cel/schema/field_path.h"

#include <string.h>

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
    *rest = str_skip(*rest, n);
    return true;
}

static bool is_token(struct str token, char delimiter)
{
    return token.len == 1 && token.at[0] == delimiter;
}

/* The text in the quotes without its escapes; false where it is none. */
static bool unquote(struct str token, char *room, struct str *name)
{
    static const char letters[] = "abfnrtv'\\", values[] = "\a\b\f\n\r\t\v'\\";
    size_t len = 0;
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
        room[len++] = c;
    }
    *name = (struct str){room, len};
    return true;
}

enum field_path_step field_path_next(struct str *path, char *room, struct str *name)
{
    struct str token, last;
    if (!next_token(path, &token))
        return FIELD_PATH_END;
    const bool is_quoted = is_token(token, '[');
    if ((!is_quoted && !is_token(token, '.')) || !next_token(path, &token))
        return FIELD_PATH_MALFORMED;
    *name = token;
    if (is_quoted && (!unquote(token, room, name) || !next_token(path, &last) || !is_token(last, ']')))
        return FIELD_PATH_MALFORMED;
    return FIELD_PATH_NAME;
}
