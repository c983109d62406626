#include "typecheck/policy/abstract/narrowed.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/abstract/domain/bounds.h"
#include "typecheck/policy/abstract/narrowing.h"
#include "typecheck/policy/abstract/stringtest.h"

/* v, where it is `is` the int. */
static const struct absval *in_order(struct eval_context *e, const struct absval *v, enum ast_operator is,
                                     int64_t literal)
{
    struct absrange range = {INT64_MIN, INT64_MAX, NULL};
    if (v->range != NULL)
        range = *v->range;
    /* that there is none less than the least, or more than the most, only makes it wider */
    const int64_t least = is == AST_GREATER && literal < INT64_MAX ? literal + 1 : literal;
    const int64_t most = is == AST_LESS && literal > INT64_MIN ? literal - 1 : literal;
    if ((is == AST_GREATER || is == AST_GREATER_EQUALS) && least > range.min)
        range.min = least;
    if ((is == AST_LESS || is == AST_LESS_EQUALS) && most < range.max)
        range.max = most;
    return range.min > range.max ? v : absval_in_range(e->arena, v, range);
}

/* v, where it is one of the strings. */
static const struct absval *one_of(struct eval_context *e, const struct absval *v, const struct str *strings,
                                   size_t count)
{
    const struct absval *all = NULL;
    for (size_t i = 0; i < count; i++)
        all = absval_join(e->arena, all,
                          absval_by(e->arena, absval_of_string(e->arena, strings[i]), ABS_OF_REQUEST));
    return absval_derive(e->arena, v->words == NULL ? all : absval_with_words(e->arena, all, v->words), v);
}

/* The values that a string can have behind comparisons. */
struct choice {
    struct str list[BOUNDS_VALUES];
    size_t count;
    bool is_known; /* it is one of the list, else anything */
    bool is_less;  /* than all that its field can be */
};

/* The strings are all that it can be. */
static void choose(struct choice *choice, const struct str *strings, size_t count)
{
    if (choice->is_known || count > BOUNDS_VALUES)
        return;
    for (size_t i = 0; i < count; i++)
        choice->list[i] = strings[i];
    choice->count = count;
    choice->is_known = true;
}

/* Returns true if the literal, a string or a list of strings, has the text. */
static bool has_text(struct eval_context *e, const struct node *literal, struct str text)
{
    bool has = literal->kind == NODE_LITERAL && str_eq(literal->literal.bytes, text);
    for (size_t i = 0; literal->kind == NODE_LIST && !has && i < literal->list.count; i++) {
        arena_step(e->arena);
        has = str_eq(literal->list.elements[i]->literal.bytes, text);
    }
    return has;
}

/* The literal, or what is in it, is all that it can be. */
static void choose_literal(struct eval_context *e, struct choice *choice, const struct node *literal)
{
    const bool is_list = literal->kind == NODE_LIST;
    const size_t count = is_list ? literal->list.count : 1;
    struct str *strings = ARENA_ARRAY(e->arena, count, struct str);
    for (size_t i = 0; i < count; i++)
        strings[i] = is_list ? literal->list.elements[i]->literal.bytes : literal->literal.bytes;
    choose(choice, strings, count);
}

/* It is the literal or in it, or it is not. */
static void restrict_choice(struct eval_context *e, struct choice *choice, const struct node *literal,
                            bool is_denied)
{
    size_t kept = 0;
    for (size_t i = 0; i < choice->count; i++) {
        if (has_text(e, literal, choice->list[i]) != is_denied)
            choice->list[kept++] = choice->list[i];
    }
    choice->is_less = choice->is_less || choice->is_known;
    choice->count = kept;
}

/* The next that is about strings from `c` on. */
static const struct narrowing *next_of_strings(struct eval_context *e, const struct node *n,
                                               const struct narrowing *c)
{
    while ((c = narrowing_compared(e->arena, c, n, e->scope.locals)) != NULL &&
           c->literal->kind != NODE_LIST && c->literal->literal.kind != LITERAL_STRING)
        c = c->next;
    return c;
}

static bool denies(const struct narrowing *c)
{
    return c->is == AST_NOT_EQUALS || (c->is == AST_IN && c->is_denied);
}

