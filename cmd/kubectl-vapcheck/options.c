#include "cmd/kubectl-vapcheck/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/manual.h"

_Static_assert(OPTIONS_FAIL_ON_NEVER == 2 && OPTIONS_FORM_YAML == 3 && TYPES_FULL == 0 && TYPES_UPSTREAM == 1,
               "flags_choice sets an enum to the index of its word");

static int parse_filename(void *options, const struct flags_row *row, const char *source, const char *text,
                          struct err *err)
{
    struct options *o = options;
    (void)row, (void)source, (void)err;
    o->files[o->n_files++] = text;
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
static int parse_kube_version(void *options, const struct flags_row *row, const char *source,
                              const char *text, struct err *err)
{
    cleanup_buf struct buf versions;
    (void)row;
    buf_init(&versions, ERR_MSG_BYTES);
    for (size_t i = 0; i < bundles_count; i++) {
        if (is_version(*text == 'v' ? text + 1 : text, bundles[i].kube_version)) {
            ((struct options *)options)->bundle = &bundles[i];
            return 0;
        }
        buf_printf(&versions, " %s", bundles[i].kube_version);
    }
    return err_set(err, ERR_INVALID, "%s: the program has no schemas of \"%s\"; it has those of:%s", source,
                   text, versions.data);
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
     .commands = OPTIONS_CHECK,
     .allowed = OPTIONS_FILES,
     .help = "a YAML or JSON file; or a directory, whose files that end in .yaml, .yml or .json are read; or "
             "-, which is standard input",
     .parse = parse_filename},
    {.letter = 'R',
     .name = "recursive",
     .commands = OPTIONS_CHECK,
     .help = "also read the directories below a directory",
     .parse = flags_true,
     .offset = FIELD(is_recursive)},
    {.name = "kube-version",
     .value = "1.N",
     .commands = OPTIONS_CHECK,
     .help = "check as this version of Kubernetes does, against its schemas, which are in the program "
             "(default: the newest)",
     .parse = parse_kube_version},
    {.name = "schemas",
     .value = "PATH",
     .commands = OPTIONS_CHECK,
     .allowed = OPTIONS_DIRECTORIES,
     .help = "check against the schemas that \"kubectl vapcheck dump\" wrote to this directory, or against a "
             "bundle of schemas",
     .parse = flags_text,
     .offset = FIELD(schemas)},
    {.name = "cluster",
     .commands = OPTIONS_CHECK,
     .help = "check against the schemas of a live cluster",
     .parse = flags_true,
     .offset = FIELD(is_live)},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_STATUS,
     .allowed = "table, wide, json, yaml",
     .help = "table (default), wide (with messages), json or yaml (with warnings and conditions)",
     .parse = flags_choice,
     .offset = FIELD(form)},
    {.letter = 'w',
     .name = "watch",
     .commands = OPTIONS_STATUS,
     .help = "keep running, and print each row that changes, every two seconds",
     .parse = flags_true,
     .offset = FIELD(is_watch)},
    {.name = "kubeconfig",
     .value = "FILE",
     .commands = OPTIONS_CHECK | OPTIONS_STATUS | OPTIONS_DUMP,
     .allowed = OPTIONS_FILES,
     .help = "kubeconfig file of the cluster (default: $KUBECONFIG, then ~/.kube/config, then the service "
             "account of the pod)",
     .parse = flags_text,
     .offset = FIELD(cluster.kubeconfig)},
    {.name = "context",
     .value = "NAME",
     .commands = OPTIONS_CHECK | OPTIONS_STATUS | OPTIONS_DUMP,
     .help = "context in the kubeconfig",
     .parse = flags_text,
     .offset = FIELD(cluster.context)},
    {.letter = 'o',
     .name = "output",
     .value = "FORMAT",
     .commands = OPTIONS_CHECK,
     .allowed = "text, json, sarif, junit, github",
     .help =
         "text (default), json, sarif (2.1.0, for code scanning), junit (for CI), github (workflow commands)",
     .parse = parse_format},
    {.name = "warnings-scope",
     .value = "SCOPE",
     .commands = OPTIONS_CHECK,
     .allowed = "full, upstream",
     .help = "full (default): warn where evaluation is certain to fail; upstream: give exactly the warnings "
             "of kube-controller-manager",
     .parse = flags_choice,
     .offset = FIELD(types.scope)},
    {.name = "max-types-per-policy",
     .value = "N",
     .commands = OPTIONS_CHECK,
     .help = "the largest number of types that one policy is checked against, in scope full (default 1000)",
     .parse = parse_max_types},
    {.name = "fail-on",
     .value = "WHAT",
     .commands = OPTIONS_CHECK,
     .allowed = "warning, unchecked, never",
     .help = "when the exit status is 1: warning (default), unchecked (also if a policy could not be checked "
             "completely) or never",
     .parse = flags_choice,
     .offset = FIELD(fail_on)},
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

/* What the flags of check say together; NULL: all is well. */
static const char *find_problem(const struct options *o)
{
    if (o->n_files == 0)
        return "a file is required: -f FILE";
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

/* What is no flag is a file, as pre-commit and xargs give them. */
static int finish_check(struct options *o, struct err *err)
{
    for (size_t i = 0; i < o->n_names; i++)
        o->files[o->n_files++] = o->names[i];
    const char *problem = find_problem(o);
    if (o->bundle == NULL)
        o->bundle = &bundles[bundles_count - 1];
    return problem == NULL ? 0 : err_set(err, ERR_INVALID, "%s", problem);
}

int options_read(const char *command, int argc, char **argv, struct options *out)
{
    const struct manual_command *manual = manual_find(command);
    struct flags_table table = options_table;
    struct err err = {0};
    *out = (struct options){.make_output = output_text, .types = {TYPES_FULL, TYPES_MAX_DEFAULT}};
    config_source_from_env(&out->cluster);
    out->files = mem_array((size_t)argc + 1, sizeof *out->files);
    table.command = manual_bit(manual);
    int answer = flags_read(&table, out, argc, argv, &err);
    out->names = argv + optind;
    out->n_names = (size_t)(argc - optind);
    if (answer == 0 && table.command == OPTIONS_CHECK)
        answer = finish_check(out, &err);
    if (answer < 0)
        print_line(stderr, "%s: %s", argv[0], err.msg);
    if (out->is_help)
        manual_print_help(manual, stdout);
    return answer;
}

void options_deinit(struct options *o)
{
    mem_free(o->files);
}
