/*
 * fielderrors: what an API server objects to in an object: fields and
 * messages, in the words of k8s.io/apimachinery's field errors. Pure.
 *
 * The functions that make a message hand it over with memory of its own, for
 * fielderrors_add to take.
 *
 *     struct fielderrors e = {0};
 *     fielderrors_add(&e, fielderrors_required(""), "%s.key", at);
 *     fielderrors_deinit(&e);
 */
#ifndef CONTROLLER_FIELD_FIELDERRORS_H
#define CONTROLLER_FIELD_FIELDERRORS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

struct fielderror {
    char *field;   /* "spec.validations[0].expression" */
    char *message; /* "Required value: expression is not specified" */
    char *hint;    /* what would help; NULL: nobody knows */
};

struct fielderrors {
    struct fielderror *items; /* in the order of the server's answer */
    size_t count;
    int minor;       /* of the server whose words these are (1.minor); 0: the newest */
    bool is_limited; /* a bound on work or memory ended the search: there may be more */
};

/* Before 1.32, 1.34, 1.35 and 1.37 some words were others; since 1.37 some names are reserved. */
enum {
    FIELDERRORS_TYPES_SINCE = 32,
    FIELDERRORS_JSON_SINCE = 34,
    FIELDERRORS_BYTES_SINCE = 35,
    FIELDERRORS_REQUIRED_SINCE = 37,
    FIELDERRORS_STATIC_SINCE = 37,
};

/* Bytes of a value that a message repeats; expressions are capped by the file's size alone. */
enum { FIELDERRORS_VALUE_CAP_BYTES = 256 * 1024 * 1024 };

/* Takes the message. The format makes the field. */
void fielderrors_add(struct fielderrors *errors, char *message, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes the hint for the last error; NULL is fine. */
void fielderrors_hint(struct fielderrors *errors, char *hint);
/* The hints alone, by error: borrowed, in an array that is the caller's. */
const char **fielderrors_hints(const struct fielderrors *errors);
/* Moves all of them behind those of `to`, and leaves none. */
void fielderrors_take(struct fielderrors *to, struct fielderrors *from);
void fielderrors_deinit(struct fielderrors *errors);

/* What it says, without the value that is wrong and the picture of the place: "undefined field 'size'". The
 * caller's. */
char *fielderrors_brief(const struct fielderror *error);

/* detail may be "" in each. */
char *fielderrors_required(const char *detail);
char *fielderrors_forbidden(const char *detail);
char *fielderrors_internal(const char *detail);
char *fielderrors_invalid(const char *value, const char *detail);
char *fielderrors_invalid_bytes(const char *value, size_t len, const char *detail);
char *fielderrors_duplicate(const char *value);
/* A value that is no plain string to the server: shown as JSON, or as Go writes its type before. go is
 * the type of a list's items ("string"); it does not matter for others. */
char *fielderrors_invalid_json(const struct fielderrors *errors, struct json_object *value, const char *go,
                               const char *detail);
char *fielderrors_duplicate_json(const struct fielderrors *errors, struct json_object *value);
/* supported ends in NULL. */
char *fielderrors_unsupported(const struct fielderrors *errors, struct json_object *value,
                              const char *const *supported);

/* Whether the words are those of a server before this version. */
bool fielderrors_is_before(const struct fielderrors *errors, int minor);
char *fielderrors_too_many(size_t count, size_t most);

#endif
