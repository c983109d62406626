/*
 * kustomize: builds a kustomization with `kubectl kustomize`, or with `kustomize build` if there is no
 * kubectl.
 *
 *     if (kustomize_build(directory, &text, &err) != 0) ...
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_KUSTOMIZE_H
#define CMD_KUBECTL_VAPCHECK_INPUT_KUSTOMIZE_H

#include "client/base/buf.h"
#include "client/base/err.h"

/* Writes the YAML that the program prints into text, which the caller initialises and frees. Errors:
 * NOT_FOUND (neither program is on the PATH), INVALID (the program failed; its own message), LIMIT (it prints
 * more than the buffer takes), INTERNAL. */
int kustomize_build(const char *directory, struct buf *text, struct err *err) MUST_CHECK;

#endif
