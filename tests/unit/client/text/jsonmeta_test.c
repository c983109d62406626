#include "client/text/jsonmeta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OBJECT                                                                                               \
    "{\"kind\":\"A\",\"metadata\":{\"name\":\"n\",\"namespace\":\"s\",\"uid\":\"u\",\"resourceVersion\":"    \
    "\"7\","                                                                                                 \
    "\"generation\":3,\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\"{}\"},"        \
    "\"managedFields\":[{\"manager\":\"m\",\"name\":\"not "                                                  \
    "this\"}]},\"spec\":{\"metadata\":{\"name\":\"x\"}}}"

static void assert_text(const struct jsonpick *value, const char *text)
{
    assert_non_null(value->at);
    assert_int_equal(value->len, strlen(text));
    assert_memory_equal(value->at, text, value->len);
}

static void assert_all(const struct jsonmeta *meta)
{
    assert_text(&meta->name, "\"n\"");
    assert_text(&meta->namespace, "\"s\"");
    assert_text(&meta->uid, "\"u\"");
    assert_text(&meta->version, "\"7\"");
    assert_text(&meta->generation, "3");
    assert_text(&meta->managed, "[{\"manager\":\"m\",\"name\":\"not this\"}]");
    assert_text(&meta->applied, "\"{}\"");
}

static void test_of_an_object(void **state)
{
    (void)state;
    struct jsonmeta meta;
    struct err err;
    assert_int_equal(jsonmeta_read(&meta, OBJECT, strlen(OBJECT), &err), 0);
    assert_all(&meta);
    assert_int_equal(jsonmeta_read(&meta, "{", 1, &err), -1);
    assert_int_equal(jsonmeta_read(&meta, "[]", 2, &err), 0);
    assert_null(meta.name.at);
}

static void test_within_another(void **state)
{
    (void)state;
    static const char line[] = "{\"metadata\":{\"name\":\"z\"},\"type\":\"ADDED\",\"object\":" OBJECT "}";
    struct jsonpick_pick picks[JSONMETA_PICKS + 1] = {[JSONMETA_PICKS] = {.path = {"type"}}};
    struct jsonmeta meta;
    struct err err;
    jsonmeta_paths(picks, "object");
    assert_int_equal(jsonpick_pick(line, strlen(line), picks, JSONMETA_PICKS + 1, &err), 0);
    jsonmeta_take(&meta, picks);
    assert_all(&meta);
    assert_text(&picks[JSONMETA_PICKS].value, "\"ADDED\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_an_object),
        cmocka_unit_test(test_within_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
