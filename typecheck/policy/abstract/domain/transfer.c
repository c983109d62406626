#include "typecheck/policy/abstract/domain/transfer.h"

#include <string.h>

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

/* "it is CREATE, UPDATE, DELETE or CONNECT" */
static struct str list_words(struct arena *a, const struct abswords *words)
{
    const struct words_list list = words_list(words->list, words->count);
    struct str all = STR("it is ");
    for (size_t i = 0; i < list.count; i++)
        all = str_join(a, STR_PARTS(all, list.items[i].before, list.items[i].word));
    return all;
}

enum { SHOWN_BYTES = 100 /* of a constant, in a message */ };

/* The constant, or its beginning. */
static struct str shorten(struct arena *a, struct str constant)
{
    size_t end = SHOWN_BYTES;
    if (constant.len <= SHOWN_BYTES)
        return constant;
    while (end > 0 && ((unsigned char)constant.at[end] & 0xc0) == 0x80) /* within a character */
        end--;
    return str_join(a, STR_PARTS(((struct str){constant.at, end}), STR("...")));
}

/*
 * "no operation is 'creat': it is CREATE or UPDATE", "no operation starts with 'c' (it is CREATE or UPDATE):
 * this is always false"; why: "it is CREATE or UPDATE", may be empty.
 */
static struct failure *never(struct arena *a, const struct abswords *words, enum abswords_test test,
                             struct str constant, struct str why, struct str meant)
{
    static const struct str verbs[] = {[ABSWORDS_IS] = STR_INIT(" is '"),
                                       [ABSWORDS_STARTS] = STR_INIT(" starts with '"),
                                       [ABSWORDS_ENDS] = STR_INIT(" ends with '"),
                                       [ABSWORDS_CONTAINS] = STR_INIT(" contains '")};
    const bool is_equality = test == ABSWORDS_IS, has_why = why.len != 0;
    const struct str before = !has_why ? STR("") : is_equality ? STR(": ") : STR(" (");
    const struct str behind = is_equality ? STR("")
                              : has_why   ? STR("): this is always false")
                                          : STR(": this is always false");
    const struct str shown = shorten(a, constant);
    struct failure *never = ARENA_NEW(a, struct failure);
    *never = (struct failure){
        .code = is_equality ? ISSUE_NEVER_EQUAL : ISSUE_ALWAYS_FALSE,
        .is_ours = true,
        .message = str_join(
            a, STR_PARTS(STR("no "), words->what, verbs[test], shown, STR("'"), before, why, behind)),
        .hint = {.field = constant, .value = meant},
        .about = issue_about_pack(a, &(struct issue_about){.name = shown, .given = words->what})};
    return never;
}

/* The answer of `judge`, as a failure; NULL: some request may have such a string. */
static const struct failure *judged(struct arena *a, const struct abswords *words, enum abswords_test test,
                                    struct str constant)
{
    struct str meant;
    if (!words->judge(words->user, words->sort, test, constant, &meant))
        return NULL;
    if (constant.len > SHOWN_BYTES)
        meant.at = NULL;
    return never(a, words, test, constant, words->why, meant);
}

const struct failure *transfer_no_word(struct arena *a, const struct absval *one, const struct absval *two)
{
    const struct absval *string = one->words != NULL ? one : two;
    const struct str *constant = absval_constant_string(string == one ? two : one);
    const struct abswords *words = string->words;
    if (words == NULL || constant == NULL || constant->len == 0 || words->is_stranger ||
        (one->words != NULL && two->words != NULL) || is_other(a, words, *constant))
        return NULL;
    if (words->judge != NULL)
        return judged(a, words, ABSWORDS_IS, *constant);
    if (is_word(a, words->list, words->count, *constant))
        return NULL;
    const bool is_elsewhere = is_word(a, words->list + words->count, words->elsewhere, *constant);
    struct failure *why = never(a, words, ABSWORDS_IS, *constant, list_words(a, words),
                                is_elsewhere ? (struct str){NULL, 0} : find_near(a, words, *constant));
    why->is_note = is_elsewhere;
    if (is_elsewhere)
        why->message = str_join(a, STR_PARTS(why->message, STR(" in this release of Kubernetes")));
    return why;
}

bool transfer_passes_test(enum abswords_test test, struct str whole, struct str text)
{
    switch (test) {
    case ABSWORDS_STARTS:
        return str_has_prefix(whole, text);
    case ABSWORDS_ENDS:
        return str_has_suffix(whole, text);
    case ABSWORDS_CONTAINS:
        return text.len == 0 || memmem(whole.at, whole.len, text.at, text.len) != NULL;
    case ABSWORDS_IS:
        break;
    }
    return str_eq(whole, text);
}

/* Returns true if one of the words passes the test. */
static bool some_pass(struct arena *a, const struct abswords *words, enum abswords_test test, struct str text)
{
    bool some = false;
    for (size_t i = 0; !some && i < words->count + words->elsewhere; i++) {
        arena_pay_bytes(a, words->list[i].len);
        some = transfer_passes_test(test, words->list[i], text);
    }
    return some;
}

const struct failure *transfer_no_text(struct arena *a, enum abswords_test test, const struct absval *x,
                                       const struct absval *constant)
{
    const struct abswords *words = x->words;
    const struct str *text = absval_constant_string(constant);
    if (words == NULL || text == NULL || text->len == 0 || words->is_stranger || words->other_count != 0)
        return NULL;
    if (words->judge != NULL)
        return judged(a, words, test, *text);
    return some_pass(a, words, test, *text)
               ? NULL
               : never(a, words, test, *text, list_words(a, words), (struct str){NULL, 0});
}
