#include "cmd/vapcheck-controller/options.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/flags/flags.h"
#include "cmd/flags/flags_man.h"
#include "controller/findings/kubeversion.h"
#include "controller/observe/endpoints.h"
#include "controller/observe/serve.h"
#include "controller/reconcile/reconcile.h"

/* Numbers of the headers as the table's texts have them. */
#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)

#define MAX_TYPES_MOST   100000
#define WRITES_MOST      1000
#define DURATION_MOST_MS 3600000L

_Static_assert(LOG_LEVEL_ERROR == 0 && LOG_LEVEL_WARN == 1 && LOG_LEVEL_INFO == 2 && LOG_LEVEL_DEBUG == 3 &&
                   LOG_FORMAT_TEXT == 0 && LOG_FORMAT_JSON == 1 && TYPES_FULL == 0 && TYPES_UPSTREAM == 1 &&
                   OPTIONS_ELECTION_ON == 0 && OPTIONS_ELECTION_OFF == 1,
               "flags_choice sets an enum to the index of its word");
_Static_assert(LEADER_LEASE_MS == 15000 && LEADER_RENEW_MS == 10000 && LEADER_RETRY_MS == 2000,
               "the table says so, too");

/* Sets *is_wanted to true if the text is the word with this index. Fails if it is none of the row's words. */
static int parse_word(const struct flags_row *row, const char *text, int wanted, bool *is_wanted)
{
    const int word = flags_word(row, text);
    *is_wanted = word == wanted;
    return word < 0 ? -1 : 0;
}

static int parse_own_status(void *options, const struct flags_row *row, const char *source, const char *text,
                            struct err *err)
{
    struct options *o = options;
    (void)source, (void)err;
    return parse_word(row, text, 1, &o->controller.is_conditions_only);
}

static int parse_selector(void *options, const struct flags_row *row, const char *source, const char *text,
                          struct err *err)
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

static int parse_find_params(void *options, const struct flags_row *row, const char *source, const char *text,
                             struct err *err)
{
    struct options *o = options;
    (void)source, (void)err;
    return parse_word(row, text, 0, &o->controller.has_find_params);
}

/* The kinds that this flag is called for. */
static int parse_watch(void *options, const struct flags_row *row, const char *source, const char *text,
                       struct err *err)
{
    struct options *o = options;
    const int word = flags_word(row, text);
    (void)source, (void)err;
    for (size_t i = 0; i < ADVISEDKIND_COUNT && word >= 0; i++) {
        enum advisedkind_id id = (enum advisedkind_id)i;
        const char *flag = advisedkind_row(id)->flag;
        if (flag == NULL || strcmp(flag + 2, row->name) != 0)
            continue;
        if (word == 0)
            o->controller.kinds |= ADVISEDKIND_BIT(id);
        else
            o->controller.kinds &= ~ADVISEDKIND_BIT(id);
    }
    return word < 0 ? -1 : 0;
}

static int parse_address(void *options, const struct flags_row *row, const char *source, const char *text,
                         struct err *err)
{
    if (serve_check_address(text, err) != 0)
        return err_prefix(err, "%s", source);
    return flags_text(options, row, source, text, err);
}

static int parse_cel_go(void *options, const struct flags_row *row, const char *source, const char *text,
                        struct err *err)
{
    struct options *o = options;
    const int release = kubeversion_cel_go(text);
    (void)row, (void)source, (void)err;
    o->controller.cel_go = release;
    return release < 0 ? -1 : 0;
}

/* "1.37": newer than the oldest server, and known. */
static int parse_also_check(void *options, const struct flags_row *row, const char *source, const char *text,
                            struct err *err)
{
    struct options *o = options;
    char *end = NULL;
    (void)row, (void)source, (void)err;
    const char *minor = strncmp(text, "1.", 2) == 0 ? text + 2 : "";
    const long n = *minor < '0' || *minor > '9' ? 0 : strtol(minor, &end, 10);
    if (n < ENV_OLDEST_LEVEL + 2 || n > ENV_NEWEST_LEVEL || *end != '\0')
        return -1;
    o->controller.also_check = (int)n;
    return 0;
}

