#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/source.h"

static struct arena arena;
static struct source source;
static struct issues issues;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, (size_t)4 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_deinit(&arena);
    return 0;
}

static void begin(struct str text)
{
    source_init(&source, &arena, text);
    issues_init(&issues, &arena);
}

static void expect(const char *rendered)
{
    struct str got = issues_render(&issues, &source);
    assert_int_equal(got.len, strlen(got.at));
    assert_string_equal(got.at, rendered);
}

/* A span without an extent. */
#define AT(at) ((struct extent){(at), (at), (at)})

#define ARM()                                                                                                \
    if (setjmp(arena.escape) != 0)                                                                           \
    fail_msg("out of memory")

static void none(void **state)
{
    (void)state;
    ARM();
    begin(STR("a"));
    expect("");
}

static void snippets(void **state)
{
    (void)state;
    ARM();
    begin(STR("a + b"));
    issues_add(&issues, ISSUE_OTHER, AT(2), STR("m"));
    expect("ERROR: <input>:1:3: m\n | a + b\n | ..^");
    begin(STR("a +\n\tb\r\nc"));
    issues_addf(&issues, ISSUE_OTHER, AT(5), "m%d", 7);
    expect("ERROR: <input>:2:2: m7\n |  b\r\n | .^");
    begin(STR("a"));
    issues_join(&issues, ISSUE_OTHER, AT(1), STR_PARTS(STR("at "), STR("the end")));
    expect("ERROR: <input>:1:2: at the end\n | a\n | .^");
}

static void wide_characters(void **state)
{
    (void)state;
    ARM();
    begin(STR("\xC3\xA9\x61\xE4\xB8\xAD"));
    issues_add(&issues, ISSUE_OTHER, AT(0), STR("x"));
    issues_add(&issues, ISSUE_OTHER, AT(2), STR("y"));
    issues_add(&issues, ISSUE_OTHER, AT(3), STR("z"));
    expect("ERROR: <input>:1:1: x\n | \xC3\xA9\x61\xE4\xB8\xAD\n | \xEF\xBC\xBE\n"
           "ERROR: <input>:1:2: y\n | \xC3\xA9\x61\xE4\xB8\xAD\n | \xEF\xBC\x8E^\n"
           "ERROR: <input>:1:3: z\n | \xC3\xA9\x61\xE4\xB8\xAD\n | \xEF\xBC\x8E.\xEF\xBC\xBE");
}

static void without_place(void **state)
{
    (void)state;
    ARM();
    begin(STR("a"));
    issues_add(&issues, ISSUE_OTHER, AT(0), STR("first"));
    issues_add(&issues, ISSUE_OTHER, AT(SOURCE_BEFORE), STR("before"));
    issues_add(&issues, ISSUE_OTHER, AT(SOURCE_NOWHERE), STR("nowhere"));
    expect("ERROR: <input>:-1:0: nowhere\n"
           "ERROR: <input>:1:0: before\n | a\n | ^\n"
           "ERROR: <input>:1:1: first\n | a\n | ^");
    begin(STR(""));
    issues_add(&issues, ISSUE_OTHER, AT(0), STR("empty"));
    expect("ERROR: <input>:1:0: empty");
}

static void sorted_by_place(void **state)
{
    (void)state;
    ARM();
    begin(STR("a\nb"));
    issues_add(&issues, ISSUE_OTHER, AT(2), STR("1"));
    issues_add(&issues, ISSUE_OTHER, AT(0), STR("2"));
    issues_add(&issues, ISSUE_OTHER, AT(2), STR("3"));
    issues_add(&issues, ISSUE_OTHER, AT(0), STR("4"));
    expect("ERROR: <input>:1:1: 2\n | a\n | ^\nERROR: <input>:1:1: 4\n | a\n | ^\n"
           "ERROR: <input>:2:1: 1\n | b\n | ^\nERROR: <input>:2:1: 3\n | b\n | ^");
}

static void long_lines(void **state)
{
    (void)state;
    ARM();
    char *line = arena_alloc(&arena, ISSUE_SNIPPET_MAX_BYTES + 1);
    memset(line, 'a', ISSUE_SNIPPET_MAX_BYTES + 1);
    begin((struct str){line, ISSUE_SNIPPET_MAX_BYTES + 1});
    issues_add(&issues, ISSUE_OTHER, AT(0), STR("m"));
    expect("ERROR: <input>:1:1: m");
    begin((struct str){line, ISSUE_SNIPPET_MAX_BYTES});
    issues_add(&issues, ISSUE_OTHER, AT(0), STR("m"));
    struct str got = issues_render(&issues, &source);
    assert_int_equal(got.len, strlen("ERROR: <input>:1:1: m\n | \n | ^") + ISSUE_SNIPPET_MAX_BYTES);
}

/* The first hundred found are shown, wherever they are; the rest is counted. */
static void truncated(void **state)
{
    (void)state;
    ARM();
    begin(STR(""));
    for (int i = 0; i < ISSUES_SHOWN; i++)
        issues_addf(&issues, ISSUE_OTHER, AT(0), "%d", i);
    assert_null(strstr(issues_render(&issues, &source).at, "truncated"));
    issues_addf(&issues, ISSUE_OTHER, AT(SOURCE_NOWHERE), "%s", "one too many");
    issues_add(&issues, ISSUE_OTHER, AT(0), STR("two too many"));
    assert_int_equal(issues.count, ISSUES_SHOWN + 2);
    struct str got = issues_render(&issues, &source);
    assert_null(strstr(got.at, "too many"));
    const char *end = "\nERROR: <input>:1:0: 99\n2 more errors were truncated";
    assert_string_equal(got.at + got.len - strlen(end), end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(none, setup, teardown),
        cmocka_unit_test_setup_teardown(snippets, setup, teardown),
        cmocka_unit_test_setup_teardown(wide_characters, setup, teardown),
        cmocka_unit_test_setup_teardown(without_place, setup, teardown),
        cmocka_unit_test_setup_teardown(sorted_by_place, setup, teardown),
        cmocka_unit_test_setup_teardown(long_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(truncated, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
