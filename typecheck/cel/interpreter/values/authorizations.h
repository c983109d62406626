/*
 * authorizations: questions to the authorizer:
 * authorizer.group('apps').resource('deployments').check('delete').allowed().
 *
 * k8s.io/apiserver/pkg/cel/library/authz.go. The questions are built here; the caller answers them, as the
 * authorizer does in the API server.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_AUTHORIZATIONS_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_AUTHORIZATIONS_H

#include <stdbool.h>

#include "typecheck/cel/interpreter/values/function.h"

/* A question: may the user do this? */
struct authorizations_question {
    struct str account_namespace, account; /* of a service account; both empty: the user of the request */
    struct str path;                       /* of a non-resource request; else empty */
    struct str group, resource, subresource, namespace, name;
    struct str field_selector, label_selector; /* as written, also if malformed */
    struct str verb;
};

struct authorizations_answer {
    bool is_allowed;
    struct str reason, error; /* error empty: there is none */
};

/* Answers questions. False: the answer is not known, and the run ends. */
struct authorizations_authorizer {
    bool (*answer)(void *user, struct arena *a, const struct authorizations_question *question,
                   struct authorizations_answer *answer);
    void *user;
};

/* The field of a question that a row of a table names. */
enum authorizations_field {
    AUTHORIZATIONS_USER, /* of a service account system:serviceaccount:NAMESPACE:NAME */
    AUTHORIZATIONS_PATH,
    AUTHORIZATIONS_GROUP,
    AUTHORIZATIONS_RESOURCE,
    AUTHORIZATIONS_SUBRESOURCE,
    AUTHORIZATIONS_NAMESPACE,
    AUTHORIZATIONS_NAME,
    AUTHORIZATIONS_VERB,
    AUTHORIZATIONS_FIELDS,
};

/* The field's name, as "subresource". */
struct str authorizations_field_name(enum authorizations_field field);

struct authorizations_row {
    bool is_given[AUTHORIZATIONS_FIELDS]; /* others are right, whatever is asked */
    struct str fields[AUTHORIZATIONS_FIELDS];
    struct authorizations_answer answer;
};

/* The first row that is right answers. A question that no row answers is not allowed, as no authorizer has
 * an opinion then. */
struct authorizations_table {
    const struct authorizations_row *rows;
    size_t count;
    struct str user;      /* of the request */
    struct str otherwise; /* the reason where no row answers */
};

/* The table, as it is asked; borrows it. */
struct authorizations_authorizer authorizations_of_table(struct authorizations_table *table);

enum authorizations_type {
    AUTHORIZATIONS_AUTHORIZER,
    AUTHORIZATIONS_PATH_CHECK,
    AUTHORIZATIONS_GROUP_CHECK,
    AUTHORIZATIONS_RESOURCE_CHECK,
    AUTHORIZATIONS_DECISION,
};

/* VALUE_AUTHORIZATION: one of these types. */
struct authorization {
    enum authorizations_type type;
    const struct authorizations_authorizer *authorizer; /* NULL: nothing is known */
    struct authorizations_question question;            /* the part that is built so far */
    struct authorizations_answer answer;                /* of a DECISION */
};

/* The values of the variables `authorizer` and `authorizer.requestResource`. */
const struct value *authorizations_authorizer_value(struct arena *a,
                                                    const struct authorizations_authorizer *authorizer);
const struct value *authorizations_resource_value(struct arena *a,
                                                  const struct authorizations_authorizer *authorizer,
                                                  const struct authorizations_question *question);

function_call authorizations_path, authorizations_group, authorizations_service_account,
    authorizations_resource, authorizations_refine, authorizations_check, authorizations_allowed,
    authorizations_errored, authorizations_error, authorizations_reason;

#endif
