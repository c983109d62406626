#include "typecheck/golang/zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/times.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static void expect_offset(const char *name, enum zones_database database, const char *time, int32_t expected)
{
    const struct zone *zone = zones_find(str_of(name), database);
    struct arena a;
    arena_init(&a, (size_t)1 << 10);
    assert_int_equal(setjmp(a.escape), 0);
    assert_non_null(zone);
    int32_t seconds = zones_offset(zone, times_read_timestamp(&a, str_of(time))->timestamp.seconds);
    if (seconds != expected)
        fail_msg("%s at %s, database %d: %d", name, time, (int)database, (int)seconds);
    arena_deinit(&a);
}

static void test_offsets(void **state)
{
    static const struct {
        const char *zone, *time;
        int32_t seconds;
    } rows[] = {
        {"America/St_Johns", "2024-01-01T00:00:00Z", -12600},
        {"America/St_Johns", "2024-07-01T00:00:00Z", -9000},
        {"US/Central", "2024-03-10T07:59:59Z", -21600},
        {"US/Central", "2024-03-10T08:00:00Z", -18000},
        {"US/Central", "2024-11-03T06:59:59Z", -18000},
        {"US/Central", "2024-11-03T07:00:00Z", -21600},
        {"Asia/Kathmandu", "1985-12-31T18:29:59Z", 19800},
        {"Asia/Kathmandu", "1985-12-31T18:30:00Z", 20700},
        {"Asia/Kathmandu", "9999-12-31T23:59:59Z", 20700},
        {"Europe/Berlin", "0001-01-01T00:00:00Z", 3208},
        {"Europe/Berlin", "1945-06-01T00:00:00Z", 10800},
        {"Europe/Berlin", "9998-07-01T00:00:00Z", 7200},
        {"Europe/Dublin", "2100-01-01T00:00:00Z", 0},
        {"Europe/Dublin", "2100-07-01T00:00:00Z", 3600},
        {"Australia/Lord_Howe", "2100-01-01T00:00:00Z", 39600},
        {"Australia/Lord_Howe", "2100-07-01T00:00:00Z", 37800},
        {"America/Nuuk", "2100-07-01T00:00:00Z", -3600},
        {"Africa/Casablanca", "2026-02-01T00:00:00Z", 3600},
        {"Etc/GMT+5", "2000-01-01T00:00:00Z", -18000},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        expect_offset(rows[i].zone, ZONES_NEWER, rows[i].time, rows[i].seconds);
        expect_offset(rows[i].zone, ZONES_OLDER, rows[i].time, rows[i].seconds);
    }
}

/* Morocco, Alberta and British Columbia have the same time all year since 2026; Moldova's clocks change an
 * hour later. */
static void test_databases(void **state)
{
    static const struct {
        const char *zone, *time;
        int32_t older_seconds, newer_seconds;
    } rows[] = {
        {"Africa/Casablanca", "2026-07-01T00:00:00Z", 3600, 3600},
        {"Africa/Casablanca", "2026-12-15T00:00:00Z", 3600, 0},
        {"Africa/Casablanca", "2087-05-11T02:00:00Z", 3600, 0},
        {"Africa/El_Aaiun", "2027-07-01T00:00:00Z", 3600, 0},
        {"America/Edmonton", "2026-07-01T00:00:00Z", -21600, -21600},
        {"America/Edmonton", "2026-12-15T00:00:00Z", -25200, -21600},
        {"Canada/Mountain", "9999-12-31T00:00:00Z", -25200, -21600},
        {"America/Vancouver", "2026-12-15T00:00:00Z", -28800, -25200},
        {"Europe/Chisinau", "2030-03-31T00:30:00Z", 10800, 7200},
        {"Europe/Chisinau", "2030-03-31T01:30:00Z", 10800, 10800},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        expect_offset(rows[i].zone, ZONES_OLDER, rows[i].time, rows[i].older_seconds);
        expect_offset(rows[i].zone, ZONES_NEWER, rows[i].time, rows[i].newer_seconds);
    }
}

static void test_names(void **state)
{
    static const struct {
        const char *name;
        bool is_found, is_unknown;
    } rows[] = {
        {"UTC", true, false},
        {"Africa/Abidjan", true, false},
        {"Zulu", true, false},
        {"America/Indiana/Knox", true, false},
        {"Europe/Nowhere", false, true},
        {"Europe/New York", false, true},
        {"Berlin", false, true},
        {"Zzz", false, true},
        {"Amer", false, true},
        {"America", false, false}, /* a folder */
        {"America/Indiana", false, false},
        {"America/", false, false},
        {"America//Nuuk", false, false},
        {"UTC/x", false, false},
        {"Europe/./Berlin", false, false},
        {"europe/berlin", false, false}, /* "posix/UTC" can be there */
        {"", false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if ((zones_find(str_of(rows[i].name), ZONES_NEWER) != NULL) != rows[i].is_found ||
            zones_is_unknown(str_of(rows[i].name)) != rows[i].is_unknown)
            fail_msg("%s", rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_databases),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
