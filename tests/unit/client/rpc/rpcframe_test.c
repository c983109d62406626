#include "client/rpc/rpcframe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 100 };

/* What the bytes hold, in pieces of a size: bodies with a blank behind each, "!" for what is too large, "#"
 * for a broken stream, "." for what is still to come. */
static void describe(const char *bytes, size_t len, size_t piece, struct buf *out)
{
    struct rpcframe f;
    rpcframe_init(&f, MOST);
    enum rpcframe_found found = RPCFRAME_NOTHING;
    buf_reset(out);
    for (size_t at = 0; at < len && found != RPCFRAME_BROKEN; at += piece) {
        const char *body;
        size_t body_len;
        rpcframe_add(&f, bytes + at, len - at < piece ? len - at : piece);
        while ((found = rpcframe_next(&f, &body, &body_len)) != RPCFRAME_NOTHING && found != RPCFRAME_BROKEN)
            found == RPCFRAME_TOO_LARGE ? buf_puts(out, "!") : buf_printf(out, "%.*s ", (int)body_len, body);
    }
    const bool is_waiting = f.has_header || f.skip > 0 || f.at < f.bytes.len;
    buf_puts(out, found == RPCFRAME_BROKEN ? "#" : is_waiting ? "." : "");
    rpcframe_deinit(&f);
}

static void test_streams(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *found;
    } rows[] = {
        {"Content-Length: 2\r\n\r\n{}", "{} "},
        {"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", "{} [1] "},
        {"content-length:2 \r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}", "{} "},
        {"Content-Type: x\r\nCONTENT-LENGTH:\t2\r\n\r\n{}", "{} "},
        {"Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1", " 1 "},
        {"Content-Length: 2\r\n\r\n{", "."},
        {"Content-Length: 2\r\n", "."},
        {"Content-Length: 2\r\n\r\n{}\r\n", "{} ."},
        {"Content-Type: x\r\n\r\n{}", "#"},
        {"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "#"},
        {"Content-Length: -1\r\n\r\n{}", "#"},
        {"Content-Length: \r\n\r\n{}", "#"},
        {"Content-Length: 2x\r\n\r\n{}", "#"},
        {"Content-Length: 99999999999999999999999\r\n\r\n{}", "#"},
        {"{}\r\n\r\n", "#"},
        {"\r\n\r\n", "#"},
    };
    cleanup_buf struct buf found;
    buf_init(&found, 4096);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t piece = 1; piece <= strlen(rows[i].bytes); piece++) {
            describe(rows[i].bytes, strlen(rows[i].bytes), piece, &found);
            assert_string_equal(found.data, rows[i].found);
        }
    }
}

/* What is larger is left out, whatever pieces it comes in, and the next message is read. */
static void test_too_large(void **state)
{
    (void)state;
    char filler[MOST + 1];
    memset(filler, 'a', sizeof filler);
    cleanup_buf struct buf bytes, found;
    buf_init(&bytes, 4096);
    buf_init(&found, 4096);
    buf_printf(&bytes, "Content-Length: %d\r\n\r\n%.*s", MOST, MOST, filler);
    buf_printf(&bytes, "Content-Length: %d\r\n\r\n%.*s", MOST + 1, MOST + 1, filler);
    buf_puts(&bytes, "Content-Length: 2\r\n\r\n{}");
    for (size_t piece = 1; piece <= bytes.len; piece++) {
        describe(bytes.data, bytes.len, piece, &found);
        assert_string_equal(found.data + MOST, " !{} ");
    }
}

static void test_long_header(void **state)
{
    (void)state;
    struct rpcframe f;
    const char *body;
    size_t len;
    char line[RPCFRAME_HEADER_CAP_BYTES + 1];
    memset(line, 'x', sizeof line);
    rpcframe_init(&f, MOST);
    rpcframe_add(&f, line, RPCFRAME_HEADER_CAP_BYTES);
    assert_int_equal(rpcframe_next(&f, &body, &len), RPCFRAME_NOTHING);
    rpcframe_add(&f, line, 1);
    assert_int_equal(rpcframe_next(&f, &body, &len), RPCFRAME_BROKEN);
    rpcframe_add(&f, "\r\n\r\n", 4);
    assert_int_equal(rpcframe_next(&f, &body, &len), RPCFRAME_BROKEN);
    rpcframe_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_long_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
