/*
 * The grammar is a program: p->step is the number of the step in GRAMMAR that comes next, and p->frames is
 * the stack of rules that are open. take_step() executes one step: it matches a token, enters or leaves a
 * rule, or decides at an option, a repetition or a choice how to go on (predict.h). The `build` of a step
 * says what a matched token or a finished rule adds to the parse tree. If no step fits the current token,
 * recover.h repairs the input or ends the rule. Most operands pass through many levels of precedence, so
 * go_on(), call() and leave() pass several steps at once.
 */
#include "typecheck/cel/syntax/recognizer.h"

#include <assert.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/parse_state.h"
#include "typecheck/cel/syntax/predict.h"
#include "typecheck/cel/syntax/recover.h"
#include "typecheck/cel/syntax/source.h"

/* Trees */

static struct frame *current_frame(const struct parse_state *p)
{
    return &p->frames[p->depth - 1];
}

static struct parse_tree *new_tree(struct parse_state *p, enum parse_tree_kind kind, uint32_t token)
{
    struct parse_tree *t = ARENA_NEW(p->arena, struct parse_tree);
    t->kind = (uint8_t)kind;
    t->start = current_frame(p)->start;
    t->op_token = token;
    t->name = token;
    t->behind = PARSE_TREE_NO_TOKEN;
    return t;
}

static void add_child(struct parse_tree *t, struct parse_tree *child)
{
    if (t->last == NULL)
        t->first = child;
    else
        t->last->next = child;
    t->last = child;
}

/* A new tree whose first child is what the rule has so far. */
static void wrap(struct parse_state *p, enum build build, uint32_t token)
{
    struct frame *f = current_frame(p);
    struct parse_tree *t = new_tree(p, (enum parse_tree_kind)build, token);
    add_child(t, f->result);
    f->result = t;
}

/* The tree of the rule so far; by the grammar there is one whenever a step adds to it. */
static struct parse_tree *result(const struct frame *f)
{
    assert(f->result != NULL);
    return f->result;
}

/* The last operand or key so far. */
static struct parse_tree *last_child(const struct frame *f)
{
    assert(result(f)->last != NULL);
    return result(f)->last;
}

/* Adds an operator to a chain. The first operator makes the node a chain. */
static void chain(struct parse_state *p, enum build build, uint32_t token)
{
    struct frame *f = current_frame(p);
    (f->is_chained ? last_child(f) : result(f))->behind = token;
    if (!f->is_chained)
        wrap(p, build, token);
    f->is_chained = true;
}

static void build_token(struct parse_state *p, enum build build, uint32_t token)
{
    struct frame *f = current_frame(p);
    switch (build) {
    case BUILD_LITERAL:
    case BUILD_IDENT:
    case BUILD_ESCAPE_IDENT:
    case BUILD_GLOBAL_CALL:
    case BUILD_LIST:
    case BUILD_MAP:
    case BUILD_MESSAGE:
        f->result = new_tree(p, (enum parse_tree_kind)build, token);
        break;
    case BUILD_NOT:
    case BUILD_NEGATE:
        if (f->result == NULL)
            f->result = new_tree(p, (enum parse_tree_kind)build, token);
        f->result->count++;
        break;
    case BUILD_TERNARY:
    case BUILD_BINARY:
    case BUILD_SELECT:
    case BUILD_MEMBER_CALL:
    case BUILD_INDEX:
        wrap(p, build, token);
        break;
    case BUILD_OR:
    case BUILD_AND:
        chain(p, build, token);
        break;
    case BUILD_FLAG:
        f->is_flagged = true;
        break;
    case BUILD_BEHIND:
        last_child(f)->behind = token;
        break;
    case BUILD_NAME:
        result(f)->name = token;
        break;
    case BUILD_OPERATOR:
        result(f)->op_token = token;
        break;
    case BUILD_OPTIONAL:
        result(f)->is_optional = true;
        break;
    case BUILD_NOTHING:
    case BUILD_RESULT:
    case BUILD_ADD:
    case BUILD_ITEM:
    case BUILD_FLAGGED:
        break;
    }
}

static void build_rule(struct parse_state *p, enum build build, struct parse_tree *tree)
{
    struct frame *f = current_frame(p);
    if (build == BUILD_RESULT) {
        f->result = tree;
    } else if (build == BUILD_ADD) {
        add_child(result(f), tree);
    } else if (build == BUILD_ITEM) {
        if (f->result == NULL)
            f->result = new_tree(p, PARSE_TREE_ITEMS, f->start);
        add_child(f->result, tree);
        f->result->count++;
    } else {
        f->result = tree;
        tree->is_flagged = f->is_flagged;
    }
}

/* Steps */

static void enter(struct parse_state *p, enum grammar_rule rule, uint8_t precedence, unsigned back)
{
    if (++p->rule_depth[rule] > PARSE_STATE_MAX_RULE_DEPTH) {
        issues_addf(p->issues, ISSUE_OTHER, EXTENT_NOWHERE, "expression recursion limit exceeded: %d",
                    PARSE_STATE_MAX_RULE_DEPTH);
        p->is_stopped = true;
        return;
    }
    ARENA_ROOM(p->arena, p->frames, p->depth, p->frame_cap, 1);
    p->frames[p->depth++] = (struct frame){
        .rule = (uint8_t)rule, .precedence = precedence, .back = (uint16_t)back, .start = p->pos};
    p->step = GRAMMAR_RULES[rule].first_step;
}

/* Enters the rule, and the rules that it begins with. */
static void call(struct parse_state *p)
{
    do {
        const struct grammar_step *s = &GRAMMAR[p->step];
        enter(p, s->arg, (uint8_t)s->other, p->step + 1);
    } while (GRAMMAR[p->step].op == OP_CALL && !p->is_stopped);
}

