#include "cmd/kubectl-vapcheck/output/output_format.h"

#include <assert.h>
#include <string.h>

/* The text before the name in a list of words, and in the help. */
#define WORD_NO(name)
#define WORD_FIRST(name) name
#define WORD_YES(name)   ", " name
#define WORD_LAST(name)  ", " name
#define HELP_NO(name, note)
#define HELP_FIRST(name, note) name note
#define HELP_YES(name, note)   ", " name note
#define HELP_LAST(name, note)  " or " name note

const char output_formats_check[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) WORD_##check(name)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;
const char output_formats_test[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) WORD_##test(name)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;
const char output_formats_audit[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) WORD_##audit(name)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;
const char output_formats_list[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) WORD_##list(name)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;
const char output_formats_status[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) WORD_##status(name)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;

const char output_formats_help_check[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) HELP_##check(name, note)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;
const char output_formats_help_test[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) HELP_##test(name, note)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;
const char output_formats_help_audit[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) HELP_##audit(name, note)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;
const char output_formats_help_list[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) HELP_##list(name, note)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;
const char output_formats_help_status[] =
#define FORMAT(ID, id, name, note, check, test, audit, list, status) HELP_##status(name, note)
#include "cmd/kubectl-vapcheck/output/output_format.def"
    ;

static const char *const names[OUTPUT_FORMAT_COUNT] = {
#define FORMAT(ID, id, name, note, check, test, audit, list, status) name,
#include "cmd/kubectl-vapcheck/output/output_format.def"
};

enum output_format output_format_find(const char *name)
{
    int format = 0;
    while (format < OUTPUT_FORMAT_COUNT && strcmp(names[format], name) != 0)
        format++;
    assert(format < OUTPUT_FORMAT_COUNT);
    return (enum output_format)format;
}
