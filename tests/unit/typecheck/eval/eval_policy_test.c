#include "typecheck/eval/eval_policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

static const char json[] =
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

static int setup(void **state)
{
    return apidoc_setup(state, json);
}

enum {
    C = POLICY_CREATE,
    U = POLICY_UPDATE,
    D = POLICY_DELETE,
    CU = C | U,
    ALL = C | U | D,
};

static void check_kind(const struct apidoc *d, const char *kind, unsigned operations, const char *subresource,
                       const struct policy_expression *expressions, size_t count,
                       struct typecheck_result *result)
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
                                      .expressions = expressions,
                                      .expression_count = count,
                                      .types = &type,
                                      .type_count = 1};
    typecheck_policy(d->env, &policy, result);
}

static void check_policy(const struct apidoc *d, unsigned operations, const char *subresource,
                         const struct policy_expression *expressions, size_t count,
                         struct typecheck_result *result)
{
    check_kind(d, "Thing", operations, subresource, expressions, count, result);
}

/* "column: message" of each issue of each warning. */
static void print_issues(const struct typecheck_result *r, char *out, size_t size)
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
static bool is_other(const char *expression, const char *issues, struct typecheck_result *r)
{
    char got[2048];
    print_issues(r, got, sizeof got);
    const bool is_wrong = strcmp(got, issues) != 0;
    if (is_wrong)
        print_error("%s\n  expected: %s\n  got:      %s\n", expression, issues, got);
    typecheck_result_deinit(r);
    return is_wrong;
}

static void expect_of_kind(const struct apidoc *d, const char *kind, const struct expected *rows,
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

static void expect_all(const struct apidoc *d, const struct expected *rows, size_t count)
{
    expect_of_kind(d, "Thing", rows, count);
}

#define EXPECT_ALL(rows) expect_all(*state, rows, sizeof(rows) / sizeof *(rows))

static void test_selections(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.spec.size > 1", ""},
        {CU, "object.size > 1", "7: undefined field 'size'"},
        {CU, "object['spec']['size'] > 1", ""},
        {CU, "object['spec']['nope'] > 1", "15: undefined field 'nope'"},
        {CU, "object.spec['$odd'] > 1",
         "21: found no matching overload for '_>_' applied to '(string, int)'"},
        {CU, "object.spec['$odder'] > 1",
         "12: found no matching overload for '_[_]' applied to '(Thing.spec, string)'"},
        {CU, "object.spec.name.nope == 1", "17: type 'string' does not support field selection"},
        {CU, "object.nope == null", "7: undefined field 'nope'"},
        {CU, "object.nope.deeper.still == 1", "7: undefined field 'nope'"},
        {CU, "object.metadata.labels.app == 'x'", ""},
        {CU, "object.spec.any.whatever.deep == 1", ""},
        {CU, "object.spec.nope.?x.orValue(1) == 1", "12: undefined field 'nope'"},
        {CU, "object.spec.?nope.x.orValue(1) == 1", ""},
        {CU, "object.spec.?nope.?x.hasValue()", ""},
        {CU, "object.spec.words['a'] == 'x'",
         "18: found no matching overload for '_[_]' applied to '(list(string), string)'"},
        {CU, "object.spec.words.a == 'x'", "18: type 'list(string)' does not support field selection"},
        {CU, "object.spec.parts[0].nope == 'x'", "21: undefined field 'nope'"},
        {CU, "'name' in object.spec && size(object.spec) > 1 && object.spec.all(k, k != '')", ""},
    };
    EXPECT_ALL(rows);
}

static void test_has(void **state)
{
    static const struct expected rows[] = {
        {CU, "has(object.nope) && object.nope.x == 1", ""},
        {CU, "!has(object.nope) || object.nope.x == 1", ""},
        {CU, "has(object.nope.deeper)", "11: undefined field 'nope'"},
        {CU, "has(object.spec.name.a)", ""},
        {CU, "has(object.spec.words.a)", "4: type 'list(string)' does not support field selection"},
        {CU, "!has(object.spec.part) && object.spec.part.name == ''",
         "38: undefined field 'part': has(object.spec.part) is false here"},
        {CU, "has(object.spec.part) || object.spec.part.name == ''",
         "37: undefined field 'part': has(object.spec.part) is false here"},
        {CU, "has(object.spec.part) ? object.spec.part.name == '' : true", ""},
        /* what is required, and what has a default, is always there */
        {CU, "!has(object.spec.needed) && object.nope", ""},
        {CU, "!has(object.spec) && object.nope", ""},
        {CU, "'nope' in object.spec && object.spec.nope == 1", ""},
        {CU, "has(request.subResource) && object.nope == 1", ""},
        {CU, "has(request.namespace) && object.nope == 1", "33: undefined field 'nope'"},
    };
    EXPECT_ALL(rows);
}

