/*
 * output: prints the findings of a check; each format is one implementation.
 *
 * Its functions are called in the order of the input: file by file, document by document.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_OUTPUT_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_OUTPUT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/text/yaml.h"
#include "client/text/yaml_edit.h"
#include "controller/apiserver/validation/fielderrors.h"
#include "controller/findings/check.h"
#include "controller/findings/conditions.h"
#include "controller/findings/finding.h"

/* A document of a file. */
struct output_place {
    const char *file;
    size_t document;              /* counted from 0 within the file */
    struct yaml *yaml;            /* the file's text */
    const struct yaml_node *root; /* the object's node */
};

/* Says who gives a warning. */
enum output_source {
    OUTPUT_UPSTREAM,   /* kube-controller-manager, and we */
    OUTPUT_VAPCHECK,   /* we alone */
    OUTPUT_API_SERVER, /* the API server, when it takes the object */
};

struct output_warning {
    enum finding_id id;
    size_t expression;                /* of the policy's, if there are issues */
    const char *field;                /* "spec.validations[0].expression" */
    const char *text;                 /* ends in a line feed */
    size_t len;                       /* of text, which may hold NUL */
    const char *first;                /* its first issue; NULL where there are none */
    enum issue_code consequence;      /* the issues' consequence for the whole; ISSUE_OTHER: none */
    struct extent at;                 /* of that issue in the expression */
    const char *hint;                 /* the text that was probably meant; "" if it is not certain */
    uint32_t hint_at;                 /* the place in the expression that it changes first; 0: not known */
    bool is_claim;                    /* nothing fails: its severity is no more than warning */
    const struct check_issue *issues; /* scope full: all that are in it */
    size_t n_issues;
    enum output_source source;
    const struct output_witness *witnesses; /* one an issue, if they are wanted */
    size_t n_witnesses;
};

/* Another finding, in one line. */
struct output_extra {
    enum finding_id id;
    const char *field; /* the field that it is about; NULL for the whole object */
    const char *text;
    struct yaml_place at, end; /* line 0: the field's */
    const char *hint;          /* the text to write instead; NULL: it has none */
    bool is_note;              /* its severity is note, whatever that of its identifier is */
};

/* The edits of the file after which the findings about an expression go away: they were tried. */
struct output_fix {
    const char *field;
    const struct yaml_edit *edits; /* all of them together */
    size_t n_edits;
    bool has_words; /* the hint says more than the edits */
};

/* The results about a policy, a binding or a CustomResourceDefinition. */
struct output_finding {
    const char *name;
    const struct fielderrors *refusals;
    const char *const *hints; /* by refusal; NULL where there is none, or for all if no refusal has one */
    const struct output_warning *warnings;
    size_t n_warnings;
    const struct output_warning *written; /* the expressions' warnings as the controller would write them */
    size_t n_written;
    bool is_upstream;                /* the warnings are those of kube-controller-manager alone */
    const struct fielderrors *notes; /* notes, which are no faults; NULL: none */
    enum finding_id note_id;         /* the identifier of the notes */
    const struct output_extra *extras;
    size_t n_extras;
    const struct output_fix *fixes; /* at most one a field */
    size_t n_fixes;
    const struct output_fix *advised; /* of advice, at most one a field; found has none of them */
    size_t n_advised;
    const struct check_result *result; /* the result of the check of the policy; NULL if the object is none */
    const struct conditions *conditions;
    const struct found *found;       /* all of this as a list (found.h) */
    bool has_all_types;              /* all types are named, and not the first ones */
    const struct policyview *policy; /* the policy that the result is about; NULL if result is NULL */
};

/* The condition of a binding: whether its policy is among the files. */
#define OUTPUT_POLICY_FOUND CONDITIONS_POLICY

/* An entry of a baseline. */
struct output_entry {
    const char *id, *object, *field, *subject;
    const char *message; /* for readers: it is not compared */
};

