#include "cmd/kubectl-vapcheck/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "cmd/kubectl-vapcheck/configfile.h"
#include "cmd/kubectl-vapcheck/manual.h"
#include "cmd/kubectl-vapcheck/options_versions.h"
#include "controller/check/kubeversion.h"
#include "controller/check/suppress.h"

_Static_assert(OPTIONS_FAIL_ON_NEVER == 2 && OPTIONS_FORM_YAML == 3 && TYPES_FULL == 0 && TYPES_UPSTREAM == 1,
               "flags_choice sets an enum to the index of its word");

const char *options_own(struct options *o, char *text)
{
    o->owned = mem_realloc(o->owned, o->n_owned + 1, sizeof(char *));
    return o->owned[o->n_owned++] = text;
}

void options_add_file(struct options *o, const char *file)
{
    o->files = mem_realloc(o->files, o->n_files + 1, sizeof *o->files);
    o->files[o->n_files++] = file;
}

void options_open_inputs(const struct options *o, struct inputs *inputs)
{
    inputs->excludes = &o->excludes;
    for (size_t i = 0; i < o->n_files; i++)
        inputs_add(inputs, o->files[i], o->is_recursive);
    for (size_t i = 0; i < o->n_kustomizations; i++)
        inputs_add_kustomization(inputs, o->kustomizations[i]);
}

static int parse_kustomize(void *options, const struct flags_row *row, const char *source, const char *text,
                           struct err *err)
{
    struct options *o = options;
    (void)row, (void)source, (void)err;
    o->kustomizations = mem_realloc(o->kustomizations, o->n_kustomizations + 1, sizeof *o->kustomizations);
    o->kustomizations[o->n_kustomizations++] = text;
    return 0;
}

/* "a.yaml,b.yaml" are two, unless there is a file of this name. */
static int parse_filename(void *options, const struct flags_row *row, const char *source, const char *text,
                          struct err *err)
{
    (void)row, (void)source, (void)err;
    if (strchr(text, ',') == NULL || file_exists(text)) {
        options_add_file(options, text);
        return 0;
    }
    for (size_t len;; text += len + 1) {
        len = strcspn(text, ",");
        options_add_file(options, options_own(options, mem_strndup(text, len)));
        if (text[len] == '\0')
            return 0;
    }
}

static int parse_exclude(void *options, const struct flags_row *row, const char *source, const char *text,
                         struct err *err)
{
    (void)row, (void)source, (void)err;
    excludes_add(&((struct options *)options)->excludes, ".", text);
    return 0;
}

static int parse_format(void *options, const struct flags_row *row, const char *source, const char *text,
                        struct err *err)
{
    struct options *o = options;
    (void)row, (void)source, (void)err;
    o->make_output = output_find(text);
    return o->make_output != NULL ? 0 : -1;
}

/* Of what has no other formats. */
static int parse_tree_format(void *options, const struct flags_row *row, const char *source, const char *text,
                             struct err *err)
{
    return flags_word(row, text) < 0 ? -1 : parse_format(options, row, source, text, err);
}

static int parse_audit_format(void *options, const struct flags_row *row, const char *source,
                              const char *text, struct err *err)
{
    (void)source, (void)err;
    ((struct options *)options)->audit_format = text;
    return flags_word(row, text) < 0 ? -1 : 0;
}

static int parse_group(void *options, const struct flags_row *row, const char *source, const char *text,
                       struct err *err)
{
    struct options *o = options;
    (void)row, (void)source, (void)err;
    o->groups = mem_realloc(o->groups, o->n_groups + 1, sizeof *o->groups);
    o->groups[o->n_groups++] = text;
    return 0;
}

static int parse_max_types(void *options, const struct flags_row *row, const char *source, const char *text,
                           struct err *err)
{
    char *end;
    (void)row, (void)source, (void)err;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (errno != 0 || *text < '0' || *text > '9' || *end != '\0' || n == 0)
        return -1;
    ((struct options *)options)->types.max_types = n;
    return 0;
}

