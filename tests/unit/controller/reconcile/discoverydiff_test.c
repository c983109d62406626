#include "controller/reconcile/discoverydiff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/discovery/discovery_parse.h"

static struct discovery *parse(const char *groups)
{
    struct discovery *d = NULL;
    struct err err = {0};
    char text[2048];
    int len = snprintf(text, sizeof text,
                       "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\","
                       "\"items\":[%s]}",
                       groups);
    if (discovery_parse(NULL, 0, text, (size_t)len, &d, &err) != 0)
        fail_msg("%s", err.msg);
    return d;
}

#define GROUP(name, kind)                                                                                    \
    "{\"metadata\":{\"name\":\"" name "\"},\"versions\":[{\"version\":\"v1\",\"resources\":[{"               \
    "\"resource\":\"things\",\"responseKind\":{\"group\":\"\",\"version\":\"\",\"kind\":\"" kind "\"},"      \
    "\"scope\":\"Namespaced\",\"singularResource\":\"thing\",\"verbs\":[\"create\"]}]}]}"

static void note(void *user, const char *group)
{
    char *groups = user;
    strncat(groups, group, 63 - strlen(groups));
    strncat(groups, " ", 63 - strlen(groups));
}

static void expect(const char *before, const char *now, const char *groups)
{
    struct discovery *a = parse(before), *b = parse(now);
    char found[64] = "";
    discoverydiff_each(a, b, note, found);
    assert_string_equal(found, groups);
    discovery_free(a);
    discovery_free(b);
}

static void test_groups_that_differ(void **state)
{
    (void)state;
    expect(GROUP("a", "A") "," GROUP("b", "B"), GROUP("a", "A") "," GROUP("b", "B"), "");
    expect(GROUP("a", "A") "," GROUP("b", "B"), GROUP("b", "B") "," GROUP("a", "A"), "");
    expect(GROUP("a", "A") "," GROUP("b", "B"), GROUP("a", "A") "," GROUP("b", "C"), "b ");
    expect(GROUP("a", "A"), GROUP("a", "A") "," GROUP("b", "B"), "b ");
    expect(GROUP("a", "A") "," GROUP("b", "B"), GROUP("a", "A"), "b ");
    expect("", GROUP("a", "A"), "a ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_that_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
