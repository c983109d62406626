/*
 * objectkind: names of kinds in sentences, and the kinds that are counted together. Pure.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_OBJECTKIND_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_OBJECTKIND_H

#include <stddef.h>

enum { OBJECTKIND_COUNT = 12 };

struct objectkind {
    const char *suffix; /* of the kinds that it is about */
    const char *one, *many;
};

/* The kinds in the order in which they are counted. */
extern const struct objectkind objectkinds[OBJECTKIND_COUNT];

/* "ValidatingAdmissionPolicy": the index of "policy". */
size_t objectkind_of(const char *kind);

#endif
