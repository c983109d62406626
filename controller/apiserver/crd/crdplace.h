/*
 * crdplace: a place in the schema of a CustomResourceDefinition where an object can have data.
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDPLACE_H
#define CONTROLLER_APISERVER_CRD_CRDPLACE_H

#include <stdbool.h>
#include <stdint.h>

/* A place where data can be; a schema under not, allOf, anyOf or oneOf has none. */
struct crdplace {
    const struct crdplace *parent;
    const char *property; /* the property's name; NULL for the root, for items, and for values of a map */
    uint32_t node;        /* in the version's schema */
    bool is_ruled;        /* there are rules here or above */
    bool is_bounded;      /* every list and map above has a bound */
    uint64_t at_most;     /* then: how often data can be here in one object */
};

#endif
