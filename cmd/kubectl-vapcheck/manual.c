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
    const char *name, *arguments, *summary, *text;
    unsigned bit;               /* of the flags that it has */
    struct example examples[6]; /* ends with NULL */
    const char *status;         /* what the exit status means; NULL: nothing special */
};

static const struct manual_command commands[] = {
    {"check",
     "-f FILE [-f FILE]... [FLAGS] [FILE...]",
     "type-check the policies in files, without a cluster",
     "Type-checks the CEL expressions in ValidatingAdmissionPolicies, MutatingAdmissionPolicies and the "
     "match conditions of webhook configurations, against the schemas of the types that their rules match. "
     "Also checks the rules of CustomResourceDefinitions and of Crossplane's CompositeResourceDefinitions, "
     "the files AuthenticationConfiguration and AuthorizationConfiguration of an API server, "
     "selectors of devices and templates of Gatekeeper, prints why the API server would refuse an object, "
     "and compares the bindings in the files with "
     "their policies.",
     OPTIONS_CHECK,
     {{"Check all manifests below a directory", "kubectl vapcheck check -R -f manifests/"},
      {"Check the output of a Helm chart", "helm template . | kubectl vapcheck check -f -"},
      {"Check against the schemas of the cluster that kubectl uses",
       "kubectl vapcheck check -f policy.yaml --cluster"},
      {"Print requests for which the warnings are true", "kubectl vapcheck check --witness -f policy.yaml"},
      {"Annotate a pull request in a GitHub workflow", "kubectl-vapcheck check -R -f . -o github"},
      {NULL, NULL}},
     "0: nothing was found. 1: there are errors or warnings, or objects that the API server would refuse, or "
     "objects that are too large to be checked completely, or files whose content cannot be read. 2: the "
     "command could not do its work."},
    {"test",
     "[PATH...] [FLAGS]",
     "run tests of policies, without a cluster",
     "Finds test suites below the paths (default: the working directory), and runs them. A test suite is "
     "a manifest of kaptest or a folder of kat. A test contains a request, and says whether the policy "
     "should admit or deny this request, or whether a webhook is called. The command makes the same decision "
     "as an API server of this "
     "version of Kubernetes. If kaptest or kat would make another decision, a note says why. The command "
     "first checks each policy as \"check\" does. It checks the names and types of an object's fields "
     "against the schema of the object, and completes objects by their schemas.",
     OPTIONS_TEST,
     {{"Run all tests below the working directory", "kubectl vapcheck test"},
      {"Run the tests of one policy on two versions of Kubernetes",
       "kubectl vapcheck test --kube-version 1.35,1.36 policies/replicas/"},
      {"Print which expressions no test reaches", "kubectl vapcheck test --coverage policies/"},
      {NULL, NULL}},
     "0: all tests passed. 1: a test failed or could not be run, or a file of a suite cannot be read. 2: the "
     "command could not do its work, or there is no test suite."},
    {"audit",
     "[-f FILE]... [--cluster] [FLAGS] [FILE...]",
     "say which objects policies would refuse, warn about or change",
     "Evaluates ValidatingAdmissionPolicies and, before them, MutatingAdmissionPolicies on existing objects, "
     "as an API server does. For each object "
     "that the rules and selectors of a policy and its bindings match, the command evaluates two "
     "requests: an UPDATE that changes nothing, and a CREATE. The command prints which requests would be "
     "refused, which requests would cause a warning or an entry in the audit log, which expressions "
     "fail, and what mutating policies would change; validating policies see the changed objects. Without "
     "--cluster, the objects and the parameters of bindings come from the files. With "
     "--cluster, they come from the cluster: the command reads the cluster with the rights of the user, "
     "and writes nothing. If the files contain no policy, --cluster also reads the policies of the "
     "cluster. If a policy has no binding, the command evaluates the policy as if a binding bound it to "
     "everything, and the output says so. The command uses objects in files as they are, without the "
     "default values and changes that an API server makes before it evaluates policies. The output lists "
     "the policies that could not be evaluated, with the reason.",
     OPTIONS_AUDIT,
     {{"See which objects of the cluster a new policy would refuse",
       "kubectl vapcheck audit -f policy.yaml --cluster"},
      {"Audit the cluster by its own policies", "kubectl vapcheck audit --cluster"},
      {"Audit the manifests of a directory", "kubectl vapcheck audit -R -f manifests/ --kube-version 1.36"},
      {"Write reports for the dashboards that read OpenReports",
       "kubectl vapcheck audit --cluster -o openreports | kubectl apply -f -"},
      {NULL, NULL}},
     "0: nothing was found, or mutating policies change objects and nothing else was found. 1: a policy "
     "would "
     "refuse an object or warn about it, an expression fails, or something could not be evaluated or read. "
     "2: the command could not do its work."},
    {"upgrade",
     "--to 1.N [--from 1.N] [-f FILE]... [FLAGS] [FILE...]",
     "say what the next version of Kubernetes changes for policies",
     "Checks each policy, webhook configuration, binding and CustomResourceDefinition for two versions of "
     "Kubernetes, and prints the differences: which objects the newer version would refuse when they are "
     "written again, which expressions fail only on the newer version, and which warnings appear or "
     "disappear. Also prints another spelling of an expression, if this spelling is correct on both "
     "versions. With --cluster and without a file, the command reads the objects of the cluster, and checks "
     "them against the schemas of the cluster for both versions.",
     OPTIONS_UPGRADE,
     {{"Check an upgrade from the version before 1.37",
       "kubectl vapcheck upgrade --to 1.37 -R -f manifests/"},
      {"Check an upgrade of the cluster that kubectl uses", "kubectl vapcheck upgrade --to 1.37 --cluster"},
      {NULL, NULL}},
     "0: the newer version breaks nothing. 1: the newer version refuses an object, breaks an expression or "
     "gives more warnings. 2: the command could not do its work."},
    {"crd",
     "--cost -f FILE [-f FILE]... [FLAGS] [FILE...]",
     "print what the rules of CustomResourceDefinitions cost",
     "Prints the API server's estimate of the cost of each rule and each messageExpression of a "
     "CustomResourceDefinition. The API server refuses a definition if an estimate exceeds the budget of "
     "a rule, or if the sum exceeds the budget of a schema. The command prints which share of both "
     "budgets each rule uses. The API server ignores a bound (maxLength, maxItems, maxProperties) that is "
     "only in allOf. If a rule is more expensive for this reason, the command names the bounds, and "
     "prints the cost of the rule with the bounds beside allOf.",
     OPTIONS_CRD,
     {{"Estimate the costs on the newest version", "kubectl vapcheck crd --cost -f crd.yaml"},
      {"Estimate the costs on several versions",
       "kubectl vapcheck crd --cost --kube-version 1.33-1.37 -f crd.yaml"},
      {NULL, NULL}},
     "0: no cost exceeds its budget. 1: a cost exceeds its budget, or the content of a file cannot be read. "
     "2: the command could not do its work."},
    {"status",
     "[NAME...] [FLAGS]",
     "show the results for the policies of a cluster",
     "Shows the policies of a cluster, one row for each policy. TYPES is the number of types that the rules "
     "match. WARNINGS is the number of expressions with warnings. VALID says whether the policy has no "
     "warnings; VALID is unknown without vapcheck-controller in the cluster. CHECKED says whether every type "
     "was checked; CHECKED is limit if the policy is too large to be checked completely, and builtin if only "
     "kube-controller-manager checked the policy. BOUND says whether a binding names the policy. PARAMS says "
     "whether the cluster serves the policy's paramKind. With --bindings, the command shows one row for each "
     "binding instead: FOUND says whether the policy of the binding exists. PARAMS says whether the "
     "parameters that paramRef names exist and fit the policy; PARAMS is Unknown if you have no right to "
     "read the parameters. PROBLEM says what is wrong with the binding.",
     OPTIONS_STATUS,
     {{"Show all policies", "kubectl vapcheck status"},
      {"Show the bindings, and what is wrong with them", "kubectl vapcheck status --bindings"},
      {"Show one policy, and each change of its row", "kubectl vapcheck status my-policy --watch"},
      {NULL, NULL}},
     "0: the policies or bindings were shown. 2: the cluster did not answer, or a named object does not "
     "exist."},
    {"dump",
     "DIR [FLAGS]",
     "write a cluster's schemas to a directory, for offline use",
     "Writes a cluster's version, discovery documents and OpenAPI v3 schemas to a directory. \"kubectl "
     "vapcheck check --schemas DIR\" reads this directory.",
     OPTIONS_DUMP,
     {{"Write the schemas of the cluster that kubectl uses", "kubectl vapcheck dump schemas/"}, {NULL, NULL}},
     NULL},
    {"explain",
     "[ID...] [FLAGS]",
     "explain findings, and how to correct them",
     "Explains a finding of check and how to correct it, with a wrong example and a right example. Without "
     "an identifier, the command lists all findings.",
     OPTIONS_EXPLAIN,
     {{"Explain one finding", "kubectl vapcheck explain undefined-field"}, {NULL, NULL}},
     NULL},
    {"lsp",
     "[FLAGS]",
     "serve an editor: the findings of check while a policy is typed",
     "Speaks the Language Server Protocol on standard input and output. An editor starts this command. "
     "The editor shows the findings of check as diagnostics, each with its identifier. Inside an "
     "expression, the editor also shows types (hover) and completes names. The flags, comments and "
     "annotations of check have the same effect here, and so does the file .vapcheck.yaml of the "
     "workspace. The command checks a document together with the files that -f or .vapcheck.yaml names. "
     "It reads these files again when a document is saved.",
     OPTIONS_LSP,
     {{"With the definitions and bindings of a directory", "kubectl vapcheck lsp -R -f manifests/"},
      {NULL, NULL}},
     "0: the editor ended the session. 1: the connection to the editor ended without the end of the session. "
     "2: a flag is wrong."},
    {"completion",
     "bash|fish|kubectl|zsh",
     "print the completion script of a shell",
     "Prints a script that makes the shell complete commands, flags and their values. \"completion kubectl\" "
     "prints the program kubectl_complete-vapcheck: if this program is on the PATH, kubectl completes "
     "\"kubectl vapcheck\".",
     OPTIONS_OTHERS,
     {{"Complete commands in this bash", "source <(kubectl-vapcheck completion bash)"},
      {"Complete commands in zsh", "kubectl-vapcheck completion zsh > \"${fpath[1]}/_kubectl-vapcheck\""},
      {"Complete commands in fish",
       "kubectl-vapcheck completion fish > ~/.config/fish/completions/kubectl-vapcheck.fish"},
      {"Complete \"kubectl vapcheck\"",
       "kubectl-vapcheck completion kubectl > ~/bin/kubectl_complete-vapcheck"},
      {NULL, NULL}},
     NULL},
    {"man",
     "",
     "print the man page",
     "Prints the man page in roff.",
     OPTIONS_OTHERS,
     {{"Read the man page", "kubectl-vapcheck man | man -l -"}, {NULL, NULL}},
     NULL},
    {"version", "", "print the version", "Prints the version.", OPTIONS_OTHERS, {{NULL, NULL}}, NULL},
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
        at += print_raw(out, " %s", f->value);
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
    if (f->value == NULL)
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
