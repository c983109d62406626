#include "typecheck/cel/schema/field_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 64 };

/* The names, each in angle brackets; with "!" at the end: what follows is malformed. */
static const struct {
    const char *path, *names;
} rows[] = {
    {"", ""},
    {".a", "<a>"},
    {".a.b", "<a><b>"},
    {"['a']", "<a>"},
    {".a['b.c'].d", "<a><b.c><d>"},
    {"['it\\'s']", "<it's>"},
    {"['\\a\\b\\f\\n\\r\\t\\v\\\\.']", "<\a\b\f\n\r\t\v\\.>"},
    {"['a\\\\']", "!"}, /* a quote behind a backslash does not end the text */
    {"['a\\\nb']", "<a\\\nb>"},
    {"['']", "<>"},
    {".a\n", "<a\n>"},
    {".'a'", "<'a'>"},
    {"..", "<.>"},
    {".[", "<[>"},
    {".['a']", "<[>!"},
    {"a", "!"},
    {".", "!"},
    {"[", "!"},
    {"[a]", "!"},
    {"['a'", "!"},
    {"['a", "!"},
    {"[']", "!"},
    {"['\\x']", "!"},
    {"['a']]", "<a>!"},
    {".a[0]", "<a>!"},
    {".a]", "<a>!"},
};

static void test_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char got[ROOM] = "", room[ROOM];
        struct str path = str_of(rows[i].path), name;
        enum field_path_step step;
        while ((step = field_path_next(&path, room, &name)) == FIELD_PATH_NAME)
            (void)snprintf(got + strlen(got), sizeof got - strlen(got), "<%.*s>", STR_ARG(name));
        if (step == FIELD_PATH_MALFORMED)
            (void)snprintf(got + strlen(got), sizeof got - strlen(got), "!");
        assert_string_equal(got, rows[i].names);
    }
}

/* The room is as long as the path at most. */
static void test_room(void **state)
{
    (void)state;
    char room[ROOM];
    struct str path = STR("['abc']"), name;
    const size_t len = path.len;
    memset(room, '!', sizeof room);
    assert_int_equal(field_path_next(&path, room, &name), FIELD_PATH_NAME);
    for (size_t i = len; i < ROOM; i++)
        assert_int_equal(room[i], '!');
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