/* The numbers of findings, objects and paths that are not reported, as the user asked. */
struct output_suppressed {
    size_t findings;
    size_t objects;                   /* that were not checked */
    size_t paths;                     /* files and directories that were not read */
    const struct output_entry *stale; /* entries of the baseline that do not occur */
    size_t n_stale;
};

/* A format, as callbacks; NULL for an event of which it says nothing. Only `finding` is always there. */
struct output {
    void (*finding)(void *user, const struct output_place *place, const struct output_finding *finding);
    void (*skipped)(void *user, const struct output_place *place, const char *kind);
    /* A file, or a place in it, that could not be read; line 0: no place. */
    void (*error)(void *user, const char *file, const struct yaml_place *where, const char *message);
    /* A finding about the run as a whole; before the end. */
    void (*remark)(void *user, enum finding_id id, enum finding_severity severity, const char *message);
    /* A directory that was left out of another (reason NULL), or a file whose objects cannot be read, which
     * is not an error; before the end. */
    void (*left_out)(void *user, const char *path, const char *reason);
    /* Called before the end if something was suppressed. */
    void (*suppressed)(void *user, const struct output_suppressed *suppressed);
    /* The last call: writes what was not written yet to stdout, and frees the user. */
    void (*end)(void *user);
    void *user;
};

void output_report_skipped(const struct output *output, const struct output_place *place, const char *kind);
void output_report_error(const struct output *output, const char *file, const struct yaml_place *where,
                         const char *message);
void output_report_remark(const struct output *output, enum finding_id id, enum finding_severity severity,
                          const char *message);
void output_report_left_out(const struct output *output, const char *path, const char *reason);
void output_report_suppressed(const struct output *output, const struct output_suppressed *suppressed);
void output_end(const struct output *output);

struct style;
/* The facts about the run that an output says. */
struct output_run {
    const struct style *style;
    const char *kube_version; /* "1.37": the version of Kubernetes, or of the cluster */
    const char *schemas;      /* the origin of the schemas: "bundle", "directory", "cluster" */
    bool is_fixing;           /* corrections are written or shown: that they could be is not said */
};
typedef struct output output_make(const struct output_run *run);
output_make output_json, output_text, output_sarif, output_junit, output_github, output_gitlab;

/* Parts of -o json, which the caller puts: refusals, an item of found.h, a file that could not be read. */
struct found_item;
struct json_object *output_json_refusals(const struct output_place *place,
                                         const struct output_finding *finding);
struct json_object *output_json_item(const struct found_item *item);
struct json_object *output_json_fixes(const struct output_fix *fix);
struct json_object *output_json_error(const char *file, const struct yaml_place *where, const char *message);
/* The suppressed counts of -o json. The caller puts it. */
struct json_object *output_json_suppressed(const struct output_suppressed *suppressed);

/* Prints a tree, which it takes, to stdout. */
void output_print_json(struct json_object *tree);

/* The field's node in the file, NULL if it is not there. */
const struct yaml_node *output_find_node(const struct output_place *place, const char *field_ref);

bool output_is_suppressed(const struct output_suppressed *suppressed);
/* "2 findings suppressed, 1 object skipped by its annotation, 1 path excluded". The caller frees it. */
char *output_describe_suppressed(const struct output_suppressed *suppressed);

/* The address of the page of a finding; the environment variable VAPCHECK_HOME_URL says where else the
 * project is. The caller frees it. */
char *output_help_url(enum finding_id id);

/* "apps/v1, Kind=Deployment". The caller frees it. */
char *output_name_type(const struct types_target *type);

/* The name of an object, or the text of which the server would make its name; else "(no name)". */
const char *output_name(struct json_object *object);

/* Returns how to name the object: by its name, by the text of which the server would make one, or by the fact
 * that it has none. */
const char *output_title(const struct output_place *place, const struct output_finding *finding);

/* "policy replicas". The caller frees it. */
char *output_describe(const struct output_place *place, const struct output_finding *finding);

/* The place of a field in the file; if it is not there, that of the nearest field that would contain it. */
struct yaml_place output_where(const struct output_place *place, const char *field_ref);

#endif