static int parse_kube_version(void *options, const struct flags_row *row, const char *source,
                              const char *text, struct err *err)
{
    (void)row;
    ((struct options *)options)->versions = 0;
    return options_add_versions(options, text, err) == 0 ? 0 : err_prefix(err, "%s", source);
}

static int parse_to(void *options, const struct flags_row *row, const char *source, const char *text,
                    struct err *err)
{
    (void)row;
    ((struct options *)options)->to = options_versions_find(text, err);
    return ((struct options *)options)->to != NULL ? 0 : err_prefix(err, "%s", source);
}

static int parse_cel_go(void *options, const struct flags_row *row, const char *source, const char *text,
                        struct err *err)
{
    const int release = kubeversion_cel_go(text);
    (void)row;
    ((struct options *)options)->cel_go = release;
    return release < 0
               ? err_set(err, ERR_INVALID, "%s: \"%s\" is none of " KUBEVERSION_CEL_GO_ALLOWED, source, text)
               : 0;
}

static int parse_select(void *options, const struct flags_row *row, const char *source, const char *text,
                        struct err *err)
{
    struct options *o = options;
    (void)row;
    o->has_selected = true;
    return suppress_read_selected(text, &o->selected, err) == 0 ? 0 : err_prefix(err, "%s", source);
}

static int parse_ignore(void *options, const struct flags_row *row, const char *source, const char *text,
                        struct err *err)
{
    (void)row;
    return suppress_read(text, &((struct options *)options)->ignored, err) == 0
               ? 0
               : err_prefix(err, "%s", source);
}

static int parse_help(void *options, const struct flags_row *row, const char *source, const char *text,
                      struct err *err)
{
    (void)flags_true(options, row, source, text, err);
    return 1;
}

#define FIELD(name) offsetof(struct options, name)

