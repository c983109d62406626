#include "typecheck/policy/author/advice/int_or_string.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/unicode.h"
#include "typecheck/policy/author/advice/correction.h"
#include "typecheck/policy/author/advice/guards.h"

/* The kinds of values that an operation takes. A number is also a string that int() reads. */
enum takes { TAKES_EITHER, TAKES_STRING, TAKES_NUMBER };

static const struct {
    struct str function;
    enum takes takes;
} functions[] = {
    {STR_INIT("charAt"), TAKES_STRING},     {STR_INIT("contains"), TAKES_STRING},
    {STR_INIT("double"), TAKES_NUMBER},     {STR_INIT("endsWith"), TAKES_STRING},
    {STR_INIT("find"), TAKES_STRING},       {STR_INIT("findAll"), TAKES_STRING},
    {STR_INIT("indexOf"), TAKES_STRING},    {STR_INIT("int"), TAKES_NUMBER},
    {STR_INIT("isQuantity"), TAKES_STRING}, {STR_INIT("lastIndexOf"), TAKES_STRING},
    {STR_INIT("lowerAscii"), TAKES_STRING}, {STR_INIT("matches"), TAKES_STRING},
    {STR_INIT("quantity"), TAKES_STRING},   {STR_INIT("replace"), TAKES_STRING},
    {STR_INIT("size"), TAKES_STRING},       {STR_INIT("split"), TAKES_STRING},
    {STR_INIT("startsWith"), TAKES_STRING}, {STR_INIT("substring"), TAKES_STRING},
    {STR_INIT("trim"), TAKES_STRING},       {STR_INIT("uint"), TAKES_NUMBER},
    {STR_INIT("upperAscii"), TAKES_STRING},
};

static enum takes takes_of_function(struct str name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (str_eq(functions[i].function, name))
            return functions[i].takes;
    }
    return TAKES_EITHER;
}

static enum takes takes_beside(const struct node *other)
{
    if (other->kind != NODE_LITERAL)
        return TAKES_EITHER;
    return other->literal.kind == LITERAL_STRING ? TAKES_STRING : TAKES_NUMBER;
}

/* The kinds that a call takes in its first operand, or an operator in the one at `index`. */
static enum takes takes_of(const struct node *n, size_t index)
{
    switch (n->op) {
    case AST_FUNCTION:
        return index == 0 ? takes_of_function(n->call.function) : TAKES_EITHER;
    case AST_LESS:
    case AST_LESS_EQUALS:
    case AST_GREATER:
    case AST_GREATER_EQUALS:
    case AST_ADD:
        return takes_beside(n->call.args[1 - index]);
    case AST_SUBTRACT:
    case AST_MULTIPLY:
    case AST_DIVIDE:
    case AST_MODULO:
    case AST_NEGATE:
        return TAKES_NUMBER;
    case AST_NOT:
    case AST_AND:
    case AST_OR:
    case AST_CONDITIONAL:
    case AST_EQUALS:
    case AST_NOT_EQUALS:
    case AST_IN:
    case AST_INDEX:
    case AST_OPTIONAL_INDEX:
    case AST_OPTIONAL_SELECT:
    case AST_NOT_STRICTLY_FALSE:
        break;
    }
    return TAKES_EITHER;
}

static struct str name_of(struct arena *a, const struct node *n)
{
    return n->op == AST_FUNCTION ? str_join(a, STR_PARTS(n->call.function, STR("()"))) : STR("the operator");
}

/* The expression with string(x) for x, or with a test of x's type before the nearest part that is true or
 * false; empty: there is no such part around x. */
static struct str correct(struct advice_look *l, struct str read, enum takes takes, struct atoms_atom atom)
{
    struct arena *a = l->arena;
    const struct str text = l->advice->asts[l->expression]->text, of_atom = atoms_text(&l->extents, atom);
    struct str made = STR("");
    if (takes == TAKES_STRING) {
        made = correction_replace(a, text, read, str_join(a, STR_PARTS(STR("string("), read, STR(")"))));
    } else if (of_atom.len != 0) {
        const bool is_whole = of_atom.len == unicode_trimmed(text).len;
        const struct str test = atom.is_denial ? STR(") != int || ") : STR(") == int && ");
        made = str_join(a, STR_PARTS(is_whole ? STR("") : STR("("), STR("type("), read, test, of_atom,
                                     is_whole ? STR("") : STR(")")));
        made = correction_replace(a, text, of_atom, made);
    }
    return made;
}

static void add(struct advice_look *l, const struct node *call, const struct node *read, enum takes takes,
                struct atoms_atom atom)
{
    struct arena *a = l->arena;
    const struct str way = extents_text(&l->extents, read), name = name_of(a, call);
    struct advice_item *item =
        way.len == 0 ? NULL : advice_list_add(l->advice, ADVICE_INT_OR_STRING, l->expression, read);
    if (item == NULL)
        return;
    item->message = takes == TAKES_STRING
                        ? str_join(a, STR_PARTS(STR("'"), way, STR("' may be an integer, and "), name,
                                                STR(" then ends in an error, since it takes strings")))
                        : str_join(a, STR_PARTS(STR("'"), way, STR("' may be a string, and "), name,
                                                STR(" then ends in an error, since it takes numbers")));
    item->is_operand = true;
    item->fails = true;
    item->failure =
        takes == TAKES_NUMBER && call->op == AST_FUNCTION ? ISSUE_WRONG_CONSTANT : ISSUE_NO_OVERLOAD;
    item->type = l->type;
    item->correction = correct(l, way, takes, atom);
    item->hint =
        item->correction.len == 0 ? STR("test it with type()") : correction_hint(a, item->correction);
}

void int_or_string_look_at(struct advice_look *l, const struct advice_scope *scope, const struct node *n,
                           struct atoms_atom atom)
{
    if (n->kind != NODE_CALL)
        return;
    for (size_t i = 0; i < 2 && ast_child(n, i) != NULL; i++) {
        const struct node *read = ast_child(n, i);
        const enum takes takes = takes_of(n, i);
        arena_step(l->arena);
        if (takes != TAKES_EITHER && advice_types_of_operand(l, scope, read) == &type_int_or_string &&
            !guards_has_type(l->advice->guards, l->arena, read))
            add(l, n, read, takes, atom);
    }
}
