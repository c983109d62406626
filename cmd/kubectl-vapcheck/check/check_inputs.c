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
#include "cmd/kubectl-vapcheck/check/fixes.h"
#include "cmd/kubectl-vapcheck/check/policy_advice.h"
#include "cmd/kubectl-vapcheck/check/witnesses.h"
#include "cmd/kubectl-vapcheck/input/changed.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"
#include "cmd/kubectl-vapcheck/input/liveobjects.h"
#include "cmd/kubectl-vapcheck/output/caret.h"
#include "controller/apiserver/validation/static_manifest.h"
#include "controller/apiserver/validation/validation.h"
#include "controller/findings/suppress.h"
#include "controller/hints/hints.h"
#include "controller/match/connect.h"

/* Steps of a check between two looks at whether somebody asked to stop: some 10 ms. */
enum { SLICE_STEPS = 500 * 1000 };
/* Answers of types, for all policies: some thousand types, and some questions of some hundred policies. */
#define ANSWERS_MAX_BYTES ((size_t)16 * 1024 * 1024)

static void init_conditions(struct checkrun *r, struct conditions *conditions,
                            const struct policyview *policy, const struct check_result *result,
                            struct hints *tried)
{
    cleanup_mem const char **hints = hints_of_warnings(tried, policy, result);
    struct conditions_input input = {.policy = policy, .result = result, .hints = hints};
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

/* Returns true if nothing in it fails. */
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
                                          .expression = expression,
                                          .text = w->text,
                                          .len = w->len,
                                          .first = w->first.message,
                                          .consequence = w->consequence,
                                          .is_claim = is_claim(w),
                                          .issues = w->issues,
                                          .n_issues = w->n_issues,
                                          .at = w->first.at,
                                          .hint = w->hint,
                                          .source = is_theirs && j < theirs->n_warnings ? OUTPUT_UPSTREAM
                                                                                        : OUTPUT_VAPCHECK};
    }
    check_free(check);
    return list;
}

static bool is_static(const struct checkrun *r, const struct manifest_object *o)
{
    const struct fielderrors errors = {.minor = schemas_minor(r->schemas)};
    return !objectkind_is_definition(o->kind) && o->kind != OBJECTKIND_MISNAMED &&
           o->kind != OBJECTKIND_OTHER && static_manifest_is(o->root->json, &errors);
}

static void put_warning_hints(struct hints *found, const struct policyview *policy,
                              const struct check_result *result, struct output_warning *warnings)
{
    for (size_t i = 0; i < result->n_warnings; i++) {
        warnings[i].hint = hints_of_warning(found, policy, &result->warnings[i]);
        warnings[i].hint_at = hints_offset(found, warnings[i].field);
    }
}

/* Advice about expressions. */
static bool has_advice(const struct options *o)
{
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        if (finding_pages[i].severity == FINDING_ADVICE && i != FINDING_UNUSED_IGNORE &&
            finding_set_has(o->selected, (enum finding_id)i))
            return true;
    }
    return false;
}

/* The extra that stands at a place in an expression. */
static struct output_extra place_extra(const struct output_place *place, const struct policyview *policy,
                                       size_t expression, const struct extent *at)
{
    const char *field = policy->policy.expressions[expression].field_ref.at;
    const struct caret_span span = caret_of_warning(place, field, at);
    return (struct output_extra){.field = field, .at = span.at, .end = span.end};
}

/* example: the request on which it bites; NULL: it is a fact of the text. text: of the extra; the caller
 * frees it. */
static struct output_extra place_advice(const struct output_place *place, const struct policyview *policy,
                                        const struct check_advice *advice, const char *example, char **text)
{
    struct output_extra extra = place_extra(place, policy, advice->expression, &advice->at);
    *text = example == NULL ? mem_strdup(advice->message)
                            : mem_printf("%s\nfor example: %s\n", advice->message, example);
    extra.id = advice->id;
    extra.text = *text;
    extra.hint = advice->hint;
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
        struct output_extra extra = place_extra(place, policy, n->expression, &n->at);
        if (suppression_is_refused(refusals, extra.field))
            continue;
        extra.id = finding_of_issue(n->code);
        extra.text = n->message;
        extra.is_note = true;
        list[(*count)++] = extra;
    }
    return list;
}

