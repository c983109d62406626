/* -o json: one object, in the stable form that programs read. */
#include <json-c/json.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/test/report/testreport.h"

struct json_report {
    struct json_object *tests, *warnings, *gaps, *errors;
    const struct testsuite *suite;
    const char *version, *schemas;
};

static struct json_object *string(const char *text)
{
    return json_object_new_string(text);
}

static void put(struct json_object *o, const char *key, const char *text)
{
    jsonval_set(o, key, string(text));
}

static void put_place(struct json_object *o, const char *file, struct yaml_place at)
{
    put(o, "file", file);
    jsonval_set(o, "line", json_object_new_int64((int64_t)at.line));
    jsonval_set(o, "column", json_object_new_int64((int64_t)at.column));
}

static void on_problem(void *user, const struct testproblem *p)
{
    struct json_report *out = user;
    struct json_object *o = json_object_new_object();
    put_place(o, p->file, p->at);
    put(o, "severity", p->is_warning ? "warning" : "error");
    put(o, "message", p->message);
    jsonval_append(out->errors, o);
}

static void on_suite(void *user, const struct testsuite *suite, const char *version)
{
    struct json_report *out = user;
    out->suite = suite;
    out->version = version;
}

static void on_finding(void *user, const struct testfinding *f)
{
    struct json_report *out = user;
    struct json_object *o = json_object_new_object();
    put_place(o, f->file, f->at);
    put(o, "policy", f->name);
    put(o, "kubeVersion", out->version);
    jsonval_set(o, "isRefusal", json_object_new_boolean(f->is_refusal));
    put(o, "title", f->headline);
    put(o, "message", f->text);
    if (*f->hint != '\0')
        put(o, "hint", f->hint);
    jsonval_append(out->warnings, o);
}

static struct json_object *list_values(const struct testresult_part *part)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < part->n_values; i++) {
        const struct testresult_value *v = &part->values[i];
        struct json_object *o = json_object_new_object();
        put(o, "expression", v->part);
        put(o, v->is_error ? "error" : "value", v->text);
        jsonval_append(list, o);
    }
    return list;
}

static struct json_object *list_parts(const struct testresult *r)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < r->n_parts; i++) {
        const struct testresult_part *part = &r->parts[i];
        const struct yaml_node *node = output_find_node(&r->policy->place, part->field);
        struct json_object *o = json_object_new_object();
        put(o, "field", part->field);
        put_place(o, r->policy->place.file, part->at);
        if (node != NULL && json_object_is_type(node->json, json_type_string))
            put(o, "expression", json_object_get_string(node->json));
        jsonval_set(o, "value", part->value == NULL ? NULL : json_object_new_boolean(*part->value == 't'));
        put(o, part->value == NULL ? "error" : "message", part->text);
        jsonval_set(o, "values", list_values(part));
        jsonval_set(o, "valuesOmitted", json_object_new_int64((int64_t)part->n_omitted));
        jsonval_append(list, o);
    }
    return list;
}

static struct json_object *list_costs(const struct testresult_cost *cost)
{
    struct json_object *o = json_object_new_object();
    jsonval_set(o, "matchConditions", json_object_new_uint64(cost->match_conditions));
    jsonval_set(o, "matchConditionsLimit", json_object_new_uint64(POLICY_RUN_MATCH_CONDITION_COST));
    jsonval_set(o, "expressions", json_object_new_uint64(cost->expressions));
    jsonval_set(o, "auditAnnotations", json_object_new_uint64(cost->annotations));
    jsonval_set(o, "expressionsLimit", json_object_new_uint64(POLICY_RUN_COST));
    return o;
}

static void on_result(void *user, const struct testcase *test, const struct testresult *r)
{
    static const char *const words[] = {
        [TESTRESULT_PASSED] = "passed", [TESTRESULT_FAILED] = "failed", [TESTRESULT_BROKEN] = "error"};
    struct json_report *out = user;
    struct json_object *o = json_object_new_object();
    struct json_object *notes = json_object_new_array(), *peers = json_object_new_array();
    cleanup_mem char *headline = r->verdict == TESTRESULT_PASSED ? mem_strdup("") : testreport_headline(r);
    const struct testplace where = testreport_place(test, r);
    put(o, "suite", out->suite->name);
    put(o, "policy", test->policy);
    put(o, "name", test->name);
    put(o, "kubeVersion", out->version);
    put_place(o, test->place.file, test->place.at);
    put(o, "result", words[r->verdict]);
    put(o, "expected", r->expected);
    put(o, "actual", r->actual);
    if (*headline != '\0') {
        struct json_object *place = json_object_new_object();
        put(o, "message", headline);
        put_place(place, where.file, where.at);
        jsonval_set(o, "where", place);
    }
    jsonval_set(o, "isRefusedByServer", json_object_new_boolean(r->is_refused));
    jsonval_set(o, "cost", list_costs(&r->cost));
    jsonval_set(o, "expressions", list_parts(r));
    for (size_t i = 0; i < r->n_notes; i++)
        jsonval_append(r->notes[i].is_of_peer ? peers : notes, string(r->notes[i].text));
    jsonval_set(o, "notes", notes);
    jsonval_set(o, "otherTools", peers);
    jsonval_append(out->tests, o);
}

static void on_gap(void *user, const struct testreport_gap *gap)
{
    struct json_report *out = user;
    struct json_object *o = json_object_new_object();
    put(o, "suite", out->suite->name);
    put(o, "policy", gap->policy->name);
    put(o, "kubeVersion", out->version);
    put(o, "field", gap->field);
    put_place(o, gap->policy->place.file, gap->at);
    put(o, "message", gap->text);
    if (gap->branch != NULL)
        put(o, "branch", gap->branch);
    jsonval_append(out->gaps, o);
}

static void on_end(void *user, const struct testreport_totals *t)
{
    struct json_report *out = user;
    struct json_object *all = json_object_new_object(), *summary = json_object_new_object();
    const struct {
        const char *key;
        size_t count;
    } counts[] = {{"suites", t->suites},
                  {"tests", t->tests},
                  {"passed", t->passed},
                  {"failed", t->failed},
                  {"errors", t->broken},
                  {"unreadable", t->problems},
                  {"covered", t->covered},
                  {"uncovered", t->uncovered},
                  {"branchesReached", t->branches - t->unreached},
                  {"branchesNotReached", t->unreached}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        jsonval_set(summary, counts[i].key, json_object_new_int64((int64_t)counts[i].count));
    jsonval_set(all, "version", json_object_new_int(1));
    put(all, "schemas", out->schemas);
    jsonval_set(all, "tests", out->tests);
    jsonval_set(all, "warnings", out->warnings);
    jsonval_set(all, "notCovered", out->gaps);
    jsonval_set(all, "errors", out->errors);
    jsonval_set(all, "summary", summary);
    output_print_json(all);
    mem_free(out);
}

struct testreport report_json(const struct testreport_options *options)
{
    struct json_report *out = mem_zalloc(sizeof *out);
    out->schemas = options->schemas;
    out->tests = json_object_new_array();
    out->warnings = json_object_new_array();
    out->gaps = json_object_new_array();
    out->errors = json_object_new_array();
    return (struct testreport){on_problem, on_suite, on_finding, on_result, on_gap, on_end, out};
}
