#include "typecheck/eval/context.h"

#include "typecheck/base/arena.h"

struct site eval_context_site(const struct eval_context *e, const struct node *n)
{
    return (struct site){.expression = e->expression, .node = n, .offset = n->offset};
}

struct site eval_context_operand(const struct eval_context *e, const struct node *n,
                                 const struct node *around)
{
    return (struct site){
        .expression = e->expression, .node = n, .is_operand = true, .offset = around->offset};
}

struct site eval_context_entry(const struct eval_context *e, const struct entry *field)
{
    return (struct site){
        .expression = e->expression, .node = field->value, .is_operand = true, .offset = field->offset};
}

const struct absval *eval_context_fail(struct eval_context *e, struct site site,
                                       const struct failure *failure)
{
    if (!e->scope.unknown)
        findings_fail(e->findings, site, e->scope.behind, failure);
    return &absval_error;
}

const struct absval *eval_context_error(struct eval_context *e, struct site site, enum issue_code code,
                                        const struct str *message, size_t parts)
{
    return eval_context_fail(e, site,
                             &(struct failure){.code = code, .message = str_join(e->arena, message, parts)});
}

void eval_context_pass(struct eval_context *e, struct site site)
{
    if (!e->scope.hypothetical)
        findings_pass(e->findings, site);
}

const struct absval *eval_context_end(struct eval_context *e, const struct node *n, struct transfer t)
{
    struct site site = eval_context_site(e, n);
    if (t.failure == NULL)
        eval_context_pass(e, site);
    else
        eval_context_fail(e, site, t.failure);
    if (!e->scope.hypothetical)
        findings_claim(e->findings, site, t.claim, !e->scope.unknown);
    return t.value;
}

void eval_context_go_past(struct eval_context *e, const struct absval *v, size_t mark)
{
    if (!v->is_error)
        return;
    const struct site *failed = findings_failed(e->findings, mark);
    if (failed != NULL)
        e->scope.behind = failed;
    else
        e->scope.unknown = true; /* the error is known to pass elsewhere */
}
