#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "controller/findings/versiondiff.h"

#define E0 "spec.validations[0].expression"
#define E1 "spec.validations[1].expression"

enum { ITEMS = 4 };

struct row {
    const char *name;
    struct versiondiff_item from[ITEMS], to[ITEMS]; /* the first without a message is the end */
    const char *changes;
};

static const char *const sorts[] = {"refused", "fails", "unequal", "warned", "unchecked"};

#define REFUSED(f)                                                                                           \
    {                                                                                                        \
        .sort = VERSIONDIFF_REFUSED, .field = (f), .message = "r"                                            \
    }
#define FAILS(f, place, m)                                                                                   \
    {                                                                                                        \
        .sort = VERSIONDIFF_FAILS, .field = (f), .message = (m), .at = {(place), (place), (place) }          \
    }
#define UNEQUAL(f, place)                                                                                    \
    {                                                                                                        \
        .sort = VERSIONDIFF_UNEQUAL, .field = (f), .message = "u", .at = {(place), (place), (place) }        \
    }
#define UNCHECKED(m)                                                                                         \
    {                                                                                                        \
        .sort = VERSIONDIFF_UNCHECKED, .message = (m)                                                        \
    }
#define WARNED(f, m)                                                                                         \
    {                                                                                                        \
        .sort = VERSIONDIFF_WARNED, .field = (f), .message = (m)                                             \
    }

/* clang-format off */
static const struct row rows[] = {
    {"nothing", {{.message = NULL}}, {{.message = NULL}}, ""},
    {"the same place in other words", {FAILS(E0, 3, "one")}, {FAILS(E0, 3, "other")}, ""},
    {"another place", {FAILS(E0, 3, "m")}, {FAILS(E0, 4, "m")}, "+fails " E0 " m\n-fails " E0 " m\n"},
    {"another expression", {FAILS(E0, 3, "m")}, {FAILS(E0, 3, "m"), FAILS(E1, 3, "m")}, "+fails " E1 " m\n"},
    {"a comparison that fails now", {UNEQUAL(E0, 3)}, {FAILS(E0, 3, "m")}, "+fails " E0 " m\n"},
    {"a failure that is a comparison now", {FAILS(E0, 3, "m")}, {UNEQUAL(E0, 3)}, "-fails " E0 " m\n"},
    {"refused, and said once", {{.message = NULL}}, {REFUSED(E0), FAILS(E0, 3, "m")}, "+refused, fails too " E0 " r\n"},
    {"refused, but what is stored works", {{.message = NULL}}, {REFUSED(E0)}, "+refused " E0 " r\n"},
    {"refused, and failed before", {FAILS(E0, 3, "m")}, {REFUSED(E0), FAILS(E0, 3, "n")}, "+refused " E0 " r\n"},
    {"refused on both", {REFUSED(E0), FAILS(E0, 3, "m")}, {REFUSED(E0), FAILS(E0, 4, "n")}, ""},
    {"accepted now", {REFUSED(E0), FAILS(E0, 3, "m")}, {{.message = NULL}}, "-refused " E0 " r\n"},
    {"accepted now, and fails still", {REFUSED(E0), FAILS(E0, 3, "m")}, {FAILS(E0, 9, "n")}, "-refused " E0 " r\n"},
    {"warnings", {WARNED(E0, "a"), WARNED(E0, "b")}, {WARNED(E0, "b"), WARNED(E0, "c")}, "+warned " E0 " c\n-warned " E0 " a\n"},
    {"not checked", {UNCHECKED("a")}, {UNCHECKED("b")}, "+unchecked  b\n-unchecked  a\n"},
};
/* clang-format on */

static void fill(struct versiondiff_report *r, const struct versiondiff_item *items)
{
    for (size_t i = 0; i < ITEMS && items[i].message != NULL; i++)
        versiondiff_add(r, &items[i]);
}

static void describe(const struct versiondiff_report *from, const struct versiondiff_report *to,
                     struct buf *out)
{
    size_t count;
    struct versiondiff_change *changes = versiondiff_compare(from, to, &count);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, "%c%s%s %s %s\n", changes[i].is_gone ? '-' : '+', sorts[changes[i].item->sort],
                   changes[i].fails_too ? ", fails too" : "", changes[i].item->field,
                   changes[i].item->message);
    mem_free(changes);
}

