#include "typecheck/cel/interpreter/settled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/times.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"

#define BUDGET      ((size_t)16 << 20)
#define COUNT(list) (sizeof(list) / sizeof *(list))

struct fixture {
    struct env *env, *newest, *oldest; /* env: one of these */
    struct arena arena;
};

static int setup(void **state)
{
    static struct fixture f;
    f.env = f.newest = env_new(ENV_NEWEST_LEVEL, celgo_of(CELGO_NEWEST));
    f.oldest = env_new(ENV_NEWEST_LEVEL, celgo_of(CELGO_OLDEST));
    arena_init(&f.arena, BUDGET);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    arena_deinit(&f->arena);
    env_free(f->newest);
    env_free(f->oldest);
    return 0;
}

static const struct value *call(struct fixture *f, const char *function, bool is_receiver,
                                const struct value *const *args, size_t count)
{
    return settled_call(&f->arena, env_function(f->env, str_of(function)), is_receiver, args, count);
}

/* As a literal, or "!" and the error; "none": not settled. */
static void expect(struct fixture *f, const struct value *v, const char *expected)
{
    struct str text = STR("none");
    if (v != NULL && value_is_error(v))
        text = str_join(&f->arena, STR_PARTS(STR("!"), v->text));
    else if (v != NULL)
        text = value_literal(&f->arena, v);
    assert_string_equal(str_copy(&f->arena, text).at, expected);
}

enum outcome { FAILS, PASSES, UNKNOWN };

static void test_texts(void **state)
{
    /* what Go's parsers answered to the same texts */
    static const struct {
        const char *function, *text;
        enum outcome outcome;
    } rows[] = {
        {"quantity", "1Gi", PASSES},
        {"quantity", "-.5", PASSES},
        {"quantity", "+", PASSES},
        {"quantity", "1e+5", PASSES},
        {"quantity", "1E", PASSES},
        {"quantity", "00", PASSES},
        {"quantity", "", FAILS},
        {"quantity", "abc", FAILS},
        {"quantity", "1 Gi", FAILS},
        {"quantity", "1GiB", FAILS},
        {"quantity", "1e", FAILS},
        {"quantity", "0x1", FAILS},
        {"ip", "1.2.3.4", PASSES},
        {"ip", "::", PASSES},
        {"ip", "1:2:3:4:5:6:7::", PASSES},
        {"ip", "64:ff9b::1.2.3.4", PASSES},
        {"ip", "300.1.1.1", FAILS},
        {"ip", "01.2.3.4", FAILS},
        {"ip", "1.2.3", FAILS},
        {"ip", "1.2.3.4.5", FAILS},
        {"ip", "1::2::3", FAILS},
        {"ip", "1:2:3:4:5:6:7::8:9", FAILS},
        {"ip", "fe80::1%eth0", FAILS},
        {"ip", "1:", FAILS},
        {"ip", ":::", FAILS},
        {"ip", "12345::", FAILS},
        {"ip", "", FAILS},
        {"cidr", "10.0.0.0/8", PASSES},
        {"cidr", "::/128", PASSES},
        {"cidr", "10.0.0.0/33", FAILS},
        {"cidr", "::/129", FAILS},
        {"cidr", "10.0.0.0", FAILS},
        {"cidr", "10.0.0.0/08", FAILS},
        {"cidr", "10.0.0.0/+8", FAILS},
        {"cidr", "/8", FAILS},
        {"cidr", "", FAILS},
        {"url", "https://a", UNKNOWN},
        {"url", "/a", PASSES},
        {"url", "*", PASSES},
        {"url", "a:b", PASSES},
        {"url", "http://[::1", UNKNOWN},
        {"url", "", FAILS},
        {"url", "::", FAILS},
        {"url", "abc", FAILS},
        {"url", "1a:b", FAILS},
        {"url", "https://a\x01", FAILS},
        {"url", "?x", FAILS},
        {"semver", "1.2.3", PASSES},
        {"semver", "1.2.3-a", PASSES},
        {"semver", "1.2", FAILS},
        {"semver", "v1.2.3", FAILS},
        {"semver", "1.02.3", FAILS},
        {"semver", "1.2.x", FAILS},
        {"int", "-1", PASSES},
        {"int", "+1", PASSES},
        {"int", "1.5", FAILS},
        {"int", "", FAILS},
        {"uint", "1", PASSES},
        {"uint", "-1", FAILS},
        {"bool", "T", PASSES},
        {"bool", "False", PASSES},
        {"bool", "yes", FAILS},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct value *text = value_string(&f->arena, str_of(rows[i].text));
        const struct value *v = call(f, rows[i].function, false, &text, 1);
        if ((v == NULL ? UNKNOWN : value_is_error(v) ? FAILS : PASSES) != rows[i].outcome)
            fail_msg("%s('%s')", rows[i].function, rows[i].text);
    }
}

