#include "controller/apiserver/validation/configuration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "tests/unit/controller/jsontext.h"
#include "typecheck/cel/types/celgo.h"

static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *field, *place;
    } rows[] = {
        {"authorizers[0].matchConditions[1].expression",
         "authorizers[0].webhook.matchConditions[1].expression"},
        {"authorizers[2].connectionInfo.type", "authorizers[2].webhook.connectionInfo.type"},
        {"authorizers[0].type", "authorizers[0].type"},
        {"authorizers[0].name", "authorizers[0].name"},
        {"authorizers[0].webhook", "authorizers[0].webhook"},
        {"authorizers[0].webhook.nope", "authorizers[0].webhook.nope"},
        {"authorizers[0]", "authorizers[0]"},
        {"authorizers", "authorizers"},
        {"apiVersion", "apiVersion"},
    };
    struct json_object *file = jsontext_parse("{\"kind\":\"AuthorizationConfiguration\"}"),
                       *other = jsontext_parse("{}");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cleanup_mem char *place = configuration_field(file, rows[i].field);
        cleanup_mem char *same = configuration_field(other, rows[i].field);
        assert_string_equal(place, rows[i].place);
        assert_string_equal(same, rows[i].field);
    }
    json_object_put(file);
    json_object_put(other);
}

/* Values of every wrong type, and nothing at all. */
static void test_odd_files(void **state)
{
    (void)state;
    static const char *const values[] = {"null", "1", "\"x\"", "[]", "{}", "[null]", "[[]]", "[{}]", "true"};
    static const char *const files[] = {
        "{\"apiVersion\":\"apiserver.config.k8s.io/v1\",\"jwt\":%s}",
        "{\"apiVersion\":\"apiserver.config.k8s.io/v1\",\"jwt\":[{\"issuer\":%s}]}",
        "{\"apiVersion\":\"apiserver.config.k8s.io/v1\",\"jwt\":[{\"claimMappings\":%s}]}",
        "{\"apiVersion\":\"apiserver.config.k8s.io/v1\",\"jwt\":[{\"claimValidationRules\":%s}]}",
        "{\"apiVersion\":\"apiserver.config.k8s.io/v1\",\"anonymous\":%s}",
        "{\"apiVersion\":\"apiserver.config.k8s.io/v1\",\"authorizers\":%s}",
        "{\"apiVersion\":\"apiserver.config.k8s.io/"
        "v1\",\"authorizers\":[{\"type\":\"Webhook\",\"webhook\":%s}]}",
    };
    struct env *env = env_new(37, celgo_in(37));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            const char *mark = strstr(files[i], "%s");
            cleanup_mem char *json =
                mem_printf("%.*s%s%s", (int)(mark - files[i]), files[i], values[k], mark + 2);
            struct json_object *file = jsontext_parse(json);
            struct fielderrors a = {0}, b = {0};
            configuration_check_authentication(file, env, &a);
            configuration_check_authorization(file, env, &b);
            assert_true(a.count > 0 || i == 0 || i == 4);
            assert_true(b.count > 0);
            fielderrors_deinit(&a);
            fielderrors_deinit(&b);
            json_object_put(file);
        }
    }
    env_free(env);
}

/* Too much work is said, and ends. */
static void test_a_limit(void **state)
{
    (void)state;
    cleanup_buf struct buf text;
    buf_init(&text, (size_t)64 * 1024 * 1024);
    buf_puts(&text, "{\"apiVersion\":\"apiserver.config.k8s.io/v1\",\"jwt\":[{\"userValidationRules\":[");
    for (size_t i = 0; i < 20000; i++) {
        buf_printf(&text,
                   "%s{\"expression\":\"user.groups.all(a, user.groups.all(b, user.groups.exists(c, a == b "
                   "&& b == c && "
                   "a != '%zu')))\"}",
                   i == 0 ? "" : ",", i);
    }
    buf_puts(&text, "]}]}");
    struct json_object *file = jsontext_parse(text.data);
    struct env *env = env_new(37, celgo_in(37));
    struct fielderrors found = {0};
    configuration_check_authentication(file, env, &found);
    assert_true(found.is_limited);
    fielderrors_deinit(&found);
    env_free(env);
    json_object_put(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_odd_files),
        cmocka_unit_test(test_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
