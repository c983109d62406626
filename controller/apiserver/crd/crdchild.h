/*
 * crdchild: the schemas right below a schema of a CustomResourceDefinition, one after the other, and their
 * fields as an API server names them. Pure.
 *
 *     static const enum crdchild_way data[] = {CRDCHILD_ITEMS, CRDCHILD_ADDITIONAL, CRDCHILD_PROPERTY,
 *                                              CRDCHILD_END};
 *     struct crdchild child = crdchild_in(schema, data);
 *     while (crdchild_next(&child)) {
 *         cleanup_mem char *at = crdchild_field(&child, field);
 *         visit(child.schema, at);
 *     }
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDCHILD_H
#define CONTROLLER_APISERVER_CRD_CRDCHILD_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/text/jsonval.h"

/* The keyword by which a schema is reached from the one above it. */
enum crdchild_way {
    CRDCHILD_END, /* ends the ways that a walk takes */
    CRDCHILD_ITEMS,
    CRDCHILD_ADDITIONAL, /* additionalProperties */
    CRDCHILD_PROPERTY,
    CRDCHILD_NOT, /* this and the next ones: of logic, which only restricts data */
    CRDCHILD_ALL_OF,
    CRDCHILD_ANY_OF,
    CRDCHILD_ONE_OF,
};

enum { CRDCHILD_WAYS = CRDCHILD_ONE_OF + 1 };

struct crdchild {
    enum crdchild_way way;
    struct json_object *schema; /* as it is written: true, a list or a text is no schema */
    const char *name;           /* of a property; else NULL */
    size_t index;               /* in allOf, anyOf or oneOf */

    /* the walk's own */
    struct json_object *held[CRDCHILD_WAYS]; /* the values of the ways' keywords in the schema above */
    const enum crdchild_way *ways;
    struct jsonval_member member;
    size_t count;
};

/* A walk over the children of a schema in the order of these ways. The schema may change below, not itself.
 */
struct crdchild crdchild_in(struct json_object *schema, const enum crdchild_way *ways);
/* Goes to the next child. False: there is none. */
bool crdchild_next(struct crdchild *child);
/* The child's field, below that of the schema above it. The caller frees it. */
char *crdchild_field(const struct crdchild *child, const char *field);
/* The value in the place of the child, which is not one of logic, in another schema; NULL: none. */
struct json_object *crdchild_twin(const struct crdchild *child, struct json_object *other);

#endif
