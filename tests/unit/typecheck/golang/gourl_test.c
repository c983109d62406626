#include "typecheck/golang/gourl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

#define BUDGET ((size_t)1 << 20)

static void assert_text(struct str s, const char *expected)
{
    if (!str_eq(s, str_of(expected)))
        fail_msg("%.*s is not %s", STR_ARG(s), expected);
}

/* tests/golden/refusals/webhooks/ has what a real server says of many more. */
static void test_parts(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    static const struct {
        const char *text, *scheme, *host, *user, *fragment, *query;
    } rows[] = {
        {"HTTPS://u%40:p w@a:1/b?c=d?#%41b", "https", "a:1", NULL, NULL, NULL}, /* a space is no user's */
        {"HTTPS://u%40:p@a:1/b?c=d?#%41b", "https", "a:1", "u%40:p", "Ab", "c=d?"},
        {"https://@a", "https", "a", "", "", ""},
        {"https://[fe80::1%25en0]:80", "https", "[fe80::1%en0]:80", NULL, "", ""},
        {"mailto:x", "mailto", "", NULL, "", ""},
        {"///a", "", "", NULL, "", ""},
        {"a/b?c", "", "", NULL, "", "c"},
        {"*", "", "", NULL, "", ""},
        {"", "", "", NULL, "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gourl u;
        struct str error = gourl_parse(&a, str_of(rows[i].text), GOURL_GO_1_26, &u);
        if (rows[i].fragment == NULL) {
            assert_int_not_equal(error.len, 0);
            continue;
        }
        assert_text(error, "");
        assert_text(u.scheme, rows[i].scheme);
        assert_text(u.host, rows[i].host);
        assert_text(u.fragment, rows[i].fragment);
        assert_text(u.query, rows[i].query);
        assert_int_equal(u.has_user, rows[i].user != NULL);
        if (u.has_user)
            assert_text(u.user, rows[i].user);
    }
    arena_deinit(&a);
}

static void test_errors(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    static const char *const rows[][2] = {
        {":a", "parse \":a\": missing protocol scheme"},
        {"a\x01", "parse \"a\\x01\": net/url: invalid control character in URL"},
        {"1:a", "parse \"1:a\": first path segment in URL cannot contain colon"},
        {"https://a:b", "parse \"https://a:b\": invalid port \":b\" after host"},
        {"https://a:1:2", "parse \"https://a:1:2\": invalid port \":1:2\" after host"},
        {"ftp://a:1:x", "parse \"ftp://a:1:x\": invalid port \":x\" after host"},
        {"https://u%zz@a", "parse \"https://u%zz@a\": invalid URL escape \"%zz\""},
        {"https://a%41", "parse \"https://a%41\": invalid URL escape \"%41\""},
        {"https://a/%", "parse \"https://a/%\": invalid URL escape \"%\""},
        {"https://a#%4", "parse \"https://a#%4\": invalid URL escape \"%4\""},
        {"https://a b", "parse \"https://a b\": invalid character \" \" in host name"},
        {"https://u|@a", "parse \"https://u|@a\": net/url: invalid userinfo"},
        {"https://[::1", "parse \"https://[::1\": missing ']' in host"},
        {"https://[::1]x", "parse \"https://[::1]x\": invalid port \"x\" after host"},
        {"https://a[::1]", "parse \"https://a[::1]\": invalid IP-literal"},
        {"https://[1.2.3.4]", "parse \"https://[1.2.3.4]\": invalid IP-literal"},
        {"https://[zz]", "parse \"https://[zz]\": invalid host: ParseAddr(\"zz\"): unable to parse IP"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gourl u;
        assert_text(gourl_parse(&a, str_of(rows[i][0]), GOURL_GO_1_26, &u), rows[i][1]);
    }
    arena_deinit(&a);
}

/* The host, or "" and the error. */
static void test_each_go(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    static const struct {
        const char *text, *said[GOURL_GO_1_26 + 1];
    } rows[] = {
        {"https://[::1]:80", {"[::1]:80", "[::1]:80", "[::1]:80", "[::1]:80"}},
        {"https://[zz]", {"[zz]", "invalid host", "invalid host", "invalid host"}},
        {"https://[1.2.3.4]",
         {"[1.2.3.4]", "invalid IP-literal", "invalid IP-literal", "invalid IP-literal"}},
        {"https://a[::1]", {"invalid port \":1]\"", "[::1]", "invalid IP-literal", "invalid IP-literal"}},
        {"https://a:1:2", {"a:1:2", "a:1:2", "a:1:2", "invalid port \":1:2\""}},
        {"ftp://a:1:2", {"a:1:2", "a:1:2", "a:1:2", "a:1:2"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (enum gourl_go go = GOURL_GO_1_23; go <= GOURL_GO_1_26; go++) {
            struct gourl u;
            struct str error = gourl_parse(&a, str_of(rows[i].text), go, &u);
            struct str said = error.len == 0 ? u.host : error;
            if (strstr(str_copy(&a, said).at, rows[i].said[go]) == NULL)
                fail_msg("%s: %.*s", rows[i].text, STR_ARG(said));
        }
    }
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_each_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
