/*
 * thing: two kinds of g/v1 for tests of the evaluation of policies, and the issues of expressions about them.
 *
 *     static const struct expected rows[] = {{CU, "object.size > 1", "7: undefined field 'size'"}};
 *     EXPECT_ALL(rows);
 *
 * Thing is the type of a custom resource. Built is a built-in type, whose objects are typed since
 * Kubernetes 1.37.
 */
#ifndef TESTS_UNIT_TYPECHECK_POLICY_ABSTRACT_THING_H
#define TESTS_UNIT_TYPECHECK_POLICY_ABSTRACT_THING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

static const char thing_json[] =
    "{\"components\": {\"schemas\": {"
    "\"Thing\": {\"type\": \"object\", \"properties\": {"
    "  \"apiVersion\": {\"type\": \"string\"}, \"kind\": {\"type\": \"string\"},"
    "  \"metadata\": {\"type\": \"object\", \"default\": {}, \"properties\": {"
    "    \"name\": {\"type\": \"string\"}, \"generateName\": {\"type\": \"string\"},"
    "    \"creationTimestamp\": {\"type\": \"string\", \"format\": \"date-time\"},"
    "    \"labels\": {\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}}},"
    "  \"spec\": {\"type\": \"object\", \"default\": {}, \"required\": [\"needed\"], \"properties\": {"
    "    \"needed\": {\"type\": \"string\"}, \"size\": {\"type\": \"integer\"},"
    "    \"name\": {\"type\": \"string\"}, \"open\": {\"type\": \"boolean\"},"
    "    \"price\": {\"type\": \"number\"}, \"nothing\": {\"type\": \"string\", \"nullable\": true},"
    "    \"port\": {\"x-kubernetes-int-or-string\": true},"
    "    \"limit\": {\"$ref\": \"#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity\"},"
    "    \"any\": {\"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true},"
    "    \"part\": {\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"}}},"
    "    \"parts\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/components/schemas/Part\"}},"
    "    \"others\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": {"
    "      \"name\": {\"type\": \"string\"}, \"weight\": {\"type\": \"integer\"}}}},"
    "    \"$odd\": {\"type\": \"string\"},"
    "    \"holes\": {\"type\": \"array\", \"items\": {\"type\": \"string\", \"nullable\": true}},"
    "    \"words\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}}}},"
    "  \"x-kubernetes-group-version-kind\": [{\"group\": \"g\", \"version\": \"v1\", \"kind\": \"Thing\"}]},"
    "\"Part\": {\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"},"
    "  \"image\": {\"type\": \"string\"}}},"
    "\"io.k8s.api.g.v1.Built\": {\"type\": \"object\", \"properties\": {"
    "  \"apiVersion\": {\"type\": \"string\"}, \"kind\": {\"type\": \"string\"},"
    "  \"metadata\": {\"type\": \"object\", \"default\": {}, \"properties\": {"
    "    \"name\": {\"type\": \"string\"}, \"generateName\": {\"type\": \"string\"},"
    "    \"labels\": {\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}}},"
    "  \"spec\": {\"type\": \"object\", \"default\": {}, \"properties\": {"
    "    \"any\": {\"type\": \"object\"},"
    "    \"parts\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/components/schemas/Part\"}}}}},"
    "  \"x-kubernetes-group-version-kind\": [{\"group\": \"g\", \"version\": \"v1\", \"kind\": \"Built\"}]},"
    "\"io.k8s.apimachinery.pkg.api.resource.Quantity\": {\"description\": \"untyped\"}}}}";

static inline int thing_setup(void **state)
{
    return apidoc_setup(state, thing_json);
}

enum {
    C = POLICY_CREATE,
    U = POLICY_UPDATE,
    D = POLICY_DELETE,
    CU = C | U,
    ALL = C | U | D,
};

static inline void check_kind(const struct apidoc *d, const char *kind, unsigned operations,
                              const char *subresource, const struct policy_expression *expressions,
                              size_t count, struct typecheck_result *result)
{
    struct policy_request request = {.group = STR("g"),
                                     .version = STR("v1"),
                                     .resource = STR("things"),
                                     .subresource = str_of(subresource),
                                     .is_namespaced = true,
                                     .operations = operations};
    struct policy_type type = apidoc_type(d, kind);
    type.requests = &request;
    type.request_count = 1;
    struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                      .policy = {.expressions = expressions, .count = count},
                                      .types = &type,
                                      .type_count = 1};
    typecheck_policy(d->env, &policy, result);
}

static inline void check_policy(const struct apidoc *d, unsigned operations, const char *subresource,
                                const struct policy_expression *expressions, size_t count,
                                struct typecheck_result *result)
{
    check_kind(d, "Thing", operations, subresource, expressions, count, result);
}

/* "column: message" of each issue of each warning. */
static inline void print_issues(const struct typecheck_result *r, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < r->warning_count; i++) {
        const char *at = r->warnings[i].text.at;
        while ((at = strstr(at, "ERROR: <input>:1:")) != NULL) {
            at += strlen("ERROR: <input>:1:");
            size_t len = strcspn(at, "\n"), used = strlen(out);
            snprintf(out + used, size - used, "%s%.*s", used == 0 ? "" : "; ", (int)len, at);
        }
    }
}

struct expected {
    unsigned operations;
    const char *expression, *issues;
};

/* Prints where the issues are others than expected; takes the result. */
static inline bool is_other(const char *expression, const char *issues, struct typecheck_result *r)
{
    char got[2048];
    print_issues(r, got, sizeof got);
    const bool is_wrong = strcmp(got, issues) != 0;
    if (is_wrong)
        print_error("%s\n  expected: %s\n  got:      %s\n", expression, issues, got);
    typecheck_result_deinit(r);
    return is_wrong;
}

static inline void expect_of_kind(const struct apidoc *d, const char *kind, const struct expected *rows,
                                  size_t count)
{
    bool is_wrong = false;
    for (size_t i = 0; i < count; i++) {
        struct policy_expression e = {.place = POLICY_VALIDATION, .text = str_of(rows[i].expression)};
        struct typecheck_result r;
        check_kind(d, kind, rows[i].operations, "", &e, 1, &r);
        is_wrong = is_other(rows[i].expression, rows[i].issues, &r) || is_wrong;
    }
    assert_false(is_wrong);
}

static inline void expect_all(const struct apidoc *d, const struct expected *rows, size_t count)
{
    expect_of_kind(d, "Thing", rows, count);
}

#define EXPECT_ALL(rows) expect_all(*state, rows, sizeof(rows) / sizeof *(rows))

#endif