static void test_guards(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.kind != 'Other' || object.nope == 1", ""},
        {CU, "object.kind == 'Thing' && object.nope == 1", "33: undefined field 'nope'"},
        {CU, "object.kind == 'Thing' ? true : object.nope == 1", ""},
        {CU, "object.apiVersion == 'g/v1' && object.nope == 1", "38: undefined field 'nope'"},
        {CU, "request.kind.kind == 'Thing' || object.nope == 1", ""},
        {CU, "request.resource.resource == 'others' && object.nope == 1", ""},
        {CU, "request.resource.group != 'g' && object.nope == 1", ""},
        {CU, "['Other', 'Else'].all(k, object.kind != k) || object.nope == 1", ""},
        {CU, "['Other', 'Thing'].exists(k, object.kind == k) && object.nope == 1",
         "57: undefined field 'nope'"},
        {CU, "object.kind in ['Other', 'Else'] && object.nope == 1", ""},
        {CU, "object.kind.startsWith('Oth') && object.nope == 1", ""},
        {CU, "object.kind.lowerAscii() + 's' == 'others' && object.nope == 1", ""},
        {CU, "object.kind.endsWith('ng') && object.nope == 1", "37: undefined field 'nope'"},
        /* known to the server, but not computed here: no conclusion */
        {CU, "object.kind.matches('^O') && object.nope == 1", ""},
        {CU, "request.requestResource.resource == 'x' && object.nope == 1", ""},
        {CU, "object.spec.name == 'x' && object.nope == 1", "34: undefined field 'nope'"},
        {CU, "{'Other': 1, 'Thing': 2}[object.kind] == 2 || object.nope == 1", ""},
        {CU, "false && object.nope == 1", ""},
    };
    EXPECT_ALL(rows);
}

static void test_operations(void **state)
{
    static const struct expected rows[] = {
        {C, "oldObject.spec.size == 1", "10: undefined field 'spec': oldObject is null here"},
        {CU, "oldObject.spec.size == 1", "10: undefined field 'spec': oldObject is null on CREATE"},
        {C, "oldObject == null", ""},
        {C, "oldObject != null && oldObject.nope", ""},
        {C, "has(oldObject.spec)", ""},
        {D, "object.spec.size == 1", "7: undefined field 'spec': object is null here"},
        {D, "oldObject.spec.size == 1", ""},
        {ALL, "object.spec.size == 1", "7: undefined field 'spec': object is null on DELETE"},
        {C | U | D | POLICY_CONNECT, "object.spec.size > 1 || oldObject.spec.size == 1",
         "7: undefined field 'spec': object is null on DELETE; "
         "34: undefined field 'spec': oldObject is null on CREATE and CONNECT"},
        {ALL, "object.spec.size == 1 || request.operation == 'DELETE'", ""},
        {ALL, "has(object.spec.size)", "11: undefined field 'spec': object is null on DELETE"},
        {ALL, "object == null || object.spec.size == 1", ""},
        {ALL, "object.?spec.?size.orValue(1) == 1", ""},
        {ALL, "(object == null ? oldObject : object).spec.size == 1", ""},
        {ALL, "(object == null ? oldObject : object).nope == 1", "38: undefined field 'nope'"},
        {ALL, "object.size == 1", "7: undefined field 'size'"},
        {ALL, "request.operation == 'DELETE' && object.spec.size == 1",
         "40: undefined field 'spec': object is null on DELETE"},
        {ALL, "request.operation != 'CREATE' || oldObject.spec.size == 1",
         "43: undefined field 'spec': oldObject is null on CREATE"},
        {ALL, "request.operation == 'CREATE' || oldObject.spec.size == 1", ""},
        {ALL, "request.operation in ['CREATE', 'UPDATE'] ? object.spec.size > 1 : oldObject.spec.size > 1",
         ""},
        {CU, "request.operation == 'DELETE' && object.nope == 1", ""},
        /* nothing is said of what comes behind a null, which fails as the null does */
        {ALL, "object.kind != 'Other' || object.nope == 1",
         "7: undefined field 'kind': object is null on DELETE"},
        {ALL, "object.kind == 'Other' ? object.nope == 1 : true",
         "7: undefined field 'kind': object is null on DELETE"},
        {ALL, "object.spec.size != null || object.spec.name == 'x'",
         "7: undefined field 'spec': object is null on DELETE"},
        {ALL, "object.kind == 'Thing' && object.nope == 1",
         "7: undefined field 'kind': object is null on DELETE; 33: undefined field 'nope'"},
        {CU, "request.subResource == 'scale'", "8: undefined field 'subResource'"},
        {CU, "request.subResource == 'scale' || object.spec.size > 1", "8: undefined field 'subResource'"},
        {CU, "request.subResource == 'scale' || true", ""},
        {CU, "request.nope", "8: undefined field 'nope'"},
        {CU, "request.userInfo.username.startsWith('a') && 'a' in request.userInfo.groups", ""},
        {CU, "namespaceObject.metadata.labels['a'] == 'x'", ""},
        {CU, "namespaceObject.metadata.nope == 'x'", "25: undefined field 'nope'"},
        {CU, "quantity('1 Gi').isGreaterThan(quantity('1'))",
         "9: type conversion error from string '1 Gi' to quantity"},
        {CU, "isQuantity('1 Gi') && quantity('1 Gi').isGreaterThan(quantity('1'))", ""},
        {CU, "quantity(object.spec.name).isGreaterThan(quantity('1'))", ""},
        {CU, "[1][1] == 1", "4: the list has no such index"},
        {CU, "[1][-1] == 1", "4: the list has no such index"},
        {CU, "[1, 2][1] == 1 || [1][object.spec.size] == 1", ""},
        {CU, "[1, 2].all(i, i == 2 || [0, 1][i] == 1)", ""},
        {CU, "[].min() == 1", "7: min of an empty list"},
        {CU, "object.spec.words.min() == 'a'", ""},
        {CU, "cidr('10.0.0.0/8').containsIP('10.0.0')",
         "30: type conversion error from string '10.0.0' to ip"},
    };
    EXPECT_ALL(rows);
}

