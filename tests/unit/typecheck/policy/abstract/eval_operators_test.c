/* What operators and macros do with the values of fields. */
#include "typecheck/policy/abstract/eval_policy.h"

#include "tests/unit/typecheck/policy/abstract/thing.h"

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

/* Such a value on the left of == fails on what is of another type, but for null; != is true. */
static void test_equality_of_own_types(void **state)
{
    static const struct expected rows[] = {
        /* if == fails, what stands behind it is reported; if == is false, the negation decides */
        {CU, "!(quantity('1') == object.spec.limit) || object.nope",
         "17: found no matching overload for '_==_' applied to '(kubernetes.Quantity, string)'; 48: "
         "undefined field 'nope'"},
        {CU, "!(object.spec.limit == quantity('1')) || object.nope",
         "21: found no matching overload for '_==_' applied to '(string, kubernetes.Quantity)'"},
        {CU, "quantity('1') != object.spec.limit || object.nope",
         "15: found no matching overload for '_!=_' applied to '(kubernetes.Quantity, string)'"},
        {CU, "!(ip('1.1.1.1') == dyn(cidr('1.0.0.0/8'))) || object.nope",
         "17: found no matching overload for '_==_' applied to '(net.IP, net.CIDR)'; 53: undefined field "
         "'nope'"},
        {CU, "!(cidr('1.0.0.0/8') == object.spec.size) || object.nope",
         "21: found no matching overload for '_==_' applied to '(net.CIDR, int)'; 51: undefined field "
         "'nope'"},
        {CU, "!(semver('1.0.0') == object.spec.name) || object.nope",
         "19: found no matching overload for '_==_' applied to '(kubernetes.Semver, string)'; 49: undefined "
         "field 'nope'"},
        {CU, "!(authorizer.group('') == object.spec.name) || object.nope",
         "24: found no matching overload for '_==_' applied to '(kubernetes.authorization.GroupCheck, "
         "string)'; 54: undefined field 'nope'"},
        {CU, "!(duration('1h') == object.spec.name) || object.nope",
         "18: found no matching overload for '_==_' applied to '(duration, string)'"},
        {CU, "!(timestamp('2020-01-01T00:00:00Z') == object.spec.name) || object.nope",
         "37: found no matching overload for '_==_' applied to '(timestamp, string)'"},
        {CU, "!(optional.of(quantity('1')) == optional.of(object.spec.name)) || object.nope",
         "30: found no matching overload for '_==_' applied to '(optional_type(kubernetes.Quantity), "
         "optional_type(string))'; 73: undefined field 'nope'"},
        {CU, "!(quantity('1') in [object.spec.limit]) || object.nope",
         "17: found no matching overload for '@in' applied to '(kubernetes.Quantity, list(string))'"},
        /* null is asked for first */
        {CU, "!(url('https://a') == null) || object.nope", ""},
        {CU, "url('https://a') == null || object.nope", "35: undefined field 'nope'"},
        /* an error of two items is no difference */
        {CU, "[quantity('1')] == [object.spec.limit] ? object.nope : true", "48: undefined field 'nope'"},
        {CU, "[quantity('1')] == [object.spec.limit] ? true : object.nope", ""},
        {CU, "[quantity('2')] == [quantity('1').add(1)] ? true : object.nope", ""},
        {CU, "[quantity('1')] == [object.spec.nothing] ? true : object.nope", "57: undefined field 'nope'"},
        /* a sum is no quantity that others equal */
        {CU, "!(quantity('2') == quantity(object.spec.limit).add(1)) || object.nope",
         "17: found no matching overload for '_==_' applied to '(kubernetes.Quantity, kubernetes.Quantity)': "
         "no quantity equals what add() or sub() returns, write it on the left; 65: undefined field 'nope'"},
        {CU, "!(quantity('2') == quantity('1').sub(1)) || object.nope",
         "17: found no matching overload for '_==_' applied to '(kubernetes.Quantity, kubernetes.Quantity)': "
         "no quantity equals what add() or sub() returns, write it on the left; 51: undefined field 'nope'"},
        {CU, "quantity(object.spec.limit).add(1) == quantity('2')", ""},
        {CU, "quantity('1').add(1) == quantity('2') || object.nope", ""},
        {CU, "quantity('2') == (object.spec.size > 1 ? quantity('1') : quantity('1').add(1))", ""},
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
        {CU, "quantity('1').isGreaterThan(quantity('1')) || object.nope", "53: undefined field 'nope'"},
        {CU, "quantity('2').isGreaterThan(quantity('1')) || object.nope", ""},
        {CU, "duration('1h') < duration('2h') ? object.nope : true", "41: undefined field 'nope'"},
        {CU, "duration('1h') > duration('2h') ? object.nope : true", ""},
        {CU, "ip('1.1.1.1') == ip('1.1.1.2') ? object.nope : true", ""},
        {CU, "quantity('1.5').asInteger() == 1", "26: cannot convert value to integer"},
        {CU, "[quantity('1')].all(q, q.isLessThan(quantity('2'))) ? object.nope : true",
         "61: undefined field 'nope'"},
        {CU, "(has(object.spec.name) ? quantity('1') : quantity('2')).isInteger() || object.nope", ""},
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
        {CU, "type(object.spec.nothing) != null_type || object.spec.nothing.size() == 1",
         "67: found no matching overload for 'size' applied to 'null.()'"},
        {CU, "null_type == type(object.spec.nothing) && object.spec.nothing.size() == 1",
         "67: found no matching overload for 'size' applied to 'null.()'"},
        {CU, "type(object.spec.nothing) == null_type || object.spec.nothing.size() == 1", ""},
        {CU, "type(object.spec.nothing) != string || object.spec.nothing.size() == 1", ""},
        {CU,
         "[string].all(null_type, type(object.spec.nothing) != null_type || object.spec.nothing.size() == 1)",
         ""},
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
        {CU, "object.spec.parts.all(p, p.image)", "27: expected type 'bool' but found 'string'"},
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
        {CU, "[1, 2].all(i, i * 2 > 0) && object.nope == 1", "35: undefined field 'nope'"},
        {CU, "[1, 2].all(i, i * 2 > 2) && object.nope == 1", ""},
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
        {CU, "object.kind.matches('^Th.*g$') && object.nope == 1", "41: undefined field 'nope'"},
        {CU, "object.kind.matches('^O.*g$') && object.nope == 1", ""},
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
        {CU, "object.kind.find('^.') == 'T' && object.nope == 1", "40: undefined field 'nope'"},
        {CU, "object.kind.find('^.') == 't' && object.nope == 1", ""},
        {CU, "object.kind.findAll('[A-Z]') == ['T'] && object.nope == 1", "48: undefined field 'nope'"},
        {CU, "'a%s'.format([object.kind]) == 'aThing' && object.nope == 1", "50: undefined field 'nope'"},
        {CU, "object.kind.lastIndexOf('') < 9 && object.nope == 1", "42: undefined field 'nope'"},
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
        {CU, "(isURL('//a') && isURL('a:b') && !isURL('/%')) && object.nope == 1",
         "57: undefined field 'nope'"},
        {CU, "(isURL('a://b') || !isURL('a://b')) && object.nope == 1", ""},
        {CU, "object.spec.?nope.orValue([1, 2]) == [1, 2] && object.nope == 1", "54: undefined field 'nope'"},
        {CU, "object.apiVersion.split('/') == ['g'] && object.nope == 1", ""},
        {CU, "[object.spec.size, 1] == [2, 1] && object.nope == 1", "42: undefined field 'nope'"},
        /* in doubt as to the one, but an object can decide it all the same */
        {CU, "(object.kind.lastIndexOf('')<9 || object.spec.size > 1) && object.nope == 1",
         "66: undefined field 'nope'"},
        {CU, "!(object.kind.lastIndexOf('')<9 || object.spec.size > 1) && object.nope == 1", ""},
        {CU, "(object.kind.lastIndexOf('')<9 && object.spec.size > 1) || object.nope == 1",
         "66: undefined field 'nope'"},
        {CU, "(object.spec.size > 1 ? object.kind.lastIndexOf('')<9 : object.spec.open) && object.nope == 1",
         "84: undefined field 'nope'"},
        {CU, "(isURL('a://' + object.kind) ? object.spec.size > 1 : object.spec.open) && object.nope == 1",
         ""},
    };
    EXPECT_ALL(rows);
}

