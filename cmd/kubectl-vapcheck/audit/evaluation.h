/*
 * evaluation: evaluates policies on the two requests that would bring an object as
 * it is: an UPDATE that changes nothing, and a CREATE.
 *
 * The CREATE brings the object without what only the server sets: status,
 * resourceVersion, generation and the marks of a deletion. Its uid and
 * creationTimestamp stay, in place of those that the server would make.
 *
 *     struct evaluation e = {.book = &book, .surroundings = &surroundings};
 *     struct evaluation_findings found = {0};
 *     evaluation_run(&e, &object, &found);
 *     evaluation_findings_deinit(&found);
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_EVALUATION_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_EVALUATION_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "cmd/kubectl-vapcheck/audit/rulebook.h"
#include "cmd/kubectl-vapcheck/audit/surroundings.h"

enum { EVALUATION_CREATE = 1, EVALUATION_UPDATE = 2 };

/* Where objects of a resource are sent. */
struct evaluation_route {
    struct requestmatch_endpoint endpoint;  /* of the request */
    struct requestmatch_endpoint stored_as; /* whose version the objects are in */
    struct requestmatch_endpoint *equivalents;
    size_t n_equivalents;
    bool is_namespaced, has_status;
    unsigned operations; /* which the server serves, a sum of those above */
};

struct evaluation_object {
    const struct evaluation_route *route;
    struct json_object *json; /* with apiVersion and kind */
    const char *file;         /* "": of a cluster */
    size_t line;
    bool is_again; /* other policies saw it in another version before */
};

struct evaluation_finding {
    enum audit_effect effect;
    size_t policy;  /* in the book */
    size_t binding; /* of the policy; DISPATCH_NO_BINDING: none in particular */
    size_t validation;
    unsigned operations;
    char *message, *reason;
};

struct evaluation_findings {
    struct evaluation_finding *items;
    size_t count;
    size_t n_passed; /* policies that match and find nothing */
};

struct evaluation {
    struct rulebook *book;
    struct surroundings *surroundings;
    struct json_object *user_info;
    const bool *is_asked; /* by policy: which of them are asked; NULL: all */
};

/* Also counts in the book. The caller deinits the findings. */
void evaluation_run(const struct evaluation *e, const struct evaluation_object *object,
                    struct evaluation_findings *out);
void evaluation_findings_deinit(struct evaluation_findings *found);

/* The namespace that the server takes an object to be in: "default" where it names none. */
const char *evaluation_namespace(const struct evaluation_object *object);

#endif
