#include "controller/status/writehistory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct writehistory *memo_of(const char *uid, int64_t generation)
{
    struct writehistory *m = writehistory_new();
    writehistory_see(m, &(struct policyview){.uid = uid, .generation = generation});
    return m;
}

static void test_a_version_is_written_on_once(void **state)
{
    (void)state;
    struct writehistory *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    assert_int_equal(writehistory_may_write(m, "10", 1, 0, &delay_ms), WRITEHISTORY_WRITE);
    writehistory_wrote(m, "10", "11", 1);
    /* the event of our own write is still to come, whatever the result is now */
    assert_int_equal(writehistory_may_write(m, "10", 2, 0, &delay_ms), WRITEHISTORY_AWAIT);
    assert_int_equal(writehistory_may_write(m, "11", 2, 0, &delay_ms), WRITEHISTORY_WRITE);
    /* an apply without effect has no event */
    writehistory_wrote(m, "11", "11", 2);
    assert_int_equal(writehistory_may_write(m, "11", 3, 0, &delay_ms), WRITEHISTORY_WRITE);
    writehistory_free(m);
}

/* An answer that cannot be read may have had no event. */
static void test_an_unreadable_answer_awaits_nothing(void **state)
{
    (void)state;
    struct writehistory *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    writehistory_wrote(m, "10", "", 1);
    assert_int_equal(writehistory_may_write(m, "10", 2, 0, &delay_ms), WRITEHISTORY_WRITE);
    writehistory_free(m);
}

/* The same comes again in ten minutes, another at once. */
static void test_what_is_refused_waits(void **state)
{
    (void)state;
    struct writehistory *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    writehistory_refused(m, 1, 1000);
    assert_int_equal(writehistory_may_write(m, "10", 1, 1000, &delay_ms), WRITEHISTORY_LATER);
    assert_int_equal(delay_ms, WRITEHISTORY_REFUSED_MS);
    assert_int_equal(writehistory_may_write(m, "11", 1, 1000 + WRITEHISTORY_REFUSED_MS - 1, &delay_ms),
                     WRITEHISTORY_LATER);
    assert_int_equal(delay_ms, 1);
    assert_int_equal(writehistory_may_write(m, "11", 2, 1000, &delay_ms), WRITEHISTORY_WRITE);
    assert_int_equal(writehistory_may_write(m, "11", 1, 1000 + WRITEHISTORY_REFUSED_MS, &delay_ms),
                     WRITEHISTORY_WRITE);
    /* what was taken is not refused any more */
    writehistory_wrote(m, "11", "12", 1);
    assert_int_equal(writehistory_may_write(m, "13", 1, 1000, &delay_ms), WRITEHISTORY_WRITE_AGAIN);
    writehistory_free(m);
}

static void test_five_reasserts_a_minute_then_one_an_hour(void **state)
{
    (void)state;
    struct writehistory *m = memo_of("u", 1);
    uint64_t delay_ms = 0, now_ms = 1000;
    writehistory_wrote(m, "1", "2", 7);
    for (int i = 0; i < WRITEHISTORY_REASSERTS; i++)
        assert_int_equal(writehistory_may_write(m, "3", 7, now_ms++, &delay_ms), WRITEHISTORY_WRITE_AGAIN);
    assert_int_equal(writehistory_may_write(m, "3", 7, now_ms, &delay_ms), WRITEHISTORY_QUIET);
    assert_int_equal(delay_ms, WRITEHISTORY_QUIET_MS);
    assert_int_equal(writehistory_may_write(m, "3", 7, now_ms + 1000, &delay_ms), WRITEHISTORY_LATER);
    assert_int_equal(delay_ms, WRITEHISTORY_QUIET_MS - 1000);
    /* a new result is none of this */
    assert_int_equal(writehistory_may_write(m, "3", 8, now_ms + 1000, &delay_ms), WRITEHISTORY_WRITE);
    now_ms += WRITEHISTORY_QUIET_MS;
    assert_int_equal(writehistory_may_write(m, "3", 7, now_ms, &delay_ms), WRITEHISTORY_WRITE_AGAIN);
    assert_int_equal(writehistory_may_write(m, "3", 7, now_ms + 1, &delay_ms), WRITEHISTORY_LATER);
    /* the try held for an hour after that: all is as at the beginning */
    now_ms += 2 * WRITEHISTORY_QUIET_MS;
    for (int i = 0; i < WRITEHISTORY_REASSERTS; i++)
        assert_int_equal(writehistory_may_write(m, "3", 7, now_ms++, &delay_ms), WRITEHISTORY_WRITE_AGAIN);
    assert_int_equal(writehistory_may_write(m, "3", 7, now_ms, &delay_ms), WRITEHISTORY_QUIET);
    writehistory_free(m);
}

static void test_slow_overwriting_is_set_right_each_time(void **state)
{
    (void)state;
    struct writehistory *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    writehistory_wrote(m, "1", "2", 7);
    for (uint64_t i = 0; i < 50; i++)
        assert_int_equal(writehistory_may_write(m, "3", 7, i * 13000, &delay_ms), WRITEHISTORY_WRITE_AGAIN);
    writehistory_free(m);
}

static void test_a_recreated_policy_is_another(void **state)
{
    (void)state;
    struct writehistory *m = memo_of("u", 1);
    uint64_t delay_ms = 0;
    writehistory_wrote(m, "10", "11", 7);
    writehistory_refused(m, 8, 0);
    assert_true(writehistory_shorten(m, 1000));
    writehistory_see(m, &(struct policyview){.uid = "v", .generation = 1});
    assert_int_equal(writehistory_may_write(m, "10", 7, 0, &delay_ms), WRITEHISTORY_WRITE);
    assert_int_equal(writehistory_may_write(m, "12", 8, 0, &delay_ms), WRITEHISTORY_WRITE);
    assert_int_equal(m->text_cap_bytes, 0);
    writehistory_free(m);
}

static void test_texts_are_shortened_a_few_times_a_generation(void **state)
{
    (void)state;
    struct writehistory *m = memo_of("u", 1);
    for (int i = 0; i < WRITEHISTORY_SHORTEN_MAX; i++) {
        assert_true(writehistory_shorten(m, (size_t)1000 >> i));
        assert_int_equal(m->text_cap_bytes, ((size_t)1000 >> i) / 2 + 1);
    }
    assert_false(writehistory_shorten(m, 63));
    writehistory_see(m, &(struct policyview){.uid = "u", .generation = 1});
    assert_int_equal(m->text_cap_bytes, 63);
    writehistory_see(m, &(struct policyview){.uid = "u", .generation = 2});
    assert_int_equal(m->text_cap_bytes, 0);
    assert_true(writehistory_shorten(m, 0));
    writehistory_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_version_is_written_on_once),
        cmocka_unit_test(test_an_unreadable_answer_awaits_nothing),
        cmocka_unit_test(test_what_is_refused_waits),
        cmocka_unit_test(test_five_reasserts_a_minute_then_one_an_hour),
        cmocka_unit_test(test_slow_overwriting_is_set_right_each_time),
        cmocka_unit_test(test_a_recreated_policy_is_another),
        cmocka_unit_test(test_texts_are_shortened_a_few_times_a_generation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
