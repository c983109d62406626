#include "controller/apiserver/crd/crdcost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

static void is_factor(uint64_t cost, const char *factor)
{
    cleanup_mem char *message = crdcost_message("estimated rule cost", cost, CRDCOST_RULE_LIMIT);
    cleanup_mem char *wanted =
        mem_printf("Forbidden: estimated rule cost exceeds budget by factor of %s (try ", factor);
    assert_memory_equal(message, wanted, strlen(wanted));
}

static void test_factors(void **state)
{
    (void)state;
    is_factor(10000001, "1.000000x");
    is_factor(14999999, "1.500000x");
    is_factor(15000000, "1.5x");
    is_factor(999999999, "100.0x");
    is_factor(1000000001, "more than 100x");
    is_factor(UINT64_MAX, "more than 100x");
}

static void test_the_total_names_the_most_expensive(void **state)
{
    (void)state;
    struct crdcost total = {0};
    struct fielderrors out = {0};
    crdcost_add(&total, "cheap", 999999, true);
    crdcost_add(&total, "a", 20000000, true);
    crdcost_add(&total, "b", 30000000, true);
    crdcost_finish(&total, "schema", &out);
    assert_int_equal(out.count, 0);
    crdcost_add(&total, "c", 20000000, true);
    crdcost_add(&total, "d", 25000000, true);
    crdcost_add(&total, "e", 2000000, true);
    crdcost_add(&total, "f", UINT64_MAX, true);
    crdcost_finish(&total, "schema", &out);
    static const char *const fields[] = {"f", "b", "d", "a", "schema"};
    assert_int_equal(out.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(out.items[i].field, fields[i]);
    assert_non_null(
        strstr(out.items[4].message, "total for entire OpenAPIv3 schema exceeds budget by factor of more"));
    fielderrors_deinit(&out);
    crdcost_deinit(&total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_the_total_names_the_most_expensive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
