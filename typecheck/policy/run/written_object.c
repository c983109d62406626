#include "typecheck/policy/run/written_object.h"

#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/sent_object.h"
#include "typecheck/cel/interpreter/values/value_text.h"

bool written_object(struct arena *a, struct str json, const struct policy_run_type *type, struct str *out)
{
    const struct value *v = json_value_read(a, json);
    v = v == NULL ? NULL : sent_object_complete(a, v, type->doc, type->root);
    if (v == NULL)
        return false;
    *out = value_literal(a, v);
    return true;
}
