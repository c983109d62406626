#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/discovery/discovery_parse.h"
#include "client/text/jsonval.h"
#include "controller/findings/check.h"
#include "controller/match/typesets.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"

/* clang-format off */
static const char groups[] =
    "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\",\"items\":[{\"metadata\":{\"name\":\"g\"},"
    "\"versions\":[{\"version\":\"v1\",\"freshness\":\"Current\",\"resources\":["
    "{\"resource\":\"things\",\"singularResource\":\"thing\",\"responseKind\":{\"kind\":\"Thing\"},\"scope\":\"Namespaced\","
    "\"verbs\":[\"create\",\"update\"],\"subresources\":[{\"subresource\":\"scale\",\"responseKind\":{\"group\":\"s\","
    "\"version\":\"v1\",\"kind\":\"Scale\"},\"verbs\":[\"update\"]}]},"
    "{\"resource\":\"ghosts\",\"singularResource\":\"ghost\",\"responseKind\":{\"kind\":\"Ghost\"},\"scope\":\"Namespaced\","
    "\"verbs\":[\"create\"]}]}]}]}";

static const char g_v1[] =
    "{\"components\":{\"schemas\":{\"Thing\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":"
    "{\"n\":{\"type\":\"integer\"}}}},\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"Thing\"}]}}}}";
static const char s_v1[] =
    "{\"components\":{\"schemas\":{\"Scale\":{\"type\":\"object\",\"properties\":{\"replicas\":{\"type\":\"integer\"}},"
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"s\",\"version\":\"v1\",\"kind\":\"Scale\"}]}}}}";
/* clang-format on */

struct fixture {
    struct env *env;
    struct discovery *discovery;
    struct schema *g, *s;
    bool is_g_unknown, is_s_unknown; /* its document cannot be read */
    bool is_g_large, is_s_large;
};

static int setup(void **state)
{
    static struct fixture f;
    char message[256];
    struct err err = {0};
    f.env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    f.g = schema_new(g_v1, sizeof g_v1 - 1, message, sizeof message, NULL);
    f.s = schema_new(s_v1, sizeof s_v1 - 1, message, sizeof message, NULL);
    *state = &f;
    return discovery_parse(NULL, 0, groups, sizeof groups - 1, &f.discovery, &err);
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    env_free(f->env);
    schema_free(f->g);
    schema_free(f->s);
    discovery_free(f->discovery);
    return 0;
}

static const struct schema *lookup(void *user, const char *path, enum openapi_state *state)
{
    const struct fixture *f = user;
    *state = OPENAPI_TOO_LARGE;
    if (strcmp(path, "apis/g/v1") == 0 ? f->is_g_large : f->is_s_large)
        return NULL;
    *state = OPENAPI_UNKNOWN;
    if (strcmp(path, "apis/g/v1") == 0 ? f->is_g_unknown : f->is_s_unknown)
        return NULL;
    *state = OPENAPI_FRESH;
    if (strcmp(path, "apis/g/v1") == 0)
        return f->g;
    if (strcmp(path, "apis/s/v1") == 0)
        return f->s;
    *state = OPENAPI_ABSENT;
    return NULL;
}

static void describe_problem(const struct types_problem *problem, struct buf *out)
{
    buf_printf(out, "problem %d %s", (int)problem->reason, problem->message);
    if (problem->field != NULL)
        buf_printf(out, " (%s)", problem->field);
    buf_putc(out, '\n');
}

