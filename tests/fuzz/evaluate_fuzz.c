/*
 * A policy evaluated on a request. The first byte says how the request comes: what the object is, and which
 * of the kinds; then comes the object up to the first NUL, and one expression a line, whose first byte says
 * which place it has.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/policy/run/policy_run.h"

enum { EXPRESSIONS_MAX = 40, NAMES = 8 };

static const char document[] =
    "{\"components\": {\"schemas\": {"
    "\"A\": {\"type\": \"object\", \"required\": [\"spec\"], \"properties\": {"
    "  \"apiVersion\": {\"type\": \"string\"}, \"kind\": {\"type\": \"string\"},"
    "  \"metadata\": {\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"},"
    "    \"labels\": {\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}}},"
    "  \"spec\": {\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\", \"default\": 0},"
    "    \"s\": {\"type\": \"string\"}, \"b\": {\"type\": \"boolean\"},"
    "    \"t\": {\"type\": \"string\", \"format\": \"date-time\"},"
    "    \"x\": {\"x-kubernetes-int-or-string\": true},"
    "    \"any\": {\"x-kubernetes-preserve-unknown-fields\": true},"
    "    \"l\": {\"type\": \"array\", \"x-kubernetes-list-type\": \"map\", \"x-kubernetes-list-map-keys\": "
    "[\"k\"],"
    "      \"items\": {\"type\": \"object\", \"properties\": {\"k\": {\"type\": \"string\"},"
    "        \"next\": {\"$ref\": \"#/components/schemas/A\"}}}}}}},"
    "  \"x-kubernetes-group-version-kind\": [{\"group\": \"example.com\", \"version\": \"v1\", \"kind\": "
    "\"A\"}]}}}}";

struct lists {
    struct policy_expression expressions[EXPRESSIONS_MAX];
    size_t counts[POLICY_JSON_PATCH + 1]; /* by place */
    struct policy policy;
};

static void add_expression(struct lists *l, unsigned place, struct str text)
{
    static const enum policy_place places[] = {
        POLICY_MATCH_CONDITION, POLICY_VARIABLE,   POLICY_AUDIT_ANNOTATION,   POLICY_MESSAGE,
        POLICY_VALIDATION,      POLICY_JSON_PATCH, POLICY_APPLY_CONFIGURATION};
    static const char names[] = "abcdefgh";
    struct policy *p = &l->policy;
    const enum policy_place is = places[place % (sizeof places / sizeof *places)];
    if (p->count == EXPRESSIONS_MAX)
        return;
    l->expressions[p->count++] =
        (struct policy_expression){.place = is, .name = {names + l->counts[is]++ % NAMES, 1}, .text = text};
}

static void read_lists(struct str text, struct lists *l)
{
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.at + at, '\n', text.len - at);
        size_t len = end == NULL ? text.len - at : (size_t)(end - (text.at + at));
        if (len > 0)
            add_expression(l, (unsigned char)text.at[at], (struct str){text.at + at + 1, len - 1});
        at += len + 1;
    }
    l->policy.expressions = l->expressions;
}

/* A server hands on JSON alone. */
static bool is_json(struct str text)
{
    struct arena a;
    arena_init(&a, (size_t)64 << 20);
    bool is = setjmp(a.escape) == 0 && json_value_read(&a, text) != NULL;
    arena_deinit(&a);
    return is;
}

static void evaluate(const struct env *env, const struct lists *l, const struct policy_run_request *request)
{
    struct policy_run_result result;
    struct policy_run *run = policy_run_new(env, &l->policy);
    if (run == NULL)
        return;
    policy_run_evaluate(run, request, &result);
    for (size_t i = 0; i < result.decision_count; i++) {
        if (result.decisions[i].outcome == POLICY_RUN_FAILED && result.decisions[i].message.len == 0)
            abort();
    }
    policy_run_result_deinit(&result);
    policy_run_free(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct env *newest, *older; /* with typed objects, and without */
    static struct schema *doc;
    char message[256];
    if (doc == NULL) {
        newest = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
        older = env_new(ENV_NEWEST_LEVEL - 1, celgo_in(ENV_NEWEST_LEVEL - 1));
        doc = schema_new(document, sizeof document - 1, message, sizeof message, NULL);
    }
    if (newest == NULL || older == NULL || doc == NULL)
        abort();
    if (size == 0)
        return 0;
    const struct str rest = {(const char *)data + 1, size - 1};
    const char *end = memchr(rest.at, '\0', rest.len);
    const struct str object = {rest.at, end == NULL ? rest.len : (size_t)(end - rest.at)};
    struct lists lists = {.policy = {.is_reinvoked = (data[0] & 1) != 0,
                                     .ignores_failures = (data[0] & 2) != 0,
                                     .has_params = (data[0] & 4) != 0}};
    struct policy_run_request request = {.object = object,
                                         .request = STR("{\"operation\":\"CREATE\",\"name\":\"n\"}"),
                                         .namespace_object = STR("{\"metadata\":{\"name\":\"d\"}}"),
                                         .objects = (enum policy_run_objects)((data[0] >> 4) % 3)};
    request.object_type =
        (struct policy_run_type){doc, schema_find(doc, STR("example.com"), STR("v1"), STR("A"))};
    if ((data[0] & 8) != 0)
        request.old_object = request.params = object;
    if (object.len != 0 && !is_json(object))
        return 0;
    if (end != NULL)
        read_lists(str_skip(rest, object.len + 1), &lists);
    evaluate((data[0] & 128) != 0 ? older : newest, &lists, &request);
    return 0;
}
