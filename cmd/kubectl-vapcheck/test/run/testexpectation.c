#include "cmd/kubectl-vapcheck/test/run/testexpectation.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/test/run/testmutation.h"

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

static void find_refusals(const struct testevaluation *e, bool is_refused, struct refusals *out)
{
    for (size_t i = 0; i < e->result.decision_count; i++) {
        if (e->result.decisions[i].is_denial)
            add_refusal(out, e->result.decisions[i].message, e->result.decisions[i].reason);
    }
    for (size_t i = 0; i < e->result.annotation_count; i++) {
        if (e->result.annotations[i].publication == POLICY_RUN_ANNOTATION_FAILED)
            add_refusal(out, e->result.annotations[i].text, STR("Invalid"));
    }
    if (e->end == TESTEVALUATION_FAILED && is_refused)
        add_refusal(out, str_of(e->match.why), STR("Invalid"));
}

/* kat's message is that of the first refusal, as the server shows it; kaptest's that of any. */
static void check_message(const struct testevaluation *e, struct testresult *out)
{
    const struct testcase *t = e->test;
    struct refusals all = {.wanted = t->message,
                           .is_first_only = testevaluation_is_kat(e),
                           .message = STR(""),
                           .reason = STR("")};
    find_refusals(e, out->is_refused, &all);
    if (t->message != NULL && !all.is_found) {
        cleanup_mem char *message = testresult_text(all.message);
        fail(e, out, mem_printf("expected the message \"%s\", got \"%s\"", t->message, message));
    } else if (t->reason != NULL && !str_eq(all.reason, str_of(t->reason))) {
        cleanup_mem char *reason = testresult_text(all.reason);
        fail(e, out, mem_printf("expected the reason \"%s\", got \"%s\"", t->reason, reason));
    }
}

/* ---- warnings and annotations ---- */

/* The messages of the denials, each once, since of two equal warnings the server sends one. The caller frees
 * the array. */
static struct str *find_messages(const struct policy_run_result *result, size_t *count)
{
    struct str *found = mem_array(result->decision_count + 1, sizeof *found);
    struct keymap seen = {0};
    *count = 0;
    for (size_t i = 0; i < result->decision_count; i++) {
        const struct policy_run_decision *d = &result->decisions[i];
        cleanup_mem char *key = mem_strndup(d->message.at, d->message.len);
        if (d->is_denial && keymap_put(&seen, key, &seen) == NULL)
            found[(*count)++] = d->message;
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
    size_t count;
    if (list == NULL || out->why != NULL)
        return;
    struct str *messages = find_messages(&e->result, &count);
    const size_t got = count * testevaluation_count_bindings(e, "Warn");
    for (size_t i = 0; i < wanted && i < got && out->why == NULL; i++) {
        const char *expected = jsonval_text_at(list, i);
        cleanup_mem char *message = testresult_text(messages[i % count]);
        if (!str_eq(messages[i % count], str_of(expected)))
            fail(e, out, mem_printf("expected the warning \"%s\", got \"%s\"", expected, message));
    }
    if (got != wanted && out->why == NULL)
        fail(e, out, mem_printf("expected %zu warning%s, got %zu", wanted, wanted == 1 ? "" : "s", got));
    mem_free(messages);
}

/* The value of a key that is published; "": it is not. */
static struct str find_annotation(const struct policy_run_result *result, const char *key)
{
    for (size_t i = 0; i < result->annotation_count; i++) {
        const struct policy_run_annotation *a = &result->annotations[i];
        if (a->publication == POLICY_RUN_PUBLISHED && str_eq(a->key, str_of(key)))
            return a->text;
    }
    return (struct str){"", 0};
}

static void check_annotations(const struct testevaluation *e, struct testresult *out)
{
    if (e->test->annotations == NULL || out->why != NULL)
        return;
    jsonval_each(e->test->annotations, key, value)
    {
        const struct str got = find_annotation(&e->result, key);
        const char *wanted = value == NULL ? "" : json_object_get_string(value);
        if (str_eq(got, str_of(wanted)))
            continue;
        cleanup_mem char *text = testresult_text(got);
        fail(e, out,
             mem_printf("expected the audit annotation %s to be \"%s\", got \"%s\"", key, wanted, text));
        return;
    }
}

/* ---- the object that the mutations made ---- */

static void check_mutated(const struct testevaluation *e, struct testresult *out)
{
    struct testmutation differences;
    const bool is_evaluated = e->result.expected.len != 0;
    if (e->test->mutated == NULL || out->why != NULL)
        return;
    testmutation_compare(e->test, is_evaluated ? e->result.expected : e->request.texts.expected,
                         is_evaluated ? e->result.mutated : e->request.texts.object, &differences);
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
