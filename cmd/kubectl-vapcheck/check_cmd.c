#include "cmd/kubectl-vapcheck/check_cmd.h"

#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"
#include "cmd/kubectl-vapcheck/input/manifest.h"
#include "cmd/kubectl-vapcheck/input/policyindex.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/input/servedkinds.h"
#include "cmd/kubectl-vapcheck/input/staticdirs.h"
#include "cmd/kubectl-vapcheck/input/versionhints.h"
#include "cmd/kubectl-vapcheck/input/yamlhints.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/output/progress.h"
#include "controller/admission/binding_params.h"
#include "controller/admission/server_warnings.h"
#include "controller/admission/static_manifest.h"
#include "controller/admission/validation.h"
#include "controller/crd/crdconditions.h"
#include "controller/crd/crds.h"

/* One run of the command. */
struct run {
    const struct options *options;
    struct schemas *schemas;
    struct crds *crds;
    struct policyindex validating, mutating; /* the policies and bindings of either kind */
    struct versionhints hints;
    struct servedkinds kinds;
    struct staticdirs static_manifests;
    struct progress progress;
    struct output output;
    bool has_findings, has_unchecked, has_errors;
};

static void report_error(struct run *r, const char *file, const struct yaml_place *where, const char *message)
{
    r->has_errors = true;
    progress_end(&r->progress);
    if (where->line != 0)
        print_line(stderr, "%s:%zu:%zu: %s", file, where->line, where->column, message);
    else
        print_line(stderr, "%s: %s", file, message);
    r->output.error(r->output.user, file, where, message);
}

static void init_conditions(struct run *r, struct conditions *conditions, const struct policyview *policy,
                            const struct check_result *result)
{
    struct conditions_input input = {.policy = policy, .result = result};
    const struct policyindex *index = policy->kind == POLICYVIEW_MUTATING ? &r->mutating : &r->validating;
    if (policy->kind != POLICYVIEW_WEBHOOKS && policyindex_has_bindings(index))
        input.binding =
            policyindex_is_bound(index, policy->name) ? CONDITIONS_BINDING_FOUND : CONDITIONS_BINDING_NONE;
    if (schemas_minor(r->schemas) > ENV_NEWEST_LEVEL) {
        input.newer_minor = schemas_minor(r->schemas);
        input.table_minor = ENV_NEWEST_LEVEL;
    }
    conditions_init(conditions, &input);
}

/* The warnings, with those marked that upstream would not give: on expressions where it has none.
 * The caller frees them. */
static struct output_warning *list_warnings(struct run *r, const struct policyview *policy,
                                            const struct check_result *result)
{
    static const struct types_options upstream = {.scope = TYPES_UPSTREAM};
    bool is_theirs = policy->kind == POLICYVIEW_VALIDATING; /* upstream checks no other kind */
    bool is_upstream = !is_theirs || r->options->types.scope == TYPES_UPSTREAM || result->n_warnings == 0;
    struct output_warning *list = mem_array(result->n_warnings + 1, sizeof *list);
    struct check *check = is_upstream ? NULL : check_new(policy, schemas_discovery(r->schemas), &upstream);
    const struct check_result *theirs =
        is_upstream ? result : check_run(check, schemas_env(r->schemas), schemas_lookup, r->schemas);
    for (size_t i = 0; i < result->n_warnings; i++) {
        size_t expression = result->warnings[i].expression, j = 0;
        while (j < theirs->n_warnings && theirs->warnings[j].expression != expression)
            j++;
        const struct check_warning *w = &result->warnings[i];
        list[i] =
            (struct output_warning){policy->expressions[expression].field_ref, w->text, w->len, w->hint,
                                    is_theirs && j < theirs->n_warnings ? OUTPUT_UPSTREAM : OUTPUT_VAPCHECK};
    }
    check_free(check);
    return list;
}

static bool is_static(const struct run *r, const struct manifest_object *o)
{
    const struct fielderrors errors = {.minor = schemas_minor(r->schemas)};
    return o->kind != MANIFEST_CRD && o->kind != MANIFEST_MISNAMED && o->kind != MANIFEST_OTHER &&
           static_manifest_is(o->root->json, &errors);
}

