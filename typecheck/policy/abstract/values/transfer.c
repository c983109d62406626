#include "typecheck/policy/abstract/values/transfer.h"

#include "typecheck/base/suggest.h"

/* Of longer lists only the first words are in a message. */
enum { WORDS_SHOWN = 12 };

static bool is_word(struct arena *a, const struct str *list, size_t count, struct str text)
{
    for (size_t i = 0; i < count; i++) {
        arena_step(a);
        if (str_eq(list[i], text))
            return true;
    }
    return false;
}

static bool is_other(struct arena *a, const struct abswords *words, struct str text)
{
    for (size_t i = 0; i < words->other_count; i++) {
        arena_step(a);
        if (str_eq(words->others[i].bytes, text))
            return true;
    }
    return false;
}

/* The word that differs in case alone, or the nearest one; `at` NULL: none is near. */
static struct str find_near(struct arena *a, const struct abswords *words, struct str text)
{
    struct suggest near;
    suggest_init(&near, str_copy(a, text).at);
    for (size_t i = 0; i < words->count; i++) {
        arena_pay_bytes(a, text.len * words->list[i].len);
        suggest_offer(&near, words->list[i].at);
    }
    return near.best == NULL ? (struct str){NULL, 0} : str_of(near.best);
}

/* ": it is CREATE, UPDATE, DELETE or CONNECT" */
static struct str list_words(struct arena *a, const struct abswords *words)
{
    const bool is_cut = words->count > WORDS_SHOWN;
    const size_t shown = is_cut ? WORDS_SHOWN : words->count;
    struct str all = STR(": it is ");
    for (size_t i = 0; i < shown; i++) {
        const struct str before = i == 0 ? STR("") : i + 1 == shown && !is_cut ? STR(" or ") : STR(", ");
        all = str_join(a, STR_PARTS(all, before, words->list[i]));
    }
    return is_cut ? str_join(a, STR_PARTS(all, STR(" or another word"))) : all;
}

static struct failure *never(struct arena *a, const struct abswords *words, struct str constant,
                             struct str list, struct str meant)
{
    struct failure *why = ARENA_NEW(a, struct failure);
    *why = (struct failure){
        .code = ISSUE_NEVER_EQUAL,
        .is_ours = true,
        .message = str_join(a, STR_PARTS(STR("no "), words->what, STR(" is '"), constant, STR("'"), list)),
        .hint = {.field = constant, .value = meant},
        .about = issue_about_pack(a, &(struct issue_about){.name = constant, .given = words->what})};
    return why;
}

const struct failure *transfer_no_word(struct arena *a, const struct absval *one, const struct absval *two)
{
    const struct absval *string = one->words != NULL ? one : two;
    const struct str *constant = absval_constant_string(string == one ? two : one);
    const struct abswords *words = string->words;
    struct str meant;
    if (words == NULL || constant == NULL || constant->len == 0 || words->is_stranger ||
        (one->words != NULL && two->words != NULL) || is_other(a, words, *constant))
        return NULL;
    if (words->judge != NULL)
        return words->judge(words->user, words->sort, *constant, &meant)
                   ? never(a, words, *constant, STR(""), meant)
                   : NULL;
    if (is_word(a, words->list, words->count, *constant))
        return NULL;
    const bool is_elsewhere = is_word(a, words->list + words->count, words->elsewhere, *constant);
    struct failure *why = never(a, words, *constant, list_words(a, words),
                                is_elsewhere ? (struct str){NULL, 0} : find_near(a, words, *constant));
    why->is_note = is_elsewhere;
    if (is_elsewhere)
        why->message = str_join(a, STR_PARTS(why->message, STR(" in this release of Kubernetes")));
    return why;
}
