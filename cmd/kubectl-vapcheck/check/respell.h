/*
 * respell: writes an expression in another way, which two versions of Kubernetes may both accept. Pure.
 *
 * The result is only a proposal: the caller checks it on both versions.
 *
 *     char *text = respell_make("object.spec.replicas.orValue(1)", &issue, 1);
 *     if (text != NULL) ...                  "object.spec.?replicas.orValue(1)"
 *     mem_free(text);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_RESPELL_H
#define CMD_KUBECTL_VAPCHECK_CHECK_RESPELL_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/issues.h"

/* A mistake and its place, as an issue has them. */
struct respell_issue {
    enum issue_code code;
    uint32_t offset; /* the place that cel-go names, in bytes */
};

/* The other spelling; the caller frees it. Returns NULL if for one of the issues no other spelling is
 * known. */
char *respell_make(const char *expression, const struct respell_issue *issues, size_t count);

#endif
