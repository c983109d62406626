#include "cmd/kubectl-vapcheck/check_cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/buf.h"
#include "client/jsonval.h"
#include "client/mem.h"
#include "cmd/kubectl-vapcheck/output.h"
#include "cmd/kubectl-vapcheck/schemas.h"

enum fail_on { FAIL_ON_WARNING, FAIL_ON_UNCHECKED, FAIL_ON_NEVER };

struct options {
    const char **files;
    size_t n_files;
    const char *schemas;
    const char *format;
    enum fail_on fail_on;
    struct types_options types;
};

/* One run of the command. */
struct run {
    const struct options *options;
    struct schemas *schemas;
    struct output output;
    bool has_warnings, has_unchecked, has_errors;
};

static void usage(FILE *out)
{
    fputs("Type-checks the policies in files, with no cluster.\n\n"
          "Usage: kubectl vapcheck check -f FILE [-f FILE]... --schemas PATH [FLAGS]\n\nFlags:\n"
          "  -f, --filename FILE     YAML or JSON with policies; - is standard input\n"
          "      --schemas PATH      a cluster's discovery and OpenAPI v3: the directory of a dump, or a "
          "bundle\n"
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
        o->fail_on = FAIL_ON_WARNING;
    else if (strcmp(value, "unchecked") == 0)
        o->fail_on = FAIL_ON_UNCHECKED;
    else if (strcmp(value, "never") == 0)
        o->fail_on = FAIL_ON_NEVER;
    else
        return complain("--fail-on", value);
    return 0;
}

static int read_format(const char *value, struct options *o)
{
    o->format = value;
    return strcmp(value, "text") == 0 || strcmp(value, "json") == 0 ? 0 : complain("--output", value);
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

enum { OPTION_SCHEMAS = 256, OPTION_SCOPE, OPTION_FAIL_ON, OPTION_MAX_TYPES };

/* 0 to go on, 1 when --help was served, -1 for bad flags. */
static int read_option(int option, struct options *o)
{
    switch (option) {
    case 'f':
        o->files[o->n_files++] = optarg;
        return 0;
    case 'o':
        return read_format(optarg, o);
    case 'h':
        usage(stdout);
        return 1;
    case OPTION_SCHEMAS:
        o->schemas = optarg;
        return 0;
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

static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option flags[] = {
        {"filename", required_argument, NULL, 'f'},
        {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},
        {"schemas", required_argument, NULL, OPTION_SCHEMAS},
        {"warnings-scope", required_argument, NULL, OPTION_SCOPE},
        {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
        {"max-types-per-policy", required_argument, NULL, OPTION_MAX_TYPES},
        {NULL, 0, NULL, 0},
    };
    int option, answer = 0;
    while (answer == 0 && (option = getopt_long(argc, argv, "f:o:h", flags, NULL)) != -1)
        answer = read_option(option, o);
    if (answer != 0)
        return answer;
    if (optind < argc) {
        fprintf(stderr, "kubectl-vapcheck check: unexpected argument \"%s\" (files are given with -f)\n",
                argv[optind]);
        return -1;
    }
    if (o->n_files == 0 || o->schemas == NULL) {
        fprintf(stderr, "kubectl-vapcheck check: %s is required\n", o->n_files == 0 ? "-f" : "--schemas");
        return -1;
    }
    return 0;
}

static void report_error(struct run *r, const char *file, const struct yaml_place *where, const char *message)
{
    r->has_errors = true;
    if (where->line != 0)
        fprintf(stderr, "%s:%zu:%zu: %s\n", file, where->line, where->column, message);
    else
        fprintf(stderr, "%s: %s\n", file, message);
    r->output.error(r->output.user, file, where, message);
}

/* A whole file, or standard input for "-". */
static int read_file(const char *path, struct buf *b, struct err *err)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char chunk[64 * 1024];
    size_t n;
    if (in == NULL)
        return err_set(err, ERR_NOT_FOUND, "%s", strerror(errno));
    while ((n = fread(chunk, 1, sizeof chunk, in)) > 0)
        buf_append(b, chunk, n);
    int failed = ferror(in) ? errno : 0;
    if (in != stdin)
        fclose(in);
    if (failed != 0)
        return err_set(err, ERR_INVALID, "%s", strerror(failed));
    if (b->is_full)
        return err_set(err, ERR_LIMIT, "the file has more than %d bytes", YAML_TEXT_CAP_BYTES);
    return 0;
}

static void report_policy(struct run *r, const struct output_place *place, const struct policy *policy,
                          const struct check_result *result)
{
    struct conditions conditions;
    struct conditions_input input = {.policy = policy, .result = result};
    if (schemas_minor(r->schemas) > ENV_NEWEST_LEVEL) {
        input.newer_minor = schemas_minor(r->schemas);
        input.table_minor = ENV_NEWEST_LEVEL;
    }
    conditions_init(&conditions, &input);
    r->output.policy(r->output.user, place, &(struct output_finding){policy, result, &conditions});
    conditions_deinit(&conditions);
}

static void check_policy(struct run *r, const struct output_place *place)
{
    struct policy *policy;
    struct err err = {0};
    if (policy_new(place->root->json, &policy, &err) != 0) {
        report_error(r, place->file, &place->root->start, err.msg);
        return;
    }
    struct check *check = check_new(policy, schemas_discovery(r->schemas), &r->options->types);
    const struct check_result *result = check_run(check, schemas_env(r->schemas), schemas_lookup, r->schemas);
    r->has_warnings = r->has_warnings || result->n_warnings > 0;
    r->has_unchecked = r->has_unchecked || result->n_problems > 0;
    report_policy(r, place, policy, result);
    check_free(check);
    policy_free(policy);
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t text_len = strlen(text), suffix_len = strlen(suffix);
    return text_len >= suffix_len && strcmp(text + text_len - suffix_len, suffix) == 0;
}

/* A policy, a list of objects, or an object that has no admission CEL. */
static void check_object(struct run *r, const struct output_place *place)
{
    const char *kind = jsonval_string_or_empty(place->root->json, "kind");
    const char *group = jsonval_string_or_empty(place->root->json, "apiVersion");
    const struct yaml_node *items = yaml_member(place->root, "items");
    if (has_suffix(kind, "List") && items != NULL) {
        for (size_t i = 0; i < items->n_children; i++)
            check_object(r, &(struct output_place){place->file, place->document, items->children[i]});
    } else if (strcmp(kind, "ValidatingAdmissionPolicy") == 0 &&
               strncmp(group, "admissionregistration.k8s.io/", strlen("admissionregistration.k8s.io/")) ==
                   0) {
        check_policy(r, place);
    } else {
        r->output.skipped(r->output.user, place, kind);
    }
}

static void check_file(struct run *r, const char *file)
{
    struct yaml *yaml;
    struct yaml_place where = {0, 0};
    struct err err = {0};
    cleanup_buf struct buf text;
    buf_init(&text, YAML_TEXT_CAP_BYTES);
    if (read_file(file, &text, &err) != 0 || yaml_parse(text.data, text.len, &yaml, &where, &err) != 0) {
        report_error(r, file, &where, err.msg);
        return;
    }
    for (size_t i = 0; i < yaml_count(yaml); i++)
        check_object(r, &(struct output_place){file, i, yaml_root(yaml, i)});
    yaml_close(yaml);
}

static int exit_status(const struct run *r)
{
    if (r->has_errors)
        return 2;
    switch (r->options->fail_on) {
    case FAIL_ON_WARNING:
        return r->has_warnings;
    case FAIL_ON_UNCHECKED:
        return r->has_warnings || r->has_unchecked;
    case FAIL_ON_NEVER:
        break;
    }
    return 0;
}

static int run(const struct options *o)
{
    struct run r = {.options = o};
    struct err err = {0};
    if (schemas_open(o->schemas, &r.schemas, &err) != 0) {
        fprintf(stderr, "kubectl-vapcheck check: %s\n", err.msg);
        return 2;
    }
    r.output = strcmp(o->format, "json") == 0 ? output_json() : output_text();
    for (size_t i = 0; i < o->n_files; i++)
        check_file(&r, o->files[i]);
    r.output.end(r.output.user);
    schemas_free(r.schemas);
    return exit_status(&r);
}

int check_cmd(int argc, char **argv)
{
    struct options o = {.format = "text", .types = {TYPES_FULL, TYPES_MAX_DEFAULT}};
    o.files = mem_array((size_t)argc + 1, sizeof *o.files);
    int answer = read_options(argc, argv, &o);
    int status = answer < 0 ? 2 : answer > 0 ? 0 : run(&o);
    mem_free(o.files);
    return status;
}
