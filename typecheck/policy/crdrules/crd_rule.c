#include "typecheck/policy/crdrules/crd_rule.h"

bool crd_rule_compile(struct compiler *c, const struct crd_rule *rule, struct crd_rule_compiled *out)
{
    static const struct cel_place_compiled nothing = {.compiles = false};
    *out = (struct crd_rule_compiled){&nothing, &nothing};
    c->scope.has_optional_old_self = rule->has_optional_old_self;
    if (rule->expression.len > 0)
        out->rule = compiler_compile(c, CEL_PLACE_RULE, rule->expression);
    if (out->rule != NULL && out->rule->compiles && rule->message_expression.len > 0)
        out->message = compiler_compile(c, CEL_PLACE_RULE_MESSAGE, rule->message_expression);
    return out->rule != NULL && out->message != NULL;
}
