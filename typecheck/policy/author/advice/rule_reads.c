#include "typecheck/policy/author/advice/rule_reads.h"

#include <string.h>

#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/extent.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/parser.h"
#include "typecheck/cel/syntax/selection.h"
#include "typecheck/cel/syntax/source.h"
#include "typecheck/policy/author/advice/atoms.h"
#include "typecheck/policy/author/advice/guards.h"

#define MAX_BYTES ((size_t)8 * 1024 * 1024)

/* A longer way is not followed. */
enum { STEPS_MAX = 16 };

/* A variable of a macro. */
struct scope {
    const struct scope *outer;
    struct str name;
    const struct node *range;
    bool is_key; /* the only variable of the macro, or the first of two */
    bool is_element;
};

struct reader {
    struct arena *arena;
    struct rule_reads *out;
    const struct advice_guards *guards;
    struct extents extents;
    struct rule_read *items;
    struct rule_setting *settings;
    struct rule_constant *constants;
    struct rule_same *sames;
    size_t item_cap, setting_cap, constant_cap, same_cap;
    bool is_in_choice; /* within exists(), filter() or map(): an item that lacks the field is none that is
                          meant */
    struct atoms_count count; /* the innermost macro */
};

/* The steps of a way. */
struct way {
    struct rule_step steps[STEPS_MAX];
    size_t count;
    bool is_old;
};

static bool add_step(struct way *w, struct rule_step step)
{
    if (w->count == STEPS_MAX)
        return false;
    w->steps[w->count++] = step;
    return true;
}

/* Follows a node to the field that it reads, through the variables of macros. */
static bool follow(struct reader *r, const struct scope *scope, const struct node *n, struct way *out);

static bool follow_variable(struct reader *r, const struct scope *scope, struct str name, struct way *out)
{
    for (; scope != NULL; scope = scope->outer) {
        arena_step(r->arena);
        if (!str_eq(scope->name, name))
            continue;
        const struct rule_step element = {STR(""), scope->is_key && !scope->is_element};
        return scope->range != NULL && follow(r, scope->outer, scope->range, out) && add_step(out, element);
    }
    out->is_old = str_eq(name, STR("oldSelf"));
    return out->is_old || str_eq(name, STR("self"));
}

/* Sets *out to the way to a value; returns false if the node is not such a way, or if the value may be
 * absent. */
static bool follow(struct reader *r, const struct scope *scope, const struct node *n, struct way *out)
{
    struct str field;
    arena_step(r->arena);
    if (n->kind == NODE_IDENT)
        return follow_variable(r, scope, ast_name(n), out);
    const struct node *operand = selection_operand(n);
    if (operand == NULL || selection_is_optional(n) || (n->kind == NODE_SELECT && n->select.test_only) ||
        !follow(r, scope, operand, out))
        return false;
    const struct rule_step element = {STR(""), false};
    return add_step(out, selection_field(n, &field) != NULL ? (struct rule_step){field, false} : element);
}

static const struct rule_step *keep(struct reader *r, const struct way *w)
{
    struct rule_step *steps = ARENA_ARRAY(r->arena, w->count + 1, struct rule_step);
    memcpy(steps, w->steps, w->count * sizeof *steps);
    return steps;
}

static void add_setting(struct reader *r, const struct scope *scope, const struct node *n,
                        struct rule_setting setting)
{
    struct way way = {.count = 0};
    if (!follow(r, scope, n, &way) || way.count == 0)
        return;
    setting.steps = keep(r, &way);
    setting.step_count = way.count;
    ARENA_ROOM(r->arena, r->settings, r->out->setting_count, r->setting_cap, 8);
    r->settings[r->out->setting_count++] = setting;
}

/* PRESENT: a literal that is not tried. */
static struct rule_setting value_of(const struct node *n)
{
    struct rule_setting setting = {.kind = RULE_SETTING_PRESENT};
    if (n->kind != NODE_LITERAL)
        return setting;
    switch (n->literal.kind) {
    case LITERAL_BOOL:
        setting.kind = RULE_SETTING_BOOL;
        setting.integer = n->literal.boolean;
        break;
    case LITERAL_INT:
        setting.kind = RULE_SETTING_INT;
        setting.integer = n->literal.integer;
        break;
    case LITERAL_STRING:
        setting.kind = RULE_SETTING_STRING;
        setting.text = n->literal.bytes;
        break;
    case LITERAL_NULL:
    case LITERAL_UINT:
    case LITERAL_DOUBLE:
    case LITERAL_BYTES:
        break;
    }
    return setting;
}

