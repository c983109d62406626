/*
 * kubeversion: the part of GET /version that decides which CEL functions a server has. Pure.
 *
 *     struct kubeversion v;
 *     if (kubeversion_parse(reply->body, reply->len, &v, &err) != 0) ...
 *     env = env_new(v.minor, celgo_in(v.minor));
 */
#ifndef CONTROLLER_FINDINGS_KUBEVERSION_H
#define CONTROLLER_FINDINGS_KUBEVERSION_H

#include <stddef.h>

#include "client/base/err.h"
#include "typecheck/version.h"

enum { KUBEVERSION_GIT_BYTES = 64 };

struct kubeversion {
    int minor;                       /* of 1.minor: the version that it checks and evaluates with */
    int oldest_minor;                /* minCompatibilityMinor; minor - 1 if that is not given */
    char git[KUBEVERSION_GIT_BYTES]; /* "v1.33.2-gke.100", for people; cut if longer */
};

/* Minors may read "33+"; if they are empty, gitVersion decides. Errors: PROTOCOL (no such document, no
 * version 1.x in it). */
int kubeversion_parse(const char *bytes, size_t len, struct kubeversion *out, struct err *err) MUST_CHECK;

/* The N of cel-go's release 0.N in "0.26" or a patch of it ("v0.26.1"); -1: no such release is known. A flag
 * takes it, for users whose server has another cel-go than its version of Kubernetes was released with. */
#define KUBEVERSION_CEL_GO_ALLOWED "0." KUBEVERSION_TEXT(CELGO_OLDEST) " to 0." KUBEVERSION_TEXT(CELGO_NEWEST)
#define KUBEVERSION_TEXT(macro)    KUBEVERSION_TEXT_OF(macro)
#define KUBEVERSION_TEXT_OF(text)  #text
int kubeversion_cel_go(const char *text);

#endif
