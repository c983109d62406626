/*
 * checkedobject: one object under check: the parsed policy (or another object with
 * expressions) as the store has it now, and its check. Pure.
 *
 * It borrows from the discovery, so it must end before control returns to the
 * loop, unless the discovery is held (holds.h).
 *
 *     struct checkedobject s;
 *     if (checkedobject_init(&s, POLICYVIEW_VALIDATING, object, discovery, &options, selector)) {
 *         if (s.check != NULL) check_run(s.check, ...);
 *         checkedobject_deinit(&s);
 *     }
 */
#ifndef CONTROLLER_RECONCILE_CHECKEDOBJECT_H
#define CONTROLLER_RECONCILE_CHECKEDOBJECT_H

#include <stdbool.h>

#include "client/cache/store.h"
#include "controller/findings/check.h"
#include "controller/hints/hints.h"
#include "controller/match/labelselector.h"
#include "controller/match/policyview.h"
#include "controller/reconcile/dependents.h"

/* Another version of Kubernetes, newer than the server, that policies are checked for as well. */
struct checkedobject_next {
    int minor;
    const struct env *env; /* of its stored expressions; NULL: there is none */
};

struct checkedobject {
    struct json_object *json;
    struct policyview *policy;
    const struct discovery *discovery;
    struct types_options types;
    struct check *check;     /* the check; NULL if the policy is left alone, and our fields are released */
    struct hints_run *hints; /* for what the check found; NULL: the check has not ended */
    bool has_hints;          /* the search for hints has ended */
    struct check *next;      /* the check on another version of Kubernetes; NULL: there is none */
};

/* Returns false if object is NULL or no policy; then there is nothing to deinit. kind: must be given, since
 * items of a list do not name it. discovery NULL: every policy is left alone. selector NULL: it matches every
 * policy. */
bool checkedobject_init(struct checkedobject *subject, enum policyview_kind kind,
                        const struct store_object *object, const struct discovery *discovery,
                        const struct types_options *types, const struct labelselector *selector);
void checkedobject_deinit(struct checkedobject *subject);

/* Lists in the index what the check depends on; nothing for a policy that is left alone. result
 * is NULL before the check has run. */
void checkedobject_note(const struct checkedobject *subject, struct dependents *dependents, const char *key,
                        enum types_scope scope, const struct check_result *result);

/* The hints for a result's warnings, by warning. The caller frees the list; the texts are borrowed. */
const char **checkedobject_hints(const struct checkedobject *subject, const struct check_result *result);

/* Returns true if an object's annotation or labels ask to leave it alone. */
bool checkedobject_is_left_alone(struct json_object *object, const struct labelselector *selector);

bool checkedobject_has_problem(const struct check_result *result, enum types_reason reason);

#endif
