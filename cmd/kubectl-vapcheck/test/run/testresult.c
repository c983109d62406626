#include "cmd/kubectl-vapcheck/test/run/testresult.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/test/run/objectschema.h"
#include "cmd/kubectl-vapcheck/test/run/testmatch.h"
#include "cmd/kubectl-vapcheck/test/run/testmutation.h"

/* Of the lists that a result has. */
enum { PARTS_MAX = 100, TEXT_MAX = 4096, FOLDED_MAX = 100, VALUE_MAX = 200 };

/* Of a test, that have a schema. */
enum { OBJECTS = 4 };

/* A test at hand. */
struct run {
    const struct testresult_context *context;
    const struct testcase *test;
    struct testpolicy *policy;
    const struct testbinding *bindings; /* of the policy; NULL: as if bound with Deny */
    bool is_one_binding;                /* only the first counts */
    struct testrequest request;
    struct testmatch match; /* those that match */
    struct policy_run_result result;
    struct str failure; /* of the policy as a whole; "": none */
    struct testresult *out;
};

static bool is_mutating(const struct run *r)
{
    return r->test->subject == TESTSUBJECT_MUTATING;
}

static bool is_kat(const struct run *r)
{
    return r->context->suite->format == TESTSUITE_KAT;
}

/* ---- texts ---- */

void testresult_note(struct testresult *out, char *text)
{
    out->notes = mem_grow(out->notes, out->n_notes, sizeof(char *));
    out->notes[out->n_notes++] = text;
}

static void note(struct run *r, char *text)
{
    testresult_note(r->out, text);
}

void testresult_set_why(struct testresult *out, enum testresult_verdict verdict, struct testplace place,
                        char *why)
{
    mem_free(out->why);
    out->verdict = verdict;
    out->why = why;
    out->why_place = place;
}

static void set_why(struct run *r, enum testresult_verdict verdict, struct testplace place, char *why)
{
    testresult_set_why(r->out, verdict, place, why);
}

/* Errors may repeat whole objects. */
static char *copy_text(struct str text)
{
    size_t len = text.len;
    if (len <= TEXT_MAX)
        return mem_strndup(text.at, len);
    for (len = TEXT_MAX; len > 0 && ((unsigned char)text.at[len] & 0xc0) == 0x80; len--)
        ;
    return mem_printf("%.*s... (%zu bytes more)", (int)len, text.at, text.len - len);
}

void testresult_add_part(struct testresult *out, char *field, const struct policy_run_at *which,
                         const char *value, struct str text)
{
    if (out->n_parts == PARTS_MAX) {
        mem_free(field);
        return;
    }
    out->parts = mem_grow(out->parts, out->n_parts, sizeof *out->parts);
    out->parts[out->n_parts++] = (struct testresult_part){.field = field,
                                                          .at = output_where(&out->policy->place, field),
                                                          .value = value,
                                                          .text = copy_text(text),
                                                          .is_expression = which != NULL};
    if (which != NULL)
        out->parts[out->n_parts - 1].which = *which;
}

static void add_part(struct run *r, char *field, const struct policy_run_at *which, const char *value,
                     struct str text)
{
    testresult_add_part(r->out, field, which, value, text);
}

/* ---- before the evaluation ---- */

static bool refuse(struct run *r, struct testplace place, char *why)
{
    set_why(r, TESTRESULT_BROKEN, place, why);
    return false;
}

static bool find_policy(struct run *r)
{
    const struct testcase *t = r->test;
    static const char *const kinds[TESTSUBJECTS] = {
        [TESTSUBJECT_VALIDATING] = "ValidatingAdmissionPolicy",
        [TESTSUBJECT_MUTATING] = "MutatingAdmissionPolicy",
        [TESTSUBJECT_WEBHOOK] = "webhook",
    };
    struct testpolicy *p = testpolicies_find(r->context->policies, t->policy, t->subject);
    if (p == NULL)
        return refuse(
            r, t->place,
            mem_printf("there is no %s named %s in the suite's files", kinds[t->subject], t->policy));
    r->out->policy = r->policy = p;
    p->n_tests++;
    if (p->is_refused)
        return refuse(r, (struct testplace){p->place.file, p->refused_at},
                      mem_printf("the API server refuses the %s",
                                 t->subject == TESTSUBJECT_WEBHOOK ? "configuration" : "policy"));
    if (p->trace == NULL)
        return refuse(r, t->place, mem_strdup("there is no memory for the policy"));
    return true;
}

