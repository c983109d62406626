#include "cmd/kubectl-vapcheck/check/check_inputs.h"

#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "cmd/kubectl-vapcheck/check/check_binding.h"
#include "cmd/kubectl-vapcheck/check/check_configuration.h"
#include "cmd/kubectl-vapcheck/check/check_definition.h"
#include "cmd/kubectl-vapcheck/check/check_template.h"
#include "cmd/kubectl-vapcheck/check/checkrun.h"
#include "cmd/kubectl-vapcheck/check/witnesses.h"
#include "cmd/kubectl-vapcheck/hints/hints.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"
#include "controller/apiserver/validation/static_manifest.h"
#include "controller/apiserver/validation/validation.h"
#include "controller/check/suppress.h"

/* Of a check, between two looks at whether somebody asked to stop: some 10 ms. */
enum { SLICE_STEPS = 500 * 1000 };

static void init_conditions(struct checkrun *r, struct conditions *conditions,
                            const struct policyview *policy, const struct check_result *result)
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

/* Whether nothing in it fails. */
static bool is_claim(const struct check_warning *w)
{
    bool is_claim = w->n_issues != 0;
    for (size_t i = 0; i < w->n_issues; i++)
        is_claim = is_claim && w->issues[i].is_claim;
    return is_claim;
}

/* The warnings, with those marked that upstream would not give: on expressions where it has none.
 * The caller frees them. */
static struct output_warning *list_warnings(struct checkrun *r, const struct policyview *policy,
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
        list[i] = (struct output_warning){.id = finding_of_issue(w->first.code),
                                          .field = policy->policy.expressions[expression].field_ref.at,
                                          .text = w->text,
                                          .len = w->len,
                                          .first = w->first.message,
                                          .is_claim = is_claim(w),
                                          .issues = w->issues,
                                          .n_issues = w->n_issues,
                                          .line = w->first.line,
                                          .column = w->first.column,
                                          .hint = w->hint,
                                          .source = is_theirs && j < theirs->n_warnings ? OUTPUT_UPSTREAM
                                                                                        : OUTPUT_VAPCHECK};
    }
    check_free(check);
    return list;
}

static bool is_definition(const struct manifest_object *o)
{
    return o->kind == MANIFEST_CRD || o->kind == MANIFEST_COMPOSITE;
}

static bool is_static(const struct checkrun *r, const struct manifest_object *o)
{
    const struct fielderrors errors = {.minor = schemas_minor(r->schemas)};
    return !is_definition(o) && o->kind != MANIFEST_MISNAMED && o->kind != MANIFEST_OTHER &&
           static_manifest_is(o->root->json, &errors);
}

static void put_warning_hints(struct hints *found, struct output_warning *warnings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *hint = hints_get(found, warnings[i].field, NULL);
        warnings[i].hint = hint == NULL ? warnings[i].hint : hint;
    }
}

static bool has_advice(const struct options *o)
{
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        if (finding_pages[i].severity == FINDING_ADVICE && finding_set_has(o->selected, (enum finding_id)i))
            return true;
    }
    return false;
}

/* The extra that stands at a place in an expression. */
static struct output_extra place_extra(const struct output_place *place, const struct policyview *policy,
                                       size_t expression, int line, int column)
{
    const char *field = policy->policy.expressions[expression].field_ref.at;
    const struct yaml_node *node = output_find_node(place, field);
    struct output_extra extra = {.field = field};
    if (node != NULL && line > 0)
        extra.at = yaml_place_in(node, (size_t)line, (size_t)column);
    return extra;
}

static struct output_extra place_advice(const struct output_place *place, const struct policyview *policy,
                                        const struct check_advice *advice)
{
    struct output_extra extra = place_extra(place, policy, advice->expression, advice->line, advice->column);
    extra.id = advice->id;
    extra.text = advice->message;
    return extra;
}

