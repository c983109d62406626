#include "typecheck/cel/syntax/predict.h"

#include "typecheck/cel/syntax/parse_state.h"

static bool can_begin(enum grammar_rule rule, enum token_kind kind)
{
    return (GRAMMAR_RULES[rule].first & TOKENS(kind)) != 0;
}

static unsigned by_token(struct parse_state *p, uint32_t *failed_ahead)
{
    (void)failed_ahead;
    unsigned alternative = p->step + 1;
    while (alternative != 0 && !parse_state_begins(p, alternative + 1))
        alternative = GRAMMAR[alternative].other;
    return alternative;
}

/* "-1" is a literal, unless it is "--1"; any other minus negates what follows. */
static unsigned by_unary(struct parse_state *p, uint32_t *failed_ahead)
{
    if (p->la == TOKEN_NOT)
        return STEP_UNARY_NOT;
    if (p->la != TOKEN_MINUS)
        return can_begin(RULE_MEMBER, p->la) ? STEP_UNARY_MEMBER : 0;
    enum token_kind second = parse_state_peek(p, 1);
    if (second == TOKEN_INT || second == TOKEN_FLOAT)
        return STEP_UNARY_MEMBER;
    *failed_ahead = 1;
    return can_begin(RULE_MEMBER, second) ? STEP_UNARY_NEGATE : 0;
}

/* A call needs its parenthesis behind the name; nothing else that follows a name matters. */
static unsigned by_member(struct parse_state *p, uint32_t *failed_ahead)
{
    if (p->la == TOKEN_LBRACKET)
        return STEP_INDEX;
    if (p->la != TOKEN_DOT)
        return 0;
    switch (parse_state_peek(p, 1)) {
    case TOKEN_QUESTION:
    case TOKEN_ESCAPED_IDENT:
        return STEP_SELECT;
    case TOKEN_IDENT:
        return parse_state_peek(p, 2) == TOKEN_LPAREN ? STEP_MEMBER_CALL : STEP_SELECT;
    default:
        *failed_ahead = 1;
        return 0;
    }
}

/* a, a(, a.b.c{: the whole name is read before it is clear that no message follows. */
static unsigned by_name(struct parse_state *p, uint32_t *failed_ahead)
{
    uint32_t name = p->la == TOKEN_DOT ? 1 : 0;
    if (parse_state_peek(p, name) != TOKEN_IDENT) {
        *failed_ahead = name;
        return 0;
    }
    enum token_kind behind = parse_state_peek(p, name + 1);
    if (behind == TOKEN_LPAREN)
        return STEP_GLOBAL_CALL;
    while (behind == TOKEN_DOT && parse_state_peek(p, name + 2) == TOKEN_IDENT) {
        name += 2;
        behind = parse_state_peek(p, name + 1);
    }
    return behind == TOKEN_LBRACE ? STEP_MESSAGE : STEP_IDENT;
}

static unsigned by_primary(struct parse_state *p, uint32_t *failed_ahead)
{
    switch (p->la) {
    case TOKEN_DOT:
    case TOKEN_IDENT:
        return by_name(p, failed_ahead);
    case TOKEN_LPAREN:
        return STEP_NESTED;
    case TOKEN_LBRACKET:
        return STEP_LIST;
    case TOKEN_LBRACE:
        return STEP_MAP;
    default:
        return can_begin(RULE_LITERAL, p->la) ? STEP_CONSTANT : 0;
    }
}

static unsigned by_literal(struct parse_state *p, uint32_t *failed_ahead)
{
    if (p->la != TOKEN_MINUS)
        return by_token(p, failed_ahead);
    switch (parse_state_peek(p, 1)) {
    case TOKEN_INT:
        return STEP_INT;
    case TOKEN_FLOAT:
        return STEP_DOUBLE;
    default:
        *failed_ahead = 1;
        return 0;
    }
}

unsigned predict_alternative(struct parse_state *p, uint32_t *failed_ahead)
{
    static unsigned (*const WAYS[])(struct parse_state * p, uint32_t * failed_ahead) = {
        [BY_TOKEN] = by_token,     [BY_UNARY] = by_unary,     [BY_MEMBER] = by_member,
        [BY_PRIMARY] = by_primary, [BY_LITERAL] = by_literal,
    };
    *failed_ahead = 0;
    return WAYS[GRAMMAR[p->step].arg](p, failed_ahead);
}

/* [1, 2] has another item, [1,] has not; a mistake after the comma is reported later. */
static enum predicted by_loop_comma(struct parse_state *p, unsigned first)
{
    if (p->la != TOKEN_COMMA)
        return PREDICT_LEAVE;
    return can_begin(GRAMMAR[first + 1].arg, parse_state_peek(p, 1)) ? PREDICT_ITERATE : PREDICT_LEAVE;
}

static enum predicted by_minus(struct parse_state *p, uint32_t *failed_ahead)
{
    if (p->la != TOKEN_MINUS)
        return can_begin(RULE_MEMBER, p->la) ? PREDICT_LEAVE : PREDICT_FAILED;
    *failed_ahead = 1;
    return can_begin(RULE_MEMBER, parse_state_peek(p, 1)) ? PREDICT_ITERATE : PREDICT_FAILED;
}

enum predicted predict_loop(struct parse_state *p, unsigned first, uint32_t *failed_ahead)
{
    const enum choice how = GRAMMAR[p->step].arg;
    *failed_ahead = 0;
    if (how == BY_LOOP_COMMA)
        return by_loop_comma(p, first);
    if (how == BY_MINUS)
        return by_minus(p, failed_ahead);
    return parse_state_begins(p, first) ? PREDICT_ITERATE : PREDICT_LEAVE;
}
