#include "controller/reconcile/bindings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

/* A binding as the store has it. */
struct binding {
    char bytes[128];
    struct store_object object;
};

static const struct store_object *make(struct binding *b, const char *name, const char *policy)
{
    int len = snprintf(b->bytes, sizeof b->bytes,
                       "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"policyName\":\"%s\"}}", name, policy);
    b->object =
        (struct store_object){.key = name, .packed = b->bytes, .packed_len = (size_t)len, .len = (size_t)len};
    return &b->object;
}

static void note(void *user, const char *policy)
{
    char *flips = user;
    strncat(flips, policy, 63 - strlen(flips));
}

static void test_only_the_first_and_the_last_binding_flip(void **state)
{
    (void)state;
    struct bindings *b = bindings_new();
    struct binding x, y, z;
    char flips[64] = "";
    assert_false(bindings_has(b, "p"));
    bindings_change(b, make(&x, "x", "p"), NULL, note, flips);
    assert_string_equal(flips, "p");
    bindings_change(b, make(&y, "y", "p"), NULL, note, flips);
    bindings_change(b, make(&z, "x", "p"), make(&x, "x", "p"), note, flips);
    assert_string_equal(flips, "p");
    bindings_change(b, NULL, make(&x, "x", "p"), note, flips);
    assert_string_equal(flips, "p");
    assert_true(bindings_has(b, "p"));
    bindings_change(b, NULL, make(&y, "y", "p"), note, flips);
    assert_string_equal(flips, "pp");
    assert_false(bindings_has(b, "p"));
    bindings_free(b);
}

static void test_a_binding_made_anew_for_another_policy(void **state)
{
    (void)state;
    struct bindings *b = bindings_new();
    struct binding x, y;
    char flips[64] = "";
    bindings_change(b, make(&x, "x", "p"), NULL, note, flips);
    bindings_change(b, make(&y, "x", "q"), make(&x, "x", "p"), note, flips);
    assert_string_equal(flips, "pqp");
    assert_false(bindings_has(b, "p"));
    assert_true(bindings_has(b, "q"));
    bindings_free(b);
}

static void test_a_binding_without_a_policy(void **state)
{
    (void)state;
    struct bindings *b = bindings_new();
    struct store_object object = {.key = "x", .packed = "{}", .packed_len = 2, .len = 2};
    char flips[64] = "";
    bindings_change(b, &object, NULL, note, flips);
    bindings_change(b, NULL, &object, note, flips);
    assert_string_equal(flips, "");
    bindings_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_the_first_and_the_last_binding_flip),
        cmocka_unit_test(test_a_binding_made_anew_for_another_policy),
        cmocka_unit_test(test_a_binding_without_a_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