static const struct flags_row rows[] = {
    {.letter = 'f',
     .name = "filename",
     .value = "FILE",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_CRD | OPTIONS_AUDIT,
     .allowed = OPTIONS_FILES,
     .help =
         "a YAML or JSON file to read; or several files, separated by commas; or a directory, of which the "
         "files *.yaml, *.yml and *.json are read; or - for standard input",
     .parse = parse_filename},
    {.letter = 'f',
     .name = "filename",
     .value = "FILE",
     .commands = OPTIONS_LSP,
     .allowed = OPTIONS_FILES,
     .help = "a file or a directory with the objects that open documents are checked with: "
             "CustomResourceDefinitions, policies and bindings; may be repeated",
     .parse = parse_filename},
    {.letter = 'k',
     .name = "kustomize",
     .value = "DIR",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_CRD | OPTIONS_AUDIT,
     .allowed = OPTIONS_DIRECTORIES,
     .help =
         "read the output of \"kubectl kustomize DIR\", or of \"kustomize build DIR\" if there is no kubectl",
     .parse = parse_kustomize},
    {.letter = 'R',
     .name = "recursive",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_CRD | OPTIONS_LSP | OPTIONS_AUDIT,
     .help = "also read the subdirectories of a directory, except .git, node_modules, vendor and the "
             "templates of Helm charts",
     .parse = flags_true,
     .offset = FIELD(is_recursive)},
    {.name = "exclude",
     .value = "GLOB",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_CRD | OPTIONS_LSP | OPTIONS_TEST | OPTIONS_AUDIT,
     .help = "do not read the files and directories that match: a name at any depth, or a path, in which * "
             "does not match a slash and ** matches any directories; may be repeated",
     .parse = parse_exclude},
    {.name = "no-config",
     .commands = OPTIONS_CHECK | OPTIONS_LSP,
     .help = "do not read the file .vapcheck.yaml of the working directory or of a directory above it",
     .parse = flags_true,
     .offset = FIELD(has_no_config)},
    {.name = "kube-version",
     .value = "1.N",
     .commands = OPTIONS_CHECK,
     .allowed = OPTIONS_VERSIONS,
     .help = "check for this version of Kubernetes, with its schemas, which are built into the program "
             "(default: the newest version); for several versions (1.30-1.37, or 1.36,1.37) print a table",
     .parse = parse_kube_version},
    {.name = "kube-version",
     .value = "1.N",
     .commands = OPTIONS_CRD,
     .allowed = OPTIONS_VERSIONS,
     .help = "estimate the costs for this version of Kubernetes, or for each of several versions (1.30-1.37, "
             "or 1.36,1.37); default: the newest version",
     .parse = parse_kube_version},
    {.name = "cost",
     .commands = OPTIONS_CRD,
     .help = "print the API server's estimate of the cost of each rule, and the share of each budget",
     .parse = flags_true,
     .offset = FIELD(is_cost)},
    {.name = "kube-version",
     .value = "1.N",
     .commands = OPTIONS_TEST,
     .allowed = OPTIONS_VERSIONS,
     .help = "run the tests for this version of Kubernetes, or for each of several versions (1.30-1.37, or "
             "1.36,1.37); default: the newest version",
     .parse = parse_kube_version},
    {.name = "coverage",
     .commands = OPTIONS_TEST,
     .help = "print each match condition and validation that no test reaches, makes true or makes false",
     .parse = flags_true,
     .offset = FIELD(is_coverage)},
    {.letter = 'v',
     .name = "verbose",
     .commands = OPTIONS_TEST,
     .help = "also print the tests that passed",
     .parse = flags_true,
     .offset = FIELD(is_verbose)},
    {.name = "kube-version",
     .value = "1.N",
     .commands = OPTIONS_LSP,
     .allowed = OPTIONS_VERSIONS,
     .help = "check for this version of Kubernetes, with its schemas, which are built into the program "
             "(default: the newest version); if several are named, the oldest is used",
     .parse = parse_kube_version},
    {.name = "to",
     .value = "1.N",
     .commands = OPTIONS_UPGRADE,
     .allowed = OPTIONS_VERSIONS,
     .help = "the version of Kubernetes after the upgrade",
     .parse = parse_to},
    {.name = "from",
     .value = "1.N",
     .commands = OPTIONS_UPGRADE,
     .allowed = OPTIONS_VERSIONS,
     .help = "the version of Kubernetes before the upgrade (default: the version of the cluster or of the "
             "schemas, else the version before --to)",
     .parse = parse_kube_version},
    {.name = "kube-version",
     .value = "1.N",
     .commands = OPTIONS_UPGRADE,
     .allowed = OPTIONS_VERSIONS,
     .help = "the same as --from",
     .parse = parse_kube_version},
    {.name = "cel-go-version",
     .value = "0.N",
     .commands = OPTIONS_CHECK | OPTIONS_LSP,
     .help = "the release of cel-go in the API server, if the server's vendor replaced the release of this "
             "version of Kubernetes (" KUBEVERSION_CEL_GO_ALLOWED ")",
     .parse = parse_cel_go},
    {.name = "schemas",
     .value = "PATH",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_LSP | OPTIONS_TEST | OPTIONS_AUDIT,
     .allowed = OPTIONS_DIRECTORIES,
     .help = "check against the schemas that \"kubectl vapcheck dump\" wrote to this directory, or against a "
             "bundle of schemas",
     .parse = flags_text,
     .offset = FIELD(schemas)},
    {.name = "cluster",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_LSP | OPTIONS_TEST,
     .help = "check against the schemas of a live cluster",
     .parse = flags_true,
     .offset = FIELD(is_live)},
    {.name = "cluster",
     .commands = OPTIONS_AUDIT,
     .help = "audit the objects of a live cluster; if no file is given, with the policies of the cluster",
     .parse = flags_true,
     .offset = FIELD(is_live)},
    {.name = "as",
     .value = "USER",
     .commands = OPTIONS_AUDIT,
     .help =
         "the user whose requests are evaluated (default: with --cluster the user of the kubeconfig, else "
         "kubernetes-admin of the group system:authenticated)",
     .parse = flags_name,
     .offset = FIELD(user)},
    {.name = "as-group",
     .value = "GROUP",
     .commands = OPTIONS_AUDIT,
     .help = "a group of the user that --as names; may be repeated",
     .parse = parse_group},
    {.name = "kube-version",
     .value = "1.N",
     .commands = OPTIONS_AUDIT,
     .allowed = OPTIONS_VERSIONS,
     .help = "evaluate as this version of Kubernetes does (default: the newest version)",
     .parse = parse_kube_version},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_STATUS,
     .allowed = "table, wide, json, yaml",
     .help = "table (default), wide (with messages), json or yaml (with warnings and conditions)",
     .parse = flags_choice,
     .offset = FIELD(form)},
    {.name = "bindings",
     .commands = OPTIONS_STATUS,
     .help = "show the bindings, and what is wrong with each binding: a missing policy, or parameters that "
             "are missing or do not fit",
     .parse = flags_true,
     .offset = FIELD(is_bindings)},
    {.letter = 'w',
     .name = "watch",
     .commands = OPTIONS_STATUS,
     .help = "keep running, and every two seconds print the rows that have changed",
     .parse = flags_true,
     .offset = FIELD(is_watch)},
    {.name = "kubeconfig",
     .value = "FILE",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_STATUS | OPTIONS_DUMP | OPTIONS_LSP |
                 OPTIONS_TEST | OPTIONS_AUDIT,
     .allowed = OPTIONS_FILES,
     .help = "kubeconfig file of the cluster (default: $KUBECONFIG, then ~/.kube/config, then the service "
             "account of the pod)",
     .parse = flags_text,
     .offset = FIELD(cluster.kubeconfig)},
    {.name = "context",
     .value = "NAME",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_STATUS | OPTIONS_DUMP | OPTIONS_LSP |
                 OPTIONS_TEST | OPTIONS_AUDIT,
     .help = "context in the kubeconfig",
     .parse = flags_text,
     .offset = FIELD(cluster.context)},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_CHECK,
     .allowed = "text, json, sarif, junit, github",
     .help = "text (default), json, sarif (2.1.0, for code scanning), junit (for CI) or github (workflow "
             "commands)",
     .parse = parse_format},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_TEST,
     .allowed = "text, json, junit, github",
     .help = "text (default), json, junit (for CI) or github (workflow commands)",
     .parse = parse_tree_format},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_AUDIT,
     .allowed = "text, json, sarif, openreports, openreports-json",
     .help = "text (default), json, sarif (2.1.0, for code scanning), openreports (Report and ClusterReport "
             "objects of openreports.io/v1alpha1 as YAML) or openreports-json (the same objects as a List)",
     .parse = parse_audit_format},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_UPGRADE | OPTIONS_CRD,
     .allowed = "text, json",
     .help = "text (default) or json",
     .parse = parse_tree_format},
    {.name = "witness",
     .commands = OPTIONS_CHECK,
     .help = "print the smallest object and request that show that a warning is true, and the error of the "
             "API server",
     .parse = flags_true,
     .offset = FIELD(wants_witnesses)},
    {.name = "warnings-scope",
     .value = "SCOPE",
     .commands = OPTIONS_CHECK | OPTIONS_LSP,
     .allowed = "full, upstream",
     .help = "full (default): warn where evaluation is certain to fail; upstream: give exactly the warnings "
             "of kube-controller-manager",
     .parse = flags_choice,
     .offset = FIELD(types.scope)},
    {.name = "max-types-per-policy",
     .value = "N",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_LSP,
     .help = "in scope full, the largest number of types that one policy is checked against (default 1000)",
     .parse = parse_max_types},
    {.name = "fail-on",
     .value = "WHAT",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_CRD | OPTIONS_AUDIT,
     .allowed = "warning, unchecked, never",
     .help = "when the exit status is 1: warning (default): if there are errors or warnings; unchecked: also "
             "if a policy could not be checked completely; never: in no case",
     .parse = flags_choice,
     .offset = FIELD(fail_on)},
    {.name = "select",
     .value = "IDS",
     .commands = OPTIONS_CHECK | OPTIONS_LSP,
     .allowed = OPTIONS_FINDINGS,
     .help = "report only these findings: identifiers that \"explain\" lists, default (all findings except "
             "advice) or advice, separated by commas; objects that the API server refuses, files that cannot "
             "be read, and objects that could not be checked are always reported",
     .parse = parse_select},
    {.name = "ignore",
     .value = "IDS",
     .commands = OPTIONS_CHECK | OPTIONS_LSP,
     .allowed = OPTIONS_FINDINGS,
     .help = "do not report the findings with these identifiers, but count them; refused, unreadable-file, "
             "limit-reached and unknown-identifier cannot be ignored",
     .parse = parse_ignore},
    {.name = "baseline",
     .value = "FILE",
     .commands = OPTIONS_CHECK | OPTIONS_LSP,
     .allowed = OPTIONS_FILES,
     .help =
         "do not report findings that are in this file, but count them; print the entries of the file that "
         "no checked object has any more",
     .parse = flags_name,
     .offset = FIELD(baseline_path)},
    {.name = "write-baseline",
     .value = "FILE",
     .commands = OPTIONS_CHECK,
     .allowed = OPTIONS_FILES,
     .help = "write the errors and warnings to this file, and report only findings that cannot be ignored",
     .parse = flags_name,
     .offset = FIELD(new_baseline_path)},
    {.name = "markdown",
     .commands = OPTIONS_EXPLAIN,
     .help = "print the descriptions of all findings as one document",
     .parse = flags_true,
     .offset = FIELD(is_markdown)},
    {.letter = 'h', .name = "help", .help = "print this help", .parse = parse_help, .offset = FIELD(is_help)},
};

