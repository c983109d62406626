/*
 * output: where the findings of a check go, one implementation a format.
 *
 * Called in the order of the input: file by file, document by document.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_H

#include <stddef.h>

#include "client/yaml.h"
#include "controller/check.h"
#include "controller/conditions.h"
#include "controller/policy.h"

/* A document of a file. */
struct output_place {
    const char *file;
    size_t document;              /* counted from 0 within the file */
    const struct yaml_node *root; /* the object's node */
};

/* What was found out about a policy. */
struct output_finding {
    const struct policy *policy;
    const struct check_result *result;
    const struct conditions *conditions;
};

struct output {
    void (*policy)(void *user, const struct output_place *place, const struct output_finding *finding);
    void (*skipped)(void *user, const struct output_place *place, const char *kind);
    /* A file, or a place in it, that could not be read; line 0: no place. */
    void (*error)(void *user, const char *file, const struct yaml_place *where, const char *message);
    /* After the last of them; writes to stdout what was not written yet and frees the user. */
    void (*end)(void *user);
    void *user;
};

typedef struct output output_make(void);
output_make output_json, output_text;

/* The format of a name as -o takes it; NULL if there is none. */
output_make *output_find(const char *format);

/* Where a field stands in the file; the object's beginning if it is not there. */
struct yaml_place output_where(const struct output_place *place, const char *field_ref);

#endif
