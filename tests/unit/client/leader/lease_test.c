#include "client/leader/lease.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

#define META "\"metadata\":{\"name\":\"n\",\"namespace\":\"ns\""

static void assert_json(struct json_object *object, const char *want)
{
    assert_string_equal(json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE), want);
}

static void test_paths(void **state)
{
    (void)state;
    cleanup_mem char *collection = lease_path("kube-system", NULL);
    cleanup_mem char *one = lease_path("kube-system", "vapcheck-controller");
    cleanup_mem char *odd = lease_path("a/b", "../c");
    assert_string_equal(collection, "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases");
    assert_string_equal(one,
                        "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/vapcheck-controller");
    assert_string_equal(odd, "/apis/coordination.k8s.io/v1/namespaces/a%2Fb/leases/..%2Fc");
}

static void test_the_life_of_one(void **state)
{
    (void)state;
    cleanup_json struct json_object *lease = lease_new("ns", "n");
    lease_hold(lease, "a", 15, "t1");
    assert_json(lease, "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\"," META "},\"spec\":{"
                       "\"acquireTime\":\"t1\",\"holderIdentity\":\"a\",\"leaseDurationSeconds\":15,"
                       "\"leaseTransitions\":0,\"renewTime\":\"t1\"}}");
    lease_hold(lease, "a", 15, "t2");
    assert_string_equal(lease_record(lease), "{\"acquireTime\":\"t1\",\"holderIdentity\":\"a\","
                                             "\"leaseDurationSeconds\":15,\"leaseTransitions\":0,"
                                             "\"renewTime\":\"t2\"}");
    lease_hold(lease, "b", 15, "t3");
    assert_string_equal(lease_record(lease), "{\"acquireTime\":\"t3\",\"holderIdentity\":\"b\","
                                             "\"leaseDurationSeconds\":15,\"leaseTransitions\":1,"
                                             "\"renewTime\":\"t3\"}");
    lease_hold(lease, "", 1, "t4");
    assert_string_equal(lease_holder(lease), "");
    assert_string_equal(lease_record(lease), "{\"acquireTime\":\"t4\",\"holderIdentity\":\"\","
                                             "\"leaseDurationSeconds\":1,\"leaseTransitions\":1,"
                                             "\"renewTime\":\"t4\"}");
    lease_hold(lease, "b", 15, "t5");
    assert_string_equal(lease_record(lease), "{\"acquireTime\":\"t5\",\"holderIdentity\":\"b\","
                                             "\"leaseDurationSeconds\":15,\"leaseTransitions\":2,"
                                             "\"renewTime\":\"t5\"}");
}

static void test_what_is_not_ours_stays(void **state)
{
    (void)state;
    static const char text[] =
        "{\"kind\":\"Lease\"," META ",\"resourceVersion\":\"7\",\"labels\":{\"a\":\"b\"}},"
        "\"spec\":{\"holderIdentity\":\"a\",\"acquireTime\":\"t1\",\"strategy\":\"s\",\"leaseTransitions\":3}"
        "}";
    cleanup_json struct json_object *lease = NULL;
    struct err err = {0};
    assert_int_equal(lease_parse(text, strlen(text), &lease, &err), 0);
    lease_hold(lease, "a", 15, "t2");
    assert_json(lease, "{\"kind\":\"Lease\"," META ",\"resourceVersion\":\"7\",\"labels\":{\"a\":\"b\"}},"
                       "\"spec\":{\"holderIdentity\":\"a\",\"acquireTime\":\"t1\",\"strategy\":\"s\","
                       "\"leaseTransitions\":3,\"leaseDurationSeconds\":15,\"renewTime\":\"t2\"}}");
}

static void test_answers(void **state)
{
    (void)state;
#define LEASE(spec) "{\"kind\":\"Lease\"," META ",\"resourceVersion\":\"7\"}" spec "}"
    static const struct {
        const char *text;
        const char *holder; /* the holder that is read; NULL if the lease is refused */
        uint64_t duration_ms;
    } cases[] = {
        {LEASE(",\"spec\":{\"holderIdentity\":\"a\",\"leaseDurationSeconds\":15}"), "a", 15000},
        {LEASE(",\"spec\":{\"leaseDurationSeconds\":2147483647}"), "", 2147483647000},
        {LEASE(",\"spec\":{\"leaseDurationSeconds\":2147483648}"), "", 0},
        {LEASE(",\"spec\":{\"leaseDurationSeconds\":-1,\"holderIdentity\":7}"), "", 0},
        {LEASE(",\"spec\":{}"), "", 0},
        {LEASE(",\"spec\":[]"), "", 0},
        {LEASE(",\"spec\":null"), "", 0},
        {LEASE(""), "", 0},
        {"{\"kind\":\"Status\"," META ",\"resourceVersion\":\"7\"}}", NULL, 0},
        {"{\"kind\":\"Lease\"," META "}}", NULL, 0},
        {"{\"kind\":\"Lease\"", NULL, 0},
        {"[]", NULL, 0},
        {"", NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cleanup_json struct json_object *lease = NULL;
        struct err err = {0};
        int result = lease_parse(cases[i].text, strlen(cases[i].text), &lease, &err);
        assert_int_equal(result, cases[i].holder != NULL ? 0 : -1);
        if (result != 0) {
            assert_int_equal(err.code, ERR_PROTOCOL);
            assert_null(lease);
            continue;
        }
        assert_string_equal(lease_holder(lease), cases[i].holder);
        assert_int_equal(lease_duration_ms(lease), cases[i].duration_ms);
        lease_hold(lease, "me", 15, "t");
        assert_string_equal(lease_holder(lease), "me");
        assert_string_equal(jsonval_string(jsonval_get(lease, "spec"), "acquireTime"), "t");
        assert_int_equal(lease_duration_ms(lease), 15000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_the_life_of_one),
        cmocka_unit_test(test_what_is_not_ours_stays),
        cmocka_unit_test(test_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
