#include "typecheck/syntax/recognizer.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/syntax/issue.h"
#include "typecheck/syntax/predict.h"
#include "typecheck/syntax/recover.h"
#include "typecheck/syntax/source.h"

void recognizer_init(struct recognizer *r, struct arena *a, const struct source *s, struct issues *issues)
{
    memset(r, 0, offsetof(struct recognizer, first_frames));
    r->arena = a;
    r->source = s;
    r->issues = issues;
    r->last_error_pos = UINT32_MAX;
    r->token_cap = (uint32_t)(s->text.len / 4 + 8);
    r->tokens = ARENA_ARRAY(a, r->token_cap, struct token);
    r->frames = r->first_frames;
    r->frame_cap = sizeof r->first_frames / sizeof *r->first_frames;
}

/* Tokens */

void recognizer_report(struct recognizer *r, uint32_t offset, struct str message)
{
    if (r->is_stopped)
        return;
    if (r->error_count++ < RECOGNIZER_MAX_ERRORS) {
        struct text t = {.arena = r->arena};
        text_add(&t, STR("Syntax error: "));
        text_add(&t, message);
        issues_add(r->issues, offset, text_str(&t));
        return;
    }
    issues_addf(r->issues, offset, "Syntax error: More than %d syntax errors", RECOGNIZER_MAX_ERRORS);
    r->is_stopped = true;
}

static void drop(struct recognizer *r, struct token bad)
{
    struct str text = {r->source->text.at + bad.start, bad.end - bad.start};
    struct text message = {.arena = r->arena};
    text_add(&message, STR("token recognition error at: '"));
    text_add(&message, text);
    text_add_char(&message, '\'');
    recognizer_report(r, bad.start, text_str(&message));
    if (r->dropped_count == r->dropped_cap) {
        uint32_t cap = r->dropped_cap == 0 ? 4 : 2 * r->dropped_cap;
        r->dropped = arena_grow(r->arena, r->dropped, r->dropped_cap, cap, sizeof *r->dropped);
        r->dropped_cap = cap;
    }
    r->dropped[r->dropped_count++] = text;
}

/* Tokens are read only when they are looked at, so that a limit reached before hides what is wrong behind. */
static void fetch(struct recognizer *r)
{
    uint32_t offset = r->token_count == 0 ? 0 : r->tokens[r->token_count - 1].end;
    struct token t = lexer_token(r->source->text, offset);
    while (t.kind == TOKEN_BAD && !r->is_stopped) {
        drop(r, t);
        t = lexer_token(r->source->text, t.end);
    }
    if (r->token_count == r->token_cap) {
        r->tokens =
            arena_grow(r->arena, r->tokens, r->token_cap, 2 * (size_t)r->token_cap, sizeof *r->tokens);
        r->token_cap *= 2;
    }
    r->tokens[r->token_count++] = t;
}

static bool is_all_read(const struct recognizer *r)
{
    return r->token_count != 0 && r->tokens[r->token_count - 1].kind == TOKEN_EOF;
}

enum token_kind recognizer_read(struct recognizer *r, uint32_t token)
{
    while (token >= r->token_count) {
        if (is_all_read(r))
            return TOKEN_EOF;
        fetch(r);
    }
    return r->tokens[token].kind;
}

void recognizer_consume(struct recognizer *r)
{
    if (r->la == TOKEN_EOF)
        return;
    r->pos++;
    r->la = recognizer_peek(r, 0);
}

struct str recognizer_token_text(const struct recognizer *r, uint32_t token)
{
    struct token t = r->tokens[token];
    return (struct str){r->source->text.at + t.start, t.end - t.start};
}

/* Trees */

static struct frame *current_frame(const struct recognizer *r)
{
    return &r->frames[r->depth - 1];
}