/* kat's bindings are those of the policy, kaptest's the one that the test names. */
static bool find_bindings(struct run *r)
{
    const struct testcase *t = r->test;
    r->bindings = r->context->suite->ignores_bindings ? NULL : r->policy->bindings;
    if (t->binding == NULL)
        return true;
    r->bindings = testpolicies_binding(r->context->policies, t->binding, t->subject);
    r->is_one_binding = true;
    if (r->bindings == NULL)
        return refuse(r, t->place,
                      mem_printf("there is no binding named %s in the suite's files", t->binding));
    if (!jsonval_is(jsonval_get(r->bindings->json, "spec"), "policyName", r->policy->name))
        return refuse(r, t->place,
                      mem_printf("the binding %s is not of the policy %s", t->binding, t->policy));
    return true;
}

/* What no server takes as a selector. */
static bool check_matches(struct run *r)
{
    if (r->policy->match == NULL)
        return refuse(r, (struct testplace){r->policy->place.file, r->policy->place.root->start},
                      mem_strdup(r->policy->problem));
    for (const struct testbinding *b = r->bindings; b != NULL; b = r->is_one_binding ? NULL : b->next) {
        if (b->match == NULL)
            return refuse(r, b->place, mem_strdup(b->problem));
    }
    return true;
}

static bool check_objects(struct run *r)
{
    const struct testcase *t = r->test;
    struct testobject *objects[OBJECTS] = {t->object, t->old_object, t->params, t->mutated};
    for (size_t i = 0; i < OBJECTS; i++) {
        if (objects[i] == NULL || r->context->suite->ignores_schemas)
            continue;
        objectschema_check(objects[i], r->context->schemas);
        if (objects[i]->problem != NULL)
            return refuse(r, (struct testplace){objects[i]->place.file, objects[i]->problem_at},
                          mem_printf("no server takes the object: %s", objects[i]->problem));
    }
    return true;
}

static bool prepare(struct run *r)
{
    const struct testcase *t = r->test;
    if (t->problem != NULL)
        return refuse(r, t->problem_place, mem_strdup(t->problem));
    if (!find_policy(r) || !find_bindings(r) || !check_matches(r) || !check_objects(r))
        return false;
    if (!testrequest_make(t, testpolicies_is_mutating(r->policy), schemas_discovery(r->context->schemas),
                          r->context->namespace, &r->request)) {
        char *problem = r->request.problem;
        r->request.problem = NULL;
        return refuse(r, r->request.problem_place, problem);
    }
    if (!r->request.is_served)
        note(r,
             mem_printf("the server has no kind %s in %s%s%s: the object is not checked, and its resource is "
                        "taken to be %s",
                        r->request.kind, r->request.group, *r->request.group == '\0' ? "" : "/",
                        r->request.version, r->request.resource));
    if (*r->context->steps_left < TESTRESULT_TEST_STEPS)
        return refuse(r, t->place, mem_strdup("all tests together take too much work: this one was not run"));
    return true;
}

/* ---- what was evaluated ---- */

static void count_value(struct testcoverage *coverage, enum policy_run_outcome outcome)
{
    coverage->n_true += outcome == POLICY_RUN_ADMITTED;
    coverage->n_false += outcome == POLICY_RUN_DENIED;
    coverage->n_failed += outcome == POLICY_RUN_FAILED;
}

/* Whether the match conditions let the validations or mutations be evaluated. */
static bool has_passed_conditions(const struct run *r)
{
    const struct policy_run_result *result = &r->result;
    return !result->is_skipped &&
           (result->decision_count == 0 || result->decisions[0].validation != POLICY_RUN_NO_VALIDATION);
}

/* All match conditions are true, or the first false one is known. */
static void count_conditions(struct run *r)
{
    const struct policy_run_policy *shape = &r->policy->shape;
    const struct policy_run_result *result = &r->result;
    const bool has_passed = has_passed_conditions(r);
    for (size_t i = 0; i < shape->match_condition_count; i++) {
        r->policy->conditions[i].n_true += has_passed;
        if (result->false_condition.len != 0 &&
            str_eq(result->false_condition, shape->match_conditions[i].name))
            r->policy->conditions[i].n_false++;
    }
}

