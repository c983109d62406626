#include "cmd/kubectl-vapcheck/test/runner/testcontext.h"

#include "bytes/budget.h"
#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/test/runner/objectschema.h"

bool testcontext_has_steps(const struct testcontext *context, const struct testcase *test,
                           struct testresult *out)
{
    return *context->steps_left >= TESTCONTEXT_TEST_STEPS ||
           testresult_break(out, test->place,
                            mem_strdup("all tests together take too much work: this one was not run"));
}

void testcontext_pay(const struct testcontext *context, uint64_t steps)
{
    budget_pay(context->steps_left, steps + TESTCONTEXT_TEST_STEPS);
}

bool testcontext_check_object(const struct testcontext *context, struct testobject *object,
                              struct testresult *out)
{
    if (context->suite->ignores_schemas)
        return true;
    objectschema_check(object, context->schemas);
    return object->problem == NULL ||
           testresult_break(out, (struct testplace){object->place.file, object->problem_at},
                            mem_printf("no server takes the object: %s", object->problem));
}

struct policy_run_type testcontext_type(const struct testcontext *context, struct json_object *object)
{
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(object, "apiVersion"));
    return schemas_type(context->schemas, gv.group, gv.version, jsonval_string_or_empty(object, "kind"));
}
