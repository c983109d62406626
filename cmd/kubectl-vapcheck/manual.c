#include "cmd/kubectl-vapcheck/manual.h"

#include <string.h>

#include "client/base/print.h"
#include "cmd/flags/flags_man.h"
#include "cmd/kubectl-vapcheck/options_table.h"

enum { COLUMN = 26 };

struct example {
    const char *what, *command;
};

struct manual_command {
    const char *name, *words, *arguments, *summary, *text;
    unsigned bit;               /* of the flags that it has */
    struct example examples[8]; /* ends with NULL */
    const char *status;         /* the meaning of the exit status; NULL: nothing special */
};

static const struct manual_command commands[] = {
#define COMMAND(name, call, flags, words, arguments, summary, text, status, ...)                             \
    {name, words, arguments, summary, text, flags, {__VA_ARGS__}, status},
#include "cmd/kubectl-vapcheck/commands.def"
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

const struct manual_command *manual_at(size_t index)
{
    return index < N_COMMANDS ? &commands[index] : NULL;
}

const char *manual_name(const struct manual_command *command)
{
    return command->name;
}

const char *manual_summary(const struct manual_command *command)
{
    return command->summary;
}

const char *manual_words(const struct manual_command *command)
{
    return command->words;
}

const struct manual_command *manual_find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

unsigned manual_bit(const struct manual_command *command)
{
    return command->bit;
}

/* Each flag of the command. */
static void visit_flags(const struct manual_command *c, void (*visit)(const struct flags_row *row, FILE *out),
                        FILE *out)
{
    const struct flags_table table = {.command = c->bit};
    for (size_t i = 0; i < options_table.count; i++) {
        if (flags_has(&table, &options_table.rows[i]))
            visit(&options_table.rows[i], out);
    }
}

/* ---- help ---- */

static void print_flag(const struct flags_row *f, FILE *out)
{
    int at = f->letter != '\0' ? print_raw(out, "  -%c, --%s", f->letter, f->name)
                               : print_raw(out, "      --%s", f->name);
    if (f->value != NULL)
        at += *f->value == '[' ? print_raw(out, "[=%s", f->value + 1) : print_raw(out, " %s", f->value);
    print_raw(out, at < COLUMN - 1 ? "%*s" : "\n%*s", at < COLUMN - 1 ? COLUMN - at : COLUMN, "");
    flags_print_wrapped(out, COLUMN, COLUMN, f->help);
}

void manual_print_commands(FILE *out)
{
    print_raw(out, "Type-checks the CEL expressions of ValidatingAdmissionPolicies.\n\n"
                   "Usage: kubectl vapcheck COMMAND [FLAGS]\n\nCommands:\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        print_raw(out, "  %-11s %s\n", commands[i].name, commands[i].summary);
    print_raw(out, "\n\"kubectl vapcheck COMMAND --help\" lists a command's flags.\n");
}

void manual_print_help(const struct manual_command *c, FILE *out)
{
    flags_print_wrapped(out, 0, 0, c->text);
    print_raw(out, "\nUsage: kubectl vapcheck %s%s%s\n\nFlags:\n", c->name, *c->arguments ? " " : "",
              c->arguments);
    visit_flags(c, print_flag, out);
    for (size_t i = 0; c->examples[i].what != NULL; i++)
        print_raw(out, "%s  # %s\n  %s\n", i == 0 ? "\nExamples:\n" : "\n", c->examples[i].what,
                  c->examples[i].command);
    if (c->status == NULL)
        return;
    int at = print_raw(out, "\nExit status: ") - 1;
    flags_print_wrapped(out, at, at, c->status);
}

/* ---- completion ---- */

static void print_value(void *user, const char *word)
{
    print_raw(user, "%s ", word);
}

static void print_values(const struct flags_row *f, FILE *out)
{
    if (f->value == NULL || *f->value == '[')
        return;
    if (f->letter != '\0')
        print_raw(out, "        -%c|--%s) ", f->letter, f->name);
    else
        print_raw(out, "        --%s) ", f->name);
    if (f->allowed != NULL && strcmp(f->allowed, OPTIONS_FILES) == 0) {
        print_raw(out, "COMPREPLY=($(compgen -f -- \"$word\")); ");
    } else if (f->allowed != NULL && strcmp(f->allowed, OPTIONS_DIRECTORIES) == 0) {
        print_raw(out, "COMPREPLY=($(compgen -d -- \"$word\")); ");
    } else if (f->allowed != NULL) {
        print_raw(out, "COMPREPLY=($(compgen -W '");
        options_table_visit_values(f, print_value, out);
        print_raw(out, "' -- \"$word\")); ");
    }
    print_raw(out, "return ;;\n");
}

/* --help, which each command has, is the last. */
static void print_word(const struct flags_row *f, FILE *out)
{
    print_raw(out, "--%s%s", f->name, strcmp(f->name, "help") == 0 ? "" : " ");
}

static void print_command_completion(const struct manual_command *c, FILE *out)
{
    print_raw(out, "    %s)\n        case $before in\n", c->name);
    visit_flags(c, print_values, out);
    print_raw(out, "        esac\n        COMPREPLY=($(compgen -W '");
    visit_flags(c, print_word, out);
    print_raw(out, "' -- \"$word\")) ;;\n");
}

void manual_print_completion(FILE *out)
{
    print_raw(out, "# bash completion of kubectl-vapcheck\n"
                   "_kubectl_vapcheck() {\n"
                   "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "    COMPREPLY=()\n"
                   "    if ((COMP_CWORD == 1)); then\n        COMPREPLY=($(compgen -W '");
    for (size_t i = 0; i < N_COMMANDS; i++)
        print_raw(out, "%s%s", i == 0 ? "" : " ", commands[i].name);
    print_raw(out, "' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        print_command_completion(&commands[i], out);
    print_raw(out, "    esac\n}\ncomplete -o filenames -F _kubectl_vapcheck kubectl-vapcheck\n");
}

/* ---- man ---- */

static void print_man_flag(const struct flags_row *f, FILE *out)
{
    flags_man_row(f, f->help, out);
}

static void print_man_command(const struct manual_command *c, FILE *out)
{
    print_raw(out, ".SS %s ", c->name);
    flags_man_text(c->arguments, out);
    print_raw(out, "\n");
    flags_man_text(c->text, out);
    print_raw(out, "\n");
    visit_flags(c, print_man_flag, out);
    for (size_t i = 0; c->examples[i].what != NULL; i++) {
        print_raw(out, ".PP\n");
        flags_man_text(c->examples[i].what, out);
        print_raw(out, ":\n.PP\n.RS 4\n.nf\n");
        flags_man_text(c->examples[i].command, out);
        print_raw(out, "\n.fi\n.RE\n");
    }
    if (c->status != NULL) {
        print_raw(out, ".PP\nExit status: ");
        flags_man_text(c->status, out);
        print_raw(out, "\n");
    }
}

void manual_print_man(FILE *out)
{
    print_raw(out, ".TH KUBECTL\\-VAPCHECK 1 \"\" \"kubectl\\-vapcheck " VAPCHECK_VERSION "\"\n"
                   ".SH NAME\nkubectl\\-vapcheck \\- type\\-check ValidatingAdmissionPolicies\n"
                   ".SH SYNOPSIS\n\\fBkubectl vapcheck\\fR \\fICOMMAND\\fR [\\fIFLAGS\\fR]\n"
                   ".SH COMMANDS\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        print_man_command(&commands[i], out);
}