/* Each mutation is evaluated, whatever the results of those before it are. */
static void count_mutations(struct run *r)
{
    for (size_t i = 0; i < r->policy->shape.mutation_count; i++)
        r->policy->mutated[i].n_true += has_passed_conditions(r) && r->test->object != NULL;
}

static void count(struct run *r)
{
    const struct policy_run_result *result = &r->result;
    count_conditions(r);
    if (is_mutating(r)) {
        count_mutations(r);
        return;
    }
    for (size_t i = 0; i < result->decision_count; i++) {
        const struct policy_run_decision *d = &result->decisions[i];
        if (d->validation != POLICY_RUN_NO_VALIDATION)
            count_value(&r->policy->validations[d->validation], d->outcome);
    }
}

static char *field_of(const struct run *r, const char *list, size_t i)
{
    return mem_printf("%s.%s[%zu].expression", r->policy->spec, list, i);
}

static void add_false_condition(struct run *r)
{
    const struct policy_run_policy *shape = &r->policy->shape;
    for (size_t i = 0; i < shape->match_condition_count; i++) {
        if (!str_eq(shape->match_conditions[i].name, r->result.false_condition))
            continue;
        add_part(r, field_of(r, "matchConditions", i), &(struct policy_run_at){POLICY_MATCH_CONDITION, i},
                 "false", shape->match_conditions[i].name);
        return;
    }
}

/* Of a decision that is not about the policy as a whole, as the next. */
static struct policy_run_at find_expression(const struct run *r, const struct policy_run_decision *d)
{
    struct policy_run_at at = {POLICY_VALIDATION, d->validation};
    if (is_mutating(r))
        at.place = r->policy->shape.mutations[d->validation].is_json_patch ? POLICY_JSON_PATCH
                                                                           : POLICY_APPLY_CONFIGURATION;
    return at;
}

static char *field_of_decision(const struct run *r, const struct policy_run_decision *d)
{
    return is_mutating(r)
               ? testmutation_field(r->policy->shape.mutations[d->validation].is_json_patch, d->validation)
               : field_of(r, "validations", d->validation);
}

/* Those that decide: the ones that are false or fail; if there is none, all. */
static void add_decisions(struct run *r)
{
    const bool has_decided = r->out->outcome != TESTRESULT_ADMITTED;
    for (size_t i = 0; i < r->result.decision_count; i++) {
        const struct policy_run_decision *d = &r->result.decisions[i];
        if (has_decided && d->outcome == POLICY_RUN_ADMITTED)
            continue;
        const bool is_whole = d->validation == POLICY_RUN_NO_VALIDATION;
        struct policy_run_at which = {POLICY_MATCH_CONDITION, 0};
        if (!is_whole)
            which = find_expression(r, d);
        add_part(r, is_whole ? mem_printf("%s.matchConditions", r->policy->spec) : field_of_decision(r, d),
                 is_whole ? NULL : &which,
                 d->outcome == POLICY_RUN_ADMITTED ? "true"
                 : d->outcome == POLICY_RUN_DENIED ? "false"
                                                   : NULL,
                 d->message);
    }
}

static void add_failed_annotations(struct run *r)
{
    for (size_t i = 0; i < r->result.annotation_count; i++) {
        const struct policy_run_annotation *a = &r->result.annotations[i];
        if (a->publication == POLICY_RUN_ANNOTATION_FAILED)
            add_part(r, mem_printf("spec.auditAnnotations[%zu].valueExpression", i),
                     &(struct policy_run_at){POLICY_AUDIT_ANNOTATION, i}, NULL, a->text);
    }
}

static enum testresult_outcome find_outcome(const struct run *r)
{
    const struct policy_run_result *result = &r->result;
    static const enum testresult_outcome outcomes[TESTSUBJECTS] = {
        [TESTSUBJECT_VALIDATING] = TESTRESULT_ADMITTED,
        [TESTSUBJECT_MUTATING] = TESTRESULT_MUTATED,
        [TESTSUBJECT_WEBHOOK] = TESTRESULT_CALLED,
    };
    const bool is_skipped = result->is_skipped || (is_mutating(r) && r->test->object == NULL);
    enum testresult_outcome outcome = is_skipped ? TESTRESULT_SKIPPED : outcomes[r->test->subject];
    for (size_t i = 0; i < result->decision_count && outcome != TESTRESULT_ERROR; i++) {
        if (result->decisions[i].outcome == POLICY_RUN_FAILED)
            outcome = TESTRESULT_ERROR;
        else if (result->decisions[i].outcome == POLICY_RUN_DENIED)
            outcome = TESTRESULT_DENIED;
    }
    for (size_t i = 0; i < result->annotation_count; i++) {
        if (result->annotations[i].publication == POLICY_RUN_ANNOTATION_FAILED)
            outcome = TESTRESULT_ERROR;
    }
    return outcome;
}

