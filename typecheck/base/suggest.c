#include "typecheck/base/suggest.h"

#include <ctype.h>
#include <string.h>

/* Longer names are not compared: no resource or field has one. */
#define MAX_NAME 128

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Damerau-Levenshtein (neighbours swapped count once), without case. */
static size_t edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t rows[3][MAX_NAME + 1];
    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]) && above2[j - 2] + 1 < row[j])
                row[j] = above2[j - 2] + 1;
        }
    }
    return rows[a_len % 3][b_len];
}

void suggest_init(struct suggest *n, const char *asked)
{
    *n = (struct suggest){.asked = asked, .distance = strlen(asked) / 3 + 1};
}

void suggest_offer(struct suggest *n, const char *name)
{
    size_t asked_len = strlen(n->asked), name_len = strlen(name);
    if (asked_len > MAX_NAME || name_len > MAX_NAME)
        return;
    /* at least as many letters are added or left out */
    if ((asked_len > name_len ? asked_len - name_len : name_len - asked_len) >= n->distance)
        return;
    size_t distance = edit_distance(n->asked, asked_len, name, name_len);
    if (distance < n->distance) {
        n->best = name;
        n->distance = distance;
    }
}
