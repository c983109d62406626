#include "cmd/vapcheck-controller/options.h"

#include <stddef.h>
#include <string.h>

#include "client/base/print.h"
#include "cmd/vapcheck-controller/optiontable.h"
#include "controller/observe/endpoints.h"
#include "controller/observe/serve.h"
#include "controller/reconcile/reconcile.h"

/* Numbers of the headers as the table's texts have them. */
#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)

#define MAX_TYPES_MOST   100000
#define WRITES_MOST      1000
#define DURATION_MOST_MS 3600000L

_Static_assert(LEADER_LEASE_MS == 15000 && LEADER_RENEW_MS == 10000 && LEADER_RETRY_MS == 2000,
               "the table says so, too");

static int parse_scope(void *options, const struct optiontable_row *row, const char *source, const char *text,
                       struct err *err)
{
    struct options *o = options;
    int word = optiontable_word(row, source, text, err);
    o->controller.types.scope = word == 1 ? TYPES_UPSTREAM : TYPES_FULL;
    return word < 0 ? -1 : 0;
}

static int parse_own_status(void *options, const struct optiontable_row *row, const char *source,
                            const char *text, struct err *err)
{
    struct options *o = options;
    int word = optiontable_word(row, source, text, err);
    o->controller.is_conditions_only = word == 1;
    return word < 0 ? -1 : 0;
}

static int parse_selector(void *options, const struct optiontable_row *row, const char *source,
                          const char *text, struct err *err)
{
    struct options *o = options;
    (void)row;
    labelselector_free(o->selector);
    o->controller.selector = o->selector = NULL;
    if (labelselector_parse(text, &o->selector, err) != 0)
        return err_prefix(err, "%s", source);
    o->controller.selector = o->selector;
    return 0;
}

static int parse_release(void *options, const struct optiontable_row *row, const char *source,
                         const char *text, struct err *err)
{
    (void)row, (void)source, (void)text, (void)err;
    ((struct options *)options)->controller.is_release = true;
    return 0;
}

static int parse_leader_elect(void *options, const struct optiontable_row *row, const char *source,
                              const char *text, struct err *err)
{
    struct options *o = options;
    int word = optiontable_word(row, source, text, err);
    o->election = word == 0 ? OPTIONS_ELECTION_ON : OPTIONS_ELECTION_OFF;
    return word < 0 ? -1 : 0;
}

/* The kinds that this flag is called for. */
static int parse_watch(void *options, const struct optiontable_row *row, const char *source, const char *text,
                       struct err *err)
{
    struct options *o = options;
    int word = optiontable_word(row, source, text, err);
    for (size_t i = 0; i < ADVISEDKIND_COUNT && word >= 0; i++) {
        enum advisedkind_id id = (enum advisedkind_id)i;
        if (strcmp(advisedkind_row(id)->flag + 2, row->name) != 0)
            continue;
        if (word == 0)
            o->controller.kinds |= ADVISEDKIND_BIT(id);
        else
            o->controller.kinds &= ~ADVISEDKIND_BIT(id);
    }
    return word < 0 ? -1 : 0;
}

static int parse_address(void *options, const struct optiontable_row *row, const char *source,
                         const char *text, struct err *err)
{
    if (serve_check_address(text, err) != 0)
        return err_prefix(err, "%s", source);
    return optiontable_text(options, row, source, text, err);
}

static int parse_logging_format(void *options, const struct optiontable_row *row, const char *source,
                                const char *text, struct err *err)
{
    if (optiontable_word(row, source, text, err) < 0)
        return -1;
    return log_parse_format(text, &((struct options *)options)->log_format);
}

static int parse_level(void *options, const struct optiontable_row *row, const char *source, const char *text,
                       struct err *err)
{
    if (optiontable_word(row, source, text, err) < 0)
        return -1;
    return log_parse_level(text, &((struct options *)options)->log_level);
}

/* What is printed instead of a run. */
static int parse_printed(void *options, const struct optiontable_row *row, const char *source,
                         const char *text, struct err *err)
{
    (void)source, (void)text, (void)err;
    *(bool *)((char *)options + row->offset) = true;
    return 0;
}

#define FIELD(name) offsetof(struct options, name)

