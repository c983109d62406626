/*
 * grammar: the grammar of CEL as a graph of steps, the one table of the parser.
 *
 * The rules are those of cel-go's CEL.g4, laid out as ANTLR lays them out:
 * every place where ANTLR's parser can stop, decide or complain is a step.
 * recognizer.c walks it, predict.c chooses in it, and recover.c reads the
 * sets of expected tokens off it, so the accepted language and the error
 * messages always agree. Steps follow one another unless `other` names another
 * step. Everything is const.
 */
#ifndef TYPECHECK_CEL_SYNTAX_GRAMMAR_H
#define TYPECHECK_CEL_SYNTAX_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/cel/syntax/lexer.h"
#include "typecheck/cel/syntax/parse_tree.h"

enum grammar_rule {
    RULE_START,
    RULE_EXPR,
    RULE_OR,
    RULE_AND,
    RULE_RELATION,
    RULE_CALC,
    RULE_UNARY,
    RULE_MEMBER,
    RULE_PRIMARY,
    RULE_EXPR_LIST,
    RULE_LIST_INIT,
    RULE_FIELD_INIT,
    RULE_OPT_FIELD,
    RULE_MAP_INIT,
    RULE_ESCAPE_IDENT,
    RULE_OPT_EXPR,
    RULE_LITERAL,
    RULE_COUNT,
};

/* A set of tokens; TOKENS_END is the end of the rule, reached without a token. */
typedef uint64_t tokens;
#define TOKENS(kind) ((tokens)1 << (kind))
#define TOKENS_END   ((tokens)1 << 63)
#define ANYTHING     (~(tokens)0)

enum op {
    OP_MATCH,       /* the token `arg` */
    OP_MATCH_SET,   /* one of GRAMMAR_SETS[arg] */
    OP_CALL,        /* the rule `arg`, binding at least as tightly as `other` */
    OP_PRECEDENCE,  /* passable only in a call that binds no tighter than `arg` */
    OP_OPTION,      /* x?: the next step, or `other` after it */
    OP_LOOP,        /* x*: the next step, or `other` after it; `arg` says how to choose */
    OP_AGAIN,       /* the end of x*: `other` is its first step */
    OP_PLUS,        /* x+ begins */
    OP_PLUS_AGAIN,  /* the end of x+: `other` is its first step; `arg` says how to choose */
    OP_CHOICE,      /* x | y ...: the alternatives follow; `arg` says how to choose */
    OP_ALTERNATIVE, /* the next one is at `other`, 0 for the last */
    OP_GOTO,        /* `other` */
    OP_END,         /* of the rule */
};

/* Says how to choose: by the next token alone, or by a function of predict.c. */
enum choice {
    BY_TOKEN,
    BY_LOOP_COMMA, /* a comma with another item after it */
    BY_MINUS,      /* a further minus, or the operand */
    BY_UNARY,
    BY_MEMBER,
    BY_PRIMARY,
    BY_LITERAL,
};

/* The effect of a matched token or a finished rule on the tree (recognizer.c). */
enum build {
    BUILD_NOTHING = PARSE_TREE_INDEX + 1, /* after the kinds of trees */
    BUILD_RESULT,                         /* the rule's tree is the result */
    BUILD_ADD,                            /* the rule's tree is one more child */
    BUILD_ITEM,                           /* the same, of a list that begins with it */
    BUILD_FLAGGED,                        /* the rule's tree is the result, marked if there was a '?' */
    BUILD_FLAG,                           /* this '?' */
    BUILD_BEHIND,                         /* the token follows the last child */
    BUILD_NAME,
    BUILD_OPERATOR,
    BUILD_OPTIONAL,
    /* the token begins a tree of that kind ... */
    BUILD_LITERAL = PARSE_TREE_LITERAL,
    BUILD_IDENT = PARSE_TREE_IDENT,
    BUILD_ESCAPE_IDENT = PARSE_TREE_ESCAPE_IDENT,
    BUILD_GLOBAL_CALL = PARSE_TREE_GLOBAL_CALL,
    BUILD_LIST = PARSE_TREE_LIST,
    BUILD_MAP = PARSE_TREE_MAP,
    BUILD_MESSAGE = PARSE_TREE_MESSAGE,
    BUILD_NOT = PARSE_TREE_NOT,
    BUILD_NEGATE = PARSE_TREE_NEGATE,
    /* ... or wraps the result into one */
    BUILD_TERNARY = PARSE_TREE_TERNARY,
    BUILD_OR = PARSE_TREE_OR,
    BUILD_AND = PARSE_TREE_AND,
    BUILD_BINARY = PARSE_TREE_BINARY,
    BUILD_SELECT = PARSE_TREE_SELECT,
    BUILD_MEMBER_CALL = PARSE_TREE_MEMBER_CALL,
    BUILD_INDEX = PARSE_TREE_INDEX,
};

/* Sets that stand for one step each. */
enum grammar_set { SET_RELATION, SET_PRODUCT, SET_SUM };

struct grammar_step {
    uint8_t op, arg, build;
    uint16_t other;
    tokens first; /* OPTION, LOOP, AGAIN: tokens with which the body can begin */
    tokens stay;  /* with these tokens the step does something; with others the step after it is next */
};

/* STEP_EXPR, STEP_EXPR_TERNARY ...: a rule's first step bears its name. */
enum {
#define STEP(name, op, arg, other, build, first, stay) STEP_##name,
#include "typecheck/cel/syntax/grammar_steps.def"
#undef STEP
    STEP_COUNT,
};

extern const struct grammar_step GRAMMAR[STEP_COUNT];
extern const tokens GRAMMAR_SETS[];

/* The first step of a rule, and the tokens that can begin it. No rule is empty. */
struct rule_info {
    uint16_t first_step;
    bool is_left_recursive;
    tokens first;
};
extern const struct rule_info GRAMMAR_RULES[RULE_COUNT];

/* The tokens that can come next at `step` within its rule; with TOKENS_END if the rule can end there. */
tokens grammar_next(unsigned step);
/* The same in a call that binds at least as tightly as `precedence`. */
tokens grammar_next_within(unsigned step, unsigned precedence);

#endif