static void test_equality(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.spec.size == '3'",
         "18: found no matching overload for '_==_' applied to '(int, string)'"},
        {CU, "object.spec.size != '3'",
         "18: found no matching overload for '_!=_' applied to '(int, string)'"},
        {CU, "object.spec.size == 3.0 && object.spec.size == 3u", ""},
        {CU, "object.spec == null || object.spec.words == null", ""},
        {CU, "object.spec.part == []",
         "18: found no matching overload for '_==_' applied to '(Thing.spec.part, list(dyn))'"},
        {CU, "object.spec.part == {}", ""},
        {CU, "object.spec.port == 1 || object.spec.port == '1'", ""},
        {CU, "object.spec.port == true",
         "18: found no matching overload for '_==_' applied to '(int or string, bool)'"},
        {CU, "object.spec.limit == '1Gi'", ""},
        {CU, "object.spec.limit == 1",
         "19: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "object.spec.?name == 'x'",
         "19: found no matching overload for '_==_' applied to '(optional_type(string), string)'"},
        {CU, "object.spec.words == object.spec.parts", ""},
        {CU, "object.spec.name in ['a', 'b']", ""},
        {CU, "object.spec.size in ['a', 'b']",
         "18: found no matching overload for '@in' applied to '(int, list(string))'"},
        {CU, "object.spec.size in []", ""},
        /* they may be null, which equals neither */
        {CU, "object.spec.nothing == 1 || object.spec.nothing in [1]",
         "21: found no matching overload for '_==_' applied to '(string, int)'; 49: found no matching "
         "overload for '@in' applied to '(string, list(int))'"},
        {CU, "'x' in object.spec.holes || object.spec.holes[0] == 1",
         "50: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "object.spec.nothing == null || object.spec.holes[0] == null || null in object.spec.holes", ""},
        {CU, "(object.spec.size > 1 ? dyn(null) : 'x') == object.spec.size",
         "42: found no matching overload for '_==_' applied to '(string, int)'"},
        /* the keys of any JSON are strings */
        {CU, "1 in object.spec.any || 'x' in object.spec.any || object.spec.any.x[1] == 1",
         "3: found no matching overload for '@in' applied to '(int, map)'"},
        {CU, "object.spec.any.all(k, k != 1)",
         "26: found no matching overload for '_!=_' applied to '(string, int)'"},
        {CU, "object.spec.words.min() == 1 || object.spec.words.max() == 'x'",
         "25: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "object.spec.parts.max() == 'x'",
         "22: found no matching overload for 'max' applied to "
         "'list(Thing.spec.parts.@idx).()'"},
        {CU, "object.spec.any == 'x'",
         "17: found no matching overload for '_==_' applied to '(map, string)'"},
        {CU, "object.spec.any.x == 'x'", ""},
        {CU, "1 in object.spec.words",
         "3: found no matching overload for '@in' applied to '(int, list(string))'"},
        {CU, "'x' in object.spec.name",
         "5: found no matching overload for '@in' applied to '(string, string)'"},
        {CU, "object.metadata.creationTimestamp == timestamp('2020-01-01T00:00:00Z')",
         "35: found no matching overload for '_==_' applied to '(string, timestamp)'"},
        {CU, "type(object.spec.port) == int && object.spec.port > 1", ""},
        {CU, "type(object.spec.name) == int && object.nope == 1", ""},
    };
    EXPECT_ALL(rows);
}

static void test_operands(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.spec.parts + object.spec.others == []", ""},
        {CU, "(object.spec.parts + object.spec.others).all(p, p.name != '')", ""},
        {CU, "(object.spec.parts + object.spec.others).all(p, p.weight > 1)", ""},
        {CU, "(object.spec.parts + object.spec.others).all(p, p.nope > 1)", "50: undefined field 'nope'"},
        {CU, "object.spec.words + 'x' == []",
         "19: found no matching overload for '_+_' applied to '(list(string), string)'"},
        {CU, "object.spec.size + 1.5 > 2.0",
         "18: found no matching overload for '_+_' applied to '(int, double)'"},
        {CU, "object.spec.size > 0.5 && object.spec.price > 1", ""},
        {CU, "object.spec.price + 1.0 > 1.0", ""},
        {CU, "object.spec.name > 1", "18: found no matching overload for '_>_' applied to '(string, int)'"},
        {CU, "object.spec.size / 0 == 1", "18: division by zero"},
        {CU, "object.spec.size % 0 == 1", "18: modulus by zero"},
        {CU, "object.spec.price / 0.0 == 1.0", ""},
        {CU, "object.spec.size.startsWith('x')",
         "28: found no matching overload for 'startsWith' applied to 'int.(string)'"},
        {CU, "string(object.metadata.labels) == ''",
         "7: found no matching overload for 'string' applied to '(map(string, string))'"},
        {CU, "object.spec.limit > 1", "19: found no matching overload for '_>_' applied to '(string, int)'"},
        {CU, "quantity(object.spec.limit).isGreaterThan(quantity('1Gi'))", ""},
        {CU, "quantity('1').isGreaterThan(ip('1.1.1.1'))",
         "28: found no matching overload for 'isGreaterThan' applied to "
         "'kubernetes.Quantity.(net.IP)'"},
        {CU, "object.metadata.creationTimestamp.getFullYear() > 2000",
         "46: found no matching overload for 'getFullYear' applied to 'string.()'"},
        {CU, "timestamp(object.metadata.creationTimestamp).getFullYear() > 2000", ""},
        {CU, "object.spec.words.map(w, w.size()).sum() > 1", ""},
        {CU, "object.spec.words.filter(w, w == 'x')[0] > 1",
         "42: found no matching overload for '_>_' applied to '(string, int)'"},
        {CU, "object.spec.any.x + 1 > 2", ""},
        {CU, "object.spec.words.join(',') > 1",
         "29: found no matching overload for '_>_' applied to '(string, int)'"},
    };
    EXPECT_ALL(rows);
}

