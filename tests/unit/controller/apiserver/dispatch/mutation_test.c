#include "controller/apiserver/dispatch/mutation.h"

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
#include "controller/apiserver/dispatch/dispatch.h"
#include "tests/unit/controller/jsontext.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"

enum { POLICIES = 3 };

/* A policy of ConfigMaps, in v1 and v2. */
#define POLICY(versions, more)                                                                               \
    "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":["     \
    "\"\"],\"apiVersions\":[" versions "],\"resources\":[\"configmaps\"],\"operations\":[\"*\"]}]}," more    \
    "}}"
#define V1                "\"v1\""
#define V2                "\"v2\""
#define PATCH(op)         "{\"patchType\":\"JSONPatch\",\"jsonPatch\":{\"expression\":\"[JSONPatch{" op "}]\"}}"
#define PATCHES(m)        "\"mutations\":[" m "]"
#define IF_NEEDED         "\"reinvocationPolicy\":\"IfNeeded\","
#define IGNORE            "\"failurePolicy\":\"Ignore\","
#define WHEN(text)        "\"matchConditions\":[{\"name\":\"c\",\"expression\":\"" text "\"}],"
#define LABEL(key, value) PATCH("op: 'add', path: '/metadata/labels/" key "', value: " value)
#define DOUBLE            LABEL("a", "object.metadata.labels.a + object.metadata.labels.a")
#define FOUR(x)           x "," x "," x "," x
#define COUNT             "string(size(object.metadata.labels))"

#define OBJECT                                                                                               \
    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"labels\":{\"a\":\"1\"},\"name\":\"o\"}}"

static const char SCHEMA[] =
    "{\"components\":{\"schemas\":{\"C\":{\"type\":\"object\",\"properties\":{\"apiVersion\":{\"type\":"
    "\"string\"},\"kind\":{\"type\":\"string\"},\"metadata\":{\"type\":\"object\",\"additionalProperties\":"
    "true}},\"x-kubernetes-group-version-kind\":[{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}]"
    "}}}}";

static enum paramfind_scope scope(void *user, const char *api_version, const char *kind)
{
    (void)user, (void)api_version, (void)kind;
    return PARAMFIND_UNKNOWN;
}

static const struct paramfind_source source = {scope, NULL, NULL};

static struct policy_run_type find_type(void *user, const char *group, const char *version, const char *kind)
{
    const struct schema *doc = user;
    if (strcmp(kind, "ConfigMap") != 0)
        return (struct policy_run_type){NULL, NULL};
    return (struct policy_run_type){doc, schema_find(doc, str_of(group), str_of(version), str_of(kind))};
}

static struct json_object *convert(void *user, struct json_object *object,
                                   const struct requestmatch_endpoint *as, struct err *err)
{
    (void)user, (void)as, (void)err;
    return json_object_get(object);
}

/* Events, one a line: EFFECT POLICY [MUTATION] message; and what is made. */
static void describe(const struct mutation_answer *a, struct buf *text)
{
    static const char *const effects[] = {"change", "deny", "ignore", "unknown"};
    for (size_t i = 0; i < a->n_events; i++) {
        const struct mutation_event *e = &a->events[i];
        buf_printf(text, "%s %zu", effects[e->effect], e->policy);
        if (e->mutation != POLICY_RUN_NO_VALIDATION)
            buf_printf(text, " [%zu]", e->mutation);
        buf_printf(text, "%s%s\n", e->message[0] == '\0' ? "" : " ", e->message);
    }
    if (a->object != NULL) {
        struct json_object *labels = jsonval_get(jsonval_get(a->object, "metadata"), "labels");
        buf_printf(text, "%s\n", json_object_to_json_string_ext(labels, JSON_C_TO_STRING_PLAIN));
    }
    if (a->differs != NULL)
        buf_printf(text, "differs: %s\n", a->differs);
}

struct row {
    const char *policies[POLICIES], *expected;
};

static const struct row rows[] = {
    /* in their order, and the second sees what the first one made */
    {{POLICY(V1, PATCHES(LABEL("b", "'2'"))), POLICY(V1, PATCHES(LABEL("c", "object.metadata.labels['a']")))},
     "change 0 metadata.labels.b: nothing becomes \"2\"\nchange 1 metadata.labels.c: nothing becomes \"1\"\n"
     "{\"a\":\"1\",\"b\":\"2\",\"c\":\"1\"}\n"},
    /* no change is none, and what is taken back is none */
    {{POLICY(V1, PATCHES(LABEL("a", "'1'")))}, ""},
    {{POLICY(V1, PATCHES(LABEL("b", "'2'"))),
      POLICY(V1, PATCHES(PATCH("op: 'remove', path: '/metadata/labels/b'")))},
     "differs: the reverse order fails: JSON Patch: error in remove for path: '/metadata/labels/b': Unable "
     "to "
     "remove nonexistent key: b: missing value\n"},
    /* the first one wants to be asked again, and sees what the second one made */
    {{POLICY(V1, IF_NEEDED PATCHES(LABEL("n", COUNT))), POLICY(V1, PATCHES(LABEL("b", "'2'")))},
     "change 0 metadata.labels.n: nothing becomes \"1\"\nchange 1 metadata.labels.b: nothing becomes "
     "\"2\"\nchange 0 metadata.labels.n: \"1\" becomes \"3\"\n{\"a\":\"1\",\"b\":\"2\",\"n\":\"3\"}\n"},
    {{POLICY(V1, PATCHES(LABEL("n", COUNT))), POLICY(V1, PATCHES(LABEL("b", "'2'")))},
     "change 0 metadata.labels.n: nothing becomes \"1\"\nchange 1 metadata.labels.b: nothing becomes "
     "\"2\"\n{\"a\":\"1\",\"b\":\"2\",\"n\":\"1\"}\n"
     "differs: metadata.labels.n becomes \"1\", and \"2\" in the reverse order\n"},
    /* a condition that was false is asked again, but the policy is not invoked */
    {{POLICY(V1, IF_NEEDED WHEN("'b' in object.metadata.labels") PATCHES(LABEL("c", "'3'"))),
      POLICY(V1, PATCHES(LABEL("b", "'2'")))},
     "change 1 metadata.labels.b: nothing becomes \"2\"\n{\"a\":\"1\",\"b\":\"2\"}\n"
     "differs: metadata.labels.c becomes nothing, and \"3\" in the reverse order\n"},
    /* a failure refuses the request, and then nothing is changed */
    {{POLICY(V1, PATCHES(LABEL("b", "object.nope"))), POLICY(V1, PATCHES(LABEL("c", "'3'")))},
     "deny 0 [0] expression '[JSONPatch{op: 'add', path: '/metadata/labels/b', value: object.nope}]' "
     "resulted "
     "in error: no such key: nope\n"},
    {{POLICY(V1, IGNORE PATCHES(LABEL("b", "object.nope"))), POLICY(V1, PATCHES(LABEL("c", "'3'")))},
     "ignore 0 [0] expression '[JSONPatch{op: 'add', path: '/metadata/labels/b', value: object.nope}]' "
     "resulted in error: no such key: nope\nchange 1 metadata.labels.c: nothing becomes "
     "\"3\"\n{\"a\":\"1\",\"c\":\"3\"}\n"},
    /* a condition that fails about what was made */
    {{POLICY(V1, WHEN("object.metadata.labels.a == '1'") PATCHES(PATCH("op: 'remove', path: "
                                                                       "'/metadata/labels/a'")))},
     "deny 0 expression 'object.metadata.labels.a == '1'' resulted in error: no such key: a\n"},
    /* 2^23 bytes */
    {{POLICY(V1, PATCHES(FOUR(FOUR(DOUBLE)))),
      POLICY(V1, PATCHES(FOUR(DOUBLE) "," DOUBLE "," DOUBLE "," DOUBLE))},
     "unknown 1 the objects that mutating policies make are larger than vapcheck evaluates\n"},
    /* versions */
    {{POLICY(V1, PATCHES(LABEL("b", "'2'"))), POLICY(V2, PATCHES(LABEL("c", "'3'")))},
     "unknown 1 this mutating policy and another one see the object in different versions\n"},
    {{POLICY(V2, PATCHES(LABEL("b", "'2'")))},
     "unknown 0 spec.mutations[0].jsonPatch.expression: vapcheck does not evaluate a mutation of a kind "
     "whose "
     "schema is not known\n"},
    /* what is not evaluated */
    {{POLICY(V1, PATCHES(LABEL("b", "string(authorizer.group('').resource('x').check('get').allowed())")))},
     "unknown 0 spec.mutations[0].jsonPatch.expression: vapcheck does not evaluate what the authorizer is "
     "asked without its answer\n"},
};

static void ask(const struct row *row, const struct env *env, struct schema *doc, uint64_t max_steps,
                struct buf *text)
{
    static const struct requestmatch_endpoint sent = {"", "v1", "configmaps", "", "v1", "ConfigMap"},
                                              other = {"", "v2", "configmaps", "", "v2", "ConfigMap"};
    cleanup_json struct json_object *object = jsontext_parse(OBJECT);
    struct dispatch *policies[POLICIES] = {NULL};
    const struct dispatch *asked[POLICIES] = {NULL};
    struct mutation_answer answer;
    struct err err = {0};
    for (size_t i = 0; i < POLICIES && row->policies[i] != NULL; i++) {
        cleanup_json struct json_object *policy = jsontext_parse(row->policies[i]);
        assert_int_equal(dispatch_new(policy, env, &policies[i], &err), 0);
        assert_int_equal(dispatch_bind(policies[i], NULL, &err), 0);
        asked[i] = policies[i];
    }
    const struct dispatch_request request = {.match = {.operation = "CREATE",
                                                       .endpoint = sent,
                                                       .subresource = "",
                                                       .equivalents = &other,
                                                       .n_equivalents = 1,
                                                       .name = "o",
                                                       .namespace = "",
                                                       .object = object},
                                             .max_steps = max_steps,
                                             .params = &source,
                                             .convert = convert,
                                             .find_type = find_type,
                                             .reports_changes = true,
                                             .user = doc};
    mutation_ask(asked, POLICIES, &request, &answer);
    describe(&answer, text);
    mutation_answer_deinit(&answer);
    for (size_t i = 0; i < POLICIES; i++)
        dispatch_free(policies[i]);
}

static const char *asked(const struct row *row, uint64_t max_steps, struct buf *text)
{
    char message[SCHEMA_MESSAGE_BYTES];
    struct env *env = env_new(36, celgo_in(36));
    struct schema *doc = schema_new(SCHEMA, sizeof SCHEMA - 1, message, sizeof message, NULL);
    assert_non_null(doc);
    buf_init(text, 1 << 16);
    ask(row, env, doc, max_steps, text);
    schema_free(doc);
    env_free(env);
    return text->data == NULL ? "" : text->data;
}

static void test_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cleanup_buf struct buf text;
        const char *found = asked(&rows[i], 0, &text);
        if (strcmp(found, rows[i].expected) != 0)
            fail_msg("row %zu: %s\n%s", i, rows[i].policies[0], found);
    }
}

