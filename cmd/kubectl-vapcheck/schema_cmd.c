#include "cmd/kubectl-vapcheck/schema_cmd.h"

#include <stdio.h>
#include <string.h>

#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/jsonschemas.h"
#include "typecheck/text.h"

int schema_cmd(int argc, char **argv)
{
    struct suggest near;
    const char *name = argc == 2 ? argv[1] : "";
    suggest_init(&near, name);
    for (size_t i = 0; i < jsonschemas_count; i++) {
        suggest_offer(&near, jsonschemas[i].command);
        if (strcmp(jsonschemas[i].command, name) == 0) {
            print_raw(stdout, "%.*s", (int)jsonschemas[i].len, (const char *)jsonschemas[i].bytes);
            return 0;
        }
    }
    if (near.best != NULL)
        print_line(stderr, "%s: there is no schema \"%s\", did you mean %s?", argv[0], name, near.best);
    else
        print_line(stderr, "%s: name one command: audit, check or test", argv[0]);
    return 2;
}
