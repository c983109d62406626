/* kubectl-vapcheck: the type checker for authors and CI; a kubectl plugin that runs alone too. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/kubectl-vapcheck/check_cmd.h"
#include "cmd/kubectl-vapcheck/dump_cmd.h"
#include "cmd/kubectl-vapcheck/manual.h"
#include "cmd/kubectl-vapcheck/status_cmd.h"

static int version_cmd(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("kubectl-vapcheck " VAPCHECK_VERSION);
    return 0;
}

static int completion_cmd(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], "bash") != 0) {
        fputs("kubectl-vapcheck completion: which shell? There is: bash\n", stderr);
        return 2;
    }
    manual_print_completion(stdout);
    return 0;
}

static int man_cmd(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    manual_print_man(stdout);
    return 0;
}

/* What they are is in manual.c. */
static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"check", check_cmd},           {"status", status_cmd}, {"dump", dump_cmd},
    {"completion", completion_cmd}, {"man", man_cmd},       {"version", version_cmd},
};

static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        manual_print_commands(stderr);
        return 2;
    }
    if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) {
        manual_print_commands(stdout);
        return 0;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        if (argc == 3 && is_help(argv[2])) {
            manual_print_help(manual_find(argv[1]), stdout);
            return 0;
        }
        return commands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "kubectl-vapcheck: unknown command \"%s\"\n", argv[1]);
    manual_print_commands(stderr);
    return 2;
}
