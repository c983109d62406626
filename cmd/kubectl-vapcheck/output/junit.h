/*
 * junit: test suites as XML, in the form that JUnit gave to CI servers, on stdout.
 *
 *     junit_init(&j);
 *     junit_open(&j, "p.yaml");
 *     junit_add(&j, &(struct junit_case){.class = "p.yaml", .name = "replicas", .text = ""});
 *     junit_end(&j);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_JUNIT_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_JUNIT_H

#include <stddef.h>

#include "client/base/buf.h"

enum junit_outcome {
    JUNIT_PASSED,
    JUNIT_SYSTEM_OUT, /* passed, with a text */
    JUNIT_FAILURE,
    JUNIT_ERROR,
    JUNIT_SKIPPED,
    JUNIT_OUTCOMES,
};

struct junit_case {
    const char *class, *name;
    enum junit_outcome outcome;
    const char *message; /* the attribute of the element; NULL if it has none */
    const char *text;    /* not of a case that JUNIT_PASSED */
};

struct junit {
    char *suite;      /* the name of the open one; NULL: none */
    struct buf cases; /* its cases */
    size_t counts[JUNIT_OUTCOMES];
};

/* Prints the beginning. */
void junit_init(struct junit *j);
/* Ends the open suite, and begins another. */
void junit_open(struct junit *j, const char *suite);
/* Adds a case to the open suite. */
void junit_add(struct junit *j, const struct junit_case *c);
/* Prints the end, and frees everything. */
void junit_end(struct junit *j);

#endif
