#include "client/discovery/discovery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "tests/unit/client/discovery/discoverytext.h"

static void test_merge_keeps_what_was_known(void **state)
{
    (void)state;
    struct discovery *older = parse(core, apps);
    struct discovery *newer =
        parse(core, LIST(GROUP("apps", VERSION("v1", "\"freshness\":\"Stale\",", "")) "," GROUP(
                        "y.io", VERSION("v1", "\"freshness\":\"Stale\",", ""))));
    struct discovery *d = discovery_merge(newer, older);
    discovery_free(newer);
    discovery_free(older);
    const struct discovery_version *v = discovery_find_version(d, "apps", "v1");
    assert_int_equal(v->state, DISCOVERY_STALE);
    assert_string_equal(discovery_find_resource(v, "deployments", "scale")->kind, "Scale");
    assert_string_equal(discovery_find_kind(v, "Deployment")->name, "deployments");
    assert_null(discovery_find_kind(v, "Scale"));
    assert_null(discovery_find_kind(NULL, "Deployment"));
    assert_int_equal(discovery_find_version(d, "y.io", "v1")->state, DISCOVERY_FAILED);
    assert_null(discovery_find_group(d, "z.io"));
    discovery_free(d);
}

static void test_equal(void **state)
{
    (void)state;
    struct discovery *a = parse(core, apps);
    struct discovery *b = discovery_merge(a, NULL);
    struct discovery *c = parse(core, NULL);
    struct discovery *d = parse(core, LIST(GROUP("apps", VERSION("v1", "", DEPLOYMENTS))));
    assert_true(discovery_equal(a, b));
    assert_false(discovery_equal(a, c));
    assert_false(discovery_equal(a, d));
    discovery_free(a);
    discovery_free(b);
    discovery_free(c);
    discovery_free(d);
}

/* Groups are found by name, whatever their order; of two of a name the first counts. */
static void test_many_groups(void **state)
{
    (void)state;
    struct buf text;
    char name[16];
    buf_init(&text, 1 << 20);
    buf_puts(&text, "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[");
    for (unsigned i = 0; i < 1001; i++)
        buf_printf(&text, "%s{\"metadata\":{\"name\":\"g%u\"},\"versions\":[{\"version\":\"v%u\"}]}",
                   i ? "," : "", i * 7 % 1000, i);
    buf_puts(&text, "]}");
    struct discovery *d = parse(NULL, text.data);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "g%u", i * 7 % 1000);
        assert_ptr_equal(discovery_find_group(d, name), &d->groups[i]);
    }
    assert_null(discovery_find_group(d, "g1000"));
    assert_null(discovery_find_group(d, ""));
    discovery_free(d);
    buf_deinit(&text);
    assert_null(discovery_find_group(&(struct discovery){0}, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge_keeps_what_was_known),
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_many_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
