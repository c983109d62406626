#include "controller/reconcile/dependents.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

static struct policyview *policy_of(const char *group, const char *param_api_version)
{
    cleanup_json struct json_object *json = NULL;
    struct err err = {0};
    struct policyview *p = NULL;
    char text[256];
    int len =
        snprintf(text, sizeof text,
                 "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"matchConstraints\":{\"resourceRules\":["
                 "{\"apiGroups\":[\"%s\"]}]},\"paramKind\":%s%s%s}}",
                 group, param_api_version == NULL ? "null" : "{\"apiVersion\":\"",
                 param_api_version == NULL ? "" : param_api_version, param_api_version == NULL ? "" : "\"}");
    assert_int_equal(jsonval_parse(text, (size_t)len, &json, &err), 0);
    assert_int_equal(policyview_new(json, &p, &err), 0);
    return p;
}

static void set(struct dependents *d, const char *key, const char *path, const char *group,
                const char *params, bool is_any_group)
{
    struct policyview *p = policy_of(group, params);
    dependents_begin(d, key);
    dependents_add_path(d, path);
    dependents_add_path(d, path);
    dependents_add_groups(d, p, is_any_group);
    dependents_end(d);
    policyview_free(p);
}

/* Keys are one letter: their multiset as a sorted string. */
static void note(void *user, const char *key)
{
    char *keys = user;
    size_t i = strlen(keys);
    for (; i > 0 && keys[i - 1] > key[0]; i--)
        keys[i] = keys[i - 1];
    keys[i] = key[0];
}

static void expect_path(struct dependents *d, const char *path, const char *keys)
{
    char found[32] = "";
    dependents_visit_path(d, path, note, found);
    assert_string_equal(found, keys);
}

static void expect_group(struct dependents *d, const char *group, const char *keys)
{
    char found[32] = "";
    dependents_visit_group(d, group, note, found);
    assert_string_equal(found, keys);
}

static void test_who_depends_on_what(void **state)
{
    (void)state;
    struct dependents *d = dependents_new();
    set(d, "a", "apis/apps/v1", "apps", NULL, false);
    set(d, "b", "apis/apps/v1", "batch", "apps/v1", false);
    set(d, "c", "api/v1", "", "v1", false);
    expect_path(d, "apis/apps/v1", "ab");
    expect_path(d, "api/v1", "c");
    expect_path(d, "apis/none/v1", "");
    assert_true(dependents_have_path(d, "api/v1"));
    assert_false(dependents_have_path(d, "apis/none/v1"));
    expect_group(d, "apps", "ab");
    expect_group(d, "batch", "b");
    expect_group(d, "", "c");
    expect_group(d, "none", "");
    dependents_free(d);
}

static void test_listing_anew_drops_what_was(void **state)
{
    (void)state;
    struct dependents *d = dependents_new();
    set(d, "a", "apis/apps/v1", "apps", "x/v1", false);
    set(d, "a", "apis/batch/v1", "batch", NULL, false);
    expect_path(d, "apis/apps/v1", "");
    expect_path(d, "apis/batch/v1", "a");
    expect_group(d, "apps", "");
    expect_group(d, "x", "");
    expect_group(d, "batch", "a");
    dependents_remove(d, "a");
    dependents_remove(d, "a");
    expect_path(d, "apis/batch/v1", "");
    assert_false(dependents_have_path(d, "apis/batch/v1"));
    expect_group(d, "batch", "");
    dependents_free(d);
}

/* A wildcard, and what is to hear of every group; each key comes once. */
static void test_any_group(void **state)
{
    (void)state;
    struct dependents *d = dependents_new();
    set(d, "a", "api/v1", "*", NULL, false);
    set(d, "b", "api/v1", "apps", NULL, true);
    set(d, "c", "api/v1", "apps", NULL, false);
    expect_group(d, "new.example.com", "ab");
    expect_group(d, "apps", "abc");
    dependents_free(d);
}

static void count_keys(void *user, const char *key)
{
    assert_true(key[0] == 'k');
    (*(size_t *)user)++;
}

static void expect_count(struct dependents *d, const char *group, size_t count)
{
    size_t found = 0;
    dependents_visit_group(d, group, count_keys, &found);
    assert_int_equal(found, count);
}

/* Many keys of many names, in any order: a model of bits, and what each name finds. */
static void test_many_of_many(void **state)
{
    enum { KEYS = 40, GROUPS = 16, ROUNDS = 4000 };
    unsigned links[KEYS] = {0}, random = 1;
    struct dependents *d = dependents_new();
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        char key[8], group[GROUPS][8];
        const char *groups[2 * GROUPS];
        struct matchrules_rule rule = {.groups = groups};
        const struct policyview policy = {.match = {.rules = &rule, .n_rules = 1}};
        random = random * 1664525u + 1013904223u;
        const unsigned k = (random >> 20) % KEYS, wanted = (random >> 4) & 0xffff;
        snprintf(key, sizeof key, "k%u", k);
        for (unsigned i = 0; i < 2 * GROUPS; i++) { /* each twice, from another end each time */
            unsigned g = (i * 7 + k) % GROUPS;
            snprintf(group[g], sizeof group[g], "g%u", g);
            if ((wanted & (1u << g)) != 0)
                groups[rule.n_groups++] = group[g];
        }
        if (round % 5 == 0) {
            dependents_remove(d, key);
            links[k] = 0;
        } else {
            dependents_begin(d, key);
            dependents_add_groups(d, &policy, false);
            dependents_end(d);
            links[k] = wanted;
        }
        const unsigned g = (unsigned)round % GROUPS;
        size_t count = 0;
        for (size_t i = 0; i < KEYS; i++)
            count += (links[i] >> g) & 1;
        snprintf(key, sizeof key, "g%u", g);
        expect_count(d, key, count);
    }
    dependents_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_depends_on_what),
        cmocka_unit_test(test_listing_anew_drops_what_was),
        cmocka_unit_test(test_any_group),
        cmocka_unit_test(test_many_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
