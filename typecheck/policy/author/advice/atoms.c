#include "typecheck/policy/author/advice/atoms.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/author/advice/comparison.h"

/* A name and 16 fields, each with its dot. */
enum { PARTS_MAX = 33 };

/* all() is the only macro whose result is true for an empty list. */
bool atoms_is_all(const struct comprehension *c)
{
    return c->init->kind == NODE_LITERAL && c->init->literal.kind == LITERAL_BOOL && c->init->literal.boolean;
}

static bool is_all(const struct node *n)
{
    return n->kind == NODE_COMPREHENSION && atoms_is_all(n->comprehension);
}

/* Makes an atom. In a question, nothing is demanded, so is_form is false. */
static struct atoms_atom new_atom(const struct node *n, bool is_denial, bool is_question)
{
    return (struct atoms_atom){n, is_denial, comparison_is_form(n) && !is_question, is_question, NULL};
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

/* The atom for an operand, `part`, of the comparison n. `x < 3` is not a denial in `!(x < 3)`: the author
 * means only objects that have x. */
static struct atoms_atom atom_of_comparison(const struct node *n, const struct node *part,
                                            struct atoms_atom atom)
{
    const bool is_denial =
        comparison_is_true_of_nothing(n, part) && !(atom.is_question && comparison_is_bound(n));
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
    if (!comparison_is(n))
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
        !comparison_is_way(at->call.args[0]) || !comparison_is_way(at->call.args[1]))
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
