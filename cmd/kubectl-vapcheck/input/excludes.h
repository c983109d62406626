/*
 * excludes: leaves out files and directories, by patterns as a .gitignore has them.
 *
 * A pattern without a slash is a name at any depth; one with a slash is a path below the pattern's directory.
 * `*` and `?` do not match a slash; `**` matches any number of directories. A directory that matches is
 * excluded with everything in it.
 *
 *     struct excludes excludes = {0};
 *     excludes_add(&excludes, ".", "testdata");
 *     if (excludes_match(&excludes, "policies/testdata/p.yaml")) ...
 *     excludes_deinit(&excludes);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_EXCLUDES_H
#define CMD_KUBECTL_VAPCHECK_INPUT_EXCLUDES_H

#include <stdbool.h>
#include <stddef.h>

struct exclude {
    char *directory; /* of the pattern, absolute */
    char *pattern;
};

struct excludes {
    struct exclude *items;
    size_t count;
};

/* directory: a pattern with a slash begins there. It is relative to the working directory. */
void excludes_add(struct excludes *excludes, const char *directory, const char *pattern);
void excludes_deinit(struct excludes *excludes);

/* path: as it would be opened, relative to the working directory. */
bool excludes_match(const struct excludes *excludes, const char *path);

#endif
