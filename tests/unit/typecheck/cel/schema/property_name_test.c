#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/syntax/reserved.h"

static const struct {
    const char *name, *identifier; /* the identifier in CEL; NULL if the name cannot be reached */
} rows[] = {
    {"plain", "plain"},
    {"a_b", "a_b"},
    {"_", "_"},
    {"a__b", "a__underscores__b"},
    {"___", "__underscores___"},
    {"____", "__underscores____underscores__"},
    {"a.b", "a__dot__b"},
    {"x-y", "x__dash__y"},
    {"a/b", "a__slash__b"},
    {"-._", "__dash____dot___"},
    {"namespace", "__namespace__"},
    {"if", "__if__"},
    {"in", "__in__"},
    {"iff", "iff"},
    {"9lives", NULL},
    {"", NULL},
    {"a b", NULL},
    {"a$", NULL},
    {"caf\xc3\xa9", NULL},
    {"a-\xc3\xa9", NULL},
};

static void test_names(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 64 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str out;
        bool is_reachable = property_name_escape(&a, str_of(rows[i].name), &out);
        assert_int_equal(is_reachable, rows[i].identifier != NULL);
        if (is_reachable)
            assert_string_equal(str_copy(&a, out).at, rows[i].identifier);
    }
    arena_deinit(&a);
}

static void test_identifiers(void **state)
{
    static const struct {
        const char *identifier, *name; /* the name; NULL if the identifier stands for none */
    } examples[] = {
        {"plain", "plain"},
        {"a__b", "a__b"},
        {"__x", "__x"},
        {"a__underscores__b", "a__b"},
        {"a__dot__b__dash__c__slash__", "a.b-c/"},
        {"__dot___", "._"},
        {"__namespace__", "namespace"},
        {"a__namespace__", NULL},
        {"a__foo__b", NULL},
        {"____", "____"},
        {"", ""},
    };
    (void)state;
    struct arena a;
    arena_init(&a, 64 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct str out;
        bool has_name = property_name_unescape(&a, str_of(examples[i].identifier), &out);
        assert_int_equal(has_name, examples[i].name != NULL);
        if (has_name)
            assert_string_equal(str_copy(&a, out).at, examples[i].name);
    }
    arena_deinit(&a);
}

static void test_reserved(void **state)
{
    (void)state;
    assert_true(reserved_has(STR("while")));
    assert_true(reserved_has(STR("null")));
    assert_false(reserved_has(STR("Null")));
    assert_false(reserved_has(STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_identifiers),
        cmocka_unit_test(test_reserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