static void look_for_settings(struct reader *r, const struct scope *scope, const struct node *n)
{
    if (n->kind == NODE_SELECT && n->select.test_only) {
        struct node plain = *n;
        plain.select.test_only = false;
        add_setting(r, scope, &plain, (struct rule_setting){.kind = RULE_SETTING_PRESENT});
    }
    if (n->kind == NODE_CALL && n->op == AST_FUNCTION && str_eq(n->call.function, STR("size")) &&
        ast_child(n, 0) != NULL)
        add_setting(r, scope, ast_child(n, 0), (struct rule_setting){.kind = RULE_SETTING_ITEM});
    const bool is_logic = n->kind == NODE_CALL && (n->op == AST_AND || n->op == AST_OR || n->op == AST_NOT ||
                                                   n->op == AST_CONDITIONAL);
    for (size_t i = 0; is_logic && i < n->arg_count; i++) {
        if (n->call.args[i]->kind == NODE_SELECT && !n->call.args[i]->select.test_only)
            add_setting(r, scope, n->call.args[i],
                        (struct rule_setting){.kind = RULE_SETTING_BOOL, .integer = 1});
    }
    if (n->kind != NODE_CALL || (n->op != AST_EQUALS && n->op != AST_NOT_EQUALS && n->op != AST_IN))
        return;
    for (size_t i = 0; i < 2; i++) {
        const struct node *one = n->call.args[i], *other = n->call.args[1 - i];
        const bool is_list = n->op == AST_IN && i == 0 && other->kind == NODE_LIST && other->list.count > 0;
        const struct rule_setting setting = value_of(is_list ? other->list.elements[0] : other);
        const bool is_null = other->kind == NODE_LITERAL && other->literal.kind == LITERAL_NULL;
        if (setting.kind != RULE_SETTING_PRESENT || is_null)
            add_setting(r, scope, one, setting);
    }
}

static void add_constant(struct reader *r, const struct scope *scope, const struct node *field,
                         const struct node *literal)
{
    struct way way = {.count = 0};
    if (literal->kind != NODE_LITERAL || literal->literal.kind != LITERAL_STRING ||
        !follow(r, scope, field, &way) || way.is_old)
        return;
    ARENA_ROOM(r->arena, r->constants, r->out->constant_count, r->constant_cap, 8);
    r->constants[r->out->constant_count++] =
        (struct rule_constant){keep(r, &way), way.count, literal->literal.bytes, literal->offset};
}

static void look_for_constants(struct reader *r, const struct scope *scope, const struct node *n)
{
    const bool is_in = n->kind == NODE_CALL && n->op == AST_IN && n->call.args[1]->kind == NODE_LIST;
    const bool is_equality = n->kind == NODE_CALL && (n->op == AST_EQUALS || n->op == AST_NOT_EQUALS);
    for (size_t i = 0; is_in && i < n->call.args[1]->list.count; i++)
        add_constant(r, scope, n->call.args[0], n->call.args[1]->list.elements[i]);
    for (size_t i = 0; is_equality && i < 2; i++)
        add_constant(r, scope, n->call.args[i], n->call.args[1 - i]);
}

/* The rule with oldSelf in the place of self, which the second side begins with: `self.a == oldSelf.a`. */
static struct str correct_same(struct reader *r, const struct node *n, const struct way *way)
{
    const struct str side = extents_text(&r->extents, n->call.args[1]), self = STR("self");
    if (n->op != AST_EQUALS || way->is_old || !str_has_prefix(side, self))
        return STR("");
    const struct str made = str_join(r->arena, STR_PARTS(STR("oldSelf"), str_skip(side, self.len)));
    return correction_replace(r->arena, r->extents.text, side, made);
}

static void look_for_same(struct reader *r, const struct scope *scope, const struct node *n)
{
    const enum ast_operator op = n->kind == NODE_CALL ? n->op : AST_NOT;
    const bool truth = ast_is_reflexive(op);
    struct way one = {.count = 0}, other = {.count = 0};
    if ((!ast_is_order(op) && op != AST_EQUALS && op != AST_NOT_EQUALS) ||
        !follow(r, scope, n->call.args[0], &one) || !follow(r, scope, n->call.args[1], &other) ||
        !str_eq(ast_text(r->arena, n->call.args[0], false), ast_text(r->arena, n->call.args[1], false)))
        return;
    ARENA_ROOM(r->arena, r->sames, r->out->same_count, r->same_cap, 4);
    r->sames[r->out->same_count++] = (struct rule_same){truth, n->offset, correct_same(r, n, &other)};
}

