#include "controller/apiserver/dispatch/dispatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "tests/unit/controller/jsontext.h"
#include "typecheck/cel/types/celgo.h"

#define POLICY(more)                                                                                         \
    "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":["     \
    "\"\"],\"apiVersions\":[\"v1\"],\"resources\":[\"pods\",\"nodes\"],\"operations\":[\"*\"]}]}," more "}}"
#define BINDING(name, more) "{\"metadata\":{\"name\":\"" name "\"},\"spec\":{\"policyName\":\"p\"," more "}}"
#define DENY                "\"validationActions\":[\"Deny\"]"
#define POD                 "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"one\",\"namespace\":\"web\"}}"
#define NODE                                                                                                 \
    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"one\",\"labels\":{\"a\":\"b\"}}}"
#define PARAMS "\"paramKind\":{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"},"
#define FALSE  "\"validations\":[{\"expression\":\"false\"}]"

/* The params of the tests: two ConfigMaps in the namespace web. */
static enum paramfind_scope scope(void *user, const char *api_version, const char *kind)
{
    (void)user, (void)api_version;
    return strcmp(kind, "ConfigMap") == 0 ? PARAMFIND_NAMESPACED
           : strcmp(kind, "Node") == 0    ? PARAMFIND_CLUSTER
                                          : PARAMFIND_UNKNOWN;
}

static int find(void *user, const struct paramfind_query *query, struct paramfind *out, struct err *err)
{
    static const char *const names[] = {"one", "two"};
    (void)user;
    if (strcmp(query->kind, "Node") == 0)
        return err_set(err, ERR_FORBIDDEN, "nodes cannot be listed");
    for (size_t i = 0; i < 2 && strcmp(query->namespace, "web") == 0; i++) {
        cleanup_mem char *text = mem_printf(
            "{\"metadata\":{\"labels\":{\"n\":\"%s\"}},\"data\":{\"n\":\"%s\"}}", names[i], names[i]);
        cleanup_json struct json_object *object = NULL;
        assert_int_equal(jsonval_parse(text, strlen(text), &object, err), 0);
        if (query->name == NULL || strcmp(query->name, names[i]) == 0)
            paramfind_add(out, object);
    }
    return 0;
}

static const struct paramfind_source source = {scope, find, NULL};

static struct json_object *convert(void *user, struct json_object *object,
                                   const struct requestmatch_endpoint *as, struct err *err)
{
    (void)user, (void)object;
    (void)err_set(err, ERR_INVALID, "no %s here", as->version);
    return NULL;
}

/* All events, one a line: EFFECT [code] text. */
static char *describe(const struct dispatch *d, const struct dispatch_answer *answer)
{
    static const char *const effects[] = {"deny", "warn", "audit", "annotate"};
    struct buf text;
    buf_init(&text, 1 << 20);
    for (size_t i = 0; i < answer->n_events; i++) {
        const struct dispatch_event *e = &answer->events[i];
        cleanup_mem char *whole = dispatch_event_text(d, e);
        const char *said = e->effect == DISPATCH_DENY || e->effect == DISPATCH_WARN ? whole : e->message;
        buf_printf(&text, "%s%s %d %s%s%s\n", effects[e->effect], e->is_failure ? "!" : "",
                   e->effect == DISPATCH_DENY ? dispatch_event_code(e) : 0, e->key,
                   e->key[0] == '\0' ? "" : "=", said);
    }
    if (answer->missing != NULL)
        buf_printf(&text, "missing at %s: %s\n", answer->missing_at, answer->missing);
    if (answer->ignored != NULL)
        buf_printf(&text, "ignored: %s\n", answer->ignored);
    buf_puts(&text, dispatch_is_matched(&answer->asked) ? "" : "no match\n");
    char *out = mem_strdup(text.data == NULL ? "" : text.data);
    buf_deinit(&text);
    return out;
}

struct row {
    const char *policy, *bindings[3], *object, *expected;
};

static char *ask(const struct row *row, const struct env *env)
{
    cleanup_json struct json_object *policy = jsontext_parse(row->policy),
                                    *object = jsontext_parse(row->object),
                                    *namespace = jsontext_parse("{\"metadata\":{\"name\":\"web\"}}");
    bool is_pod = strcmp(row->object, POD) == 0;
    struct dispatch *d;
    struct dispatch_answer answer;
    struct err err = {0};
    assert_int_equal(dispatch_new(policy, env, &d, &err), 0);
    for (size_t i = 0; i < 3 && row->bindings[i] != NULL; i++) {
        cleanup_json struct json_object *binding = jsontext_parse(row->bindings[i]);
        assert_int_equal(dispatch_bind(d, binding, &err), 0);
    }
    const struct dispatch_request request = {
        .match = {.operation = "CREATE",
                  .endpoint = {"", "v1", is_pod ? "pods" : "nodes", "", "v1", is_pod ? "Pod" : "Node"},
                  .subresource = "",
                  .name = "one",
                  .namespace = is_pod ? "web" : "",
                  .object = object,
                  .namespace_object = is_pod ? namespace : NULL},
        .params = &source,
        .convert = convert,
    };
    dispatch_ask(d, &request, &answer);
    char *text = describe(d, &answer);
    dispatch_answer_deinit(&answer);
    dispatch_free(d);
    return text;
}

#define SAYS(name) "ValidatingAdmissionPolicy 'p' with binding '" name "' denied request: "

static const struct row rows[] = {
    {POLICY(FALSE), {NULL}, POD, "no match\n"},
    {POLICY(FALSE), {BINDING("b", DENY)}, POD, "deny 422 " SAYS("b") "failed expression: false\n"},
    {POLICY(FALSE),
     {BINDING("b", "\"validationActions\":[\"Audit\",\"Warn\"]"), BINDING("c", DENY)},
     POD,
     "audit 0 failed expression: false\n"
     "warn 0 Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': failed expression: "
     "false\n"
     "deny 422 " SAYS("c") "failed expression: false\n"},
    {POLICY("\"validations\":[{\"expression\":\"object.nope == 1\"},{\"expression\":\"false\",\"reason\":"
            "\"Forbidden\",\"messageExpression\":\"request.name + ' ' + request.resource.resource + ' ' + "
            "namespaceObject.metadata.name\"}]"),
     {BINDING("b", DENY)},
     POD,
     "deny! 422 " SAYS("b") "expression 'object.nope == 1' resulted in error: no such key: nope\n"
                            "deny 403 " SAYS("b") "one pods web\n"},
    {POLICY("\"failurePolicy\":\"Ignore\",\"validations\":[{\"expression\":\"object.nope == 1\"}]"),
     {BINDING("b", DENY)},
     POD,
     "ignored: expression 'object.nope == 1' resulted in error: no such key: nope\n"},
    {POLICY(FALSE),
     {BINDING("b", DENY ",\"matchResources\":{\"objectSelector\":{\"matchLabels\":{\"a\":\"b\"}}}")},
     POD,
     "no match\n"},
    {POLICY(FALSE),
     {BINDING("b", DENY ",\"matchResources\":{\"objectSelector\":{\"matchLabels\":{\"a\":\"b\"}}}")},
     NODE,
     "deny 422 " SAYS("b") "failed expression: false\n"},
    {POLICY("\"validations\":[{\"expression\":\"namespaceObject == null && !has(request.namespace)\"}]"),
     {BINDING("b", DENY)},
     NODE,
     ""},
    {POLICY("\"matchConditions\":[{\"name\":\"c\",\"expression\":\"object.kind != 'Pod'\"}]," FALSE),
     {BINDING("b", DENY)},
     POD,
     ""},
    {POLICY("\"auditAnnotations\":[{\"key\":\"k\",\"valueExpression\":\"'v'\"},{\"key\":\"l\","
            "\"valueExpression\":\"string(object.nope)\"}]"),
     {BINDING("b", "\"validationActions\":[\"Warn\"]")},
     POD,
     "annotate 0 k=v\n"
     "deny! 422 " SAYS("b") "expression 'string(object.nope)' resulted in error: no such key: nope\n"},
    /* params */
    {POLICY(PARAMS "\"validations\":[{\"expression\":\"params.data.n == 'two'\"}]"),
     {BINDING("b", DENY ",\"paramRef\":{\"name\":\"one\",\"parameterNotFoundAction\":\"Deny\"}"),
      BINDING("c", DENY ",\"paramRef\":{\"selector\":{\"matchLabels\":{\"n\":\"two\"}}}"),
      BINDING("d", DENY ",\"paramRef\":{\"selector\":{}}")},
     POD,
     "deny 422 " SAYS("b") "failed expression: params.data.n == 'two'\n"
                           "deny 422 " SAYS("d") "failed expression: params.data.n == 'two'\n"},
    {POLICY(PARAMS "\"validations\":[{\"expression\":\"params == null\"}]"), {BINDING("b", DENY)}, POD, ""},
    {POLICY(PARAMS FALSE),
     {BINDING("b", DENY ",\"paramRef\":{\"name\":\"three\",\"parameterNotFoundAction\":\"Deny\"}"),
      BINDING("c", DENY ",\"paramRef\":{\"name\":\"three\",\"parameterNotFoundAction\":\"Allow\"}"),
      BINDING("d", DENY ",\"paramRef\":{\"name\":\"one\",\"namespace\":\"other\"}")},
     POD,
     "deny! 422 " SAYS("b") "failed to configure binding: no params found for policy binding with `Deny` "
                            "parameterNotFoundAction\n"},
    {POLICY("\"failurePolicy\":\"Ignore\"," PARAMS FALSE),
     {BINDING("b", DENY ",\"paramRef\":{\"name\":\"three\",\"parameterNotFoundAction\":\"Deny\"}")},
     POD,
     ""},
    {POLICY(PARAMS FALSE),
     {BINDING("b", DENY ",\"paramRef\":{\"name\":\"one\"}"),
      BINDING("c", DENY ",\"paramRef\":{\"name\":\"one\",\"namespace\":\"web\"}")},
     NODE,
     "deny! 422 " SAYS("b") "failed to configure binding: cannot use namespaced paramRef in policy binding "
                            "that matches cluster-scoped resources\n"
                            "deny 422 " SAYS("c") "failed expression: false\n"},
    {POLICY("\"paramKind\":{\"apiVersion\":\"v1\",\"kind\":\"Node\"}," FALSE),
     {BINDING("b", DENY ",\"paramRef\":{\"name\":\"one\",\"namespace\":\"web\"}"),
      BINDING("c", DENY ",\"paramRef\":{\"name\":\"one\"}")},
     POD,
     "deny! 422 " SAYS("b") "failed to configure binding: paramRef.namespace must not be provided for a "
                            "cluster-scoped `paramKind`\n"
                            "deny! 422 " SAYS("c") "failed to configure binding: nodes cannot be listed\n"},
    {POLICY("\"paramKind\":{\"apiVersion\":\"v1\",\"kind\":\"Nope\"}," FALSE),
     {BINDING("b", DENY)},
     POD,
     "deny! 422 ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find "
     "resource referenced by paramKind: '/v1, Kind=Nope'\n"},
    {"{\"metadata\":{\"name\":\"p\"},\"spec\":{" FALSE "}}",
     {BINDING("b", DENY)},
     POD,
     "deny! 422 ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: policy contained "
     "no "
     "match constraints, a required field\n"},
};

static void test_answers(void **state)
{
    (void)state;
    struct env *env = env_new(36, celgo_in(36));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cleanup_mem char *found = ask(&rows[i], env);
        if (strcmp(found, rows[i].expected) != 0)
            fail_msg("row %zu: %s%s", i, rows[i].policy, found);
    }
    env_free(env);
}

