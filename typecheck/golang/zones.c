#include "typecheck/golang/zones.h"

#include <ctype.h>
#include <stddef.h>

#include "typecheck/golang/timestamp.h"

/* From `when` on, the zone is that far east of UTC. Packed: there are 18,000 of them in each program. */
struct change {
    int64_t when;
    int32_t offset_seconds;
} __attribute__((packed));

/* "second Sunday in March, 2:00 o'clock", of a time zone's own clock. */
struct yearly {
    int8_t month, week, weekday; /* week 5: the last one; 0: Sunday */
    int32_t second;              /* may be another day's */
};

/* The rule of a zone after its last change. */
struct rule {
    int32_t offset_seconds, other_offset_seconds; /* both the same: there is no summer time */
    struct yearly begin, end;                     /* of the other offset */
};

struct zone {
    const char *name;
    uint32_t first, count; /* changes */
    int32_t offset_before; /* the first of them */
    uint32_t rule;
};

/* Sorted by name. */
#define ZONE(name, first, count, before, rule) {name, first, count, before, rule},
static const struct zone zones[] = {
#include "typecheck/golang/zones.def"
};
#undef ZONE

/* Those that are different in the older database. */
#define OLDER_ZONE(name, first, count, before, rule) {name, first, count, before, rule},
static const struct zone older_zones[] = {
#include "typecheck/golang/zones.def"
};
#undef OLDER_ZONE

#define RULE(offset, other, m1, w1, d1, s1, m2, w2, d2, s2)                                                  \
    {offset, other, {m1, w1, d1, s1}, {m2, w2, d2, s2}},
static const struct rule rules[] = {
#include "typecheck/golang/zones.def"
};
#undef RULE

#define CHANGE(when, offset) {when, offset},
static const struct change changes[] = {
#include "typecheck/golang/zones.def"
};
#undef CHANGE

enum { SECONDS_OF_DAY = 86400, DAYS_OF_WEEK = 7, EPOCH_YEAR = 1970, EPOCH_WEEKDAY = 4 };

/* The first zone whose name is not before this one; their number if there is none. */
static size_t find_place(struct str name)
{
    size_t low = 0, high = sizeof zones / sizeof *zones;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (str_cmp(str_of(zones[middle].name), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct zone *find_zone(struct str name)
{
    size_t at = find_place(name);
    return at < sizeof zones / sizeof *zones && str_eq(str_of(zones[at].name), name) ? &zones[at] : NULL;
}

const struct zone *zones_find(struct str name, enum zones_database database)
{
    for (size_t i = 0; database == ZONES_OLDER && i < sizeof older_zones / sizeof *older_zones; i++) {
        if (str_eq(str_of(older_zones[i].name), name))
            return &older_zones[i];
    }
    return find_zone(name);
}

/* "America" */
static bool is_folder(struct str name)
{
    for (size_t i = find_place(name); i < sizeof zones / sizeof *zones; i++) {
        struct str other = str_of(zones[i].name);
        if (!str_has_prefix(other, name))
            return false;
        if (other.at[name.len] == '/')
            return true;
    }
    return false;
}

/* "UTC/x": a file is no folder. */
static bool is_below_zone(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (name.at[i] == '/' && find_zone((struct str){name.at, i}) != NULL)
            return true;
    }
    return false;
}

bool zones_is_unknown(struct str name)
{
    enum { LONGEST = 255 };
    if (name.len == 0 || name.len > LONGEST || !isupper((unsigned char)name.at[0]))
        return false;
    for (size_t i = 0; i < name.len; i++) {
        bool is_slash = name.at[i] == '/', is_last = i + 1 == name.len;
        if (name.at[i] == '.' || name.at[i] == '\0' || (is_slash && (is_last || name.at[i + 1] == '/')))
            return false;
    }
    return !is_folder(name) && !is_below_zone(name) && find_zone(name) == NULL;
}

/* ---- times ---- */

/* Seconds from the beginning of the year, UTC, where the clock before shows that time. */
static int64_t second_of_year(const struct yearly *y, int year, int32_t offset_before)
{
    int64_t first = timestamp_days(year, 1, 1), month = timestamp_days(year, y->month, 1);
    int64_t next = y->month == 12 ? timestamp_days(year + 1, 1, 1) : timestamp_days(year, y->month + 1, 1);
    int64_t weekday = (month + EPOCH_WEEKDAY) % DAYS_OF_WEEK; /* after 1970 */
    int64_t day = month + (y->weekday - weekday + DAYS_OF_WEEK) % DAYS_OF_WEEK;
    day += (int64_t)DAYS_OF_WEEK * (y->week - 1);
    if (day >= next)
        day -= DAYS_OF_WEEK;
    return (day - first) * SECONDS_OF_DAY + y->second - offset_before;
}

static int32_t offset_by_rule(const struct rule *r, int64_t seconds)
{
    if (r->offset_seconds == r->other_offset_seconds)
        return r->offset_seconds;
    int64_t day = seconds / SECONDS_OF_DAY; /* after 1970 */
    int year = EPOCH_YEAR + (int)(day / 366);
    while (timestamp_days(year + 1, 1, 1) <= day)
        year++;
    int64_t second = seconds - timestamp_days(year, 1, 1) * SECONDS_OF_DAY;
    int64_t begin = second_of_year(&r->begin, year, r->offset_seconds);
    int64_t end = second_of_year(&r->end, year, r->other_offset_seconds);
    bool is_other = begin < end ? begin <= second && second < end : !(end <= second && second < begin);
    return is_other ? r->other_offset_seconds : r->offset_seconds;
}

int32_t zones_offset(const struct zone *zone, int64_t seconds)
{
    const struct change *own = changes + zone->first;
    size_t low = 0, high = zone->count; /* how many changes were before */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (own[middle].when <= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return zone->offset_before;
    return low == zone->count ? offset_by_rule(&rules[zone->rule], seconds) : own[low - 1].offset_seconds;
}
