/*
 * proofs: keeps the proofs of advice (witnesses.h) from one run of check --watch to the next, for policies
 * that stay as they are.
 *
 * A proof depends on the policy, on its advice and on the schemas. Schemas that change, of a cluster or of
 * CustomResourceDefinitions among the files, are not for this.
 *
 *     struct proofs *proofs = proofs_new();
 *     for each run:
 *         proofs_begin(proofs);
 *         for each policy: list = proofs_find(proofs, policy, check, schemas, &selected, examples);
 *     proofs_free(proofs);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_PROOFS_H
#define CMD_KUBECTL_VAPCHECK_CHECK_PROOFS_H

#include "cmd/kubectl-vapcheck/check/witnesses.h"

struct proofs;

struct proofs *proofs_new(void);
/* Frees the proofs, which may be NULL. */
void proofs_free(struct proofs *proofs);
/* Forgets what the last run did not find. */
void proofs_begin(struct proofs *proofs);

/* As witnesses_prove. proofs: NULL for none that are kept. */
enum witnesses_proof *proofs_find(struct proofs *proofs, const struct policyview *policy, struct check *check,
                                  struct schemas *schemas, const struct finding_set *selected,
                                  char **examples);

#endif
