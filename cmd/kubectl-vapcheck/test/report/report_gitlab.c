/* -o gitlab: a report of code quality, which GitLab shows in merge requests: one JSON array. */
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/codequality.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/test/report/remarks.h"

struct gitlab_report {
    struct json_object *issues;
    struct keymap fingerprints;
};

static void add(void *user, const struct remark *r)
{
    struct gitlab_report *out = user;
    cleanup_mem char *text = remarks_text(r), *fingerprint = remarks_fingerprint(&out->fingerprints, r);
    const struct codequality_issue issue = {.check = remarks_id(r->kind),
                                            .severity = r->severity,
                                            .description = text,
                                            .fingerprint = fingerprint,
                                            .path = r->file,
                                            .first_line = r->at.line,
                                            .last_line = r->at.line};
    jsonval_append(out->issues, codequality_issue(&issue));
}

static void end(void *user)
{
    struct gitlab_report *out = user;
    output_print_json(out->issues);
    keymap_deinit(&out->fingerprints, NULL);
    mem_free(out);
}

struct testreport report_gitlab(const struct testreport_options *options)
{
    struct gitlab_report *out = mem_zalloc(sizeof *out);
    out->issues = json_object_new_array();
    return remarks_report(options, (struct remarks_format){add, end, out});
}
