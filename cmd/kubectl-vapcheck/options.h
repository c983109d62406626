/*
 * options: what the flags and arguments of a command of kubectl vapcheck say (options_read.h reads them).
 */
#ifndef CMD_KUBECTL_VAPCHECK_OPTIONS_H
#define CMD_KUBECTL_VAPCHECK_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/auth/config_source.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"
#include "cmd/kubectl-vapcheck/output/formats.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/output/style.h"
#include "controller/policy/types.h"

enum options_fail_on { OPTIONS_FAIL_ON_WARNING, OPTIONS_FAIL_ON_UNCHECKED, OPTIONS_FAIL_ON_NEVER };

struct options {
    struct config_source cluster;
    /* check */
    const char **files; /* with -f or without */
    size_t n_files;
    const char **kustomizations; /* directories */
    size_t n_kustomizations;
    struct excludes excludes;
    bool has_no_config; /* .vapcheck.yaml is not read */
    bool is_recursive;
    const char *schemas;         /* NULL: the bundle's */
    const struct bundle *bundle; /* of --kube-version, or the newest */
    uint32_t versions; /* those of --kube-version, a bit for each of the bundles; 0: it was not given */
    bool is_live;      /* --cluster */
    int cel_go;        /* the release 0.N; 0: the one that the version of Kubernetes came with */
    enum formats format;
    struct style style;
    enum options_fail_on fail_on;
    bool wants_witnesses;
    bool has_selected;           /* --select was given */
    struct finding_set selected; /* what it names, or all but advice */
    struct finding_set ignored;
    const char *baseline_path, *new_baseline_path; /* NULL: there is none */
    struct baseline *baseline;                     /* of either; NULL: there is none */
    struct types_options types;
    /* audit */
    const char *user;    /* --as; NULL: the user of the kubeconfig */
    const char **groups; /* --as-group */
    size_t n_groups;
    /* upgrade */
    const struct bundle *to;
    /* crd */
    bool is_cost;
    /* test */
    bool is_coverage, is_verbose;
    /* status */
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
/* Adds all files that are not excluded. */
void options_open_inputs(const struct options *options, struct inputs *inputs);

/* How many versions --kube-version names. */
size_t options_version_count(const struct options *options);

#endif
