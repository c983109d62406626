/*
 * fielderrors: the errors that an API server reports for an object: fields
 * and messages, worded as k8s.io/apimachinery/pkg/util/validation/field. Pure.
 *
 * The functions that make a message allocate it; fielderrors_add takes it.
 *
 *     struct fielderrors e = {0};
 *     fielderrors_add(&e, fielderrors_required(""), "%s.key", at);
 *     fielderrors_deinit(&e);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_FIELDERRORS_H
#define CONTROLLER_APISERVER_VALIDATION_FIELDERRORS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "typecheck/compile.h"
#include "typecheck/text.h"
#include "typecheck/version.h"

struct fielderror {
    char *field;   /* "spec.validations[0].expression" */
    char *message; /* "Required value: expression is not specified" */
    size_t len;    /* of the message, which may hold NUL where it quotes an expression */
    size_t detail; /* the offset at which the message goes on behind the wrong value, or behind the kind; 0:
                      it has no such part */
    char *hint;    /* the change that helps; NULL: not known */
    char *saying;  /* the fault in words for people; NULL: the message says it, or its issues do */
    struct typecheck_issue *issues; /* those of an expression that does not compile, as they are shown */
    size_t n_issues;
    const struct issue_packed
        *result;       /* both types, if an expression's result has another type than is wanted */
    char *texts;       /* holds the texts of the issues and of the result */
    bool follows;      /* from another error of the same object, which says what to change */
    bool wants_string; /* the value is of another type than a string, and should be one */
};

struct fielderrors {
    struct fielderror *items; /* in the order of the server's answer */
    size_t count;
    size_t n_decoding; /* the first errors are of decoding; if there are any, the server reports only them */
    int minor;         /* of the server, 1.minor, whose wording is used; 0: the newest */
    struct expression_cache *cache; /* of the expressions that are compiled; NULL: none */
    bool is_limited;                /* a limit on work or memory was reached: there may be more errors */
};

/* The limit of a value that a message repeats: more bytes than a file can have. */
enum { FIELDERRORS_VALUE_CAP_BYTES = 256 * 1024 * 1024 };

/* Takes the message. format: of the field. */
void fielderrors_add(struct fielderrors *errors, char *message, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a detail that may hold NUL to the last error, which has none. */
void fielderrors_detail(struct fielderrors *errors, struct str detail);
/* Adds to the last error, as its detail, why the server does not take the expression; and its data
 * alone. */
void fielderrors_compiled(struct fielderrors *errors, const struct compile_problem *problem);
void fielderrors_issues(struct fielderrors *errors, const struct compile_problem *problem);
/* Adds the error of an expression that the server does not take, whose text is the value of the field. */
void fielderrors_add_compiled(struct fielderrors *errors, const struct compile_problem *problem,
                              struct str text, const char *field);
/* Frees what the error holds. */
void fielderrors_free_one(struct fielderror *error);
/* Takes the hint for the last error; may be NULL. */
void fielderrors_hint(struct fielderrors *errors, char *hint);
/* Takes what the last error is in words for people; may be NULL. */
void fielderrors_say(struct fielderrors *errors, char *saying);
/* The last error follows from another one of the object. */
void fielderrors_follow(struct fielderrors *errors);
/* The hint of each error. The caller frees the array; the texts are borrowed. */
const char **fielderrors_hints(const struct fielderrors *errors);
/* Moves all errors to the end of `to`. */
void fielderrors_take(struct fielderrors *to, struct fielderrors *from);
/* Moves only errors that `to` does not have; the others are freed. */
void fielderrors_take_new(struct fielderrors *to, struct fielderrors *from);
void fielderrors_deinit(struct fielderrors *errors);

/* The first issue of an expression, "undefined field 'size'"; else the message; the first line of it. The
 * caller frees it. */
char *fielderrors_brief(const struct fielderror *error);

/* detail may be "" in each of these. */
char *fielderrors_required(const char *detail);
char *fielderrors_forbidden(const char *detail);
char *fielderrors_internal(const char *detail);
char *fielderrors_invalid(const char *value, const char *detail);
char *fielderrors_invalid_bytes(const char *value, size_t len, const char *detail);
char *fielderrors_duplicate(const char *value);
/* The error of a value that is not a plain string to the server: newer servers write it as JSON, older ones
 * as Go's %#v. go: the Go type of a list's items ("string"); unused for other values. */
char *fielderrors_invalid_json(const struct fielderrors *errors, struct json_object *value, const char *go,
                               const char *detail);
char *fielderrors_duplicate_json(const struct fielderrors *errors, struct json_object *value);
/* supported ends in NULL. */
char *fielderrors_unsupported(const struct fielderrors *errors, struct json_object *value,
                              const char *const *supported);

/* Returns true if a text is one of the choices, which end in NULL. */
bool fielderrors_is_choice(const char *text, const char *const *choices);
/* Adds an error if there is a text, and it is none of the choices. format: of the field. */
void fielderrors_check_choice(struct fielderrors *errors, const char *text, const char *const *choices,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The features of the server whose messages these are. */
static inline struct kubernetes fielderrors_server(const struct fielderrors *errors)
{
    return kubernetes_in(errors->minor);
}
char *fielderrors_too_many(size_t count, size_t most);

#endif
