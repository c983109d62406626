/*
 * review: the AdmissionRequest that expressions see as `request`, as JSON, without its objects.
 *
 * (k8s.io/apiserver/pkg/admission/plugin/cel, CreateAdmissionRequest) It has the options of a usual request
 * if none are given; a CONNECT has none. `object`, `oldObject` and `options` are added by the evaluator where
 * they are missing.
 *
 *     char *text = review_text(&request, as);
 *     mem_free(text);
 */
#ifndef CONTROLLER_APISERVER_DISPATCH_REVIEW_H
#define CONTROLLER_APISERVER_DISPATCH_REVIEW_H

#include "controller/apiserver/dispatch/admissionrequest.h"

/* as: the endpoint that the policy's rules name. The caller frees the text. */
char *review_text(const struct dispatch_request *request, const struct requestmatch_endpoint *as);

#endif