/* The more steps, the more policies are evaluated; where they end is said. */
static void test_steps(void **state)
{
    (void)state;
    static const char *const unknown[] = {
        "unknown 0 the mutating policies take more work for one request than vapcheck does\n",
        "unknown 1 the mutating policies take more work for one request than vapcheck does\n"};
    const struct row *row = &rows[0];
    bool was_said[] = {false, false}, is_whole = false;
    for (uint64_t max_steps = 1; !is_whole && max_steps < 10000; max_steps += 50) {
        cleanup_buf struct buf text;
        const char *found = asked(row, max_steps, &text);
        is_whole = strcmp(found, row->expected) == 0;
        for (size_t i = 0; i < 2; i++)
            was_said[i] = was_said[i] || strcmp(found, unknown[i]) == 0;
    }
    assert_true(was_said[0] && was_said[1] && is_whole);
}

/* What a policy makes is work, too, though it costs an API server next to nothing. */
static void test_work_of_changes(void **state)
{
    (void)state;
    const struct row row = {{POLICY(V1, PATCHES(FOUR(FOUR(DOUBLE)))), POLICY(V1, PATCHES(LABEL("b", "'2'")))},
                            NULL};
    cleanup_buf struct buf text;
    assert_non_null(
        strstr(asked(&row, 1 << 14, &text),
               "unknown 1 the mutating policies take more work for one request than vapcheck does\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_work_of_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
