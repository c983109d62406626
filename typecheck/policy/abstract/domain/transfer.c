#include "typecheck/policy/abstract/domain/transfer.h"

#include "typecheck/base/words.h"

static bool is_word(struct arena *a, const struct str *list, size_t count, struct str text)
{
    const size_t found = words_find(list, count, text);
    arena_pay(a, found < count ? found + 1 : count);
    return found < count;
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

static struct str find_near(struct arena *a, const struct abswords *words, struct str text)
{
    for (size_t i = 0; i < words->count; i++)
        arena_pay_bytes(a, text.len * words->list[i].len);
    return words_near(words->list, words->count, str_copy(a, text).at);
}

/* ": it is CREATE, UPDATE, DELETE or CONNECT" */
static struct str list_words(struct arena *a, const struct abswords *words)
{
    const struct words_list list = words_list(words->list, words->count);
    struct str all = STR(": it is ");
    for (size_t i = 0; i < list.count; i++)
        all = str_join(a, STR_PARTS(all, list.items[i].before, list.items[i].word));
    return all;
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
