#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/cel/syntax/grammar.h"

static const char *const STEP_NAMES[] = {
#define STEP(name, op, arg, other, build, first, stay) #name,
#include "typecheck/cel/syntax/grammar_steps.def"
#undef STEP
};

/* The sets written down for speed are what the steps say. */
static void rules_begin_as_said(void **state)
{
    (void)state;
    for (int rule = 0; rule < RULE_COUNT; rule++)
        assert_true(grammar_next(GRAMMAR_RULES[rule].first_step) == GRAMMAR_RULES[rule].first);
}

static void bodies_begin_as_said(void **state)
{
    (void)state;
    for (unsigned step = 0; step < STEP_COUNT; step++) {
        const struct grammar_step *s = &GRAMMAR[step];
        bool is_decision = s->op == OP_OPTION || s->op == OP_LOOP || s->op == OP_AGAIN;
        tokens body = is_decision ? grammar_next(s->op == OP_AGAIN ? s->other : step + 1) : 0;
        if (s->first != body)
            fail_msg("%s: %llx, not %llx", STEP_NAMES[step], (unsigned long long)body,
                     (unsigned long long)s->first);
    }
}

/* Only what a token has no part in, and what needs no repair, is gone past. */
static void ways_past_are_as_said(void **state)
{
    (void)state;
    for (unsigned step = 0; step < STEP_COUNT; step++) {
        const struct grammar_step *s = &GRAMMAR[step];
        tokens stay = s->op == OP_GOTO ? 0 : ANYTHING;
        if (s->op == OP_OPTION || s->op == OP_LOOP || s->op == OP_AGAIN) {
            tokens next = grammar_next(s->op == OP_AGAIN ? step + 1 : s->other);
            stay = s->first | ((next & TOKENS_END) != 0 ? 0 : ~next);
        }
        if (s->stay != stay)
            fail_msg("%s: %llx, not %llx", STEP_NAMES[step], (unsigned long long)stay,
                     (unsigned long long)s->stay);
    }
}

/* What the recognizer relies on: nothing optional is empty, rules end, steps stay in their rule. */
static void is_well_formed(void **state)
{
    (void)state;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        unsigned step = GRAMMAR_RULES[rule].first_step, end = step;
        assert_true((GRAMMAR_RULES[rule].first & TOKENS_END) == 0);
        while (GRAMMAR[end].op != OP_END)
            end++;
        for (; step < end; step++) {
            const struct grammar_step *s = &GRAMMAR[step];
            if (s->op == OP_CALL) {
                assert_in_range(s->arg, 0, RULE_COUNT - 1);
                continue;
            }
            if (s->op == OP_OPTION || s->op == OP_LOOP || s->op == OP_GOTO)
                assert_in_range(s->other, step + 1, end);
            else if (s->op == OP_AGAIN || s->op == OP_PLUS_AGAIN)
                assert_in_range(s->other, GRAMMAR_RULES[rule].first_step + 1u, step - 1);
            else if (s->op == OP_ALTERNATIVE && s->other != 0)
                assert_int_equal(GRAMMAR[s->other].op, OP_ALTERNATIVE);
            else if (s->op == OP_CHOICE)
                assert_int_equal(GRAMMAR[step + 1].op, OP_ALTERNATIVE);
            assert_true((s->first & TOKENS_END) == 0);
        }
    }
}

/* Rules that call themselves first would never end; the left-recursive ones begin with what they repeat. */
static void no_rule_begins_with_itself(void **state)
{
    (void)state;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        int called = rule, calls = 0;
        while (GRAMMAR[GRAMMAR_RULES[called].first_step].op == OP_CALL && calls++ < RULE_COUNT)
            called = GRAMMAR[GRAMMAR_RULES[called].first_step].arg;
        assert_true(calls < RULE_COUNT);
    }
}

static void next_tokens(void **state)
{
    (void)state;
    assert_true(grammar_next(STEP_START_EOF) == TOKENS(TOKEN_EOF));
    assert_true(grammar_next(STEP_EXPR_TERNARY) == (TOKENS(TOKEN_QUESTION) | TOKENS_END));
    assert_true(grammar_next(STEP_LIST_COMMA_OPTION) == (TOKENS(TOKEN_COMMA) | TOKENS(TOKEN_RBRACKET)));
    assert_true(grammar_next(STEP_MESSAGE_LOOP) == (TOKENS(TOKEN_DOT) | TOKENS(TOKEN_LBRACE)));
    assert_true(grammar_next(STEP_ESCAPE_IDENT) == (TOKENS(TOKEN_IDENT) | TOKENS(TOKEN_ESCAPED_IDENT)));
    assert_true(grammar_next(STEP_MEMBER_AGAIN) == (TOKENS(TOKEN_DOT) | TOKENS(TOKEN_LBRACKET) | TOKENS_END));
    assert_true(grammar_next(STEP_UNARY_NOT_AGAIN) == (TOKENS(TOKEN_NOT) | GRAMMAR_RULES[RULE_MEMBER].first));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_begin_as_said), cmocka_unit_test(bodies_begin_as_said),
        cmocka_unit_test(is_well_formed),      cmocka_unit_test(no_rule_begins_with_itself),
        cmocka_unit_test(next_tokens),         cmocka_unit_test(ways_past_are_as_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
