#include "typecheck/cel/interpreter/values/named_formats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

#define BUDGET      ((size_t)16 << 20)
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct value *call(struct arena *a, function_call *function, const struct value *one,
                                const struct value *two)
{
    const struct value *args[] = {one, two};
    struct str missing = STR("");
    struct invocation c = {a, STR("f"), args, two == NULL ? 1 : 2, NULL, &missing};
    return function(&c);
}

static bool is_valid(struct arena *a, const char *format, const char *text)
{
    const struct value *named = call(a, named_formats_named, value_string(a, str_of(format)), NULL);
    assert_non_null(named->inner);
    return call(a, named_formats_validate, named->inner, value_string(a, str_of(text)))->inner == NULL;
}

static void test_formats(void **state)
{
    static const struct {
        const char *format, *good, *bad;
    } examples[] = {
        {"dns1123Label", "a-1", "a.b"},
        {"dns1123LabelPrefix", "a-", "-"},
        {"dns1123Subdomain", "a.b-c", "a..b"},
        {"dns1123SubdomainPrefix", "a.-", "a..b"},
        {"dns1035Label", "a1", "1a"},
        {"dns1035LabelPrefix", "a-", "1a-b"},
        {"qualifiedName", "example.com/My_Name", "a/b/c"},
        {"labelValue", "", "-a"},
        {"uri", "https://example.com/a", "a b"},
        {"uuid", "123e4567-E89B-12d3-a456-426614174000", "123e4567"},
        {"byte", "aGk=", "aGk"},
        {"date", "2024-02-29", "1900-02-29"},
        {"datetime", "2023-01-01t10:00:00.5Z", "2023-01-01T24:00:00Z"},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++) {
        assert_true(is_valid(&a, examples[i].format, examples[i].good));
        assert_false(is_valid(&a, examples[i].format, examples[i].bad));
    }
    arena_deinit(&a);
}

static void test_names(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    assert_ptr_equal(call(&a, named_formats_named, value_string(&a, STR("UUID")), NULL), &value_none);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