static void test_logic(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.nope == 1 || true", ""},
        {CU, "object.nope == 1 || false", "7: undefined field 'nope'"},
        {CU, "true || object.nope == 1", ""},
        {CU, "object.nope == 1 && false", ""},
        {CU, "object.nope == 1 ? true : true", "7: undefined field 'nope'"},
        {CU, "object.spec.open ? object.nope == 1 : true", "26: undefined field 'nope'"},
        {CU, "object.spec.size || true", ""},
        {CU, "object.spec.size && object.spec.open", "12: expected type 'bool' but found 'int'"},
        {CU, "object.spec.size != null || object.nope == 1", ""}, /* come to only behind an error */
        {CU, "object.nope == 1 || object.nada == 1", "7: undefined field 'nope'; 27: undefined field 'nada'"},
        {CU, "!object.spec.size", "1: found no matching overload for '!_' applied to '(int)'"},
        {CU, "object.spec.part != null || object.spec.part.name == 'x'", ""},
        {CU, "object.spec.nothing != null || object.spec.nothing.size() == 1",
         "56: found no matching overload for 'size' applied to 'null.()'"},
    };
    EXPECT_ALL(rows);
}

static void test_macros(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.spec.parts.all(p, p.nope == 1)", "27: undefined field 'nope'"},
        {CU, "object.spec.parts.exists(p, p.nope == 1 || true)", ""},
        {CU, "object.spec.parts.exists_one(p, p.name == 1)",
         "40: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "object.spec.name.all(c, c == 'x')",
         "12: expression of type 'string' cannot be range of a comprehension (must be list, map, or "
         "dynamic)"},
        {CU, "object.spec.parts.all(p, p.image)", "27: expected type 'bool' but found 'string'"},
        {CU, "object.spec['$odd'].all(c, c == 'x')",
         "12: expression of type 'string' cannot be range of a comprehension (must be list, map, or "
         "dynamic)"},
        {CU, "object.metadata.labels.all(k, k.startsWith('a'))", ""},
        {CU, "object.metadata.labels.exists(k, k > 1)",
         "36: found no matching overload for '_>_' applied to '(string, int)'"},
        {CU, "object.spec.parts.map(p, p.name).exists(n, n == 1)",
         "46: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "object.spec.parts.map(p, has(p.image), p.image).all(i, i != '')", ""},
        {CU, "object.spec.words.transformMap(i, w, w).all(k, k > 'x')",
         "50: found no matching overload for '_>_' applied to '(int, string)'"},
        {CU, "object.spec.?part.optMap(p, p.nope).hasValue()", "30: undefined field 'nope'"},
        {CU, "object.spec.?nope.optMap(p, p.nope).hasValue()", ""},
        {CU, "[1, 2].all(i, i > 0) && object.nope == 1", "31: undefined field 'nope'"},
        {CU, "[1, 2].all(i, i * 2 > 0) && object.nope == 1", ""},
        {CU, "[object.kind, object.spec.name].filter(i, true).size() == 2 && object.nope == 1",
         "70: undefined field 'nope'"},
        {CU, "size([]) == 1 && object.nope == 1", ""},
        {CU, "object.spec.parts.flatten().size() > 1 && object.nope == 1", "49: undefined field 'nope'"},
        {CU, "[object.spec.words].flatten()[0] == 1",
         "34: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "[].all(i, i.nope) && object.nope == 1", "28: undefined field 'nope'"},
        {CU, "object.spec.parts.sortBy(p, p.name)[0].nope == 1", "39: undefined field 'nope'"},
    };
    EXPECT_ALL(rows);
}

/* What the type alone decides: known where it is computed, and else nothing is told of what it decides. */
static void test_fixed(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.kind.matches('^(Thing|Other)$') && object.nope == 1", "49: undefined field 'nope'"},
        {CU, "object.kind.matches('Oth|^Thi') && object.nope == 1", "42: undefined field 'nope'"},
        {CU, "object.kind.matches('^Other$') && object.nope == 1", ""},
        {CU, "object.kind.matches('^Th.*g$') && object.nope == 1", ""},
        {CU, "object.apiVersion.split('/')[0] == 'g' && object.nope == 1", "49: undefined field 'nope'"},
        {CU, "object.apiVersion.split('/')[1] == 'g' && object.nope == 1", ""},
        {CU, "object.apiVersion.split('/').size() == 2 && object.nope == 1", "51: undefined field 'nope'"},
        {CU, "object.kind.size() > 4 && object.nope == 1", "33: undefined field 'nope'"},
        {CU, "object.kind.size() <= 4 && object.nope == 1", ""},
        {CU, "object.kind < 'U' && object.kind >= 'T' && object.nope == 1", "50: undefined field 'nope'"},
        {CU, "object.kind.substring(1) == 'hing' && object.nope == 1", "45: undefined field 'nope'"},
        {CU, "object.kind.substring(1, 3) == 'hi' && object.nope == 1", "46: undefined field 'nope'"},
        {CU, "object.kind.replace('hi', 'o') == 'Tong' && object.nope == 1", "51: undefined field 'nope'"},
        {CU, "object.kind.indexOf('n') == 3 && object.nope == 1", "40: undefined field 'nope'"},
        {CU, "(' ' + object.kind).trim() == 'Thing' && object.nope == 1", "48: undefined field 'nope'"},
        {CU, "object.kind.find('^.') == 'T' && object.nope == 1", ""},
        {CU, "object.kind.charAt(0) == 'T' && object.nope == 1", "39: undefined field 'nope'"},
        {CU, "object.kind.charAt(4) == 'g' && object.kind.charAt(5) == '' && object.nope == 1",
         "70: undefined field 'nope'"},
        {CU, "object.kind.charAt(1) == 'T' && object.nope == 1", ""},
        {CU, "bytes(object.kind) == b'Thing' && object.nope == 1", "41: undefined field 'nope'"},
        {CU, "bytes(object.kind) == b'thing' && object.nope == 1", ""},
        {CU, "bytes(bytes(object.kind)).size() == 5 && object.nope == 1", "48: undefined field 'nope'"},
        {CU, "string(object.kind) == 'Thing' && object.nope == 1", "41: undefined field 'nope'"},
        {CU, "!isURL(object.kind) && object.nope == 1", "30: undefined field 'nope'"},
        {CU, "isURL('/' + object.kind) && object.nope == 1", "35: undefined field 'nope'"},
        {CU, "(isURL('') || isURL(object.kind)) && object.nope == 1", ""},
        {CU, "(isURL('//a') || isURL('a:b') || isURL('/%')) && object.nope == 1", ""},
        {CU, "object.spec.?nope.orValue([1, 2]) == [1, 2] && object.nope == 1", "54: undefined field 'nope'"},
        {CU, "object.apiVersion.split('/') == ['g'] && object.nope == 1", ""},
        {CU, "[object.spec.size, 1] == [2, 1] && object.nope == 1", "42: undefined field 'nope'"},
        /* in doubt as to the one, but an object can decide it all the same */
        {CU, "(object.kind.find('^.') == 'T' || object.spec.size > 1) && object.nope == 1",
         "66: undefined field 'nope'"},
        {CU, "!(object.kind.find('^.') == 'T' || object.spec.size > 1) && object.nope == 1", ""},
        {CU, "(object.kind.find('^.') == 'T' && object.spec.size > 1) || object.nope == 1",
         "66: undefined field 'nope'"},
        {CU, "(object.spec.size > 1 ? object.kind.find('^.') == 'T' : object.spec.open) && object.nope == 1",
         "84: undefined field 'nope'"},
        {CU, "(object.kind.find('^.') == 'T' ? object.spec.size > 1 : object.spec.open) && object.nope == 1",
         ""},
    };
    EXPECT_ALL(rows);
}