static struct parse_tree *new_tree(struct recognizer *r, enum parse_tree_kind kind, uint32_t token)
{
    struct parse_tree *t = ARENA_NEW(r->arena, struct parse_tree);
    t->kind = (uint8_t)kind;
    t->start = current_frame(r)->start;
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

/* ORDER TREES */
static enum parse_tree_kind kind_of(enum build build)
{
    return PARSE_TREE_LITERAL + (build - BUILD_LITERAL);
}

/* A new tree whose first child is what the rule has so far. */
static void wrap(struct recognizer *r, enum build build, uint32_t token)
{
    struct frame *f = current_frame(r);
    struct parse_tree *t = new_tree(r, kind_of(build), token);
    add_child(t, f->result);
    f->result = t;
}

/* What the rule has so far; the grammar sees to it that there is something when a step adds to it. */
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

/* One more operator of a chain, whose first makes it one. */
static void chain(struct recognizer *r, enum build build, uint32_t token)
{
    struct frame *f = current_frame(r);
    (f->is_chained ? last_child(f) : result(f))->behind = token;
    if (!f->is_chained)
        wrap(r, build, token);
    f->is_chained = true;
}

static void build_token(struct recognizer *r, enum build build, uint32_t token)
{
    struct frame *f = current_frame(r);
    switch (build) {
    case BUILD_LITERAL:
    case BUILD_IDENT:
    case BUILD_ESCAPE_IDENT:
    case BUILD_GLOBAL_CALL:
    case BUILD_LIST:
    case BUILD_MAP:
    case BUILD_MESSAGE:
        f->result = new_tree(r, kind_of(build), token);
        break;
    case BUILD_NOT:
    case BUILD_NEGATE:
        if (f->result == NULL)
            f->result = new_tree(r, kind_of(build), token);
        f->result->count++;
        break;
    case BUILD_TERNARY:
    case BUILD_BINARY:
    case BUILD_SELECT:
    case BUILD_MEMBER_CALL:
    case BUILD_INDEX:
        wrap(r, build, token);
        break;
    case BUILD_OR:
    case BUILD_AND:
        chain(r, build, token);
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

static void build_rule(struct recognizer *r, enum build build, struct parse_tree *tree)
{
    struct frame *f = current_frame(r);
    if (build == BUILD_RESULT) {
        f->result = tree;
    } else if (build == BUILD_ADD) {
        add_child(result(f), tree);
    } else if (build == BUILD_ITEM) {
        if (f->result == NULL)
            f->result = new_tree(r, PARSE_TREE_ITEMS, f->start);
        add_child(f->result, tree);
        f->result->count++;
    } else {
        f->result = tree;
        tree->is_flagged = f->is_flagged;
    }
}

/* Steps */

bool recognizer_begins(const struct recognizer *r, unsigned step)
{
    for (;;) {
        const struct step *s = &GRAMMAR[step];
        switch ((enum op)s->op) {
        case OP_MATCH:
            return r->la == s->arg;
        case OP_MATCH_SET:
            return (GRAMMAR_SETS[s->arg] & TOKENS(r->la)) != 0;
        case OP_CALL:
            return (GRAMMAR_RULES[s->arg].first & TOKENS(r->la)) != 0;
        case OP_PRECEDENCE:
            if (s->arg < r->frames[r->depth - 1].precedence)
                return false;
            step++;
            break;
        case OP_OPTION:
        case OP_LOOP:
        case OP_AGAIN:
        case OP_PLUS_AGAIN:
            if (recognizer_begins(r, step + 1))
                return true;
            step = s->other;
            break;
        case OP_ALTERNATIVE:
            if (recognizer_begins(r, step + 1))
                return true;
            if (s->other == 0)
                return false;
            step = s->other;
            break;
        case OP_CHOICE:
        case OP_PLUS:
            step++;
            break;
        case OP_GOTO:
            step = s->other;
            break;
        case OP_END:
            return false;
        }
    }
}

static void enter(struct recognizer *r, enum grammar_rule rule, uint8_t precedence, unsigned back)
{
    if (++r->rule_depth[rule] > RECOGNIZER_MAX_RULE_DEPTH) {
        issues_addf(r->issues, SOURCE_NOWHERE, "expression recursion limit exceeded: %d",
                    RECOGNIZER_MAX_RULE_DEPTH);
        r->is_stopped = true;
        return;
    }
    if (r->depth == r->frame_cap) {
        r->frames =
            arena_grow(r->arena, r->frames, r->frame_cap, 2 * (size_t)r->frame_cap, sizeof *r->frames);
        r->frame_cap *= 2;
    }
    r->frames[r->depth++] = (struct frame){
        .rule = (uint8_t)rule, .precedence = precedence, .back = (uint16_t)back, .start = r->pos};
    r->step = GRAMMAR_RULES[rule].first_step;
}

/* With the rule, those that it begins with. */
static void call(struct recognizer *r)
{
    do {
        const struct step *s = &GRAMMAR[r->step];
        enter(r, s->arg, (uint8_t)s->other, r->step + 1);
    } while (GRAMMAR[r->step].op == OP_CALL && !r->is_stopped);
}

/* As cel-go counts, errors can make it count a rule less. */
static void count_exit(struct recognizer *r, enum grammar_rule rule)
{
    if (r->rule_depth[rule] > 0)
        r->rule_depth[rule]--;
}

static bool is_in(tokens set, enum token_kind kind)
{
    return (set & TOKENS(kind)) != 0;
}

/* Whether the decision at hand can be left for `behind` with nothing to repair. */
static bool can_leave(const struct recognizer *r, unsigned behind)
{
    const struct step *s = &GRAMMAR[behind];
    return s->op == OP_END || (s->op == OP_MATCH && s->arg == r->la) ||
           (grammar_next(behind) & (TOKENS_END | TOKENS(r->la))) != 0;
}

/* Goes on to `step`, past options and repetitions that the current token has no part in. */
static void go_on(struct recognizer *r, unsigned step)
{
    const struct step *s = &GRAMMAR[step];
    while (!is_in(s->stay, r->la)) {
        step = s->op == OP_AGAIN ? step + 1 : s->other;
        s = &GRAMMAR[step];
    }
    r->step = step;
}

static void leave_one(struct recognizer *r)
{
    struct frame *f = current_frame(r);
    struct parse_tree *tree = f->result;
    if (tree == NULL)
        tree = new_tree(r, f->rule == RULE_UNARY ? PARSE_TREE_NO_UNARY : PARSE_TREE_NOTHING, f->start);
    count_exit(r, f->rule);
    unsigned back = f->back;
    if (--r->depth > 0)
        build_rule(r, GRAMMAR[back - 1].build, tree);
    else
        r->frames[0].result = tree;
    go_on(r, back);
}

/* With the rule, those that end with it: after most operands that is a handful. */
static void leave(struct recognizer *r)
{
    do {
        leave_one(r);
    } while (r->depth > 0 && GRAMMAR[r->step].op == OP_END);
}

static void give_up_rule(struct recognizer *r)
{
    recover_rule(r);
    leave(r);
}

static void match(struct recognizer *r, const struct step *s, bool is_wanted)
{
    uint32_t token = r->pos;
    if (is_wanted) {
        if (r->last_error_pos != UINT32_MAX || r->is_recovering)
            recover_done(r);
        recognizer_consume(r);
    } else if (!recover_inline(r, &token)) {
        give_up_rule(r);
        return;
    }
    build_token(r, s->build, token);
    go_on(r, r->step + 1);
}

static void option(struct recognizer *r, const struct step *s)
{
    if (!is_in(s->first, r->la) && !can_leave(r, s->other) && !recover_sync(r))
        give_up_rule(r);
    else
        r->step = is_in(s->first, r->la) ? r->step + 1 : s->other;
}

static void loop(struct recognizer *r, unsigned first, unsigned behind)
{
    uint32_t failed_ahead;
    enum predicted where = predict_loop(r, first, &failed_ahead);
    if (where != PREDICT_ITERATE && !can_leave(r, behind)) {
        if (!recover_sync(r)) {
            give_up_rule(r);
            return;
        }
        where = predict_loop(r, first, &failed_ahead);
    }
    if (where == PREDICT_FAILED) {
        recover_no_viable(r, failed_ahead);
        give_up_rule(r);
        return;
    }
    if (where == PREDICT_LEAVE) {
        r->step = behind;
        return;
    }
    enum grammar_rule rule = current_frame(r)->rule;
    if (GRAMMAR_RULES[rule].is_left_recursive)
        count_exit(r, rule); /* until the operator is behind its OP_PRECEDENCE */
    r->step = first;
}

static void choose(struct recognizer *r)
{
    uint32_t failed_ahead;
    unsigned alternative = predict_alternative(r, &failed_ahead);
    if (alternative == 0) {
        if (!recover_sync(r)) {
            give_up_rule(r);
            return;
        }
        alternative = predict_alternative(r, &failed_ahead);
    }
    if (alternative == 0) {
        recover_no_viable(r, failed_ahead);
        give_up_rule(r);
        return;
    }
    r->step = alternative + 1;
}

static void take_step(struct recognizer *r)
{
    const struct step *s = &GRAMMAR[r->step];
    switch ((enum op)s->op) {
    case OP_MATCH:
        match(r, s, r->la == s->arg);
        break;
    case OP_MATCH_SET:
        match(r, s, (GRAMMAR_SETS[s->arg] & TOKENS(r->la)) != 0);
        break;
    case OP_CALL:
        call(r);
        break;
    case OP_OPTION:
        option(r, s);
        break;
    case OP_LOOP:
        loop(r, r->step + 1, s->other);
        break;
    case OP_AGAIN:
    case OP_PLUS_AGAIN:
        loop(r, s->other, r->step + 1);
        break;
    case OP_CHOICE:
        choose(r);
        break;
    case OP_PRECEDENCE:
        r->rule_depth[current_frame(r)->rule]++;
        r->step++;
        break;
    case OP_PLUS: /* its first token was seen by the choice that led here */
    case OP_ALTERNATIVE:
    case OP_GOTO:
        go_on(r, s->op == OP_GOTO ? s->other : r->step + 1);
        break;
    case OP_END:
        leave(r);
        break;
    }
}

struct parse_tree *recognizer_run(struct recognizer *r)
{
    r->la = recognizer_peek(r, 0);
    enter(r, RULE_START, 0, 0);
    while (r->depth > 0 && !r->is_stopped)
        take_step(r);
    return r->is_stopped ? NULL : r->frames[0].result;
}
