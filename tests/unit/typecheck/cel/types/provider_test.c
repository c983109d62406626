#include "typecheck/cel/types/provider.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/admission_types.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"

/* Objects of one kind: a field "in" of the same, "list" of a list of them, "__if__" a string. */
static const struct type *tree_field(const struct type *object, struct str name, struct types *ts);
static const struct object_ops tree_ops = {.field = tree_field, .escapes_keywords = true};

static const struct type *tree_object(struct types *ts, struct str parent, const char *suffix)
{
    struct str name = str_format(types_arena(ts), "%.*s%s", STR_ARG(parent), suffix);
    return types_object(ts, name, &tree_ops, NULL);
}

static const struct type *tree_field(const struct type *object, struct str name, struct types *ts)
{
    if (str_eq(name, STR("in")))
        return tree_object(ts, object->name, ".in");
    if (str_eq(name, STR("list")))
        return types_list(ts, tree_object(ts, object->name, ".list.@idx"));
    return str_eq(name, STR("if")) || str_eq(name, STR("__if__")) ? &type_string : NULL;
}

struct fixture {
    struct arena arena;
    struct env *env;
    struct types *ts;
    struct provider with, without; /* with declared objects: "Tree" and request's; without any */
    struct variable variables[3];
};

static void with_cel_go(int release, int level, void (*work)(struct fixture *f))
{
    struct fixture f = {.env = env_new(level, celgo_of(release))};
    assert_non_null(f.env);
    arena_init(&f.arena, (size_t)16 << 20);
    if (setjmp(f.arena.escape) != 0)
        fail_msg("the arena gave up");
    f.ts = types_new(&f.arena, env_types(f.env));
    f.variables[0] = (struct variable){.name = STR("i"), .type = &type_int};
    f.variables[1] =
        (struct variable){.name = STR("trees"), .type = types_list(f.ts, tree_object(f.ts, STR("Tree"), ""))};
    f.variables[2] = (struct variable){.name = STR("request"), .type = admission_types_request_type(f.ts)};
    provider_init(&f.with, f.ts, f.env, f.variables, 3);
    provider_init(&f.without, f.ts, f.env, f.variables, 1);
    work(&f);
    arena_deinit(&f.arena);
    env_free(f.env);
}

static void with_fixture(int level, void (*work)(struct fixture *f))
{
    with_cel_go(27, level, work);
}

static const struct type *type(struct fixture *f, const char *text)
{
    return text == NULL ? NULL : decl_read_type(f->ts, text, decl_types);
}