static void test_optionals(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.spec.?name.orValue('x') == 1",
         "32: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "object.spec.?words.orValue({}).exists(w, w == 'x')", ""},
        {CU, "object.spec.name.hasValue()",
         "26: found no matching overload for 'hasValue' applied to 'string.()'"},
        {CU, "object.spec.?nope.value() == 1", "24: optional.none() dereference"},
        {CU, "optional.of(object.nope).orValue(1) == 1", "19: undefined field 'nope'"},
        {CU, "object.spec.?name.orValue(object.nope) == 'x'", "33: undefined field 'nope'"},
        {CU, "object.spec.?needed.orValue(object.nope) == 'x'", ""},
        {CU, "[?object.spec.?name].size() == 1", ""},
        {CU, "[?object.spec.?needed][0] == 1",
         "27: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "[?object.spec.?nope, ?object.spec.?needed][0] == 1",
         "47: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "[?object.spec.?name, dyn(1)][0] == 1", ""},
        {CU, "{?'a': object.spec.?needed}.a == 1",
         "31: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "{?'a': object.spec.?needed}.?a.orValue(1) == 1",
         "43: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "{?'a': object.spec.?name}.?a.orValue('') == 1",
         "42: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "{?'a': object.spec.?name}.?a.orValue(1) == 1", ""},
        {CU, "{?'a': object.spec.?nope}.a == 1", "26: undefined field 'a'"},
        {CU, "has({?'a': object.spec.?needed}.a) || object.nope == 1", ""},
        {CU, "has({?'a': object.spec.?nope}.a) && object.nope == 1", ""},
        {CU, "{?'a': object.spec.?nope, 'a': dyn(1)}.a == 1", ""},
        {CU, "{?'a': object.spec.?name, 'a': dyn(1)}.a == 1", ""},
        {CU, "object.spec.?words[0].orValue('') == 'x'", ""},
        {CU, "object.spec.?words[0].orValue('') == 1",
         "35: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "object.?spec.?words[?0].orValue('') == 1",
         "37: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "object.?spec[?'words'].?nope.hasValue()", ""},
        {CU, "object.?spec.?parts[0].?nope.hasValue()", ""},
    };
    EXPECT_ALL(rows);
}

/* Until cel-go 0.28 `or` and `orValue` are nothing on what is no optional. */
static void test_or_of_no_optional(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.spec.words.orValue([]).size() > 0",
         "26: found no matching overload for 'orValue' applied to 'list(string).(list(dyn))'"},
        {CU, "object.spec.size.orValue(3) == 1",
         "25: found no matching overload for 'orValue' applied to 'int.(int)'"},
        {CU, "object.spec.name.or(optional.of('x')).orValue('') == 'x'",
         "20: found no matching overload for 'or' applied to 'string.(optional_type(string))'"},
        {CU, "object.spec.any.x.orValue(3) == 1",
         "26: found no matching overload for 'orValue' applied to 'dyn.(int)'"},
        {CU, "object.spec.size > 1 || object.spec.size.orValue(object.nope) == 1",
         "49: found no matching overload for 'orValue' applied to 'int.(!error!)'"},
        {CU, "(object.spec.open ? dyn(object.spec.?name) : dyn('x')).orValue('') == 'x'", ""},
        {CU, "[dyn(1), dyn(optional.of(1))].exists(x, x.orValue(1) == 1)", ""},
        {CU, "object.spec.?words.orValue([]).orValue([]).size() > 0",
         "39: found no matching overload for 'orValue' applied to 'list(string).(list(dyn))'"},
        {CU, "object.nope.orValue(1) == 1", "7: undefined field 'nope'"},
    };
    static const struct expected before[] = {
        {CU, "object.spec.words.orValue([]).size() > 0", ""},
        {CU, "object.spec.size.orValue(3) == 1", ""},
        {CU, "object.spec.size.orValue('x') == 'x'",
         "31: found no matching overload for '_==_' applied to '(int, string)'"},
    };
    EXPECT_ALL(rows);
    struct apidoc d = *(const struct apidoc *)*state;
    d.env = env_new(ENV_NEWEST_LEVEL, celgo_of(27));
    assert_non_null(d.env);
    expect_all(&d, before, sizeof before / sizeof *before);
    env_free(d.env);
}

