#include "typecheck/policy/abstract/domain/json_patch.h"

#include "tests/unit/typecheck/policy/abstract/domain/values.h"

/* {data: map of strings, maybe; list: strings, maybe; name: a string, always}, and nothing else. */
static const struct absval *document(struct values *v)
{
    struct absfield *fields = ARENA_ARRAY(&v->arena, 3, struct absfield);
    struct absmap data = {.key = &absval_string, .value = &absval_string};
    fields[0] = (struct absfield){
        .name = STR("data"), .presence = ABS_MAYBE, .value = absval_of_map(&v->arena, data)};
    fields[1] = (struct absfield){
        .name = STR("list"), .presence = ABS_MAYBE, .value = absval_of_elements(&v->arena, &absval_string)};
    fields[2] = (struct absfield){.name = STR("name"), .presence = ABS_PRESENT, .value = &absval_string};
    return absval_of_map(&v->arena, (struct absmap){.fields = fields, .field_count = 3});
}

struct step {
    char edit; /* a, p, d, g: add, replace, remove, get */
    const char *path;
    const char *fails; /* behind "the path 'PATH' is never there: "; NULL: it may apply */
};

enum { STEPS = 3 };

static const struct failure *take_step(struct values *v, struct json_patch *p, const struct step *s)
{
    struct str path = str_of(s->path);
    const struct absval *value = absval_of_map(&v->arena, (struct absmap){.key = NULL});
    return s->edit == 'a'   ? json_patch_add(p, path, value)
           : s->edit == 'p' ? json_patch_replace(p, path, value)
           : s->edit == 'd' ? json_patch_remove(p, path)
                            : json_patch_get(p, path);
}

static void expect_steps(struct values *v, const struct step *steps)
{
    struct json_patch p = {.arena = &v->arena, .types = v->types, .document = document(v)};
    for (size_t i = 0; i < STEPS && steps[i].path != NULL; i++) {
        const struct failure *failure = take_step(v, &p, &steps[i]);
        char expected[200] = "";
        if (steps[i].fails != NULL)
            snprintf(expected, sizeof expected, "the path '%s' is never there: %s", steps[i].path,
                     steps[i].fails);
        if (strcmp(failure == NULL ? "" : failure->message.at, expected) != 0)
            fail_msg("%c %s: %s", steps[i].edit, steps[i].path, failure == NULL ? "" : failure->message.at);
    }
}

#define UNDEFINED(name) "undefined field '" name "'"
#define REMOVED(name)   UNDEFINED(name) ": an operation before removes it"
#define NO_INDEX(text)  "'" text "' is no index of a list"
#define BEHIND          "'-' is the place behind a list's last item"