/* All that a check says, a line each: paths, types, warnings, problems, the paramKind. */
static void describe(const struct check *c, const struct policyview *p, const struct check_result *r,
                     struct buf *out)
{
    for (size_t i = 0; i < check_path_count(c); i++)
        buf_printf(out, "path %s\n", check_paths(c)[i]);
    for (size_t i = 0; i < r->n_types; i++)
        buf_printf(out, "type %s/%s %s\n", r->types[i].group, r->types[i].version, r->types[i].kind);
    for (size_t i = 0; i < r->n_warnings; i++)
        buf_printf(out, "warning %s: %s (%s)\n",
                   p->policy.expressions[r->warnings[i].expression].field_ref.at,
                   r->warnings[i].first.message, r->warnings[i].first.first_type->kind);
    for (size_t i = 0; i < r->n_problems; i++)
        describe_problem(&r->problems[i], out);
    for (size_t i = 0; i < r->n_missing; i++)
        buf_printf(out, "missing in %s\n", r->missing[i]);
    buf_printf(out, "expressions %zu, paramKind %d\n", r->n_expressions, (int)r->param_kind);
}

static const struct types_options full = {.scope = TYPES_FULL, .max_types = TYPES_MAX_DEFAULT};

/* The caller frees it; json: the whole object. */
static struct policyview *parse_policy(const char *json)
{
    struct err err = {0};
    struct policyview *policy;
    cleanup_json struct json_object *object = NULL;
    if (jsonval_parse(json, strlen(json), &object, &err) != 0 || policyview_new(object, &policy, &err) != 0)
        fail_msg("%s", err.msg);
    return policy;
}

/* json: the whole object. In slices, however small, the same is found. */
static void expect_object(struct fixture *f, enum types_scope scope, const char *json, const char *expected)
{
    static const uint64_t slices[] = {UINT64_MAX, 1, 100, 5000};
    struct policyview *policy = parse_policy(json);
    struct types_options options = {.scope = scope, .max_types = TYPES_MAX_DEFAULT};
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
        cleanup_buf struct buf out;
        buf_init(&out, 4096);
        struct check *c = check_new(policy, f->discovery, &options);
        while (check_step(c, f->env, lookup, f, slices[i]))
            ;
        describe(c, policy, check_result(c), &out);
        assert_string_equal(out.data, expected);
        check_free(c);
    }
    policyview_free(policy);
}

static void expect(struct fixture *f, enum types_scope scope, const char *spec, const char *expected)
{
    char json[4096];
    snprintf(json, sizeof json, "{\"metadata\":{\"name\":\"p\"},\"spec\":{%s}}", spec);
    expect_object(f, scope, json, expected);
}

#define RULE(resources)                                                                                      \
    "\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"g\"],\"apiVersions\":[\"v1\"],"              \
    "\"operations\":[\"*\"],"                                                                                \
    "\"resources\":[" resources "]}]}"

static void test_scopes(void **state)
{
    const char *spec =
        RULE("\"things\",\"things/scale\"") ","
                                            "\"validations\":[{\"expression\":\"object.spec.n > 1\"}],"
                                            "\"matchConditions\":[{\"name\":\"m\",\"expression\":\"nope\"}],"
                                            "\"variables\":[{\"name\":\"v\",\"expression\":\"object.no\"}],"
                                            "\"auditAnnotations\":[{\"key\":\"k\",\"valueExpression\":"
                                            "\"variables.v\"}]";
    expect(*state, TYPES_FULL, spec,
           "path apis/g/v1\npath apis/s/v1\ntype g/v1 Thing\ntype s/v1 Scale\n"
           "warning spec.validations[0].expression: undefined field 'spec' (Scale)\n"
           "warning spec.matchConditions[0].expression: undeclared reference to 'nope' "
           "(Thing)\n"
           "warning spec.variables[0].expression: undefined field 'no' (Thing)\n"
           "expressions 4, paramKind 0\n");
    expect(*state, TYPES_UPSTREAM, spec,
           "path apis/g/v1\ntype g/v1 Thing\n"
           "problem 6 wildcards and subresources are left out by --warnings-scope=upstream\n"
           "expressions 1, paramKind 0\n");
}

#define TWO_ISSUES                                                                                           \
    RULE("\"things\"") ",\"validations\":[{\"expression\":\"object.no == 1 && object.spec.n == 'x'\"}]"