/* Up to Kubernetes 1.36 the request has them, which dyn() reaches. */
static void test_objects_of_the_request(void **state)
{
    static const struct expected rows[] = {
        {CU, "dyn(request).object == null", "13: undefined field 'object'"},
        {CU, "!has(dyn(request).oldObject) || dyn(request).oldObject.kind == 'x'", ""},
    };
    static const struct expected before[] = {
        {CU, "dyn(request).object == null && dyn(request).oldObject == null", ""},
        {CU, "dyn(request).object.kind == 'x'", "20: undefined field 'kind': it is null here"},
        {CU, "dyn(request).nope == null", "13: undefined field 'nope'"},
    };
    EXPECT_ALL(rows);
    struct apidoc d = *(const struct apidoc *)*state;
    d.env = env_new(36, celgo_in(36));
    assert_non_null(d.env);
    expect_all(&d, before, sizeof before / sizeof *before);
    env_free(d.env);
}

/* A row fails in the object of a built-in kind since Kubernetes 1.37, and passes in every other. */
static void test_typed_objects(void **state)
{
    static const struct expected rows[] = {
        {ALL, "object == null || object.spec.parts[0u].name == 'a'",
         "36: found no matching overload for '_[_]' applied to '(list(Built.spec.parts.@idx), uint)'"},
        {CU, "object.spec.parts[dyn(0u)].name == 'a'",
         "18: found no matching overload for '_[_]' applied to '(list(Built.spec.parts.@idx), uint)'"},
        {CU, "object.spec.parts[0.0].name == 'a'",
         "18: found no matching overload for '_[_]' applied to '(list(Built.spec.parts.@idx), double)'"},
        {CU, "object.metadata.labels[?1].orValue('a') == 'a'",
         "23: found no matching overload for '_[?_]' applied to '(map(string, string), int)'"},
    };
    static const struct expected fine[] = {
        {CU, "object.spec.parts[0].name == 'a'", ""},
        {CU, "object.spec.parts[int(1.0)].name == 'a'", ""},
        {CU, "object.spec.any.x[0u] == 'a'", ""},
        {CU, "object.spec.parts.filter(p, p.name == 'a')[dyn(0u)].name == 'a'", ""},
        {CU, "(object.spec.parts + [])[dyn(0u)].name == 'a'", ""},
        {CU, "object.spec.parts.map(p, p)[dyn(0.0)].name == 'a'", ""},
        {CU, "object.metadata.?labels[?'a'].orValue('a') == 'a'", ""},
    };
    size_t count = sizeof rows / sizeof *rows, fine_count = sizeof fine / sizeof *fine;
    struct apidoc d = *(const struct apidoc *)*state;
    struct expected passing[sizeof rows / sizeof *rows];
    for (size_t i = 0; i < count; i++)
        passing[i] = (struct expected){rows[i].operations, rows[i].expression, ""};
    expect_of_kind(&d, "Built", rows, count);
    expect_of_kind(&d, "Built", fine, fine_count);
    expect_all(&d, passing, count);
    d.env = env_new(36, celgo_in(36));
    assert_non_null(d.env);
    expect_of_kind(&d, "Built", passing, count);
    env_free(d.env);
}

