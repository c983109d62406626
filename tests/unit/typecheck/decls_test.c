/* The functions of every Kubernetes version against tests/golden/decls. */
#include "typecheck/cel/types/decl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/signature.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"

#define MAX_LINES   400
#define FIRST_LEVEL 30

struct list {
    const char *lines[MAX_LINES];
    size_t count;
};

static void add(struct list *l, const char *line)
{
    assert_true(l->count < MAX_LINES);
    l->lines[l->count++] = line;
}

static void remove_line(struct list *l, const char *line)
{
    size_t i = 0;
    while (i < l->count && strcmp(l->lines[i], line) != 0)
        i++;
    assert_true(i < l->count);
    memmove(&l->lines[i], &l->lines[i + 1], (--l->count - i) * sizeof *l->lines);
}

static size_t function_len(const char *line)
{
    return strcspn(line, " ");
}

/* Stable: the order of a function's overloads matters, that of functions does not. */
static void sort_by_function(struct list *l)
{
    for (size_t i = 1; i < l->count; i++) {
        const char *line = l->lines[i];
        struct str name = {line, function_len(line)};
        size_t k = i;
        for (; k > 0 && str_cmp((struct str){l->lines[k - 1], function_len(l->lines[k - 1])}, name) > 0; k--)
            l->lines[k] = l->lines[k - 1];
        l->lines[k] = line;
    }
}

static void read_golden(struct arena *a, int level, struct list *out)
{
    struct str path = str_format(a, "tests/golden/decls/1.%d.txt", level);
    FILE *f = fopen(path.at, "r");
    assert_non_null(f);
    char line[400];
    while (fgets(line, sizeof line, f) != NULL) {
        char *text = arena_copy(a, line, strcspn(line, "\n"));
        if (text[0] == '~')
            remove_line(out, text + 1);
        else
            add(out, text);
    }
    fclose(f);
}

static void print_env(struct arena *a, int level, struct list *out)
{
    /* The goldens have the name that the optional type has since cel-go 0.19: Kubernetes 1.31. */
    struct env *env = env_new(level, celgo_in(level > 30 ? level : 31));
    assert_non_null(env);
    size_t count;
    const struct function *functions = env_functions(env, &count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < functions[i].count; k++) {
            const struct overload *o = &functions[i].overloads[k];
            struct text t = {.arena = a};
            text_addf(&t, "%.*s %.*s ", STR_ARG(functions[i].name), STR_ARG(o->id));
            signature_add(&t, o);
            add(out, text_str(&t).at);
        }
    }
    env_free(env);
}

static void test_every_version(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)16 << 20);
    if (setjmp(a.escape) != 0)
        fail_msg("the arena is too small");
    struct list golden = {.count = 0};
    for (int level = FIRST_LEVEL; level <= ENV_NEWEST_LEVEL; level++) {
        struct list want, got = {.count = 0};
        read_golden(&a, level, &golden);
        want = golden;
        print_env(&a, level, &got);
        sort_by_function(&want);
        sort_by_function(&got);
        for (size_t i = 0; i < want.count && i < got.count; i++)
            assert_string_equal(got.lines[i], want.lines[i]);
        assert_int_equal(got.count, want.count);
    }
    arena_deinit(&a);
}

static size_t count_overloads(int level)
{
    struct env *env = env_new(level, celgo_in(ENV_NEWEST_LEVEL));
    assert_non_null(env);
    size_t count, overloads = 0;
    const struct function *functions = env_functions(env, &count);
    for (size_t i = 0; i < count; i++)
        overloads += functions[i].count;
    env_free(env);
    return overloads;
}

/* 1.29 is 1.30 without addresses and ranges. */
static void test_oldest(void **state)
{
    (void)state;
    static const char *const later[] = {"cidr",
                                        "containsCIDR",
                                        "containsIP",
                                        "family",
                                        "ip",
                                        "ip.isCanonical",
                                        "isCIDR",
                                        "isGlobalUnicast",
                                        "isIP",
                                        "isLinkLocalMulticast",
                                        "isLinkLocalUnicast",
                                        "isLoopback",
                                        "isUnspecified",
                                        "masked",
                                        "prefixLength"};
    struct env *env = env_new(29, celgo_in(ENV_NEWEST_LEVEL));
    assert_non_null(env);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        assert_null(env_function(env, str_of(later[i])));
    assert_int_equal(env_function(env, STR("string"))->count, 8);
    env_free(env);
    assert_int_equal(count_overloads(29), count_overloads(30) - 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_version),
        cmocka_unit_test(test_oldest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