/* What the API server says besides when it takes the object: it warns of nothing that it refuses, and of
 * nothing that it reads from a file. */
static void find_server_warnings(const struct run *r, struct json_object *object, struct fielderrors *out)
{
    out->minor = schemas_minor(r->schemas);
    if (!static_manifest_is(object, out))
        server_warnings_find(object, out);
}

static void find_notes(const struct run *r, struct json_object *object, struct fielderrors *out)
{
    out->minor = schemas_minor(r->schemas);
    if (static_manifest_is(object, out))
        fielderrors_add(out, mem_strdup(static_manifest_note), "metadata.name");
    else
        servedkinds_note(&r->kinds, object, out);
}

/* Behind the warnings of the expressions those of the API server. The caller frees the list and the texts. */
static struct output_warning *join_warnings(const struct output_finding *finding,
                                            const struct fielderrors *server, char **texts)
{
    struct output_warning *all = mem_array(finding->n_warnings + server->count + 1, sizeof *all);
    for (size_t i = 0; i < finding->n_warnings; i++)
        all[i] = finding->warnings[i];
    for (size_t i = 0; i < server->count; i++) {
        texts[i] = mem_printf("%s\n", server->items[i].message);
        all[finding->n_warnings + i] = (struct output_warning){.field = server->items[i].field,
                                                               .text = texts[i],
                                                               .len = strlen(texts[i]),
                                                               .hint = "",
                                                               .source = OUTPUT_API_SERVER};
    }
    return all;
}

static void report(struct run *r, const struct output_place *place, const struct output_finding *found)
{
    struct output_finding finding = *found;
    struct output_unchecked unchecked;
    struct fielderrors server = {0}, notes = {0};
    find_notes(r, place->root->json, &notes);
    if (finding.refusals->count == 0)
        find_server_warnings(r, place->root->json, &server);
    char **texts = mem_array(server.count + 1, sizeof *texts);
    struct output_warning *warnings = join_warnings(found, &server, texts);
    finding.warnings = warnings;
    finding.n_warnings += server.count;
    finding.notes = &notes;
    r->has_findings = r->has_findings || finding.n_warnings > 0 || finding.refusals->count > 0 ||
                      output_has_limit(&finding);
    r->has_unchecked = r->has_unchecked || output_unchecked(&finding, 0, &unchecked);
    r->output.finding(r->output.user, place, &finding);
    for (size_t i = 0; i < server.count; i++)
        mem_free(texts[i]);
    mem_free(texts);
    mem_free(warnings);
    fielderrors_deinit(&server);
    fielderrors_deinit(&notes);
}

static void check_types(struct run *r, const struct output_place *place, const struct policyview *policy,
                        struct output_finding *finding)
{
    struct types_options types = r->options->types;
    types.minor = schemas_minor(r->schemas);
    struct check *check = check_new(policy, schemas_discovery(r->schemas), &types);
    const struct check_result *result = check_run(check, schemas_env(r->schemas), schemas_lookup, r->schemas);
    struct output_warning *warnings = list_warnings(r, policy, result);
    struct conditions conditions;
    init_conditions(r, &conditions, policy, result);
    finding->warnings = warnings;
    finding->n_warnings = result->n_warnings;
    finding->result = result;
    finding->conditions = &conditions;
    report(r, place, finding);
    finding->conditions = NULL;
    conditions_deinit(&conditions);
    check_free(check);
    mem_free(warnings);
}

/* A file is read whatever the server serves. */
static bool refuse_unserved(struct run *r, struct json_object *object, struct fielderrors *refusals)
{
    return !static_manifest_is(object, refusals) &&
           servedkinds_refuse(&r->kinds, schemas_discovery(r->schemas), object, refusals);
}

static void check_directory(struct run *r, const struct output_place *place, struct fielderrors *refusals)
{
    if (static_manifest_is(place->root->json, refusals))
        staticdirs_check(&r->static_manifests, place->file, place->root->json, refusals);
}

