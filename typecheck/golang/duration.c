#include "typecheck/golang/duration.h"

#include <ctype.h>

/* The magnitude of the least int64_t: a negative duration may reach it. */
#define MOST ((uint64_t)1 << 63)

static const struct {
    struct str name;
    uint64_t nanoseconds;
} units[] = {
    {STR_INIT("ns"), 1},          {STR_INIT("us"), 1000},
    {STR_INIT("\u00b5s"), 1000}, /* micro sign */
    {STR_INIT("\u03bcs"), 1000}, /* Greek mu */
    {STR_INIT("ms"), 1000000},    {STR_INIT("s"), 1000000000},
    {STR_INIT("m"), 60000000000}, {STR_INIT("h"), 3600000000000},
};

/* [0-9]* at *at. False if it is more than MOST. */
static bool whole_part(struct str s, size_t *at, uint64_t *value)
{
    *value = 0;
    for (; *at < s.len && isdigit((unsigned char)s.at[*at]); ++*at) {
        uint64_t digit = (uint64_t)(s.at[*at] - '0');
        if (*value > MOST / 10 || *value * 10 + digit > MOST)
            return false;
        *value = *value * 10 + digit;
    }
    return true;
}

/* [0-9]* at *at, as value / scale. Digits past what an integer holds are dropped, as in Go. */
static void fraction_part(struct str s, size_t *at, uint64_t *value, double *scale)
{
    bool full = false;
    *value = 0;
    *scale = 1;
    for (; *at < s.len && isdigit((unsigned char)s.at[*at]); ++*at) {
        uint64_t digit = (uint64_t)(s.at[*at] - '0');
        full = full || *value > (MOST - 1) / 10 || *value * 10 + digit > MOST;
        if (full)
            continue;
        *value = *value * 10 + digit;
        *scale *= 10;
    }
}

/* A run of anything but digits and points. */
static bool unit(struct str s, size_t *at, uint64_t *nanoseconds)
{
    size_t start = *at;
    while (*at < s.len && s.at[*at] != '.' && !isdigit((unsigned char)s.at[*at]))
        ++*at;
    struct str name = {s.at + start, *at - start};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (str_eq(name, units[i].name)) {
            *nanoseconds = units[i].nanoseconds;
            return true;
        }
    }
    return false;
}

/* "1.5h" at *at, added to *total. */
static bool quantity(struct str s, size_t *at, uint64_t *total)
{
    uint64_t whole, fraction = 0, nanoseconds;
    double scale = 1;
    size_t start = *at, digits;
    if (!whole_part(s, at, &whole))
        return false;
    digits = *at - start;
    if (*at < s.len && s.at[*at] == '.') {
        size_t point = (*at)++;
        fraction_part(s, at, &fraction, &scale);
        digits += *at - point - 1;
    }
    if (digits == 0 || !unit(s, at, &nanoseconds) || whole > MOST / nanoseconds)
        return false;
    whole *= nanoseconds;
    if (fraction > 0)
        whole += (uint64_t)((double)fraction * ((double)nanoseconds / scale));
    /* The sum of two that are MOST wraps to 0, and passes; so it does in Go. */
    *total += whole;
    return whole <= MOST && *total <= MOST;
}

bool duration_read(struct str text, int64_t *nanoseconds)
{
    size_t at = 0;
    uint64_t total = 0;
    bool negative = text.len > 0 && text.at[0] == '-';
    if (negative || (text.len > 0 && text.at[0] == '+'))
        at++;
    if (at == text.len)
        return false;
    *nanoseconds = 0;
    if (at + 1 == text.len && text.at[at] == '0')
        return true;
    while (at < text.len) {
        if (!quantity(text, &at, &total))
            return false;
    }
    *nanoseconds = negative ? (int64_t)(0 - total) : (int64_t)total;
    return negative || total < MOST;
}

bool duration_valid(struct str text)
{
    int64_t nanoseconds;
    return duration_read(text, &nanoseconds);
}
