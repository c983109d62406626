#include "typecheck/policy/author/witness/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/schema_document.h"

static struct arena arena;
static struct schema *doc;

static const char SCHEMA[] =
    "{\"type\":\"object\",\"required\":[\"name\",\"ports\"],\"properties\":{"
    "\"name\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"},\"on\":{\"type\":\"boolean\"},"
    "\"ports\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"port\"],"
    "\"properties\":{\"port\":{\"type\":\"integer\"}}}},"
    "\"labels\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},"
    "\"size\":{\"type\":\"string\",\"enum\":[\"Big\",\"a\\\"b\",\"Small\"]},"
    "\"maybe\":{\"type\":\"string\",\"nullable\":true},\"any\":{}}}";

static struct sample *make(void)
{
    return sample_new(&arena, (struct sample_schema){doc, schema_root(doc)});
}

static void check_text(const struct sample *s, const char *want)
{
    assert_string_equal(sample_text(&arena, s).at, want);
}

static void test_least_is_what_is_required(void **state)
{
    (void)state;
    struct sample *s = make();
    check_text(s, "{\"name\":\"a\",\"ports\":[{\"port\":1}]}");
    assert_false(sample_remove(s, s->first));
    assert_true(sample_resize(&arena, s->first->next, 2));
    check_text(s, "{\"name\":\"a\",\"ports\":[{\"port\":1},{\"port\":1}]}");
    assert_true(sample_resize(&arena, s->first->next, 1));
    assert_false(sample_resize(&arena, s->first->next, 0));
    sample_clear(s->first->next); /* the schema requires the list, not the item */
    assert_int_equal(sample_count(s->first->next), 0);
}

static void test_parts_are_added_as_the_schema_says(void **state)
{
    (void)state;
    struct sample *s = make(), *labels = sample_field(&arena, s, STR("labels"));
    assert_null(sample_field(&arena, s, STR("nope")));
    assert_null(sample_item(&arena, labels, 0));
    assert_true(sample_is_left_out(labels));
    assert_true(sample_set_string(sample_field(&arena, labels, STR("a/\"b")), STR("x\n")));
    assert_false(sample_is_left_out(labels));
    assert_non_null(sample_item(&arena, sample_field(&arena, s, STR("any")), 0));
    check_text(
        s, "{\"name\":\"a\",\"ports\":[{\"port\":1}],\"labels\":{\"a/\\\"b\":\"x\\u000a\"},\"any\":[\"a\"]}");
}

/* Of the values that there may be, but for those that JSON escapes. */
static void test_values_of_an_enum(void **state)
{
    (void)state;
    struct sample *s = make(), *size = sample_field(&arena, s, STR("size"));
    assert_true(str_eq(size->text, STR("Big")));
    assert_false(sample_set_string(size, STR("Medium")));
    assert_false(sample_set_string(size, STR("a\"b")));
    assert_true(sample_set_other(size, STR("Big"), STR("Medium")));
    assert_true(str_eq(size->text, STR("Small")));
    assert_true(sample_set_other(size, STR("other"), STR("Medium")));
    assert_true(str_eq(size->text, STR("Big")));
    assert_true(sample_set_other(sample_field(&arena, s, STR("name")), STR("a"), STR("c")));
    assert_false(sample_set_other(sample_field(&arena, s, STR("name")), STR("a"), STR("a")));
}

static void test_values_are_of_the_types_of_the_schema(void **state)
{
    (void)state;
    struct sample *s = make();
    struct sample *count = sample_field(&arena, s, STR("count")), *on = sample_field(&arena, s, STR("on"));
    assert_true(sample_set_int(&arena, count, -3));
    assert_false(sample_set_double(&arena, count, 0.5));
    assert_false(sample_set_string(count, STR("x")));
    assert_true(sample_set_bool(on, false));
    assert_false(sample_set_null(on));
    assert_true(sample_set_null(sample_field(&arena, s, STR("maybe"))));
    sample_say(&arena, s, STR("name"), STR("said"));
    assert_false(sample_set_string(s->first, STR("other")));
    check_text(s, "{\"name\":\"said\",\"ports\":[{\"port\":1}],\"count\":-3,\"on\":false,\"maybe\":null}");
    struct sample *copy = sample_copy(&arena, s);
    sample_zero(&arena, s);
    check_text(s, "{\"name\":\"\",\"ports\":[]}");
    check_text(copy, "{\"name\":\"said\",\"ports\":[{\"port\":1}],\"count\":-3,\"on\":false,\"maybe\":null}");
}

static int set_up(void **state)
{
    char message[SCHEMA_MESSAGE_BYTES];
    (void)state;
    arena_init(&arena, (size_t)1024 * 1024);
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    doc = schema_new_single(SCHEMA, strlen(SCHEMA), message, sizeof message);
    return doc == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    schema_free(doc);
    arena_deinit(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_is_what_is_required),
        cmocka_unit_test(test_parts_are_added_as_the_schema_says),
        cmocka_unit_test(test_values_of_an_enum),
        cmocka_unit_test(test_values_are_of_the_types_of_the_schema),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