/* What the annotation names is left out of a warning; what is left is the whole warning. */
static void test_annotation_ignores(void **state)
{
    static const struct {
        const char *annotation, *warning, *text;
    } rows[] = {
        {"", "warning spec.validations[0].expression: undefined field 'no' (Thing)\n", "_==_"},
        {"undefined-field",
         "warning spec.validations[0].expression: found no matching overload for '_==_' applied to "
         "'(int, string)' (Thing)\n",
         "_==_"},
        {"never-equal", "warning spec.validations[0].expression: undefined field 'no' (Thing)\n", NULL},
        {"never-equal,undefined-field", "", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char json[4096], expected[1024];
        snprintf(json, sizeof json,
                 "{\"metadata\":{\"name\":\"p\",\"annotations\":{\"vapcheck/ignore\":\"%s\"}},\"spec\":{%s}}",
                 rows[i].annotation, TWO_ISSUES);
        snprintf(expected, sizeof expected, "path apis/g/v1\ntype g/v1 Thing\n%sexpressions 1, paramKind 0\n",
                 rows[i].warning);
        expect_object(*state, TYPES_FULL, json, expected);
        struct policyview *policy = parse_policy(json);
        struct fixture *f = *state;
        struct check *c = check_new(policy, f->discovery, &full);
        const struct check_result *r = check_run(c, f->env, lookup, f);
        assert_int_equal(r->has_ignored, i > 0);
        if (r->n_warnings > 0)
            assert_int_equal(strstr(r->warnings[0].text, "_==_") != NULL, rows[i].text != NULL);
        check_free(c);
        policyview_free(policy);
    }
}

/* The filter alone decides which issues are left out; it gets each issue and its place. */
struct filter {
    const char *message;
    int line, column;
    size_t asked;
};

static bool ignores(void *user, size_t expression, const struct check_issue *issue)
{
    struct filter *filter = user;
    filter->asked++;
    assert_int_equal(expression, 0);
    return strstr(issue->message, filter->message) != NULL && issue->line == filter->line &&
           issue->column == filter->column;
}

static void test_filter(void **state)
{
    struct fixture *f = *state;
    const char *json = "{\"metadata\":{\"name\":\"p\",\"annotations\":{\"vapcheck/ignore\":\"never-equal\"}},"
                       "\"spec\":{" TWO_ISSUES "}}";
    struct policyview *policy = parse_policy(json);
    for (int column = 7; column <= 8; column++) {
        struct filter filter = {.message = "undefined field 'no'", .line = 1, .column = column};
        struct check *c = check_new(policy, f->discovery, &full);
        check_set_filter(c, &(struct check_filter){ignores, &filter});
        const struct check_result *r = check_run(c, f->env, lookup, f);
        assert_int_equal(r->n_warnings, 1);
        assert_int_equal(strstr(r->warnings[0].text, "undefined field 'no'") == NULL, column == 7);
        assert_non_null(strstr(r->warnings[0].text, "_==_"));
        assert_int_equal(filter.asked, 2);
        check_free(c);
    }
    policyview_free(policy);
}

/* One webhook of a configuration, with the text of its condition. */
static void add_webhook(struct buf *b, const char *resource, const char *condition)
{
    buf_printf(b,
               "%s{\"name\":\"a\",\"rules\":[{\"apiGroups\":[\"g\"],\"apiVersions\":[\"v1\"],"
               "\"operations\":[\"*\"],\"resources\":[\"%s\"]}],\"matchConditions\":[",
               b->data[b->len - 1] == '}' ? "," : "", resource);
    if (condition != NULL)
        buf_printf(b, "{\"name\":\"m\",\"expression\":\"%s\"}", condition);
    buf_puts(b, "]}");
}

/* Each webhook has the types of its own rules; what two of them say is told once. */
static void test_webhooks(void **state)
{
    static const char *const webhooks[][2] = {{"things/scale", "object.spec.n > 1"},
                                              {"nowhere", NULL},
                                              {"things", "object.no == variables.v"},
                                              {"other", "true"},
                                              {"other", "true"}};
    cleanup_buf struct buf json;
    buf_init(&json, 4096);
    buf_puts(&json, "{\"kind\":\"ValidatingWebhookConfiguration\",\"webhooks\":[");
    for (size_t i = 0; i < sizeof webhooks / sizeof webhooks[0]; i++)
        add_webhook(&json, webhooks[i][0], webhooks[i][1]);
    buf_puts(&json, "]}");
    expect_object(*state, TYPES_FULL, json.data,
                  "path apis/g/v1\npath apis/s/v1\ntype g/v1 Thing\ntype s/v1 Scale\n"
                  "warning webhooks[0].matchConditions[0].expression: undefined field 'spec' (Scale)\n"
                  "warning webhooks[2].matchConditions[0].expression: undefined field 'no' (Thing)\n"
                  "problem 2 the cluster serves no other of g/v1 (webhooks[3].rules[0].resources[0])\n"
                  "expressions 4, paramKind 0\n");
    expect_object(*state, TYPES_UPSTREAM, json.data,
                  "path apis/g/v1\ntype g/v1 Thing\n"
                  "warning webhooks[2].matchConditions[0].expression: undefined field 'no' (Thing)\n"
                  "problem 6 wildcards and subresources are left out by --warnings-scope=upstream\n"
                  "problem 2 the cluster serves no other of the rule's groups\n"
                  "expressions 4, paramKind 0\n");
}

/* A rule for all operations: none of them is DELETE, in which object is null. */
static void test_mutations(void **state)
{
    const char *json = "{\"kind\":\"MutatingAdmissionPolicy\",\"spec\":{" RULE(
        "\"things\"") ",\"mutations\":[{\"patchType\":\"ApplyConfiguration\",\"applyConfiguration\":{"
                      "\"expression\":\"Object{spec: Object.spec{n: request.operation == 'DELETE' ? "
                      "object.no : 1}}\"}}]}}";
    expect_object(*state, TYPES_FULL, json, "path apis/g/v1\ntype g/v1 Thing\nexpressions 1, paramKind 0\n");
}

static void test_schemas_that_are_missing(void **state)
{
    struct fixture *f = *state;
    const char *spec =
        RULE("\"ghosts\",\"*/scale\"") ",\"validations\":[{\"expression\":\"object.replicas > 'x'\"}]";
    expect(f, TYPES_FULL, spec,
           "path apis/g/v1\npath apis/s/v1\ntype s/v1 Scale\n"
           "warning spec.validations[0].expression: found no matching overload for '_>_' applied to '(int, "
           "string)' "
           "(Scale)\n"
           "problem 4 the cluster publishes no schema for g/v1 Ghost\nmissing in g\nexpressions 1, paramKind "
           "0\n");
    f->is_s_unknown = true;
    expect(f, TYPES_FULL, spec,
           "path apis/g/v1\npath apis/s/v1\n"
           "problem 4 the cluster publishes no schema for g/v1 Ghost\n"
           "problem 0 the schema of s/v1 Scale could not be read yet\nmissing in g\nexpressions 1, paramKind "
           "0\n");
    f->is_s_unknown = false;
}

/* What cannot be read yet is no schema of any type: the policy waits for it, as for a type that is matched.
 */
static void test_params_that_are_unknown(void **state)
{
    struct fixture *f = *state;
    static const enum types_scope scopes[] = {TYPES_FULL, TYPES_UPSTREAM};
    f->is_g_unknown = true;
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++)
        expect(f, scopes[i],
               "\"paramKind\":{\"apiVersion\":\"g/v1\",\"kind\":\"Thing\"},"
               "\"validations\":[{\"expression\":\"params.no == 1\"}]",
               "path apis/g/v1\n"
               "problem 0 the schema of paramKind could not be read yet (spec.paramKind)\n"
               "expressions 1, paramKind 1\n");
    f->is_g_unknown = false;
}

