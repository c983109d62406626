/*
 * crd_report: the result of crd_cmd, as text and as JSON.
 *
 *     crd_report_text(&report);
 *     crd_report_deinit(&report);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CRD_REPORT_H
#define CMD_KUBECTL_VAPCHECK_CRD_REPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/keymap.h"
#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"
#include "cmd/kubectl-vapcheck/output/frame.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/output/style.h"

enum { CRD_REPORT_VERSIONS = 32 };

/* The cost on one version of Kubernetes. */
struct crd_report_cost {
    bool is_known; /* it compiled there, and was reached */
    uint64_t cost;
    bool has_moved;
    uint64_t moved; /* the cost if the bounds in allOf stood beside it */
};

/* A rule, or all rules of a schema. */
struct crd_report_line {
    char *field;
    struct yaml_place where;
    struct frame frame; /* the line of the file */
    char *hint;         /* which bound is enough; NULL: it is not known, or not needed */
    bool is_schema;
    struct crd_report_cost costs[CRD_REPORT_VERSIONS];
};

struct crd_report_bound {
    char *field;
    struct yaml_place where;
    struct frame frame;
    const char *keyword;
    int64_t bound;
};

/* A CustomResourceDefinition. */
struct crd_report_entry {
    char *file, *name;
    size_t document, line;
    struct crd_report_line **lines; /* a schema follows its rules */
    size_t count;
    struct keymap by_field;          /* lines */
    struct crd_report_bound *bounds; /* those in allOf that would make a rule cheaper */
    size_t n_bounds;
    bool is_partial; /* a limit was reached before the end */
};

struct crd_report {
    const struct bundle *versions[CRD_REPORT_VERSIONS];
    size_t n_versions;
    struct crd_report_entry *entries;
    size_t count;
    size_t n_skipped; /* other objects */
    struct style_sequences style;
    struct output_suppressed suppressed;
    struct json_object *errors; /* as -o json has them */
};

/* Adds an entry, which belongs to the report. */
struct crd_report_entry *crd_report_add(struct crd_report *report, const struct output_place *place);
/* Finds the line of a field, or adds it. It belongs to the entry. */
struct crd_report_line *crd_report_line_of(struct crd_report_entry *entry, const struct output_place *place,
                                           const char *field, bool is_schema);

/* Returns true if the line's expression costs more than some version allows. */
bool crd_report_is_over(const struct crd_report *report, const struct crd_report_line *line);

void crd_report_text(const struct crd_report *report);
void crd_report_json(const struct crd_report *report);
void crd_report_deinit(struct crd_report *report);

#endif
