#include "typecheck/cel/interpreter/functions/functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/env.h"

static const char *const overloads[] = {
#define FUNCTION(library, function, overload, signature, when, call, price, estimate) overload,
#include "typecheck/cel/types/functions.def"
};

static const char *const older[] = {
#define BEFORE(feature, overload, call, price) overload,
#include "typecheck/cel/types/functions.def"
};

static size_t count_of(const char *overload)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof overloads / sizeof *overloads; i++)
        count += strcmp(overloads[i], overload) == 0;
    return count;
}

static void test_ids(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof overloads / sizeof *overloads; i++)
        assert_int_equal(count_of(overloads[i]), 1);
    for (size_t i = 0; i < sizeof older / sizeof *older; i++)
        assert_int_equal(count_of(older[i]), 1);
}

/* What computes one overload of a function as a whole computes all of them, in every release. */
static void test_whole_functions(void **state)
{
    (void)state;
    for (int release = CELGO_OLDEST; release <= CELGO_NEWEST; release++) {
        struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_of(release));
        size_t count;
        const struct function *functions = env_functions(env, &count);
        for (size_t i = 0; i < count; i++) {
            for (size_t k = 1; k < functions[i].count; k++) {
                const struct function_row *first = functions_row(&functions[i].overloads[0]);
                const struct function_row *row = functions_row(&functions[i].overloads[k]);
                assert_int_equal(row->is_whole, first->is_whole);
                assert_true(!row->is_whole || row->call == first->call);
                assert_int_equal(row->is_step, first->is_step);
            }
        }
        env_free(env);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_whole_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