static const struct optiontable_row rows[] = {
    {.name = "kubeconfig",
     .value = "FILE",
     .environment = "VAPCHECK_KUBECONFIG",
     .shown = "$KUBECONFIG, else ~/.kube/config, else the service account of the pod",
     .help = "the cluster's kubeconfig",
     .parse = optiontable_text,
     .offset = FIELD(kubeconfig)},
    {.name = "context",
     .value = "NAME",
     .environment = "VAPCHECK_CONTEXT",
     .shown = "its current one",
     .help = "the kubeconfig's context",
     .parse = optiontable_text,
     .offset = FIELD(context)},
    {.name = "warnings-scope",
     .value = "SCOPE",
     .environment = "VAPCHECK_WARNINGS_SCOPE",
     .fallback = "full",
     .allowed = "full, upstream",
     .help = "full: what fails when it is evaluated; upstream: what kube-controller-manager writes, byte for "
             "byte",
     .parse = parse_scope},
    {.name = "max-types-per-policy",
     .value = "N",
     .environment = "VAPCHECK_MAX_TYPES_PER_POLICY",
     .fallback = AS_TEXT(TYPES_MAX_DEFAULT),
     .allowed = "1 to " AS_TEXT(MAX_TYPES_MOST),
     .help = "types a policy is checked against at most",
     .parse = optiontable_count,
     .offset = FIELD(controller.types.max_types),
     .most = MAX_TYPES_MOST},
    {.name = "concurrent-writes",
     .value = "N",
     .environment = "VAPCHECK_CONCURRENT_WRITES",
     .fallback = AS_TEXT(RECONCILE_WRITES_DEFAULT),
     .allowed = "1 to " AS_TEXT(WRITES_MOST),
     .help = "status writes under way at once",
     .parse = optiontable_count,
     .offset = FIELD(controller.max_writes),
     .most = WRITES_MOST},
    {.name = "own-status",
     .value = "WHAT",
     .environment = "VAPCHECK_OWN_STATUS",
     .fallback = "all",
     .allowed = "all, conditions",
     .help = "conditions: leave expressionWarnings to others",
     .parse = parse_own_status},
    {.name = "policy-selector",
     .value = "LABELS",
     .environment = "VAPCHECK_POLICY_SELECTOR",
     .shown = "every policy",
     .allowed = "as kubectl's -l",
     .help =
         "check only policies with these labels; a policy annotated vapcheck/skip: \"true\" is left alone, "
         "too",
     .parse = parse_selector},
    {.name = "watch-webhooks",
     .value = "[BOOL]",
     .environment = "VAPCHECK_WATCH_WEBHOOKS",
     .fallback = "false",
     .allowed = "true, false",
     .help = "check the matchConditions of webhook configurations, too; tell of them by Events and metrics",
     .parse = parse_watch},
    {.name = "watch-mutating-policies",
     .value = "[BOOL]",
     .environment = "VAPCHECK_WATCH_MUTATING_POLICIES",
     .fallback = "false",
     .allowed = "true, false",
     .help = "the same of MutatingAdmissionPolicies",
     .parse = parse_watch},
    {.name = "watch-crds",
     .value = "[BOOL]",
     .environment = "VAPCHECK_WATCH_CRDS",
     .fallback = "false",
     .allowed = "true, false",
     .help = "the same of the x-kubernetes-validations of CustomResourceDefinitions",
     .parse = parse_watch},
    {.name = "release-status",
     .help = "give up what is ours in every policy's status, then exit",
     .parse = parse_release},
    {.name = "leader-elect",
     .value = "[BOOL]",
     .environment = "VAPCHECK_LEADER_ELECT",
     .shown = "true in a pod, false with a kubeconfig",
     .allowed = "true, false",
     .help = "of several, only the holder of a Lease works; the others stand by",
     .parse = parse_leader_elect},
    {.name = "leader-elect-lease-duration",
     .value = "D",
     .environment = "VAPCHECK_LEADER_ELECT_LEASE_DURATION",
     .fallback = "15s",
     .allowed = "up to 1h, more than the renew deadline",
     .help = "how long the others wait for the holder",
     .parse = optiontable_duration,
     .offset = FIELD(controller.election.lease_ms),
     .most = DURATION_MOST_MS},
    {.name = "leader-elect-renew-deadline",
     .value = "D",
     .environment = "VAPCHECK_LEADER_ELECT_RENEW_DEADLINE",
     .fallback = "10s",
     .allowed = "more than 1.2 retry periods",
     .help = "how long the holder works without a renewal; then it exits",
     .parse = optiontable_duration,
     .offset = FIELD(controller.election.renew_ms),
     .most = DURATION_MOST_MS},
    {.name = "leader-elect-retry-period",
     .value = "D",
     .environment = "VAPCHECK_LEADER_ELECT_RETRY_PERIOD",
     .fallback = "2s",
     .allowed = "more than 0",
     .help = "between two tries",
     .parse = optiontable_duration,
     .offset = FIELD(controller.election.retry_ms),
     .most = DURATION_MOST_MS},
    {.name = "leader-elect-resource-name",
     .value = "NAME",
     .environment = "VAPCHECK_LEADER_ELECT_RESOURCE_NAME",
     .fallback = "vapcheck-controller",
     .help = "the Lease",
     .parse = optiontable_name,
     .offset = FIELD(controller.election.name)},
    {.name = "leader-elect-resource-namespace",
     .value = "NS",
     .environment = "VAPCHECK_LEADER_ELECT_RESOURCE_NAMESPACE",
     .shown = "the pod's, or the context's",
     .help = "the Lease's namespace",
     .parse = optiontable_name,
     .offset = FIELD(controller.election.namespace)},
    {.name = "metrics-bind-address",
     .value = "ADDRESS",
     .environment = "VAPCHECK_METRICS_BIND_ADDRESS",
     .fallback = ENDPOINTS_ADDRESS_DEFAULT,
     .allowed = "[IP]:PORT, or 0: nowhere",
     .help = "where /metrics is served, plain HTTP",
     .parse = parse_address,
     .offset = FIELD(controller.metrics_address)},
    {.name = "health-probe-bind-address",
     .value = "ADDRESS",
     .environment = "VAPCHECK_HEALTH_PROBE_BIND_ADDRESS",
     .shown = "where the metrics are",
     .allowed = "[IP]:PORT, or 0: nowhere",
     .help = "where /healthz, /livez and /readyz are served, plain HTTP",
     .parse = parse_address,
     .offset = FIELD(controller.health_address)},
    {.name = "logging-format",
     .value = "FORMAT",
     .environment = "VAPCHECK_LOGGING_FORMAT",
     .fallback = "text",
     .allowed = "text, json",
     .help = "of the log, on stderr",
     .parse = parse_logging_format},
    {.name = "v",
     .value = "LEVEL",
     .environment = "VAPCHECK_LOG_LEVEL",
     .fallback = "info",
     .allowed = "error, warn, info, debug",
     .help = "what is logged: this level and those before it",
     .parse = parse_level},
    {.name = "version",
     .help = "print the version and exit",
     .parse = parse_printed,
     .offset = FIELD(is_version)},
    {.name = "help", .help = "print this and exit", .parse = parse_printed, .offset = FIELD(is_help)},
    {.name = "h", .parse = parse_printed, .offset = FIELD(is_help)},
    {.name = "help-markdown", .parse = parse_printed, .offset = FIELD(is_help_markdown)},
};