/* The policy names another version of what is sent, which the caller cannot convert. */
static void test_another_version(void **state)
{
    (void)state;
    static const struct requestmatch_endpoint sent = {"example.com", "v2", "pods",
                                                      "example.com", "v2", "Pod"},
                                              named = {"", "v1", "pods", "", "v1", "Pod"};
    cleanup_json struct json_object *policy = jsontext_parse(POLICY(FALSE)), *object = jsontext_parse(NODE);
    struct env *env = env_new(36, celgo_in(36));
    struct dispatch *d;
    struct dispatch_answer answer;
    const struct requestmatch_endpoint *as = NULL;
    struct err err = {0};
    assert_int_equal(dispatch_new(policy, env, &d, &err), 0);
    assert_int_equal(dispatch_bind(d, NULL, &err), 0);
    const struct dispatch_request request = {.match = {.operation = "CREATE",
                                                       .endpoint = sent,
                                                       .subresource = "",
                                                       .equivalents = &named,
                                                       .n_equivalents = 1,
                                                       .name = "one",
                                                       .namespace = "",
                                                       .object = object},
                                             .params = &source,
                                             .convert = convert};
    assert_true(dispatch_may(d, &request.match, &as));
    assert_ptr_equal(as, &named);
    dispatch_ask(d, &request, &answer);
    cleanup_mem char *text = describe(d, &answer);
    assert_string_equal(text,
                        "deny! 422 ValidatingAdmissionPolicy 'p' with binding '' denied request: failed to "
                        "configure binding: failed to convert object version: no v1 here\n");
    dispatch_answer_deinit(&answer);
    dispatch_free(d);
    env_free(env);
}

