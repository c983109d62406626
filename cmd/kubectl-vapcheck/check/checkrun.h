/*
 * checkrun: the state of one run of kubectl vapcheck check, and the report about one object, which the checks
 * of all kinds of objects share.
 *
 *     struct checkrun run = {.options = options};
 *     ...
 *     checkrun_report(&run, &place, &finding);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECKRUN_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECKRUN_H

#include "client/base/buf.h"
#include "cmd/kubectl-vapcheck/check/check_request.h"
#include "cmd/kubectl-vapcheck/check/otherversions.h"
#include "cmd/kubectl-vapcheck/check/suppression.h"
#include "cmd/kubectl-vapcheck/check/versionhints.h"
#include "cmd/kubectl-vapcheck/input/comments.h"
#include "cmd/kubectl-vapcheck/input/manifest.h"
#include "cmd/kubectl-vapcheck/input/objectindex.h"
#include "cmd/kubectl-vapcheck/input/paramindex.h"
#include "cmd/kubectl-vapcheck/input/policyindex.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/input/servedkinds.h"
#include "cmd/kubectl-vapcheck/input/staticdirs.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/output/progress.h"
#include "controller/apiserver/crd/crds.h"
#include "controller/hints/hints.h"
#include "controller/match/identities.h"
#include "controller/match/typesets.h"
#include "typecheck/compile.h"

struct checkrun {
    const struct options *options;
    struct schemas *schemas;
    struct crds *crds;
    struct objectindex objects;
    struct policyindex validating, mutating; /* the policies and bindings of either kind */
    struct paramindex params;
    struct versionhints hints;
    struct otherversions others;
    struct servedkinds kinds;
    struct staticdirs static_manifests;
    struct typesets typesets;            /* of all policies */
    struct identities identities;        /* of their types */
    struct expression_cache expressions; /* of the policy at hand */
    struct progress progress;
    struct output output;
    const struct check_request *request;
    struct check_outcome found;
    size_t n_objects;          /* checked */
    size_t read_bytes;         /* of all texts so far */
    struct comments comments;  /* of the file at hand */
    size_t from_line, to_line; /* of the object at hand, its end is not its own */
    struct output_suppressed suppressed;
    size_t n_unbound;    /* policies that no binding among the files names */
    struct buf unbound;  /* the first names */
    size_t n_not_read;   /* files whose objects cannot be read, which is no error */
    struct buf not_read; /* the first ones, with the reason */
};

/* Says once what was counted, and frees it. */
void checkrun_say_counts(struct checkrun *run);
/* Notes a file whose objects nobody can read, or should. */
void checkrun_leave_out(struct checkrun *run, const char *file, const char *reason);
/* Reports a file, or a place in it, that cannot be read; line: of the place, NULL if it is not known. */
void checkrun_error(struct checkrun *run, const char *file, const struct yaml_place *where,
                    const char *message, const char *line);
/* Reports the findings about an object, and what the API server says about it. */
void checkrun_report(struct checkrun *run, const struct output_place *place,
                     const struct output_finding *finding);
/* The same, with what was suppressed so far. */
void checkrun_report_with(struct checkrun *run, const struct output_place *place,
                          const struct output_finding *finding, struct suppression *suppression);

/* Finds the warnings that an API server gives when it takes the object. For an object that a server reads
 * from a file there are none. */
void checkrun_find_server_warnings(const struct checkrun *run, struct json_object *object,
                                   struct fielderrors *out);
/* Adds the refusal of a kind or version that the server does not serve. A file that the server itself reads
 * is never refused for this. Returns whether the object is refused. */
bool checkrun_refuse_unserved(struct checkrun *run, struct json_object *object, struct fielderrors *refusals);
/* Adds what is wrong with the directory of static policies that holds the object. */
void checkrun_check_directory(struct checkrun *run, const struct output_place *place,
                              struct fielderrors *refusals);
/* Adds a hint to refusals without one if YAML read a value differently than the author meant. hints has one
 * element for each refusal. */
void checkrun_add_slips(const struct checkrun *run, const struct output_place *place,
                        const struct fielderrors *refusals, const char **hints);
/* The discovery and the schemas against which the tried hints are checked. */
struct hints_cluster checkrun_cluster(struct checkrun *run);
/* Adds the tried hints after those of versionhints. hints has one element for each refusal. */
void checkrun_put_hints(struct hints *tried, const struct fielderrors *refusals, const char **hints);
/* One hint for each refusal. The caller frees the array. */
const char **checkrun_find_hints(const struct checkrun *run, const struct output_place *place,
                                 const struct fielderrors *refusals);

#endif