/* Whether a binding that counts has the action. */
static bool has_action(const struct run *r, const char *action)
{
    if (r->bindings == NULL || is_mutating(r)) /* whose bindings have no actions */
        return strcmp(action, "Deny") == 0;
    for (size_t i = 0; i < r->match.count; i++) {
        struct json_object *spec = jsonval_get(r->match.bindings[i]->json, "spec");
        if (jsonval_has_text(jsonval_array(spec, "validationActions"), action))
            return true;
    }
    return false;
}

static bool is_refused(const struct run *r)
{
    const struct policy_run_result *result = &r->result;
    for (size_t i = 0; i < result->annotation_count; i++) {
        if (result->annotations[i].publication == POLICY_RUN_ANNOTATION_FAILED)
            return true;
    }
    for (size_t i = 0; i < result->decision_count; i++) {
        if (result->decisions[i].is_denial && has_action(r, "Deny"))
            return true;
    }
    return false;
}

static struct policy_run_type find_type(const struct run *r, struct json_object *object)
{
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(object, "apiVersion"));
    return schemas_type(r->context->schemas, gv.group, gv.version, jsonval_string_or_empty(object, "kind"));
}

static void find_types(struct run *r)
{
    const struct testcase *t = r->test;
    const struct testobject *object = t->object != NULL ? t->object : t->old_object;
    struct policy_run_request *texts = &r->request.texts;
    if (object != NULL)
        texts->object_type = find_type(r, object->root->json);
    if (t->params != NULL)
        texts->params_type = find_type(r, t->params->root->json);
    texts->objects = r->context->suite->ignores_schemas ? POLICY_RUN_LOOSE : POLICY_RUN_SENT;
}

/* What the evaluator calls spec.matchConditions[0].expression. */
static char *name_field(const struct run *r, struct str name)
{
    const struct str below = name.len == 0 ? name : str_skip(name, STR("spec").len);
    return mem_printf("%s%.*s", name.len == 0 ? "" : r->policy->spec, (int)below.len, below.at);
}

static bool evaluate(struct run *r)
{
    struct policy_run_result *result = &r->result;
    find_types(r);
    r->request.texts.observer = policy_trace_begin(r->policy->trace);
    policy_run_evaluate(r->policy->run, &r->request.texts, result);
    const uint64_t steps = result->arena.steps + TESTRESULT_TEST_STEPS;
    *r->context->steps_left -= steps < *r->context->steps_left ? steps : *r->context->steps_left;
    if (result->missing.len != 0) {
        cleanup_mem char *at = name_field(r, result->missing_at);
        cleanup_mem char *missing = copy_text(result->missing);
        return refuse(r, (struct testplace){r->policy->place.file, output_where(&r->policy->place, at)},
                      mem_printf("%s%s%s", at, *at == '\0' ? "" : ": ", missing));
    }
    if (is_mutating(r) && r->match.count > 1)
        note(r, mem_printf("%zu bindings match: the API server applies the policy for each of them, and this "
                           "test applies it once",
                           r->match.count));
    count(r);
    r->out->outcome = find_outcome(r);
    r->out->is_refused = is_refused(r);
    if (r->out->outcome == TESTRESULT_SKIPPED)
        add_false_condition(r);
    else
        add_decisions(r);
    add_failed_annotations(r);
    return true;
}

/* Nothing could be evaluated; the policy says what the server makes of that. */
static bool end_in_error(struct run *r, const char *field, struct str why)
{
    r->out->outcome = TESTRESULT_ERROR;
    r->out->is_refused = !r->policy->shape.ignores_failures;
    r->failure = why;
    add_part(r, mem_strdup(field), NULL, NULL, why);
    return true;
}

static bool end_unmatched(struct run *r, const char *why)
{
    r->out->outcome = TESTRESULT_UNMATCHED;
    note(r, mem_strdup(why));
    if (r->test->namespace_object == NULL && r->request.namespace_object != NULL)
        note(r, mem_printf("the test gives no Namespace: %s was taken to have no labels but its name",
                           r->request.namespace));
    return true;
}

