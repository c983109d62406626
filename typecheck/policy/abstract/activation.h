/*
 * activation: the abstract values of the root variables (object, request ...) in one kind of request
 * (ways.h).
 *
 * The API server evaluates an expression in an activation: object, oldObject,
 * request and the others are bound to the values of one request. Here they are
 * bound to abstract values that cover every such request. Its kind, resource, subresource and
 * operation determine which of object and oldObject is null, whether there is a
 * namespace, and what is absent. On DELETE of a Pod `object` is null and
 * `oldObject` is a map as the schema of Pods describes it.
 * k8s.io/apiserver: pkg/admission/plugin/cel/condition.go and activation.go,
 * pkg/admission/plugin/policy/validating/dispatcher.go.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_ACTIVATION_H
#define TYPECHECK_POLICY_ABSTRACT_ACTIVATION_H

#include "typecheck/policy/abstract/domain/absval.h"
#include "typecheck/policy/abstract/ways.h"
#include "typecheck/policy/compile/policy.h"

struct activation {
    const struct absval *object, *old_object, *params, *authorizer, *resource_check;
    const struct absval *namespace_object;
    const struct absval *match_namespace_object; /* the one in match conditions */
    const struct absval *request;                /* activation_request */
    const struct activation_subject *subject;
    const struct policy_request *asked;
    enum policy_operation operation;
};

/* The object type that is evaluated, the same in each way. */
struct activation_subject {
    const struct policy_type *kind;
    const struct type *type;         /* of the object */
    const struct type *valid_type;   /* the same where it is validated; NULL: nothing is known about that */
    unsigned validated;              /* with valid_type: as of ways_init */
    const struct type *params;       /* the type of params; NULL if none are declared */
    struct reads *reads;             /* where the names of the type that are read are noted; NULL */
    struct names *names;             /* of all types; NULL: their slips are not looked for */
    enum absval_form form, old_form; /* of object, and of oldObject, which was validated before */
    bool is_custom;                  /* a CustomResourceDefinition's */
    bool is_built_in;                /* object_type_is_built_in() */
    bool is_mutating;                /* typecheck.h */
    bool is_created_clear;           /* clears_all_created of kubernetes.h */
    bool has_null_objects;           /* requests_hold_nulls */
};

/* Everything lies in `a`. */
void activation_init(struct activation *s, struct arena *a, struct types *ts,
                     const struct activation_subject *subject, const struct way *way);

/* The request of the activation. It is made for the first who asks: most policies do not. */
const struct absval *activation_request(struct activation *s, struct arena *a);

/* A name of a type (reads.h); type: a struct policy_type. */
struct str activation_name(const void *type, struct arena *a, uint32_t number);

/* All that an object of the kind can be once a mutation changed it. */
const struct absval *activation_changed_object(struct arena *a, struct types *ts,
                                               const struct activation_subject *subject);

#endif