#define FIELD(name) offsetof(struct options, name)

static const struct flags_row rows[] = {
    {.name = "kubeconfig",
     .value = "FILE",
     .environment = "VAPCHECK_KUBECONFIG",
     .shown = "$KUBECONFIG, then ~/.kube/config, then the service account of the pod",
     .help = "kubeconfig file of the cluster",
     .parse = flags_text,
     .offset = FIELD(kubeconfig)},
    {.name = "context",
     .value = "NAME",
     .environment = "VAPCHECK_CONTEXT",
     .shown = "the current context",
     .help = "context in the kubeconfig",
     .parse = flags_text,
     .offset = FIELD(context)},
    {.name = "warnings-scope",
     .value = "SCOPE",
     .environment = "VAPCHECK_WARNINGS_SCOPE",
     .fallback = "full",
     .allowed = "full, upstream",
     .help = "full: warn where evaluation is certain to fail; upstream: give exactly the warnings of "
             "kube-controller-manager",
     .parse = flags_choice,
     .offset = FIELD(controller.types.scope)},
    {.name = "cel-go-version",
     .value = "0.N",
     .environment = "VAPCHECK_CEL_GO_VERSION",
     .shown = "the release of the server's version of Kubernetes",
     .allowed = KUBEVERSION_CEL_GO_ALLOWED,
     .help = "the release of cel-go in the API server, if the server's vendor replaced it",
     .parse = parse_cel_go},
    {.name = "also-check",
     .value = "1.N",
     .environment = "VAPCHECK_ALSO_CHECK",
     .shown = "none",
     .allowed = "1.31 to 1." AS_TEXT(ENV_NEWEST_LEVEL),
     .help =
         "a newer version of Kubernetes: the condition ValidOnNextVersion says whether that version would "
         "accept the policy, and evaluate it without new errors; needs --warnings-scope=full",
     .parse = parse_also_check},
    {.name = "max-types-per-policy",
     .value = "N",
     .environment = "VAPCHECK_MAX_TYPES_PER_POLICY",
     .fallback = AS_TEXT(TYPES_MAX_DEFAULT),
     .allowed = "1 to " AS_TEXT(MAX_TYPES_MOST),
     .help = "the largest number of types that one policy is checked against",
     .parse = flags_count,
     .offset = FIELD(controller.types.max_types),
     .most = MAX_TYPES_MOST},
    {.name = "concurrent-writes",
     .value = "N",
     .environment = "VAPCHECK_CONCURRENT_WRITES",
     .fallback = AS_TEXT(RECONCILE_WRITES_DEFAULT),
     .allowed = "1 to " AS_TEXT(WRITES_MOST),
     .help = "the largest number of status writes at the same time",
     .parse = flags_count,
     .offset = FIELD(controller.max_writes),
     .most = WRITES_MOST},
    {.name = "own-status",
     .value = "WHAT",
     .environment = "VAPCHECK_OWN_STATUS",
     .fallback = "all",
     .allowed = "all, conditions",
     .help = "all: write conditions and expressionWarnings; conditions: write only conditions",
     .parse = parse_own_status},
    {.name = "policy-selector",
     .value = "LABELS",
     .environment = "VAPCHECK_POLICY_SELECTOR",
     .shown = "every policy",
     .allowed = "a label selector, as for kubectl -l",
     .help = "check only policies with these labels; a policy with the annotation vapcheck/skip: \"true\" is "
             "never checked",
     .parse = parse_selector},
    {.name = "watch-webhooks",
     .value = "[BOOL]",
     .environment = "VAPCHECK_WATCH_WEBHOOKS",
     .fallback = "false",
     .allowed = "true, false",
     .help = "also check the matchConditions of webhook configurations; Events, metrics and the log report "
             "the results",
     .parse = parse_watch},
    {.name = "watch-mutating-policies",
     .value = "[BOOL]",
     .environment = "VAPCHECK_WATCH_MUTATING_POLICIES",
     .fallback = "false",
     .allowed = "true, false",
     .help = "also check MutatingAdmissionPolicies; Events, metrics and the log report the results",
     .parse = parse_watch},
    {.name = "watch-crds",
     .value = "[BOOL]",
     .environment = "VAPCHECK_WATCH_CRDS",
     .fallback = "false",
     .allowed = "true, false",
     .help = "also check the x-kubernetes-validations of CustomResourceDefinitions; Events, metrics and the "
             "log report the results",
     .parse = parse_watch},
    {.name = "find-params",
     .value = "[BOOL]",
     .environment = "VAPCHECK_FIND_PARAMS",
     .fallback = "false",
     .allowed = "true, false",
     .help = "report bindings whose parameter objects do not exist; this needs the rights to get and list "
             "the kinds of the parameters",
     .parse = parse_find_params},
    {.name = "release-status",
     .help = "remove the controller's conditions and warnings from every policy's status, then exit",
     .parse = flags_true,
     .offset = FIELD(controller.is_release)},
    {.name = "leader-elect",
     .value = "[BOOL]",
     .environment = "VAPCHECK_LEADER_ELECT",
     .shown = "true in a pod, false with a kubeconfig",
     .allowed = "true, false",
     .help = "with several replicas, only the holder of the Lease works; the others are on standby",
     .parse = flags_choice,
     .offset = FIELD(election)},
    {.name = "leader-elect-lease-duration",
     .value = "D",
     .environment = "VAPCHECK_LEADER_ELECT_LEASE_DURATION",
     .fallback = "15s",
     .allowed = "up to 1h, more than the renew deadline",
     .help = "how long a standby waits after the last renewal before it takes the Lease",
     .parse = flags_duration,
     .offset = FIELD(controller.election.lease_ms),
     .most = DURATION_MOST_MS},
    {.name = "leader-elect-renew-deadline",
     .value = "D",
     .environment = "VAPCHECK_LEADER_ELECT_RENEW_DEADLINE",
     .fallback = "10s",
     .allowed = "more than 1.2 retry periods",
     .help = "how long the holder of the Lease continues without a renewal before it exits",
     .parse = flags_duration,
     .offset = FIELD(controller.election.renew_ms),
     .most = DURATION_MOST_MS},
    {.name = "leader-elect-retry-period",
     .value = "D",
     .environment = "VAPCHECK_LEADER_ELECT_RETRY_PERIOD",
     .fallback = "2s",
     .allowed = "more than 0",
     .help = "time between two tries to get or renew the Lease",
     .parse = flags_duration,
     .offset = FIELD(controller.election.retry_ms),
     .most = DURATION_MOST_MS},
    {.name = "leader-elect-resource-name",
     .value = "NAME",
     .environment = "VAPCHECK_LEADER_ELECT_RESOURCE_NAME",
     .fallback = "vapcheck-controller",
     .help = "name of the Lease",
     .parse = flags_name,
     .offset = FIELD(controller.election.name)},
    {.name = "leader-elect-resource-namespace",
     .value = "NS",
     .environment = "VAPCHECK_LEADER_ELECT_RESOURCE_NAMESPACE",
     .shown = "the namespace of the pod, or of the context",
     .help = "namespace of the Lease",
     .parse = flags_name,
     .offset = FIELD(controller.election.namespace)},
    {.name = "metrics-bind-address",
     .value = "ADDRESS",
     .environment = "VAPCHECK_METRICS_BIND_ADDRESS",
     .shown = ENDPOINTS_ADDRESS_IN_POD " in a pod, " ENDPOINTS_ADDRESS_OUTSIDE " elsewhere",
     .allowed = "[IP]:PORT, or 0 to serve nothing",
     .help = "address for /metrics, plain HTTP",
     .parse = parse_address,
     .offset = FIELD(controller.metrics_address)},
    {.name = "health-probe-bind-address",
     .value = "ADDRESS",
     .environment = "VAPCHECK_HEALTH_PROBE_BIND_ADDRESS",
     .shown = "the address of the metrics",
     .allowed = "[IP]:PORT, or 0 to serve nothing",
     .help = "address for /healthz, /livez and /readyz, plain HTTP",
     .parse = parse_address,
     .offset = FIELD(controller.health_address)},
    {.name = "logging-format",
     .value = "FORMAT",
     .environment = "VAPCHECK_LOGGING_FORMAT",
     .fallback = "text",
     .allowed = "text, json",
     .help = "format of the log on stderr",
     .parse = flags_choice,
     .offset = FIELD(log_format)},
    {.letter = 'v',
     .value = "LEVEL",
     .environment = "VAPCHECK_LOG_LEVEL",
     .fallback = "info",
     .allowed = "error, warn, info, debug",
     .help = "log messages of this level and of the more important ones",
     .parse = flags_choice,
     .offset = FIELD(log_level)},
    {.name = "version",
     .help = "print the version and exit",
     .parse = flags_true,
     .offset = FIELD(is_version)},
    {.letter = 'h',
     .name = "help",
     .help = "print this help and exit",
     .parse = flags_true,
     .offset = FIELD(is_help)},
    {.name = "help-man",
     .help = "print the man page and exit: vapcheck-controller --help-man | man -l -",
     .parse = flags_true,
     .offset = FIELD(is_help_man)},
    {.name = "help-markdown", .parse = flags_true, .offset = FIELD(is_help_markdown)},
};

