/*
 * options: the flags and arguments of a command of kubectl vapcheck (options_read.h reads them).
 */
#ifndef CMD_KUBECTL_VAPCHECK_OPTIONS_H
#define CMD_KUBECTL_VAPCHECK_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/auth/config_source.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/output/output_format.h"
#include "cmd/kubectl-vapcheck/output/style.h"
#include "controller/match/types.h"

/* The least severity for which the exit status is 1. */
enum options_fail_on {
    OPTIONS_FAIL_ON_ERROR,
    OPTIONS_FAIL_ON_WARNING, /* the default */
    OPTIONS_FAIL_ON_ADVICE,
    OPTIONS_FAIL_ON_NEVER,
};

/* The use that check makes of the corrections that it has proved. */
enum options_fix {
    OPTIONS_FIX_NOTHING,
    OPTIONS_FIX,  /* they are written into the files */
    OPTIONS_DIFF, /* they are shown as the difference that they would make */
};

struct options {
    struct config_source cluster;
    /* check */
    const char **files; /* with -f or without */
    size_t n_files;
    const char **kustomizations; /* directories */
    size_t n_kustomizations;
    struct excludes excludes;
    bool has_no_config;          /* .vapcheck.yaml is not read */
    const char *schemas;         /* the file or directory of --schemas; NULL for the bundle */
    const struct bundle *bundle; /* of --kube-version, or the newest */
    uint32_t versions; /* those of --kube-version, a bit for each of the bundles; 0: it was not given */
    const char *changed_since; /* --changed: the revision; NULL: all files are checked */
    bool is_live;              /* --cluster */
    int cel_go;                /* the release 0.N; 0: the one that the version of Kubernetes came with */
    enum output_format format;
    struct style style;
    bool has_fail_on; /* --fail-on was given */
    enum options_fail_on fail_on;
    bool fails_on_unchecked;
    bool allows_empty; /* nothing to check is no error */
    bool wants_witnesses;
    enum options_fix fix;
    bool fixes_unsafe;           /* also what the author may not mean, and advice */
    bool has_selected;           /* --select was given */
    struct finding_set selected; /* the findings that it names, or all but advice */
    struct finding_set ignored;
    /* The baselines that are read and written; NULL if there is none. */
    const char *baseline_path, *new_baseline_path;
    struct baseline *baseline; /* of either; NULL: there is none */
    struct types_options types;
    /* audit */
    const char *user;    /* --as; NULL: the user of the kubeconfig */
    const char **groups; /* --as-group */
    size_t n_groups;
    /* upgrade */
    const struct bundle *to;
    /* test */
    bool is_coverage, is_verbose;
    bool is_matrix; /* of several versions: the results as a table */
    /* status, check */
    bool is_watch;
    bool is_bindings;
    /* explain */
    bool is_markdown;
    /* all */
    bool is_help;
    /* status, dump, explain, test */
    char **names; /* arguments that are no flags */
    size_t n_names;

    char **owned; /* texts that options_deinit frees */
    size_t n_owned;
};

/* To be called whatever options_read returned. */
void options_deinit(struct options *options);

/* Takes a text, which options_deinit frees; returns it. */
const char *options_own(struct options *options, char *text);
/* The text is borrowed. */
void options_add_file(struct options *options, const char *file);
/* "1.36", "1.30-1.37", "1.30,1.36-1.37". */
int options_add_versions(struct options *options, const char *text, struct err *err) MUST_CHECK;
/* Returns true if --filename, --kustomize or an argument names anything. */
bool options_has_files(const struct options *options);
/* Adds all files that are not excluded. */
void options_open_inputs(const struct options *options, struct inputs *inputs);

/* The origin of the schemas, as outputs name it: "bundle", "directory", "cluster". */
const char *options_schemas(const struct options *options);

/* Returns how many versions --kube-version names. */
size_t options_version_count(const struct options *options);

#endif