/* getopt's own messages, which would print what they quote as it is. */
static void on_fault(enum flags_fault fault, const char *argument, struct err *err)
{
    switch (fault) {
    case FLAGS_UNKNOWN:
        (void)err_set(err, ERR_INVALID, "unrecognized option '%s'", argument);
        break;
    case FLAGS_UNKNOWN_LETTER:
        (void)err_set(err, ERR_INVALID, "invalid option -- '%c'", optopt);
        break;
    case FLAGS_LACKS_VALUE:
        if (strncmp(argument, "--", 2) == 0)
            (void)err_set(err, ERR_INVALID, "option '%s' requires an argument", argument);
        else
            (void)err_set(err, ERR_INVALID, "option requires an argument -- '%c'", optopt);
        break;
    case FLAGS_HAS_VALUE:
        (void)err_set(err, ERR_INVALID, "option '%.*s' doesn't allow an argument",
                      (int)strcspn(argument, "="), argument);
        break;
    }
}

static void on_refused(const struct flags_row *row, const char *source, const char *text, struct err *err)
{
    (void)row;
    (void)err_set(err, ERR_INVALID, "%s: \"%s\" is not one of its values (see --help)", source, text);
}

const struct flags_table options_table = {
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .on_fault = on_fault,
    .on_refused = on_refused,
};

