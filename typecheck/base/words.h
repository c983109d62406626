/*
 * words: the words that a text can be. If it is none of them, they are listed, and the nearest one is found.
 *
 *     if (words_find(words, count, text) == count) {
 *         const struct words_list list = words_list(words, count);
 *         for (size_t i = 0; i < list.count; i++) print(list.items[i].before, list.items[i].word);
 *         meant = words_near(words, count, text);
 *     }
 */
#ifndef TYPECHECK_BASE_WORDS_H
#define TYPECHECK_BASE_WORDS_H

#include <stddef.h>

#include "typecheck/base/str.h"

/* The number of words that a message shows of a longer list: the first ones. */
enum { WORDS_SHOWN = 12 };

/* "Fast, Slow or Off", word by word; the last item of a list that is cut is " or another word". */
struct words_list {
    struct {
        struct str before, word;
    } items[WORDS_SHOWN + 1];
    size_t count;
};

/* Returns the index of the word that is equal to the text, or count if there is none. */
size_t words_find(const struct str *words, size_t count, struct str text);

/* Returns the word that differs in case alone, or the nearest one; its `at` is NULL if none is near. The text
 * is borrowed from the words. */
struct str words_near(const struct str *words, size_t count, const char *text);

/* The words are borrowed. */
struct words_list words_list(const struct str *words, size_t count);

#endif
