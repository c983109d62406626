#include "cmd/kubectl-vapcheck/output/ci.h"

#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"

enum ci_level ci_level_of(enum finding_severity severity)
{
    switch (severity) {
    case FINDING_ERROR:
        return CI_ERROR;
    case FINDING_WARNING:
        return CI_WARNING;
    case FINDING_NOTE:
    case FINDING_ADVICE:
        break;
    }
    return CI_NOTICE;
}

const char *ci_level_name(enum ci_level level)
{
    static const char *const names[CI_LEVELS] = {"error", "warning", "notice"};
    return names[level];
}

/* GitHub takes columns only of one line; the last one counts. */
static void print_end(struct yaml_place at, struct yaml_place end)
{
    const bool is_known = end.line > at.line || (end.line == at.line && end.column > at.column);
    if (is_known)
        print_raw(stdout, ",endLine=%u", end.line);
    if (is_known && end.line == at.line)
        print_raw(stdout, ",endColumn=%u", end.column);
}

void ci_print_command(const char *level, const char *file, struct yaml_place at, struct yaml_place end,
                      const char *title, const char *text)
{
    cleanup_mem char *shown_file = plain_github(file, true), *shown_title = plain_github(title, true);
    cleanup_mem char *message = plain_github(text, false);
    print_raw(stdout, "::%s ", level);
    if (file[0] != '\0')
        print_raw(stdout, "file=%s", shown_file);
    if (at.line != 0)
        print_raw(stdout, ",line=%u,col=%u", at.line, at.column);
    if (at.line != 0)
        print_end(at, end);
    print_raw(stdout, "%stitle=%s::%s\n", file[0] == '\0' ? "" : ",", shown_title, message);
}
