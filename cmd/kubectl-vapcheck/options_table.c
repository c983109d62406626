#include "cmd/kubectl-vapcheck/options_table.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/file.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/options_versions.h"
#include "controller/findings/kubeversion.h"
#include "controller/findings/suppress.h"

_Static_assert(OPTIONS_FAIL_ON_NEVER == 3 && TYPES_FULL == 0 && TYPES_UPSTREAM == 1 && STYLE_NEVER == 2,
               "flags_choice sets an enum to the index of its word");

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

/* Implies --allow-empty: often no manifest was changed. */
static int parse_changed(void *options, const struct flags_row *row, const char *source, const char *text,
                         struct err *err)
{
    struct options *o = options;
    (void)row, (void)source, (void)err;
    o->changed_since = strcmp(text, "true") == 0 ? "HEAD" : text; /* "true": the flag has no value */
    o->allows_empty = true;
    return 0;
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
    (void)source, (void)err;
    if (flags_word(row, text) < 0)
        return -1;
    ((struct options *)options)->format = output_format_find(text);
    return 0;
}

static int parse_fix(void *options, const struct flags_row *row, const char *source, const char *text,
                     struct err *err)
{
    struct options *o = options;
    const enum options_fix wanted = strcmp(row->name, "fix") == 0 ? OPTIONS_FIX : OPTIONS_DIFF;
    if (strcmp(text, "true") != 0 && strcmp(text, "unsafe") != 0) /* "true": the flag has no value */
        return -1;
    o->fixes_unsafe = o->fixes_unsafe || strcmp(text, "unsafe") == 0;
    if (o->fix != OPTIONS_FIX_NOTHING && o->fix != wanted)
        return err_set(err, ERR_INVALID, "%s: --fix and --diff cannot be used together", source);
    o->fix = wanted;
    return 0;
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
    (void)row;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (errno != 0 || *text < '0' || *text > '9' || *end != '\0' || n == 0)
        return err_set(err, ERR_INVALID, "%s: \"%s\" is no number from 1 on", source, text);
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

/* "warning", "error,unchecked", "unchecked": one severity, and whether what was not checked counts. */
static int parse_fail_on(void *options, const struct flags_row *row, const char *source, const char *text,
                         struct err *err)
{
    struct options *o = options;
    bool has_severity = false;
    (void)source, (void)err;
    o->has_fail_on = true;
    o->fail_on = OPTIONS_FAIL_ON_WARNING;
    o->fails_on_unchecked = false;
    for (size_t len;; text += len + 1) {
        len = strcspn(text, ",");
        cleanup_mem char *word = mem_strndup(text, len);
        const int index = flags_word(row, word);
        if (index < 0 || (has_severity && index <= OPTIONS_FAIL_ON_NEVER))
            return -1;
        if (index <= OPTIONS_FAIL_ON_NEVER)
            o->fail_on = (enum options_fail_on)index;
        has_severity = has_severity || index <= OPTIONS_FAIL_ON_NEVER;
        o->fails_on_unchecked = o->fails_on_unchecked || index > OPTIONS_FAIL_ON_NEVER;
        if (text[len] == '\0')
            return 0;
    }
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

/* Flags of earlier versions, whose effect no longer has to be asked for. */
static int parse_nothing(void *options, const struct flags_row *row, const char *source, const char *text,
                         struct err *err)
{
    (void)options, (void)row, (void)source, (void)text, (void)err;
    return 0;
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
         "files *.yaml, *.yml and *.json are read, and those of its subdirectories except .git, "
         "node_modules, vendor and the templates of Helm charts; or - for standard input",
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
     .help = "no effect: directories are always read with their subdirectories",
     .parse = parse_nothing},
    {.name = "exclude",
     .value = "GLOB",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_CRD | OPTIONS_LSP | OPTIONS_TEST | OPTIONS_AUDIT |
                 OPTIONS_INIT,
     .help = "do not read the files and directories that match: a name at any depth, or a path, in which * "
             "does not match a slash and ** matches any directories; may be repeated",
     .parse = parse_exclude},
    {.name = "changed",
     .value = "[REVISION]",
     .commands = OPTIONS_CHECK,
     .help =
         "check only the files that git says were changed since this revision (default: HEAD; or since the "
         "branches parted), or that git does not know yet; read the others for their types and bindings; "
         "implies --allow-empty",
     .parse = parse_changed},
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
             "(default: the newest released version); for several versions (1.30-1.37, or 1.36,1.37) each "
             "finding names those "
             "that have it",
     .parse = parse_kube_version},
    {.name = "matrix",
     .commands = OPTIONS_CHECK,
     .help = "of several versions print a table: the result of each object on each version, and the first "
             "version "
             "that refuses or accepts it",
     .parse = flags_true,
     .offset = FIELD(is_matrix)},
    {.name = "kube-version",
     .value = "1.N",
     .commands = OPTIONS_CRD,
     .allowed = OPTIONS_VERSIONS,
     .help = "estimate the costs for this version of Kubernetes, or for each of several versions (1.30-1.37, "
             "or 1.36,1.37); default: the newest released version",
     .parse = parse_kube_version},
    {.name = "cost",
     .commands = OPTIONS_CRD,
     .help = "no effect: the costs are what the command prints",
     .parse = parse_nothing},
    {.name = "kube-version",
     .value = "1.N",
     .commands = OPTIONS_TEST,
     .allowed = OPTIONS_VERSIONS,
     .help = "run the tests for this version of Kubernetes, or for each of several versions (1.30-1.37, or "
             "1.36,1.37); default: the newest released version",
     .parse = parse_kube_version},
    {.name = "coverage",
     .commands = OPTIONS_TEST,
     .help = "print each match condition and validation that no test reaches, makes true or makes false, "
             "and each branch that no test reaches",
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
             "(default: the newest released version); if several are named, the oldest is used",
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
     .commands = OPTIONS_CHECK,
     .help = "check against the schemas of a live cluster; if no file is given, check the objects of the "
             "cluster",
     .parse = flags_true,
     .offset = FIELD(is_live)},
    {.name = "cluster",
     .commands = OPTIONS_UPGRADE | OPTIONS_LSP | OPTIONS_TEST,
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
     .help = "evaluate as this version of Kubernetes does (default: the newest released version)",
     .parse = parse_kube_version},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_STATUS,
     .allowed = output_formats_status,
     .help = output_formats_help_status,
     .parse = parse_format},
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
    {.letter = 'w',
     .name = "watch",
     .commands = OPTIONS_CHECK,
     .help = "keep running, and check again when a file changes",
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
     .allowed = output_formats_check,
     .help = output_formats_help_check,
     .parse = parse_format},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_TEST,
     .allowed = output_formats_test,
     .help = output_formats_help_test,
     .parse = parse_format},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_AUDIT,
     .allowed = output_formats_audit,
     .help = output_formats_help_audit,
     .parse = parse_format},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_UPGRADE | OPTIONS_CRD,
     .allowed = output_formats_list,
     .help = output_formats_help_list,
     .parse = parse_format},
    {.name = "witness",
     .commands = OPTIONS_CHECK,
     .help = "print the smallest object and request that show that a warning is true, and the error of the "
             "API server",
     .parse = flags_true,
     .offset = FIELD(wants_witnesses)},
    {.name = "fix",
     .value = "[unsafe]",
     .commands = OPTIONS_CHECK,
     .allowed = "unsafe",
     .help = "write the corrections that are proved into the files: the API server accepts the corrected "
             "files, and no object has a new finding; then check the corrected files. unsafe: also write "
             "those of advice, and those that let requests pass which the author may not have thought of",
     .parse = parse_fix},
    {.name = "diff",
     .value = "[unsafe]",
     .commands = OPTIONS_CHECK,
     .allowed = "unsafe",
     .help =
         "print what --fix would change, and write nothing; the exit status is 1 if anything would change",
     .parse = parse_fix},
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
     .help = "in scope full, the largest number of types that one policy is checked against (default 10000)",
     .parse = parse_max_types},
    {.letter = 'v',
     .name = "verbose",
     .commands = OPTIONS_CHECK,
     .help = "also print the text of kube-controller-manager, or of the API server, about each finding",
     .parse = flags_true,
     .offset = FIELD(style.is_verbose)},
    {.name = "statistics",
     .commands = OPTIONS_CHECK,
     .help = "also print how many findings each identifier has",
     .parse = flags_true,
     .offset = FIELD(style.has_statistics)},
    {.name = "all-types",
     .commands = OPTIONS_CHECK,
     .help = "name all types of a finding, instead of the first three and the number of the others",
     .parse = flags_true,
     .offset = FIELD(style.has_all_types)},
    {.letter = 'q',
     .name = "quiet",
     .commands = OPTIONS_CHECK,
     .help = "print only the findings, without counts and progress",
     .parse = flags_true,
     .offset = FIELD(style.is_quiet)},
    {.name = "color",
     .value = "WHEN",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_TEST | OPTIONS_AUDIT,
     .allowed = "auto, always, never",
     .help =
         "colours in the text: auto (default): on a terminal, unless the environment variable NO_COLOR is "
         "set; always or never",
     .parse = flags_choice,
     .offset = FIELD(style.color)},
    {.name = "fail-on",
     .value = "WHAT",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_CRD | OPTIONS_AUDIT,
     .allowed = "error, warning, advice, never, unchecked",
     .help =
         "when the exit status is 1: if there are findings of the severity error; warning (default): "
         "errors or warnings; advice: errors, warnings or advice; never: in no case. \",unchecked\" behind "
         "it: also if something could not be checked completely; unchecked alone is warning,unchecked",
     .parse = parse_fail_on},
    {.name = "allow-empty",
     .commands = OPTIONS_CHECK | OPTIONS_UPGRADE | OPTIONS_CRD | OPTIONS_AUDIT | OPTIONS_TEST,
     .help = "it is no error if there is nothing to do: the directory, the standard input or the cluster has "
             "no object for this command",
     .parse = flags_true,
     .offset = FIELD(allows_empty)},
    {.name = "select",
     .value = "IDS",
     .commands = OPTIONS_CHECK | OPTIONS_LSP,
     .allowed = OPTIONS_FINDINGS,
     .help = "report only these findings, instead of all: identifiers that \"explain\" lists, default (all "
             "findings except "
             "advice) or advice (all advice), separated by commas; objects that the API server refuses, "
             "files that cannot "
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
     .help = "write the errors and warnings to this file, say how many, and report only findings that it "
             "cannot hold",
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
static void on_fault(const struct flags_table *table, enum flags_fault fault, const char *argument,
                     struct err *err)
{
    cleanup_mem char *near = flags_near_flag(table, argument);
    switch (fault) {
    case FLAGS_UNKNOWN:
        (void)err_set(err, ERR_INVALID, "unrecognized option '%s'%s", argument, near);
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
    cleanup_mem char *near = flags_near_word(row, text);
    (void)err_set(err, ERR_INVALID, "%s: \"%s\" is not one of its values: %s%s", source, text, row->allowed,
                  near);
}

const struct flags_table options_table = {
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .on_fault = on_fault,
    .on_refused = on_refused,
};

/* ---- values ---- */

static void visit_list(const char *list, void (*visit)(void *user, const char *word), void *user)
{
    for (const char *at = list; *at != '\0'; at += strspn(at, ", ")) {
        const size_t len = strcspn(at, ",");
        cleanup_mem char *word = mem_strndup(at, len);
        visit(user, word);
        at += len;
    }
}

void options_table_visit_values(const struct flags_row *row, void (*visit)(void *user, const char *word),
                                void *user)
{
    if (row->allowed == NULL)
        return;
    if (strcmp(row->allowed, OPTIONS_FINDINGS) == 0) {
        for (size_t i = 0; i < FINDING_COUNT; i++)
            visit(user, finding_pages[i].id);
    } else if (strcmp(row->allowed, OPTIONS_VERSIONS) == 0) {
        for (size_t i = 0; i < bundles_count; i++)
            visit(user, bundles[i].kube_version);
    } else if (*row->allowed != '@') {
        visit_list(row->allowed, visit, user);
    }
}

int options_table_read_fail_on(struct options *options, const char *text, struct err *err)
{
    const struct flags_row *row = options_table.rows;
    while (row->parse != parse_fail_on)
        row++;
    if (parse_fail_on(options, row, row->name, text, err) == 0)
        return 0;
    cleanup_mem char *near = flags_near_word(row, text);
    return err_set(err, ERR_INVALID, "\"%s\" is not one of its values: %s%s", text, row->allowed, near);
}
