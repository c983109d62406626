#include "cmd/vapcheck-controller/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "controller/reconcile.h"

enum { MAX_TYPES_MOST = 100000, WRITES_MOST = 1000 };

enum flag {
    FLAG_KUBECONFIG = 256,
    FLAG_CONTEXT,
    FLAG_WARNINGS_SCOPE,
    FLAG_MAX_TYPES,
    FLAG_CONCURRENT_WRITES,
    FLAG_OWN_STATUS,
    FLAG_POLICY_SELECTOR,
    FLAG_RELEASE_STATUS,
    FLAG_LOGGING_FORMAT,
    FLAG_VERSION,
    FLAG_HELP,
};

static const struct option flags[] = {
    {"kubeconfig", required_argument, NULL, FLAG_KUBECONFIG},
    {"context", required_argument, NULL, FLAG_CONTEXT},
    {"warnings-scope", required_argument, NULL, FLAG_WARNINGS_SCOPE},
    {"max-types-per-policy", required_argument, NULL, FLAG_MAX_TYPES},
    {"concurrent-writes", required_argument, NULL, FLAG_CONCURRENT_WRITES},
    {"own-status", required_argument, NULL, FLAG_OWN_STATUS},
    {"policy-selector", required_argument, NULL, FLAG_POLICY_SELECTOR},
    {"release-status", no_argument, NULL, FLAG_RELEASE_STATUS},
    {"logging-format", required_argument, NULL, FLAG_LOGGING_FORMAT},
    {"version", no_argument, NULL, FLAG_VERSION},
    {"help", no_argument, NULL, FLAG_HELP},
    {0},
};

void options_print_help(FILE *out)
{
    fputs("vapcheck-controller type-checks the CEL expressions of ValidatingAdmissionPolicies against the\n"
          "cluster's own OpenAPI schemas, and writes what it finds to their status.\n"
          "\n"
          "Usage: vapcheck-controller [flags]\n"
          "\n"
          "  --kubeconfig FILE          the cluster's kubeconfig; else $KUBECONFIG, ~/.kube/config, or the\n"
          "                             service account of the pod\n"
          "  --context NAME             the kubeconfig's context; else its current one\n"
          "  --warnings-scope SCOPE     full: what fails when it is evaluated (default); upstream: what\n"
          "                             kube-controller-manager writes, byte for byte\n"
          "  --max-types-per-policy N   types a policy is checked against at most (default 1000)\n"
          "  --concurrent-writes N      status writes under way at once (default 8)\n"
          "  --own-status WHAT          all (default); conditions: leave expressionWarnings to others\n"
          "  --policy-selector LABELS   check only policies with these labels, as kubectl's -l takes them;\n"
          "                             a policy annotated vapcheck/skip: \"true\" is left alone, too\n"
          "  --release-status           give up what is ours in every policy's status, then exit\n"
          "  --logging-format FORMAT    text (default) or json, on stderr\n"
          "  -v LEVEL                   error, warn, info (default) or debug\n"
          "  --version                  print the version and exit\n"
          "  -h, --help                 print this and exit\n"
          "\n"
          "Exit status: 0 after SIGTERM or SIGINT; 1 where it cannot start, or a second signal ended it;\n"
          "2 for a wrong flag.\n",
          out);
}

static int parse_count(const char *flag, const char *text, long most, size_t *out, struct err *err)
{
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < 1 || value > most)
        return err_set(err, ERR_INVALID, "--%s: '%.64s' is not a number from 1 to %ld", flag, text, most);
    *out = (size_t)value;
    return 0;
}

/* One of two words; *is_second tells which. */
static int parse_choice(const char *flag, const char *text, const char *first, const char *second,
                        bool *is_second, struct err *err)
{
    *is_second = strcmp(text, second) == 0;
    if (!*is_second && strcmp(text, first) != 0)
        return err_set(err, ERR_INVALID, "--%s: '%.64s' is neither %s nor %s", flag, text, first, second);
    return 0;
}

static int parse_selector(struct options *o, const char *text, struct err *err)
{
    labelselector_free(o->selector);
    o->selector = NULL;
    if (labelselector_parse(text, &o->selector, err) != 0)
        return err_prefix(err, "--policy-selector");
    o->controller.selector = o->selector;
    return 0;
}

static int parse_flag(struct options *o, int flag, const char *value, struct err *err)
{
    bool is_second = false;
    switch (flag) {
    case FLAG_KUBECONFIG:
        o->kubeconfig = value;
        return 0;
    case FLAG_CONTEXT:
        o->context = value;
        return 0;
    case FLAG_WARNINGS_SCOPE:
        if (parse_choice("warnings-scope", value, "full", "upstream", &is_second, err) != 0)
            return -1;
        o->controller.types.scope = is_second ? TYPES_UPSTREAM : TYPES_FULL;
        return 0;
    case FLAG_MAX_TYPES:
        return parse_count("max-types-per-policy", value, MAX_TYPES_MOST, &o->controller.types.max_types,
                           err);
    case FLAG_CONCURRENT_WRITES:
        return parse_count("concurrent-writes", value, WRITES_MOST, &o->controller.max_writes, err);
    case FLAG_OWN_STATUS:
        return parse_choice("own-status", value, "all", "conditions", &o->controller.is_conditions_only, err);
    case FLAG_POLICY_SELECTOR:
        return parse_selector(o, value, err);
    case FLAG_RELEASE_STATUS:
        o->controller.is_release = true;
        return 0;
    case FLAG_LOGGING_FORMAT:
        return log_parse_format(value, &o->log_format) == 0
                   ? 0
                   : err_set(err, ERR_INVALID, "--logging-format: '%.64s' is neither text nor json", value);
    case 'v':
        return log_parse_level(value, &o->log_level) == 0
                   ? 0
                   : err_set(err, ERR_INVALID, "-v: '%.64s' is none of error, warn, info, debug", value);
    case FLAG_VERSION:
        o->is_version = true;
        return 0;
    case 'h':
    case FLAG_HELP:
        o->is_help = true;
        return 0;
    default:
        return err_set(err, ERR_INTERNAL, "flag %d", flag);
    }
}

int options_parse(struct options *out, int argc, char **argv, struct err *err)
{
    *out = (struct options){
        .controller =
            {
                .program = "vapcheck-controller",
                .types = {.scope = TYPES_FULL, .max_types = TYPES_MAX_DEFAULT},
                .max_writes = RECONCILE_WRITES_DEFAULT,
            },
        .log_level = LOG_LEVEL_INFO,
        .log_format = LOG_FORMAT_TEXT,
    };
    int flag;
    opterr = 0;
    while ((flag = getopt_long(argc, argv, ":v:h", flags, NULL)) != -1) {
        int result = flag == ':'   ? err_set(err, ERR_INVALID, "%.64s needs a value", argv[optind - 1])
                     : flag == '?' ? err_set(err, ERR_INVALID, "unknown flag %.64s", argv[optind - 1])
                                   : parse_flag(out, flag, optarg, err);
        if (result != 0) {
            options_deinit(out);
            return -1;
        }
    }
    if (optind < argc) {
        options_deinit(out);
        return err_set(err, ERR_INVALID, "unexpected argument '%.64s'", argv[optind]);
    }
    return 0;
}

void options_deinit(struct options *options)
{
    labelselector_free(options->selector);
    options->selector = NULL;
}
