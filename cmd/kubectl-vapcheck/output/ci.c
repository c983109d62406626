#include "cmd/kubectl-vapcheck/output/ci.h"

#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"

void ci_print_command(const char *level, const char *file, struct yaml_place at, const char *title,
                      const char *text)
{
    cleanup_mem char *shown_file = plain_github(file, true), *shown_title = plain_github(title, true);
    cleanup_mem char *message = plain_github(text, false);
    print_raw(stdout, "::%s file=%s", level, shown_file);
    if (at.line != 0)
        print_raw(stdout, ",line=%u,col=%u", at.line, at.column);
    print_raw(stdout, ",title=%s::%s\n", shown_title, message);
}
