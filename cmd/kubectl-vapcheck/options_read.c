#include "cmd/kubectl-vapcheck/options_read.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "cmd/kubectl-vapcheck/configfile.h"
#include "cmd/kubectl-vapcheck/manual.h"
#include "cmd/kubectl-vapcheck/options_table.h"
#include "cmd/kubectl-vapcheck/options_versions.h"
#include "controller/findings/suppress.h"

static bool has_empty_name(const struct options *o)
{
    for (size_t i = 0; i < o->n_files; i++) {
        if (*o->files[i] == '\0')
            return true;
    }
    return o->schemas != NULL && *o->schemas == '\0';
}

/* The problem with the flags about files and schemas together; NULL: none. */
static const char *find_problem(const struct options *o)
{
    if (has_empty_name(o))
        return "the name of a file is empty";
    if (o->schemas != NULL && o->bundle != NULL)
        return "--schemas and --kube-version cannot be used together: the schemas already have a version";
    if (o->is_live && (o->schemas != NULL || o->bundle != NULL))
        return "--cluster cannot be used with --schemas or --kube-version: the cluster has schemas and a "
               "version";
    if (!o->is_live && (o->cluster.kubeconfig != NULL || o->cluster.context != NULL))
        return "--kubeconfig and --context need --cluster";
    return NULL;
}

static const char *find_version_problem(const struct options *o)
{
    if (o->wants_witnesses && o->types.scope == TYPES_UPSTREAM)
        return "--witness needs --warnings-scope=full";
    if (o->wants_witnesses && o->format != OUTPUT_FORMAT_TEXT && o->format != OUTPUT_FORMAT_JSON)
        return "--witness works only with -o text and -o json";
    if (o->is_matrix && options_version_count(o) <= 1)
        return "--matrix needs several versions: --kube-version 1.36,1.37";
    if (o->is_matrix && o->format != OUTPUT_FORMAT_TEXT && o->format != OUTPUT_FORMAT_JSON)
        return "--matrix works only with -o text and -o json";
    if (options_version_count(o) > 1 && o->wants_witnesses)
        return "--witness works only for one version of Kubernetes";
    if (options_version_count(o) > 1 && o->cel_go != 0)
        return "--cel-go-version works only for one version of Kubernetes";
    return NULL;
}

static bool reads_standard_input(const struct options *o)
{
    for (size_t i = 0; i < o->n_files; i++) {
        if (strcmp(o->files[i], "-") == 0)
            return true;
    }
    return false;
}

static const char *find_watch_problem(const struct options *o)
{
    if (o->n_files == 0 || reads_standard_input(o))
        return "--watch needs files or directories";
    if (o->format != OUTPUT_FORMAT_TEXT)
        return "--watch works only with -o text";
    return o->new_baseline_path != NULL ? "--watch and --write-baseline cannot be used together" : NULL;
}

static const char *find_fix_problem(const struct options *o)
{
    if (o->fix != OPTIONS_FIX_NOTHING && !options_has_files(o))
        return "--fix and --diff need files";
    if (o->fix != OPTIONS_FIX_NOTHING && o->new_baseline_path != NULL)
        return "--fix and --diff cannot be used with --write-baseline";
    if (o->fix != OPTIONS_FIX_NOTHING && o->is_watch)
        return "--fix and --diff cannot be used with --watch";
    return NULL;
}

static int open_baseline(struct options *o, struct err *err)
{
    if (o->baseline_path != NULL && o->new_baseline_path != NULL)
        return err_set(err, ERR_INVALID, "--baseline and --write-baseline cannot be used together");
    if (o->new_baseline_path != NULL)
        o->baseline = baseline_new();
    return o->baseline_path == NULL ? 0 : baseline_read(o->baseline_path, &o->baseline, err);
}

/* Takes arguments that are no flags as files, as pre-commit and xargs give them. Without a file, check is
 * about the working directory, or about the objects of the cluster. */
