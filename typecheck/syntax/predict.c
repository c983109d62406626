#include "typecheck/syntax/predict.h"

#include "typecheck/syntax/recognizer.h"

static bool can_begin(enum grammar_rule rule, enum token_kind kind)
{
    return (GRAMMAR_RULES[rule].first & TOKENS(kind)) != 0;
}

static unsigned by_token(const struct recognizer *r)
{
    unsigned alternative = r->step + 1;
    while (alternative != 0 && !recognizer_begins(r, alternative + 1))
        alternative = GRAMMAR[alternative].other;
    return alternative;
}

/* "-1" is a literal, unless it is "--1"; any other minus negates what follows. */
static unsigned by_unary(struct recognizer *r, uint32_t *failed_ahead)
{
    if (r->la == TOKEN_NOT)
        return STEP_UNARY_NOT;
    if (r->la != TOKEN_MINUS)
        return can_begin(RULE_MEMBER, r->la) ? STEP_UNARY_MEMBER : 0;
    enum token_kind second = recognizer_peek(r, 1);
    if (second == TOKEN_INT || second == TOKEN_FLOAT)
        return STEP_UNARY_MEMBER;
    *failed_ahead = 1;
    return can_begin(RULE_MEMBER, second) ? STEP_UNARY_NEGATE : 0;
}

/* A call needs its parenthesis behind the name; nothing else that follows a name matters. */
static unsigned by_member(struct recognizer *r, uint32_t *failed_ahead)
{
    if (r->la == TOKEN_LBRACKET)
        return STEP_INDEX;
    if (r->la != TOKEN_DOT)
        return 0;
    switch (recognizer_peek(r, 1)) {
    case TOKEN_QUESTION:
    case TOKEN_ESCAPED_IDENT:
        return STEP_SELECT;
    case TOKEN_IDENT:
        return recognizer_peek(r, 2) == TOKEN_LPAREN ? STEP_MEMBER_CALL : STEP_SELECT;
    default:
        *failed_ahead = 1;
        return 0;
    }
}

/* a, a(, a.b.c{: the whole name is read before it is clear that no message follows. */
static unsigned by_name(struct recognizer *r, uint32_t *failed_ahead)
{
    uint32_t name = r->la == TOKEN_DOT ? 1 : 0;
    if (recognizer_peek(r, name) != TOKEN_IDENT) {
        *failed_ahead = name;
        return 0;
    }
    enum token_kind behind = recognizer_peek(r, name + 1);
    if (behind == TOKEN_LPAREN)
        return STEP_GLOBAL_CALL;
    while (behind == TOKEN_DOT && recognizer_peek(r, name + 2) == TOKEN_IDENT) {
        name += 2;
        behind = recognizer_peek(r, name + 1);
    }
    return behind == TOKEN_LBRACE ? STEP_MESSAGE : STEP_IDENT;
}

static unsigned by_primary(struct recognizer *r, uint32_t *failed_ahead)
{
    switch (r->la) {
    case TOKEN_DOT:
    case TOKEN_IDENT:
        return by_name(r, failed_ahead);
    case TOKEN_LPAREN:
        return STEP_NESTED;
    case TOKEN_LBRACKET:
        return STEP_LIST;
    case TOKEN_LBRACE:
        return STEP_MAP;
    default:
        return can_begin(RULE_LITERAL, r->la) ? STEP_CONSTANT : 0;
    }
}

static unsigned by_literal(struct recognizer *r, uint32_t *failed_ahead)
{
    if (r->la != TOKEN_MINUS)
        return by_token(r);
    switch (recognizer_peek(r, 1)) {
    case TOKEN_INT:
        return STEP_INT;
    case TOKEN_FLOAT:
        return STEP_DOUBLE;
    default:
        *failed_ahead = 1;
        return 0;
    }
}

unsigned predict_alternative(struct recognizer *r, uint32_t *failed_ahead)
{
    *failed_ahead = 0;
    switch ((enum choice)GRAMMAR[r->step].arg) {
    case BY_UNARY:
        return by_unary(r, failed_ahead);
    case BY_MEMBER:
        return by_member(r, failed_ahead);
    case BY_PRIMARY:
        return by_primary(r, failed_ahead);
    case BY_LITERAL:
        return by_literal(r, failed_ahead);
    case BY_TOKEN:
    case BY_LOOP_COMMA:
    case BY_MINUS:
        break;
    }
    return by_token(r);
}

/* [1, 2] goes on, [1,] does not; what is wrong behind the comma is for others to say. */
static enum predicted by_loop_comma(struct recognizer *r, unsigned first)
{
    if (r->la != TOKEN_COMMA)
        return PREDICT_LEAVE;
    return can_begin(GRAMMAR[first + 1].arg, recognizer_peek(r, 1)) ? PREDICT_ITERATE : PREDICT_LEAVE;
}

static enum predicted by_minus(struct recognizer *r, uint32_t *failed_ahead)
{
    if (r->la != TOKEN_MINUS)
        return can_begin(RULE_MEMBER, r->la) ? PREDICT_LEAVE : PREDICT_FAILED;
    *failed_ahead = 1;
    return can_begin(RULE_MEMBER, recognizer_peek(r, 1)) ? PREDICT_ITERATE : PREDICT_FAILED;
}

enum predicted predict_loop(struct recognizer *r, unsigned first, uint32_t *failed_ahead)
{
    *failed_ahead = 0;
    switch ((enum choice)GRAMMAR[r->step].arg) {
    case BY_LOOP_COMMA:
        return by_loop_comma(r, first);
    case BY_MINUS:
        return by_minus(r, failed_ahead);
    case BY_TOKEN:
    case BY_UNARY:
    case BY_MEMBER:
    case BY_PRIMARY:
    case BY_LITERAL:
        break;
    }
    return recognizer_begins(r, first) ? PREDICT_ITERATE : PREDICT_LEAVE;
}
