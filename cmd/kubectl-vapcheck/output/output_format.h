/*
 * output_format: the formats that -o can name, and what the flag of each command allows: the rows of
 * output_format.def.
 *
 *     struct flags_row row = {.allowed = output_formats_check, .help = output_formats_help_check, ...};
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_OUTPUT_FORMAT_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_OUTPUT_FORMAT_H

enum output_format {
#define FORMAT(ID, id, name, note, check, test, audit, list, status) OUTPUT_FORMAT_##ID,
#include "cmd/kubectl-vapcheck/output/output_format.def"
    OUTPUT_FORMAT_COUNT,
};

/* "text, json": what a command has; list: of upgrade and crd. */
extern const char output_formats_check[], output_formats_test[], output_formats_audit[],
    output_formats_list[], output_formats_status[];
/* "text (default) or json". */
extern const char output_formats_help_check[], output_formats_help_test[], output_formats_help_audit[],
    output_formats_help_list[], output_formats_help_status[];

/* The format with this name, which there is. */
enum output_format output_format_find(const char *name);

/* Rows of tables of functions that write a format: OUTPUT_FORMAT_MAKER_YES([OUTPUT_FORMAT_JSON] =
 * output_json) is the row, and OUTPUT_FORMAT_MAKER_NO(...) none. */
#define OUTPUT_FORMAT_MAKER_NO(...)
#define OUTPUT_FORMAT_MAKER_FIRST(...) __VA_ARGS__,
#define OUTPUT_FORMAT_MAKER_YES(...)   __VA_ARGS__,
#define OUTPUT_FORMAT_MAKER_LAST(...)  __VA_ARGS__,

#endif
