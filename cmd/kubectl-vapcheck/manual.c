#include "cmd/kubectl-vapcheck/manual.h"
#include "client/base/print.h"

#include <getopt.h>
#include <stdbool.h>
#include <string.h>

enum { FLAGS_MAX = 16, COLUMN = 26, WIDTH = 100 };

/* Where values come from. */
#define FILES       "@file"
#define DIRECTORIES "@directory"

static const struct flag {
    enum manual_flag id;
    char letter; /* '\0': none */
    const char *name, *argument;
    const char *values; /* for completion: words, FILES or DIRECTORIES; "" if they are free */
    const char *text;
} flags[] = {
    {MANUAL_FILENAME, 'f', "filename", "FILE", FILES,
     "YAML or JSON with policies, bindings, webhook configurations and CustomResourceDefinitions; a "
     "directory: its files that end in .yaml, .yml or .json; - is standard input"},
    {MANUAL_RECURSIVE, 'R', "recursive", NULL, "", "the directories' directories, too"},
    {MANUAL_KUBE_VERSION, '\0', "kube-version", "1.N", "",
     "check as this version of Kubernetes does, against its bundled schemas (default: the newest)"},
    {MANUAL_SCHEMAS, '\0', "schemas", "PATH", DIRECTORIES,
     "check against a cluster's version, discovery and OpenAPI v3: the directory of a dump, or a bundle"},
    {MANUAL_CLUSTER, '\0', "cluster", NULL, "", "check against a live cluster's"},
    {MANUAL_KUBECONFIG, '\0', "kubeconfig", "FILE", FILES,
     "as kubectl's (default: KUBECONFIG, then ~/.kube/config, then in-cluster)"},
    {MANUAL_CONTEXT, '\0', "context", "NAME", "", "as kubectl's"},
    {MANUAL_OUTPUT, 'o', "output", "FORMAT", "text json sarif junit github",
     "text (default), json, sarif (2.1.0, for code scanning), junit (for CI), github (workflow commands)"},
    {MANUAL_STATUS_OUTPUT, 'o', "output", "FORMAT", "table wide json yaml",
     "table (default), wide (with messages), json or yaml (with warnings and conditions)"},
    {MANUAL_WATCH, 'w', "watch", NULL, "", "go on, and print what changes, every two seconds"},
    {MANUAL_SCOPE, '\0', "warnings-scope", "SCOPE", "full upstream",
     "full (default): everything that is wrong with a policy; upstream: what kube-controller-manager says"},
    {MANUAL_MAX_TYPES, '\0', "max-types-per-policy", "N", "", "of scope full (default 1000)"},
    {MANUAL_FAIL_ON, '\0', "fail-on", "WHAT", "warning unchecked never",
     "when to exit with 1: warning (default), unchecked (a policy that could not be checked fully, too) or "
     "never"},
    {MANUAL_HELP, 'h', "help", NULL, "", "print this"},
};

#define OF_CLUSTER MANUAL_KUBECONFIG, MANUAL_CONTEXT

struct example {
    const char *what, *command;
};

struct manual_command {
    const char *name, *arguments, *summary, *text;
    enum manual_flag flags[FLAGS_MAX]; /* ends with 0 */
    struct example examples[5];        /* ends with NULL */
    const char *status;                /* what the exit status means; NULL: nothing special */
};

