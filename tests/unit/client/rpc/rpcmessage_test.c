#include "client/rpc/rpcmessage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum rpcmessage_code code;
        bool is_request, is_response;
        const char *method, *id;
    } rows[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a/b\"}", RPCMESSAGE_OK, true, false, "a/b", "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"a\",\"params\":{}}", RPCMESSAGE_OK, true, false, "a",
         "\"x\""},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":[]}", RPCMESSAGE_OK, false, false, "a", "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}", RPCMESSAGE_OK, false, true, "", "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", RPCMESSAGE_OK, false, true, "", "null"},
        {"", RPCMESSAGE_PARSE_ERROR, false, false, "", "null"},
        {"{", RPCMESSAGE_PARSE_ERROR, false, false, "", "null"},
        {"{} {}", RPCMESSAGE_PARSE_ERROR, false, false, "", "null"},
        {"[]", RPCMESSAGE_INVALID_REQUEST, false, false, "", "null"},
        {"null", RPCMESSAGE_INVALID_REQUEST, false, false, "", "null"},
        {"{}", RPCMESSAGE_INVALID_REQUEST, false, false, "", "null"},
        {"{\"id\":7,\"method\":\"a\"}", RPCMESSAGE_INVALID_REQUEST, true, false, "", "7"},
        {"{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"a\"}", RPCMESSAGE_INVALID_REQUEST, true, false, "", "7"},
        {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":3}", RPCMESSAGE_INVALID_REQUEST, true, false, "", "7"},
        {"{\"jsonrpc\":\"2.0\",\"id\":7}", RPCMESSAGE_INVALID_REQUEST, true, false, "", "7"},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"a\"}", RPCMESSAGE_INVALID_REQUEST, true, false, "",
         "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"a\"}", RPCMESSAGE_INVALID_REQUEST, true, false, "",
         "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":1}", RPCMESSAGE_INVALID_REQUEST, true,
         false, "", "7"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rpcmessage m;
        const enum rpcmessage_code code = rpcmessage_read(rows[i].text, strlen(rows[i].text), &m);
        if (code != rows[i].code || m.is_request != rows[i].is_request ||
            m.is_response != rows[i].is_response || strcmp(m.method, rows[i].method) != 0)
            fail_msg("%s: %d, request %d, response %d, method '%s'", rows[i].text, code, m.is_request,
                     m.is_response, m.method);
        assert_string_equal(json_object_to_json_string_ext(m.id, JSON_C_TO_STRING_PLAIN), rows[i].id);
        rpcmessage_deinit(&m);
    }
}

static void check_text(struct json_object *take, const char *text)
{
    assert_string_equal(json_object_to_json_string_ext(take, JSON_C_TO_STRING_PLAIN), text);
    json_object_put(take);
}

static void test_answers(void **state)
{
    (void)state;
    struct json_object *id = json_object_new_int(3);
    check_text(rpcmessage_result(id, json_object_new_string("x")),
               "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"x\"}");
    check_text(rpcmessage_result(id, NULL), "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":null}");
    check_text(rpcmessage_error(NULL, RPCMESSAGE_PARSE_ERROR, "no"),
               "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}");
    check_text(rpcmessage_notification("a", json_object_new_object()),
               "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{}}");
    json_object_put(id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
