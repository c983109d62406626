#include "typecheck/cel/interpreter/values/times.h"

#include <inttypes.h>

#include "typecheck/base/arena.h"
#include "typecheck/golang/duration.h"
#include "typecheck/golang/gonumber.h"
#include "typecheck/golang/goquote.h"
#include "typecheck/golang/timestamp.h"
#include "typecheck/golang/zones.h"

#define SECOND ((int64_t)1000000000)

enum { SECONDS_OF_MINUTE = 60, SECONDS_OF_HOUR = 3600, SECONDS_OF_DAY = 86400, DAYS_OF_WEEK = 7 };

static const struct value *new_timestamp(struct arena *a, int64_t seconds, int64_t nanoseconds,
                                         int32_t offset)
{
    struct value *v = ARENA_NEW(a, struct value);
    v->kind = VALUE_TIMESTAMP;
    v->timestamp.seconds = seconds;
    v->timestamp.nanoseconds = (int32_t)nanoseconds;
    v->timestamp.offset_seconds = offset;
    return v;
}

const struct value *times_of_seconds(struct arena *a, int64_t seconds)
{
    return timestamp_in_range(seconds) ? new_timestamp(a, seconds, 0, 0)
                                       : value_error(a, STR("timestamp overflow"));
}

const struct value *times_read_duration(struct arena *a, struct str text)
{
    int64_t nanoseconds;
    arena_pay_bytes(a, text.len);
    return duration_read(text, &nanoseconds) ? value_duration(a, nanoseconds) : NULL;
}

const struct value *times_read_timestamp(struct arena *a, struct str text)
{
    struct timestamp t;
    arena_pay_bytes(a, text.len);
    return timestamp_read(text, &t) ? new_timestamp(a, t.seconds, t.nanoseconds, t.offset_seconds) : NULL;
}

bool times_is_out_of_range(struct arena *a, struct str text)
{
    struct timestamp t = {0};
    arena_pay_bytes(a, text.len);
    return !timestamp_read(text, &t) && !timestamp_in_range(t.seconds);
}

/* ---- the calendar ---- */

struct date {
    int64_t year;
    int month, day, day_of_year; /* from 0 */
};

/* The Gregorian calendar in eras of 400 years that begin on March 1. */
static struct date date_of(int64_t days)
{
    const int64_t era_days = 146097, epoch = 719468; /* 1970-01-01, from 0000-03-01 */
    int64_t z = days + epoch, era = (z >= 0 ? z : z - era_days + 1) / era_days;
    int64_t in_era = z - era * era_days;
    int64_t year_in_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / (era_days - 1)) / 365;
    int64_t in_year = in_era - (365 * year_in_era + year_in_era / 4 - year_in_era / 100);
    int64_t march_month = (5 * in_year + 2) / 153;
    struct date d = {.year = year_in_era + era * 400 + (march_month >= 10)};
    d.day = (int)(in_year - (153 * march_month + 2) / 5);
    d.month = (int)(march_month < 10 ? march_month + 2 : march_month - 10);
    bool is_leap = d.year % 4 == 0 && (d.year % 100 != 0 || d.year % 400 == 0);
    const int january_and_february = 59, before_march = 306;
    d.day_of_year =
        (int)(march_month < 10 ? in_year + january_and_february + is_leap : in_year - before_march);
    return d;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

struct clock {
    int64_t days, second; /* of the day */
};

static struct clock clock_of(int64_t seconds)
{
    int64_t days = floor_div(seconds, SECONDS_OF_DAY);
    return (struct clock){days, seconds - days * SECONDS_OF_DAY};
}

/* ---- texts ---- */

struct str times_duration_text(struct arena *a, int64_t nanoseconds)
{
    int64_t whole = nanoseconds / SECOND, rest = nanoseconds % SECOND;
    double seconds = (double)whole + (double)rest / 1e9;
    return str_join(a, STR_PARTS(gonumber_decimal_text(a, seconds), STR("s")));
}

