#include "typecheck/policy/abstract/domain/case_call.h"

/* This is true when lowerAscii() (sort 0) or upperAscii() (sort 1) changes the text, and so never returns it.
 */
static bool is_of_other_case(void *user, unsigned sort, struct str text, struct str *meant)
{
    struct arena *a = user;
    char *changed = ARENA_ARRAY(a, text.len + 1, char);
    const char first = sort == 0 ? 'A' : 'a', last = sort == 0 ? 'Z' : 'z';
    bool is_changed = false;
    for (size_t i = 0; i < text.len; i++) {
        const bool is_other = text.at[i] >= first && text.at[i] <= last;
        changed[i] = (char)(is_other ? text.at[i] ^ ('a' ^ 'A') : text.at[i]);
        is_changed = is_changed || is_other;
    }
    *meant = (struct str){changed, text.len};
    return is_changed;
}

struct transfer case_call(const struct abscall *c)
{
    const struct transfer t = abscall_constants(c);
    if (t.failure != NULL || !c->is_receiver || t.value->kinds != ABS_STRING || t.value->values != NULL)
        return t;
    const bool is_upper = str_eq(c->name, STR("upperAscii"));
    struct abswords *words = ARENA_NEW(c->arena, struct abswords);
    *words =
        (struct abswords){.what = is_upper ? STR("result of upperAscii()") : STR("result of lowerAscii()"),
                          .judge = is_of_other_case,
                          .user = c->arena,
                          .sort = is_upper};
    return (struct transfer){.value = absval_with_words(c->arena, t.value, words)};
}