/* Adds notes to the list, none about an expression that is refused. The caller frees the list. */
static struct output_extra *add_notes(struct output_extra *list, size_t *count,
                                      const struct output_place *place, const struct policyview *policy,
                                      const struct fielderrors *refusals, const struct check_note *notes,
                                      size_t n_notes)
{
    list = mem_realloc(list, *count + n_notes + 1, sizeof *list);
    for (size_t i = 0; i < n_notes; i++) {
        const struct check_note *n = &notes[i];
        struct output_extra extra = place_extra(place, policy, n->expression, n->line, n->column);
        if (suppression_is_refused(refusals, extra.field))
            continue;
        extra.id = finding_of_issue(n->code);
        extra.text = n->message;
        extra.is_note = true;
        list[(*count)++] = extra;
    }
    return list;
}

/* The advice, each at its place; none about an expression that is refused. At the end, for the whole policy,
 * whether the proof of some advice was too much work. The caller frees the list. */
static struct output_extra *list_advice(struct checkrun *r, const struct output_place *place,
                                        const struct policyview *policy, const struct fielderrors *refusals,
                                        struct check *check, size_t *count)
{
    const struct check_result *result = check_result(check);
    const struct check_advice *limited = NULL;
    struct output_extra *list = mem_array(result->n_advice + 1, sizeof *list);
    enum witnesses_proof *proofs = witnesses_prove(check, r->schemas, &r->options->selected);
    size_t n = 0;
    for (size_t i = 0; i < result->n_advice; i++) {
        const struct check_advice *advice = &result->advice[i];
        if (suppression_is_refused(refusals, policy->policy.expressions[advice->expression].field_ref.at))
            continue;
        if (proofs[i] == WITNESSES_PROVED)
            list[n++] = place_advice(place, policy, advice);
        else if (proofs[i] == WITNESSES_TOO_MUCH_WORK)
            limited = advice;
    }
    if (limited != NULL)
        list[n++] = (struct output_extra){
            .id = limited->id,
            .text = "there may be more of this advice: the search for requests that make the expressions "
                    "fail was not finished, since it takes too much work"};
    mem_free(proofs);
    *count = n;
    return list;
}

static struct types_options types_of(const struct checkrun *r)
{
    struct types_options types = r->options->types;
    types.minor = schemas_minor(r->schemas);
    types.is_partial = !r->options->is_live;
    return types;
}

static bool is_stopped(const struct checkrun *r)
{
    return r->request->is_stopped != NULL && r->request->is_stopped(r->request->user);
}

/* A check of the policy, done. NULL: somebody asked to stop. */
static struct check *run_check(struct checkrun *r, const struct policyview *policy,
                               const struct check_filter *filter)
{
    const struct types_options types = types_of(r);
    struct check *check = check_new(policy, schemas_discovery(r->schemas), &types);
    check_set_filter(check, filter);
    if (has_advice(r->options))
        check_want_advice(check);
    while (check_step(check, schemas_env(r->schemas), schemas_lookup, r->schemas, SLICE_STEPS)) {
        if (!is_stopped(r))
            continue;
        check_free(check);
        return NULL;
    }
    return check;
}

/* What the controller would write, and what of it is reported: the same check, unless something is suppressed
 * besides what the annotation names, or is only a note. NULL: somebody asked to stop. */
static struct check *run_reported(struct checkrun *r, const struct policyview *policy,
                                  const struct fielderrors *refusals, struct suppression *suppression,
                                  struct check **written)
{
    static const struct check_filter nothing;
    const struct check_filter filter = suppression_filter(suppression, policy, refusals);
    suppression->is_written = true;
    *written = run_check(r, policy, suppression->ignored.bits == 0 ? &nothing : &filter);
    suppression->is_written = false;
    const struct types_options types = types_of(r);
    if (*written != NULL)
        otherversions_find(&r->others, policy, &types, check_result(*written));
    suppression->others = &r->others;
    const bool is_same = !suppression_is_active(suppression) && r->others.n_notes == 0;
    if (*written == NULL || is_same || check_result(*written)->n_warnings == 0)
        return *written;
    struct check *reported = run_check(r, policy, &filter);
    if (reported == NULL)
        check_free(*written);
    return reported;
}

