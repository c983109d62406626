/*
 * kaptest: reads test suites in the manifests of kaptest (github.com/pfnet/kaptest).
 *
 * Both of its formats: the older one has validatingAdmissionPolicies, resources and testSuites; v1alpha1 has
 * policies, resources, crds, vapTestSuites and mapTestSuites, whose policies are MutatingAdmissionPolicies
 * and whose tests name the object that the mutations make. Paths are relative to the manifest. A test may
 * also have name, operation, subResource, resource, dryRun, binding, reason, warnings, auditAnnotations and
 * authorizer, which kaptest does not have and ignores. The same is true of webhooks and webhookTestSuites,
 * whose tests say whether a webhook is called, and of crdTestSuites, whose tests are about the rules of a
 * CustomResourceDefinition.
 *
 *     if (kaptest_is_manifest(bytes, len)) kaptest_read(path, &suite);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_SUITE_KAPTEST_H
#define CMD_KUBECTL_VAPCHECK_TEST_SUITE_KAPTEST_H

#include "cmd/kubectl-vapcheck/test/suite/testsuite.h"

/* Returns true if a line of the text begins with a key that only such a manifest has. */
bool kaptest_is_manifest(const char *text, size_t len);

/* Reads a suite, which the caller deinits; a part that cannot be read becomes a problem of it. */
void kaptest_read(const char *path, struct testsuite *suite);

#endif