static void test_compare(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct versiondiff_report from = {0}, to = {0};
        cleanup_buf struct buf found;
        buf_init(&found, 4096);
        fill(&from, rows[i].from);
        fill(&to, rows[i].to);
        describe(&from, &to, &found);
        if (strcmp(found.data == NULL ? "" : found.data, rows[i].changes) != 0)
            fail_msg("%s:\n%s", rows[i].name, found.data);
        versiondiff_deinit(&from);
        versiondiff_deinit(&to);
    }
}

/* What a report lacks may be what it has no room for: nothing differs from it for certain. */
static void test_partial(void **state)
{
    (void)state;
    struct versiondiff_report from = {0}, to = {0};
    cleanup_buf struct buf found;
    const struct versiondiff_item one = FAILS(E0, 1, "m"), other = FAILS(E1, 1, "n");
    buf_init(&found, 4096);
    for (int i = 0; i < VERSIONDIFF_ITEMS_MAX; i++)
        versiondiff_add(&from, &one);
    versiondiff_add(&to, &other);
    assert_false(from.is_partial);
    versiondiff_add(&from, &one);
    assert_true(from.is_partial);
    assert_int_equal(from.count, VERSIONDIFF_ITEMS_MAX);
    from.count = 1;
    describe(&from, &to, &found);
    assert_string_equal(found.data, "-fails " E0 " m\n");
    from.count = VERSIONDIFF_ITEMS_MAX;
    versiondiff_deinit(&from);
    versiondiff_deinit(&to);
}

static void test_breaks(void **state)
{
    (void)state;
    for (size_t sort = VERSIONDIFF_REFUSED; sort <= VERSIONDIFF_UNCHECKED; sort++) {
        const struct versiondiff_item item = {.sort = (enum versiondiff_sort)sort};
        assert_int_equal(versiondiff_breaks(&(struct versiondiff_change){.item = &item}),
                         sort <= VERSIONDIFF_FAILS);
        assert_false(versiondiff_breaks(&(struct versiondiff_change){.is_gone = true, .item = &item}));
    }
}

/* A check's warnings and what it did not check. */
static void test_result(void **state)
{
    (void)state;
    struct policy_expression expressions[] = {{.field_ref = STR(E0)}, {.field_ref = STR(E1)}};
    const struct policyview policy = {.policy = {.expressions = expressions, .count = 2}};
    const struct types_target pod = {.group = "", .version = "v1", .kind = "Pod"};
    const struct check_issue issues[] = {
        {.message = "one", .at = {1, 1, 2}, .is_unequal = true, .first_type = &pod},
        {.message = "two", .at = {3, 3, 4}, .first_type = &pod}};
    const struct check_warning warning = {.expression = 1,
                                          .text = "",
                                          .first = {.message = "two"},
                                          .hint = "a hint",
                                          .issues = issues,
                                          .n_issues = 2};
    const struct types_problem problems[] = {
        {.reason = TYPES_SCHEMA_NOT_FOUND, .message = "no schema"},
        {.reason = TYPES_LIMIT_REACHED, .message = "too much", .field = E0}};
    struct check_result result = {
        .warnings = &warning, .n_warnings = 1, .problems = problems, .n_problems = 1};
    struct versiondiff_report r = {0};
    versiondiff_add_result(&r, &policy, &result);
    assert_false(r.is_partial);
    assert_int_equal(r.count, 3);
    assert_int_equal(r.items[0].sort, VERSIONDIFF_UNEQUAL);
    assert_string_equal(r.items[0].field, E1);
    assert_string_equal(r.items[0].type, "v1 Pod");
    assert_string_equal(r.items[0].hint, "");
    assert_int_equal(r.items[1].sort, VERSIONDIFF_FAILS);
    assert_int_equal(r.items[1].at.offset, 3);
    assert_string_equal(r.items[1].hint, "a hint");
    assert_int_equal(r.items[2].sort, VERSIONDIFF_UNCHECKED);
    assert_string_equal(r.items[2].message, "no schema");
    versiondiff_deinit(&r);
    result.n_problems = 2;
    versiondiff_add_result(&r, &policy, &result);
    assert_true(r.is_partial);
    versiondiff_deinit(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_breaks),
        cmocka_unit_test(test_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
