/*
 * audit: one run of kubectl vapcheck audit, which its sources share.
 *
 *     audit_files_gather(&a);             policies, bindings, definitions, params of the files
 *     audit_cluster_gather(&a);           policies and bindings of the cluster
 *     rulebook_bind(&a.book);
 *     audit_files_run(&a);                or audit_cluster_run(&a)
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_AUDIT_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_AUDIT_H

#include "client/base/rfc3339.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"
#include "cmd/kubectl-vapcheck/audit/evaluation.h"
#include "cmd/kubectl-vapcheck/audit/rulebook.h"
#include "cmd/kubectl-vapcheck/audit/surroundings.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"
#include "cmd/kubectl-vapcheck/input/remote.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output/progress.h"
#include "controller/apiserver/crd/crds.h"

struct audit {
    const struct options *options;
    struct schemas *schemas;
    struct remote *remote; /* the cluster to read from; NULL if the files are all there is */
    struct inputs inputs;
    struct crds *crds;
    struct rulebook book;
    struct surroundings surroundings;
    struct json_object *user_info;
    struct auditreport report;
    struct progress progress;
    struct keymap kinds; /* of the objects, "apps/deployments" */
    char now[RFC3339_BYTES];
    bool has_failed;  /* a file that was named is missing */
    bool has_unread;  /* a file has objects that nobody can read */
    bool has_nothing; /* there is no policy */
    size_t n_policies_of_files, n_validating_of_files;
};

/* Gathers policies, bindings and definitions of the files; files that cannot be read are reported. */
void audit_files_gather(struct audit *a);
/* Gathers what evaluation needs besides: namespaces and params. The policies must be gathered before. */
void audit_files_surround(struct audit *a);
/* Evaluates the objects of the files. */
void audit_files_run(struct audit *a);

/*
 * Gathers the cluster's bindings and policies. If the files have policies, those of the cluster are beside
 * them (struct rulebook_origin): all mutating ones, because they change what others see; the validating ones
 * only if the files have none, to judge the objects that the mutating ones make. Mutating policies that
 * cannot be read are reported. Errors: as remote_list.
 */
int audit_cluster_gather(struct audit *a, struct err *err) MUST_CHECK;
/* Evaluates the objects of the cluster that a policy may match; a list that cannot be read is reported. */
void audit_cluster_run(struct audit *a);

/* Evaluates one object, and reports it. is_asked: for each policy whether it is asked; NULL: all are. */
void audit_object(struct audit *a, const struct auditobject *object, const bool *is_asked);

/* Returns true if policies may be asked about the resource, and sets *out to the way of asking, which the
 * caller deinits. */
bool audit_route(const struct audit *a, const struct requestmatch_endpoint *endpoint,
                 struct auditobject_route *out);
void audit_route_deinit(struct auditobject_route *route);

#endif