static bool selects_by_labels(struct json_object *selector)
{
    return jsonval_count(jsonval_get(selector, "matchLabels")) > 0 ||
           jsonval_length(jsonval_get(selector, "matchExpressions")) > 0;
}

/* Returns true if the policy selects by labels, and nothing that it matches has any: the options of CONNECT
 * requests have no metadata. */
static bool is_never_selected(const struct policyview *policy, const struct check_result *result)
{
    struct json_object *constraints = jsonval_get(jsonval_get(policy->json, "spec"), "matchConstraints");
    bool is_never = result->n_types > 0 && result->n_problems == 0 && policy->kind != POLICYVIEW_WEBHOOKS &&
                    selects_by_labels(jsonval_get(constraints, "objectSelector"));
    for (size_t i = 0; is_never && i < result->n_types; i++)
        is_never = result->types[i].group[0] == '\0' && connect_brings(result->types[i].kind);
    return is_never;
}

/* Returns true if all requests that the rules match are for objects in namespaces, or for namespaces: the
 * server asks the namespaceSelector about no others. */
static bool are_in_namespaces(struct checkrun *r, struct check *check)
{
    size_t index;
    const struct typecheck_policy *scope = check_scope(check, 0, schemas_lookup, r->schemas, &index);
    bool are = scope->type_count > 0;
    for (size_t i = 0; are && i < scope->type_count; i++) {
        const struct policy_type *type = &scope->types[i];
        const bool is_namespace = type->group.len == 0 && str_eq(type->kind, STR("Namespace"));
        are = type->request_count > 0;
        for (size_t k = 0; are && k < type->request_count; k++)
            are = type->requests[k].is_namespaced || is_namespace;
    }
    return are;
}

static bool excludes_itself(const struct labelselector *selector)
{
    return selector != NULL && labelselector_is_contradictory(selector);
}

static struct output_extra *add_never(struct output_extra *list, size_t *count, const char *field,
                                      const char *text)
{
    list = mem_realloc(list, *count + 1, sizeof *list);
    list[(*count)++] = (struct output_extra){.id = FINDING_NEVER_APPLIES, .field = field, .text = text};
    return list;
}

/* The list, made longer where the policy is never selected. The caller frees it. */
static struct output_extra *add_selectors(struct output_extra *list, size_t *count, struct checkrun *r,
                                          const struct policyview *policy, struct check *check)
{
    static const char objects[] = "spec.matchConstraints.objectSelector",
                      namespaces[] = "spec.matchConstraints.namespaceSelector";
    const struct check_result *result = check_result(check);
    const bool is_policy = result->n_types > 0 && policy->kind != POLICYVIEW_WEBHOOKS;
    if (is_never_selected(policy, result))
        list = add_never(list, count, objects,
                         "no request passes the objectSelector: the objects that the rules match have no "
                         "metadata");
    else if (is_policy && excludes_itself(policy->match.objects))
        list = add_never(list, count, objects,
                         "no request passes the objectSelector: no labels fulfil all of its requirements");
    if (is_policy && excludes_itself(policy->match.namespaces) && are_in_namespaces(r, check))
        list = add_never(list, count, namespaces,
                         "no request passes the namespaceSelector: no labels fulfil all of its requirements");
    return list;
}

/* Adds advice about the policy as a whole. The caller frees the list. */
static struct output_extra *add_whole(struct output_extra *list, const struct checkrun *r,
                                      struct output_finding *finding, const struct policyview *policy,
                                      const struct output_warning *warnings, size_t n_warnings,
                                      struct policy_advice *whole)
{
    policy_advice_init(whole, policy, warnings, n_warnings, &r->options->selected);
    list = mem_realloc(list, finding->n_extras + whole->count + 1, sizeof *list);
    for (size_t i = 0; i < whole->count; i++)
        list[finding->n_extras++] = whole->items[i];
    return list;
}

/* Returns true if what may fail is known to fail: a finding is there that says so. */
static bool is_certain(const struct check_result *result, const struct check_advice *advice)
{
    for (size_t i = 0; i < result->n_warnings; i++) {
        const struct check_warning *w = &result->warnings[i];
        for (size_t k = 0; w->expression == advice->expression && k < w->n_issues; k++) {
            const struct check_issue *issue = &w->issues[k];
            if (!issue->is_claim && !issue->is_unequal && issue->at.begin == advice->at.begin &&
                issue->at.end == advice->at.end)
                return true;
        }
    }
    return false;
}

