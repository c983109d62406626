#include "cmd/kubectl-vapcheck/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/manual.h"

static int complain(const char *flag, const char *value)
{
    print_line(stderr, "kubectl-vapcheck check: %s: \"%s\" is not one of its values (see --help)", flag,
               value);
    return -1;
}

static int read_scope(const char *value, struct options *o)
{
    if (strcmp(value, "full") == 0)
        o->types.scope = TYPES_FULL;
    else if (strcmp(value, "upstream") == 0)
        o->types.scope = TYPES_UPSTREAM;
    else
        return complain("--warnings-scope", value);
    return 0;
}

static int read_fail_on(const char *value, struct options *o)
{
    if (strcmp(value, "warning") == 0)
        o->fail_on = OPTIONS_FAIL_ON_WARNING;
    else if (strcmp(value, "unchecked") == 0)
        o->fail_on = OPTIONS_FAIL_ON_UNCHECKED;
    else if (strcmp(value, "never") == 0)
        o->fail_on = OPTIONS_FAIL_ON_NEVER;
    else
        return complain("--fail-on", value);
    return 0;
}

static int read_format(const char *value, struct options *o)
{
    o->make_output = output_find(value);
    return o->make_output != NULL ? 0 : complain("--output", value);
}

static int read_max_types(const char *value, struct options *o)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(value, &end, 10);
    if (errno != 0 || *value < '0' || *value > '9' || *end != '\0' || n == 0)
        return complain("--max-types-per-policy", value);
    o->types.max_types = n;
    return 0;
}

/* Whether "1.36" or a patch of it ("1.36.2") is this version. */
static bool is_version(const char *value, const char *version)
{
    size_t len = strlen(version);
    if (strncmp(value, version, len) != 0)
        return false;
    const char *patch = value + len + 1;
    return value[len] == '\0' ||
           (value[len] == '.' && *patch != '\0' && patch[strspn(patch, "0123456789")] == '\0');
}

/* With a "v" or without. */
static int read_kube_version(const char *value, struct options *o)
{
    for (size_t i = 0; i < bundles_count; i++) {
        if (is_version(*value == 'v' ? value + 1 : value, bundles[i].kube_version)) {
            o->bundle = &bundles[i];
            return 0;
        }
    }
    print_part(stderr,
               "kubectl-vapcheck check: --kube-version: no schemas of \"%s\" are bundled; there are:", value);
    for (size_t i = 0; i < bundles_count; i++)
        print_part(stderr, " %s", bundles[i].kube_version);
    print_line(stderr, "%s", "");
    return -1;
}

/* 0 to go on, 1 when --help was served, -1 for bad flags. */
static int read_flag(enum manual_flag flag, struct options *o)
{
    switch (flag) {
    case MANUAL_FILENAME:
        o->files[o->n_files++] = optarg;
        return 0;
    case MANUAL_RECURSIVE:
        o->is_recursive = true;
        return 0;
    case MANUAL_KUBE_VERSION:
        return read_kube_version(optarg, o);
    case MANUAL_SCHEMAS:
        o->schemas = optarg;
        return 0;
    case MANUAL_CLUSTER:
        o->is_live = true;
        return 0;
    case MANUAL_KUBECONFIG:
        o->cluster.kubeconfig = optarg;
        return 0;
    case MANUAL_CONTEXT:
        o->cluster.context = optarg;
        return 0;
    case MANUAL_OUTPUT:
        return read_format(optarg, o);
    case MANUAL_SCOPE:
        return read_scope(optarg, o);
    case MANUAL_MAX_TYPES:
        return read_max_types(optarg, o);
    case MANUAL_FAIL_ON:
        return read_fail_on(optarg, o);
    case MANUAL_HELP:
        manual_print_help(manual_find("check"), stdout);
        return 1;
    case MANUAL_STATUS_OUTPUT:
    case MANUAL_WATCH:
    case MANUAL_END:
    case MANUAL_BAD:
        break;
    }
    return -1;
}

static bool has_empty_name(const struct options *o)
{
    for (size_t i = 0; i < o->n_files; i++) {
        if (*o->files[i] == '\0')
            return true;
    }
    return o->schemas != NULL && *o->schemas == '\0';
}

/* What the flags say together. */
static int check_options(const struct options *o)
{
    const char *problem = NULL;
    if (o->n_files == 0)
        problem = "a file is required: -f FILE";
    else if (has_empty_name(o))
        problem = "the name of a file is empty";
    else if (o->schemas != NULL && o->bundle != NULL)
        problem = "--schemas and --kube-version exclude each other: the schemas have a version";
    else if (o->is_live && (o->schemas != NULL || o->bundle != NULL))
        problem = "--cluster excludes --schemas and --kube-version: the cluster has both";
    else if (!o->is_live && (o->cluster.kubeconfig != NULL || o->cluster.context != NULL))
        problem = "--kubeconfig and --context need --cluster";
    if (problem != NULL)
        print_line(stderr, "kubectl-vapcheck check: %s", problem);
    return problem == NULL ? 0 : -1;
}

int options_read(int argc, char **argv, struct options *o)
{
    const struct manual_command *command = manual_find("check");
    enum manual_flag flag;
    int answer = 0;
    *o = (struct options){.make_output = output_text, .types = {TYPES_FULL, TYPES_MAX_DEFAULT}};
    config_source_from_env(&o->cluster);
    o->files = mem_array((size_t)argc + 1, sizeof *o->files);
    while (answer == 0 && (flag = manual_next_flag(command, argc, argv)) != MANUAL_END)
        answer = read_flag(flag, o);
    if (answer != 0)
        return answer;
    while (optind < argc) /* as pre-commit and xargs give files */
        o->files[o->n_files++] = argv[optind++];
    if (check_options(o) != 0)
        return -1;
    if (o->bundle == NULL)
        o->bundle = &bundles[bundles_count - 1];
    return 0;
}

void options_deinit(struct options *o)
{
    mem_free(o->files);
}
