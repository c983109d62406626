#include "typecheck/absval/transfer.h"

#include "typecheck/base/suggest.h"

static bool is_word(struct arena *a, const struct abswords *words, struct str text)
{
    for (size_t i = 0; i < words->count; i++) {
        arena_step(a);
        if (str_eq(words->list[i], text))
            return true;
    }
    return false;
}

/* The word that differs in case alone, or the nearest one; empty: none is near. */
static struct str find_near(struct arena *a, const struct abswords *words, struct str text)
{
    struct suggest near;
    suggest_init(&near, str_copy(a, text).at);
    for (size_t i = 0; i < words->count; i++) {
        arena_pay_bytes(a, text.len * words->list[i].len);
        suggest_offer(&near, words->list[i].at);
    }
    return near.best == NULL ? STR("") : str_of(near.best);
}

static struct str list_words(struct arena *a, const struct abswords *words)
{
    struct str all = STR("");
    for (size_t i = 0; i < words->count; i++) {
        const struct str before = i == 0 ? STR("") : i + 1 == words->count ? STR(" or ") : STR(", ");
        all = str_join(a, STR_PARTS(all, before, words->list[i]));
    }
    return all;
}

const struct failure *transfer_no_word(struct arena *a, const struct absval *one, const struct absval *two)
{
    const struct absval *string = one->words != NULL ? one : two;
    const struct str *constant = absval_constant_string(string == one ? two : one);
    const struct abswords *words = string->words;
    if (words == NULL || constant == NULL || constant->len == 0 ||
        (one->words != NULL && two->words != NULL) || is_word(a, words, *constant))
        return NULL;
    struct failure *why = ARENA_NEW(a, struct failure);
    *why = (struct failure){.code = ISSUE_NEVER_EQUAL,
                            .is_ours = true,
                            .message = str_join(a, STR_PARTS(STR("no "), words->what, STR(" is '"), *constant,
                                                             STR("': it is "), list_words(a, words))),
                            .hint = {.value = find_near(a, words, *constant)}};
    return why;
}
