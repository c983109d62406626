#include "controller/memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct memo *memo_of(const char *uid, int64_t generation)
{
    struct memo *m = memo_new();
    memo_see(m, &(struct policy){.uid = uid, .generation = generation});
    return m;
}

static void test_a_version_is_written_on_once(void **state)
{
    (void)state;
    struct memo *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    assert_int_equal(memo_may_write(m, "10", 1, 0, &delay_ms), MEMO_WRITE);
    memo_wrote(m, "10", "11", 1);
    /* the event of our own write is still to come, whatever the result is now */
    assert_int_equal(memo_may_write(m, "10", 2, 0, &delay_ms), MEMO_AWAIT);
    assert_int_equal(memo_may_write(m, "11", 2, 0, &delay_ms), MEMO_WRITE);
    /* an apply without effect has no event */
    memo_wrote(m, "11", "11", 2);
    assert_int_equal(memo_may_write(m, "11", 3, 0, &delay_ms), MEMO_WRITE);
    memo_free(m);
}

static void test_our_own_version_needs_no_check(void **state)
{
    (void)state;
    struct memo *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    assert_false(memo_is_own(m, "11"));
    memo_wrote(m, "10", "11", 1);
    assert_true(memo_is_own(m, "11"));
    assert_false(memo_is_own(m, "10"));
    assert_false(memo_is_own(m, "12"));
    /* without effect there is no event; what could not be read is nobody's */
    memo_wrote(m, "11", "11", 1);
    assert_false(memo_is_own(m, "11"));
    memo_wrote(m, "11", "", 1);
    assert_false(memo_is_own(m, ""));
    /* another result was put off until the event of the write */
    memo_wrote(m, "11", "12", 1);
    assert_int_equal(memo_may_write(m, "11", 2, 0, &delay_ms), MEMO_AWAIT);
    assert_false(memo_is_own(m, "12"));
    /* a recreated policy is another */
    memo_wrote(m, "12", "13", 1);
    memo_see(m, &(struct policy){.uid = "v", .generation = 1});
    assert_false(memo_is_own(m, "13"));
    memo_free(m);
}

static void test_what_is_refused_waits_for_another_version(void **state)
{
    (void)state;
    struct memo *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    memo_refused(m, "10");
    memo_refused(m, "10");
    assert_int_equal(memo_may_write(m, "10", 1, 0, &delay_ms), MEMO_AWAIT);
    assert_int_equal(memo_may_write(m, "11", 1, 0, &delay_ms), MEMO_WRITE);
    memo_free(m);
}

static void test_five_reasserts_a_minute_then_one_an_hour(void **state)
{
    (void)state;
    struct memo *m = memo_of("u", 1);
    uint64_t delay_ms = 0, now_ms = 1000;
    memo_wrote(m, "1", "2", 7);
    for (int i = 0; i < MEMO_REASSERTS; i++)
        assert_int_equal(memo_may_write(m, "3", 7, now_ms++, &delay_ms), MEMO_WRITE_AGAIN);
    assert_int_equal(memo_may_write(m, "3", 7, now_ms, &delay_ms), MEMO_QUIET);
    assert_int_equal(delay_ms, MEMO_QUIET_MS);
    assert_int_equal(memo_may_write(m, "3", 7, now_ms + 1000, &delay_ms), MEMO_LATER);
    assert_int_equal(delay_ms, MEMO_QUIET_MS - 1000);
    /* a new result is none of this */
    assert_int_equal(memo_may_write(m, "3", 8, now_ms + 1000, &delay_ms), MEMO_WRITE);
    now_ms += MEMO_QUIET_MS;
    assert_int_equal(memo_may_write(m, "3", 7, now_ms, &delay_ms), MEMO_WRITE_AGAIN);
    assert_int_equal(memo_may_write(m, "3", 7, now_ms + 1, &delay_ms), MEMO_LATER);
    /* the try held for an hour after that: all is as at the beginning */
    now_ms += 2 * MEMO_QUIET_MS;
    for (int i = 0; i < MEMO_REASSERTS; i++)
        assert_int_equal(memo_may_write(m, "3", 7, now_ms++, &delay_ms), MEMO_WRITE_AGAIN);
    assert_int_equal(memo_may_write(m, "3", 7, now_ms, &delay_ms), MEMO_QUIET);
    memo_free(m);
}

static void test_slow_overwriting_is_set_right_each_time(void **state)
{
    (void)state;
    struct memo *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    memo_wrote(m, "1", "2", 7);
    for (uint64_t i = 0; i < 50; i++)
        assert_int_equal(memo_may_write(m, "3", 7, i * 13000, &delay_ms), MEMO_WRITE_AGAIN);
    memo_free(m);
}

static void test_a_recreated_policy_is_another(void **state)
{
    (void)state;
    struct memo *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    memo_wrote(m, "10", "11", 7);
    memo_refused(m, "12");
    assert_true(memo_shorten(m, 1000));
    memo_see(m, &(struct policy){.uid = "v", .generation = 1});
    assert_int_equal(memo_may_write(m, "10", 7, 0, &delay_ms), MEMO_WRITE);
    assert_int_equal(memo_may_write(m, "12", 7, 0, &delay_ms), MEMO_WRITE);
    assert_int_equal(m->text_cap_bytes, 0);
    memo_free(m);
}

static void test_texts_are_shortened_once_a_generation(void **state)
{
    (void)state;
    struct memo *m = memo_of("u", 1);
    assert_true(memo_shorten(m, 1000));
    assert_int_equal(m->text_cap_bytes, 501);
    assert_false(memo_shorten(m, 501));
    memo_see(m, &(struct policy){.uid = "u", .generation = 1});
    assert_int_equal(m->text_cap_bytes, 501);
    memo_see(m, &(struct policy){.uid = "u", .generation = 2});
    assert_int_equal(m->text_cap_bytes, 0);
    assert_true(memo_shorten(m, 0));
    assert_false(memo_shorten(m, 0));
    memo_free(m);
}

static void test_unread_groups_are_waited_for(void **state)
{
    (void)state;
    struct memo *m = memo_of("u", 1);
    assert_int_equal(memo_wait(m, false, 0), 0);
    assert_int_equal(memo_wait(m, true, 1000), MEMO_UNAVAILABLE_MS);
    assert_int_equal(memo_wait(m, true, 11000), MEMO_UNAVAILABLE_MS - 10000);
    assert_int_equal(memo_wait(m, true, 1000 + MEMO_UNAVAILABLE_MS), 0);
    assert_int_equal(memo_wait(m, false, 50000), 0);
    assert_int_equal(memo_wait(m, true, 60000), MEMO_UNAVAILABLE_MS);
    memo_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_version_is_written_on_once),
        cmocka_unit_test(test_our_own_version_needs_no_check),
        cmocka_unit_test(test_what_is_refused_waits_for_another_version),
        cmocka_unit_test(test_five_reasserts_a_minute_then_one_an_hour),
        cmocka_unit_test(test_slow_overwriting_is_set_right_each_time),
        cmocka_unit_test(test_a_recreated_policy_is_another),
        cmocka_unit_test(test_texts_are_shortened_once_a_generation),
        cmocka_unit_test(test_unread_groups_are_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