struct str times_timestamp_text(struct arena *a, const struct value *v)
{
    int32_t offset = v->timestamp.offset_seconds, nanoseconds = v->timestamp.nanoseconds;
    struct clock c = clock_of(v->timestamp.seconds + offset);
    struct date d = date_of(c.days);
    struct text t = {.arena = a};
    text_addf(&t, "%04" PRId64 "-%02d-%02dT%02d:%02d:%02d", d.year, d.month + 1, d.day + 1,
              (int)(c.second / SECONDS_OF_HOUR), (int)(c.second / SECONDS_OF_MINUTE % 60),
              (int)(c.second % SECONDS_OF_MINUTE));
    if (nanoseconds != 0) {
        text_addf(&t, ".%09" PRId32, nanoseconds);
        while (t.at[t.len - 1] == '0')
            t.len--;
    }
    int32_t minutes = (offset < 0 ? -offset : offset) / SECONDS_OF_MINUTE;
    if (offset == 0)
        text_add_char(&t, 'Z');
    else
        text_addf(&t, "%c%02d:%02d", offset < 0 ? '-' : '+', (int)(minutes / 60), (int)(minutes % 60));
    return text_str(&t);
}

/* ---- arithmetic ---- */

const struct value *times_add(struct arena *a, const struct value *v, int64_t nanoseconds)
{
    int64_t sum = v->timestamp.nanoseconds + nanoseconds % SECOND, seconds;
    int64_t carry = floor_div(sum, SECOND);
    if (__builtin_add_overflow(v->timestamp.seconds, nanoseconds / SECOND + carry, &seconds))
        return value_error(a, STR("integer overflow"));
    if (!timestamp_in_range(seconds))
        return value_error(a, STR("timestamp overflow"));
    return new_timestamp(a, seconds, sum - carry * SECOND, v->timestamp.offset_seconds);
}

const struct value *times_subtract(struct arena *a, const struct value *v, int64_t nanoseconds)
{
    return nanoseconds == INT64_MIN ? value_error(a, STR("integer overflow")) : times_add(a, v, -nanoseconds);
}

const struct value *times_between(struct arena *a, const struct value *later, const struct value *earlier)
{
    int64_t between;
    if (__builtin_mul_overflow(later->timestamp.seconds - earlier->timestamp.seconds, SECOND, &between) ||
        __builtin_add_overflow(between, later->timestamp.nanoseconds - earlier->timestamp.nanoseconds,
                               &between))
        return value_error(a, STR("integer overflow"));
    return value_duration(a, between);
}

/* ---- parts ---- */

static const struct value *refuse_number(struct arena *a, struct str text)
{
    struct text t = {.arena = a};
    bool is_number = text.len != 0;
    for (size_t i = text.len > 1 && (text.at[0] == '-' || text.at[0] == '+') ? 1 : 0; i < text.len; i++)
        is_number = is_number && str_is_digit(text.at[i]);
    arena_pay_bytes(a, text.len);
    text_add(&t, STR("strconv.Atoi: parsing "));
    goquote_add(&t, text);
    text_add(&t, is_number ? STR(": value out of range") : STR(": invalid syntax"));
    return value_error_of(a, ISSUE_OTHER, text_str(&t));
}

/* "-08:00" as cel-go reads it: hours and minutes as strconv.Atoi does; Go's numbers wrap around. NULL, or the
 * error. */
static const struct value *read_offset(struct arena *a, struct str zone, size_t colon, int64_t *seconds)
{
    struct str parts[] = {{zone.at, colon}, {zone.at + colon + 1, zone.len - colon - 1}};
    int64_t numbers[2], minutes, nanoseconds;
    for (size_t i = 0; i < 2; i++) {
        if (!gonumber_read_int(parts[i], &numbers[i]))
            return refuse_number(a, parts[i]);
    }
    (void)__builtin_mul_overflow(numbers[0], 60, &minutes);
    if (zone.at[0] == '-')
        (void)__builtin_sub_overflow(minutes, numbers[1], &minutes);
    else
        (void)__builtin_add_overflow(minutes, numbers[1], &minutes);
    (void)__builtin_mul_overflow(minutes, SECONDS_OF_MINUTE * SECOND, &nanoseconds);
    *seconds = nanoseconds / SECOND;
    return NULL;
}

