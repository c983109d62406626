/*
 * typecheck_policy: the input of a check (typecheck.h): a policy's expressions, the types that it matches,
 * and how they are checked.
 */
#ifndef TYPECHECK_TYPECHECK_POLICY_H
#define TYPECHECK_TYPECHECK_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/cel/schema/object_type.h"
#include "typecheck/policy/compile/policy.h"
#include "typecheck/typecheck_result.h"

/* Decides whether an issue of an expression (an index into the policy's) is left out of the warnings, or of
 * the notes: is_claim then is true, and false for all others. It is called for each type. */
typedef bool typecheck_ignore(void *user, size_t expression, const struct typecheck_issue *issue);

/*
 * A check keeps what it finds out about types for the next check of the same expressions, which must have the
 * same env, typing and minor: types that have not changed since are not checked again. The result is the
 * same. One check at a time uses it.
 */
struct typecheck_kept;
struct typecheck_kept *typecheck_kept_new(void); /* returns NULL if there is no memory */
void typecheck_kept_free(struct typecheck_kept *kept);
size_t typecheck_kept_bytes(const struct typecheck_kept *kept);

/*
 * Checks of all policies keep here what types answer to their questions, so that a type with an identity is
 * asked once, whatever the policies have in common. The results are the same, and the steps nearly. All
 * identities are those of one table of numbers (struct policy_type); if it begins again, the answers are to
 * be forgotten.
 */
struct typecheck_answers;
struct typecheck_answers *typecheck_answers_new(size_t max_bytes); /* the store; NULL if there is no memory */
void typecheck_answers_free(struct typecheck_answers *answers);
void typecheck_answers_forget(struct typecheck_answers *answers);

struct typecheck_policy {
    enum schema_typing typing;
    struct policy policy;
    const struct policy_type *types; /* in the order of warnings */
    size_t type_count;
    uint32_t most_identity;    /* the largest identity of the types; 0: none has one */
    struct policy_type params; /* doc NULL: params is dyn */
    bool has_all_types;   /* these are all types that the rules match: facts about all are reported, too */
    bool has_strangers;   /* with has_all_types: all that are known, and the rules may match others */
    int minor;            /* of the Kubernetes that validates objects; 0: the newest that is released */
    int validating_minor; /* of the Kubernetes that decides which parts of an object validation looks at; 0:
                             the same */
    bool wants_advice;
    bool checks_each_type; /* also types that are like another one (classes.h): the result is the same */
    struct typecheck_kept *kept;       /* what an earlier check kept of these types; NULL if there is none */
    struct typecheck_answers *answers; /* those that all policies share; NULL if there are none */
    policy_has_name *has_name; /* says if another type has a name; NULL if no types are known but these */
    typecheck_ignore *ignore;  /* says which issues are left out; NULL if none are */
    void *user;
};

#endif