/* The bound is said for what needs the document: a type that is matched, or paramKind. */
static void test_documents_that_are_too_large(void **state)
{
    struct fixture *f = *state;
    f->is_s_large = true;
    expect(f, TYPES_FULL,
           RULE("\"things\",\"things/scale\"") ",\"validations\":[{\"expression\":\"object.no\"}]",
           "path apis/g/v1\npath apis/s/v1\ntype g/v1 Thing\n"
           "warning spec.validations[0].expression: undefined field 'no' (Thing)\n"
           "problem 1 the schema of s/v1 Scale was not kept: its OpenAPI document is too large\n"
           "expressions 1, paramKind 0\n");
    f->is_s_large = false;
    f->is_g_large = true;
    expect(f, TYPES_FULL,
           "\"paramKind\":{\"apiVersion\":\"g/v1\",\"kind\":\"Thing\"}," RULE(
               "\"things/scale\"") ",\"validations\":[{\"expression\":\"params.no == object.no\"}]",
           "path apis/g/v1\npath apis/s/v1\ntype s/v1 Scale\n"
           "warning spec.validations[0].expression: undefined field 'no' (Scale)\n"
           "problem 1 the schema of paramKind was not kept: its OpenAPI document is too large "
           "(spec.paramKind)\n"
           "expressions 1, paramKind 1\n");
    f->is_g_large = false;
}

