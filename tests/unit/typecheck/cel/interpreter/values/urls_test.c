#include "typecheck/cel/interpreter/values/urls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value_text.h"

#define BUDGET      ((size_t)16 << 20)
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct value *call(struct arena *a, function_call *function, const char *name,
                                const struct value *one)
{
    struct str missing = STR("");
    struct invocation c = {a, str_of(name), &one, 1, NULL, &missing};
    return function(&c);
}

static const char *ask(struct arena *a, const char *url, const char *function)
{
    const struct value *v = call(a, urls_url, "url", value_string(a, str_of(url)));
    return str_copy(a, value_is_error(v) ? v->text : call(a, urls_part, function, v)->text).at;
}

static void test_parts(void **state)
{
    static const char *const examples[][3] = {
        {"HTTPS://u:p@Example.com:80/a%20b?c#d", "getScheme", "https"},
        {"https://u:p@Example.com:80/a%20b?c#d", "getHost", "Example.com:80"},
        {"https://u:p@Example.com:80/a%20b?c#d", "getHostname", "Example.com"},
        {"https://u:p@Example.com:80/a%20b?c#d", "getPort", "80"},
        {"https://u:p@Example.com:80/a%20b?c#d", "getEscapedPath", "/a%20b"},
        {"http://[fe80::1%25en0]:1/", "getHostname", "fe80::1%en0"},
        {"/a b!", "getEscapedPath", "/a%20b%21"},
        {"*", "getEscapedPath", "*"},
        {"mailto:a@b", "getEscapedPath", ""},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_string_equal(ask(&a, examples[i][0], examples[i][1]), examples[i][2]);
    arena_deinit(&a);
}

static void test_refusals(void **state)
{
    static const char *const examples[][2] = {
        {"", "URL parse error during conversion from string: parse \"\": empty url"},
        {"a", "URL parse error during conversion from string: parse \"a\": invalid URI for request"},
        {":a", "URL parse error during conversion from string: parse \":a\": missing protocol scheme"},
        {"/\n", "URL parse error during conversion from string: parse \"/\\n\": net/url: invalid control "
                "character in URL"},
        {"/%zz", "URL parse error during conversion from string: parse \"/%zz\": invalid URL escape \"%zz\""},
        {"http://a b/", "URL parse error during conversion from string: parse \"http://a b/\": invalid "
                        "character \" \" in host name"},
        {"http://a:b", "URL parse error during conversion from string: parse \"http://a:b\": invalid port "
                       "\":b\" after host"},
        {"http://[::1",
         "URL parse error during conversion from string: parse \"http://[::1\": missing ']' in host"},
        {"http://[1.2.3.4]",
         "URL parse error during conversion from string: parse \"http://[1.2.3.4]\": invalid IP-literal"},
        {"http://\"@a",
         "URL parse error during conversion from string: parse \"http://\\\"@a\": net/url: invalid userinfo"},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_string_equal(ask(&a, examples[i][0], ""), examples[i][1]);
    assert_string_equal(ask(&a, "https://example.com/?a#b", "getHost"), "example.com");
    arena_deinit(&a);
}

static void test_query(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct value *v = call(&a, urls_url, "url", value_string(&a, STR("/?a=1&a=x+%41&b;c&%zz=1&d")));
    struct str text = value_literal(&a, call(&a, urls_query, "getQuery", v));
    assert_string_equal(str_copy(&a, text).at, "{\"a\": [\"1\", \"x A\"], \"d\": [\"\"]}");
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
