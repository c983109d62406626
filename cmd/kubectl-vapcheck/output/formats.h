/*
 * formats: the formats that -o can name, and what the flag of each command allows: the rows of formats.def.
 *
 *     struct flags_row row = {.allowed = formats_check, .help = formats_help_check, ...};
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_FORMATS_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_FORMATS_H

enum formats {
#define FORMAT(ID, id, name, note, check, test, audit, list, status) FORMATS_##ID,
#include "cmd/kubectl-vapcheck/output/formats.def"
    FORMATS_COUNT,
};

/* "text, json": what a command has; list: of upgrade and crd. */
extern const char formats_check[], formats_test[], formats_audit[], formats_list[], formats_status[];
/* "text (default) or json". */
extern const char formats_help_check[], formats_help_test[], formats_help_audit[], formats_help_list[],
    formats_help_status[];

/* The format with this name, which there is. */
enum formats formats_find(const char *name);

/* Rows of tables of functions that write a format: FORMATS_MAKER_YES([FORMATS_JSON] = output_json) is the
 * row, and FORMATS_MAKER_NO(...) none. */
#define FORMATS_MAKER_NO(...)
#define FORMATS_MAKER_FIRST(...) __VA_ARGS__,
#define FORMATS_MAKER_YES(...)   __VA_ARGS__,
#define FORMATS_MAKER_LAST(...)  __VA_ARGS__,

#endif