/* What YAML reads otherwise than it was meant, where nobody else has a hint. */
static void add_slips(const struct output_place *place, const struct fielderrors *refusals,
                      const char **hints)
{
    for (size_t i = 0; i < refusals->count; i++) {
        const struct fielderror *e = &refusals->items[i];
        hints[i] = hints[i] != NULL ? hints[i] : yamlhints_of_value(place, e->field, e->message);
    }
}

/* By refusal. The caller frees them. */
static const char **find_hints(const struct output_place *place, const struct fielderrors *refusals)
{
    const char **hints = fielderrors_hints(refusals);
    add_slips(place, refusals, hints);
    return hints;
}

/* find: of its kind. */
static void check_policy(struct run *r, const struct output_place *place, validation_find *find)
{
    struct policyview *policy;
    struct err err = {0};
    struct fielderrors refusals = {.minor = schemas_minor(r->schemas)};
    if (policyview_new(place->root->json, &policy, &err) != 0) {
        report_error(r, place->file, &place->root->start, err.msg);
        return;
    }
    if (!refuse_unserved(r, policy->json, &refusals))
        find(policy->json, schemas_new_env(r->schemas), &refusals);
    check_directory(r, place, &refusals);
    const char **hints = versionhints_find(&r->hints, find, policy->json, &refusals);
    add_slips(place, &refusals, hints);
    struct output_finding finding = {.name = policy->name, .refusals = &refusals, .hints = hints};
    check_types(r, place, policy, &finding);
    fielderrors_deinit(&refusals);
    mem_free(hints);
    policyview_free(policy);
}

/* Whether the policy that the binding names is among the files; a cluster may have it all the same. */
static struct condition find_policy(const struct policyindex *index, const char *name)
{
    if (policyindex_policy(index, name) != NULL)
        return (struct condition){"PolicyFound", "True", "AmongInputs",
                                  mem_printf("policy %s is among the files", name)};
    const char *nearest = policyindex_nearest(index, name);
    return (struct condition){
        "PolicyFound", "Unknown", "NotAmongInputs",
        nearest == NULL ? mem_printf("policy %s is not among the files", name)
                        : mem_printf("policy %s is not among the files, did you mean %s?", name, nearest)};
}

static void check_with_policy(const struct policyindex *index, const struct discovery *discovery,
                              struct json_object *binding, const char *policy_name,
                              struct fielderrors *warnings)
{
    struct json_object *json = policyindex_policy(index, policy_name);
    struct policyview *policy;
    struct err err = {0};
    if (json == NULL || policyview_new(json, &policy, &err) != 0)
        return;
    binding_params_run(binding, policy, discovery, warnings);
    policyview_free(policy);
}

static void check_binding(struct run *r, const struct output_place *place, const struct policyindex *index,
                          validation_find_binding *find)
{
    struct json_object *json = place->root->json;
    const char *policy_name = jsonval_string_or_empty(jsonval_get(json, "spec"), "policyName");
    struct fielderrors refusals = {.minor = schemas_minor(r->schemas)}, found = {0};
    if (!refuse_unserved(r, json, &refusals))
        find(json, &refusals);
    check_directory(r, place, &refusals);
    check_with_policy(index, schemas_discovery(r->schemas), json, policy_name, &found);
    const char **hints = find_hints(place, &refusals);
    struct output_warning *warnings = mem_array(found.count + 1, sizeof *warnings);
    for (size_t i = 0; i < found.count; i++)
        warnings[i] = (struct output_warning){.field = found.items[i].field,
                                              .text = found.items[i].message,
                                              .len = strlen(found.items[i].message),
                                              .hint = "",
                                              .source = OUTPUT_VAPCHECK};
    struct conditions conditions = {.items = {find_policy(index, policy_name)}, .count = 1};
    struct output_finding finding = {.name = jsonval_string_or_empty(jsonval_get(json, "metadata"), "name"),
                                     .refusals = &refusals,
                                     .hints = hints,
                                     .warnings = warnings,
                                     .n_warnings = found.count,
                                     .conditions = &conditions};
    report(r, place, &finding);
    conditions_deinit(&conditions);
    fielderrors_deinit(&refusals);
    fielderrors_deinit(&found);
    mem_free(hints);
    mem_free(warnings);
}

