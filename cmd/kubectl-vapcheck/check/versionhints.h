/*
 * versionhints: finds the version of Kubernetes that would take an object, if
 * an API server refuses it only because it is too old.
 *
 *     struct versionhints h = {.minor = 33};
 *     const char **hints = versionhints_find(&h, json, &refusals);
 *     versionhints_deinit(&h);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_VERSIONHINTS_H
#define CMD_KUBECTL_VAPCHECK_CHECK_VERSIONHINTS_H

#include <json-c/json.h>

#include "controller/apiserver/validation/validation.h"
#include "typecheck/version.h"

struct versionhints {
    int minor;                              /* of the server that refuses */
    struct env *envs[ENV_NEWEST_LEVEL + 1]; /* for new expressions, by level; made when needed */
    char *hints[ENV_NEWEST_LEVEL + 2];      /* by the minor that is needed */
};

/* One hint for each refusal: the refusal's own, or the version that helps; NULL if there is neither. The
 * caller frees the array; the texts belong to h. */
const char **versionhints_find(struct versionhints *h, validation_find *find, struct json_object *policy,
                               const struct fielderrors *refusals);
void versionhints_deinit(struct versionhints *h);

#endif
