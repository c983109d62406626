/*
 * advicelist: what is found in the rules of one CustomResourceDefinition, in the order of the rules. Pure.
 *
 *     struct advicelist list = {.count = 0};
 *     crdadvice_find(&list, definition, env, minor, true);
 *     for (size_t i = 0; i < list.count; i++) print(list.items[i].field, list.items[i].message);
 *     advicelist_deinit(&list);
 */
#ifndef CONTROLLER_APISERVER_CRDADVICE_ADVICELIST_H
#define CONTROLLER_APISERVER_CRDADVICE_ADVICELIST_H

#include <stddef.h>

#include "client/base/keymap.h"
#include "controller/findings/finding.h"

struct advicelist_item {
    enum finding_id id;
    char *field;         /* "spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule" */
    size_t line, column; /* in the rule, from 1 */
    char *message;
    char *resource; /* JSON, on which it bites; empty: no resource shows it alone */
    char *hint;     /* "write ..." */
};

/* Zeroed, it is empty. */
struct advicelist {
    struct advicelist_item *items;
    size_t count;
    struct keymap known; /* the keys of the items */
};

/* Adds the item, whose texts are taken, unless there is one with this key. */
void advicelist_add(struct advicelist *list, const char *key, struct advicelist_item take_item);

void advicelist_deinit(struct advicelist *list);

#endif
