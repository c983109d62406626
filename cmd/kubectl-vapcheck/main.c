/* kubectl-vapcheck: the type checker for authors and CI; a kubectl plugin that runs alone too. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/flags/flags.h"
#include "cmd/kubectl-vapcheck/audit/audit_cmd.h"
#include "cmd/kubectl-vapcheck/check/check_cmd.h"
#include "cmd/kubectl-vapcheck/check/upgrade_cmd.h"
#include "cmd/kubectl-vapcheck/completion.h"
#include "cmd/kubectl-vapcheck/crd_cmd.h"
#include "cmd/kubectl-vapcheck/dump_cmd.h"
#include "cmd/kubectl-vapcheck/explain_cmd.h"
#include "cmd/kubectl-vapcheck/init_cmd.h"
#include "cmd/kubectl-vapcheck/lsp/lsp_cmd.h"
#include "cmd/kubectl-vapcheck/manual.h"
#include "cmd/kubectl-vapcheck/options_read.h"
#include "cmd/kubectl-vapcheck/schema_cmd.h"
#include "cmd/kubectl-vapcheck/status_cmd.h"
#include "cmd/kubectl-vapcheck/test/test_cmd.h"
#include "typecheck/text.h"

/* Refuses arguments of a command that takes none. */
static bool has_arguments(int argc, char **argv)
{
    if (argc > 1)
        print_line(stderr, "%s: unexpected argument \"%s\"", argv[0], argv[1]);
    return argc > 1;
}

static int version_cmd(int argc, char **argv)
{
    if (has_arguments(argc, argv))
        return 2;
    print_line(stdout, "kubectl-vapcheck " VAPCHECK_VERSION);
    return 0;
}

static int completion_cmd(int argc, char **argv)
{
    if (argc == 2 && completion_print(argv[1], stdout))
        return 0;
    const struct flags_row shells = {.allowed = manual_words(manual_find("completion"))};
    cleanup_mem char *near = argc == 2 ? flags_near_word(&shells, argv[1]) : mem_strdup("");
    print_line(stderr, "kubectl-vapcheck completion: name a shell: %s%s", shells.allowed, near);
    return 2;
}

/* Answers the completion scripts. */
static int complete_cmd(int argc, char **argv)
{
    completion_answer(argv + 1, (size_t)(argc - 1), stdout);
    return 0;
}

static int man_cmd(int argc, char **argv)
{
    if (has_arguments(argc, argv))
        return 2;
    manual_print_man(stdout);
    return 0;
}

static const struct {
    const char *name;
    struct {
        int (*run)(const struct options *o);
        int (*answer)(int argc, char **argv);
    } call;
} commands[] = {
#define COMMAND(name, call, ...) {name, {call}},
#include "cmd/kubectl-vapcheck/commands.def"
};

static int run_with_options(const char *name, int (*run)(const struct options *o), int argc, char **argv)
{
    struct options o;
    const int answer = options_read(name, argc, argv, &o);
    const int status = answer < 0 ? 2 : answer > 0 ? 0 : run(&o);
    options_deinit(&o);
    return status;
}

static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static void refuse_command(const char *name)
{
    struct suggest near;
    suggest_init(&near, name);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        suggest_offer(&near, commands[i].name);
    if (near.best != NULL)
        print_line(stderr, "kubectl-vapcheck: unknown command \"%s\", did you mean %s?", name, near.best);
    else
        print_line(stderr, "kubectl-vapcheck: unknown command \"%s\"; \"kubectl vapcheck --help\" lists them",
                   name);
}

static int run(int argc, char **argv)
{
    const char *name = argc < 2 ? "" : strcmp(argv[1], "--version") == 0 ? "version" : argv[1];
    if (argc < 2) {
        manual_print_commands(stderr);
        return 2;
    }
    if (is_help(name) || (strcmp(name, "help") == 0 && argc == 2)) {
        manual_print_commands(stdout);
        return 0;
    }
    if (strcmp(name, "__complete") == 0)
        return complete_cmd(argc - 1, argv + 1);
    bool is_about = strcmp(name, "help") == 0;
    name = is_about ? argv[2] : name;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        if (is_about || (argc == 3 && is_help(argv[2]))) {
            manual_print_help(manual_find(name), stdout);
            return 0;
        }
        /* getopt's messages begin with it */
        cleanup_mem char *title = mem_printf("kubectl-vapcheck %s", name);
        argv[1] = title;
        return commands[i].call.run != NULL ? run_with_options(name, commands[i].call.run, argc - 1, argv + 1)
                                            : commands[i].call.answer(argc - 1, argv + 1);
    }
    refuse_command(name);
    return 2;
}

/* A standard stream that is closed stays a failing one, rather than becoming the next file that is opened. */
static void keep_standard_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", modes[fd]) != fd)
            return;
    }
}

int main(int argc, char **argv)
{
    keep_standard_streams();
    int status = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    print_line(stderr, "kubectl-vapcheck: standard output: %s", errno != 0 ? strerror(errno) : "write error");
    return 2;
}
