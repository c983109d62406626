/*
 * trial: a request that would bring an object as it is, and what the mutating policies make of it.
 *
 * An object of a file is completed as a server does it (defaults.h); one of a cluster is complete. The CREATE
 * brings to mutating policies what a client would send: the object without resourceVersion, uid,
 * creationTimestamp and the marks of a deletion. After them the server sets the fields that only it sets, and
 * clears the status; validating policies see the result. In an UPDATE they see the status that the object
 * has.
 *
 * The server's own judgement of the changed object (it may not be valid) is not known.
 *
 *     struct trial t;
 *     trial_init(&t, &setting, &object, AUDITOBJECT_UPDATE);
 *     trial_mutate(&t);
 *     if (!t.is_over) dispatch_ask(validating, &t.request, &answer);
 *     trial_deinit(&t);
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_TRIAL_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_TRIAL_H

#include <json-c/json.h>
#include <stdbool.h>

#include "cmd/kubectl-vapcheck/audit/auditobject.h"
#include "cmd/kubectl-vapcheck/audit/rulebook.h"
#include "cmd/kubectl-vapcheck/audit/surroundings.h"
#include "controller/apiserver/dispatch/mutation.h"

struct trial_setting {
    struct rulebook *book;
    struct surroundings *surroundings;
    struct json_object *user_info;
    const char *now; /* RFC 3339 */
};

struct trial {
    const struct trial_setting *setting;
    const struct auditobject *object;
    char *made_name;                        /* of an object that has a generateName only; else NULL */
    struct defaults_kind kind;              /* of the object */
    struct json_object *given, *old_object; /* references; given: as the request has it now */
    struct paramfind_source params;
    struct mutation_answer mutated;  /* policies NULL: no mutating policy was asked */
    struct dispatch_request request; /* of policies: mutating ones, then validating ones */
    char *why;                       /* why it is unknown; NULL: mutated says it */
    size_t unknown_policy;           /* whose finding says why */
    unsigned operation;
    bool has_no_namespace; /* it cannot be read, so that no answer is for certain */
    bool is_over;          /* validating policies are not asked */
    bool is_unknown;       /* nor is it known what they would see */
};

/* Borrows all. */
void trial_init(struct trial *t, const struct trial_setting *setting, const struct auditobject *object,
                unsigned operation);
/* Asks the mutating policies, if there are any, and makes the request for the validating ones. */
void trial_mutate(struct trial *t);
void trial_deinit(struct trial *t);

#endif
