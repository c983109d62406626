#include "controller/match/identities.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"
#include "typecheck/schema.h"

static const char json[] =
    "{\"components\":{\"schemas\":{\"a\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"string\"}},"
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"A\"}]},"
    "\"b\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},"
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"B\"}]}}}}";

static int setup(void **state)
{
    return apidoc_setup(state, json);
}

static void test_numbers(void **state)
{
    struct apidoc *d = *state;
    struct identities identities = {0};
    const struct policy_request created = {.group = STR("g"),
                                           .version = STR("v1"),
                                           .resource = STR("as"),
                                           .subresource = STR(""),
                                           .operations = POLICY_CREATE};
    struct policy_request updated = created;
    updated.operations = POLICY_UPDATE;
    struct policy_type a = apidoc_type(d, "A"), b = apidoc_type(d, "B");
    assert_int_equal(identities_number(&identities, &a), 0); /* no digest */
    schema_digest_kinds(d->schema);
    assert_int_equal(identities_number(&identities, &a), 1);
    assert_int_equal(identities_number(&identities, &b), 2);
    a.requests = &created;
    a.request_count = 1;
    assert_int_equal(identities_number(&identities, &a), 3);
    a.requests = &updated;
    assert_int_equal(identities_number(&identities, &a), 4);
    a.requests = &created;
    assert_int_equal(identities_number(&identities, &a), 3);
    a.node = NULL;
    assert_int_equal(identities_number(&identities, &a), 0);
    identities_deinit(&identities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
