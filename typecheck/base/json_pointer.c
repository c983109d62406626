#include "typecheck/base/json_pointer.h"

#include <string.h>

#include "typecheck/base/arena.h"

struct str json_pointer_parts(struct str path)
{
    const char *slash = memchr(path.at, '/', path.len);
    size_t skipped = (size_t)(slash - path.at) + 1;
    return str_skip(path, skipped);
}

static struct str decode(struct arena *a, struct str part)
{
    struct text t = {.arena = a};
    for (size_t i = 0; i < part.len; i++) {
        bool is_escape =
            part.at[i] == '~' && i + 1 < part.len && (part.at[i + 1] == '0' || part.at[i + 1] == '1');
        if (is_escape)
            text_add(&t, part.at[++i] == '0' ? STR("~") : STR("/"));
        else
            text_add_char(&t, part.at[i]);
    }
    return text_str(&t);
}

bool json_pointer_next(struct arena *a, struct str *rest, struct str *part)
{
    if (rest->at == NULL)
        return false;
    arena_pay_bytes(a, rest->len);
    const char *slash = memchr(rest->at, '/', rest->len);
    size_t len = slash == NULL ? rest->len : (size_t)(slash - rest->at);
    struct str raw = {rest->at, len};
    *part = memchr(raw.at, '~', len) == NULL ? raw : decode(a, raw);
    *rest = slash == NULL ? (struct str){NULL, 0} : (struct str){slash + 1, rest->len - len - 1};
    return true;
}

/* This is what strconv.Atoi takes, but for numbers that are too large for it. No list has so many items. */
bool json_pointer_is_index(struct str part)
{
    size_t i = part.len != 0 && (part.at[0] == '-' || part.at[0] == '+');
    bool has_digits = i < part.len;
    for (; i < part.len; i++)
        has_digits = has_digits && str_is_digit(part.at[i]);
    return has_digits;
}
