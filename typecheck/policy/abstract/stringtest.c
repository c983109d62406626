#include "typecheck/policy/abstract/stringtest.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/abstract/domain/transfer.h"

bool stringtest_read(const struct node *n, struct stringtest *out)
{
    static const struct {
        struct str function;
        enum abswords_test kind;
    } rows[] = {{STR_INIT("startsWith"), ABSWORDS_STARTS},
                {STR_INIT("endsWith"), ABSWORDS_ENDS},
                {STR_INIT("contains"), ABSWORDS_CONTAINS}};
    if (n->kind != NODE_CALL || n->op != AST_FUNCTION || n->call.target == NULL || n->arg_count != 1 ||
        n->call.args[0]->kind != NODE_LITERAL || n->call.args[0]->literal.kind != LITERAL_STRING)
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!str_eq(n->call.function, rows[i].function))
            continue;
        *out = (struct stringtest){rows[i].kind, n->call.target, n->call.args[0]->literal.bytes};
        return true;
    }
    return false;
}

/* Returns true if a string that has the first property has the second one, too. */
static bool implies(const struct stringtest *one, const struct stringtest *two)
{
    const bool is_whole = one->kind == ABSWORDS_IS;
    return (is_whole || one->kind == two->kind || two->kind == ABSWORDS_CONTAINS) &&
           transfer_passes_test(two->kind, one->text, two->text);
}

/* Returns true if no string has both properties. */
static bool exclude(const struct stringtest *one, const struct stringtest *two)
{
    if (one->kind == ABSWORDS_IS || two->kind == ABSWORDS_IS)
        return one->kind == ABSWORDS_IS ? !implies(one, two) : !implies(two, one);
    return one->kind == two->kind && one->kind != ABSWORDS_CONTAINS && !implies(one, two) &&
           !implies(two, one);
}

bool stringtest_decides(struct arena *a, const struct stringtest *known, bool truth,
                        const struct stringtest *asked, bool *value)
{
    arena_step(a);
    arena_pay_bytes(a, known->text.len + asked->text.len);
    *value = truth && implies(known, asked);
    return *value || (truth ? exclude(known, asked) : implies(asked, known));
}
