/* -o gitlab: a report of code quality. An issue must have a path: that of an object of a cluster is its
 * title. */
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"
#include "cmd/kubectl-vapcheck/output/codequality.h"
#include "cmd/kubectl-vapcheck/output/fingerprint.h"
#include "cmd/kubectl-vapcheck/output/output.h"

static void begin(struct auditreport *r)
{
    r->issues = json_object_new_array();
}

static void on_object(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found)
{
    cleanup_mem char *title = auditobject_title(object);
    for (size_t i = 0; i < found->count; i++) {
        const struct evaluation_finding *f = &found->items[i];
        cleanup_mem char *said = auditreport_describe(r, f), *text = mem_printf("%s: %s", title, said);
        cleanup_mem char *fingerprint = auditreport_fingerprint(r, object, f);
        const struct codequality_issue issue = {.check = auditreport_id(f->effect),
                                                .severity = auditreport_severity(r, f),
                                                .description = text,
                                                .fingerprint = fingerprint,
                                                .path = object->file[0] == '\0' ? title : object->file,
                                                .first_line = (unsigned)object->line,
                                                .last_line = (unsigned)object->line};
        jsonval_append(r->issues, codequality_issue(&issue));
    }
}

static void add_problem(void *user, const char *file, struct yaml_place where, const char *message)
{
    struct auditreport *r = user;
    cleanup_mem char *what = mem_printf("%s\n%s", file, message);
    cleanup_mem char *fingerprint = fingerprint_of_text(&r->fingerprints, what);
    const struct codequality_issue issue = {.check = "audit-incomplete",
                                            .severity = FINDING_ERROR,
                                            .description = message,
                                            .fingerprint = fingerprint,
                                            .path = file[0] == '\0' ? "cluster" : file,
                                            .first_line = where.line,
                                            .last_line = where.line};
    jsonval_append(r->issues, codequality_issue(&issue));
}

static void end(struct auditreport *r)
{
    auditreport_each_problem(r, add_problem, r);
    output_print_json(r->issues);
    r->issues = NULL;
}

const struct auditreport_format auditreport_gitlab = {.begin = begin, .object = on_object, .end = end};
