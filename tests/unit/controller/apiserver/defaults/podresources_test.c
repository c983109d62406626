#include "controller/apiserver/defaults/podresources.h"

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

/* resources: of the pod, before and after. */
static void check(void (*complete)(struct arena *a, struct json_object *pod), const char *containers,
                  const char *resources, const char *expected)
{
    struct arena a;
    arena_init(&a, (size_t)1024 * 1024);
    cleanup_mem char *text = mem_printf("{'spec':{%s,'resources':%s}}", containers, resources);
    struct json_object *pod = read(text), *wanted = read(expected);
    complete(&a, pod);
    struct json_object *made = jsonval_get(jsonval_get(pod, "spec"), "resources");
    if (json_object_equal(made, wanted) == 0)
        assert_string_equal(json_object_to_json_string(made), json_object_to_json_string(wanted));
    json_object_put(pod);
    json_object_put(wanted);
    arena_deinit(&a);
}

/* An init container that runs on requests 200Mi, one before the others 2Gi. */
#define REQUESTS                                                                                             \
    "'containers':[{'resources':{'requests':{'cpu':'100m','memory':'100Mi'}}},{}],"                          \
    "'initContainers':[{'restartPolicy':'Always','resources':{'requests':{'memory':'200Mi'}}},"              \
    "{'resources':{'requests':{'memory':'2Gi'}}}]"
#define LIMITS                                                                                               \
    "'containers':[{'resources':{'limits':{'cpu':'1','memory':'1Gi'}}},{'resources':{'limits':{'cpu':"       \
    "'500m'}}}]"

static void test_requests(void **state)
{
    (void)state;
    const char *made = "{'limits':{'cpu':'4','memory':'4Gi'},'requests':{'cpu':'100m','memory':'2248Mi'}}";
    check(podresources_complete, REQUESTS, "{'limits':{'cpu':'4','memory':'4Gi'}}", made);
    check(podresources_request, REQUESTS, "{'limits':{'cpu':'4','memory':'4Gi'}}", made);
    check(podresources_request, "'containers':[{}]", "{'limits':{'cpu':'4','x.y/z':'1'}}",
          "{'limits':{'cpu':'4','x.y/z':'1'},'requests':{'cpu':'4'}}");
    check(podresources_request, REQUESTS, "{'requests':{'cpu':'1'}}", "{'requests':{'cpu':'1'}}");
    check(podresources_complete, REQUESTS, "{'requests':{'cpu':'1'}}",
          "{'requests':{'cpu':'1','memory':'2248Mi'}}");
    check(podresources_complete, REQUESTS, "{}", "{}");
}

static void test_limits(void **state)
{
    (void)state;
    check(podresources_complete, LIMITS, "{'requests':{'cpu':'1','memory':'1Mi'}}",
          "{'requests':{'cpu':'1','memory':'1Mi'},'limits':{'cpu':'1500m'}}");
    check(podresources_complete, LIMITS, "{'requests':{'cpu':'3'}}",
          "{'requests':{'cpu':'3'},'limits':{'cpu':'3'}}");
    check(podresources_request, LIMITS, "{'requests':{'cpu':'3'}}", "{'requests':{'cpu':'3'}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