static bool has_empty_name(const struct options *o)
{
    for (size_t i = 0; i < o->n_files; i++) {
        if (*o->files[i] == '\0')
            return true;
    }
    return o->schemas != NULL && *o->schemas == '\0';
}

/* What the flags say together of files and schemas; NULL: all is well. */
static const char *find_problem(const struct options *o)
{
    if (has_empty_name(o))
        return "the name of a file is empty";
    if (o->schemas != NULL && o->bundle != NULL)
        return "--schemas and --kube-version exclude each other: the schemas have a version";
    if (o->is_live && (o->schemas != NULL || o->bundle != NULL))
        return "--cluster excludes --schemas and --kube-version: the cluster has both";
    if (!o->is_live && (o->cluster.kubeconfig != NULL || o->cluster.context != NULL))
        return "--kubeconfig and --context need --cluster";
    return NULL;
}

static const char *find_version_problem(const struct options *o)
{
    if (o->wants_witnesses && o->types.scope == TYPES_UPSTREAM)
        return "--witness is of --warnings-scope=full";
    if (o->wants_witnesses && o->make_output != output_text && o->make_output != output_json)
        return "of witnesses there is only -o text and -o json";
    if (options_version_count(o) > 1 && o->make_output != output_text && o->make_output != output_json)
        return "of several versions there is only -o text and -o json";
    if (options_version_count(o) > 1 && o->wants_witnesses)
        return "--witness is of one version";
    if (options_version_count(o) > 1 && o->cel_go != 0)
        return "--cel-go-version is of one version";
    return NULL;
}