static void test_param_kinds(void **state)
{
    static const struct {
        const char *param_kind, *upstream, *full;
    } rows[] = {
        {"{\"apiVersion\":\"g/v1\",\"kind\":\"Thing\"}",
         "path apis/g/v1\ntype g/v1 Thing\nwarning spec.validations[0].expression: undefined field 'x' "
         "(Thing)\n"
         "expressions 1, paramKind 1\n",
         NULL},
        /* declared, but dyn */
        {"{\"apiVersion\":\"g/v1\",\"kind\":\"Nothing\"}",
         "path apis/g/v1\ntype g/v1 Thing\nexpressions 1, paramKind 2\n", NULL},
        {"{\"apiVersion\":\"v9\",\"kind\":\"\"}",
         "path apis/g/v1\npath api/v9\ntype g/v1 Thing\nexpressions 1, paramKind 2\n", NULL},
        /* upstream takes these for no paramKind at all; at run time they are one */
        {"{\"apiVersion\":\"a/b/c\",\"kind\":\"Thing\"}",
         "path apis/g/v1\ntype g/v1 Thing\n"
         "warning spec.validations[0].expression: undeclared reference to 'params' "
         "(Thing)\n"
         "expressions 1, paramKind 2\n",
         "path apis/g/v1\ntype g/v1 Thing\nexpressions 1, paramKind 2\n"},
        {"{}",
         "path apis/g/v1\ntype g/v1 Thing\n"
         "warning spec.validations[0].expression: undeclared reference to 'params' "
         "(Thing)\n"
         "expressions 1, paramKind 2\n",
         "path apis/g/v1\ntype g/v1 Thing\nexpressions 1, paramKind 2\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char spec[1024];
        snprintf(spec, sizeof spec,
                 RULE("\"things\"") ",\"paramKind\":%s,\"validations\":[{\"expression\":\"params.x == 1\"}]",
                 rows[i].param_kind);
        expect(*state, TYPES_UPSTREAM, spec, rows[i].upstream);
        expect(*state, TYPES_FULL, spec, rows[i].full == NULL ? rows[i].upstream : rows[i].full);
    }
}

static void test_no_rules(void **state)
{
    expect(*state, TYPES_FULL, "\"validations\":[{\"expression\":\"1 +\"}]", "expressions 1, paramKind 0\n");
}

enum { SLICE_STEPS = 100 * 1000 };

#define ALL_STEPS  typecheck_default_caps.steps
#define UNIT_STEPS typecheck_default_caps.unit_steps

static void put_heavy(struct buf *b)
{
    enum { CLAUSES = 200 };
    for (int i = 0; i < CLAUSES; i++)
        buf_printf(b, "%sobject.spec.n > %d", i == 0 ? "" : " && ", i);
}

/* A configuration of that many webhooks whose rules are alike, but for every `different`-th. */
static void put_webhooks(struct buf *b, size_t count, size_t different, bool is_heavy)
{
    buf_puts(b, "{\"kind\":\"ValidatingWebhookConfiguration\",\"webhooks\":[");
    for (size_t i = 0; i < count; i++) {
        char resource[32] = "*";
        if (different != 0 && i % different == 0)
            snprintf(resource, sizeof resource, "x%zu\",\"things", i);
        cleanup_buf struct buf expression;
        buf_init(&expression, 64 * 1024);
        if (is_heavy)
            put_heavy(&expression);
        else
            buf_puts(&expression, "object.spec.n > 1");
        add_webhook(b, resource, expression.data);
    }
    buf_puts(b, "]}");
}

static size_t count_limits(const struct check_result *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->n_problems; i++)
        count += r->problems[i].reason == TYPES_LIMIT_REACHED;
    return count;
}