/* ---- mistakes ---- */

static void on_fault(const struct flags_table *flags, enum flags_fault fault, const char *argument,
                     struct err *err)
{
    cleanup_mem char *near = flags_near_flag(flags, argument);
    if (fault == FLAGS_LACKS_VALUE)
        (void)err_set(err, ERR_INVALID, "%.64s needs a value", argument);
    else
        (void)err_set(err, ERR_INVALID, "unknown flag %.64s%s", argument, near);
}

static void on_refused(const struct flags_row *row, const char *source, const char *text, struct err *err)
{
    cleanup_mem char *near = flags_near_word(row, text);
    (void)err_set(err, ERR_INVALID, "%s: '%.64s' is none of %s%s", source, text, row->allowed, near);
}

static const struct flags_table table = {
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .on_fault = on_fault,
    .on_refused = on_refused,
};

/* ---- help ---- */

/* "  --kubeconfig FILE"; "  --watch-crds[=BOOL]" */
static int print_flag(const struct flags_row *row, FILE *out)
{
    const bool is_optional = row->value != NULL && row->value[0] == '[';
    const int len =
        row->name == NULL ? print_raw(out, "  -%c", row->letter) : print_raw(out, "  --%s", row->name);
    if (row->value == NULL)
        return len;
    return len + (is_optional ? print_raw(out, "[=%s", row->value + 1) : print_raw(out, " %s", row->value));
}