/* Counts as cel-go does: after errors the count of a rule can be too low. */
static void count_exit(struct parse_state *p, enum grammar_rule rule)
{
    if (p->rule_depth[rule] > 0)
        p->rule_depth[rule]--;
}

static bool is_in(tokens set, enum token_kind kind)
{
    return (set & TOKENS(kind)) != 0;
}

/* Returns true if the decision at hand can be left for `behind` with nothing to repair. */
static bool can_leave(const struct parse_state *p, unsigned behind)
{
    const struct grammar_step *s = &GRAMMAR[behind];
    return s->op == OP_END || (s->op == OP_MATCH && s->arg == p->la) ||
           (grammar_next(behind) & (TOKENS_END | TOKENS(p->la))) != 0;
}

/* Continues at `step`, past options and repetitions that the current token has no part in. */
static void go_on(struct parse_state *p, unsigned step)
{
    const struct grammar_step *s = &GRAMMAR[step];
    while (!is_in(s->stay, p->la)) {
        step = s->op == OP_AGAIN ? step + 1 : s->other;
        s = &GRAMMAR[step];
    }
    p->step = step;
}

static void leave_one(struct parse_state *p)
{
    struct frame *f = current_frame(p);
    struct parse_tree *tree = f->result;
    if (tree == NULL)
        tree = new_tree(p, f->rule == RULE_UNARY ? PARSE_TREE_NO_UNARY : PARSE_TREE_NOTHING, f->start);
    count_exit(p, f->rule);
    unsigned back = f->back;
    if (--p->depth > 0)
        build_rule(p, GRAMMAR[back - 1].build, tree);
    else
        p->frames[0].result = tree;
    go_on(p, back);
}

/* Leaves the rule, and the rules that end with it: after most operands a handful. */
static void leave(struct parse_state *p)
{
    do {
        leave_one(p);
    } while (p->depth > 0 && GRAMMAR[p->step].op == OP_END);
}

static void abandon_rule(struct parse_state *p)
{
    recover_rule(p);
    leave(p);
}

static void match(struct parse_state *p, const struct grammar_step *s, bool is_wanted)
{
    uint32_t token = p->pos;
    if (is_wanted) {
        if (p->last_error_pos != UINT32_MAX || p->is_recovering)
            recover_done(p);
        parse_state_consume(p);
    } else if (!recover_inline(p, &token)) {
        abandon_rule(p);
        return;
    }
    build_token(p, s->build, token);
    go_on(p, p->step + 1);
}

static void option(struct parse_state *p, const struct grammar_step *s)
{
    if (!is_in(s->first, p->la) && !can_leave(p, s->other) && !recover_sync(p))
        abandon_rule(p);
    else
        p->step = is_in(s->first, p->la) ? p->step + 1 : s->other;
}

static void loop(struct parse_state *p, unsigned first, unsigned behind)
{
    uint32_t failed_ahead;
    enum predicted where = predict_loop(p, first, &failed_ahead);
    if (where != PREDICT_ITERATE && !can_leave(p, behind)) {
        if (!recover_sync(p)) {
            abandon_rule(p);
            return;
        }
        where = predict_loop(p, first, &failed_ahead);
    }
    if (where == PREDICT_FAILED) {
        recover_no_viable(p, failed_ahead);
        abandon_rule(p);
        return;
    }
    if (where == PREDICT_LEAVE) {
        p->step = behind;
        return;
    }
    enum grammar_rule rule = current_frame(p)->rule;
    if (GRAMMAR_RULES[rule].is_left_recursive)
        count_exit(p, rule); /* until the operator is behind its OP_PRECEDENCE */
    p->step = first;
}

static void choose(struct parse_state *p)
{
    uint32_t failed_ahead;
    unsigned alternative = predict_alternative(p, &failed_ahead);
    if (alternative == 0) {
        if (!recover_sync(p)) {
            abandon_rule(p);
            return;
        }
        alternative = predict_alternative(p, &failed_ahead);
    }
    if (alternative == 0) {
        recover_no_viable(p, failed_ahead);
        abandon_rule(p);
        return;
    }
    p->step = alternative + 1;
}

static void take_step(struct parse_state *p)
{
    const struct grammar_step *s = &GRAMMAR[p->step];
    switch ((enum op)s->op) {
    case OP_MATCH:
        match(p, s, p->la == s->arg);
        break;
    case OP_MATCH_SET:
        match(p, s, (GRAMMAR_SETS[s->arg] & TOKENS(p->la)) != 0);
        break;
    case OP_CALL:
        call(p);
        break;
    case OP_OPTION:
        option(p, s);
        break;
    case OP_LOOP:
        loop(p, p->step + 1, s->other);
        break;
    case OP_AGAIN:
    case OP_PLUS_AGAIN:
        loop(p, s->other, p->step + 1);
        break;
    case OP_CHOICE:
        choose(p);
        break;
    case OP_PRECEDENCE:
        p->rule_depth[current_frame(p)->rule]++;
        p->step++;
        break;
    case OP_PLUS: /* its first token was seen by the choice that led here */
    case OP_ALTERNATIVE:
    case OP_GOTO:
        go_on(p, s->op == OP_GOTO ? s->other : p->step + 1);
        break;
    case OP_END:
        leave(p);
        break;
    }
}

struct parse_tree *recognizer_run(struct parse_state *p)
{
    p->la = parse_state_peek(p, 0);
    enter(p, RULE_START, 0, 0);
    while (p->depth > 0 && !p->is_stopped)
        take_step(p);
    return p->is_stopped ? NULL : p->frames[0].result;
}
