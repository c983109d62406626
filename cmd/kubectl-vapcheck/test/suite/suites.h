/*
 * suites: finds the test suites below paths.
 *
 * A directory is searched with all its subdirectories, except those that `check` leaves out. A path to a
 * file is a manifest of kaptest, or a file of one test of kat; then only that test runs.
 *
 *     struct suites found = {0};
 *     suites_add(&found, path);
 *     for (size_t i = 0; i < found.count; i++) suites_read(&found.items[i], &suite);
 *     suites_deinit(&found);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_SUITE_SUITES_H
#define CMD_KUBECTL_VAPCHECK_TEST_SUITE_SUITES_H

#include "cmd/kubectl-vapcheck/test/suite/testsuite.h"

struct suites_item {
    enum testsuite_format format;
    char *path;   /* of the manifest, or of the folder */
    char **tests; /* of a folder; each once */
    size_t n_tests;
    struct keymap seen;
};

struct suites {
    struct suites_item **items;
    size_t count;
    struct keymap by_path;
    struct testproblem *problems; /* paths that do not exist, directories that cannot be searched */
    size_t n_problems;
    bool has_missing; /* a path that was named does not exist, or cannot be searched */
};

/* Adds the suites of a path. A directory that cannot be searched becomes a problem; a suite or test that is
 * there already is not added again. */
void suites_add(struct suites *suites, const char *path, const struct excludes *excludes);
/* The caller deinits the suite. */
void suites_read(const struct suites_item *item, struct testsuite *suite);
void suites_deinit(struct suites *suites);

#endif
