/*
 * auditreport: what an audit found, written object by object as it is found.
 *
 *     struct auditreport r = {.format = auditreport_find(FORMATS_JSON), .book = &book};
 *     auditreport_begin(&r);
 *     auditreport_object(&r, &object, &findings);        for each object with findings, or without
 *     auditreport_end(&r);
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_AUDITREPORT_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_AUDITREPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/audit/evaluation.h"
#include "cmd/kubectl-vapcheck/output/formats.h"

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
    size_t n_objects, n_kinds;    /* that were looked at */
    size_t n_with[AUDIT_EFFECTS]; /* objects */
    size_t n_written;             /* results; from the second on a separator stands before them */
    size_t n_assumed;             /* namespaces that no file has */
    bool is_of_files;             /* whose objects lack the server's defaults */
    struct json_object *not_read; /* [{"what", "message"}]; NULL: all was read */
    struct json_object *errors;   /* of files, as check has them; NULL: none */
};

/* NULL: audit does not have it. */
const struct auditreport_format *auditreport_find(enum formats format);

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

/* Whether there are findings, or something could not be done. That mutating policies change objects is what
 * they are for. */
bool auditreport_has_findings(const struct auditreport *r);

/* ---- for the formats ---- */

extern const struct auditreport_format auditreport_text, auditreport_json, auditreport_sarif,
    auditreport_openreports, auditreport_openreports_json;

/* "Deployment web/frontend". The caller frees it. */
char *auditreport_title(const struct auditobject *object);
/* "refused by policy p, binding b, on CREATE and UPDATE: MESSAGE". The caller frees it. */
char *auditreport_describe(const struct auditreport *r, const struct evaluation_finding *finding);
/* Whether an expression fails because an object lacks a field that a server might set: one of a file, or one
 * that mutating policies made. */
bool auditreport_may_be_default(const struct auditreport *r, const struct evaluation_finding *finding);
/* "validations[0]", "mutations[0]"; NULL: neither. The caller frees it. */
char *auditreport_rule(const struct auditreport *r, const struct evaluation_finding *finding);
/* The name of the binding; NULL: no binding in particular. */
const char *auditreport_binding(const struct auditreport *r, const struct evaluation_finding *finding);
/* ["CREATE", "UPDATE"]; the caller puts it. */
struct json_object *auditreport_operations(const struct evaluation_finding *finding);
/* Writes JSON, which it takes, after a comma where another result was written before. */
void auditreport_write(struct auditreport *r, struct json_object *take_json);
/* Adds a text; NULL: nothing. */
void auditreport_put(struct json_object *object, const char *name, const char *text);

#endif
