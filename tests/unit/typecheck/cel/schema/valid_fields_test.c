#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/valid_fields.h"
#include "typecheck/cel/types/type.h"

static void test_find(void **state)
{
    (void)state;
    assert_non_null(valid_fields_enumeration(STR("io.k8s.api.core.v1.PodSpec"), STR("restartPolicy")));
    assert_null(valid_fields_enumeration(STR("io.k8s.api.core.v1.PodSpec"), STR("nodeName")));
    assert_null(valid_fields_enumeration(STR("com.example.core.v1.PodSpec"), STR("restartPolicy")));
    assert_true(valid_fields_has_root(STR(""), STR("v1"), STR("Pod")));
    assert_true(valid_fields_has_root(STR("apps"), STR("v1"), STR("Deployment")));
    assert_false(valid_fields_has_root(STR("apps"), STR("v1"), STR("Pod")));
    assert_false(valid_fields_has_root(STR("appsx"), STR("v"), STR("Deployment")));
}

static void test_below(void **state)
{
    (void)state;
    const struct str pod = STR("io.k8s.api.core.v1.PodSpec"), field = STR("restartPolicy");
    const struct enumeration *e =
        valid_fields_enumeration_below(STR("io.k8s.api.apps.v1.DeploymentSpec"), pod, field);
    assert_non_null(e);
    assert_true(str_eq(e->words, STR("Always")));
    assert_true(str_eq(valid_fields_enumeration(pod, field)->words, STR("Always|Never|OnFailure")));
    assert_null(
        valid_fields_enumeration_below(STR("io.k8s.api.apps.v1.DeploymentSpec"), pod, STR("dnsPolicy")));
    assert_null(valid_fields_enumeration_below(STR("io.k8s.api.core.v1.PodTemplateSpec"), pod, field));
    assert_null(valid_fields_enumeration_below(STR("com.example.DeploymentSpec"), pod, field));
    assert_null(valid_fields_enumeration_below(STR("io.k8s.api.apps.v1.DeploymentSpec"), STR("x"), field));
}

static const struct {
    const char *words;
    int minor;
    const char *listed, *others; /* in the order of the list */
} CASES[] = {
    {"a|b", 30, "a b ", ""},        {"a|b@35", 34, "a ", "b "},  {"a|b@35", 35, "a b ", ""},
    {"a@-34|b", 34, "a b ", ""},    {"a@-34|b", 35, "b ", "a "}, {"a@33@-34|b", 32, "b ", "a "},
    {"a@33@-34|b", 34, "a b ", ""}, {"|b", 30, " b ", ""},       {"b", 0, "b ", ""},
};

static void expect(struct arena *a, const struct str *list, size_t count, const char *wanted)
{
    struct text t = {.arena = a};
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(strlen(list[i].at), list[i].len);
        text_add(&t, list[i]);
        text_add_char(&t, ' ');
    }
    assert_string_equal(text_str(&t).at, wanted);
}

static void test_words(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, SIZE_MAX);
    if (setjmp(a.escape) != 0)
        fail();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const struct enumeration e = {STR("t"), STR("f"), str_of(CASES[i].words), STR("")};
        const struct type_words *words = valid_fields_words(&a, &e, CASES[i].minor);
        expect(&a, words->list, words->count, CASES[i].listed);
        expect(&a, words->list + words->count, words->other_count, CASES[i].others);
    }
    arena_deinit(&a);
}

static const struct {
    const char *package, *type, *field, *spelling;
    bool is_of_keys;
} ROWS[] = {
#define ENUMERATION(type, field, words)
#define BELOW(holder, type, field, words)
#define RANGE(type, field, min, max)
#define ITEMS(type, field, least)
#define SPELLING(type, field, spelling) {"io.k8s.api.", type, field, #spelling, false},
#define KEYS(type, field, spelling)     {"io.k8s.api.", type, field, #spelling, true},
#define LOOSE(holder, type, since)
#define ROOT(api_version, kind)
#include "typecheck/cel/schema/valid_fields.def"
};

static void test_ranges(void **state)
{
    (void)state;
    const struct str port = STR("io.k8s.api.core.v1.ContainerPort"), pod = STR("io.k8s.api.core.v1.PodSpec");
    const struct type_range *range = valid_fields_range(port, STR("containerPort"));
    assert_non_null(range);
    assert_int_equal(range->min, 1);
    assert_int_equal(range->max, 65535);
    assert_false(range->is_of_size);
    range = valid_fields_range(pod, STR("containers"));
    assert_non_null(range);
    assert_int_equal(range->min, 1);
    assert_true(range->is_of_size);
    assert_null(valid_fields_range(pod, STR("containerPort")));
    assert_null(valid_fields_range(STR("com.example.ContainerPort"), STR("containerPort")));
}

/* The tables of spellings are in the order in which they are searched. */
static void test_spellings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char component[200];
        snprintf(component, sizeof component, "%s%s", ROWS[i].package, ROWS[i].type);
        if (valid_fields_spelling(str_of(component), str_of(ROWS[i].field), ROWS[i].is_of_keys) ==
            SPELLING_ANY)
            fail_msg("%s.%s: %s is not found", ROWS[i].type, ROWS[i].field, ROWS[i].spelling);
    }
    const struct str pod = STR("io.k8s.api.core.v1.Pod");
    assert_int_equal(valid_fields_spelling(pod, STR("metadata.name"), false), SPELLING_DNS_SUBDOMAIN);
    assert_int_equal(valid_fields_spelling(pod, STR("metadata.labels"), false), SPELLING_LABEL_VALUE);
    assert_int_equal(valid_fields_spelling(pod, STR("metadata.labels"), true), SPELLING_LABEL_KEY);
    assert_int_equal(valid_fields_spelling(pod, STR("metadata.uid"), false), SPELLING_ANY);
    assert_int_equal(valid_fields_spelling(STR("com.example.Pod"), STR("metadata.name"), false),
                     SPELLING_ANY);
}

static void test_parts(void **state)
{
    (void)state;
    const struct str set = STR("io.k8s.api.apps.v1.StatefulSetSpec"),
                     pod = STR("io.k8s.api.core.v1.PodTemplateSpec");
    assert_int_equal(valid_fields_part_of(set, pod, 33), VALID_FIELDS_NONE);
    assert_int_equal(valid_fields_part_of(set, pod, 34), VALID_FIELDS_ENUMERATIONS);
    assert_int_equal(valid_fields_part_of(set, pod, 0), VALID_FIELDS_ENUMERATIONS);
    assert_int_equal(valid_fields_part_of(STR("io.k8s.api.apps.v1.DeploymentSpec"), pod, 30),
                     VALID_FIELDS_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_find),      cmocka_unit_test(test_below),
                                       cmocka_unit_test(test_words),     cmocka_unit_test(test_ranges),
                                       cmocka_unit_test(test_spellings), cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
