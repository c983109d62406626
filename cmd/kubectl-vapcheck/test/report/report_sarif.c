/* -o sarif: SARIF 2.1.0, one run; its rules are the kinds of remarks. */
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/output/sarif.h"
#include "cmd/kubectl-vapcheck/test/report/remarks.h"

struct sarif_report {
    struct json_object *results;
    struct keymap fingerprints;
};

static void add(void *user, const struct remark *r)
{
    struct sarif_report *out = user;
    struct json_object *result = json_object_new_object();
    cleanup_mem char *text = remarks_text(r), *fingerprint = remarks_fingerprint(&out->fingerprints, r);
    sarif_put(result, "ruleId", remarks_id(r->kind));
    jsonval_set(result, "ruleIndex", json_object_new_int((int)r->kind));
    sarif_put(result, "level", finding_severity_name(r->severity));
    sarif_put_message(result, "message", text);
    jsonval_set(result, "locations", sarif_locations(r->file, r->at, r->at, NULL));
    sarif_put_fingerprint(result, "vapcheckTest/v1", fingerprint);
    jsonval_append(out->results, result);
}

static struct json_object *make_tool(void)
{
    static const char *const texts[REMARK_KINDS] = {
        [REMARK_SUITE] = "A file of a test suite cannot be read, or a part of it is wrong.",
        [REMARK_POLICY] = "The checker has a finding about a policy that is tested.",
        [REMARK_FAILED] = "A test failed, or could not be run.",
        [REMARK_MISSING] = "No test reaches a part of a policy.",
    };
    struct json_object *rules = json_object_new_array();
    for (size_t i = 0; i < REMARK_KINDS; i++)
        jsonval_append(rules, sarif_rule(remarks_id((enum remark_kind)i), texts[i]));
    return sarif_tool(rules);
}

static void end(void *user)
{
    struct sarif_report *out = user;
    struct json_object *run = json_object_new_object();
    jsonval_set(run, "tool", make_tool());
    jsonval_set(run, "results", out->results);
    output_print_json(sarif_document(run));
    keymap_deinit(&out->fingerprints, NULL);
    mem_free(out);
}

struct testreport report_sarif(const struct testreport_options *options)
{
    struct sarif_report *out = mem_zalloc(sizeof *out);
    out->results = json_object_new_array();
    return remarks_report(options, (struct remarks_format){add, end, out});
}
