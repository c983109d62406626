/*
 * A policy against two types, in both scopes: one expression a line, whose
 * first byte says which place it has; the first byte of all says which
 * operations bring the types.
 */
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/typecheck.h"

#define MAX_EXPRESSIONS 24
#define BUDGET          ((size_t)64 << 20)
#define STEPS           ((uint64_t)3000000)
#define UNIT_STEPS      ((uint64_t)300000)

static const char document[] =
    "{\"components\": {\"schemas\": {"
    "\"A\": {\"type\": \"object\", \"required\": [\"spec\"], \"properties\": {"
    "  \"apiVersion\": {\"type\": \"string\"}, \"kind\": {\"type\": \"string\"},"
    "  \"metadata\": {\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"},"
    "    \"generateName\": {\"type\": \"string\"}, \"labels\": {\"type\": \"object\","
    "    \"additionalProperties\": {\"type\": \"string\"}}}},"
    "  \"spec\": {\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\"},"
    "    \"s\": {\"type\": \"string\"}, \"b\": {\"type\": \"boolean\"}, \"t\": {\"type\": \"string\", "
    "\"format\": \"date-time\"},"
    "    \"x\": {\"x-kubernetes-int-or-string\": true}, \"any\": {\"x-kubernetes-preserve-unknown-fields\": "
    "true},"
    "    \"l\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": {\"n\": {\"type\": "
    "\"integer\"},"
    "      \"next\": {\"$ref\": \"#/components/schemas/A\"}}}}}}},"
    "  \"x-kubernetes-group-version-kind\": [{\"group\": \"g\", \"version\": \"v1\", \"kind\": \"A\"}]},"
    "\"B\": {\"type\": \"object\", \"properties\": {\"kind\": {\"type\": \"string\"},"
    "  \"spec\": {\"type\": \"object\", \"properties\": {\"s\": {\"type\": \"array\", \"items\": {\"type\": "
    "\"string\"}}}}},"
    "  \"x-kubernetes-group-version-kind\": [{\"group\": \"g\", \"version\": \"v1\", \"kind\": \"B\"}]}}}}";

static struct policy_type type_of(const struct schema *doc, const char *kind,
                                  const struct policy_request *requests)
{
    struct policy_type t = {.group = STR("g"), .version = STR("v1"), .kind = str_of(kind), .doc = doc};
    t.node = schema_find(doc, t.group, t.version, t.kind);
    t.requests = requests;
    t.request_count = requests->operations == 0 ? 0 : 1;
    return t;
}

static size_t read_expressions(struct str text, struct policy_expression *list)
{
    static const char names[] = "abcdefghijklmnopqrstuvwxyz";
    size_t count = 0, at = 0, variables = 0;
    while (at < text.len && count < MAX_EXPRESSIONS) {
        const char *end = memchr(text.at + at, '\n', text.len - at);
        size_t len = end == NULL ? text.len - at : (size_t)(end - (text.at + at));
        if (len > 0) {
            struct policy_expression *e = &list[count++];
            *e = (struct policy_expression){.place = (enum policy_place)((unsigned char)text.at[at] % 5),
                                            .text = {text.at + at + 1, len - 1}};
            if (e->place == POLICY_VARIABLE)
                e->name = (struct str){names + variables++, 1};
        }
        at += len + 1;
    }
    return count;
}

static void run(const struct env *env, const struct typecheck_policy *policy, size_t budget)
{
    struct typecheck_result r;
    struct typecheck_caps caps = {.bytes = budget, .steps = STEPS, .unit_steps = UNIT_STEPS};
    typecheck_policy_within(env, policy, &caps, &r);
    for (size_t i = 0; i < r.warning_count; i++) {
        if (r.warnings[i].text.len == 0 || r.warnings[i].expression >= policy->policy.count)
            abort();
    }
    typecheck_result_deinit(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct env *env;
    static struct schema *doc;
    char message[256];
    if (env == NULL) {
        env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
        doc = schema_new(document, sizeof document - 1, message, sizeof message, NULL);
    }
    if (env == NULL || doc == NULL)
        abort();
    if (size == 0)
        return 0;
    struct policy_request request = {.group = STR("g"),
                                     .version = STR("v1"),
                                     .resource = STR("as"),
                                     .is_namespaced = (data[0] & 16) != 0,
                                     .has_status = (data[0] & 32) != 0,
                                     .operations = data[0] & 15u};
    struct policy_type types[] = {type_of(doc, "A", &request), type_of(doc, "B", &request)};
    struct policy_expression expressions[MAX_EXPRESSIONS];
    struct typecheck_policy policy = {
        .policy = {.expressions = expressions}, .types = types, .type_count = 2};
    policy.policy.count = read_expressions((struct str){(const char *)data + 1, size - 1}, expressions);
    policy.policy.has_params = (data[0] & 32) != 0;
    policy.params = types[1];
    for (int typing = SCHEMA_UPSTREAM; typing <= SCHEMA_RUNTIME; typing++) {
        policy.typing = (enum schema_typing)typing;
        run(env, &policy, BUDGET);
        run(env, &policy, 65536 + 16 * size);
    }
    return 0;
}
