/*
 * decl: declarations of functions: the signatures of functions.def as text, which are read into overloads.
 */
#ifndef TYPECHECK_CEL_TYPES_DECL_H
#define TYPECHECK_CEL_TYPES_DECL_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/types/type.h"

/* The libraries: the language itself, with optional values; Kubernetes' functions of lists; its others;
 * strings, sets, lists and comprehensions of cel-go; and what only mutations have. */
enum decl_library { DECL_LANGUAGE, DECL_LISTS, DECL_KUBERNETES, DECL_EXTENSION, DECL_MUTATION };

/* A row of functions.def. */
struct decl {
    const char *function, *id, *signature;
    enum decl_library library;
    int since;   /* the compatibility minor that introduced it; 0: every known version has it */
    size_t flag; /* of struct celgo, where it needs one: its offset; 0: it needs none */
};

/* A type that signatures call by a short name. The last one of a table has no name. */
struct decl_type {
    const char *name, *full_name;
    enum type_kind kind; /* TYPE_OBJECT or TYPE_OPAQUE */
    int since;
};

struct function;

struct overload {
    struct str id; /* unique within the function */
    const struct function *function;
    size_t row;      /* of decl_functions */
    size_t call_row; /* the same, or behind these one of decl_older: what counts in this cel-go */
    bool receiver;   /* called as args[0].function(args[1], ...) */
    const struct type *const *args; /* the receiver first */
    size_t arg_count;
    const struct type *result;
    /*
     * Its type parameters, those of the result first. An issue can show their
     * numbers; cel-go walks a Go map here, usually in this order.
     */
    const struct type *const *params;
    size_t param_count;
};

struct function {
    struct str name;
    const struct overload *overloads;
    size_t count; /* 0: the name is only the beginning of others, as "math" of "math.least" */
    bool is_namespace;
};

/* The type that `text` names. `named` ends with an empty row. A text that names no type is a programming
 * error. */
const struct type *decl_read_type(struct types *ts, const char *text, const struct decl_type *named);

/* Reads a row's id and signature; leaves `function` and the rows alone. */
void decl_read(struct types *ts, const struct decl *row, const struct decl_type *named, struct overload *out);

/* The rows of functions.def. */
extern const struct decl decl_functions[];
extern const size_t decl_function_count;
extern const struct decl_type decl_types[];

/* A row BEFORE. */
struct decl_older {
    size_t flag; /* of struct celgo, without which the row counts: its offset */
    struct str overload;
};
extern const struct decl_older decl_older[];
extern const size_t decl_older_count;

#endif