static bool evaluate_with_params(struct run *r)
{
    struct testmatch *m = &r->match;
    if (r->bindings == NULL || !r->policy->shape.has_params)
        return evaluate(r);
    switch (
        testmatch_take_params(r->policy, &r->request, r->test, schemas_discovery(r->context->schemas), m)) {
    case TESTMATCH_YES:
        break;
    case TESTMATCH_NO:
        return end_unmatched(r, m->why);
    case TESTMATCH_FAILED:
        return end_in_error(r, "spec.paramKind", str_of(m->why));
    case TESTMATCH_UNKNOWN:
        return refuse(r, r->test->place, mem_strdup(m->why));
    }
    if (m->has_null_params && r->test->params != NULL) {
        r->request.texts.params = STR("");
        note(r, mem_strdup("the binding has no paramRef: params is null, whatever params the test has"));
    }
    return evaluate(r);
}

static bool match_and_evaluate(struct run *r)
{
    switch (testmatch_ask(r->policy, r->bindings, r->is_one_binding, &r->request, r->context->schemas,
                          &r->match)) {
    case TESTMATCH_YES:
        return evaluate_with_params(r);
    case TESTMATCH_NO:
        return end_unmatched(r, r->match.why);
    case TESTMATCH_FAILED:
        return end_in_error(r, "spec.matchConstraints", str_of(r->match.why));
    case TESTMATCH_UNKNOWN:
        break;
    }
    return refuse(r, r->test->place, mem_strdup(r->match.why));
}

/* ---- what was expected ---- */

static const char *name_expected(const struct run *r)
{
    switch (r->test->expect) {
    case TESTEXPECT_ADMIT:
        return "admit";
    case TESTEXPECT_ALLOW:
        return "allow";
    case TESTEXPECT_DENY:
        return "deny";
    case TESTEXPECT_SKIP:
        return "skip";
    case TESTEXPECT_ERROR:
        return "error";
    case TESTEXPECT_MUTATE:
        return "mutate";
    case TESTEXPECT_CALL:
        break;
    }
    return "call";
}

static const char *name_actual(const struct run *r)
{
    if (is_kat(r))
        return r->out->is_refused ? "deny" : "allow";
    switch (r->out->outcome) {
    case TESTRESULT_UNMATCHED:
    case TESTRESULT_SKIPPED:
        return "skip";
    case TESTRESULT_ADMITTED:
        return "admit";
    case TESTRESULT_DENIED:
        return "deny";
    case TESTRESULT_ERROR:
        return "error";
    case TESTRESULT_MUTATED:
        return "mutate";
    case TESTRESULT_CALLED:
        return "call";
    case TESTRESULT_UNKNOWN:
        break;
    }
    return "";
}

/* A test of kat expects that the request is allowed or denied; a test of kaptest also tells failures apart.
 */
static bool is_as_expected(const struct run *r)
{
    if (r->out->outcome == TESTRESULT_UNMATCHED && r->test->expect == TESTEXPECT_ADMIT)
        return true;
    return strcmp(name_expected(r), name_actual(r)) == 0;
}

/* What the server refuses with, in its order: validations, audit annotations; or the policy as a whole. */
struct refusals {
    const char *wanted; /* the message of the test; NULL: any */
    bool is_first_only; /* else any may have the message */
    size_t count;
    bool is_found;
    struct str message, reason; /* of the first; "": there is none */
};

static void add_refusal(struct refusals *all, struct str message, struct str reason)
{
    if (all->count++ == 0) {
        all->message = message;
        all->reason = reason;
    }
    if (all->wanted != NULL && (all->count == 1 || !all->is_first_only))
        all->is_found = all->is_found || str_eq(message, str_of(all->wanted));
}

static void find_refusals(const struct run *r, struct refusals *out)
{
    for (size_t i = 0; i < r->result.decision_count; i++) {
        if (r->result.decisions[i].is_denial)
            add_refusal(out, r->result.decisions[i].message, r->result.decisions[i].reason);
    }
    for (size_t i = 0; i < r->result.annotation_count; i++) {
        if (r->result.annotations[i].publication == POLICY_RUN_ANNOTATION_FAILED)
            add_refusal(out, r->result.annotations[i].text, STR("Invalid"));
    }
    if (r->failure.len != 0 && r->out->is_refused)
        add_refusal(out, r->failure, STR("Invalid"));
}

