#include "typecheck/cel/checker/near_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/type.h"

static struct env *env;

static int start(void **state)
{
    (void)state;
    env = env_new(38, celgo_in(38));
    return env == NULL;
}

static int stop(void **state)
{
    (void)state;
    env_free(env);
    return 0;
}

static const struct variable declared[] = {
    {.name = STR_INIT("object"), .type = &type_dyn},
    {.name = STR_INIT("oldObject"), .type = &type_dyn},
    {.name = STR_INIT("request"), .type = &type_dyn},
    {.name = STR_INIT("abcdefghijkl"), .type = &type_dyn},
};

/* Each name has the text that a message about it ends with. */
static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } cases[] = {
        /* variables, functions, macros, names of types */
        {"reqest", " (did you mean 'request'?)"},
        {"siez", " (did you mean 'size'?)"},
        {"exist", " (did you mean 'exists'?)"},
        {"strin", " (did you mean 'string'?)"},
        {"null_tpe", " (did you mean 'null_type'?)"},
        /* neighbours that changed places count as one, and the nearest are named alone */
        {"obejct", " (did you mean 'object'?)"},
        /* of two, the shorter one comes first */
        {"trans", " (did you mean 'transformMap' or 'transformList'?)"},
        {"isLinkLocal", " (did you mean 'isLinkLocalUnicast' or 'isLinkLocalMulticast'?)"},
        /* what is no more than a letter, or too far */
        {"zz", ""},
        {"ii", ""},
        {"x", ""},
        {"t", ""},
        {"nothing_like_it", ""},
        /* the name itself exists, but not as what it is used for */
        {"size", ""},
        /* with a dot and without */
        {"optinal.of", " (did you mean 'optional.of'?)"},
        {".optinal.of", " (did you mean 'optional.of'?)"},
        {"optionalof", ""},
        {"google.protobuf.Timestmp", " (did you mean 'google.protobuf.Timestamp'?)"},
        {"format.dns1123", " (did you mean 'format.dns1123Label' or 'format.dns1123Subdomain'?)"},
        /* of a long name, only the length counts beside one that is two thirds as long */
        {"xxxxxxxxxxxxxxxxxx", " (did you mean 'abcdefghijkl' or 'containsCIDR'?)"},
        {"", ""},
    };
    struct arena a;
    arena_init(&a, (size_t)1 << 20);
    if (setjmp(a.escape) != 0)
        fail_msg("the arena gave up");
    struct near_names near = {
        .arena = &a, .env = env, .variables = declared, .variable_count = sizeof declared / sizeof *declared};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct str name = str_of(cases[i].name);
        const struct near_names_found found = near_names_find(&near, name);
        assert_string_equal(near_names_text(&a, &found, name).at, cases[i].text);
    }
    arena_deinit(&a);
}

/* Names far apart cost little: a long name is not compared with each that is short. */
static void test_steps(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1 << 20);
    a.max_steps = 10000;
    if (setjmp(a.escape) != 0)
        fail_msg("too many steps");
    struct near_names near = {.arena = &a, .env = env};
    char *long_name = arena_alloc(&a, 100001);
    memset(long_name, 'x', 100000);
    for (int i = 0; i < 100; i++)
        assert_int_equal(near_names_find(&near, (struct str){long_name, 100000}).count, 0);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
