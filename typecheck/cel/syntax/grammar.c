#include "typecheck/cel/syntax/grammar.h"

/* The unit test proves that these sets follow from the steps. */
#define FIRST_OF_LITERAL                                                                                     \
    (TOKENS(TOKEN_MINUS) | TOKENS(TOKEN_INT) | TOKENS(TOKEN_UINT) | TOKENS(TOKEN_FLOAT) |                    \
     TOKENS(TOKEN_STRING) | TOKENS(TOKEN_BYTES) | TOKENS(TOKEN_TRUE) | TOKENS(TOKEN_FALSE) |                 \
     TOKENS(TOKEN_NULL))
#define FIRST_OF_PRIMARY                                                                                     \
    (TOKENS(TOKEN_DOT) | TOKENS(TOKEN_IDENT) | TOKENS(TOKEN_LPAREN) | TOKENS(TOKEN_LBRACKET) |               \
     TOKENS(TOKEN_LBRACE) | FIRST_OF_LITERAL)
#define FIRST_OF_SUFFIX       (TOKENS(TOKEN_DOT) | TOKENS(TOKEN_LBRACKET))
#define FIRST_OF_EXPR         (TOKENS(TOKEN_NOT) | FIRST_OF_PRIMARY)
#define FIRST_OF_OPT_EXPR     (TOKENS(TOKEN_QUESTION) | FIRST_OF_EXPR)
#define FIRST_OF_ESCAPE_IDENT (TOKENS(TOKEN_IDENT) | TOKENS(TOKEN_ESCAPED_IDENT))
#define FIRST_OF_OPT_FIELD    (TOKENS(TOKEN_QUESTION) | FIRST_OF_ESCAPE_IDENT)
#define PRODUCT_OPERATOR      (TOKENS(TOKEN_STAR) | TOKENS(TOKEN_SLASH) | TOKENS(TOKEN_PERCENT))
#define SUM_OPERATOR          (TOKENS(TOKEN_PLUS) | TOKENS(TOKEN_MINUS))
#define CALC_OPERATOR         (PRODUCT_OPERATOR | SUM_OPERATOR)
#define RELATION_OPERATOR                                                                                    \
    (TOKENS(TOKEN_LESS) | TOKENS(TOKEN_LESS_EQUALS) | TOKENS(TOKEN_GREATER_EQUALS) | TOKENS(TOKEN_GREATER) | \
     TOKENS(TOKEN_EQUALS) | TOKENS(TOKEN_NOT_EQUALS) | TOKENS(TOKEN_IN))

const struct grammar_step GRAMMAR[STEP_COUNT] = {
#define STEP(name, op, arg, other, build, first, stay) {op, arg, build, other, first, stay},
#include "typecheck/cel/syntax/grammar_steps.def"
#undef STEP
};

const tokens GRAMMAR_SETS[] = {
    [SET_RELATION] = RELATION_OPERATOR, [SET_PRODUCT] = PRODUCT_OPERATOR, [SET_SUM] = SUM_OPERATOR};

const struct rule_info GRAMMAR_RULES[RULE_COUNT] = {
    [RULE_START] = {STEP_START, false, FIRST_OF_EXPR},
    [RULE_EXPR] = {STEP_EXPR, false, FIRST_OF_EXPR},
    [RULE_OR] = {STEP_OR, false, FIRST_OF_EXPR},
    [RULE_AND] = {STEP_AND, false, FIRST_OF_EXPR},
    [RULE_RELATION] = {STEP_RELATION, true, FIRST_OF_EXPR},
    [RULE_CALC] = {STEP_CALC, true, FIRST_OF_EXPR},
    [RULE_UNARY] = {STEP_UNARY, false, FIRST_OF_EXPR},
    [RULE_MEMBER] = {STEP_MEMBER, true, FIRST_OF_PRIMARY},
    [RULE_PRIMARY] = {STEP_PRIMARY, false, FIRST_OF_PRIMARY},
    [RULE_EXPR_LIST] = {STEP_EXPR_LIST, false, FIRST_OF_EXPR},
    [RULE_LIST_INIT] = {STEP_LIST_INIT, false, FIRST_OF_OPT_EXPR},
    [RULE_FIELD_INIT] = {STEP_FIELD_INIT, false, FIRST_OF_OPT_FIELD},
    [RULE_OPT_FIELD] = {STEP_OPT_FIELD, false, FIRST_OF_OPT_FIELD},
    [RULE_MAP_INIT] = {STEP_MAP_INIT, false, FIRST_OF_OPT_EXPR},
    [RULE_ESCAPE_IDENT] = {STEP_ESCAPE_IDENT, false, FIRST_OF_ESCAPE_IDENT},
    [RULE_OPT_EXPR] = {STEP_OPT_EXPR, false, FIRST_OF_OPT_EXPR},
    [RULE_LITERAL] = {STEP_LITERAL, false, FIRST_OF_LITERAL},
};

tokens grammar_next_within(unsigned at, unsigned precedence)
{
    for (;;) {
        const struct grammar_step *s = &GRAMMAR[at];
        switch ((enum op)s->op) {
        case OP_MATCH:
            return TOKENS(s->arg);
        case OP_MATCH_SET:
            return GRAMMAR_SETS[s->arg];
        case OP_CALL:
            return GRAMMAR_RULES[s->arg].first;
        case OP_OPTION:
        case OP_LOOP:
        case OP_AGAIN:
        case OP_PLUS_AGAIN:
            return grammar_next_within(at + 1, precedence) | grammar_next_within(s->other, precedence);
        case OP_ALTERNATIVE:
            if (s->other != 0)
                return grammar_next_within(at + 1, precedence) | grammar_next_within(s->other, precedence);
            at++;
            break;
        case OP_PRECEDENCE:
            if (s->arg < precedence)
                return 0;
            at++;
            break;
        case OP_PLUS:
        case OP_CHOICE:
            at++;
            break;
        case OP_GOTO:
            at = s->other;
            break;
        case OP_END:
            return TOKENS_END;
        }
    }
}

tokens grammar_next(unsigned step)
{
    return grammar_next_within(step, 0);
}
