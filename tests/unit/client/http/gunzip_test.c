#include "client/http/gunzip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "tests/support/gzipped.h"

enum { PLENTY = 1 << 30, BOMB_BYTES = 64 * 1024 * 1024, TURN_WORK = 256 * 1024 };

struct outcome {
    struct buf text;
    size_t count; /* of bytes; text is not kept where it would be too much */
    bool is_counted_only;
    bool refuses;
};

static int on_bytes(void *user, const char *bytes, size_t len, struct err *err)
{
    struct outcome *o = user;
    o->count += len;
    if (o->refuses)
        return err_set(err, ERR_CANCELED, "no");
    return o->is_counted_only ? 0 : buf_append(&o->text, bytes, len);
}

/* Two members, an empty one and a third: "hello ", "", "world\n". */
static char *members(size_t *len)
{
    struct buf all;
    const char *const texts[] = {"hello ", "", "world\n"};
    buf_init(&all, 4096);
    for (size_t i = 0; i < 3; i++) {
        size_t one_len;
        char *one = gzipped(texts[i], strlen(texts[i]), &one_len);
        buf_append(&all, one, one_len);
        free(one);
    }
    return buf_take(&all, len);
}

static int feed_all(struct gunzip *g, const char *bytes, size_t len, struct outcome *o, struct err *err)
{
    size_t work = PLENTY;
    const int result = gunzip_feed(g, &bytes, &len, &work, on_bytes, o, err);
    if (result == 0)
        assert_int_equal(len, 0);
    return result;
}

static void init(struct gunzip *g, struct outcome *o)
{
    *o = (struct outcome){0};
    buf_init(&o->text, 1 << 20);
    gunzip_init(g);
}

static void deinit(struct gunzip *g, struct outcome *o)
{
    gunzip_deinit(g);
    buf_deinit(&o->text);
}

static void test_members_split_anywhere(void **state)
{
    size_t len;
    char *bytes = members(&len);
    (void)state;
    for (size_t at = 0; at <= len; at++) {
        struct gunzip g;
        struct outcome o;
        struct err err;
        init(&g, &o);
        assert_int_equal(feed_all(&g, bytes, at, &o, &err), 0);
        assert_int_equal(feed_all(&g, bytes + at, len - at, &o, &err), 0);
        assert_int_equal(gunzip_end(&g, &err), 0);
        assert_string_equal(o.text.data, "hello world\n");
        deinit(&g, &o);
    }
    free(bytes);
}

static void test_byte_by_byte(void **state)
{
    struct gunzip g;
    struct outcome o;
    struct err err;
    size_t len;
    char *bytes = members(&len);
    (void)state;
    init(&g, &o);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(feed_all(&g, bytes + i, 1, &o, &err), 0);
    assert_int_equal(gunzip_end(&g, &err), 0);
    assert_string_equal(o.text.data, "hello world\n");
    deinit(&g, &o);
    free(bytes);
}

/* What was said is handed out although the member did not end: a flush within it is enough. */
static void test_a_flush_is_no_end(void **state)
{
    struct gunzip g;
    struct outcome o;
    struct err err;
    unsigned char out[256];
    unsigned char text[] = "event\n";
    z_stream z = {.next_in = text, .avail_in = 6, .next_out = out, .avail_out = sizeof out};
    (void)state;
    init(&g, &o);
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_SYNC_FLUSH), Z_OK);
    assert_int_equal(feed_all(&g, (char *)out, sizeof out - z.avail_out, &o, &err), 0);
    assert_string_equal(o.text.data, "event\n");
    assert_int_equal(gunzip_end(&g, &err), -1);
    assert_int_equal(err.code, ERR_NETWORK);
    deflateEnd(&z);
    deinit(&g, &o);
}

/* Cut anywhere but between two members it is no end. */
static void test_truncated(void **state)
{
    size_t len, first;
    char *bytes = members(&len);
    free(gzipped("hello ", 6, &first));
    size_t second;
    free(gzipped("", 0, &second));
    (void)state;
    for (size_t at = 0; at < len; at++) {
        struct gunzip g;
        struct outcome o;
        struct err err;
        init(&g, &o);
        assert_int_equal(feed_all(&g, bytes, at, &o, &err), 0);
        const bool is_between = at == 0 || at == first || at == first + second;
        assert_int_equal(gunzip_end(&g, &err), is_between ? 0 : -1);
        deinit(&g, &o);
    }
    free(bytes);
}

static void refused(const char *bytes, size_t len, enum err_code code)
{
    struct gunzip g;
    struct outcome o;
    struct err err = {0};
    init(&g, &o);
    assert_int_equal(feed_all(&g, bytes, len, &o, &err), -1);
    assert_int_equal(err.code, code);
    assert_true(err.msg[0] != '\0');
    deinit(&g, &o);
}

static void test_what_is_no_gzip(void **state)
{
    (void)state;
    refused("{\"kind\":\"Status\"}", 17, ERR_PROTOCOL);
    refused("\0\0\0\0", 4, ERR_PROTOCOL);
    refused("\x1f\x8b\x07\0\0\0\0\0\0\0", 10, ERR_PROTOCOL);   /* another method */
    refused("\x1f\x8b\x08\xe0\0\0\0\0\0\0", 10, ERR_PROTOCOL); /* reserved flags */
}