/* Four evaluations: of as many as the steps are enough for, and what is left out can be seen. */
static void test_steps(void **state)
{
    (void)state;
    enum { EVALUATIONS = 4 };
    cleanup_json struct json_object *policy = jsontext_parse(POLICY(PARAMS FALSE)),
                                    *binding =
                                        jsontext_parse(BINDING("b", DENY ",\"paramRef\":{\"selector\":{}}")),
                                    *object = jsontext_parse(POD),
                                    *namespace = jsontext_parse("{\"metadata\":{\"name\":\"web\"}}");
    struct env *env = env_new(36, celgo_in(36));
    struct dispatch *d;
    struct dispatch_answer answer;
    struct err err = {0};
    bool is_counted[EVALUATIONS + 1] = {false};
    assert_int_equal(dispatch_new(policy, env, &d, &err), 0);
    assert_int_equal(dispatch_bind(d, binding, &err), 0);
    assert_int_equal(dispatch_bind(d, binding, &err), 0);
    struct dispatch_request request = {.match = {.operation = "CREATE",
                                                 .endpoint = {"", "v1", "pods", "", "v1", "Pod"},
                                                 .subresource = "",
                                                 .name = "one",
                                                 .namespace = "web",
                                                 .object = object,
                                                 .namespace_object = namespace},
                                       .params = &source,
                                       .convert = convert};
    dispatch_ask(d, &request, &answer);
    assert_int_equal(answer.n_events, EVALUATIONS);
    const uint64_t all = answer.steps;
    dispatch_answer_deinit(&answer);
    for (request.max_steps = 1; request.max_steps <= all + all / 64; request.max_steps += all / 64) {
        dispatch_ask(d, &request, &answer);
        assert_in_range(answer.n_events, 0, EVALUATIONS);
        assert_true(answer.n_events == EVALUATIONS || answer.steps >= request.max_steps);
        is_counted[answer.n_events] = true;
        dispatch_answer_deinit(&answer);
    }
    for (size_t i = 0; i <= EVALUATIONS; i++)
        assert_true(is_counted[i]);
    dispatch_free(d);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_another_version),
                                       cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
