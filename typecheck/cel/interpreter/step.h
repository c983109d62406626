/*
 * step: the parts of a plan (plan.h): a step evaluates a node of an expression. An attribute is a variable,
 * or the value of another step, with the selections and indexes that follow it: its qualifiers.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_STEP_H
#define TYPECHECK_CEL_INTERPRETER_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/cel/interpreter/functions/functions.h"
#include "typecheck/cel/interpreter/values/value.h"

struct function;
struct overload;
struct regexp_program;
struct step;

enum attribute_kind {
    ATTRIBUTE_INPUT, /* a variable of the policy */
    ATTRIBUTE_ACCU,  /* the accumulator of a comprehension */
    ATTRIBUTE_FIRST, /* a variable of a comprehension */
    ATTRIBUTE_SECOND,
    ATTRIBUTE_RELATIVE, /* the value of another step */
    ATTRIBUTE_CONDITIONAL,
};

struct attribute;

/* A selection or an index. */
struct qualifier {
    uint32_t id;
    bool is_optional;
    bool is_test;                 /* has() */
    bool is_field;                /* of a value that is an object of a mutation to the type checker */
    const struct value *constant; /* the key; NULL if it is the value of an attribute */
    struct attribute *attribute;
};

struct attribute {
    enum attribute_kind kind;
    uint32_t id;                      /* its own, before it is qualified */
    size_t fold;                      /* ACCU, FIRST, SECOND: the comprehension */
    struct str name;                  /* INPUT */
    struct step *operand;             /* RELATIVE; CONDITIONAL: the condition */
    struct attribute *truthy, *falsy; /* CONDITIONAL */
    struct qualifier **qualifiers;    /* a CONDITIONAL has none; its branches have them */
    size_t qualifier_count, qualifier_cap;
};

enum step_kind {
    STEP_CONSTANT,
    STEP_ATTRIBUTE,
    STEP_AND,
    STEP_OR,
    STEP_CALL,
    STEP_EQUALS,
    STEP_NOT_EQUALS,
    STEP_MEMBER,      /* membership in a set */
    STEP_OPTIONAL_OR, /* a.or(b), a.orValue(b) */
    STEP_LIST,
    STEP_MAP,
    STEP_OBJECT, /* a value that only mutations make (objects.h) */
    STEP_FOLD,
};

struct step_call {
    const struct function_row *row;   /* of a whole function or one overload; NULL: chosen by the arguments */
    const struct overload *overload;  /* whose types the arguments must have; NULL: see `function` */
    const struct function *function;  /* whose overloads are tried in turn; NULL: row is a whole function's */
    const struct function_row **rows; /* by overload of `function` */
    struct str name;
    price_function *price;
    const struct regexp_program *pattern; /* a constant pattern; NULL: there is none */
    enum function_shape shape;
    bool is_strict;
};

struct step_fold {
    size_t index;
    struct step *range, *init, *condition, *step, *result;
    bool has_two;
    bool may_grow; /* its variable can hold a list or map that is changed in place */
};

struct step {
    enum step_kind kind;
    uint32_t id;
    struct step **parts; /* operands, arguments, items; keys and values in turn */
    size_t count;
    const bool *optional; /* LIST: by item; MAP: by entry; OBJECT: by field; NULL: none is */
    union {
        const struct value *constant;
        struct {
            struct attribute *attribute;
            bool is_test;     /* has() */
            bool is_optional; /* as a qualifier */
        };
        struct step_call call;
        const struct value_map *set; /* MEMBER: the keys */
        bool wants_value;            /* OPTIONAL_OR: orValue */
        struct {
            struct str type;          /* OBJECT */
            const struct str *fields; /* by part */
        } object;
        struct step_fold *fold;
    };
};

#endif
