#include "cmd/kubectl-vapcheck/check_cmd.h"

#include <stdio.h>
#include <string.h>

#include "client/jsonval.h"
#include "client/mem.h"
#include "cmd/kubectl-vapcheck/inputs.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output.h"
#include "cmd/kubectl-vapcheck/plain.h"
#include "cmd/kubectl-vapcheck/schemas.h"

/* One run of the command. */
struct run {
    const struct options *options;
    struct schemas *schemas;
    struct inputs inputs;
    struct output output;
    bool has_warnings, has_unchecked, has_errors;
};

static void report_error(struct run *r, const char *file, const struct yaml_place *where, const char *message)
{
    cleanup_mem char *name = plain_line(file), *text = plain_line(message);
    r->has_errors = true;
    if (where->line != 0)
        fprintf(stderr, "%s:%zu:%zu: %s\n", name, where->line, where->column, text);
    else
        fprintf(stderr, "%s: %s\n", name, text);
    r->output.error(r->output.user, file, where, message);
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

static void check_file(struct run *r, const struct input *input)
{
    struct yaml *yaml;
    struct yaml_place where = {0, 0};
    struct err err = {0};
    if (input->problem != NULL || yaml_parse(input->text, input->len, &yaml, &where, &err) != 0) {
        report_error(r, input->name, &where, input->problem != NULL ? input->problem : err.msg);
        return;
    }
    for (size_t i = 0; i < yaml_count(yaml); i++)
        check_object(r, &(struct output_place){input->name, i, yaml_root(yaml, i)});
    yaml_close(yaml);
}

static int exit_status(const struct run *r)
{
    if (r->has_errors)
        return 2;
    switch (r->options->fail_on) {
    case OPTIONS_FAIL_ON_WARNING:
        return r->has_warnings;
    case OPTIONS_FAIL_ON_UNCHECKED:
        return r->has_warnings || r->has_unchecked;
    case OPTIONS_FAIL_ON_NEVER:
        break;
    }
    return 0;
}

static int open_schemas(struct run *r, struct err *err)
{
    const struct options *o = r->options;
    if (o->schemas != NULL)
        return schemas_open(o->schemas, &r->schemas, err);
    return schemas_open_bytes(o->bundle->bytes, o->bundle->len, &r->schemas, err);
}

static int run(const struct options *o)
{
    struct run r = {.options = o};
    struct err err = {0};
    if (open_schemas(&r, &err) != 0) {
        fprintf(stderr, "kubectl-vapcheck check: %s\n", err.msg);
        return 2;
    }
    for (size_t i = 0; i < o->n_files; i++)
        inputs_add(&r.inputs, o->files[i], o->is_recursive);
    r.output = o->make_output();
    for (size_t i = 0; i < r.inputs.count; i++)
        check_file(&r, &r.inputs.items[i]);
    r.output.end(r.output.user);
    inputs_deinit(&r.inputs);
    schemas_free(r.schemas);
    return exit_status(&r);
}

int check_cmd(int argc, char **argv)
{
    struct options o;
    int answer = options_read(argc, argv, &o);
    int status = answer < 0 ? 2 : answer > 0 ? 0 : run(&o);
    options_deinit(&o);
    return status;
}
