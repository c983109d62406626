/*
 * testfiles: the files of a test suite, each read once, and the objects in them.
 *
 * A suite names its files itself. Only regular files are read, and all of a suite together are bounded. What
 * is read stays as long as the suite.
 *
 *     struct testfiles files = {0};
 *     const struct manifest *m = testfiles_read(&files, path, &problem);
 *     testfiles_index(&files, m);
 *     const struct testobject *o = testfiles_find(&files, &query, &problem);
 *     testfiles_deinit(&files);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_TESTFILES_H
#define CMD_KUBECTL_VAPCHECK_TEST_TESTFILES_H

#include "client/base/keymap.h"
#include "cmd/kubectl-vapcheck/input/manifest.h"

/* Bytes of a suite's files; objects that are looked at in all searches for one. */
#define TESTFILES_CAP_BYTES    ((size_t)256 * 1024 * 1024)
#define TESTFILES_MAX_COMPARED ((size_t)20 * 1000 * 1000)

/* Where something stands. */
struct testplace {
    const char *file;     /* borrowed from the suite's files */
    struct yaml_place at; /* line 0: the whole file */
};

struct testobject {
    struct testplace place;
    const struct yaml_node *root;
    struct testobject *next; /* of the same kind and name */
    /* What the schema says, once it was asked (objectschema.h). */
    bool is_checked;
    char *problem; /* NULL: nothing is wrong */
    struct yaml_place problem_at;
    /* As JSON, and the namespace that is filled in (testrequest.h). */
    char *text, *text_namespace;
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

/* What a test names. */
struct testfiles_query {
    const char *group, *version, *kind, *namespace, *name; /* "": any, but for kind and name */
};

/* The file, which belongs to the files. NULL with *problem, which is the caller's: it cannot be read at all.
 * A file that is no YAML has a problem of its own. */
const struct manifest *testfiles_read(struct testfiles *files, const char *path, char **problem);
/* Makes the file's objects known. One of the same kind, group, version, namespace and name replaces an
 * earlier one. */
void testfiles_index(struct testfiles *files, const struct manifest *manifest);
/* An object that is found by nothing. */
struct testobject *testfiles_add(struct testfiles *files, const struct manifest *manifest,
                                 const struct yaml_node *root);
/* NULL: there is none, or more than one; *problem says which, and is the caller's. */
struct testobject *testfiles_find(struct testfiles *files, const struct testfiles_query *query,
                                  char **problem);
/* What was found out on one version is forgotten. */
void testfiles_forget(struct testfiles *files);
void testfiles_deinit(struct testfiles *files);

#endif