static void look_for_read(struct reader *r, const struct scope *scope, const struct node *n,
                          struct atoms_atom atom)
{
    struct way way = {.count = 0};
    struct str field = STR("");
    const struct node *operand = selection_field(n, &field);
    const bool is_test = n->kind == NODE_SELECT && n->select.test_only;
    if (operand == NULL || is_test || guards_has(r->guards, r->arena, operand, field) ||
        !follow(r, scope, n, &way))
        return;
    const unsigned side = atoms_side(&r->count, &atom, n);
    ARENA_ROOM(r->arena, r->items, r->out->count, r->item_cap, 8);
    r->items[r->out->count++] =
        (struct rule_read){.steps = keep(r, &way),
                           .step_count = way.count,
                           .offset = n->offset,
                           .read = {atoms_way(r->arena, operand), field, atoms_text(&r->extents, atom),
                                    atom.is_denial || (atom.is_form && !r->is_in_choice), side, atom.group}};
}

static void look(struct reader *r, const struct scope *scope, const struct node *n, struct atoms_atom atom);

static void look_in_loop(struct reader *r, const struct scope *scope, const struct node *macro,
                         struct atoms_atom atom)
{
    const struct comprehension *c = macro->comprehension;
    const struct atoms_count around = r->count;
    const struct scope accu = {.outer = scope, .name = c->accu_var};
    const struct scope first = {
        .outer = &accu, .name = c->iter_var, .range = c->range, .is_key = true, .is_element = false};
    const struct scope second = {
        .outer = &first, .name = c->iter_var2, .range = c->range, .is_key = false, .is_element = true};
    const struct scope *inside = c->iter_var2.len == 0 ? &first : &second;
    const bool is_around = r->is_in_choice;
    look(r, scope, c->range, atom);
    r->is_in_choice = is_around || !atoms_is_all(c);
    r->count = atoms_count_of(macro);
    look(r, inside, c->condition, atoms_of_items(atom));
    look(r, inside, c->step, atoms_of_items(atom));
    r->is_in_choice = is_around;
    r->count = around;
    look(r, &accu, c->result, atom);
}

/* Recurses as deep as the tree is. */
static void look(struct reader *r, const struct scope *scope, const struct node *n, struct atoms_atom atom)
{
    arena_step(r->arena);
    if (n->kind == NODE_COMPREHENSION) {
        look_in_loop(r, scope, n, atom);
        return;
    }
    look_for_read(r, scope, n, atom);
    look_for_settings(r, scope, n);
    look_for_constants(r, scope, n);
    look_for_same(r, scope, n);
    for (size_t i = 0; ast_child(n, i) != NULL; i++)
        look(r, scope, ast_child(n, i), atoms_of_child(n, ast_child(n, i), atom));
}

static bool is_ident(const struct node *n, struct str name)
{
    return n->kind == NODE_IDENT && str_eq(ast_name(n), name);
}

static bool is_immutable(const struct node *n)
{
    if (n->kind != NODE_CALL || n->op != AST_EQUALS)
        return false;
    const struct node *one = n->call.args[0], *other = n->call.args[1];
    return (is_ident(one, STR("self")) && is_ident(other, STR("oldSelf"))) ||
           (is_ident(one, STR("oldSelf")) && is_ident(other, STR("self")));
}

static bool uses(struct arena *a, const struct node *n, struct str name)
{
    bool found = is_ident(n, name);
    arena_step(a);
    for (size_t i = 0; !found && ast_child(n, i) != NULL; i++)
        found = uses(a, ast_child(n, i), name);
    return found;
}

static struct ast *parse(struct arena *a, const struct env *env, struct str text)
{
    struct source *source = ARENA_NEW(a, struct source);
    struct ast *ast = ARENA_NEW(a, struct ast);
    struct issues issues;
    source_init(source, a, text);
    issues_init(&issues, a);
    return parser_run(a, a, source, env_dialect(env), &issues, ast) ? ast : NULL;
}