/* A byte that is wrong is an error, or the text is right all the same; never another text. */
static void test_corrupt(void **state)
{
    size_t len;
    char *bytes = members(&len);
    (void)state;
    for (size_t at = 0; at < len; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            struct gunzip g;
            struct outcome o;
            struct err err;
            bytes[at] = (char)(bytes[at] ^ (1 << bit));
            init(&g, &o);
            if (feed_all(&g, bytes, len, &o, &err) == 0 && gunzip_end(&g, &err) == 0)
                assert_string_equal(o.text.data, "hello world\n");
            deinit(&g, &o);
            bytes[at] = (char)(bytes[at] ^ (1 << bit));
        }
    }
    free(bytes);
}

static void test_garbage_behind_a_member(void **state)
{
    size_t len;
    char *one = gzipped("hello", 5, &len);
    struct buf both;
    (void)state;
    buf_init(&both, 4096);
    buf_append(&both, one, len);
    buf_append(&both, "garbage", 7);
    refused(both.data, both.len, ERR_PROTOCOL);
    buf_reset(&both);
    buf_append(&both, one, len);
    buf_append(&both, "\0\0", 2);
    refused(both.data, both.len, ERR_PROTOCOL);
    buf_deinit(&both);
    free(one);
}

static void test_the_handler_refuses(void **state)
{
    struct gunzip g;
    struct outcome o;
    struct err err;
    size_t len;
    char *one = gzipped("hello", 5, &len);
    (void)state;
    init(&g, &o);
    o.refuses = true;
    assert_int_equal(feed_all(&g, one, len, &o, &err), -1);
    assert_int_equal(err.code, ERR_CANCELED);
    deinit(&g, &o);
    free(one);
}

/* 64 MiB in 64 KiB: each call does the work that it is paid for and not more than a block beside,
 * and all of it is there in the end. */
static void test_a_bomb_comes_in_slices(void **state)
{
    struct gunzip g;
    struct outcome o;
    struct err err;
    size_t len;
    char *zeros = calloc(1, BOMB_BYTES);
    char *bomb = gzipped(zeros, BOMB_BYTES, &len);
    const char *at = bomb;
    size_t calls = 0;
    (void)state;
    free(zeros);
    assert_true(len < BOMB_BYTES / 900);
    init(&g, &o);
    o.is_counted_only = true;
    while (len > 0 || gunzip_has_more(&g)) {
        const size_t before = o.count;
        size_t work = TURN_WORK;
        assert_int_equal(gunzip_feed(&g, &at, &len, &work, on_bytes, &o, &err), 0);
        assert_true(o.count - before <= TURN_WORK + GUNZIP_BLOCK_BYTES);
        calls++;
    }
    assert_int_equal(gunzip_end(&g, &err), 0);
    assert_int_equal(o.count, BOMB_BYTES);
    assert_in_range(calls, BOMB_BYTES / (TURN_WORK + GUNZIP_BLOCK_BYTES), 2 * BOMB_BYTES / TURN_WORK);
    deinit(&g, &o);
    free(bomb);
}

/* Members without an end that hold nothing, and a header that does not end. */
static void test_barren_input(void **state)
{
    struct gunzip g;
    struct outcome o;
    struct err err = {0};
    size_t len;
    char *empty = gzipped("", 0, &len);
    size_t fed = 0;
    (void)state;
    init(&g, &o);
    while (feed_all(&g, empty, len, &o, &err) == 0)
        fed += len;
    assert_int_equal(err.code, ERR_LIMIT);
    assert_in_range(fed, GUNZIP_BARREN_CAP_BYTES - len, GUNZIP_BARREN_CAP_BYTES);
    deinit(&g, &o);
    free(empty);

    init(&g, &o);
    const char name[] = "\x1f\x8b\x08\x08\0\0\0\0\0\0"; /* a file's name follows */
    assert_int_equal(feed_all(&g, name, 10, &o, &err), 0);
    for (fed = 10; feed_all(&g, "aaaaaaaa", 8, &o, &err) == 0;)
        fed += 8;
    assert_int_equal(err.code, ERR_LIMIT);
    assert_in_range(fed, GUNZIP_BARREN_CAP_BYTES - 8, GUNZIP_BARREN_CAP_BYTES);
    deinit(&g, &o);
}

/* Input is paid for although it makes nothing. */
static void test_input_costs(void **state)
{
    struct gunzip g;
    struct outcome o;
    struct err err;
    size_t one_len;
    char *empty = gzipped("", 0, &one_len);
    struct buf many;
    (void)state;
    buf_init(&many, 1 << 20);
    for (int i = 0; i < 10000; i++)
        buf_append(&many, empty, one_len);
    init(&g, &o);
    const char *at = many.data;
    size_t len = many.len;
    size_t work = TURN_WORK;
    assert_int_equal(gunzip_feed(&g, &at, &len, &work, on_bytes, &o, &err), 0);
    assert_int_equal(work, 0);
    assert_in_range(many.len - len, TURN_WORK / GUNZIP_INPUT_COST,
                    TURN_WORK / GUNZIP_INPUT_COST + GUNZIP_BLOCK_BYTES);
    deinit(&g, &o);
    buf_deinit(&many);
    free(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_split_anywhere),
        cmocka_unit_test(test_byte_by_byte),
        cmocka_unit_test(test_a_flush_is_no_end),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_what_is_no_gzip),
        cmocka_unit_test(test_corrupt),
        cmocka_unit_test(test_garbage_behind_a_member),
        cmocka_unit_test(test_the_handler_refuses),
        cmocka_unit_test(test_a_bomb_comes_in_slices),
        cmocka_unit_test(test_barren_input),
        cmocka_unit_test(test_input_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