/* Of a configuration of heavy webhooks. */
static uint64_t cost_of(struct fixture *f, size_t count)
{
    cleanup_buf struct buf json;
    buf_init(&json, 1024 * 1024);
    put_webhooks(&json, count, 0, true);
    struct policyview *policy = parse_policy(json.data);
    struct check *c = check_new(policy, f->discovery, &full);
    check_run(c, f->env, lookup, f);
    uint64_t steps = check_steps(c);
    check_free(c);
    policyview_free(policy);
    return steps;
}

/* Webhooks share one policy's budget: those that it is too small for are limits, and none is called clean. */
static void test_heavy_webhooks_share_a_budget(void **state)
{
    enum { TOO_MANY = 100 };
    struct fixture *f = *state;
    const size_t count = ALL_STEPS / (cost_of(f, 2) - cost_of(f, 1)) + TOO_MANY;
    cleanup_buf struct buf json;
    buf_init(&json, 64 * 1024 * 1024);
    put_webhooks(&json, count, 0, true);
    struct policyview *policy = parse_policy(json.data);
    struct check *c = check_new(policy, f->discovery, &full);
    uint64_t before = 0, longest = 0;
    for (bool goes_on = true; goes_on; before = check_steps(c)) {
        goes_on = check_step(c, f->env, lookup, f, SLICE_STEPS);
        uint64_t took = check_steps(c) - before;
        longest = took > longest ? took : longest;
    }
    const struct check_result *r = check_result(c);
    assert_in_range(check_steps(c), ALL_STEPS, ALL_STEPS + ALL_STEPS / 4);
    assert_in_range(longest, SLICE_STEPS, SLICE_STEPS + 2 * UNIT_STEPS);
    assert_int_equal(count_limits(r), 3);
    assert_in_range(r->more_limits, TOO_MANY / 2, 2 * TOO_MANY);
    assert_non_null(strstr(r->problems[r->n_problems - 1].message, "too much work to check to the end"));
    assert_non_null(strstr(r->problems[r->n_problems - 1].field, ".matchConditions[0].expression"));
    check_free(c);
    policyview_free(policy);
}

/* As many as an object has room for are checked to the end, in the memory of one. */
static void test_many_webhooks(void **state)
{
    struct fixture *f = *state;
    cleanup_buf struct buf json;
    buf_init(&json, 64 * 1024 * 1024);
    put_webhooks(&json, 5000, 10, false);
    struct policyview *policy = parse_policy(json.data);
    struct check *c = check_new(policy, f->discovery, &full);
    const struct check_result *r = check_run(c, f->env, lookup, f);
    assert_int_equal(r->n_expressions, 5000);
    assert_int_equal(r->n_types, 1);
    assert_int_equal(count_limits(r), 0);
    assert_in_range(r->peak_bytes, 1, 1024 * 1024);
    check_free(c);
    policyview_free(policy);
}