static bool read_rules(struct reader *r, const struct env *env, const struct str *rules, size_t count,
                       size_t index)
{
    const struct ast **trees = ARENA_ARRAY(r->arena, count + 1, const struct ast *);
    for (size_t i = 0; i < count; i++)
        trees[i] = parse(r->arena, env, rules[i]);
    if (trees[index] == NULL)
        return false;
    const struct node *root = trees[index]->root;
    r->guards = guards_new(r->arena, trees, count);
    r->out->is_immutable = is_immutable(root);
    r->out->uses_old = uses(r->arena, root, STR("oldSelf"));
    extents_init(&r->extents, r->arena, rules[index]);
    look(r, NULL, root, atoms_of_root(root));
    r->out->items = r->items;
    r->out->settings = r->settings;
    r->out->constants = r->constants;
    r->out->sames = r->sames;
    return true;
}

bool rule_reads_init(struct rule_reads *out, const struct env *env, const struct str *rules, size_t count,
                     size_t index, uint64_t max_steps)
{
    volatile bool is_read = false;
    memset(out, 0, sizeof *out);
    arena_init(&out->arena, MAX_BYTES);
    out->arena.max_steps = max_steps;
    if (setjmp(out->arena.escape) == 0) {
        struct reader r = {.arena = &out->arena, .out = out};
        is_read = read_rules(&r, env, rules, count, index);
    }
    if (!is_read)
        out->count = out->setting_count = out->constant_count = out->same_count = 0;
    return is_read;
}

struct str rule_reads_correct(struct rule_reads *reads, struct str rule, const bool *is_optional,
                              size_t primary)
{
    struct arena *a = &reads->arena;
    if (setjmp(a->escape) != 0)
        return STR("");
    struct correction_read *list = ARENA_ARRAY(a, reads->count + 1, struct correction_read);
    size_t count = 0, at = 0;
    for (size_t i = 0; i < reads->count; i++) {
        if (!is_optional[i])
            continue;
        at = i == primary ? count : at;
        list[count++] = reads->items[i].read;
    }
    return correction_make(a, rule, list, count, at);
}

static struct node *new_node(struct arena *a, enum node_kind kind)
{
    struct node *n = ARENA_NEW(a, struct node);
    n->kind = kind;
    return n;
}

/* The value of oldSelf to which the way leads; NULL if no expression can name it. */
static const struct node *old_value(struct arena *a, const struct rule_field *way, size_t count)
{
    struct node *at = new_node(a, NODE_IDENT);
    at->ident = STR("oldSelf");
    for (size_t i = 0; i < count; i++) {
        struct node *outer = at;
        at = new_node(a, NODE_SELECT);
        at->select.operand = outer;
        if (!property_name_escape(a, way[i].name, &at->select.field))
            return NULL;
    }
    return at;
}

bool rule_reads_asks_before(struct rule_reads *reads, const struct env *env, const struct str *rules,
                            size_t count, const struct rule_field *way, size_t way_count)
{
    struct arena *a = &reads->arena;
    if (setjmp(a->escape) != 0)
        return true;
    const struct ast **trees = ARENA_ARRAY(a, count + 1, const struct ast *);
    for (size_t i = 0; i < count; i++)
        trees[i] = parse(a, env, rules[i]);
    const struct node *field = old_value(a, way, way_count);
    return field != NULL &&
           guards_has(guards_new(a, trees, count), a, field->select.operand, field->select.field);
}

/* "has(self.a) && has(self.a.b)": tests for the optional fields; in brackets if there are several. */
static struct str tests_of(struct arena *a, struct str root, const struct rule_field *way, size_t count)
{
    struct str at = root, tests = STR(""), name;
    bool has_several = false;
    for (size_t i = 0; i < count; i++) {
        if (!property_name_escape(a, way[i].name, &name))
            return STR("");
        if (way[i].is_optional) {
            const struct str test = correction_test(a, at, name);
            has_several = tests.len != 0;
            tests = has_several ? str_join(a, STR_PARTS(tests, STR(" && "), test)) : test;
        }
        at = str_join(a, STR_PARTS(at, STR("."), name));
    }
    return has_several ? str_join(a, STR_PARTS(STR("("), tests, STR(")"))) : tests;
}

struct str rule_reads_keep(struct rule_reads *reads, const struct rule_field *way, size_t way_count,
                           bool is_once)
{
    struct arena *a = &reads->arena;
    if (setjmp(a->escape) != 0)
        return STR("");
    const struct str now = tests_of(a, STR("self"), way, way_count),
                     before = tests_of(a, STR("oldSelf"), way, way_count);
    if (now.len == 0)
        return STR("");
    return is_once ? str_join(a, STR_PARTS(STR("!"), before, STR(" || "), now))
                   : str_join(a, STR_PARTS(now, STR(" == "), before));
}

void rule_reads_deinit(struct rule_reads *reads)
{
    arena_deinit(&reads->arena);
}
