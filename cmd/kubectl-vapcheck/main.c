/* kubectl-vapcheck: the type checker for authors and CI; a kubectl plugin that runs alone too. */
#include <stdio.h>
#include <string.h>

#include "cmd/kubectl-vapcheck/check_cmd.h"
#include "cmd/kubectl-vapcheck/dump_cmd.h"

static int version_cmd(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("kubectl-vapcheck " VAPCHECK_VERSION);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"check", check_cmd, "type-check the policies in files, with no cluster"},
    {"dump", dump_cmd, "write a cluster's schemas to a directory, for offline use"},
    {"version", version_cmd, "print the version"},
};

static void print_usage(FILE *out)
{
    fputs("Type-checks the CEL expressions of ValidatingAdmissionPolicies.\n\n"
          "Usage: kubectl vapcheck COMMAND [FLAGS]\n\nCommands:\n",
          out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fputs("\n\"kubectl vapcheck COMMAND --help\" lists a command's flags.\n", out);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "kubectl-vapcheck: unknown command \"%s\"\n", argv[1]);
    print_usage(stderr);
    return 2;
}
