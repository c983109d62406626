#include "typecheck/policy/author/advice/atoms.h"

#include "typecheck/base/arena.h"

/* A name and 16 fields, each with its dot. */
enum { PARTS_MAX = 33 };

static bool is_comparison(const struct node *n)
{
    switch (n->op) {
    case AST_NOT:
    case AST_EQUALS:
    case AST_NOT_EQUALS:
    case AST_LESS:
    case AST_LESS_EQUALS:
    case AST_GREATER:
    case AST_GREATER_EQUALS:
    case AST_IN:
        return n->kind == NODE_CALL;
    case AST_FUNCTION:
    case AST_NEGATE:
    case AST_AND:
    case AST_OR:
    case AST_CONDITIONAL:
    case AST_ADD:
    case AST_SUBTRACT:
    case AST_MULTIPLY:
    case AST_DIVIDE:
    case AST_MODULO:
    case AST_INDEX:
    case AST_OPTIONAL_INDEX:
    case AST_OPTIONAL_SELECT:
    case AST_NOT_STRICTLY_FALSE:
        break;
    }
    return false;
}

/* all() is the only macro whose result is true for an empty list. */
bool atoms_is_all(const struct comprehension *c)
{
    return c->init->kind == NODE_LITERAL && c->init->literal.kind == LITERAL_BOOL && c->init->literal.boolean;
}

static bool is_all(const struct node *n)
{
    return n->kind == NODE_COMPREHENSION && atoms_is_all(n->comprehension);
}

/* ---- what a comparison is without a value that it reads ---- */

static bool is_way(const struct node *n)
{
    while (n->kind == NODE_SELECT && !n->select.test_only)
        n = n->select.operand;
    return n->kind == NODE_IDENT;
}

/* size(a.b), or a.b.size() */
static bool is_size(const struct node *n)
{
    return n->kind == NODE_CALL && n->op == AST_FUNCTION && str_eq(n->call.function, STR("size")) &&
           ast_child(n, 0) != NULL && ast_child(n, 1) == NULL && is_way(ast_child(n, 0));
}

/* Compares the literal with the empty value of its kind (null, false, 0, ""). -1: the literal is less; 0:
 * they are equal; 1: it is greater. */
static int compare_nothing(const struct literal *l)
{
    switch (l->kind) {
    case LITERAL_NULL:
        return 0;
    case LITERAL_BOOL:
        return l->boolean;
    case LITERAL_INT:
        return (l->integer > 0) - (l->integer < 0);
    case LITERAL_UINT:
        return l->uinteger > 0;
    case LITERAL_DOUBLE:
        return (l->floating > 0) - (l->floating < 0);
    case LITERAL_STRING:
    case LITERAL_BYTES:
        return l->bytes.len > 0;
    }
    return 0;
}

/* Whether the comparison is true. order: -1, 0 or 1 if the second operand is less than the first one, equal,
 * or greater. */
static bool is_true_for(enum ast_operator op, int order)
{
    return (op == AST_EQUALS && order == 0) || (op == AST_NOT_EQUALS && order != 0) ||
           (op == AST_LESS && order > 0) || (op == AST_LESS_EQUALS && order >= 0) ||
           (op == AST_GREATER && order < 0) || (op == AST_GREATER_EQUALS && order <= 0);
}

/* Whether a comparison would be true if the part of it that may be missing had no value: an empty text or
 * list, 0, false. If it is compared with another field, there is nothing to compare. */
static bool is_true_of_nothing(const struct node *n, const struct node *part)
{
    if (n->op == AST_NOT || n->op == AST_IN)
        return n->op == AST_NOT;
    const bool is_first = part == n->call.args[0];
    const struct node *other = n->call.args[is_first ? 1 : 0];
    const bool is_order = n->op != AST_EQUALS && n->op != AST_NOT_EQUALS;
    if (other->kind == NODE_LITERAL && (is_way(part) || is_size(part))) {
        const int order = compare_nothing(&other->literal);
        return is_true_for(n->op, is_first ? order : -order);
    }
    if (is_order && is_size(part))
        return is_true_for(n->op, is_first ? 1 : -1);
    return n->op == AST_NOT_EQUALS || (is_order && is_way(part) && is_way(other));
}

static bool is_number(const struct node *n)
{
    return n->kind == NODE_LITERAL && (n->literal.kind == LITERAL_INT || n->literal.kind == LITERAL_UINT ||
                                       n->literal.kind == LITERAL_DOUBLE);
}

/* x > 1, or 1 < x */
static bool is_bound(const struct node *n)
{
    const bool is_order =
        n->op == AST_LESS || n->op == AST_LESS_EQUALS || n->op == AST_GREATER || n->op == AST_GREATER_EQUALS;
    return is_order && ((is_way(n->call.args[0]) && is_number(n->call.args[1])) ||
                        (is_number(n->call.args[0]) && is_way(n->call.args[1])));
}

