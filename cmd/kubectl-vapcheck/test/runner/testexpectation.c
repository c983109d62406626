#include "cmd/kubectl-vapcheck/test/runner/testexpectation.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/test/runner/testmutation.h"

/* ---- the decision ---- */

const char *testexpectation_expected(const struct testcase *test)
{
    switch (test->expect) {
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

/* A test of kat expects that the request is allowed or denied; a test of kaptest also tells failures apart.
 */
const char *testexpectation_actual(const struct testsuite *suite, const struct testresult *result)
{
    if (suite->format == TESTSUITE_KAT)
        return result->is_refused ? "deny" : "allow";
    switch (result->outcome) {
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

bool testexpectation_is_met(const struct testsuite *suite, const struct testcase *test,
                            const struct testresult *result)
{
    if (result->outcome == TESTRESULT_UNMATCHED && test->expect == TESTEXPECT_ADMIT)
        return true;
    return strcmp(testexpectation_expected(test), testexpectation_actual(suite, result)) == 0;
}

static void fail(const struct testevaluation *e, struct testresult *out, char *take_why)
{
    testresult_set_why(out, TESTRESULT_FAILED, e->test->place, take_why);
}

/* ---- message and reason ---- */

/* The server's refusals, in its order: validations, audit annotations; or the policy as a whole. */
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

/* Finds the refusals. Failures that are only audited or warned about count, too: with the action Deny they
 * would refuse. */
static void find_refusals(const struct testevaluation *e, struct refusals *out)
{
    for (size_t i = 0; i < e->answer.n_events; i++) {
        const struct dispatch_event *event = &e->answer.events[i];
        if (event->effect != DISPATCH_ANNOTATE)
            add_refusal(out, str_of(event->message), str_of(event->reason));
    }
}

/* kat's message is that of the first refusal, as the server shows it; kaptest's that of any. */
static void check_message(const struct testevaluation *e, struct testresult *out)
{
    const struct testcase *t = e->test;
    struct refusals all = {.wanted = t->message,
                           .is_first_only = testevaluation_is_kat(e),
                           .message = STR(""),
                           .reason = STR("")};
    find_refusals(e, &all);
    if (t->message != NULL && !all.is_found) {
        cleanup_mem char *message = testresult_text(all.message);
        fail(e, out, mem_printf("expected the message \"%s\", got \"%s\"", t->message, message));
    } else if (t->reason != NULL && !str_eq(all.reason, str_of(t->reason))) {
        cleanup_mem char *reason = testresult_text(all.reason);
        fail(e, out, mem_printf("expected the reason \"%s\", got \"%s\"", t->reason, reason));
    }
}

/* ---- warnings and annotations ---- */

/* The warnings, each once, since of two equal ones the server sends one. The caller frees the array. */
static const char **find_warnings(const struct dispatch_answer *answer, size_t *count)
{
    const char **found = mem_array(answer->n_events + 1, sizeof *found);
    struct keymap seen = {0};
    *count = 0;
    for (size_t i = 0; i < answer->n_events; i++) {
        const struct dispatch_event *event = &answer->events[i];
        cleanup_mem char *key = mem_printf("%zu %s", event->binding, event->message);
        if (event->effect == DISPATCH_WARN && keymap_put(&seen, key, &seen) == NULL)
            found[(*count)++] = event->message;
    }
    keymap_deinit(&seen, NULL);
    return found;
}

/* Each binding that says so warns of each denial. The words before the message, which name policy and
 * binding, are not compared. */
static void check_warnings(const struct testevaluation *e, struct testresult *out)
{
    struct json_object *list = e->test->warnings;
    const size_t wanted = jsonval_length(list);
    size_t got;
    if (list == NULL || out->why != NULL)
        return;
    const char **warnings = find_warnings(&e->answer, &got);
    for (size_t i = 0; i < wanted && i < got && out->why == NULL; i++) {
        const char *expected = jsonval_text_at(list, i);
        cleanup_mem char *message = testresult_text(str_of(warnings[i]));
        if (strcmp(warnings[i], expected) != 0)
            fail(e, out, mem_printf("expected the warning \"%s\", got \"%s\"", expected, message));
    }
    if (got != wanted && out->why == NULL)
        fail(e, out, mem_printf("expected %zu warning%s, got %zu", wanted, wanted == 1 ? "" : "s", got));
    mem_free(warnings);
}

/* The value of a key that is published; "": it is not. */
static const char *find_annotation(const struct dispatch_answer *answer, const char *key)
{
    for (size_t i = 0; i < answer->n_events; i++) {
        const struct dispatch_event *event = &answer->events[i];
        if (event->effect == DISPATCH_ANNOTATE && strcmp(event->key, key) == 0)
            return event->message;
    }
    return "";
}

static void check_annotations(const struct testevaluation *e, struct testresult *out)
{
    if (e->test->annotations == NULL || out->why != NULL)
        return;
    jsonval_each(e->test->annotations, key, value)
    {
        const char *got = find_annotation(&e->answer, key);
        const char *wanted = value == NULL ? "" : json_object_get_string(value);
        if (strcmp(got, wanted) == 0)
            continue;
        cleanup_mem char *text = testresult_text(str_of(got));
        fail(e, out,
             mem_printf("expected the audit annotation %s to be \"%s\", got \"%s\"", key, wanted, text));
        return;
    }
}

/* ---- the object that the mutations made ---- */

static void check_mutated(const struct testevaluation *e, struct testresult *out)
{
    struct testmutation differences;
    const struct dispatch_evaluations *all = &e->answer.evaluations;
    const struct policy_run_result *last = NULL;
    if (e->test->mutated == NULL || out->why != NULL)
        return;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i]->result.expected.len != 0)
            last = &all->items[i]->result;
    }
    if (last != NULL) {
        testmutation_compare(e->test, last->expected, last->mutated, &differences);
    } else {
        cleanup_mem char *object = testrequest_object(&e->request);
        testmutation_compare(e->test, str_of(e->request.expected), str_of(object), &differences);
    }
    if (differences.count > 0)
        fail(e, out,
             mem_printf("the object after the mutations differs in %zu place%s from what is expected",
                        differences.count, differences.count == 1 ? "" : "s"));
    for (size_t i = 0; i < differences.n_items; i++)
        testresult_note(out, mem_strdup(differences.items[i]));
    testmutation_deinit(&differences);
}

void testexpectation_compare(const struct testevaluation *e, struct testresult *out)
{
    check_message(e, out);
    check_warnings(e, out);
    check_annotations(e, out);
    check_mutated(e, out);
}