/* The advice, each at its place; none about an expression that is refused, or a failure that is certain. The
 * last one is about the whole policy, if the proof of some advice was too much work. The caller frees the
 * list, and texts, by advice. */
static struct output_extra *list_advice(struct checkrun *r, const struct output_place *place,
                                        const struct policyview *policy, const struct fielderrors *refusals,
                                        struct check *check, char **texts, size_t *count)
{
    const struct check_result *result = check_result(check);
    const struct check_advice *limited = NULL;
    struct output_extra *list = mem_array(result->n_advice + 1, sizeof *list);
    char **examples = mem_array(result->n_advice + 1, sizeof *examples);
    struct proofs *kept = crds_is_empty(r->crds) && !r->options->is_live ? r->request->proofs : NULL;
    enum witnesses_proof *proofs =
        proofs_find(kept, policy, check, r->schemas, &r->options->selected, examples);
    size_t n = 0;
    for (size_t i = 0; i < result->n_advice; i++) {
        const struct check_advice *advice = &result->advice[i];
        if (suppression_is_refused(refusals, policy->policy.expressions[advice->expression].field_ref.at) ||
            is_certain(result, advice))
            continue;
        if (proofs[i] == WITNESSES_PROVED)
            list[n++] = place_advice(place, policy, advice, examples[i], &texts[i]);
        else if (proofs[i] == WITNESSES_TOO_MUCH_WORK)
            limited = advice;
    }
    if (limited != NULL)
        list[n++] = (struct output_extra){
            .id = limited->id,
            .text = "there may be more of this advice: the search for requests that make the expressions "
                    "fail was not finished, since it takes too much work"};
    for (size_t i = 0; i < result->n_advice; i++)
        mem_free(examples[i]);
    mem_free(examples);
    mem_free(proofs);
    *count = n;
    return list;
}

static struct types_options types_of(struct checkrun *r)
{
    struct types_options types = r->options->types;
    types.shared = &r->typesets;
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

/* Runs the check that the controller would write (*written), and returns the one that is reported: the same,
 * unless more is suppressed than the annotation names, or is only a note. NULL: somebody asked to stop. */
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

/* The corrections of advice, one an expression. */
static void put_advised(struct fixes *fixes, const struct output_place *place,
                        const struct policyview *policy, const struct check_result *result,
                        struct output_finding *finding)
{
    *fixes = (struct fixes){.count = 0};
    for (size_t i = 0; i < result->n_advice; i++) {
        const struct check_advice *advice = &result->advice[i];
        const struct policy_expression *e = &policy->policy.expressions[advice->expression];
        bool is_done = advice->correction[0] == '\0';
        for (size_t k = 0; k < fixes->count; k++)
            is_done = is_done || strcmp(fixes->list[k].field, e->field_ref.at) == 0;
        if (!is_done)
            fixes_add_text(fixes, place, e->field_ref.at, e->text.at, advice->correction);
    }
    finding->advised = fixes->list;
    finding->n_advised = fixes->count;
}

/* All findings of the check, and those that are reported. */
struct reported {
    const struct output_warning *all, *left;
    size_t n_all, n_left;
};

static size_t count_issues(const struct output_warning *warnings, size_t count, const char *field)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += strcmp(warnings[i].field, field) == 0 ? 1 + warnings[i].n_issues : 0;
    return n;
}

/* A correction is of all that is wrong with the expression: if a part of that is suppressed, it stays. */
static bool is_partly_suppressed(void *user, const char *field)
{
    const struct reported *r = user;
    return r->all != NULL && count_issues(r->left, r->n_left, field) != count_issues(r->all, r->n_all, field);
}

static void put_fixes(struct fixes *fixes, const struct hints *tried, const struct output_place *place,
                      const struct options *options, const struct output_warning *written,
                      struct output_finding *finding)
{
    struct reported reported = {written, finding->warnings, finding->n_written, finding->n_warnings};
    fixes_init(fixes, tried,
               &(struct fixes_wanted){.place = place,
                                      .is_unsafe = options->fixes_unsafe,
                                      .is_left_alone = is_partly_suppressed,
                                      .user = &reported});
    finding->fixes = fixes->list;
    finding->n_fixes = fixes->count;
}