static struct policy_expression at_place(enum policy_place place, const char *name, const char *text)
{
    return (struct policy_expression){.place = place, .name = str_of(name), .text = str_of(text)};
}

#define EXPECT_POLICY(operations, subresource, issues, ...)                                                  \
    do {                                                                                                     \
        const struct policy_expression list[] = {__VA_ARGS__};                                               \
        struct typecheck_result r;                                                                           \
        char got[2048];                                                                                      \
        check_policy(*state, operations, subresource, list, sizeof list / sizeof *list, &r);                 \
        print_issues(&r, got, sizeof got);                                                                   \
        typecheck_result_deinit(&r);                                                                         \
        assert_string_equal(got, issues);                                                                    \
    } while (0)

#define VALIDATION(text)     at_place(POLICY_VALIDATION, "", text)
#define MESSAGE(text)        at_place(POLICY_MESSAGE, "", text)
#define CONDITION(text)      at_place(POLICY_MATCH_CONDITION, "", text)
#define VARIABLE(name, text) at_place(POLICY_VARIABLE, name, text)
#define AUDIT(text)          at_place(POLICY_AUDIT_ANNOTATION, "", text)

static void test_match_conditions(void **state)
{
    EXPECT_POLICY(CU, "", "", VALIDATION("object.nope == 1"), CONDITION("object.kind == 'Other'"));
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("object.nope == 1"),
                  CONDITION("object.kind == 'Thing'"));
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("true"), CONDITION("object.nope == 1"));
    /* a false one wins over the errors of the others */
    EXPECT_POLICY(CU, "", "", VALIDATION("true"), CONDITION("object.nope == 1"), CONDITION("false"));
    EXPECT_POLICY(ALL, "", "10: undefined field 'spec': oldObject is null on CREATE",
                  VALIDATION("oldObject.spec.size == 1"), CONDITION("request.operation == 'CREATE'"));
    EXPECT_POLICY(ALL, "", "", VALIDATION("object.spec.size == 1"),
                  CONDITION("request.operation != 'DELETE'"));
    EXPECT_POLICY(ALL, "", "7: undefined field 'spec': object is null on DELETE", VALIDATION("true"),
                  CONDITION("object.spec.size == 1"));
    EXPECT_POLICY(CU, "", "12: undefined field 'part': has(object.spec.part) is false here",
                  VALIDATION("object.spec.part.name == ''"), CONDITION("!has(object.spec.part)"));
    EXPECT_POLICY(CU, "", "", VALIDATION("namespaceObject.metadata.name == ''"),
                  CONDITION("namespaceObject == null"));
}

static void test_variables(void **state)
{
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("variables.a == 1"),
                  VARIABLE("a", "object.nope"));
    EXPECT_POLICY(CU, "", "", VALIDATION("true || variables.a == 1"), VARIABLE("a", "object.nope"));
    EXPECT_POLICY(CU, "", "", VALIDATION("variables.a == 1 || true"), VARIABLE("a", "object.nope"));
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("variables.b == 1"),
                  VARIABLE("a", "object.nope"), VARIABLE("b", "variables.a"));
    EXPECT_POLICY(CU, "", "15: undefined field 'nope'", VALIDATION("variables.part.nope == 1"),
                  VARIABLE("part", "object.spec.part"));
    EXPECT_POLICY(CU, "", "", VALIDATION("variables.isOther ? object.nope == 1 : true"),
                  VARIABLE("isOther", "object.kind == 'Other'"));
    /* on CREATE first used behind an error that the operations after it do not have, then behind none */
    EXPECT_POLICY(
        ALL, "", "10: undefined field 'spec': oldObject is null on CREATE; 7: undefined field 'nope'",
        VALIDATION("oldObject.spec.size > 0 && (request.operation != 'CREATE' || variables.a == 1)"),
        VALIDATION("request.operation != 'CREATE' || variables.a == 1"), VARIABLE("a", "object.nope"));
}

static void test_messages(void **state)
{
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("object.spec.open"),
                  MESSAGE("object.nope"));
    EXPECT_POLICY(CU, "", "", VALIDATION("true"), MESSAGE("object.nope"));
    EXPECT_POLICY(CU, "", "12: undefined field 'part': has(object.spec.part) is false here",
                  VALIDATION("has(object.spec.part)"), MESSAGE("object.spec.part.name"));
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("true"), AUDIT("object.nope"));
}

static void test_subresources(void **state)
{
    EXPECT_POLICY(CU, "scale", "", VALIDATION("request.subResource == 'scale' || object.nope == 1"));
    EXPECT_POLICY(CU, "scale", "41: undefined field 'nope'",
                  VALIDATION("request.subResource == 'scale' && object.nope == 1"));
}