static const struct manual_command commands[] = {
    {"check",
     "-f FILE [-f FILE]... [FLAGS] [FILE...]",
     "type-check the policies in files, with no cluster",
     "Type-checks the policies in files, validating and mutating ones, and the match conditions of webhooks: "
     "their CEL expressions against the schemas of the types that their rules match. It also says what the "
     "API server would refuse when one of these or a binding is created, and how the bindings among the "
     "files go with the policies.",
     {MANUAL_FILENAME, MANUAL_RECURSIVE, MANUAL_KUBE_VERSION, MANUAL_SCHEMAS, MANUAL_CLUSTER, OF_CLUSTER,
      MANUAL_OUTPUT, MANUAL_SCOPE, MANUAL_MAX_TYPES, MANUAL_FAIL_ON, MANUAL_HELP, 0},
     {{"All manifests below a directory", "kubectl vapcheck check -R -f manifests/"},
      {"What a chart makes", "helm template . | kubectl vapcheck check -f -"},
      {"Against the cluster that kubectl uses", "kubectl vapcheck check -f policy.yaml --cluster"},
      {"In a GitHub workflow", "kubectl-vapcheck check -R -f . -o github"},
      {NULL, NULL}},
     "0 nothing found, 1 warnings or refusals found, or a check that reached a bound on work or memory, 2 "
     "the "
     "command could not do its work."},
    {"status",
     "[NAME...] [FLAGS]",
     "show what is known of the policies in a cluster",
     "Shows the policies of the cluster, one row each: how many types their rules match, how many "
     "expressions "
     "have warnings, whether all are valid, whether all was checked, and whether a binding names them. "
     "Without "
     "vapcheck-controller in the cluster VALID is not known, and CHECKED says builtin where "
     "kube-controller-manager has checked. CHECKED says limit where a bound on work or memory ended the "
     "check.",
     {MANUAL_STATUS_OUTPUT, MANUAL_WATCH, OF_CLUSTER, MANUAL_HELP, 0},
     {{"All policies", "kubectl vapcheck status"},
      {"One policy, until it is valid", "kubectl vapcheck status my-policy --watch"},
      {NULL, NULL}},
     "0 the policies were shown, 2 the cluster cannot be asked or a named policy is not there."},
    {"dump",
     "DIR [FLAGS]",
     "write a cluster's schemas to a directory, for offline use",
     "Writes a cluster's version, discovery and OpenAPI v3 schemas to a directory, for \"kubectl vapcheck "
     "check --schemas DIR\".",
     {OF_CLUSTER, MANUAL_HELP, 0},
     {{"The schemas of the cluster that kubectl uses", "kubectl vapcheck dump schemas/"}, {NULL, NULL}},
     NULL},
    {"completion",
     "bash",
     "print the shell's completion",
     "Prints what makes bash complete commands, flags and their values.",
     {MANUAL_HELP, 0},
     {{"In this shell", "source <(kubectl-vapcheck completion bash)"}, {NULL, NULL}},
     NULL},
    {"man",
     "",
     "print the man page",
     "Prints the man page, in roff.",
     {MANUAL_HELP, 0},
     {{"Read it", "kubectl-vapcheck man | man -l -"}, {NULL, NULL}},
     NULL},
    {"version", "", "print the version", "Prints the version.", {MANUAL_HELP, 0}, {{NULL, NULL}}, NULL},
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const struct flag *find_flag(enum manual_flag id)
{
    size_t i = 0;
    while (flags[i].id != id)
        i++;
    return &flags[i];
}

const struct manual_command *manual_find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

/* ---- reading ---- */

static bool is_long(const char *argument)
{
    return strncmp(argument, "--", 2) == 0;
}

/* getopt's own messages, which would print what they quote as it is. name: "kubectl-vapcheck check" */
static void complain(const char *name, const char *argument, bool lacks_value)
{
    const int len = (int)strcspn(argument, "=");
    if (lacks_value && is_long(argument))
        print_line(stderr, "%s: option '%s' requires an argument", name, argument);
    else if (lacks_value)
        print_line(stderr, "%s: option requires an argument -- '%c'", name, optopt);
    else if (optopt >= MANUAL_FILENAME)
        print_line(stderr, "%s: option '%.*s' doesn't allow an argument", name, len, argument);
    else if (optopt == 0)
        print_line(stderr, "%s: unrecognized option '%s'", name, argument);
    else
        print_line(stderr, "%s: invalid option -- '%c'", name, optopt);
}

enum manual_flag manual_next_flag(const struct manual_command *c, int argc, char **argv)
{
    struct option options[FLAGS_MAX + 1] = {0};
    char letters[2 * FLAGS_MAX + 2] = ":"; /* a missing value is an answer of its own */
    size_t n = 1;
    for (size_t i = 0; c->flags[i] != 0; i++) {
        const struct flag *f = find_flag(c->flags[i]);
        options[i] =
            (struct option){f->name, f->argument ? required_argument : no_argument, NULL, (int)f->id};
        if (f->letter != '\0')
            letters[n++] = f->letter;
        if (f->letter != '\0' && f->argument != NULL)
            letters[n++] = ':';
    }
    letters[n] = '\0';
    opterr = 0;
    int found = getopt_long(argc, argv, letters, options, NULL);
    if (found == ':' || found == '?') {
        complain(argv[0], argv[optind - 1], found == ':');
        return MANUAL_BAD;
    }
    for (size_t i = 0; c->flags[i] != 0 && found > 0; i++) {
        if (find_flag(c->flags[i])->letter == found)
            return c->flags[i];
    }
    return (enum manual_flag)found;
}

/* ---- help ---- */

/* Words up to the width; lines after the first begin at `column`, where the first is already. */
static void print_wrapped(const char *text, int column, FILE *out)
{
    int at = column;
    for (const char *word = text; *word != '\0';) {
        int len = (int)strcspn(word, " ");
        if (at > column && at + 1 + len > WIDTH) {
            print_raw(out, "\n%*s", column, "");
            at = column;
        }
        at += print_raw(out, "%s%.*s", at > column ? " " : "", len, word);
        word += len + (word[len] == ' ');
    }
    print_raw(out, "\n");
}

static void print_flag(const struct flag *f, FILE *out)
{
    int at = f->letter != '\0' ? print_raw(out, "  -%c, --%s", f->letter, f->name)
                               : print_raw(out, "      --%s", f->name);
    if (f->argument != NULL)
        at += print_raw(out, " %s", f->argument);
    print_raw(out, at < COLUMN - 1 ? "%*s" : "\n%*s", at < COLUMN - 1 ? COLUMN - at : COLUMN, "");
    print_wrapped(f->text, COLUMN, out);
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
    print_wrapped(c->text, 0, out);
    print_raw(out, "\nUsage: kubectl vapcheck %s%s%s\n\nFlags:\n", c->name, *c->arguments ? " " : "",
              c->arguments);
    for (size_t i = 0; c->flags[i] != 0; i++)
        print_flag(find_flag(c->flags[i]), out);
    for (size_t i = 0; c->examples[i].what != NULL; i++)
        print_raw(out, "%s  # %s\n  %s\n", i == 0 ? "\nExamples:\n" : "\n", c->examples[i].what,
                  c->examples[i].command);
    if (c->status == NULL)
        return;
    int at = print_raw(out, "\nExit status: ") - 1;
    print_wrapped(c->status, at, out);
}

/* ---- completion ---- */

static void print_words(const struct manual_command *c, FILE *out)
{
    for (size_t i = 0; c->flags[i] != 0; i++)
        print_raw(out, "%s--%s", i == 0 ? "" : " ", find_flag(c->flags[i])->name);
}

static void print_values(const struct flag *f, FILE *out)
{
    if (f->letter != '\0')
        print_raw(out, "        -%c|--%s) ", f->letter, f->name);
    else
        print_raw(out, "        --%s) ", f->name);
    if (strcmp(f->values, FILES) == 0)
        print_raw(out, "COMPREPLY=($(compgen -f -- \"$word\")); ");
    else if (strcmp(f->values, DIRECTORIES) == 0)
        print_raw(out, "COMPREPLY=($(compgen -d -- \"$word\")); ");
    else if (*f->values != '\0')
        print_raw(out, "COMPREPLY=($(compgen -W '%s' -- \"$word\")); ", f->values);
    print_raw(out, "return ;;\n");
}

static void print_command_completion(const struct manual_command *c, FILE *out)
{
    print_raw(out, "    %s)\n        case $before in\n", c->name);
    for (size_t i = 0; c->flags[i] != 0; i++) {
        if (find_flag(c->flags[i])->argument != NULL)
            print_values(find_flag(c->flags[i]), out);
    }
    print_raw(out, "        esac\n        COMPREPLY=($(compgen -W '");
    print_words(c, out);
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

/* Text in roff: a dash is not a hyphen, a backslash and a leading dot are text. */
static void print_roff(const char *text, FILE *out)
{
    if (*text == '.' || *text == '\'')
        print_raw(out, "\\&");
    for (; *text != '\0'; text++) {
        if (*text == '-' || *text == '\\')
            print_raw(out, "%s", *text == '-' ? "\\-" : "\\e");
        else
            print_raw(out, "%c", *text);
    }
}

static void print_man_flag(const struct flag *f, FILE *out)
{
    print_raw(out, ".TP\n");
    if (f->letter != '\0')
        print_raw(out, "\\fB\\-%c\\fR, ", f->letter);
    print_raw(out, "\\fB\\-\\-");
    print_roff(f->name, out);
    print_raw(out, "\\fR");
    if (f->argument != NULL)
        print_raw(out, " \\fI%s\\fR", f->argument);
    print_raw(out, "\n");
    print_roff(f->text, out);
    print_raw(out, "\n");
}

static void print_man_command(const struct manual_command *c, FILE *out)
{
    print_raw(out, ".SS %s ", c->name);
    print_roff(c->arguments, out);
    print_raw(out, "\n");
    print_roff(c->text, out);
    print_raw(out, "\n");
    for (size_t i = 0; c->flags[i] != 0; i++)
        print_man_flag(find_flag(c->flags[i]), out);
    for (size_t i = 0; c->examples[i].what != NULL; i++) {
        print_raw(out, ".PP\n");
        print_roff(c->examples[i].what, out);
        print_raw(out, ":\n.PP\n.RS 4\n.nf\n");
        print_roff(c->examples[i].command, out);
        print_raw(out, "\n.fi\n.RE\n");
    }
    if (c->status != NULL) {
        print_raw(out, ".PP\nExit status: ");
        print_roff(c->status, out);
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
