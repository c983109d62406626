#include "typecheck/schema/property_name.h"

#include <ctype.h>

#include "typecheck/base/arena.h"
#include "typecheck/syntax/reserved.h"

/* What the character at `i` is written as; the empty str where it stays as it is. */
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
    for (size_t i = 0; i < name.len; i++) {
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

struct str property_name_of_key(struct arena *a, struct str key)
{
    struct str name;
    return property_name_escape(a, key, &name) ? name : str_join(a, STR_PARTS(STR("'"), key));
}

bool property_name_is_quoted(struct str name)
{
    return name.len != 0 && name.at[0] == '\'';
}
