#include "controller/match/connect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/typecheck.h"

static struct env *env;
static struct schema *options;

static int setup(void **state)
{
    (void)state;
    env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    options = connect_schemas();
    return env == NULL || options == NULL;
}

static int teardown(void **state)
{
    (void)state;
    schema_free(options);
    env_free(env);
    return 0;
}

static const struct {
    const char *kind, *expression;
    const char *issue; /* the part of the issue that is looked for; NULL if there is no issue */
} rows[] = {
    {"PodExecOptions",
     "object.stdin && object.stdout && object.stderr && object.tty && object.container == 'c' && "
     "object.command.exists(c, c.startsWith('sh')) && object.kind == 'PodExecOptions' && object.apiVersion "
     "== "
     "'v1'",
     NULL},
    {"PodExecOptions", "object.command == 'sh'",
     "found no matching overload for '_==_' applied to '(list(string), string)'"},
    {"PodExecOptions", "object.tty == 'true'",
     "found no matching overload for '_==_' applied to '(bool, string)'"},
    {"PodExecOptions", "object.metadata.name == 'p'", "undefined field 'metadata'"},
    {"PodExecOptions", "!has(object.metadata) || object.metadata.name == 'p'", NULL},
    {"PodExecOptions", "object.spec == null", "undefined field 'spec'"},
    {"PodAttachOptions",
     "object.stdin && object.stdout && object.stderr && object.tty && object.container == 'c' && object.kind "
     "!= ''",
     NULL},
    {"PodAttachOptions", "object.command == []", "undefined field 'command'"},
    {"PodPortForwardOptions", "object.ports.all(p, p > 1024) && object.apiVersion == 'v1'", NULL},
    {"PodPortForwardOptions", "object.ports[0] == '80'",
     "found no matching overload for '_==_' applied to '(int, string)'"},
    {"PodProxyOptions", "object.path.startsWith('/') && object.kind != ''", NULL},
    {"NodeProxyOptions", "object.path.startsWith('/') && object.kind != ''", NULL},
    {"ServiceProxyOptions", "object.path.startsWith('/') && object.kind != ''", NULL},
    {"ServiceProxyOptions", "object.path > 1",
     "found no matching overload for '_>_' applied to '(string, int)'"},
};

static void test_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str kind = {rows[i].kind, strlen(rows[i].kind)};
        const struct policy_type type = {.group = STR(""),
                                         .version = STR("v1"),
                                         .kind = kind,
                                         .doc = options,
                                         .node = schema_find(options, STR(""), STR("v1"), kind)};
        const struct policy_expression expression = {
            .place = POLICY_VALIDATION,
            .field_ref = STR("spec.validations[0].expression"),
            .text = {rows[i].expression, strlen(rows[i].expression)},
        };
        const struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                                .policy = {.expressions = &expression, .count = 1},
                                                .types = &type,
                                                .type_count = 1};
        struct typecheck_result result;
        assert_non_null(type.node);
        typecheck_policy(env, &policy, &result);
        const char *got = result.warning_count == 0 ? NULL : result.warnings[0].first.message.at;
        if ((got == NULL) != (rows[i].issue == NULL) || (got != NULL && strcmp(got, rows[i].issue) != 0))
            fail_msg("%s of %s: %s", rows[i].expression, rows[i].kind, got == NULL ? "no issue" : got);
        typecheck_result_deinit(&result);
    }
}

static void test_no_other_kinds(void **state)
{
    (void)state;
    assert_true(connect_brings("PodExecOptions"));
    assert_true(connect_brings("ServiceProxyOptions"));
    assert_false(connect_brings("Pod"));
    assert_false(connect_brings(""));
    assert_null(schema_find(options, STR(""), STR("v1"), STR("Pod")));
    assert_null(schema_find(options, STR("g"), STR("v1"), STR("PodExecOptions")));
    assert_null(schema_find(options, STR(""), STR("v2"), STR("PodExecOptions")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_no_other_kinds),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
