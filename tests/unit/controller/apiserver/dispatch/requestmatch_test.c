#include "controller/apiserver/dispatch/requestmatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

enum { MAX_EQUIVALENTS = 4 };

static struct requestmatch_endpoint read_endpoint(struct json_object *resource, struct json_object *kind)
{
    return (struct requestmatch_endpoint){
        .group = jsonval_string_or_empty(resource, "group"),
        .version = jsonval_string_or_empty(resource, "version"),
        .resource = jsonval_string_or_empty(resource, "resource"),
        .kind_group = jsonval_string_or_empty(kind, "group"),
        .kind_version = jsonval_string_or_empty(kind, "version"),
        .kind = jsonval_string_or_empty(kind, "kind"),
    };
}

/* "" for no, the version that is seen, or the error. */
static char *ask(struct json_object *line)
{
    struct requestmatch_endpoint equivalents[MAX_EQUIVALENTS];
    struct json_object *list = jsonval_array(line, "equivalents"), *request = jsonval_get(line, "request");
    struct requestmatch *match;
    const struct requestmatch_endpoint *as = NULL;
    struct err err = {0};
    struct requestmatch_request q = {
        .operation = jsonval_string(request, "operation"),
        .endpoint = read_endpoint(jsonval_get(request, "resource"), jsonval_get(request, "kind")),
        .subresource = jsonval_string(request, "subResource"),
        .equivalents = equivalents,
        .n_equivalents = jsonval_length(list),
        .name = jsonval_string(request, "name"),
        .namespace = jsonval_string(request, "namespace"),
        .object = jsonval_get(line, "object"),
        .old_object = jsonval_get(line, "oldObject"),
        .namespace_object = jsonval_get(line, "namespaceObject"),
    };
    assert_true(q.n_equivalents <= MAX_EQUIVALENTS);
    for (size_t i = 0; i < q.n_equivalents; i++)
        equivalents[i] = read_endpoint(jsonval_at(list, i), jsonval_get(jsonval_at(list, i), "kind"));
    assert_int_equal(requestmatch_new(jsonval_get(line, "match"), &match, &err), 0);
    assert_true(requestmatch_steps(match) > 0);
    enum requestmatch_answer answer = requestmatch_ask(match, &q, &as, &err);
    requestmatch_free(match);
    if (answer == REQUESTMATCH_FAILED)
        return mem_strdup(err.msg);
    if (answer == REQUESTMATCH_NO)
        return mem_strdup("");
    return mem_printf("%s%s%s", as->group, as->group[0] == '\0' ? "" : "/", as->version);
}

/* The answers of the API server's own code (tests/upstream/values/matching). */
static void test_answers_of_upstream(void **state)
{
    (void)state;
    FILE *file = fopen("tests/golden/matching/cases.jsonl", "r");
    char *text = NULL;
    size_t room = 0, matching = 0, failing = 0, count = 0;
    assert_non_null(file);
    for (ssize_t len; (len = getline(&text, &room, file)) > 0; count++) {
        cleanup_json struct json_object *line = NULL;
        struct err err = {0};
        assert_int_equal(jsonval_parse(text, (size_t)len, &line, &err), 0);
        struct json_object *expected = jsonval_get(line, "answer");
        const char *value = jsonval_string_or_empty(expected, "value");
        const char *error = jsonval_string_or_empty(expected, "error");
        cleanup_mem char *answer = ask(line);
        if (strcmp(answer, error[0] != '\0' ? error : value) != 0)
            fail_msg("case %s: '%s', not '%s%s'", jsonval_string(line, "id"), answer, value, error);
        matching += value[0] != '\0';
        failing += error[0] != '\0';
    }
    free(text);
    fclose(file);
    assert_true(count > 200 && matching > 100 && failing > 2);
}

static void test_selectors_that_no_server_stores(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"objectSelector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Near\"}]}}",
        "{\"namespaceSelector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\"}]}}",
        "{\"namespaceSelector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Exists\",\"values\":["
        "\"b\"]}]}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cleanup_json struct json_object *json = NULL;
        struct requestmatch *match;
        struct err err = {0};
        assert_int_equal(jsonval_parse(texts[i], strlen(texts[i]), &json, &err), 0);
        assert_int_equal(requestmatch_new(json, &match, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
        assert_null(match);
    }
}

static void test_exempt(void **state)
{
    (void)state;
    assert_true(requestmatch_is_exempt("admissionregistration.k8s.io", "validatingadmissionpolicybindings"));
    assert_true(requestmatch_is_exempt("authorization.k8s.io", "subjectaccessreviews"));
    assert_false(requestmatch_is_exempt("admissionregistration.k8s.io", "validatingwebhookconfigurations"));
    assert_false(requestmatch_is_exempt("", "pods"));
}

static struct discovery *make_discovery(void)
{
    static const char *const versions[] = {"v2", "v1"};
    struct discovery *d = discovery_new();
    struct discovery_group *groups = discovery_array(d, 3, sizeof *groups);
    struct discovery_version *v = discovery_array(d, 4, sizeof *v);
    for (size_t i = 0; i < 4; i++) {
        struct discovery_resource *r = discovery_array(d, 1, sizeof *r);
        struct discovery_resource *sub = discovery_array(d, 1, sizeof *sub);
        *sub = (struct discovery_resource){.name = "status", .kind = "Thing", .group = "g", .version = "v"};
        *r = (struct discovery_resource){.name = i < 2 ? "things" : "events",
                                         .kind = i < 2 ? "Thing" : "Event",
                                         .group = i < 2 ? "example.com" : "",
                                         .version = i < 2 ? versions[i] : "v1",
                                         .subresources = sub,
                                         .n_subresources = i == 0 ? 1 : 0};
        v[i] = (struct discovery_version){
            .version = i < 2 ? versions[i] : "v1", .resources = r, .n_resources = 1};
    }
    groups[0] = (struct discovery_group){.name = "", .versions = &v[2], .n_versions = 1};
    groups[1] = (struct discovery_group){.name = "events.k8s.io", .versions = &v[3], .n_versions = 1};
    groups[2] = (struct discovery_group){.name = "example.com", .versions = v, .n_versions = 2};
    discovery_finish(d, groups, 3);
    return d;
}

static void test_equivalents(void **state)
{
    (void)state;
    struct discovery *d = make_discovery();
    struct requestmatch_endpoint thing = {.group = "example.com", .version = "v2", .resource = "things"};
    struct requestmatch_endpoint event = {.group = "events.k8s.io", .version = "v1", .resource = "events"};
    size_t count;
    struct requestmatch_endpoint *list = requestmatch_equivalents(d, &thing, "", &count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].version, "v1");
    assert_string_equal(list[0].kind, "Thing");
    mem_free(list);
    list = requestmatch_equivalents(d, &thing, "status", &count);
    assert_int_equal(count, 0);
    mem_free(list);
    list = requestmatch_equivalents(d, &event, "", &count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].group, "");
    mem_free(list);
    discovery_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_of_upstream),
        cmocka_unit_test(test_selectors_that_no_server_stores),
        cmocka_unit_test(test_exempt),
        cmocka_unit_test(test_equivalents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
