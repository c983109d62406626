#include "cmd/kubectl-vapcheck/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/mem.h"

static void usage(FILE *out)
{
    fputs("Type-checks the policies in files, with no cluster.\n\n"
          "Usage: kubectl vapcheck check -f FILE [-f FILE]... [FLAGS]\n\n"
          "Flags:\n"
          "  -f, --filename FILE     YAML or JSON with policies; a directory: its files that end in .yaml,\n"
          "                          .yml or .json; - is standard input\n"
          "  -R, --recursive         the directories' directories, too\n"
          "      --kube-version 1.N  check against the bundled schemas of this version of Kubernetes\n"
          "                          (default: the newest)\n"
          "      --schemas PATH      check against a cluster's discovery and OpenAPI v3: the directory of\n"
          "                          a dump, or a bundle\n"
          "  -o, --output FORMAT     text (default) or json\n"
          "      --warnings-scope S  full (default): everything that is wrong with a policy;\n"
          "                          upstream: what kube-controller-manager says\n"
          "      --max-types-per-policy N\n"
          "                          of scope full (default 1000)\n"
          "      --fail-on WHAT      when to exit with 1: warning (default), unchecked (a policy that\n"
          "                          could not be checked fully, too) or never\n"
          "  -h, --help\n\n"
          "Exit status: 0 nothing found, 1 warnings found, 2 the command could not do its work.\n",
          out);
}

static int complain(const char *flag, const char *value)
{
    fprintf(stderr, "kubectl-vapcheck check: %s: \"%s\" is not one of its values (see --help)\n", flag,
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
    if (errno != 0 || end == value || *end != '\0' || *value == '-' || n == 0)
        return complain("--max-types-per-policy", value);
    o->types.max_types = n;
    return 0;
}

/* "1.36" or "v1.36". */
static int read_kube_version(const char *value, struct options *o)
{
    for (size_t i = 0; i < bundles_count; i++) {
        if (strcmp(bundles[i].kube_version, *value == 'v' ? value + 1 : value) == 0) {
            o->bundle = &bundles[i];
            return 0;
        }
    }
    fprintf(stderr,
            "kubectl-vapcheck check: --kube-version: no schemas of \"%s\" are bundled; there are:", value);
    for (size_t i = 0; i < bundles_count; i++)
        fprintf(stderr, " %s", bundles[i].kube_version);
    fputs("\n", stderr);
    return -1;
}

enum { OPTION_SCHEMAS = 256, OPTION_KUBE_VERSION, OPTION_SCOPE, OPTION_FAIL_ON, OPTION_MAX_TYPES };

/* 0 to go on, 1 when --help was served, -1 for bad flags. */
static int read_option(int option, struct options *o)
{
    switch (option) {
    case 'f':
        o->files[o->n_files++] = optarg;
        return 0;
    case 'o':
        return read_format(optarg, o);
    case 'R':
        o->is_recursive = true;
        return 0;
    case 'h':
        usage(stdout);
        return 1;
    case OPTION_SCHEMAS:
        o->schemas = optarg;
        return 0;
    case OPTION_KUBE_VERSION:
        return read_kube_version(optarg, o);
    case OPTION_SCOPE:
        return read_scope(optarg, o);
    case OPTION_FAIL_ON:
        return read_fail_on(optarg, o);
    case OPTION_MAX_TYPES:
        return read_max_types(optarg, o);
    default:
        return -1; /* getopt has complained */
    }
}

/* What the flags say together. */
static int check_options(const struct options *o)
{
    const char *problem = NULL;
    if (o->n_files == 0)
        problem = "-f is required";
    else if (o->schemas != NULL && o->bundle != NULL)
        problem = "--schemas and --kube-version exclude each other: the schemas have a version";
    if (problem != NULL)
        fprintf(stderr, "kubectl-vapcheck check: %s\n", problem);
    return problem == NULL ? 0 : -1;
}

int options_read(int argc, char **argv, struct options *o)
{
    static const struct option flags[] = {
        {"filename", required_argument, NULL, 'f'},
        {"output", required_argument, NULL, 'o'},
        {"recursive", no_argument, NULL, 'R'},
        {"help", no_argument, NULL, 'h'},
        {"schemas", required_argument, NULL, OPTION_SCHEMAS},
        {"kube-version", required_argument, NULL, OPTION_KUBE_VERSION},
        {"warnings-scope", required_argument, NULL, OPTION_SCOPE},
        {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
        {"max-types-per-policy", required_argument, NULL, OPTION_MAX_TYPES},
        {NULL, 0, NULL, 0},
    };
    int option, answer = 0;
    *o = (struct options){.make_output = output_text, .types = {TYPES_FULL, TYPES_MAX_DEFAULT}};
    o->files = mem_array((size_t)argc + 1, sizeof *o->files);
    while (answer == 0 && (option = getopt_long(argc, argv, "f:Ro:h", flags, NULL)) != -1)
        answer = read_option(option, o);
    if (answer != 0)
        return answer;
    if (optind < argc) {
        fprintf(stderr, "kubectl-vapcheck check: unexpected argument \"%s\" (files are given with -f)\n",
                argv[optind]);
        return -1;
    }
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