static int open_baseline(struct options *o, struct err *err)
{
    if (o->baseline_path != NULL && o->new_baseline_path != NULL)
        return err_set(err, ERR_INVALID, "--baseline and --write-baseline exclude each other");
    if (o->new_baseline_path != NULL)
        o->baseline = baseline_new();
    return o->baseline_path == NULL ? 0 : baseline_read(o->baseline_path, &o->baseline, err);
}

/* What is no flag is a file, as pre-commit and xargs give them. */
static int finish_check(struct options *o, struct err *err)
{
    if (!o->has_no_config && configfile_apply(o, err) != 0)
        return -1;
    if (open_baseline(o, err) != 0)
        return -1;
    for (size_t i = 0; i < o->n_names; i++)
        options_add_file(o, o->names[i]);
    const char *problem =
        o->n_files + o->n_kustomizations == 0 ? "a file is required: -f FILE" : find_problem(o);
    if (problem == NULL)
        problem = find_version_problem(o);
    return problem == NULL ? 0 : err_set(err, ERR_INVALID, "%s", problem);
}

/* Unless something is selected. */
static void select_defaults(struct options *o)
{
    if (o->has_selected)
        return;
    o->selected = (struct finding_set){0};
    (void)suppress_read_selected("default", &o->selected, NULL);
}

static bool reads_standard_input(const struct options *o)
{
    for (size_t i = 0; i < o->n_files; i++) {
        if (strcmp(o->files[i], "-") == 0)
            return true;
    }
    return false;
}

int options_configure(struct options *o, struct err *err)
{
    if (!o->has_selected)
        o->selected = (struct finding_set){0};
    if (!o->has_no_config && configfile_apply(o, err) != 0)
        return -1;
    if (open_baseline(o, err) != 0)
        return -1;
    select_defaults(o);
    const char *problem =
        reads_standard_input(o) ? "standard input is the editor's: -f - is not possible" : find_problem(o);
    return problem == NULL ? 0 : err_set(err, ERR_INVALID, "%s", problem);
}

static const char *find_upgrade_problem(const struct options *o)
{
    const bool has_cluster = o->is_live || o->schemas != NULL;
    if (o->to == NULL)
        return "a version is required: --to 1.N";
    if (o->n_files + o->n_kustomizations == 0 && !o->is_live)
        return "a file is required: -f FILE; or --cluster";
    if (has_empty_name(o))
        return "the name of a file is empty";
    if (options_version_count(o) > 1)
        return "--from is one version";
    if (has_cluster && o->bundle != NULL)
        return "--schemas and --cluster exclude --from: they have a version";
    if (o->is_live && o->schemas != NULL)
        return "--cluster excludes --schemas";
    if (!o->is_live && (o->cluster.kubeconfig != NULL || o->cluster.context != NULL))
        return "--kubeconfig and --context need --cluster";
    if (!has_cluster && (o->to == bundles || (o->bundle != NULL && o->bundle >= o->to)))
        return "--to is not newer than --from";
    return NULL;
}