/* Advice and notes. The list is the caller's to free, as are `texts`, by advice, and `whole`. */
static struct output_extra *list_extras(struct checkrun *r, const struct output_place *place,
                                        const struct policyview *policy, struct output_finding *finding,
                                        struct check *check, const struct output_warning *warnings,
                                        char **texts, struct policy_advice *whole)
{
    const struct check_result *result = check_result(check);
    struct output_extra *extras =
        is_stopped(r) ? NULL
                      : list_advice(r, place, policy, finding->refusals, check, texts, &finding->n_extras);
    extras = add_whole(extras, r, finding, policy, warnings, result->n_warnings, whole);
    extras = add_notes(extras, &finding->n_extras, place, policy, finding->refusals, result->notes,
                       result->n_notes);
    extras = add_notes(extras, &finding->n_extras, place, policy, finding->refusals, r->others.notes,
                       r->others.n_notes);
    if (r->options->types.scope == TYPES_FULL)
        extras = add_selectors(extras, &finding->n_extras, r, policy, check);
    return extras;
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
    put_warning_hints(&tried, policy, result, warnings);
    if (written != NULL)
        put_warning_hints(&tried, policy, written_result, written);
    init_conditions(r, &conditions, policy, written_result, &tried);
    struct witnesses witnesses = {0};
    if (r->options->wants_witnesses)
        witnesses_find(&witnesses, check, policy, r->schemas, warnings);
    char **texts = mem_array(result->n_advice + 1, sizeof *texts);
    struct policy_advice whole;
    struct output_extra *extras = list_extras(r, place, policy, finding, check, warnings, texts, &whole);
    finding->warnings = warnings;
    finding->n_warnings = result->n_warnings;
    finding->written = written;
    finding->n_written = written_result->n_warnings;
    finding->extras = extras;
    finding->result = result;
    finding->policy = policy;
    finding->conditions = &conditions;
    struct fixes fixes, advised;
    put_fixes(&fixes, &tried, place, r->options, written, finding);
    put_advised(&advised, place, policy, result, finding);
    checkrun_report_with(r, place, finding, &suppression);
    mem_free(extras);
    for (size_t i = 0; i < result->n_advice; i++)
        mem_free(texts[i]);
    mem_free(texts);
    policy_advice_deinit(&whole);
    finding->conditions = NULL;
    conditions_deinit(&conditions);
    if (check != as_written)
        check_free(check);
    check_free(as_written);
    mem_free(warnings);
    mem_free(written);
    witnesses_deinit(&witnesses);
    fixes_deinit(&fixes);
    fixes_deinit(&advised);
    hints_deinit(&tried);
    suppression_deinit(&suppression);
}

/* find: of its kind. */
static void check_policy(struct checkrun *r, const struct output_place *place, validation_find *find)
{
    struct policyview *policy;
    struct err err = {0};
    struct fielderrors refusals = {.minor = schemas_minor(r->schemas), .cache = &r->expressions};
    if (policyview_new(place->root->json, &policy, &err) != 0) {
        checkrun_error(r, place->file, &place->root->start, err.msg, NULL);
        return;
    }
    policy->policy.cache = &r->expressions;
    if (!checkrun_refuse_unserved(r, policy->json, &refusals))
        find(policy->json, schemas_new_env(r->schemas), &refusals);
    checkrun_check_directory(r, place, &refusals);
    const char **hints = versionhints_find(&r->hints, find, policy->json, &refusals);
    checkrun_add_slips(r, place, &refusals, hints);
    struct output_finding finding = {.name = policy->name, .refusals = &refusals, .hints = hints};
    check_types(r, place, policy, &finding, hints);
    fielderrors_deinit(&refusals);
    mem_free(hints);
    policyview_free(policy);
    expression_cache_forget(&r->expressions);
}

/* The server has no such thing, and the author should know; objects that it does have are of no interest
 * here. */
