/*
 * testresult: the record of a test: its verdict, the server's decision, and the expressions that say why.
 *
 * The decision is the API server's. If the tool that the suite was written for would make another decision, a
 * note says why. testrun.h makes a result; the code that runs the test writes into it, and reports read it.
 *
 *     struct testresult result;
 *     testrun_run(&context, &test, &result);
 *     ... result.verdict
 *     testresult_deinit(&result);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTRESULT_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTRESULT_H

#include "cmd/kubectl-vapcheck/test/runner/testpolicies.h"

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
    /* The values of its parts, if the test did not pass. */
    struct testresult_value *values;
    size_t n_values, n_omitted;
};

/* The cost in the units in which an API server counts and limits it (policy_run.h). */
struct testresult_cost {
    uint64_t match_conditions, expressions, annotations;
};

/* A text beside the result. */
struct testresult_remark {
    char *text;
    bool is_of_peer; /* it says what kat or kaptest would answer; otherwise it is about the API server */
};

struct testresult {
    enum testresult_verdict verdict;
    enum testresult_outcome outcome;
    bool is_refused;               /* the server refuses the request */
    struct testresult_cost cost;   /* of the evaluation that costs most: there is one for each params */
    const char *expected, *actual; /* in the words of the suite's format */
    char *why;                     /* another mistake; NULL: none */
    struct testplace why_place;
    const struct testpolicy *policy; /* the policy of the test; NULL if the suite names none that is there */
    struct testresult_part *parts;   /* the expressions that caused the outcome */
    size_t n_parts;
    struct testresult_remark *notes;
    size_t n_notes;
};

/* ---- for what runs the test ---- */

/* Adds a note about the API server, or about kat or kaptest. Each takes the text. */
void testresult_note(struct testresult *out, char *take_text);
void testresult_note_peer(struct testresult *out, char *take_text);
/* Sets the verdict and what is wrong, in the place of an earlier one. Takes the text. */
void testresult_set_why(struct testresult *out, enum testresult_verdict verdict, struct testplace place,
                        char *take_why);

/* The test cannot be run to its end. Takes the text. Returns false. */
static inline bool testresult_break(struct testresult *out, struct testplace place, char *take_why)
{
    testresult_set_why(out, TESTRESULT_BROKEN, place, take_why);
    return false;
}

/* Adds an expression with its value ("true", "false"; NULL: it fails) and a text; not more than a hundred.
 * Takes the field. which: NULL if the field is not an expression of a policy. The result's policy must be
 * set. */
void testresult_add_part(struct testresult *out, char *take_field, const struct policy_run_at *which,
                         const char *value, struct str text);
/* Adds to each expression the values of its parts, as the trace of the policy recorded them. */
void testresult_add_values(struct testresult *out, struct policy_trace *trace);

/* ---- texts; the caller frees them ---- */

/* The text, cut if it is very long: errors may repeat whole objects. */
char *testresult_text(struct str text);
/* A part of an expression in one line, cut if it is long. */
char *testresult_fold(struct str text);

void testresult_deinit(struct testresult *result);

#endif
