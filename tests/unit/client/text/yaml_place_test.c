#include "client/text/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Each character of the value that stands in the file as itself must be found there. */
static void check_places(const char *text, size_t least)
{
    struct yaml *y;
    struct err err;
    if (yaml_parse(text, strlen(text), &y, NULL, &err) != 0)
        fail_msg("%s", err.msg);
    const struct yaml_node *node = yaml_find(yaml_root(y, 0), "a");
    const char *value = json_object_get_string(node->json);
    size_t line = 1;
    size_t column = 1;
    size_t count = 0;
    for (const char *p = value; *p; p++) {
        if (*p == '\n') {
            line++;
            column = 1;
            continue;
        }
        const struct yaml_place place = yaml_place_in(node, line, column);
        const char *at = text;
        for (size_t i = 1; i < place.line; i++)
            at = strchr(at, '\n') + 1;
        const char in_file = at[place.column - 1];
        if (in_file != '\\' && *p != ' ') {
            if (in_file != *p)
                fail_msg("%s: %zu:%zu '%c' found '%c' at %u:%u", text, line, column, *p, in_file, place.line,
                         place.column);
            count++;
            const struct yaml_place back = yaml_place_of(node, place);
            if (back.line != line || back.column != column)
                fail_msg("%s: the way back from %u:%u leads to %u:%u, not %zu:%zu", text, place.line,
                         place.column, back.line, back.column, line, column);
        }
        column++;
    }
    assert_true(count >= least);
    yaml_close(y);
}

static void test_every_style(void **state)
{
    (void)state;
    check_places("a: object.spec.replicas > 1", 22);
    check_places("a: one two\n  three\n\n  four\n", 15);
    check_places("a: 'it''s one\n  two'", 9);
    check_places("a: \"x\\ty \\x41 \\u0062 z\\\n   w\n\n  v\"", 4);
    check_places("k: 1\na: |\n  one\n    two\n\n  three\n", 11);
    check_places("a: |2-\n    one\n  two\n", 6);
    check_places("a: >\n  one\n  two\n\n  three\n    four\n   five\n  six\n", 22);
    check_places("a: >\n\n\n  one\n\n  two\n", 6);
    check_places("l:\n- b\na: >-\n    has(x) &&\n    y\n", 9);
}

static void test_columns_count_characters(void **state)
{
    (void)state;
    struct yaml *y;
    struct err err;
    const char text[] = "a: '\xc3\xa9\xe2\x82\xac x'";
    assert_int_equal(yaml_parse(text, sizeof text - 1, &y, NULL, &err), 0);
    const struct yaml_place place = yaml_place_in(yaml_find(yaml_root(y, 0), "a"), 1, 4);
    assert_int_equal(place.line, 1);
    assert_int_equal(place.column, 8);
    yaml_close(y);
}

static void test_behind_the_end(void **state)
{
    (void)state;
    struct yaml *y;
    struct err err;
    const char text[] = "a: \"xy\"\nb: 1\n";
    assert_int_equal(yaml_parse(text, sizeof text - 1, &y, NULL, &err), 0);
    const struct yaml_place place = yaml_place_in(yaml_find(yaml_root(y, 0), "a"), 1, 3);
    assert_int_equal(place.line, 1);
    assert_int_equal(place.column, 7);
    yaml_close(y);
}

/* `wanted`: the value with / before each byte at which a line of the file begins. */
static void check_breaks(const char *text, const char *wanted)
{
    struct yaml *y;
    struct err err;
    char marked[200] = "";
    size_t count, len = 0, next = 0;
    if (yaml_parse(text, strlen(text), &y, NULL, &err) != 0)
        fail_msg("%s", err.msg);
    const struct yaml_node *node = yaml_find(yaml_root(y, 0), "a");
    uint32_t *breaks = yaml_breaks(node, &count);
    const char *value = json_object_get_string(node->json);
    for (uint32_t i = 0; value[i] != '\0'; i++) {
        if (next < count && breaks[next] == i) {
            marked[len++] = '/';
            next++;
        }
        marked[len++] = value[i];
    }
    assert_string_equal(marked, wanted);
    assert_int_equal(next, count);
    free(breaks);
    yaml_close(y);
}

static void test_breaks(void **state)
{
    (void)state;
    check_breaks("a: one", "one");
    check_breaks("a: one\n  two\n\n  three\n", "one /two\n/three");
    check_breaks("a: 'it''s\n  \xc3\xa9\n  two'", "it's /\xc3\xa9 /two");
    check_breaks("a: \"x\\ty \\\n   w\n\n  v\"", "x\ty /w\n/v");
    check_breaks("a: >\n  one\n  two\n\n  three\n    four\n  five\n", "one /two/\n/three\n/  four\n/five\n");
    check_breaks("a: |\n  one\n  two\n", "one\ntwo\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_style),
        cmocka_unit_test(test_columns_count_characters),
        cmocka_unit_test(test_behind_the_end),
        cmocka_unit_test(test_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