static const struct optiontable table = {rows, sizeof rows / sizeof rows[0]};

void options_print_help(FILE *out)
{
    print_raw(
        out,
        "vapcheck-controller type-checks the CEL expressions of ValidatingAdmissionPolicies against the\n"
        "cluster's own OpenAPI schemas, and writes what it finds to their status.\n"
        "\n"
        "Usage: vapcheck-controller [flags]\n"
        "\n");
    optiontable_print_help(&table, out);
    print_raw(out,
              "\n"
              "Exit status: 0 after SIGTERM or SIGINT; 1 where it cannot start, lost the Lease, or a second\n"
              "signal ended it; 2 for a wrong flag or variable.\n");
}

void options_print_markdown(FILE *out)
{
    optiontable_print_markdown(&table, out);
}

/* As client-go does, where there may be an election. */
static int check(const struct options *o, struct err *err)
{
    const struct election_options *e = &o->controller.election;
    const struct leader_options times = {
        .lease_ms = e->lease_ms, .renew_ms = e->renew_ms, .retry_ms = e->retry_ms};
    return o->election == OPTIONS_ELECTION_OFF ? 0 : leader_check_options(&times, err);
}

int options_parse(struct options *out, int argc, char **argv, struct err *err)
{
    *out = (struct options){.controller = {.program = "vapcheck-controller"}};
    if (optiontable_parse(&table, out, argc, argv, err) != 0 || check(out, err) != 0) {
        options_deinit(out);
        return -1;
    }
    return 0;
}

void options_complete(struct options *options, const struct config *config)
{
    struct controller_options *c = &options->controller;
    bool is_wanted = options->election == OPTIONS_ELECTION_ON ||
                     (options->election == OPTIONS_ELECTION_IN_CLUSTER && config->is_in_cluster);
    /* --release-status is one run, beside which no controller should be working */
    c->is_elected = is_wanted && !c->is_release;
    if (c->election.namespace == NULL)
        c->election.namespace = config->namespace;
}

void options_deinit(struct options *options)
{
    labelselector_free(options->selector);
    options->selector = NULL;
}