/* hints: by refusal. */
static void check_types(struct checkrun *r, const struct output_place *place, const struct policyview *policy,
                        struct output_finding *finding, const char **hints)
{
    struct suppression suppression;
    struct check *as_written;
    suppression_init(&suppression, r->options, &r->comments, place);
    struct check *check = run_reported(r, policy, finding->refusals, &suppression, &as_written);
    if (check == NULL) {
        suppression_deinit(&suppression);
        return;
    }
    const struct check_result *result = check_result(check), *written_result = check_result(as_written);
    struct output_warning *warnings = list_warnings(r, policy, result);
    struct output_warning *written = check == as_written ? NULL : list_warnings(r, policy, written_result);
    const struct hints_cluster cluster = checkrun_cluster(r);
    struct conditions conditions;
    struct hints tried;
    hints_of_policy(&cluster, policy, finding->refusals,
                    r->options->types.scope == TYPES_FULL ? written_result : NULL, &tried);
    checkrun_put_hints(&tried, finding->refusals, hints);
    put_warning_hints(&tried, warnings, result->n_warnings);
    if (written != NULL)
        put_warning_hints(&tried, written, written_result->n_warnings);
    init_conditions(r, &conditions, policy, written_result);
    struct witnesses witnesses = {0};
    if (r->options->wants_witnesses)
        witnesses_find(&witnesses, check, policy, r->schemas, warnings);
    struct output_extra *extras =
        is_stopped(r) ? NULL : list_advice(r, place, policy, finding->refusals, check, &finding->n_extras);
    extras = add_notes(extras, &finding->n_extras, place, policy, finding->refusals, result->notes,
                       result->n_notes);
    extras = add_notes(extras, &finding->n_extras, place, policy, finding->refusals, r->others.notes,
                       r->others.n_notes);
    finding->warnings = warnings;
    finding->n_warnings = result->n_warnings;
    finding->written = written;
    finding->n_written = written_result->n_warnings;
    finding->extras = extras;
    finding->result = result;
    finding->policy = policy;
    finding->conditions = &conditions;
    checkrun_report_with(r, place, finding, &suppression);
    mem_free(extras);
    finding->conditions = NULL;
    conditions_deinit(&conditions);
    if (check != as_written)
        check_free(check);
    check_free(as_written);
    mem_free(warnings);
    mem_free(written);
    witnesses_deinit(&witnesses);
    hints_deinit(&tried);
    suppression_deinit(&suppression);
}

/* find: of its kind. */
static void check_policy(struct checkrun *r, const struct output_place *place, validation_find *find)
{
    struct policyview *policy;
    struct err err = {0};
    struct fielderrors refusals = {.minor = schemas_minor(r->schemas)};
    if (policyview_new(place->root->json, &policy, &err) != 0) {
        checkrun_error(r, place->file, &place->root->start, err.msg);
        return;
    }
    if (!checkrun_refuse_unserved(r, policy->json, &refusals))
        find(policy->json, schemas_new_env(r->schemas), &refusals);
    checkrun_check_directory(r, place, &refusals);
    const char **hints = versionhints_find(&r->hints, find, policy->json, &refusals);
    checkrun_add_slips(place, &refusals, hints);
    struct output_finding finding = {.name = policy->name, .refusals = &refusals, .hints = hints};
    check_types(r, place, policy, &finding, hints);
    fielderrors_deinit(&refusals);
    mem_free(hints);
    policyview_free(policy);
}

/* The server has no such thing, and the author should know; what it does have is none of ours. */
static void check_misnamed(struct checkrun *r, const struct output_place *place,
                           const struct manifest_object *o)
{
    struct json_object *json = place->root->json;
    struct fielderrors refusals = {0};
    struct conditions conditions = {0};
    if (!servedkinds_refuse(&r->kinds, schemas_discovery(r->schemas), json, &refusals)) {
        r->output.skipped(r->output.user, place, o->name_of_kind);
        return;
    }
    const char **hints = checkrun_find_hints(place, &refusals);
    struct output_finding finding = {.name = jsonval_metadata(json, "name"),
                                     .refusals = &refusals,
                                     .hints = hints,
                                     .conditions = &conditions};
    checkrun_report(r, place, &finding);
    fielderrors_deinit(&refusals);
    mem_free(hints);
}

