/*
 * crdadvice: finds parts of a CustomResourceDefinition's rules that are probably not meant. Pure.
 *
 * It walks through the schemas of a definition, and has each rule looked at: readadvice, constantadvice and
 * transitionadvice know one sort of advice each.
 *
 *     struct advicelist list = {.count = 0};
 *     crdadvice_find(&list, definition, env, minor, true);
 *     advicelist_deinit(&list);
 */
#ifndef CONTROLLER_APISERVER_CRDADVICE_CRDADVICE_H
#define CONTROLLER_APISERVER_CRDADVICE_CRDADVICE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "controller/apiserver/crdadvice/advicelist.h"
#include "typecheck/version.h"

/* The work for one definition, in steps of an arena: half a second at most. */
#define CRDADVICE_MAX_STEPS ((uint64_t)20 * 1000 * 1000)

/* env: of stored expressions; minor: of the server. The definition is one that the server accepts.
 * has_advice: what is only likely is looked for, too; else only strings outside of enums are, which are
 * notes, since an old object may have them. */
void crdadvice_find(struct advicelist *out, struct json_object *definition, const struct env *env, int minor,
                    bool has_advice);
/* Returns true if crdadvice_find finds anything; takes less work than that if there is much. */
bool crdadvice_any(struct json_object *definition, const struct env *env, int minor, bool has_advice);

#endif
