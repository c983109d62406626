#include "controller/apiserver/defaults/serviceupdate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static struct json_object *read(const char *text)
{
    struct json_object *json = NULL;
    struct err err;
    cleanup_mem char *quoted = mem_strdup(text);
    for (char *at = quoted; *at != '\0'; at++)
        *at = *at == '\'' ? '"' : *at;
    assert_int_equal(jsonval_parse(quoted, strlen(quoted), &json, &err), 0);
    return json;
}

static void check(const char *old, const char *sent, const char *expected)
{
    struct arena a;
    arena_init(&a, (size_t)1024 * 1024);
    struct json_object *before = read(old), *service = read(sent), *wanted = read(expected);
    serviceupdate_apply(&a, service, before);
    if (json_object_equal(service, wanted) == 0)
        assert_string_equal(json_object_to_json_string(service), json_object_to_json_string(wanted));
    json_object_put(before);
    json_object_put(service);
    json_object_put(wanted);
    arena_deinit(&a);
}

#define ADDRESS                                                                                              \
    "'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4'],'ipFamilyPolicy':'SingleStack'"
#define NODEPORT                                                                                             \
    "{'spec':{'type':'NodePort'," ADDRESS ",'externalTrafficPolicy':'Cluster','ports':[{'name':'a','port':"  \
    "1,'nodePort':30001},{'name':'b','port':2,'nodePort':30002}]}}"
#define BALANCER                                                                                             \
    "{'spec':{'type':'LoadBalancer'," ADDRESS                                                                \
    ",'allocateLoadBalancerNodePorts':true,'loadBalancerClass':'x/"                                          \
    "y','externalTrafficPolicy':'Local','healthCheckNodePort':30009,'ports':[{'port':1,'nodePort':30001}]}," \
    "'status':{'loadBalancer':{'ingress':[{'ip':'1.2.3.4'}]}}}"

static void test_what_was_allocated_is_kept(void **state)
{
    (void)state;
    check(NODEPORT, "{'spec':{'type':'NodePort','ports':[{'name':'b','port':2},{'name':'c','port':3}]}}",
          "{'spec':{'type':'NodePort'," ADDRESS
          ",'ports':[{'name':'b','port':2,'nodePort':30002},{'name':'c','port':3}]}}");
    check(
        NODEPORT,
        "{'spec':{'type':'NodePort','ports':[{'name':'b','port':2},{'name':'c','port':3,'nodePort':30002}]}}",
        "{'spec':{'type':'NodePort'," ADDRESS
        ",'ports':[{'name':'b','port':2},{'name':'c','port':3,'nodePort':30002}]}}");
    check(BALANCER, "{'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local','ports':[{'port':1}]}}",
          "{'spec':{'type':'LoadBalancer'," ADDRESS ",'externalTrafficPolicy':'Local','healthCheckNodePort':"
          "30009,'ports':[{'port':1,'nodePort':30001}]}}");
    check("{'spec':{'type':'ExternalName','externalName':'a'}}", "{'spec':{'type':'ClusterIP'}}",
          "{'spec':{'type':'ClusterIP'}}");
}

static void test_what_the_new_type_does_not_need_is_dropped(void **state)
{
    (void)state;
    check(NODEPORT,
          "{'spec':{'type':'ClusterIP','externalTrafficPolicy':'Cluster','ports':[{'name':'a','port':1,'"
          "nodePort':30001}]}}",
          "{'spec':{'type':'ClusterIP'," ADDRESS ",'ports':[{'name':'a','port':1}]}}");
    check(NODEPORT, "{'spec':{'type':'ClusterIP','ports':[{'name':'a','port':1,'nodePort':30005}]}}",
          "{'spec':{'type':'ClusterIP'," ADDRESS ",'ports':[{'name':'a','port':1,'nodePort':30005}]}}");
    check(NODEPORT,
          "{'spec':{'type':'ExternalName','externalName':'a','clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1']"
          "}}",
          "{'spec':{'type':'ExternalName','externalName':'a'}}");
    check(BALANCER,
          "{'spec':{'type':'NodePort','allocateLoadBalancerNodePorts':true,'loadBalancerClass':'x/"
          "y','externalTrafficPolicy':'Local','healthCheckNodePort':30009,'ports':[{'port':1}]},'status':{'"
          "loadBalancer':{'ingress':[{'ip':'1.2.3.4'}]}}}",
          "{'spec':{'type':'NodePort'," ADDRESS ",'externalTrafficPolicy':'Local','ports':[{'port':1,'"
          "nodePort':30001}]},'status':{'loadBalancer':{}}}");
}

static void test_services_without_a_spec(void **state)
{
    (void)state;
    check("{}", "{}", "{}");
    check("{'spec':1}", "{'spec':[]}", "{'spec':[]}");
    check("{'spec':{}}", "{'spec':{'ports':1}}", "{'spec':{'ports':1}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_allocated_is_kept),
        cmocka_unit_test(test_what_the_new_type_does_not_need_is_dropped),
        cmocka_unit_test(test_services_without_a_spec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
