/*
 * testresult: runs a test, and compares the decision with the one that the test expects.
 *
 * The decision is the API server's. If the tool that the suite was written for would make another decision, a
 * note says why.
 *
 *     struct testresult result;
 *     testresult_run(&context, &test, &result);
 *     ... result.verdict
 *     testresult_deinit(&result);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTRESULT_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTRESULT_H

#include <stdint.h>

#include "cmd/kubectl-vapcheck/test/run/testpolicies.h"
#include "cmd/kubectl-vapcheck/test/run/testrequest.h"

/* The work of all tests of one command together, in steps of evaluation; and of a test beside these. */
#define TESTRESULT_STEPS      ((uint64_t)20 * 1000 * 1000 * 1000)
#define TESTRESULT_TEST_STEPS 1000u

enum testresult_verdict {
    TESTRESULT_PASSED,
    TESTRESULT_FAILED,
    TESTRESULT_BROKEN, /* it could not be run to its end */
};

/* The outcome of a request at the policy. */
enum testresult_outcome {
    TESTRESULT_UNKNOWN,
    TESTRESULT_UNMATCHED, /* its rules do not match, or no binding does */
    TESTRESULT_SKIPPED,   /* a match condition is false */
    TESTRESULT_ADMITTED,
    TESTRESULT_DENIED,
    TESTRESULT_ERROR,   /* an expression fails */
    TESTRESULT_MUTATED, /* the mutations are applied, even if they change nothing */
    TESTRESULT_CALLED,  /* the webhook is called */
};

/* A part of an expression, in one line, and its value. */
struct testresult_value {
    char *part, *text; /* text: a literal of CEL, or the error */
    bool is_error;
};

/* An expression, and its value. */
struct testresult_part {
    char *field; /* "spec.validations[0].expression"; "": the policy as a whole */
    struct yaml_place at;
    const char *value;          /* "true", "false"; NULL: it fails */
    char *text;                 /* the message or the error; "" for none */
    bool is_expression;         /* of the policy */
    struct policy_run_at which; /* if it is one */
    /* Of its parts, if the test did not pass. */
    struct testresult_value *values;
    size_t n_values, n_omitted;
};

struct testresult {
    enum testresult_verdict verdict;
    enum testresult_outcome outcome;
    bool is_refused;               /* the server refuses the request */
    const char *expected, *actual; /* in the words of the suite's format */
    char *why;                     /* what else is wrong; NULL: nothing */
    struct testplace why_place;
    const struct testpolicy *policy; /* NULL: there is none */
    struct testresult_part *parts;   /* the expressions that caused the outcome */
    size_t n_parts;
    char **notes;
    size_t n_notes;
};

struct testresult_context {
    const struct testsuite *suite;
    struct testpolicies *policies;
    struct schemas *schemas;
    uint64_t *steps_left;
    struct testrequest_namespace *namespace; /* of the last test */
};

/* Also counts in the policy's coverage. The caller deinits the result. */
void testresult_run(const struct testresult_context *context, const struct testcase *test,
                    struct testresult *out);
/* For those that run tests: each takes its texts. which: NULL if the field is no expression of a policy. The
 * policy must be set. */
void testresult_note(struct testresult *out, char *text);
void testresult_set_why(struct testresult *out, enum testresult_verdict verdict, struct testplace place,
                        char *why);
void testresult_add_part(struct testresult *out, char *field, const struct policy_run_at *which,
                         const char *value, struct str text);

/* A part of an expression in one line, cut if it is long. The caller frees it. */
char *testresult_fold(struct str text);
void testresult_deinit(struct testresult *result);

#endif