static void check_object(struct checkrun *r, const struct output_place *place,
                         const struct manifest_object *o)
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
    case MANIFEST_COMPOSITE:
        check_definition(r, place, o);
        break;
    case MANIFEST_AUTHENTICATION:
        check_configuration(r, place, configuration_check_authentication);
        break;
    case MANIFEST_AUTHORIZATION:
        check_configuration(r, place, configuration_check_authorization);
        break;
    case MANIFEST_DEVICES:
        check_devices(r, place);
        break;
    case MANIFEST_TEMPLATE:
        check_template(r, place);
        break;
    case MANIFEST_MISNAMED:
        check_misnamed(r, place, o);
        break;
    case MANIFEST_OTHER:
        r->output.skipped(r->output.user, place, o->name_of_kind);
        break;
    }
}

/* What is wrong in a comment is reported with the object that it stands in, or before. A manifest that was
 * released has neither. */
static void set_lines(struct checkrun *r, const struct manifest *m, size_t i)
{
    if (m->yaml == NULL)
        return;
    r->from_line = i == 0 ? 0 : m->objects[i].root->start.line;
    r->to_line = i + 1 == m->n_objects ? SIZE_MAX : m->objects[i + 1].root->start.line;
}

/* Only objects for us have annotations for us; a definition may have been released. */
static bool is_skipped(const struct manifest *m, const struct manifest_object *o)
{
    return o->kind != MANIFEST_OTHER && m->yaml != NULL && suppress_is_skipped(o->root->json);
}

static void check_objects(struct checkrun *r, const struct manifest *m)
{
    if (m->yaml != NULL)
        comments_read(&r->comments, m->yaml);
    if (m->problem != NULL) {
        checkrun_error(r, m->file, &m->where, m->problem);
        r->found.has_errors = r->found.has_errors || m->is_missing;
    }
    for (size_t i = 0; i < m->n_objects && !is_stopped(r); i++) {
        const struct manifest_object *o = &m->objects[i];
        const struct output_place place = {m->file, o->document, m->yaml, o->root};
        set_lines(r, m, i);
        if (is_skipped(m, o))
            r->suppressed.objects++;
        else
            check_object(r, &place, o);
    }
    comments_deinit(&r->comments);
}

/* What other objects are checked with. Returns whether the manifest is needed a second time. */
static bool gather(struct checkrun *r, const struct manifest *m)
{
    bool is_needed = false;
    for (size_t i = 0; i < m->n_objects; i++) {
        const struct manifest_object *o = &m->objects[i];
        const struct output_place place = {m->file, o->document, m->yaml, o->root};
        if (r->request->prepare != NULL)
            r->request->prepare(r->request->user, &place);
        is_needed =
            is_needed || (is_definition(o) ? check_definition_is_ours(r, o) : o->kind != MANIFEST_OTHER);
        if (o->kind != MANIFEST_OTHER)
            objectindex_add(&r->objects, m->file, o->root->start.line, o->root->json);
        if (is_static(r, o))
            staticdirs_add(&r->static_manifests, m->file, o->root->json, m->is_found);
        if (o->kind == MANIFEST_POLICY || o->kind == MANIFEST_MUTATING_POLICY)
            policyindex_add_policy(o->kind == MANIFEST_POLICY ? &r->validating : &r->mutating, o->root->json);
        if (o->kind == MANIFEST_BINDING || o->kind == MANIFEST_MUTATING_BINDING)
            policyindex_add_binding(o->kind == MANIFEST_BINDING ? &r->validating : &r->mutating,
                                    o->root->json);
        check_definition_add(r, m->file, o);
    }
    return is_needed;
}