static int finish_upgrade(struct options *o, struct err *err)
{
    for (size_t i = 0; i < o->n_names; i++)
        options_add_file(o, o->names[i]);
    const char *problem = find_upgrade_problem(o);
    if (problem == NULL && o->bundle == NULL && !o->is_live && o->schemas == NULL)
        o->bundle = o->to - 1;
    return problem == NULL ? 0 : err_set(err, ERR_INVALID, "%s", problem);
}

/* What is no flag is a path to search. */
static int finish_test(struct options *o, struct err *err)
{
    const char *problem = find_problem(o);
    for (size_t i = 0; i < o->n_names && problem == NULL; i++)
        problem = *o->names[i] == '\0' ? "the name of a file is empty" : NULL;
    return problem == NULL ? 0 : err_set(err, ERR_INVALID, "%s", problem);
}

static int finish_crd(struct options *o, struct err *err)
{
    for (size_t i = 0; i < o->n_names; i++)
        options_add_file(o, o->names[i]);
    if (!o->is_cost)
        return err_set(err, ERR_INVALID, "say what to show: --cost");
    if (o->n_files + o->n_kustomizations == 0)
        return err_set(err, ERR_INVALID, "a file is required: -f FILE");
    return has_empty_name(o) ? err_set(err, ERR_INVALID, "the name of a file is empty") : 0;
}

static int finish_audit(struct options *o, struct err *err)
{
    for (size_t i = 0; i < o->n_names; i++)
        options_add_file(o, o->names[i]);
    const char *problem = find_problem(o);
    if (problem == NULL && o->n_files + o->n_kustomizations == 0 && !o->is_live)
        problem = "a file is required: -f FILE; or --cluster";
    if (problem == NULL && options_version_count(o) > 1)
        problem = "--kube-version is one version";
    if (problem == NULL && o->n_groups > 0 && o->user == NULL)
        problem = "--as-group needs --as";
    return problem == NULL ? 0 : err_set(err, ERR_INVALID, "%s", problem);
}

int options_read(const char *command, int argc, char **argv, struct options *out)
{
    const struct manual_command *manual = manual_find(command);
    struct flags_table table = options_table;
    struct err err = {0};
    *out = (struct options){.make_output = output_text, .types = {TYPES_FULL, TYPES_MAX_DEFAULT}};
    config_source_from_env(&out->cluster);
    table.command = manual_bit(manual);
    int answer = flags_read(&table, out, argc, argv, &err);
    out->names = argv + optind;
    out->n_names = (size_t)(argc - optind);
    if (answer == 0 && table.command == OPTIONS_CHECK)
        answer = finish_check(out, &err);
    select_defaults(out);
    if (answer == 0 && table.command == OPTIONS_LSP && out->n_names > 0)
        answer = err_set(&err, ERR_INVALID, "unexpected argument \"%s\"", *out->names);
    if (answer == 0 && table.command == OPTIONS_UPGRADE)
        answer = finish_upgrade(out, &err);
    if (answer == 0 && table.command == OPTIONS_AUDIT)
        answer = finish_audit(out, &err);
    if (answer == 0 && table.command == OPTIONS_CRD)
        answer = finish_crd(out, &err);
    if (answer == 0 && table.command == OPTIONS_TEST)
        answer = finish_test(out, &err);
    if (out->bundle == NULL)
        out->bundle = &bundles[bundles_count - 1];
    if (answer < 0)
        print_line(stderr, "%s: %s", argv[0], err.msg);
    if (out->is_help)
        manual_print_help(manual, stdout);
    return answer;
}

void options_deinit(struct options *o)
{
    for (size_t i = 0; i < o->n_owned; i++)
        mem_free(o->owned[i]);
    mem_free(o->owned);
    mem_free(o->files);
    mem_free(o->groups);
    mem_free(o->kustomizations);
    excludes_deinit(&o->excludes);
    baseline_free(o->baseline);
}