/* kat's message is that of the first refusal, as the server shows it; kaptest's that of any. */
static void check_message(struct run *r)
{
    const struct testcase *t = r->test;
    struct refusals all = {
        .wanted = t->message, .is_first_only = is_kat(r), .message = STR(""), .reason = STR("")};
    find_refusals(r, &all);
    if (t->message != NULL && !all.is_found) {
        cleanup_mem char *message = copy_text(all.message);
        set_why(r, TESTRESULT_FAILED, t->place,
                mem_printf("expected the message \"%s\", got \"%s\"", t->message, message));
    } else if (t->reason != NULL && !str_eq(all.reason, str_of(t->reason))) {
        cleanup_mem char *reason = copy_text(all.reason);
        set_why(r, TESTRESULT_FAILED, t->place,
                mem_printf("expected the reason \"%s\", got \"%s\"", t->reason, reason));
    }
}

/* Of two warnings with the same text, the server sends one. */
static bool is_new(struct keymap *seen, struct str text)
{
    cleanup_mem char *key = mem_strndup(text.at, text.len);
    return keymap_put(seen, key, seen) == NULL;
}

/* Each denial warns, if a binding says so; without the words before it, which name policy and binding. */
static void check_warnings(struct run *r)
{
    const size_t wanted = jsonval_length(r->test->warnings);
    struct keymap seen = {0};
    size_t got = 0;
    if (r->test->warnings == NULL || r->out->why != NULL)
        return;
    for (size_t i = 0; i < r->result.decision_count && r->out->why == NULL && has_action(r, "Warn"); i++) {
        const struct policy_run_decision *d = &r->result.decisions[i];
        if (!d->is_denial || !is_new(&seen, d->message))
            continue;
        if (got < wanted && !str_eq(d->message, str_of(jsonval_text_at(r->test->warnings, got)))) {
            cleanup_mem char *message = copy_text(d->message);
            set_why(r, TESTRESULT_FAILED, r->test->place,
                    mem_printf("expected the warning \"%s\", got \"%s\"",
                               jsonval_text_at(r->test->warnings, got), message));
        }
        got++;
    }
    keymap_deinit(&seen, NULL);
    if (got != wanted && r->out->why == NULL)
        set_why(r, TESTRESULT_FAILED, r->test->place,
                mem_printf("expected %zu warning%s, got %zu", wanted, wanted == 1 ? "" : "s", got));
}

/* The value of a key that is published; "": it is not. */
static struct str find_annotation(const struct run *r, const char *key)
{
    for (size_t i = 0; i < r->result.annotation_count; i++) {
        const struct policy_run_annotation *a = &r->result.annotations[i];
        if (a->publication == POLICY_RUN_PUBLISHED && str_eq(a->key, str_of(key)))
            return a->text;
    }
    return (struct str){"", 0};
}

static void check_annotations(struct run *r)
{
    if (r->test->annotations == NULL || r->out->why != NULL)
        return;
    json_object_object_foreach(r->test->annotations, key, value)
    {
        const struct str got = find_annotation(r, key);
        const char *wanted = value == NULL ? "" : json_object_get_string(value);
        if (str_eq(got, str_of(wanted)))
            continue;
        cleanup_mem char *text = copy_text(got);
        set_why(r, TESTRESULT_FAILED, r->test->place,
                mem_printf("expected the audit annotation %s to be \"%s\", got \"%s\"", key, wanted, text));
        return;
    }
}

/* The object that the mutations made. */
static void check_mutated(struct run *r)
{
    struct testmutation differences;
    const bool is_evaluated = r->result.expected.len != 0;
    if (r->test->mutated == NULL || r->out->why != NULL)
        return;
    testmutation_compare(r->test, is_evaluated ? r->result.expected : r->request.texts.expected,
                         is_evaluated ? r->result.mutated : r->request.texts.object, &differences);
    if (differences.count > 0)
        set_why(r, TESTRESULT_FAILED, r->test->place,
                mem_printf("the object after the mutations differs in %zu place%s from what is expected",
                           differences.count, differences.count == 1 ? "" : "s"));
    for (size_t i = 0; i < differences.n_items; i++)
        note(r, mem_strdup(differences.items[i]));
    testmutation_deinit(&differences);
}

/* ---- where the peers decide otherwise ---- */

