/*
 * advicerule: one rule that is looked at, and the list to which what is found in it is added. Pure.
 *
 *     const struct advicerule rule = {&trial, list, place, "x-kubernetes-validations[0].rule", text, ...};
 *     advicerule_add(&rule, (struct advicelist_item){.message = ..., .resource = ..., .hint = ...}, offset);
 */
#ifndef CONTROLLER_APISERVER_CRDADVICE_ADVICERULE_H
#define CONTROLLER_APISERVER_CRDADVICE_ADVICERULE_H

#include <stddef.h>
#include <stdint.h>

#include "controller/apiserver/crdadvice/advicelist.h"
#include "controller/apiserver/crdadvice/adviceplace.h"
#include "controller/apiserver/crdadvice/advicetrial.h"

/* All of it is borrowed. */
struct advicerule {
    struct advicetrial *trial;
    struct advicelist *list;
    const struct adviceplace *place;
    const char *path; /* below the schema, as crd_run.h names it */
    struct str text;
    struct rule_reads *reads;
    size_t index; /* among those of its place */
};

/* Adds what was found at the offset in the rule. The same of another version is not added again. Takes the
 * texts of the item, whose field, line and column it sets. */
void advicerule_add(const struct advicerule *rule, struct advicelist_item take_item, uint32_t offset);

#endif
