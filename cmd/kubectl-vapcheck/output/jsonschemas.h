/*
 * jsonschemas: the JSON Schema of what a command prints with -o json.
 *
 * embed.cmake makes the table of the files of schema/ when the program is built.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_JSONSCHEMAS_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_JSONSCHEMAS_H

#include <stddef.h>

struct jsonschemas_row {
    const char *command;
    const unsigned char *bytes; /* its text */
    size_t len;
};

extern const struct jsonschemas_row jsonschemas[];
extern const size_t jsonschemas_count;

#endif
