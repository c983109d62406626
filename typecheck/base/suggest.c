#include "typecheck/base/suggest.h"

#include <ctype.h>
#include <string.h>

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* One row of the matrix of distances between beginnings of `a` and of `b`; returns its least cell. */
static size_t fill_row(struct str a, struct str b, size_t i, size_t rows[3][SUGGEST_NAME_BYTES + 1])
{
    size_t *row = rows[i % 3];
    const size_t *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
    size_t least = row[0] = i;
    for (size_t j = 1; j <= b.len; j++) {
        const bool is_same = a.at[i - 1] == b.at[j - 1];
        row[j] = min(min(above[j], row[j - 1]) + 1, above[j - 1] + !is_same);
        if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1])
            row[j] = min(row[j], above2[j - 2] + 1);
        least = min(least, row[j]);
    }
    return least;
}

size_t suggest_distance(struct str a, struct str b, size_t most)
{
    size_t rows[3][SUGGEST_NAME_BYTES + 1];
    for (size_t j = 0; j <= b.len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        if (fill_row(a, b, i, rows) > most)
            return SUGGEST_FAR;
    }
    return rows[a.len % 3][b.len];
}

/* The name in small letters, in `out`. */
static struct str without_case(struct str name, char out[SUGGEST_NAME_BYTES])
{
    for (size_t i = 0; i < name.len; i++)
        out[i] = (char)tolower((unsigned char)name.at[i]);
    return (struct str){out, name.len};
}

/* Capital letters count as small ones; other bytes count as some letter, too. */
static unsigned letter_of(char c)
{
    return (unsigned char)c % SUGGEST_LETTERS;
}

/* Returns true if the counts of letters alone show that the name is too far away: an edit adds or removes one
 * letter at most. Comparing the order of the letters costs more. */
static bool is_far(const struct suggest *n, struct str name)
{
    int16_t left[SUGGEST_LETTERS];
    const size_t missing = n->len > name.len ? n->len - name.len : 0;
    const size_t longer = name.len > n->len ? name.len - n->len : missing;
    if (longer >= n->distance)
        return true;
    memcpy(left, n->letters, sizeof left);
    size_t added = 0;
    /* all that is missing, and one more for each letter that is added, is lost */
    for (size_t i = 0; i < name.len && added + missing < n->distance; i++)
        added += left[letter_of(name.at[i])]-- <= 0;
    return added + missing >= n->distance;
}

uint32_t suggest_set(struct str name)
{
    uint32_t set = 0;
    for (size_t i = 0; i < name.len; i++)
        set |= UINT32_C(1) << letter_of(name.at[i]);
    return set;
}

/* An edit adds one letter at most that the name did not have, and takes one at most. */
bool suggest_may_offer(const struct suggest *n, uint32_t set)
{
    const size_t taken = (size_t)__builtin_popcount(n->set & ~set),
                 added = (size_t)__builtin_popcount(set & ~n->set);
    return set == 0 || (taken < n->distance && added < n->distance);
}

void suggest_init(struct suggest *n, const char *asked)
{
    const struct str name = str_of(asked);
    *n = (struct suggest){
        .asked = asked, .len = name.len, .distance = name.len / 3 + 1, .set = suggest_set(name)};
    for (size_t i = 0; i < name.len && i < SUGGEST_NAME_BYTES; i++)
        n->letters[letter_of(name.at[i])]++;
}

void suggest_offer(struct suggest *n, const char *name)
{
    suggest_offer_str(n, str_of(name));
}

void suggest_offer_str(struct suggest *n, struct str other)
{
    const struct str asked = {n->asked, n->len};
    if (asked.len > SUGGEST_NAME_BYTES || other.len > SUGGEST_NAME_BYTES || is_far(n, other))
        return;
    char small_asked[SUGGEST_NAME_BYTES], small_other[SUGGEST_NAME_BYTES];
    const size_t distance =
        suggest_distance(without_case(asked, small_asked), without_case(other, small_other), n->distance - 1);
    if (distance < n->distance) {
        n->best = other.at;
        n->distance = distance;
    }
}