static void check_misnamed(struct checkrun *r, const struct output_place *place,
                           const struct manifest_object *o)
{
    struct json_object *json = place->root->json;
    struct fielderrors refusals = {0};
    struct conditions conditions = {0};
    if (!servedkinds_refuse(&r->kinds, schemas_discovery(r->schemas), json, &refusals)) {
        output_report_skipped(&r->output, place, o->name_of_kind);
        return;
    }
    const char **hints = checkrun_find_hints(r, place, &refusals);
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
    case OBJECTKIND_POLICY:
        check_policy(r, place, validation_of_policy);
        break;
    case OBJECTKIND_MUTATING_POLICY:
        check_policy(r, place, validation_of_mutating_policy);
        break;
    case OBJECTKIND_VALIDATING_WEBHOOKS:
    case OBJECTKIND_MUTATING_WEBHOOKS:
        check_policy(r, place, validation_of_webhooks);
        break;
    case OBJECTKIND_BINDING:
        check_binding(r, place, &r->validating, validation_of_binding);
        break;
    case OBJECTKIND_MUTATING_BINDING:
        check_binding(r, place, &r->mutating, validation_of_mutating_binding);
        break;
    case OBJECTKIND_CRD:
    case OBJECTKIND_COMPOSITE:
        check_definition(r, place, o);
        break;
    case OBJECTKIND_AUTHENTICATION:
        check_configuration(r, place, configuration_check_authentication);
        break;
    case OBJECTKIND_AUTHORIZATION:
        check_configuration(r, place, configuration_check_authorization);
        break;
    case OBJECTKIND_DEVICE_CLASS:
    case OBJECTKIND_RESOURCE_CLAIM:
    case OBJECTKIND_RESOURCE_CLAIM_TEMPLATE:
        check_devices(r, place);
        break;
    case OBJECTKIND_CONSTRAINT_TEMPLATE:
        check_template(r, place);
        break;
    case OBJECTKIND_MISNAMED:
        check_misnamed(r, place, o);
        break;
    case OBJECTKIND_OTHER:
        output_report_skipped(&r->output, place, o->name_of_kind);
        break;
    }
}

/* A mistake in a comment is reported with the object that the comment stands in, or before. A manifest that
 * was released has neither. */
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
    return o->kind != OBJECTKIND_OTHER && m->yaml != NULL && suppress_is_skipped(o->root->json);
}

