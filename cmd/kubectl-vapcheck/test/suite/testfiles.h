/*
 * testfiles: the files of a test suite, each read once, and the objects in them.
 *
 * A suite names its files itself. Only regular files are read, and all of a suite together are bounded. The
 * files stay in memory as long as the suite.
 *
 *     struct testfiles files = {0};
 *     const struct manifest *m = testfiles_read(&files, path, &problem);
 *     testfiles_index(&files, m);
 *     const struct testobject *o = testfiles_find(&files, &query, &problem);
 *     testfiles_deinit(&files);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_SUITE_TESTFILES_H
#define CMD_KUBECTL_VAPCHECK_TEST_SUITE_TESTFILES_H

#include "client/base/keymap.h"
#include "cmd/kubectl-vapcheck/input/manifest.h"

/* Limits: the bytes of a suite's files; the objects that all searches together look at. */
#define TESTFILES_CAP_BYTES    ((size_t)256 * 1024 * 1024)
#define TESTFILES_MAX_COMPARED ((size_t)20 * 1000 * 1000)

/* A place in a file. */
struct testplace {
    const char *file;     /* borrowed from the suite's files */
    struct yaml_place at; /* line 0: the whole file */
};

struct testobject {
    struct testplace place;
    const struct yaml_node *root;
    struct testobject *next; /* of the same kind and name */
    /* The result of objectschema_check, once it ran. */
    bool is_checked;
    char *problem; /* the first mistake in the file; NULL if there is none */
    struct yaml_place problem_at;
    char *text; /* as JSON, if a test has it as its params (testrequest.h) */
};

struct testfiles {
    struct manifest **items;
    size_t count;
    struct keymap by_path;   /* of the items */
    struct keymap by_object; /* "Kind\nname": the first of them */
    struct testobject **objects;
    size_t n_objects;
    size_t bytes, n_compared;
};

/* The object that a test names. */
struct testfiles_query {
    const char *group, *version, *kind, *namespace, *name; /* "": any, but for kind and name */
};

/* The file, which belongs to `files`. Returns NULL if it cannot be read; *problem says why, and the caller
 * frees it. A file that is not YAML is returned, with its own problem. */
const struct manifest *testfiles_read(struct testfiles *files, const char *path, char **problem);
/* Makes the file's objects known. One of the same kind, group, version, namespace and name replaces an
 * earlier one. */
void testfiles_index(struct testfiles *files, const struct manifest *manifest);
/* Adds an object that no search finds. It belongs to `files`. */
struct testobject *testfiles_add(struct testfiles *files, const struct manifest *manifest,
                                 const struct yaml_node *root);
/* The object, which belongs to `files`. Returns NULL if there is none, or more than one; *problem says which,
 * and the caller frees it. */
struct testobject *testfiles_find(struct testfiles *files, const struct testfiles_query *query,
                                  char **problem);
/* Forgets the results of one version of Kubernetes. */
void testfiles_forget(struct testfiles *files);
void testfiles_deinit(struct testfiles *files);

#endif