/* Behind "x == 'a' &&" x is 'a'; behind "x != 'a' &&" x is another one of all that it can be. */
static const struct absval *choose_string(struct eval_context *e, const struct node *n,
                                          const struct absval *v)
{
    struct choice choice = {.is_known = false};
    const struct abswords *words = v->words;
    const struct narrowing *c = e->scope.narrowing;
    if (words != NULL && words->judge == NULL && words->elsewhere == 0 && words->other_count == 0)
        choose(&choice, words->list, words->count);
    while ((c = next_of_strings(e, n, c)) != NULL && !choice.is_known) {
        if (!denies(c))
            choose_literal(e, &choice, c->literal);
        c = c->next;
    }
    for (c = e->scope.narrowing; choice.is_known && (c = next_of_strings(e, n, c)) != NULL; c = c->next)
        restrict_choice(e, &choice, c->literal, denies(c));
    const bool is_less = choice.is_less && choice.count != 0;
    return is_less ? absval_narrowed(e->arena, one_of(e, v, choice.list, choice.count)) : v;
}

/* Behind "x < 5 &&" x is less than 5. */
static const struct absval *choose_int(struct eval_context *e, const struct node *n, const struct absval *v)
{
    const struct narrowing *c = e->scope.narrowing;
    const struct absval *narrowed = v;
    for (; (c = narrowing_compared(e->arena, c, n, e->scope.locals)) != NULL; c = c->next) {
        if (c->literal->kind != NODE_LITERAL || c->literal->literal.kind != LITERAL_INT)
            continue;
        if (c->is == AST_EQUALS)
            narrowed = absval_by(e->arena, absval_of_literal(e->arena, c->literal->literal), ABS_OF_REQUEST);
        else if (narrowed->values == NULL)
            narrowed = in_order(e, narrowed, c->is, c->literal->literal.integer);
    }
    return narrowed == v ? v : absval_narrowed(e->arena, absval_derive(e->arena, narrowed, v));
}

static bool is_narrowable(const struct eval_context *e, const struct node *n, const struct absval *v)
{
    const struct narrowing *known = e->scope.narrowing;
    return known != NULL && known->compared != 0 && !v->is_error && v->values == NULL &&
           !v->is_type_determined && v->author == ABS_OF_REQUEST && !eval_context_is_doubted(e, n);
}

const struct absval *narrowed_value(struct eval_context *e, const struct node *n, const struct absval *v)
{
    if (!is_narrowable(e, n, v))
        return v;
    if ((v->kinds & ABS_INT) != 0 && (v->kinds & ABS_NUMBER) == ABS_INT && (v->kinds & ABS_STRING) == 0)
        return choose_int(e, n, v);
    return (v->kinds & ABS_STRING) != 0 ? choose_string(e, n, v) : v;
}

static bool says_truth(const struct narrowing *c)
{
    return c->literal->kind == NODE_LITERAL && c->literal->literal.kind == LITERAL_BOOL;
}

/* The condition that says what `n` itself is; NULL if there is none. */
static const struct narrowing *find_same(struct eval_context *e, const struct node *n)
{
    const struct narrowing *c = narrowing_compared(e->arena, e->scope.narrowing, n, e->scope.locals);
    while (c != NULL && !says_truth(c))
        c = narrowing_compared(e->arena, c->next, n, e->scope.locals);
    return c;
}

/* Returns true if each of the strings, one of which it is, says the same about the test. */
static bool is_decided_by_list(struct eval_context *e, const struct node *list,
                               const struct stringtest *asked, bool *value)
{
    bool is_decided = true, first = false;
    for (size_t i = 0; is_decided && i < list->list.count; i++) {
        const struct stringtest known = {.kind = ABSWORDS_IS, .text = list->list.elements[i]->literal.bytes};
        is_decided = stringtest_decides(e->arena, &known, true, asked, value) && (i == 0 || *value == first);
        first = *value;
    }
    return is_decided;
}

