#include "typecheck/golang/timestamp.h"

#define FIRST_SECOND (-62135596800) /* 0001-01-01T00:00:00Z */
#define LAST_SECOND  253402300799   /* 9999-12-31T23:59:59Z */

bool timestamp_in_range(int64_t unix_seconds)
{
    return unix_seconds >= FIRST_SECOND && unix_seconds <= LAST_SECOND;
}

static bool is_digit(struct str s, size_t at)
{
    return at < s.len && str_is_digit(s.at[at]);
}

static bool one_of(struct str s, size_t at, char a, char b)
{
    return at < s.len && (s.at[at] == a || s.at[at] == b);
}

/* `digits` digits at *at, and then the byte `after` (NUL: none), from 0 to `most`. */
static bool field(struct str s, size_t *at, int digits, int most, char after, int *value)
{
    *value = 0;
    for (int i = 0; i < digits; i++, ++*at) {
        if (!is_digit(s, *at))
            return false;
        *value = *value * 10 + s.at[*at] - '0';
    }
    if (after != '\0' && !one_of(s, (*at)++, after, after))
        return false;
    return *value <= most;
}

/* "Z" or "+hh:mm" up to the end. Offsets of 24 hours and of 60 minutes are taken. */
static bool zone(struct str s, size_t at, int *offset_seconds)
{
    int hours, minutes;
    *offset_seconds = 0;
    if (one_of(s, at, 'Z', 'Z'))
        return at + 1 == s.len;
    if (!one_of(s, at, '+', '-'))
        return false;
    int sign = s.at[at++] == '-' ? -1 : 1;
    if (!field(s, &at, 2, 24, ':', &hours) || !field(s, &at, 2, 60, '\0', &minutes))
        return false;
    *offset_seconds = sign * (hours * 60 + minutes) * 60;
    return at == s.len;
}

static int days_in(int month, int year)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

int64_t timestamp_days(int year, int month, int day)
{
    int64_t before = year - 1;
    int64_t days = before * 365 + before / 4 - before / 100 + before / 400 + day - 1;
    if (year == 0)
        days--; /* the year 0 is a leap year; division rounds up to 0 there */
    for (int m = 1; m < month; m++)
        days += days_in(m, year);
    return days - 719162;
}

bool timestamp_read(struct str s, struct timestamp *out)
{
    int year, month, day, hour, minute, second, offset;
    size_t at = 0;
    if (!field(s, &at, 4, 9999, '-', &year) || !field(s, &at, 2, 12, '-', &month) || month == 0 ||
        !field(s, &at, 2, 31, 'T', &day))
        return false;
    /* The hour alone may have one digit. */
    int digits = is_digit(s, at) && is_digit(s, at + 1) ? 2 : 1;
    if (!field(s, &at, digits, 23, ':', &hour) || !field(s, &at, 2, 59, ':', &minute) ||
        !field(s, &at, 2, 59, '\0', &second))
        return false;
    out->nanoseconds = 0;
    /* A comma is as good as a point before the fraction, of any length. */
    if (one_of(s, at, '.', ',') && is_digit(s, at + 1)) {
        int32_t weight = 100000000; /* digits past nanoseconds are dropped, as in Go */
        for (at++; is_digit(s, at); at++, weight /= 10)
            out->nanoseconds += weight * (s.at[at] - '0');
    }
    if (!zone(s, at, &offset) || day < 1 || day > days_in(month, year))
        return false;
    int seconds = (hour * 60 + minute) * 60 + second - offset;
    out->seconds = timestamp_days(year, month, day) * 86400 + seconds;
    out->offset_seconds = offset;
    return timestamp_in_range(out->seconds);
}

bool timestamp_valid(struct str s)
{
    struct timestamp read;
    return timestamp_read(s, &read);
}
