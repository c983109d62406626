#include "typecheck/cel/schema/property_name.h"

#include <ctype.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/reserved.h"

/* The text that replaces the character at `i`; empty: the character stays as it is. */
static struct str replacement(struct str name, size_t i)
{
    switch (name.at[i]) {
    case '_':
        return i + 1 < name.len && name.at[i + 1] == '_' ? STR("__underscores__") : STR("");
    case '.':
        return STR("__dot__");
    case '-':
        return STR("__dash__");
    case '/':
        return STR("__slash__");
    default:
        return STR("");
    }
}

bool property_name_escape(struct arena *a, struct str name, struct str *out)
{
    if (name.len == 0 || isdigit((unsigned char)name.at[0]))
        return false;
    if (reserved_has(name)) {
        *out = str_join(a, STR_PARTS(STR("__"), name, STR("__")));
        return true;
    }
    bool is_plain = true;
    size_t letters = 0; /* nearly always all of it */
    while (letters < name.len && isalnum((unsigned char)name.at[letters]))
        letters++;
    for (size_t i = letters; i < name.len; i++) {
        struct str written = replacement(name, i);
        if (written.len == 0 && !isalnum((unsigned char)name.at[i]) && name.at[i] != '_')
            return false;
        is_plain = is_plain && written.len == 0;
    }
    *out = name;
    if (is_plain)
        return true;
    struct text t = {.arena = a};
    for (size_t i = 0; i < name.len; i++) {
        struct str written = replacement(name, i);
        if (written.len == 0)
            text_add_char(&t, name.at[i]);
        else
            text_add(&t, written);
        i += name.at[i] == '_' && written.len != 0; /* two underscores make one escape */
    }
    *out = text_str(&t);
    return true;
}

/* Bytes of the escape sequence at the begin, "__" and all up to the next "__"; 0: there is none. */
static size_t sequence_len(struct str s)
{
    size_t end = 2;
    if (!str_has_prefix(s, STR("__")))
        return 0;
    while (end < s.len && s.at[end] != '_')
        end++;
    return end > 2 && str_has_prefix((struct str){s.at + end, s.len - end}, STR("__")) ? end + 2 : 0;
}

/* The text that the contents between the underscores stand for; empty: they are no known escape. */
static struct str escaped_text(struct str contents, bool is_alone)
{
    static const struct str known[][2] = {
        {STR_INIT("underscores"), STR_INIT("__")},
        {STR_INIT("dot"), STR_INIT(".")},
        {STR_INIT("dash"), STR_INIT("-")},
        {STR_INIT("slash"), STR_INIT("/")},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (str_eq(contents, known[i][0]))
            return known[i][1];
    }
    return is_alone && reserved_has(contents) ? contents : STR("");
}

bool property_name_unescape(struct arena *a, struct str identifier, struct str *out)
{
    struct text t = {.arena = a};
    *out = identifier;
    const char *first = memchr(identifier.at, '_', identifier.len);
    if (first == NULL || memmem(first, identifier.len - (size_t)(first - identifier.at), "__", 2) == NULL)
        return true;
    arena_pay_bytes(a, identifier.len);
    for (size_t i = 0; i < identifier.len;) {
        size_t len = sequence_len((struct str){identifier.at + i, identifier.len - i});
        if (len == 0) {
            text_add_char(&t, identifier.at[i++]);
            continue;
        }
        struct str text = escaped_text((struct str){identifier.at + i + 2, len - 4}, len == identifier.len);
        if (text.len == 0)
            return false;
        text_add(&t, text);
        i += len;
    }
    *out = text_str(&t);
    return true;
}

struct str property_name_of_key(struct arena *a, struct str key)
{
    struct str name;
    return property_name_escape(a, key, &name) ? name : str_join(a, STR_PARTS(STR("'"), key));
}

bool property_name_is_quoted(struct str name)
{
    return name.len != 0 && name.at[0] == '\'';
}
