/*
 * crdadvice: parts of a CustomResourceDefinition's rules that are probably not meant: an optional field that
 * is read without has(), and a transition rule that setting or removing its field passes. Pure.
 *
 * Each is shown by a resource: the rules are evaluated on it as the API server does.
 *
 *     struct crdadvice advice;
 *     crdadvice_init(&advice, definition, env, minor);
 *     for (size_t i = 0; i < advice.count; i++) print(advice.items[i].field, advice.items[i].message);
 *     crdadvice_deinit(&advice);
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDADVICE_H
#define CONTROLLER_APISERVER_CRD_CRDADVICE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/version.h"

enum crdadvice_sort {
    CRDADVICE_OPTIONAL_FIELD,
    CRDADVICE_TRANSITION_UNSET,
    CRDADVICE_NEVER_EQUAL, /* a comparison with a string that is not in the field's enum: a note, since an old
                              object may have it */
};

struct crdadvice_item {
    enum crdadvice_sort sort;
    char *field;         /* "spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule" */
    size_t line, column; /* in the rule, from 1 */
    char *message;
    char *resource; /* JSON, on which it bites; empty: no resource shows it alone */
    char *hint;     /* "write ..." */
};

struct crdadvice {
    struct crdadvice_item *items;
    size_t count;
};

/* The work for one definition, in steps of an arena: half a second at most. */
#define CRDADVICE_MAX_STEPS ((uint64_t)20 * 1000 * 1000)

/* env: of stored expressions; minor: of the server. The definition is one that the server accepts.
 * has_advice: what is only likely is looked for, too. */
void crdadvice_init(struct crdadvice *out, struct json_object *definition, const struct env *env, int minor,
                    bool has_advice);
void crdadvice_deinit(struct crdadvice *advice);

#endif