#define TEXT(text) value_string(&f->arena, STR(text))

/* By the release of the server. */
static void test_releases(void **state)
{
    struct fixture *f = *state;
    const struct value *ab = TEXT("ab"), *b = TEXT("b"), *empty = TEXT(""), *three = value_int(&f->arena, 3);
    const struct value *minus = value_int(&f->arena, -1);
    const struct value *found[] = {ab, b, three}, *nothing[] = {empty, b};
    expect(f, call(f, "indexOf", true, found, 2), "1");
    expect(f, call(f, "indexOf", true, found, 3), "-1");
    expect(f, call(f, "lastIndexOf", true, nothing, 2), "-1");
    expect(f, call(f, "lists.range", false, &three, 1), "[0, 1, 2]");
    expect(f, call(f, "lists.range", false, &minus, 1), "!lists.range: size must be non-negative, got -1");
    f->env = f->oldest;
    expect(f, call(f, "indexOf", true, found, 2), "1");
    expect(f, call(f, "indexOf", true, found, 3), "!index out of range: 3");
    expect(f, call(f, "lastIndexOf", true, nothing, 2), "!index out of range: -1");
    expect(f, call(f, "lists.range", false, &minus, 1), "[]");
    f->env = f->newest;
}

/* What depends on more than the release of cel-go. */
static void test_servers(void **state)
{
    struct fixture *f = *state;
    const struct value *list = value_new_list(&f->arena, 1), *half = value_double(&f->arena, 0.5);
    const struct value *printed[] = {TEXT("%s"), list}, *host = TEXT("https://a.b");
    expect(f, call(f, "isURL", false, &host, 1), "none");
    value_append(&f->arena, list->list, TEXT("ab"));
    expect(f, call(f, "format", true, printed, 2), "\"ab\"");
    value_append(&f->arena, list->list, half);
    expect(f, call(f, "format", true, printed, 2), "none");
}

static void test_overloads(void **state)
{
    struct fixture *f = *state;
    const struct value *ab = TEXT("ab"), *b = TEXT("b"), *one = value_int(&f->arena, 1);
    const struct value *zone[] = {value_int(&f->arena, 0), TEXT("Europe/Berlin")};
    expect(f, call(f, "size", true, &ab, 1), "2");
    expect(f, call(f, "size", false, &ab, 1), "2");
    expect(f, call(f, "startsWith", true, (const struct value *[]){ab, b}, 2), "false");
    expect(f, call(f, "startsWith", false, (const struct value *[]){ab, b}, 2), "none");
    expect(f, call(f, "startsWith", true, (const struct value *[]){ab, one}, 2), "none");
    expect(f, call(f, "_<_", false, (const struct value *[]){one, value_double(&f->arena, 1.5)}, 2), "true");
    expect(f, call(f, "_/_", false, (const struct value *[]){one, value_int(&f->arena, 0)}, 2),
           "!division by zero");
    zone[0] = call(f, "timestamp", false, zone, 1);
    expect(f, call(f, "getHours", true, zone, 1), "0");
    expect(f, call(f, "getHours", true, zone, 2), "none");
}

/* Each server has its own time zones. */
static void test_time_zones(void **state)
{
    static const struct {
        const char *function, *zone, *result;
    } rows[] = {
        {"getHours", "UTC", "1"},
        {"getHours", "", "1"},
        {"getHours", "+02:30", "3"},
        {"getHours", "x:00", "!strconv.Atoi: parsing \"x\": invalid syntax"},
        {"getHours", "Europe/Berlin", "none"},
        {"getHours", "Europe/Nowhere", "none"},
        {"getSeconds", "Europe/Berlin", "none"},
        {"getDayOfMonth", "Europe/Berlin", "none"},
        {"getDate", "Europe/Berlin", "none"},
    };
    struct fixture *f = *state;
    const struct value *time = times_of_seconds(&f->arena, 3600);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct value *args[] = {time, value_string(&f->arena, str_of(rows[i].zone))};
        expect(f, call(f, rows[i].function, true, args, COUNT(args)), rows[i].result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),     cmocka_unit_test(test_releases),   cmocka_unit_test(test_servers),
        cmocka_unit_test(test_overloads), cmocka_unit_test(test_time_zones),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