/* Returns true if the condition is a test of the string that says what the other test says. */
static bool is_decided_by_test(struct eval_context *e, const struct narrowing *c,
                               const struct stringtest *asked, bool *value)
{
    struct stringtest known;
    return says_truth(c) && stringtest_read(c->path, &known) &&
           stringtest_decides(e->arena, &known, c->literal->literal.boolean, asked, value);
}

/* The condition that decides the test of a string by another test of it; NULL if there is none. */
static const struct narrowing *find_other_test(struct eval_context *e, const struct stringtest *asked,
                                               bool *value)
{
    const struct binding *locals = e->scope.locals;
    const struct narrowing *c = e->scope.narrowing;
    while ((c = narrowing_of_target(e->arena, c, asked->subject, locals)) != NULL &&
           !is_decided_by_test(e, c, asked, value))
        c = c->next;
    if (c != NULL)
        return c;
    c = e->scope.narrowing;
    while ((c = narrowing_compared(e->arena, c, asked->subject, locals)) != NULL &&
           (c->is != AST_IN || c->is_denied || !is_decided_by_list(e, c->literal, asked, value)))
        c = c->next;
    return c;
}

/* The same of x == 'a', x != 'a' and x in ['a', 'b']: the condition that no such x fulfils. */
static const struct narrowing *find_test_against(struct eval_context *e, const struct node *n, bool *value)
{
    const bool is_turned = n->op != AST_IN && n->call.args[0]->kind == NODE_LITERAL;
    const struct node *literal = n->call.args[!is_turned];
    const bool is_list = n->op == AST_IN && literal->kind == NODE_LIST;
    const struct node *const *strings =
        is_list ? (const struct node *const *)literal->list.elements : &literal;
    const size_t count = is_list ? literal->list.count : n->op == AST_IN ? 0 : 1;
    const struct narrowing *found = NULL;
    for (size_t i = 0; i < count; i++) {
        struct stringtest asked = {.kind = ABSWORDS_IS, .subject = n->call.args[is_turned]};
        bool is_it = true;
        if (strings[i]->kind != NODE_LITERAL || strings[i]->literal.kind != LITERAL_STRING)
            return NULL;
        asked.text = strings[i]->literal.bytes;
        found = find_other_test(e, &asked, &is_it);
        if (found == NULL || is_it)
            return NULL;
    }
    *value = n->op == AST_NOT_EQUALS;
    return found;
}

/* The condition before `n` that decides it, and the value; NULL: none does. */
static const struct narrowing *find_deciding(struct eval_context *e, const struct node *n, bool *value)
{
    struct stringtest asked;
    const struct narrowing *same = find_same(e, n);
    if (same != NULL) {
        *value = same->literal->literal.boolean;
        return same;
    }
    if (stringtest_read(n, &asked))
        return find_other_test(e, &asked, value);
    const bool is_comparison = n->kind == NODE_CALL && n->arg_count == 2 &&
                               (n->op == AST_EQUALS || n->op == AST_NOT_EQUALS || n->op == AST_IN);
    return is_comparison ? find_test_against(e, n, value) : NULL;
}

struct transfer narrowed_truth(struct eval_context *e, const struct node *n, struct transfer t)
{
    const bool is_open = t.failure == NULL && t.claim == NULL && t.value->kinds == ABS_BOOL &&
                         t.value->can_be[true] && t.value->can_be[false];
    bool truth;
    if (!is_open || !is_narrowable(e, n, t.value) || find_deciding(e, n, &truth) == NULL)
        return t;
    const struct absval *v = absval_of_bools(e->arena, truth, !truth);
    t.value = absval_narrowed(e->arena, absval_derive(e->arena, v, t.value));
    t.is_as_claimed = true;
    if (e->decided == NULL) {
        e->decided = n;
        e->is_decided_true = truth;
    }
    return t;
}

void narrowed_note(struct eval_context *e, const struct node *n, const struct absval *const *values,
                   struct transfer *t)
{
    const bool is_narrowed = values[0]->is_narrowed || values[1]->is_narrowed;
    if (!is_narrowed || t->failure != NULL || t->claim != NULL || t->value->kinds != ABS_BOOL ||
        absval_can_be(t->value, true) == absval_can_be(t->value, false))
        return;
    t->is_as_claimed = true;
    if (e->decided != NULL && e->decided != n->call.args[0] && e->decided != n->call.args[1])
        return;
    e->decided = n;
    e->is_decided_true = absval_can_be(t->value, true);
}