static int finish_check(struct options *o, struct err *err)
{
    if (!o->has_no_config && configfile_apply(o, err) != 0)
        return -1;
    if (open_baseline(o, err) != 0)
        return -1;
    for (size_t i = 0; i < o->n_names; i++)
        options_add_file(o, o->names[i]);
    if (!options_has_files(o) && !o->is_live)
        options_add_file(o, ".");
    const char *problem = find_problem(o);
    if (problem == NULL)
        problem = find_version_problem(o);
    if (problem == NULL && o->is_watch)
        problem = find_watch_problem(o);
    if (problem == NULL)
        problem = find_fix_problem(o);
    return problem == NULL ? 0 : err_set(err, ERR_INVALID, "%s", problem);
}

/* Unless something is selected. */
static void select_defaults(struct options *o)
{
    if (o->has_selected)
        return;
    o->selected = (struct finding_set){0};
    (void)suppress_read_selected("default,advice", &o->selected, NULL);
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
        reads_standard_input(o) ? "-f - is not possible: the editor uses standard input" : find_problem(o);
    return problem == NULL ? 0 : err_set(err, ERR_INVALID, "%s", problem);
}

static const char *find_upgrade_problem(const struct options *o)
{
    const bool has_cluster = o->is_live || o->schemas != NULL;
    if (o->to == NULL)
        return "a version is required: --to 1.N";
    if (!options_has_files(o) && !o->is_live)
        return "a file is required: -f FILE; or --cluster";
    if (has_empty_name(o))
        return "the name of a file is empty";
    if (options_version_count(o) > 1)
        return "--from must be one version";
    if (has_cluster && o->bundle != NULL)
        return "--from cannot be used with --schemas or --cluster: both already have a version";
    if (o->is_live && o->schemas != NULL)
        return "--cluster and --schemas cannot be used together";
    if (!o->is_live && (o->cluster.kubeconfig != NULL || o->cluster.context != NULL))
        return "--kubeconfig and --context need --cluster";
    if (!has_cluster && (o->to == bundles || (o->bundle != NULL && o->bundle >= o->to)))
        return "the version of --to must be newer than the version of --from";
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

/* Takes arguments that are no flags as paths to search. */
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
    if (!options_has_files(o))
        options_add_file(o, ".");
    return has_empty_name(o) ? err_set(err, ERR_INVALID, "the name of a file is empty") : 0;
}

static int finish_audit(struct options *o, struct err *err)
{
    for (size_t i = 0; i < o->n_names; i++)
        options_add_file(o, o->names[i]);
    const char *problem = find_problem(o);
    if (problem == NULL && !options_has_files(o) && !o->is_live)
        problem = "a file is required: -f FILE; or --cluster";
    if (problem == NULL && options_version_count(o) > 1)
        problem = "--kube-version must be one version";
    if (problem == NULL && o->n_groups > 0 && o->user == NULL)
        problem = "--as-group needs --as";
    return problem == NULL ? 0 : err_set(err, ERR_INVALID, "%s", problem);
}

int options_read(const char *command, int argc, char **argv, struct options *out)
{
    const struct manual_command *manual = manual_find(command);
    struct flags_table table = options_table;
    struct err err = {0};
    table.command = manual_bit(manual);
    *out =
        (struct options){.format = table.command == OPTIONS_STATUS ? OUTPUT_FORMAT_TABLE : OUTPUT_FORMAT_TEXT,
                         .fail_on = OPTIONS_FAIL_ON_WARNING,
                         .types = {TYPES_FULL, TYPES_MAX_DEFAULT}};
    config_source_from_env(&out->cluster);
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
        out->bundle = options_versions_default();
    if (answer == 0 &&
        (options_versions_has_beta(out->versions) || (out->to != NULL && options_versions_is_beta(out->to))))
        print_line(stderr, "%s: note: " OPTIONS_VERSIONS_BETA, argv[0]);
    if (answer < 0)
        print_line(stderr, "%s: %s", argv[0], err.msg);
    if (out->is_help)
        manual_print_help(manual, stdout);
    return answer;
}
