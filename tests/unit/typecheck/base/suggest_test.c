#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/suggest.h"

static const char *nearest_of(const char *asked, const char *const *names)
{
    struct suggest n;
    suggest_init(&n, asked);
    for (; *names != NULL; names++)
        suggest_offer(&n, *names);
    return n.best;
}

static void test_nearest(void **state)
{
    (void)state;
    const char *const names[] = {"deployments", "daemonsets", "pods", "nodes", NULL};
    assert_string_equal(nearest_of("deploymnets", names), "deployments");
    assert_string_equal(nearest_of("DaemonSet", names), "daemonsets");
    assert_string_equal(nearest_of("pod", names), "pods");
    assert_string_equal(nearest_of("node", names), "nodes");
    assert_null(nearest_of("widgets", names));
    assert_null(nearest_of("", names));
    assert_null(nearest_of("x", names));
    const char *const nearer[] = {"containars", "contaners", "containers", "container", NULL};
    assert_string_equal(nearest_of("containers", nearer), "containers");
    assert_string_equal(nearest_of("contaienrs", nearer), "containers");
}

/* Neither a long name asked for nor one offered is read past. */
static void test_long_names(void **state)
{
    (void)state;
    char name[300];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    const char *const long_name[] = {name, NULL}, *const short_name[] = {"aaa", NULL};
    assert_null(nearest_of(name, long_name));
    assert_null(nearest_of(name, short_name));
    assert_null(nearest_of("aaa", long_name));
}

/* Writes the name with this number: up to four letters of "aBcd". */
static void write_name(unsigned number, char name[static 5])
{
    size_t len = 0;
    for (; number > 0; number = (number - 1) / 4)
        name[len++] = "aBcd"[(number - 1) % 4];
    name[len] = '\0';
}

/* No name that would be suggested is left out for its letters alone. */
static void test_sets(void **state)
{
    (void)state;
    enum { NAMES = 1 + 4 + 16 + 64 + 256 };
    char asked[5], name[5];
    size_t left_out = 0;
    for (unsigned i = 0; i < NAMES; i++) {
        write_name(i, asked);
        for (unsigned j = 0; j < NAMES; j++) {
            struct suggest n;
            suggest_init(&n, asked);
            write_name(j, name);
            const bool may_offer = suggest_may_offer(&n, suggest_set(str_of(name)));
            suggest_offer(&n, name);
            assert_true(may_offer || n.best == NULL);
            left_out += !may_offer;
        }
    }
    assert_true(left_out > NAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