/* The condition that stands before the comparison, and decides it; NULL if it is not found. */
static const struct narrowing *find_decisive(struct eval_context *e, const struct node *n)
{
    const struct scope *s = &e->scope;
    const struct node *target = n->kind == NODE_CALL ? n->call.target : NULL;
    bool ignored;
    const struct narrowing *found =
        find_deciding(e, n->kind == NODE_CALL && n->op == AST_NOT ? n->call.args[0] : n, &ignored);
    if (found == NULL && target != NULL)
        found = narrowing_compared(e->arena, s->narrowing, target, s->locals);
    for (size_t i = 0; n->kind == NODE_CALL && found == NULL && i < n->arg_count; i++)
        found = narrowing_compared(e->arena, s->narrowing, n->call.args[i], s->locals);
    return found;
}

static bool is_exclusion(const struct narrowing *n)
{
    return n != NULL && denies(n);
}

/* x == true || x == false */
static bool is_of_bool(const struct narrowing *n)
{
    return n != NULL && n->literal->kind == NODE_LITERAL && n->literal->literal.kind == LITERAL_BOOL &&
           narrowing_is_path(n->path) && n->path->kind != NODE_IDENT;
}

/* The words for the value that a comparison is about; "it", where its text reads badly. */
static struct str subject_text(struct eval_context *e, const struct node *n)
{
    const struct node *root = n;
    while (root->kind == NODE_SELECT)
        root = root->select.operand;
    if (root->kind == NODE_CALL && root->op != AST_FUNCTION)
        return STR("it");
    if (n->kind != NODE_SELECT || !n->select.test_only)
        return ast_text(e->arena, n, false);
    struct node field = *n;
    field.select.test_only = false;
    return str_join(e->arena, STR_PARTS(STR("has("), ast_text(e->arena, &field, false), STR(")")));
}

/* "object.spec.type is 'a' here" */
static struct str narrowing_text(struct eval_context *e, const struct narrowing *found)
{
    static const struct str words[] = {[AST_LESS] = STR_INIT("less than "),
                                       [AST_LESS_EQUALS] = STR_INIT("at most "),
                                       [AST_GREATER] = STR_INIT("greater than "),
                                       [AST_GREATER_EQUALS] = STR_INIT("at least "),
                                       [AST_IN] = STR_INIT("one of ")};
    if (found == NULL)
        return STR("what stands before decides it");
    if (is_exclusion(found))
        return STR("what stands before leaves no other value");
    return str_join(e->arena, STR_PARTS(subject_text(e, found->path), STR(" is "),
                                        found->is == AST_EQUALS ? STR("") : words[found->is],
                                        ast_text(e->arena, found->literal, false), STR(" here")));
}

void narrowed_claim(struct eval_context *e, const struct node *n, const struct node *decided,
                    const struct absval *right)
{
    const bool stop = n->op == AST_OR;
    if (decided == NULL || e->scope.hypothetical)
        return;
    const bool is_stopped = !right->is_error && right->author == ABS_OF_REQUEST &&
                            absval_can_be(right, stop) && !absval_can_be(right, !stop);
    const struct narrowing *found = find_decisive(e, decided);
    /* x == 'a' || x == 'b' asks at least whether x is there */
    const bool is_asking = stop && right->may_fail && (is_exclusion(found) || is_of_bool(found));
    if ((!is_stopped || is_asking) && !eval_context_is_doubted(e, decided))
        return;
    const struct str what = e->is_decided_true ? STR(": this is always true") : STR(": this is always false");
    const struct failure why = {.code = e->is_decided_true ? ISSUE_ALWAYS_TRUE : ISSUE_ALWAYS_FALSE,
                                .is_ours = true,
                                .message = str_join(e->arena, STR_PARTS(narrowing_text(e, found), what))};
    findings_claim(e->findings, eval_context_site(e, decided), &why, !e->scope.unknown);
    findings_value(e->findings, eval_context_site(e, decided), e->is_decided_true);
}