static void test_maps(void **state)
{
    static const struct step rows[][STEPS] = {
        {{'a', "/data/x", NULL}, {'p', "/data/y", NULL}, {'d', "/data/z", NULL}},
        {{'a', "/nope", NULL}, {'a', "/nope/x", NULL}, {'d', "/nope/x/y", UNDEFINED("y")}},
        {{'p', "/nope", NULL}, {'d', "/nope", NULL}, {'d', "/nope", REMOVED("nope")}},
        {{'a', "/nope/x", UNDEFINED("nope")},
         {'p', "/nope/x", UNDEFINED("nope")},
         {'d', "/nope", UNDEFINED("nope")}},
        {{'g', "/nope", NULL}, {'g', "/nope/x", UNDEFINED("nope")}, {'g', "/data/x", NULL}},
        {{'d', "/data", NULL}, {'a', "/data/x", REMOVED("data")}, {'g', "/data", NULL}},
        {{'d', "/data/x", NULL}, {'d', "/data/x", REMOVED("x")}, {'d', "/data/y", NULL}},
        {{'d', "/data/x", NULL}, {'a', "/data/x", NULL}, {'d', "/data/x", NULL}},
        {{'a', "/data/x/y", "'x' is of the type 'string'"},
         {'a', "/name/y", "'name' is of the type 'string'"},
         {'g', "/name/y/z", "'name' is of the type 'string'"}},
        {{'a', "x/data/y", NULL}, {'a', "/", NULL}, {'d', "//x", UNDEFINED("x")}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_steps(*state, rows[i]);
}

static void test_lists(void **state)
{
    static const struct step rows[][STEPS] = {
        {{'a', "/list/-", NULL}, {'a', "/list/0", NULL}, {'a', "/list/-1", NULL}},
        {{'p', "/list/0", NULL}, {'p', "/list/-", BEHIND}, {'p', "/list/a", NO_INDEX("a")}},
        {{'d', "/list/+0", NULL}, {'d', "/list/-", BEHIND}, {'d', "/list/1a", NO_INDEX("1a")}},
        {{'g', "/list/007", NULL}, {'g', "/list/-", BEHIND}, {'g', "/list/", NO_INDEX("")}},
        {{'a', "/list/-/x", BEHIND}, {'a', "/list/a", NO_INDEX("a")}, {'a', "/list/+", NO_INDEX("+")}},
        {{'a', "/list/0/x", "'0' is of the type 'string'"},
         {'a', "/list/-", NULL}, /* a map, so that some item may be one now */
         {'a', "/list/0/x", NULL}},
        {{'d', "/list", NULL}, {'a', "/list/-", REMOVED("list")}, {'a', "/list", NULL}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_steps(*state, rows[i]);
}

/* Of what may be a map or null, a null that was just added is read as a map. */
static void test_nulls(void **state)
{
    struct values *v = *state;
    struct json_patch p = {.arena = &v->arena, .types = v->types, .document = document(v)};
    assert_null(json_patch_add(&p, STR("/data"), &absval_null));
    assert_null(json_patch_get(&p, STR("/data/x")));
    assert_non_null(json_patch_add(&p, STR("/data/x"), &absval_null));
    assert_non_null(json_patch_remove(&p, STR("/data/x")));
}

static void test_what_is_taken(void **state)
{
    struct values *v = *state;
    struct json_patch p = {.arena = &v->arena, .types = v->types, .document = document(v)};
    assert_null(json_patch_get(&p, STR("/name")));
    assert_int_equal(p.taken->kinds, ABS_STRING);
    assert_null(json_patch_get(&p, STR("/data/x")));
    assert_int_equal(p.taken->kinds, ABS_STRING | ABS_NULL);
    assert_null(json_patch_remove(&p, STR("/list/0")));
    assert_int_equal(p.taken->kinds, ABS_STRING);
}

/* Branches make sorts; there is an end to them, behind which nothing is certain. */
static void test_sorts(void **state)
{
    struct values *v = *state;
    struct json_patch p = {.arena = &v->arena, .types = v->types, .document = document(v)};
    for (size_t i = 0; i < 12; i++) {
        const struct absval *before = p.document;
        assert_null(json_patch_add(&p, str_format(&v->arena, "/k%zu", i), &absval_null));
        p.document = absval_join(&v->arena, before, p.document);
        const struct failure *failure = json_patch_add(&p, STR("/nope/x"), &absval_null);
        assert_int_equal(failure == NULL, i >= 4);
    }
}

/* Of many keys nothing is known but the last. */
static void test_many_keys(void **state)
{
    struct values *v = *state;
    struct json_patch p = {.arena = &v->arena, .types = v->types, .document = document(v)};
    for (size_t i = 0; i < 100; i++) {
        assert_null(json_patch_add(&p, str_format(&v->arena, "/k%zu", i), &absval_null));
        const struct failure *failure = json_patch_remove(&p, STR("/nope"));
        assert_int_equal(failure == NULL, i >= 62);
        if (failure == NULL)
            break;
    }
    assert_null(json_patch_remove(&p, STR("/k1")));
    assert_non_null(json_patch_remove(&p, STR("/nope")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),          cmocka_unit_test(test_lists), cmocka_unit_test(test_nulls),
        cmocka_unit_test(test_what_is_taken), cmocka_unit_test(test_sorts), cmocka_unit_test(test_many_keys),
    };
    return cmocka_run_group_tests(tests, values_setup, values_teardown);
}