static void check_objects(struct checkrun *r, const struct manifest *m)
{
    if (m->yaml != NULL)
        comments_read(&r->comments, m->yaml);
    if (m->left_out != NULL)
        checkrun_leave_out(r, m->file, m->left_out);
    if (m->problem != NULL && !(m->is_empty && r->options->allows_empty)) {
        checkrun_error(r, m->file, &m->where, m->problem, m->problem_line);
        r->found.has_failed = r->found.has_failed || m->is_missing;
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

/* Gathers the objects that others are checked with. Returns whether the manifest is needed a second time. */
static bool gather(struct checkrun *r, const struct manifest *m)
{
    bool is_needed = false;
    for (size_t i = 0; i < m->n_objects; i++) {
        const struct manifest_object *o = &m->objects[i];
        const struct output_place place = {m->file, o->document, m->yaml, o->root};
        if (r->request->prepare != NULL)
            r->request->prepare(r->request->user, &place);
        is_needed = is_needed || (objectkind_is_definition(o->kind) ? check_definition_is_ours(r, o)
                                                                    : o->kind != OBJECTKIND_OTHER);
        if (o->kind != OBJECTKIND_OTHER)
            objectindex_add(&r->objects, m->file, o->root->start.line, o->root->json);
        paramindex_add(&r->params, o->root->json);
        if (is_static(r, o))
            staticdirs_add(&r->static_manifests, m->file, o->root->json, m->is_found);
        if (o->kind == OBJECTKIND_POLICY || o->kind == OBJECTKIND_MUTATING_POLICY)
            policyindex_add_policy(o->kind == OBJECTKIND_POLICY ? &r->validating : &r->mutating,
                                   o->root->json);
        if (o->kind == OBJECTKIND_BINDING || o->kind == OBJECTKIND_MUTATING_BINDING) {
            policyindex_add_binding(o->kind == OBJECTKIND_BINDING ? &r->validating : &r->mutating,
                                    o->root->json);
            paramindex_add_binding(&r->params, o->root->json);
        }
        check_definition_add(r, m->file, o);
    }
    return is_needed;
}

/* Memory for what waits for the second pass, in bytes: texts, and the nodes of trees, each with its JSON. One
 * text more may be kept, which needs that memory again if it is read again. */
enum { KEPT_BYTES = 176 * 1024 * 1024, NODE_BYTES = 300 };

/* The first texts, of at most this many bytes, have all of their trees and descriptions. */
enum { WHOLE_BYTES = 4 * 1024 * 1024 };

/* Returns the way to read the next text so that, with those before it, no more than KEPT_TEXT_BYTES is
 * kept. */
static struct manifest_reading reading_of(struct checkrun *r, bool has_types)
{
    const bool may_be_reduced = r->request->prepare == NULL;
    return (struct manifest_reading){.judge = may_be_reduced ? check_definition_judge : NULL,
                                     .user = r,
                                     .most_bytes =
                                         r->read_bytes < WHOLE_BYTES ? WHOLE_BYTES - r->read_bytes : 0,
                                     .has_types = has_types};
}

/* The manifests that are kept. */
struct held {
    size_t bytes;
    size_t largest_text; /* of these */
};

static struct held hold(struct held held, const struct manifest *m)
{
    if (m->yaml == NULL)
        return held;
    const size_t text = yaml_text_bytes(m->yaml);
    return (struct held){held.bytes + text + yaml_node_count(m->yaml) * NODE_BYTES,
                         text > held.largest_text ? text : held.largest_text};
}

/* Returns true if the input is one of many large ones, and nothing was changed in its tree. */
static bool may_read_again(const struct checkrun *r, const struct input *input, const struct manifest *m,
                           struct held held)
{
    bool is_of_definitions = r->request->prepare == NULL && held.bytes - held.largest_text > KEPT_BYTES;
    for (size_t i = 0; i < m->n_objects; i++)
        is_of_definitions = is_of_definitions && objectkind_is_definition(m->objects[i].kind);
    return is_of_definitions && inputs_can_read_again(input);
}

/* The first pass over a manifest. NULL: it is to be read again for the second one. */
static struct manifest *gather_from(struct checkrun *r, const struct input *input, struct held *held)
{
    struct keep *keep = r->request->keep;
    const struct manifest_reading reading = reading_of(r, false);
    struct manifest *m = keep_read(keep, input, &reading);
    const size_t bytes = m->yaml == NULL ? 0 : yaml_text_bytes(m->yaml);
    const bool is_needed = gather(r, m);
    r->read_bytes += bytes;
    if (r->read_bytes > WHOLE_BYTES)
        crds_keep_types(r->crds);
    if (!is_needed) {
        keep_release(keep, m);
        return m;
    }
    if (manifest_is_clean(m) && inputs_can_read_again(input))
        yaml_forget_text(m->yaml);
    const struct held with = hold(*held, m);
    if (may_read_again(r, input, m, with)) {
        keep_done(keep, m);
        return NULL;
    }
    *held = with;
    return m;
}

/* Returns true if an object of the same name is reported with a line of the text, which was forgotten. */
static bool has_duplicate(const struct checkrun *r, const struct manifest *m)
{
    bool has = false;
    for (size_t i = 0; i < m->n_objects && !has && m->yaml != NULL; i++) {
        const struct manifest_object *o = &m->objects[i];
        has = yaml_text_bytes(m->yaml) == 0 && o->verdict == MANIFEST_CLEAN &&
              objectindex_other(&r->objects, m->file, o->root->start.line, o->root->json) != NULL;
    }
    return has;
}

/* The manifest for the second pass. */
static struct manifest *read_again(struct checkrun *r, const struct input *input, struct manifest *take_first)
{
    struct keep *keep = r->request->keep;
    const struct manifest_reading again = reading_of(r, true);
    if (take_first != NULL && !has_duplicate(r, take_first))
        return take_first;
    if (take_first != NULL)
        keep_done(keep, take_first);
    return keep_read(keep, input, &again);
}

/* Two passes: a policy may come before the CRD that it is about. */
static void check_all(struct checkrun *r, const struct inputs *inputs)
{
    struct keep *keep = r->request->keep;
    struct manifest **manifests = mem_array(inputs->count, sizeof(struct manifest *));
    struct held held = {0};
    if (!r->options->style.is_quiet && !r->options->is_watch)
        progress_init(&r->progress, "files", inputs->count);
    for (size_t i = 0; i < inputs->count; i++) {
        manifests[i] = gather_from(r, &inputs->items[i], &held);
        progress_step(&r->progress);
    }
    progress_end(&r->progress);
    schemas_put(r->schemas, r->crds);
    for (size_t i = 0; i < inputs->count; i++) {
        struct manifest *m = read_again(r, &inputs->items[i], manifests[i]);
        if (!m->is_context)
            check_objects(r, m);
        keep_done(keep, m);
    }
    mem_free(manifests);
}

void check_add_outcome(struct check_outcome *all, const struct check_outcome *one)
{
    all->has_error = all->has_error || one->has_error;
    all->has_warning = all->has_warning || one->has_warning;
    all->has_advice = all->has_advice || one->has_advice;
    all->has_unchecked = all->has_unchecked || one->has_unchecked;
    all->has_nothing = all->has_nothing || one->has_nothing;
    all->has_failed = all->has_failed || one->has_failed;
}

int check_exit_status(const struct options *options, const struct check_outcome *outcome)
{
    const bool is_unchecked = options->fails_on_unchecked && outcome->has_unchecked,
               has_fault = outcome->has_error || outcome->has_warning;
    if (outcome->has_failed)
        return 2;
    switch (options->fail_on) {
    case OPTIONS_FAIL_ON_ERROR:
        return is_unchecked || outcome->has_error;
    case OPTIONS_FAIL_ON_WARNING:
        return is_unchecked || has_fault;
    case OPTIONS_FAIL_ON_ADVICE:
        return is_unchecked || has_fault || outcome->has_advice;
    case OPTIONS_FAIL_ON_NEVER:
        break;
    }
    return is_unchecked;
}

/* Success would be a lie where a whole directory, a list or a cluster was to be checked. Files that are named
 * one by one, as pre-commit does, may have nothing to check. */
static void say_nothing(struct checkrun *r, const struct inputs *inputs)
{
    const bool is_of_cluster = r->options->is_live && !options_has_files(r->options),
               is_error = (inputs->is_searched || is_of_cluster) && !r->options->allows_empty;
    if (r->n_objects + r->suppressed.objects > 0 || r->found.has_error ||
        finding_set_has(r->options->ignored, FINDING_NOTHING_CHECKED))
        return;
    r->found.has_error = r->found.has_nothing = is_error;
    output_report_remark(&r->output, FINDING_NOTHING_CHECKED, is_error ? FINDING_ERROR : FINDING_NOTE,
                         is_of_cluster
                             ? "the cluster has no policy, no binding, no webhook configuration and no "
                               "CustomResourceDefinition with rules"
                         : r->options->changed_since != NULL
                             ? "no file that was changed has an object that vapcheck checks"
                             : "no file has a policy, a binding, a webhook configuration, rules of a "
                               "CustomResourceDefinition, or another object that vapcheck checks");
}

static void report_suppressed(struct checkrun *r, const struct inputs *inputs)
{
    struct baseline *baseline = r->options->baseline;
    struct output_suppressed *s = &r->suppressed;
    struct output_entry *stale = baseline == NULL ? NULL : baseline_find_stale(baseline, &s->n_stale);
    s->paths = inputs->n_excluded;
    s->stale = stale;
    if (output_is_suppressed(s))
        output_report_suppressed(&r->output, s);
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
    expression_cache_init(&r->expressions);
    r->typesets.identities = &r->identities;
    r->typesets.answers = typecheck_answers_new(ANSWERS_MAX_BYTES);
}

static struct check_outcome end(struct checkrun *r)
{
    output_end(&r->output);
    typecheck_answers_free(r->typesets.answers);
    typesets_deinit(&r->typesets);
    identities_deinit(&r->identities);
    expression_cache_deinit(&r->expressions);
    schemas_put(r->schemas, NULL);
    otherversions_deinit(&r->others);
    crds_free(r->crds);
    objectindex_deinit(&r->objects);
    paramindex_deinit(&r->params);
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
    r.found.has_failed = r.found.has_failed || schemas_has_failed(r.schemas);
    checkrun_say_counts(&r);
    say_nothing(&r, inputs);
    for (size_t i = 0; i < inputs->n_left_out; i++)
        output_report_left_out(&r.output, inputs->left_out[i], NULL);
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
    checkrun_say_counts(&r);
    return end(&r);
}

int check_open_inputs(const struct options *o, struct inputs *inputs, struct err *err)
{
    options_open_inputs(o, inputs);
    if (!options_has_files(o) && liveobjects_add(&o->cluster, inputs, err) != 0)
        return -1;
    return o->changed_since == NULL ? 0 : changed_mark(o->changed_since, inputs, err);
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