/* Two passes: a policy may come before the CRD that it is about. */
static void check_all(struct checkrun *r, const struct inputs *inputs)
{
    struct manifest *manifests = mem_array(inputs->count, sizeof *manifests);
    if (!r->options->style.is_quiet)
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
        check_objects(r, &manifests[i]);
        manifest_deinit(&manifests[i]);
    }
    mem_free(manifests);
}

int check_exit_status(const struct options *options, const struct check_outcome *outcome)
{
    if (outcome->has_errors)
        return 2;
    switch (options->fail_on) {
    case OPTIONS_FAIL_ON_WARNING:
        return outcome->has_findings;
    case OPTIONS_FAIL_ON_UNCHECKED:
        return outcome->has_findings || outcome->has_unchecked;
    case OPTIONS_FAIL_ON_NEVER:
        break;
    }
    return 0;
}

static void report_suppressed(struct checkrun *r, const struct inputs *inputs)
{
    struct baseline *baseline = r->options->baseline;
    struct output_suppressed *s = &r->suppressed;
    struct output_entry *stale = baseline == NULL ? NULL : baseline_find_stale(baseline, &s->n_stale);
    s->paths = inputs->n_excluded;
    s->stale = stale;
    if (output_is_suppressed(s) && r->output.suppressed != NULL)
        r->output.suppressed(r->output.user, s);
    mem_free(stale);
}

static void begin(struct checkrun *r, const struct check_request *request)
{
    *r = (struct checkrun){.options = request->options,
                           .schemas = request->schemas,
                           .request = request,
                           .output = request->output,
                           .crds = crds_new()};
    r->hints.minor = r->kinds.minor = r->others.minor = schemas_minor(r->schemas);
    r->others.crds = r->crds;
    r->others.is_stopped = request->is_stopped;
    r->others.user = request->user;
    r->kinds.is_bundle = request->is_bundle;
}

static struct check_outcome end(struct checkrun *r)
{
    r->output.end(r->output.user);
    schemas_put(r->schemas, NULL);
    otherversions_deinit(&r->others);
    crds_free(r->crds);
    objectindex_deinit(&r->objects);
    policyindex_deinit(&r->validating);
    policyindex_deinit(&r->mutating);
    versionhints_deinit(&r->hints);
    servedkinds_deinit(&r->kinds);
    staticdirs_deinit(&r->static_manifests);
    return r->found;
}

struct check_outcome check_inputs(const struct check_request *request, const struct inputs *inputs)
{
    struct checkrun r;
    begin(&r, request);
    check_all(&r, inputs);
    r.found.has_errors = r.found.has_errors || schemas_has_failed(r.schemas);
    if (r.n_objects + r.suppressed.objects == 0 && !r.found.has_findings &&
        !finding_set_has(r.options->ignored, FINDING_NOTHING_CHECKED))
        r.output.nothing(r.output.user,
                         "no file has a policy, a binding, a webhook configuration, rules of a "
                         "CustomResourceDefinition, or another object that vapcheck checks");
    for (size_t i = 0; r.output.left_out != NULL && i < inputs->n_left_out; i++)
        r.output.left_out(r.output.user, inputs->left_out[i]);
    report_suppressed(&r, inputs);
    return end(&r);
}

struct check_outcome check_manifest(const struct check_request *request,
                                    const struct manifest *const *manifests, size_t count)
{
    struct checkrun r;
    begin(&r, request);
    for (size_t i = 0; i < count; i++)
        (void)gather(&r, manifests[i]);
    schemas_put(r.schemas, r.crds);
    check_objects(&r, manifests[0]);
    return end(&r);
}

int check_open_schemas(const struct options *o, struct schemas **out, struct err *err)
{
    const int answer = o->is_live           ? schemas_open_cluster(&o->cluster, out, err)
                       : o->schemas != NULL ? schemas_open(o->schemas, out, err)
                                            : schemas_open_bytes(o->bundle->bytes, o->bundle->len, out, err);
    if (answer != 0 || o->cel_go == 0 || schemas_use_cel_go(*out, o->cel_go, err) == 0)
        return answer;
    schemas_free(*out);
    return -1;
}
