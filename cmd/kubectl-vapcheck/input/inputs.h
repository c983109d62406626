/*
 * inputs: the files that -f names.
 *
 * A directory stands for all files in it and below it that end in .yaml, .yml or
 * .json, sorted by name; symbolic links to directories are not followed below
 * it. Some directories are left out, and listed: .git, node_modules, vendor, and
 * the templates of a Helm chart, which are no YAML before helm renders them.
 * Files are read one by one, when they are asked for; standard input and pipes
 * can be read once.
 *
 *     struct inputs in = {0};
 *     for (...) inputs_add(&in, path);
 *     for (size_t i = 0; i < in.count; i++)
 *         if (inputs_read(&in.items[i], &text, &err) == 0) parse(text.data, text.len);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_INPUTS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"
#include "client/base/err.h"
#include "cmd/kubectl-vapcheck/input/excludes.h"

struct input {
    char *name;      /* as found: "dir/file.yaml"; "-" for standard input */
    bool is_found;   /* in a directory that was asked for, with all its files */
    char *problem;   /* why it cannot be read; NULL: no reason is known */
    bool is_empty;   /* a directory without manifests: the problem is that there is nothing to read */
    bool is_context; /* its objects are read for others, and not checked */
    char *text;      /* the text, if it was read before or has no file; NULL: it is in the file */
    size_t len;
};

struct inputs {
    const struct excludes *excludes; /* set by the caller before the first is added; NULL: none */
    size_t n_excluded;               /* files and directories */
    struct input *items;
    size_t count;
    bool is_searched;   /* a directory, a kustomization or standard input is among them: whatever is in it */
    char **directories; /* that were searched; to watch them */
    size_t n_directories;
    char **left_out; /* directories below those that were named */
    size_t n_left_out;
};

/* Adds the path, unless it is excluded. A directory that cannot be read, or has no file for us, becomes an
 * input with a problem. */
void inputs_add(struct inputs *inputs, const char *path);
/* Adds the output of a kustomization; if it fails, an input with a problem. */
void inputs_add_kustomization(struct inputs *inputs, const char *directory);
/* Adds a text that has no file. Takes both arguments. */
void inputs_add_text(struct inputs *inputs, char *name, char *text);
/* Keeps what can be read only once, so that it can be read again. */
void inputs_keep(struct inputs *inputs);
/* Returns true if the input is a plain file, or a text in memory. */
bool inputs_can_read_again(const struct input *input);
/* The whole text, into an initialised buffer. Errors: NOT_FOUND, INVALID, LIMIT. */
int inputs_read(const struct input *input, struct buf *text, struct err *err) MUST_CHECK;
/* Returns true if a file of a directory is read: its name ends in .yaml, .yml or .json. */
bool inputs_is_manifest(const char *name);
/* Returns true if reading a directory leaves the file out: it is excluded, or in a directory that is left
 * out. */
bool inputs_passes_over(const struct excludes *excludes, const char *path);
/* Returns true if the path is in the directory templates of a Helm chart, beside its Chart.yaml, or below. */
bool inputs_is_in_chart(const char *path);
/* Its name in findings: the file's name, or "stdin". */
const char *inputs_title(const struct input *input);
void inputs_deinit(struct inputs *inputs);

#endif
