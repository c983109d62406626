#include "typecheck/base/words.h"

#include "typecheck/base/suggest.h"

size_t words_find(const struct str *words, size_t count, struct str text)
{
    size_t i = 0;
    while (i < count && !str_eq(words[i], text))
        i++;
    return i;
}

struct str words_near(const struct str *words, size_t count, const char *text)
{
    struct suggest near;
    struct str best = {NULL, 0};
    suggest_init(&near, text);
    for (size_t i = 0; i < count; i++) {
        suggest_offer_str(&near, words[i]);
        if (near.best == words[i].at)
            best = words[i];
    }
    return best;
}

struct words_list words_list(const struct str *words, size_t count)
{
    const size_t shown = count < WORDS_SHOWN ? count : WORDS_SHOWN;
    struct words_list list = {.count = shown};
    for (size_t i = 0; i < shown; i++) {
        list.items[i].before = i == 0 ? STR("") : i + 1 == count ? STR(" or ") : STR(", ");
        list.items[i].word = words[i];
    }
    if (shown < count)
        list.items[list.count++].word = STR(" or another word");
    return list;
}