/* A CustomResourceDefinition is one of ours if it has rules, or if the server warns of it. */
static bool is_definition_of_ours(const struct run *r, struct json_object *json)
{
    struct fielderrors warnings = {0};
    if (crdrules_any(json))
        return true;
    find_server_warnings(r, json, &warnings);
    bool is_ours = warnings.count > 0;
    fielderrors_deinit(&warnings);
    return is_ours;
}

static void check_crd(struct run *r, const struct output_place *place, const struct manifest_object *o)
{
    struct json_object *json = o->root == NULL ? NULL : o->root->json;
    struct crdrules found = {.refusals = {.minor = schemas_minor(r->schemas)}};
    if (json == NULL || !is_definition_of_ours(r, json)) {
        r->output.skipped(r->output.user, place, o->name_of_kind);
        return;
    }
    crdrules_check(json, schemas_new_env(r->schemas), &found);
    struct conditions conditions;
    crdconditions_init(&conditions, &found);
    const char **hints = find_hints(place, &found.refusals);
    struct output_finding finding = {.name = jsonval_string_or_empty(jsonval_get(json, "metadata"), "name"),
                                     .refusals = &found.refusals,
                                     .hints = hints,
                                     .conditions = &conditions};
    report(r, place, &finding);
    conditions_deinit(&conditions);
    crdrules_deinit(&found);
    mem_free(hints);
}

/* The server has no such thing, and the author should know; what it does have is none of ours. */
static void check_misnamed(struct run *r, const struct output_place *place, const struct manifest_object *o)
{
    struct json_object *json = place->root->json;
    struct fielderrors refusals = {0};
    struct conditions conditions = {0};
    if (!servedkinds_refuse(&r->kinds, schemas_discovery(r->schemas), json, &refusals)) {
        r->output.skipped(r->output.user, place, o->name_of_kind);
        return;
    }
    const char **hints = find_hints(place, &refusals);
    struct output_finding finding = {.name = jsonval_string_or_empty(jsonval_get(json, "metadata"), "name"),
                                     .refusals = &refusals,
                                     .hints = hints,
                                     .conditions = &conditions};
    report(r, place, &finding);
    fielderrors_deinit(&refusals);
    mem_free(hints);
}

static void check_object(struct run *r, const struct output_place *place, const struct manifest_object *o)
{
    switch (o->kind) {
    case MANIFEST_POLICY:
        check_policy(r, place, validation_of_policy);
        break;
    case MANIFEST_MUTATING_POLICY:
        check_policy(r, place, validation_of_mutating_policy);
        break;
    case MANIFEST_WEBHOOKS:
        check_policy(r, place, validation_of_webhooks);
        break;
    case MANIFEST_BINDING:
        check_binding(r, place, &r->validating, validation_of_binding);
        break;
    case MANIFEST_MUTATING_BINDING:
        check_binding(r, place, &r->mutating, validation_of_mutating_binding);
        break;
    case MANIFEST_CRD:
        check_crd(r, place, o);
        break;
    case MANIFEST_MISNAMED:
        check_misnamed(r, place, o);
        break;
    case MANIFEST_OTHER:
        r->output.skipped(r->output.user, place, o->name_of_kind);
        break;
    }
}

static void check_manifest(struct run *r, const struct manifest *m)
{
    if (m->problem != NULL)
        report_error(r, m->file, &m->where, m->problem);
    for (size_t i = 0; i < m->n_objects; i++) {
        const struct manifest_object *o = &m->objects[i];
        const struct output_place place = {m->file, o->document, m->yaml, o->root};
        check_object(r, &place, o);
    }
}

