/*
 * jsonschemas: the JSON Schema of what a command prints with -o json.
 *
 * When the program is built, embed.cmake makes the table from the files in schema/.
 * The table is static.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_JSONSCHEMAS_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_JSONSCHEMAS_H

#include <stddef.h>

struct jsonschemas_row {
    const char *command;        /* "check" */
    const unsigned char *bytes; /* the text of the schema */
    size_t len;
};

extern const struct jsonschemas_row jsonschemas[];
extern const size_t jsonschemas_count;

#endif
