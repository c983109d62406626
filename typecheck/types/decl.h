/*
 * decl: declarations of functions: tables of signatures as text, which are read into overloads.
 *
 * A row of a table is one overload. Its signature is spelled as issues spell
 * it, "(list(A), int) -> A" or receiver style "string.(string) -> bool";
 * single capital letters are type parameters. The overloads of a function are
 * tried in the order of their rows.
 */
#ifndef TYPECHECK_TYPES_DECL_H
#define TYPECHECK_TYPES_DECL_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/types/type.h"

/* A row. The last one of a table has no function. */
struct decl {
    const char *function, *id, *signature;
    int since; /* the compatibility minor that introduced it; 0: every known version has it */
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
    bool receiver;                  /* called as args[0].function(args[1], ...) */
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

/* Reads a row's id and signature; leaves `function` alone. */
void decl_read(struct types *ts, const struct decl *row, const struct decl_type *named, struct overload *out);

/*
 * The tables, each in the order in which the checker tries overloads; `since`
 * is the IntroducedVersion of k8s.io/apiserver/pkg/cel/environment/base.go. Functions
 * that only macros use begin with "@". stdlib.c: the language itself, optional
 * values included; strings, sets, lists and comprehensions, which env.c adds
 * after Kubernetes' own. k8slib.c: Kubernetes' own functions and types, separately
 * those of lists; and those that only mutations have.
 */
extern const struct decl stdlib_language[], stdlib_extensions[];
extern const struct decl k8slib_decls[], k8slib_lists[], k8slib_mutation_decls[];
extern const struct decl_type k8slib_types[];

#endif