/* Which kinds of request fail. */
static void test_kinds_of_request(void **state)
{
    static const struct {
        const char *resource, *subresource;
        unsigned operations;
    } requests[] = {{"others", "", CU}, {"others", "status", U}, {"things", "", ALL}, {"things", "parts", U}};
    static const struct {
        const char *expression, *issues;
    } rows[] = {
        {"request.subResource != 'parts'", "8: undefined field 'subResource' for others and things"},
        {"request.subResource == 'parts' || object.spec.size > 1",
         "8: undefined field 'subResource' for others and things; "
         "41: undefined field 'spec': object is null on DELETE"},
        {"has(request.subResource) || oldObject.spec.size > 1",
         "38: undefined field 'spec': oldObject is null on CREATE"},
        {"oldObject != null || request.resource.resource == 'things' || request.subResource != 'x'",
         "70: undefined field 'subResource'"},
        {"request.operation == 'CREATE' || request.subResource != 'x'",
         "41: undefined field 'subResource' on UPDATE of others, and on UPDATE and DELETE of things"},
        {"request.resource.resource == 'others' ? oldObject.spec.size > 1 : true",
         "50: undefined field 'spec': oldObject is null on CREATE of others"},
        {"object.nope == 1", "7: undefined field 'nope'"},
        {"!(request.resource.resource == 'things' && !has(request.subResource)) || object.nope == 1",
         "80: undefined field 'nope'"},
    };
    struct apidoc *d = *state;
    struct policy_request list[4];
    bool is_wrong = false;
    for (size_t i = 0; i < 4; i++)
        list[i] = (struct policy_request){.group = STR("g"),
                                          .version = STR("v1"),
                                          .resource = str_of(requests[i].resource),
                                          .subresource = str_of(requests[i].subresource),
                                          .is_namespaced = true,
                                          .operations = requests[i].operations};
    struct policy_type type = apidoc_type(d, "Thing");
    type.requests = list;
    type.request_count = 4;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct policy_expression e = {.place = POLICY_VALIDATION, .text = str_of(rows[i].expression)};
        struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                          .expressions = &e,
                                          .expression_count = 1,
                                          .types = &type,
                                          .type_count = 1};
        struct typecheck_result r;
        typecheck_policy(d->env, &policy, &r);
        is_wrong = is_other(rows[i].expression, rows[i].issues, &r) || is_wrong;
    }
    assert_false(is_wrong);
}

/* What the API server refuses at create is told in dead code, too. */
static void test_refused(void **state)
{
    static const struct expected rows[] = {
        {CU, "false && nope()", "14: undeclared reference to 'nope' (in container '')"},
        {CU, "true || 1 + 'a' == 2", "11: found no matching overload for '_+_' applied to '(int, string)'"},
        {CU, "false && duration('1 hour') > duration('1h')", "19: invalid duration argument"},
    };
    EXPECT_ALL(rows);
}

static void test_hints(void **state)
{
    static const struct {
        const char *expression, *hint;
    } rows[] = {
        {"object.size > 1", "did you mean 'spec.size'?"},
        {"object.spec.sise > 1", "did you mean 'size'?"},
        {"object.spec.parts.all(p, p.imgae == '')", "did you mean 'image'?"},
        {"object.spec.zzzzzz > 1", ""},
        {"request.operatoin == 'x'", "did you mean 'operation'?"},
        {"object.name == 'x'", ""}, /* metadata.name or spec.name */
        {"object.spec['sise'] > 1", "did you mean 'size'?"},
        {"object.metadata.creationTimestamp == timestamp('2020-01-01T00:00:00Z')",
         "a string at run time: wrap it in timestamp()"},
        {"object.metadata.creationTimestamp < timestamp('2020-01-01T00:00:00Z')",
         "a string at run time: wrap it in timestamp()"},
        {"object.metadata.creationTimestamp.getFullYear() > 1",
         "a string at run time: wrap it in timestamp()"},
        {"object.spec.limit.isGreaterThan(quantity('1Gi'))", "a string at run time: wrap it in quantity()"},
        {"object.spec.name > 1", ""},
        {"object.spec.size.orValue(3) == 1", "did you mean '.?size'?"},
        {"object.spec.part.orValue({}) == {}", "did you mean '.?part'?"},
        {"object.spec['name'].orValue('') == ''", ""},
        {"object.metadata.labels.`a/b`.orValue('') == ''", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct policy_expression e = at_place(POLICY_VALIDATION, "", rows[i].expression);
        struct typecheck_result r;
        check_policy(*state, CU, "", &e, 1, &r);
        assert_int_equal(r.warning_count, 1);
        assert_string_equal(r.warnings[0].hint.at, rows[i].hint);
        typecheck_result_deinit(&r);
    }
}

/* Loops within loops over what is known end, and so does the knowledge. */
static void test_many_steps(void **state)
{
    char text[4096] = "";
    for (size_t i = 0; i < 5; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16].all(x%zu, ", i);
    }
    strncat(text, "object.nope == 1)))))", sizeof text - strlen(text) - 1);
    EXPECT_POLICY(CU, "", "", VALIDATION(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_selections),
        cmocka_unit_test(test_has),
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_logic),
        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_optionals),
        cmocka_unit_test(test_or_of_no_optional),
        cmocka_unit_test(test_objects_of_the_request),
        cmocka_unit_test(test_typed_objects),
        cmocka_unit_test(test_match_conditions),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_subresources),
        cmocka_unit_test(test_kinds_of_request),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_many_steps),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
