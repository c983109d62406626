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
#include "controller/apiserver/validation/fielderrors.h"
#include "controller/check/check.h"
#include "controller/check/conditions.h"
#include "controller/check/finding.h"

/* A document of a file. */
struct output_place {
    const char *file;
    size_t document;              /* counted from 0 within the file */
    struct yaml *yaml;            /* the file's text */
    const struct yaml_node *root; /* the object's node */
};

/* Who gives a warning. */
enum output_source {
    OUTPUT_UPSTREAM,   /* kube-controller-manager, and we */
    OUTPUT_VAPCHECK,   /* we alone */
    OUTPUT_API_SERVER, /* the API server, when it takes the object */
};

struct output_warning {
    enum finding_id id;
    const char *field;                /* "spec.validations[0].expression" */
    const char *text;                 /* ends in a line feed */
    size_t len;                       /* of text, which may hold NUL */
    const char *first;                /* its first issue; NULL where there are none */
    int line, column;                 /* of that issue in the expression; 0: it has no place */
    const char *hint;                 /* what was probably meant; "" where that is not certain */
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
    const char *field; /* NULL: the whole object */
    const char *text;
    struct yaml_place at; /* line 0: the field's */
    bool is_note;         /* its severity is note, whatever that of its identifier is */
};

/* The results about a policy, a binding or a CustomResourceDefinition. */
struct output_finding {
    const char *name;
    const struct fielderrors *refusals;
    const char *const *hints; /* by refusal; NULL where there is none */
    const struct output_warning *warnings;
    size_t n_warnings;
    const struct output_warning *written; /* the expressions' warnings as the controller would write them */
    size_t n_written;
    bool is_upstream;                /* the warnings are those of kube-controller-manager alone */
    const struct fielderrors *notes; /* notes, which are no faults; NULL: none */
    enum finding_id note_id;         /* the identifier of the notes */
    const struct output_extra *extras;
    size_t n_extras;
    const struct check_result *result; /* NULL: the object is no policy */
    const struct conditions *conditions;
    const struct found *found;       /* all of this as a list (found.h) */
    const struct policyview *policy; /* the policy that the result is about; NULL if result is NULL */
};

/* The condition of a binding: whether its policy is among the files. */
#define OUTPUT_POLICY_FOUND CONDITIONS_POLICY

/* An entry of a baseline. */
struct output_entry {
    const char *id, *object, *field, *message;
};

/* What was not reported, as the user asked. */
struct output_suppressed {
    size_t findings;
    size_t objects;                   /* that were not checked */
    size_t paths;                     /* files and directories that were not read */
    const struct output_entry *stale; /* entries of the baseline that do not occur */
    size_t n_stale;
};

struct output {
    void (*finding)(void *user, const struct output_place *place, const struct output_finding *finding);
    void (*skipped)(void *user, const struct output_place *place, const char *kind);
    /* A file, or a place in it, that could not be read; line 0: no place. */
    void (*error)(void *user, const char *file, const struct yaml_place *where, const char *message);
    /* Called before the end, only if no object was checked. */
    void (*nothing)(void *user, const char *message);
    /* The last call: writes what was not written yet to stdout, and frees the user. */
    void (*end)(void *user);
    void *user;
    /* A directory that -R left out; before the end. NULL: the format has no place for it. */
    void (*left_out)(void *user, const char *directory);
    /* Called before the end if something was suppressed; NULL: the format has no place for it. */
    void (*suppressed)(void *user, const struct output_suppressed *suppressed);
};

struct style;
typedef struct output output_make(const struct style *style);
output_make output_json, output_text, output_sarif, output_junit, output_github;

/* Parts of -o json, which the caller puts: refusals, an item of found.h, a file that could not be read. */
struct found_item;
struct json_object *output_json_refusals(const struct output_place *place,
                                         const struct output_finding *finding);
struct json_object *output_json_item(const struct found_item *item);
struct json_object *output_json_error(const char *file, const struct yaml_place *where, const char *message);
/* The locations of -o sarif, [{"physicalLocation": ...}], which the caller puts. line 0: the whole file;
 * logical NULL: none. */
struct json_object *output_sarif_locations(const char *file, struct yaml_place where, const char *logical);
/* The suppressed counts of -o json. The caller puts it. */
struct json_object *output_json_suppressed(const struct output_suppressed *suppressed);

/* Prints a tree, which it takes, to stdout. */
void output_print_json(struct json_object *tree);

/* The field's node in the file, NULL if it is not there. */
const struct yaml_node *output_find_node(const struct output_place *place, const char *field_ref);

bool output_is_suppressed(const struct output_suppressed *suppressed);
/* "2 findings suppressed, 1 object skipped by its annotation, 1 path excluded". The caller frees it. */
char *output_describe_suppressed(const struct output_suppressed *suppressed);

/* The address of the page of a finding, if the environment variable VAPCHECK_HOME_URL says where this project
 * is; else "". The caller frees it. */
char *output_help_url(enum finding_id id);

/* The name of an object, or the text of which the server would make its name; else "(no name)". */
const char *output_name(struct json_object *object);

/* How to name the object: by its name, by the text of which the server would make one, or by the fact that it
 * has none. */
const char *output_title(const struct output_place *place, const struct output_finding *finding);

/* The place of a field in the file; if it is not there, that of the nearest field that would contain it. */
struct yaml_place output_where(const struct output_place *place, const char *field_ref);

#endif
