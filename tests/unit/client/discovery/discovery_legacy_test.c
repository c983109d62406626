#include "client/discovery/discovery_legacy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "tests/unit/client/discovery/discoverytext.h"

static void test_legacy(void **state)
{
    (void)state;
    struct discovery_legacy_document documents[5];
    struct discovery *d;
    struct err err;
    for (size_t i = 0; i < 5; i++) {
        documents[i] = legacy[i];
        documents[i].len = legacy[i].bytes ? strlen(legacy[i].bytes) : 0;
    }
    assert_int_equal(discovery_legacy_parse(documents, 5, &d, &err), 0);
    const struct discovery_version *v = discovery_find_version(d, "", "v1");
    assert_int_equal(v->n_resources, 1);
    const struct discovery_resource *r = discovery_find_resource(v, "pods", NULL);
    assert_string_equal(r->singular, "pod");
    assert_string_equal(r->version, "v1");
    assert_int_equal(r->n_subresources, 2);
    r = discovery_find_resource(v, "pods", "eviction");
    assert_string_equal(r->group, "policy");
    assert_string_equal(r->kind, "Eviction");
    assert_int_equal(discovery_find_version(d, "apps", "v1")->state, DISCOVERY_CURRENT);
    assert_int_equal(discovery_find_version(d, "apps", "v1beta1")->state, DISCOVERY_FAILED);
    assert_string_equal(discovery_find_group(d, "apps")->preferred_version, "v1");
    discovery_free(d);
}

/* What would take its square to read is not read, and is unknown. */
static void test_too_many_resources_of_the_older_form(void **state)
{
    (void)state;
    static const char versions[] = "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}";
    for (unsigned more = 0; more < 2; more++) {
        struct buf text;
        struct discovery *d;
        struct err err;
        buf_init(&text, 1 << 20);
        buf_puts(&text, "{\"kind\":\"APIResourceList\",\"resources\":[");
        for (unsigned i = 0; i < DISCOVERY_LEGACY_RESOURCES + more; i++)
            buf_printf(&text, "%s{\"name\":\"r%u\",\"kind\":\"R\"}", i ? "," : "", i);
        buf_puts(&text, "]}");
        const struct discovery_legacy_document documents[] = {{"/api", versions, sizeof versions - 1},
                                                              {"/api/v1", text.data, text.len}};
        assert_int_equal(discovery_legacy_parse(documents, 2, &d, &err), 0);
        const struct discovery_version *v = discovery_find_version(d, "", "v1");
        assert_int_equal(v->state, more ? DISCOVERY_FAILED : DISCOVERY_CURRENT);
        assert_int_equal(v->n_resources, more ? 0 : DISCOVERY_LEGACY_RESOURCES);
        discovery_free(d);
        buf_deinit(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legacy),
        cmocka_unit_test(test_too_many_resources_of_the_older_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
