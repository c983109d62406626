/*
 * testsuite: tests of policies, whatever format they are written in.
 *
 * kaptest.h and kat.h read one from files. Everything that it refers to is in the suite's files.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_SUITE_TESTSUITE_H
#define CMD_KUBECTL_VAPCHECK_TEST_SUITE_TESTSUITE_H

#include <json-c/json.h>

#include "cmd/kubectl-vapcheck/test/suite/testfiles.h"
#include "typecheck/decision.h"

/* The result that a test expects. Each format has its own words for these. */
enum testexpect {
    TESTEXPECT_ADMIT,  /* all validations are true */
    TESTEXPECT_ALLOW,  /* the request passes, for whatever reason */
    TESTEXPECT_DENY,   /* a validation is false, or the request is refused */
    TESTEXPECT_SKIP,   /* a match condition is false */
    TESTEXPECT_ERROR,  /* an expression fails */
    TESTEXPECT_MUTATE, /* the mutations are applied, and make the expected object */
    TESTEXPECT_CALL,   /* the webhook is called */
};

/* The object that is tested. */
enum testsubject {
    TESTSUBJECT_VALIDATING, /* a ValidatingAdmissionPolicy */
    TESTSUBJECT_MUTATING,   /* a MutatingAdmissionPolicy */
    TESTSUBJECT_WEBHOOK,    /* whether a webhook is called */
    TESTSUBJECT_DEFINITION, /* the rules of a CustomResourceDefinition */
    TESTSUBJECTS,
};

struct testcase {
    char *name;
    struct testplace place;
    enum testsubject subject;
    char *policy;                                    /* its name; of a webhook CONFIGURATION/WEBHOOK */
    const char *binding;                             /* its name; NULL: see struct testsuite */
    struct testobject *object, *old_object, *params; /* the test's objects; NULL for null */
    struct testobject *mutated;                      /* the expected result of the mutations; NULL: any */
    bool is_name_compared;                           /* of the mutated object, too */
    /* The Namespace; NULL if it is made of the namespace's name. */
    struct json_object *namespace_object;
    const char *operation, *subresource;          /* operation: never "" unless there is a problem */
    const char *resource;                         /* deployments, deployments.apps; "": that of the kind */
    const char *request_name, *request_namespace; /* "": those of the object */
    bool is_dry_run;
    struct json_object *user, *options; /* what the request says of both; NULL for those of a usual request */
    bool has_authorizer;                /* else a question to it cannot be answered */
    struct authorizer_row *answers;     /* testauthorizer.h */
    size_t answer_count;
    enum testexpect expect;
    /* The texts that are expected; NULL if any is right. */
    char *message;
    const char *reason;
    struct json_object *warnings, *annotations; /* a list of strings; strings by key */
    char *problem;                              /* why it cannot run; NULL: it can */
    struct testplace problem_place;
};

/* Something that is wrong with the suite, or probably not meant. */
struct testproblem {
    char *file;
    struct yaml_place at;
    char *message;
    bool is_warning;
};

enum testsuite_format { TESTSUITE_KAPTEST, TESTSUITE_KAT };

struct testsuite {
    enum testsuite_format format;
    char *name; /* its path */
    struct testfiles files;
    const struct manifest **policies; /* files with policies and bindings */
    size_t n_policies;
    const struct manifest **definitions; /* files with CustomResourceDefinitions */
    size_t n_definitions;
    struct keymap seen;    /* the paths of either */
    bool ignores_bindings; /* unless a test names one */
    bool ignores_schemas;  /* objects are neither checked nor completed by schemas */
    struct testcase *cases;
    size_t n_cases;
    struct testproblem *problems;
    size_t n_problems;
};

/* Adds a problem; takes the message. at: line 0 for the whole file. */
void testsuite_problem(struct testsuite *suite, const char *file, struct yaml_place at, bool is_warning,
                       char *message);
/* A new test with no values, which belongs to the suite; valid until the next one is added. */
struct testcase *testsuite_add(struct testsuite *suite);
/* Copies the name. */
void testsuite_name_policy(struct testcase *test, const char *name);
/* Sets the problem of a test unless it has one. Takes the text. */
void testsuite_refuse(struct testcase *test, struct testplace place, char *problem);
/* Reads a file with policies or with definitions; one that cannot be read is a problem of the suite. */
void testsuite_add_policies(struct testsuite *suite, const char *path);
void testsuite_add_definitions(struct testsuite *suite, const char *path);
/* Reads a file, which belongs to the suite; text that is not YAML becomes a problem of the suite. Returns
 * NULL if it cannot be read. */
const struct manifest *testsuite_read(struct testsuite *suite, const char *path);
/* The operation, guessed from the objects of the request; NULL if there are none. */
const char *testsuite_operation(const struct testcase *test);
void testsuite_deinit(struct testsuite *suite);

#endif