/* x > 1, x.matches('...'), or x in ['...']: what a value must be, if there is one. */
static bool is_form(const struct node *n)
{
    static const struct str names[] = {STR_INIT("matches"), STR_INIT("startsWith"), STR_INIT("endsWith")};
    if (n->kind != NODE_CALL || is_bound(n))
        return n->kind == NODE_CALL;
    if (n->op == AST_IN)
        return is_way(n->call.args[0]) && n->call.args[1]->kind == NODE_LIST;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (n->op == AST_FUNCTION && n->call.target != NULL && str_eq(n->call.function, names[i]))
            return is_way(n->call.target);
    }
    return false;
}

/* Makes an atom. In a question, nothing is demanded, so is_form is false. */
static struct atoms_atom new_atom(const struct node *n, bool is_denial, bool is_question)
{
    return (struct atoms_atom){n, is_denial, is_form(n) && !is_question, is_question, NULL};
}

struct atoms_atom atoms_of_root(const struct node *root)
{
    return new_atom(root, is_all(root), false);
}

struct atoms_atom atoms_of_items(struct atoms_atom of_macro)
{
    return (struct atoms_atom){.is_question = of_macro.is_question};
}

/* An operand of `&&` or `||`. */
static struct atoms_atom atom_of_operand(const struct node *n, const struct node *child,
                                         struct atoms_atom atom)
{
    struct atoms_atom made = new_atom(child, is_all(child), atom.is_question);
    const bool is_continued = atom.node == n && atom.group != NULL && atom.group->op == n->op;
    made.group = is_continued ? atom.group : n;
    return made;
}

/* The atom for an operand, `part`, of the comparison n. `x < 3` is no denial in `!(x < 3)`: the author means
 * only objects that have x. */
static struct atoms_atom atom_of_comparison(const struct node *n, const struct node *part,
                                            struct atoms_atom atom)
{
    const bool is_denial = is_true_of_nothing(n, part) && !(atom.is_question && is_bound(n));
    struct atoms_atom made = new_atom(n, is_denial, atom.is_question);
    made.group = atom.node == n ? atom.group : NULL;
    return made;
}

struct atoms_atom atoms_of_child(const struct node *n, const struct node *child, struct atoms_atom atom)
{
    if (n->kind != NODE_CALL)
        return atom;
    if (n->op == AST_AND || n->op == AST_OR)
        return atom_of_operand(n, child, atom);
    if (n->op == AST_CONDITIONAL) {
        const bool is_condition = child == n->call.args[0];
        return is_condition || atom.node == n
                   ? new_atom(child, is_all(child), atom.is_question || is_condition)
                   : atom;
    }
    if (!is_comparison(n))
        return atom;
    struct atoms_atom made = atom_of_comparison(n, child, atom);
    made.is_question = made.is_question || n->op == AST_NOT;
    return made;
}

static bool is_on_way(const struct node *way, const struct node *n)
{
    while (way != n && way->kind == NODE_SELECT)
        way = way->select.operand;
    return way == n;
}

static unsigned side_of(struct atoms_atom atom, const struct node *n)
{
    const struct node *at = atom.node;
    if (at == NULL || at->kind != NODE_CALL || (at->op != AST_EQUALS && at->op != AST_NOT_EQUALS) ||
        !is_way(at->call.args[0]) || !is_way(at->call.args[1]))
        return 0;
    return is_on_way(at->call.args[0], n) ? 1 : 2;
}

struct atoms_count atoms_count_of(const struct node *macro)
{
    const struct comprehension *c = macro->comprehension;
    const bool is_count = c->init->kind == NODE_LITERAL && c->init->literal.kind == LITERAL_INT;
    return (struct atoms_count){is_count && c->iter_var2.len == 0 ? macro : NULL, c->iter_var};
}

static bool begins_at(const struct node *way, struct str variable)
{
    while (way->kind == NODE_SELECT)
        way = way->select.operand;
    return way->kind == NODE_IDENT && str_eq(ast_name(way), variable);
}

unsigned atoms_side(const struct atoms_count *count, struct atoms_atom *atom, const struct node *n)
{
    const unsigned side = side_of(*atom, n);
    if (count->macro == NULL || side == 0 || atom->node->op != AST_EQUALS)
        return side;
    const bool is_first = begins_at(atom->node->call.args[0], count->variable),
               is_second = begins_at(atom->node->call.args[1], count->variable);
    if (is_first == is_second)
        return side;
    const bool is_own = side == 1 ? is_first : is_second;
    *atom = (struct atoms_atom){.node = is_own ? atom->node : count->macro, .is_denial = !is_own};
    return 0;
}

struct str atoms_text(const struct extents *x, struct atoms_atom atom)
{
    return atom.node == NULL ? STR("") : extents_text(x, atom.node);
}

struct str atoms_way(struct arena *a, const struct node *n)
{
    struct str parts[PARTS_MAX];
    size_t i = PARTS_MAX;
    for (; n->kind == NODE_SELECT && i >= 3; n = n->select.operand) {
        parts[--i] = n->select.field;
        parts[--i] = STR(".");
    }
    if (n->kind != NODE_IDENT)
        return STR("");
    parts[--i] = ast_name(n);
    return str_join(a, &parts[i], PARTS_MAX - i);
}