/* Finds the offset of a zone that time.LoadLocation knows. The zone "Local" is that of the server. */
static const struct value *read_name(const struct invocation *c, struct str name,
                                     enum zones_database database, int64_t at, int64_t *seconds)
{
    const struct zone *zone = zones_find(name, database);
    if (zone != NULL) {
        *seconds = zones_offset(zone, at);
        return NULL;
    }
    arena_pay_bytes(c->arena, name.len);
    if (name.at[0] == '/' || name.at[0] == '\\' || memmem(name.at, name.len, "..", 2) != NULL)
        return value_error_of(c->arena, ISSUE_OTHER, STR("time: invalid location name"));
    if (!str_eq(name, STR("Local")) && zones_is_unknown(name))
        return value_error_of(c->arena, ISSUE_OTHER,
                              str_join(c->arena, STR_PARTS(STR("unknown time zone "), name)));
    *c->missing = str_join(c->arena, STR_PARTS(STR("the time zone '"), name, STR("'")));
    return NULL;
}

static const struct value *read_zone(const struct invocation *c, enum zones_database database, int64_t at,
                                     int64_t *seconds)
{
    struct str zone = c->args[1]->text;
    const char *colon = zone.len == 0 ? NULL : memchr(zone.at, ':', zone.len);
    *seconds = 0;
    if (colon != NULL)
        return read_offset(c->arena, zone, (size_t)(colon - zone.at), seconds);
    return zone.len == 0 ? NULL : read_name(c, zone, database, at, seconds);
}

static int64_t part_of_timestamp(struct str function, int64_t seconds, int32_t nanoseconds)
{
    struct clock c = clock_of(seconds);
    struct date d = date_of(c.days);
    if (str_eq(function, STR("getFullYear")))
        return d.year;
    if (str_eq(function, STR("getMonth")))
        return d.month;
    if (str_eq(function, STR("getDate")))
        return d.day + 1;
    if (str_eq(function, STR("getDayOfMonth")))
        return d.day;
    if (str_eq(function, STR("getDayOfYear")))
        return d.day_of_year;
    if (str_eq(function, STR("getDayOfWeek"))) {
        const int64_t thursday = 4; /* 1970-01-01, from Sunday */
        int64_t day = (c.days + thursday) % DAYS_OF_WEEK;
        return day < 0 ? day + DAYS_OF_WEEK : day;
    }
    if (str_eq(function, STR("getHours")))
        return c.second / SECONDS_OF_HOUR;
    if (str_eq(function, STR("getMinutes")))
        return c.second / SECONDS_OF_MINUTE % 60;
    if (str_eq(function, STR("getSeconds")))
        return c.second % SECONDS_OF_MINUTE;
    return nanoseconds / 1000000;
}

static int64_t part_of_duration(struct str function, int64_t nanoseconds)
{
    if (str_eq(function, STR("getHours")))
        return nanoseconds / (SECOND * SECONDS_OF_HOUR);
    if (str_eq(function, STR("getMinutes")))
        return nanoseconds / (SECOND * SECONDS_OF_MINUTE);
    if (str_eq(function, STR("getSeconds")))
        return nanoseconds / SECOND;
    return nanoseconds / 1000000;
}

static const struct value *get(const struct invocation *c, enum zones_database database)
{
    const struct value *v = c->args[0];
    int64_t offset = 0;
    if (v->kind == VALUE_DURATION)
        return value_int(c->arena, part_of_duration(c->function, v->integer));
    if (c->count == 2) {
        const struct value *error = read_zone(c, database, v->timestamp.seconds, &offset);
        if (error != NULL)
            return error;
    }
    return value_int(c->arena,
                     part_of_timestamp(c->function, v->timestamp.seconds + offset, v->timestamp.nanoseconds));
}

const struct value *times_get(const struct invocation *c)
{
    return get(c, ZONES_NEWER);
}

const struct value *times_get_by_older_zones(const struct invocation *c)
{
    return get(c, ZONES_OLDER);
}
