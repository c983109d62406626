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
    static const struct crdcost_words words = {"estimated rule cost", "this rule"};
    struct fielderrors out = {0};
    crdcost_refuse(&out, &words, cost, cel_place_cost_limit(CEL_PLACE_RULE), "rule");
    cleanup_mem char *wanted =
        mem_printf("Forbidden: estimated rule cost exceeds budget by factor of %sx (try ", factor);
    cleanup_mem char *saying = mem_printf("this rule can cost %s times what an API server allows", factor);
    assert_memory_equal(out.items[0].message, wanted, strlen(wanted));
    assert_string_equal(out.items[0].saying, saying);
    fielderrors_deinit(&out);
}

static void test_factors(void **state)
{
    (void)state;
    is_factor(10000001, "1.000000");
    is_factor(14999999, "1.500000");
    is_factor(15000000, "1.5");
    is_factor(999999999, "100.0");
    is_factor(1000000001, "more than 100");
    is_factor(UINT64_MAX, "more than 100");
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
    for (size_t i = 0; i < 5; i++)
        assert_true(out.items[i].follows); /* each rule is too expensive alone */
    assert_non_null(
        strstr(out.items[4].message, "total for entire OpenAPIv3 schema exceeds budget by factor of more"));
    fielderrors_deinit(&out);
    crdcost_deinit(&total);
}

static void test_rules_that_are_too_expensive_only_together(void **state)
{
    (void)state;
    struct crdcost total = {0};
    struct fielderrors out = {0};
    for (int i = 0; i < 11; i++)
        crdcost_add(&total, "rule", cel_place_cost_limit(CEL_PLACE_RULE), true);
    crdcost_finish(&total, "schema", &out);
    assert_int_equal(out.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_false(out.items[i].follows);
    assert_string_equal(
        out.items[4].saying,
        "the rules of this schema together can cost 1.100000 times what an API server allows");
    fielderrors_deinit(&out);
    crdcost_deinit(&total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_the_total_names_the_most_expensive),
        cmocka_unit_test(test_rules_that_are_too_expensive_only_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
