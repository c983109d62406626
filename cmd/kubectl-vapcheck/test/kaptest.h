/*
 * kaptest: test suites as the manifests of kaptest have them (github.com/pfnet/kaptest).
 *
 * Both of its formats: the older one has validatingAdmissionPolicies, resources and testSuites; v1alpha1 has
 * policies, resources, crds, vapTestSuites and mapTestSuites, whose policies are MutatingAdmissionPolicies
 * and whose tests name the object that the mutations make. Paths are relative to the manifest. A test may
 * besides have name, operation, subResource, dryRun, binding, reason, warnings, auditAnnotations and
 * authorizer, which kaptest does not have and ignores. The same is true of webhooks and webhookTestSuites,
 * whose tests say whether a webhook is called.
 *
 *     if (kaptest_is_manifest(bytes, len)) kaptest_read(path, &suite);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_KAPTEST_H
#define CMD_KUBECTL_VAPCHECK_TEST_KAPTEST_H

#include "cmd/kubectl-vapcheck/test/testsuite.h"

/* Whether a line of the text begins with a key that only such a manifest has. */
bool kaptest_is_manifest(const char *text, size_t len);

/* The suite is the caller's, to deinit; what cannot be read are its problems. */
void kaptest_read(const char *path, struct testsuite *suite);

#endif