static void explain_error(struct run *r)
{
    const char *policy = r->policy->shape.ignores_failures ? "Ignore" : "Fail";
    if (is_kat(r))
        note(r,
             mem_printf("the policy fails, and the API server then %s the request (failurePolicy: %s); kat "
                        "calls that an error",
                        r->out->is_refused ? "denies" : "admits", policy));
    else if (r->test->expect == TESTEXPECT_ERROR)
        note(r, mem_printf("in a cluster the request is %s (failurePolicy: %s)",
                           r->out->is_refused ? "denied" : "admitted", policy));
}

/* kat looks at the namespaceSelector of a binding alone, kaptest at nothing. */
static void explain(struct run *r)
{
    if (r->out->outcome == TESTRESULT_ERROR)
        explain_error(r);
    if (is_mutating(r) && r->test->object == NULL && r->out->outcome == TESTRESULT_SKIPPED)
        note(r, mem_strdup("there is no object to change: the API server does not evaluate the mutations, "
                           "and admits the request"));
    else if (r->test->subject == TESTSUBJECT_WEBHOOK) /* of which neither of them knows */
        return;
    else if (r->out->outcome == TESTRESULT_UNMATCHED &&
             (!is_as_expected(r) || r->test->expect == TESTEXPECT_ADMIT))
        note(r, mem_printf("the API server does not ask the policy, and admits the request; %s evaluates it",
                           is_kat(r) ? "kat, which looks at the namespaceSelector of a binding alone,"
                                     : "kaptest"));
}

static void compare(struct run *r)
{
    r->out->actual = name_actual(r);
    explain(r);
    if (!is_as_expected(r)) {
        r->out->verdict = TESTRESULT_FAILED;
        return;
    }
    check_message(r);
    check_warnings(r);
    check_annotations(r);
    check_mutated(r);
}

/* ---- why it did not pass ---- */

static char *cut_text(struct str text, size_t most)
{
    const size_t cut = utf8_cut(text.at, text.len, most);
    return mem_printf("%.*s%s", (int)cut, text.at, cut < text.len ? "..." : "");
}

char *testresult_fold(struct str text)
{
    char *folded = cut_text(text, FOLDED_MAX), *to = folded;
    for (const char *from = folded; *from != '\0'; from++) {
        if (strchr(" \t\r\n", *from) == NULL)
            *to++ = *from;
        else if (strchr(" \t\r\n", from[1]) == NULL) /* the last of several stands for all */
            *to++ = ' ';
    }
    *to = '\0';
    return folded;
}

static void add_values(const struct run *r, struct testresult_part *part)
{
    struct policy_trace_values values;
    policy_trace_values(r->policy->trace, part->which, &values);
    part->values = mem_array(values.count + 1, sizeof *part->values);
    part->n_omitted = values.omitted;
    for (; part->n_values < values.count; part->n_values++) {
        const struct policy_trace_value *v = &values.items[part->n_values];
        part->values[part->n_values] = (struct testresult_value){
            .part = testresult_fold(v->part), .text = cut_text(v->text, VALUE_MAX), .is_error = v->is_error};
    }
    policy_trace_values_deinit(&values);
}

static void explain_parts(struct run *r)
{
    for (size_t i = 0; r->out->verdict != TESTRESULT_PASSED && i < r->out->n_parts; i++) {
        if (r->out->parts[i].is_expression)
            add_values(r, &r->out->parts[i]);
    }
}

void testresult_run(const struct testresult_context *context, const struct testcase *test,
                    struct testresult *out)
{
    struct run r = {.context = context, .test = test, .out = out};
    *out = (struct testresult){.verdict = TESTRESULT_PASSED, .actual = ""};
    out->expected = name_expected(&r);
    if (prepare(&r) && match_and_evaluate(&r)) {
        compare(&r);
        explain_parts(&r);
    }
    policy_run_result_deinit(&r.result);
    testrequest_deinit(&r.request);
    testmatch_deinit(&r.match);
}

void testresult_deinit(struct testresult *out)
{
    for (size_t i = 0; i < out->n_parts; i++) {
        mem_free(out->parts[i].field);
        mem_free(out->parts[i].text);
        for (size_t k = 0; k < out->parts[i].n_values; k++) {
            mem_free(out->parts[i].values[k].part);
            mem_free(out->parts[i].values[k].text);
        }
        mem_free(out->parts[i].values);
    }
    mem_free(out->parts);
    for (size_t i = 0; i < out->n_notes; i++)
        mem_free(out->notes[i]);
    mem_free(out->notes);
    mem_free(out->why);
}
