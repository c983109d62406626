/*
 * auditreport: the findings of an audit, written object by object at once, or policy by policy at the end.
 *
 *     struct auditreport r = {.format = auditreport_find(OUTPUT_FORMAT_JSON), .book = &book, .style =
 * &style}; auditreport_begin(&r); auditreport_object(&r, &object, &findings);        for each object with
 * findings, or without auditreport_end(&r);
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_AUDITREPORT_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_AUDITREPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/keymap.h"
#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/audit/auditlines.h"
#include "cmd/kubectl-vapcheck/audit/evaluation.h"
#include "cmd/kubectl-vapcheck/output/output_format.h"
#include "cmd/kubectl-vapcheck/output/style.h"

struct auditreport;

struct auditreport_format {
    void (*begin)(struct auditreport *r);
    void (*object)(struct auditreport *r, const struct auditobject *object,
                   const struct evaluation_findings *found);
    void (*end)(struct auditreport *r);
};

struct auditreport {
    const struct auditreport_format *format;
    const struct rulebook *book;
    const struct style *style;
    const char *schemas;          /* their origin: "bundle", "directory", "cluster" */
    struct auditlines lines;      /* of the formats that print policy by policy */
    struct keymap fingerprints;   /* of the formats that have them */
    size_t n_objects, n_kinds;    /* that were looked at */
    size_t n_with[AUDIT_EFFECTS]; /* objects */
    size_t n_written;             /* results; from the second on a separator stands before them */
    size_t n_assumed;             /* namespaces that no file has */
    bool is_of_files;             /* whose objects lack what a server takes from its cluster */
    char *of_cluster;           /* that of the object which is written now (clusterfields.h); NULL: nothing */
    struct json_object *issues; /* of the format that prints them at the end; else NULL */
    struct json_object *not_read; /* [{"what", "message"}]; NULL: all was read */
    struct json_object *errors;   /* of files, as check has them; NULL: none */
};

/* Returns NULL if audit does not have it. */
const struct auditreport_format *auditreport_find(enum output_format format);

void auditreport_begin(struct auditreport *r);
/* Counts, and writes the findings, if there are any. */
void auditreport_object(struct auditreport *r, const struct auditobject *object,
                        const struct evaluation_findings *found);
/* The problems of policies, what could not be read, and the sums. */
void auditreport_end(struct auditreport *r);
void auditreport_deinit(struct auditreport *r);

void auditreport_add_not_read(struct auditreport *r, const char *what, const char *message);
/* Adds an error of a file, at a place; line 0: no place. */
void auditreport_add_error(struct auditreport *r, const char *file, const struct yaml_place *where,
                           const char *message);

/* Sets *has_error to true if a request would be refused, or something could not be done, and *has_warning if
 * a request would get a warning or a note. A change by a mutating policy is neither, since that is what such
 * policies are for. */
void auditreport_judge(const struct auditreport *r, bool *has_error, bool *has_warning);

/* ---- for the formats ---- */

extern const struct auditreport_format auditreport_text, auditreport_json, auditreport_sarif,
    auditreport_junit, auditreport_github, auditreport_gitlab, auditreport_openreports,
    auditreport_openreports_json;

/* Keeps an object's findings in r->lines. */
void auditreport_keep(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found);
/* Returns how an effect is called where it is a finding: "audit-refused". */
const char *auditreport_id(enum audit_effect effect);
/* Returns how bad the finding is. */
enum finding_severity auditreport_severity(const struct auditreport *r,
                                           const struct evaluation_finding *finding);
/* A text that stays the same for a finding from run to run. The caller frees it. */
char *auditreport_fingerprint(struct auditreport *r, const struct auditobject *object,
                              const struct evaluation_finding *finding);
/* Calls tell for all that could not be read or evaluated; file "" and line 0: no place. */
typedef void auditreport_tell(void *user, const char *file, struct yaml_place where, const char *message);
void auditreport_each_problem(const struct auditreport *r, auditreport_tell *tell, void *user);

/* "refused by policy p, binding b, on CREATE and UPDATE: MESSAGE". The caller frees it. */
char *auditreport_describe(const struct auditreport *r, const struct evaluation_finding *finding);
/* Returns why a policy was not evaluated to the end; NULL if it was. The caller frees it. */
char *auditreport_problem(const struct rulebook_policy *policy);
/* "1 refused, 2 warned": the counts that are not 0. The caller frees it. */
char *auditreport_counts(const size_t counts[AUDIT_EFFECTS]);
/* Returns true if an expression fails because an object of a file lacks a field, and the server sets fields
 * of such objects from the state of the cluster. */
bool auditreport_may_be_default(const struct auditreport *r, const struct evaluation_finding *finding);
/* Returns "validations[0]" or "mutations[0]"; NULL if the finding is about neither. The caller frees it. */
char *auditreport_rule(const struct auditreport *r, const struct evaluation_finding *finding);
/* The name of the binding; NULL if it is about no binding in particular. */
const char *auditreport_binding(const struct auditreport *r, const struct evaluation_finding *finding);
/* ["CREATE", "UPDATE"]; the caller puts it. */
struct json_object *auditreport_operations(const struct evaluation_finding *finding);
/* Writes JSON, which it takes, after a comma where another result was written before. */
void auditreport_write(struct auditreport *r, struct json_object *take_json);
/* Adds a text; NULL: nothing. */
void auditreport_put(struct json_object *object, const char *name, const char *text);

#endif
