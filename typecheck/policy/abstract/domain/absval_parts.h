/*
 * absval_parts: the parts of an abstract value (absval.h): the list that it can be, and the sorts of maps.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSVAL_PARTS_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSVAL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/types/spelling.h"

struct absval;
struct literal;
struct type;

/* Says how the values of an object relate to its schema's types. */
enum absval_form {
    ABS_PLAIN,       /* JSON, each value of its type */
    ABS_TYPED,       /* Go values behind an adapter */
    ABS_UNVALIDATED, /* JSON with only fields of the schema; values of any type */
};

/* All whole numbers that a call can return, or that validation lets a field be (call_range.h). */
struct absnumbers {
    int64_t min, max;
    struct str text;       /* says so: "a size is never negative"; empty: it is about a field */
    bool is_often_written; /* authors write tests of the least and the most that are always true: hour >= 0 */
    struct str field;      /* its name, if it is about one */
};

/* Whole numbers from min to max. */
struct absrange {
    int64_t min, max;
    const struct absnumbers *numbers; /* of the call or the field that they are from, before a comparison
                                       * narrowed them; NULL: they are from none */
};

/* A list; each element is as `element` says. */
struct abslist {
    const struct absval *element; /* any element of the list; NULL if the list is empty */
    const struct absval **items;  /* is_exact: the elements one by one */
    size_t count;
    size_t least; /* unless is_exact: it has so many items or more */
    bool is_exact;
    bool is_input_independent; /* is_exact: each of the elements is */
    bool is_typed;
};

/* A question about a string and a text. */
enum abswords_test {
    ABSWORDS_IS,
    ABSWORDS_STARTS, /* with the text, which is not empty */
    ABSWORDS_ENDS,
    ABSWORDS_CONTAINS,
};

/* Returns true if the test with the text is true in no request of any type. Then *meant is the text that was
 * probably meant; its `at` is NULL if no known text is near. */
typedef bool abswords_judge(void *user, unsigned sort, enum abswords_test test, struct str text,
                            struct str *meant);

/*
 * The constants that a string never equals in any request, of whatever type: those that are not in the list
 * of all its values, such as the operations; or those that `judge` refuses, such as slips of the names of
 * types.
 */
struct abswords {
    struct str what; /* "operation" */
    struct str why;  /* of `judge`: the rule that it follows; empty: nothing is said of it */
    const struct str *list;
    size_t count, elsewhere; /* behind them, what it can be with other releases of Kubernetes */
    abswords_judge *judge;   /* judges a text that the list does not have; NULL if the list is complete */
    void *user;              /* this and the next: of judge */
    unsigned sort;
    bool is_stranger; /* judge says which names of known types it never has; constants are no slips of it */
    const struct literal *others; /* what it can be besides, from elsewhere: as 'x' in `orValue('x')` */
    size_t other_count;
};

enum absval_presence {
    ABS_ABSENT,  /* no such map has the key */
    ABS_MAYBE,   /* some may */
    ABS_GIVEN,   /* the API server sets it: only a test for it knows that, and a read is one like any other */
    ABS_PRESENT, /* all have it */
};

/* Says why a key is absent although the schema has it; an empty text: nothing is known. */
struct absreason {
    struct str text;
    bool
        is_here; /* it is true here, and in other kinds of requests it may not be: " here" follows the text */
};

/* A key that is known by name. */
struct absfield {
    struct str name;
    enum absval_presence presence;
    const struct absval *value; /* unless ABS_ABSENT */
    struct absreason why;       /* of what is ABS_ABSENT */
};

/*
 * A sort of map. A value can be a map of several sorts, and has a list of them. At
 * run time an object is a map, and so are its spec and metadata: a schema describes
 * their sort. The keys of other sorts are known by name or by kind.
 */
struct absmap {
    const struct absmap *next;
    const struct absfield *fields; /* other keys are those of `type`, or as `key` says */
    size_t field_count;
    const struct type *type;          /* an object or map type of a schema; NULL: key and value say it */
    const struct absval *key, *value; /* of other keys; NULL: there are none */
    /* The join of all fields, if it was computed when they were made; else NULL. */
    const struct absval *field_keys, *field_values;
    enum absval_form form;
    bool is_go;       /* a map of Go's, of which no entry is ever null */
    bool is_declared; /* the API server declares which names there are, as those of `request` */
    enum spelling key_spelling, value_spelling; /* of a map type of strings */
    struct absreason why;                       /* of all other keys */
};

#endif