static const char *default_of(const struct flags_row *row)
{
    return row->shown != NULL ? row->shown : row->fallback;
}

/* "the log's format (text, json; default text; $VAPCHECK_LOGGING_FORMAT)" */
static void put_help(const struct flags_row *row, struct buf *text)
{
    const char *separator = " (";
    const struct {
        const char *before, *note;
    } notes[] = {{"", row->allowed}, {"default ", default_of(row)}, {"$", row->environment}};
    buf_puts(text, row->help);
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (notes[i].note == NULL)
            continue;
        buf_printf(text, "%s%s%s", separator, notes[i].before, notes[i].note);
        separator = "; ";
    }
    if (separator[0] == ';')
        buf_putc(text, ')');
}

enum { TEXT_CAP_BYTES = 1024 };

static void print_row(const struct flags_row *row, FILE *out)
{
    enum { COLUMN = 30 };
    cleanup_buf struct buf text;
    const int len = print_flag(row, out);
    buf_init(&text, TEXT_CAP_BYTES);
    put_help(row, &text);
    if (len + 2 > COLUMN)
        print_raw(out, "\n%*s", COLUMN, "");
    else
        print_raw(out, "%*s", COLUMN - len, "");
    flags_print_wrapped(out, COLUMN, COLUMN, text.data);
}

static const char summary[] =
    "vapcheck-controller type-checks the CEL expressions of ValidatingAdmissionPolicies against the "
    "cluster's own OpenAPI schemas, and writes what it finds to their status.";