/* What fails and what can never be equal, each where the text says. */
static void test_issues(void **state)
{
    struct fixture *f = *state;
    cleanup_buf struct buf found;
    struct policyview *p = parse_policy(
        "{\"kind\":\"ValidatingAdmissionPolicy\",\"spec\":{\"matchConstraints\":{\"resourceRules\":[{"
        "\"apiGroups\":"
        "[\"g\"],\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\"],\"resources\":[\"things\"]}]},"
        "\"validations\":[{\"expression\":\"object.spec.x > 1 ||\\nobject.spec.n == 'a'\"}]}}");
    struct check *c = check_new(p, f->discovery, &full);
    const struct check_result *r = check_run(c, f->env, lookup, f);
    buf_init(&found, 1024);
    assert_int_equal(r->n_warnings, 1);
    for (size_t i = 0; i < r->warnings[0].n_issues; i++) {
        const struct check_issue *issue = &r->warnings[0].issues[i];
        buf_printf(&found, "%d:%d %s %s: %s\n", issue->line, issue->column,
                   issue->is_unequal ? "unequal" : "fails", issue->first_type->kind, issue->message);
    }
    assert_string_equal(found.data, "1:12 fails Thing: undefined field 'x'\n"
                                    "2:15 unequal Thing: found no matching overload for '_==_' applied to "
                                    "'(int, string)'\n");
    assert_false(r->warnings[0].has_more_issues);
    check_free(c);
    policyview_free(p);
}

static void describe_with(struct fixture *f, const struct policyview *p, struct typesets *shared,
                          struct buf *out, const struct types_target **types)
{
    struct types_options options = full;
    options.shared = shared;
    struct check *c = check_new(p, f->discovery, &options);
    const struct check_result *r = check_run(c, f->env, lookup, f);
    describe(c, p, r, out);
    assert_int_equal(r->has_shared_types, shared != NULL);
    *types = r->types;
    check_free(c);
}

/* Rules of `*` are resolved once for all policies, and each finds what it finds alone. */
static void test_shared_types(void **state)
{
    struct fixture *f = *state;
    static const char *const fields[] = {"n", "x"};
    struct typesets shared = {0};
    const struct types_target *own, *of_sets[2];
    for (size_t i = 0; i < 2; i++) {
        cleanup_buf struct buf alone, together;
        cleanup_mem char *json = mem_printf(
            "{\"kind\":\"ValidatingAdmissionPolicy\",\"spec\":{\"matchConstraints\":{\"resourceRules\":[{"
            "\"apiGroups\":[\"*\"],\"apiVersions\":[\"*\"],\"operations\":[\"*\"],\"resources\":[\"*/*\"]}]},"
            "\"validations\":[{\"expression\":\"object.spec.%s > 1\"}]}}",
            fields[i]);
        struct policyview *p = parse_policy(json);
        buf_init(&alone, 4096);
        buf_init(&together, 4096);
        describe_with(f, p, NULL, &alone, &own);
        describe_with(f, p, &shared, &together, &of_sets[i]);
        assert_string_equal(together.data, alone.data);
        assert_non_null(strstr(alone.data, "type g/v1 Thing"));
        assert_int_equal(shared.sets.count, 1);
        policyview_free(p);
    }
    assert_ptr_equal(of_sets[0], of_sets[1]);
    typesets_deinit(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_issues),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_annotation_ignores),
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_webhooks),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_schemas_that_are_missing),
        cmocka_unit_test(test_params_that_are_unknown),
        cmocka_unit_test(test_documents_that_are_too_large),
        cmocka_unit_test(test_param_kinds),
        cmocka_unit_test(test_no_rules),
        cmocka_unit_test(test_heavy_webhooks_share_a_budget),
        cmocka_unit_test(test_many_webhooks),
        cmocka_unit_test(test_shared_types),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
