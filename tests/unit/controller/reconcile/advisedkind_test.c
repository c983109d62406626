#include "controller/reconcile/advisedkind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

static void test_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++) {
        cleanup_mem char *key = advisedkind_key((enum advisedkind_id)i, "a.b-c");
        enum advisedkind_id id;
        const char *name;
        assert_true(advisedkind_parse_key(key, &id, &name));
        assert_int_equal(id, i);
        assert_string_equal(name, "a.b-c");
    }
    cleanup_mem char *key = advisedkind_key(ADVISEDKIND_CRDS, "widgets.example.com");
    assert_string_equal(key, "customresourcedefinitions/widgets.example.com");
}

/* A policy's key is its name, which may be called as a resource is. */
static void test_other_keys(void **state)
{
    (void)state;
    static const char *const others[] = {"p", "", "customresourcedefinitions", "customresourcedefinitionsx/a",
                                         "validatingadmissionpolicies/a"};
    enum advisedkind_id id;
    const char *name;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(advisedkind_parse_key(others[i], &id, &name));
}

static void test_kinds_of_watches(void **state)
{
    (void)state;
    enum advisedkind_id id;
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++) {
        assert_true(advisedkind_of_watch(advisedkind_row((enum advisedkind_id)i)->watch, &id));
        assert_int_equal(id, i);
        if (i == ADVISEDKIND_BINDINGS)
            assert_null(advisedkind_row((enum advisedkind_id)i)->flag);
        else
            assert_string_equal(advisedkind_row((enum advisedkind_id)i)->flag,
                                strstr(advisedkind_row((enum advisedkind_id)i)->flag, "--watch-"));
    }
    assert_false(advisedkind_of_watch(WATCHES_POLICIES, &id));
    assert_false(advisedkind_of_watch(WATCHES_APISERVICES, &id));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_other_keys),
        cmocka_unit_test(test_kinds_of_watches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