static const char exit_statuses[] = "0 after SIGTERM or SIGINT. 1 if it cannot start, if it lost the Lease, "
                                    "or after a second signal. 2 for a "
                                    "wrong flag or environment variable.";

void options_print_help(FILE *out)
{
    flags_print_wrapped(out, 0, 0, summary);
    print_raw(out, "\nUsage: vapcheck-controller [flags]\n\n");
    for (size_t i = 0; i < table.count; i++) {
        if (rows[i].help != NULL)
            print_row(&rows[i], out);
    }
    print_raw(out, "\nExit status: ");
    flags_print_wrapped(out, (int)strlen("Exit status: "), 0, exit_statuses);
}

void options_print_man(FILE *out)
{
    print_raw(
        out, ".TH VAPCHECK\\-CONTROLLER 8 \"\" \"vapcheck\\-controller " VAPCHECK_VERSION "\"\n"
             ".SH NAME\nvapcheck\\-controller \\- type\\-check the ValidatingAdmissionPolicies of a cluster\n"
             ".SH SYNOPSIS\n\\fBvapcheck\\-controller\\fR [\\fIFLAGS\\fR]\n.SH DESCRIPTION\n");
    flags_man_text(summary, out);
    print_raw(out, "\n.SH OPTIONS\n");
    for (size_t i = 0; i < table.count; i++) {
        cleanup_buf struct buf text;
        if (rows[i].help == NULL)
            continue;
        buf_init(&text, TEXT_CAP_BYTES);
        put_help(&rows[i], &text);
        flags_man_row(&rows[i], text.data, out);
    }
    print_raw(out, ".SH EXIT STATUS\n");
    flags_man_text(exit_statuses, out);
    print_raw(out, "\n");
}

/* A cell; code stands in backquotes. */
static void print_cell(FILE *out, const char *text, bool is_code)
{
    const char *quote = is_code && text != NULL ? "`" : "";
    print_raw(out, " %s%s%s |", quote, text == NULL ? "" : text, quote);
}

void options_print_markdown(FILE *out)
{
    print_raw(out, "| flag | environment | default | allowed | meaning |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < table.count; i++) {
        const struct flags_row *row = &rows[i];
        if (row->help == NULL)
            continue;
        if (row->name == NULL)
            print_raw(out, "| `-%c` |", row->letter);
        else
            print_raw(out, "| `--%s` |", row->name);
        print_cell(out, row->environment, true);
        print_cell(out, default_of(row), row->shown == NULL);
        print_cell(out, row->allowed, false);
        print_cell(out, row->help, false);
        print_raw(out, "\n");
    }
}

/* ---- the whole ---- */

static int check_rest(int argc, char **argv, struct err *err)
{
    return optind == argc ? 0 : err_set(err, ERR_INVALID, "unexpected argument '%.64s'", argv[optind]);
}

/* Checks the options together; the times of an election, if there may be one, as client-go does. */
static int check(const struct options *o, struct err *err)
{
    const struct election_options *e = &o->controller.election;
    const struct leader_options times = {
        .lease_ms = e->lease_ms, .renew_ms = e->renew_ms, .retry_ms = e->retry_ms};
    if (o->controller.also_check != 0 && o->controller.types.scope != TYPES_FULL)
        return err_set(err, ERR_INVALID, "--also-check needs --warnings-scope=full");
    return o->election == OPTIONS_ELECTION_OFF ? 0 : leader_check_options(&times, err);
}

int options_parse(struct options *out, int argc, char **argv, struct err *err)
{
    *out = (struct options){.controller = {.program = "vapcheck-controller"},
                            .election = OPTIONS_ELECTION_IN_CLUSTER};
    if (flags_read(&table, out, argc, argv, err) == 0 && check_rest(argc, argv, err) == 0 &&
        check(out, err) == 0)
        return 0;
    options_deinit(out);
    return -1;
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
    if (c->metrics_address == NULL)
        c->metrics_address = config->is_in_cluster ? ENDPOINTS_ADDRESS_IN_POD : ENDPOINTS_ADDRESS_OUTSIDE;
}

void options_deinit(struct options *options)
{
    labelselector_free(options->selector);
    options->selector = NULL;
}
