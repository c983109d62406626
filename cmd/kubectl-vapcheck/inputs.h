/*
 * inputs: the files that -f names, read whole.
 *
 * A directory stands for its files that end in .yaml, .yml or .json, sorted
 * by name, as kubectl takes it; symbolic links to directories are not
 * followed below it. Every file is read once, because standard input and
 * pipes can be, and its text is kept until inputs_deinit.
 *
 *     struct inputs in = {0};
 *     for (...) inputs_add(&in, path, is_recursive);
 *     for (size_t i = 0; i < in.count; i++)
 *         if (in.items[i].problem == NULL) parse(in.items[i].text, in.items[i].len);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUTS_H
#define CMD_KUBECTL_VAPCHECK_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

struct input {
    char *name; /* as found: "dir/file.yaml"; "-" for standard input */
    char *text; /* ends in a NUL that len does not count */
    size_t len;
    char *problem; /* why there is no text; NULL: there is */
};

struct inputs {
    struct input *items;
    size_t count;
};

/* What cannot be read becomes an input with a problem. */
void inputs_add(struct inputs *inputs, const char *path, bool is_recursive);
void inputs_deinit(struct inputs *inputs);

#endif