/* What other objects are checked with. Returns whether the manifest is needed a second time. */
static bool gather(struct run *r, const struct manifest *m)
{
    bool is_needed = false;
    for (size_t i = 0; i < m->n_objects; i++) {
        const struct manifest_object *o = &m->objects[i];
        struct err err = {0};
        is_needed = is_needed || (o->kind == MANIFEST_CRD ? is_definition_of_ours(r, o->root->json)
                                                          : o->kind != MANIFEST_OTHER);
        if (is_static(r, o))
            staticdirs_add(&r->static_manifests, m->file, o->root->json, m->is_found);
        if (o->kind == MANIFEST_POLICY || o->kind == MANIFEST_MUTATING_POLICY)
            policyindex_add_policy(o->kind == MANIFEST_POLICY ? &r->validating : &r->mutating, o->root->json);
        if (o->kind == MANIFEST_BINDING || o->kind == MANIFEST_MUTATING_BINDING)
            policyindex_add_binding(o->kind == MANIFEST_BINDING ? &r->validating : &r->mutating,
                                    o->root->json);
        if (o->kind == MANIFEST_CRD && crds_add(r->crds, o->root->json, &err) != 0)
            report_error(r, m->file, &o->root->start, err.msg);
    }
    return is_needed;
}

/* Two passes: a policy may come before the CRD that it is about. */
static void check_all(struct run *r, const struct inputs *inputs)
{
    struct manifest *manifests = mem_array(inputs->count, sizeof *manifests);
    progress_init(&r->progress, "files", inputs->count);
    for (size_t i = 0; i < inputs->count; i++) {
        manifest_read(&manifests[i], &inputs->items[i]);
        if (!gather(r, &manifests[i]))
            manifest_release(&manifests[i]);
        progress_step(&r->progress);
    }
    progress_end(&r->progress);
    schemas_put(r->schemas, r->crds);
    for (size_t i = 0; i < inputs->count; i++) {
        check_manifest(r, &manifests[i]);
        manifest_deinit(&manifests[i]);
    }
    mem_free(manifests);
}

static int exit_status(const struct run *r)
{
    if (r->has_errors)
        return 2;
    switch (r->options->fail_on) {
    case OPTIONS_FAIL_ON_WARNING:
        return r->has_findings;
    case OPTIONS_FAIL_ON_UNCHECKED:
        return r->has_findings || r->has_unchecked;
    case OPTIONS_FAIL_ON_NEVER:
        break;
    }
    return 0;
}

static int open_schemas(struct run *r, struct err *err)
{
    const struct options *o = r->options;
    if (o->is_live)
        return schemas_open_cluster(&o->cluster, &r->schemas, err);
    if (o->schemas != NULL)
        return schemas_open(o->schemas, &r->schemas, err);
    return schemas_open_bytes(o->bundle->bytes, o->bundle->len, &r->schemas, err);
}

static int run(const struct options *o)
{
    struct run r = {.options = o};
    struct inputs inputs = {0};
    struct err err = {0};
    if (open_schemas(&r, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck check: %s", err.msg);
        return 2;
    }
    for (size_t i = 0; i < o->n_files; i++)
        inputs_add(&inputs, o->files[i], o->is_recursive);
    r.output = o->make_output();
    r.crds = crds_new();
    r.hints.minor = r.kinds.minor = schemas_minor(r.schemas);
    r.kinds.is_bundle = !o->is_live && o->schemas == NULL;
    check_all(&r, &inputs);
    r.has_errors = r.has_errors || schemas_has_failed(r.schemas);
    r.output.end(r.output.user);
    inputs_deinit(&inputs);
    schemas_free(r.schemas);
    crds_free(r.crds);
    policyindex_deinit(&r.validating);
    policyindex_deinit(&r.mutating);
    versionhints_deinit(&r.hints);
    servedkinds_deinit(&r.kinds);
    staticdirs_deinit(&r.static_manifests);
    return exit_status(&r);
}

int check_cmd(int argc, char **argv)
{
    struct options o;
    int answer = options_read("check", argc, argv, &o);
    int status = answer < 0 ? 2 : answer > 0 ? 0 : run(&o);
    options_deinit(&o);
    return status;
}
