/*
 * authorizer: answers the questions that expressions put to the authorizer (authorizations.h), as the
 * authorizer does in the API server.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_AUTHORIZER_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_AUTHORIZER_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

struct arena;

/* A question: may the user do this? */
struct authorizer_question {
    struct str account_namespace, account; /* of a service account; both empty: the user of the request */
    struct str path;                       /* of a non-resource request; else empty */
    struct str group, resource, subresource, namespace, name;
    struct str field_selector, label_selector; /* as written, also if malformed */
    struct str verb;
};

struct authorizer_answer {
    bool is_allowed;
    struct str reason, error; /* error empty: there is none */
};

/* Answers the questions that expressions ask of `authorizer`. It returns false if the answer is not known,
 * which ends the run. */
struct authorizer {
    bool (*answer)(void *user, struct arena *a, const struct authorizer_question *question,
                   struct authorizer_answer *answer);
    void *user;
};

/* The field of a question that a row of a table names. */
enum authorizer_field {
    AUTHORIZER_USER, /* of a service account system:serviceaccount:NAMESPACE:NAME */
    AUTHORIZER_PATH,
    AUTHORIZER_GROUP,
    AUTHORIZER_RESOURCE,
    AUTHORIZER_SUBRESOURCE,
    AUTHORIZER_NAMESPACE,
    AUTHORIZER_NAME,
    AUTHORIZER_VERB,
    AUTHORIZER_FIELDS,
};

/* The field's name, as "subresource". */
struct str authorizer_field_name(enum authorizer_field field);

struct authorizer_row {
    bool is_given[AUTHORIZER_FIELDS]; /* others are right, whatever is asked */
    struct str fields[AUTHORIZER_FIELDS];
    struct authorizer_answer answer;
};

/* The first row that is right answers. A question that no row answers is not allowed, as no authorizer has
 * an opinion then. */
struct authorizer_table {
    const struct authorizer_row *rows;
    size_t count;
    struct str user;      /* of the request */
    struct str otherwise; /* the reason where no row answers */
};

/* The table, as it is asked; borrows it. */
struct authorizer authorizer_of_table(struct authorizer_table *table);

#endif