/* Since Kubernetes 1.38, a loop over an empty text ends at once, and a comparison with NaN is false. */
static void test_before_and_since_1_38(void **state)
{
#define NO_RANGE(type)                                                                                       \
    "expression of type '" type "' cannot be range of a comprehension (must be list, map, or dynamic)"
    static const struct expected since[] = {
        {CU, "object.spec.name.all(c, c == 'x')", ""},
        {CU, "object.spec['$odd'].all(c, c == 'x')", ""},
        {CU, "dyn(bytes(object.spec.name)).map(c, c).size() == 0", ""},
        {CU, "dyn('').all(c, c.nope == 1)", ""},
        {CU, "dyn('a').all(c, true)", "4: " NO_RANGE("string")},
        {CU, "object.spec.size.all(c, true)", "12: " NO_RANGE("int")},
        {CU, "!(object.spec.name < double('NaN'))", ""},
        {CU, "double('NaN') >= object.spec.name || true", ""},
        {CU, "!(object.spec.name < double(object.spec.name))", ""},
        {CU, "!(object.spec.name < 1.0)",
         "20: found no matching overload for '_<_' applied to '(string, double)'"},
        {CU, "!(object.spec.parts < double('NaN'))",
         "21: found no matching overload for '_<_' applied to '(list(Thing.spec.parts.@idx), double)'"},
    };
    static const struct expected before[] = {
        {CU, "object.spec.name.all(c, c == 'x')", "12: " NO_RANGE("string")},
        {CU, "object.spec['$odd'].all(c, c == 'x')", "12: " NO_RANGE("string")},
        {CU, "dyn('').all(c, c.nope == 1)", "4: " NO_RANGE("string")},
        {CU, "!(object.spec.name < double('NaN'))",
         "20: found no matching overload for '_<_' applied to '(string, double)'"},
    };
#undef NO_RANGE
    EXPECT_ALL(since);
    struct apidoc d = *(const struct apidoc *)*state;
    d.env = env_new(37, celgo_in(37));
    assert_non_null(d.env);
    expect_all(&d, before, sizeof before / sizeof *before);
    env_free(d.env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equality), cmocka_unit_test(test_equality_of_own_types),
        cmocka_unit_test(test_operands), cmocka_unit_test(test_logic),
        cmocka_unit_test(test_macros),   cmocka_unit_test(test_before_and_since_1_38),
        cmocka_unit_test(test_fixed),
    };
    return cmocka_run_group_tests(tests, thing_setup, apidoc_teardown);
}