static void identifiers(struct fixture *f)
{
    static const char *const cases[][2] = {
        {"int", "int"},        {"null_type", "null"},
        {"list", "list(dyn)"}, {"google.protobuf.Timestamp", "timestamp"},
        {"type", "type"},      {"net.IP", "IP"},
        {"timestamp", NULL},   {"kubernetes.Quantity", NULL},
        {"dyn", NULL},         {"google.protobuf.Any", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_ptr_equal(provider_ident(&f->with, str_of(cases[i][0])), type(f, cases[i][1]));
}

static void structures(struct fixture *f)
{
    static const char *const messages[][2] = {
        {"google.protobuf.Any", "any"},
        {"google.protobuf.FloatValue", "wrapper(double)"},
        {"google.protobuf.Value", "dyn"},
        {"google.protobuf.NullValue", NULL},
        {"Nope", NULL},
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        assert_ptr_equal(provider_struct(&f->with, str_of(messages[i][0])), type(f, messages[i][1]));
        assert_ptr_equal(provider_struct(&f->without, str_of(messages[i][0])), type(f, messages[i][1]));
    }
    /* Kubernetes' provider knows scalars by their short names */
    assert_ptr_equal(provider_struct(&f->with, STR("timestamp")), &type_timestamp);
    assert_null(provider_struct(&f->without, STR("timestamp")));
    f->variables[0].from_schema = f->variables[0].type;
    provider_init(&f->without, f->ts, f->env, f->variables, 1);
    assert_ptr_equal(provider_struct(&f->without, STR("timestamp")), &type_timestamp);
    /* and a schema's map by the name of all maps */
    f->variables[0].from_schema = type(f, "map(string, int)");
    assert_ptr_equal(provider_struct(&f->without, STR("map")), f->variables[0].from_schema);
}

static void declared_objects(struct fixture *f)
{
    const struct type *tree = f->variables[1].type->params[0];
    assert_ptr_equal(provider_struct(&f->with, STR("Tree")), tree);
    assert_ptr_equal(provider_struct(&f->with, STR("Tree.in.in")),
                     types_object(f->ts, STR("Tree.in.in"), &tree_ops, NULL));
    assert_ptr_equal(provider_struct(&f->with, STR("Tree.list")), tree_field(tree, STR("list"), f->ts));
    assert_null(provider_struct(&f->with, STR("Tree.nope")));
    assert_null(provider_struct(&f->with, STR("Tree.if")));
    assert_null(provider_struct(&f->with, STR("Tree.")));
    assert_null(provider_struct(&f->without, STR("Tree")));
    assert_non_null(provider_struct(&f->with, STR("kubernetes.UserInfo")));
    assert_null(provider_struct(&f->with, STR("kubernetes.AdmissionRequest.userInfo")));

    f->variables[1].anonymous = true;
    assert_null(provider_struct(&f->with, STR("Tree.in")));
    f->variables[1].anonymous = false;

    f->variables[1].type = types_optional(f->ts, types_type(f->ts, tree));
    assert_ptr_equal(provider_struct(&f->with, STR("Tree")), tree);
}

static void fields(struct fixture *f)
{
    const struct type *t;
    assert_int_equal(provider_field(&f->with, STR("Tree"), STR("if"), &t), PROVIDER_FOUND);
    assert_int_equal(provider_field(&f->with, STR("Tree"), STR("nope"), &t), PROVIDER_NO_FIELD);
    assert_int_equal(provider_field(&f->with, STR("Nope"), STR("a"), &t), PROVIDER_NO_TYPE);
    assert_int_equal(provider_field(&f->with, STR("google.protobuf.Duration"), STR("nanos"), &t),
                     PROVIDER_FOUND);
    assert_ptr_equal(t, &type_int);
    assert_int_equal(provider_field(&f->with, STR("google.protobuf.Empty"), STR("a"), &t), PROVIDER_NO_FIELD);
    assert_int_equal(provider_field(&f->with, STR("map"), STR("a"), &t), PROVIDER_FOUND);
    assert_ptr_equal(t, &type_any);
    assert_int_equal(provider_field(&f->with, STR("bool"), STR("a"), &t), PROVIDER_NO_FIELD);
    assert_int_equal(provider_field(&f->without, STR("bool"), STR("a"), &t), PROVIDER_NO_TYPE);
}

static void keywords_before_1_31(struct fixture *f)
{
    const struct type *t, *tree = f->variables[1].type->params[0];
    assert_int_equal(provider_declared_field(&f->with, tree, STR("if"), &t), PROVIDER_NO_FIELD);
    assert_int_equal(provider_declared_field(&f->with, tree, STR("__if__"), &t), PROVIDER_FOUND);
    assert_int_equal(provider_declared_field(&f->with, f->variables[2].type, STR("namespace"), &t),
                     PROVIDER_FOUND);
}

static void addresses_since_1_30(struct fixture *f)
{
    assert_null(provider_ident(&f->with, STR("net.IP")));
    assert_non_null(provider_ident(&f->with, STR("optional_type")));
}

/* Kubernetes' provider is in as soon as a variable has an object anywhere in its type. */
static void objects_within(struct fixture *f)
{
    struct provider p;
    const struct type *tree = f->variables[1].type->params[0];
    struct variable v = {.name = STR("v"),
                         .type = types_optional(f->ts, types_map(f->ts, &type_string, tree))};
    provider_init(&p, f->ts, f->env, &v, 1);
    assert_true(p.has_declared);
    assert_ptr_equal(provider_struct(&p, STR("Tree")), tree);
    v.type = type(f, "Quantity");
    provider_init(&p, f->ts, f->env, &v, 1);
    assert_false(p.has_declared);
}

/* A quick no must be right. */
static void first_components(struct fixture *f)
{
    assert_true(provider_may_know(&f->with, STR("google")));
    assert_true(provider_may_know(&f->with, STR("net")));
    assert_true(provider_may_know(&f->with, STR("Tree")));
    assert_true(provider_may_know(&f->with, STR("kubernetes")));
    assert_false(provider_may_know(&f->with, STR("Tre")));
    assert_false(provider_may_know(&f->with, STR("object")));
    assert_false(provider_may_know(&f->without, STR("Tree")));
}

static void message_names(struct fixture *f)
{
    assert_true(
        str_eq(provider_message_name(f->ts, type(f, "wrapper(int)")), STR("google.protobuf.Int64Value")));
    assert_true(str_eq(provider_message_name(f->ts, type(f, "list(dyn)")), STR("google.protobuf.ListValue")));
    assert_int_equal(provider_message_name(f->ts, type(f, "list(int)")).len, 0);
    assert_int_equal(provider_message_name(f->ts, &type_int).len, 0);
    assert_ptr_equal(provider_object(f->ts, STR("google.protobuf.Int32Value")), type(f, "wrapper(int)"));
    assert_ptr_equal(provider_object(f->ts, STR("google.protobuf.NullValue")), &type_null);
    assert_ptr_equal(provider_object(f->ts, STR("A")), types_object(f->ts, STR("A"), NULL, NULL));
}

#define CASE(name, level)                                                                                    \
    static void test_##name(void **state)                                                                    \
    {                                                                                                        \
        (void)state;                                                                                         \
        with_fixture(level, name);                                                                           \
    }

CASE(identifiers, 36)
CASE(structures, 36)
CASE(declared_objects, 36)
CASE(fields, 36)
CASE(keywords_before_1_31, 30)
CASE(addresses_since_1_30, 29)
CASE(objects_within, 36)
CASE(first_components, 36)
CASE(message_names, 36)

static void older_optional(struct fixture *f)
{
    assert_null(provider_ident(&f->with, STR("optional_type")));
    assert_non_null(provider_ident(&f->with, STR("optional")));
    const struct type *made = types_optional(f->ts, &type_int);
    assert_true(type_is_optional(made));
    assert_true(str_eq(type_text(&f->arena, made), STR("optional(int)")));
}

static void test_older_optional(void **state)
{
    (void)state;
    with_cel_go(18, 30, older_optional);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identifiers),          cmocka_unit_test(test_structures),
        cmocka_unit_test(test_declared_objects),     cmocka_unit_test(test_fields),
        cmocka_unit_test(test_keywords_before_1_31), cmocka_unit_test(test_addresses_since_1_30),
        cmocka_unit_test(test_objects_within),       cmocka_unit_test(test_first_components),
        cmocka_unit_test(test_message_names),        cmocka_unit_test(test_older_optional),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
