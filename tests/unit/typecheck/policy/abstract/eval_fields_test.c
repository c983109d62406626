/* The fields that an expression may read: selections, indexes, has() and optionals. */
#include "typecheck/policy/abstract/eval_policy.h"

#include "tests/unit/typecheck/policy/abstract/thing.h"

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

/* What a key that is not known finds in an object of known fields is any of these. */
static void test_unknown_keys(void **state)
{
    static const struct expected rows[] = {
        {CU, "object.spec.part[object.metadata.name] == 1",
         "40: found no matching overload for '_==_' applied to '(string, int)'"},
        {CU, "object.spec.part.all(k, object.spec.part[k] > 1)",
         "45: found no matching overload for '_>_' applied to '(string, int)'"},
        {CU, "object.spec.part.all(k, v, v > 1)",
         "30: found no matching overload for '_>_' applied to '(string, int)'"},
        {CU, "object.spec.part.transformList(k, v, v.size() + 'a').size() > 0",
         "47: found no matching overload for '_+_' applied to '(int, string)'"},
        {CU, "object.spec[object.metadata.name] == 1", ""},
        {CU, "object.spec[object.metadata.name].nope == 1", ""},
        {CU, "object.spec.any[object.metadata.name] > 1", ""},
        {CU, "object.metadata[object.metadata.name] == 1",
         "39: found no matching overload for '_==_' applied to '(string or map(string, string), int)'"},
        {CU, "object[object.metadata.name] + 'a' == 'a'", ""},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_selections),
        cmocka_unit_test(test_has),
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_unknown_keys),
        cmocka_unit_test(test_optionals),
        cmocka_unit_test(test_or_of_no_optional),
        cmocka_unit_test(test_objects_of_the_request),
        cmocka_unit_test(test_typed_objects),
    };
    return cmocka_run_group_tests(tests, thing_setup, apidoc_teardown);
}
