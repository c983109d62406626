/*
 * cluster: what the server says about itself: version, discovery, OpenAPI v3;
 * out of a snapshot of a real server and the CRDs that are stored. A document
 * is made when it is asked for. The hash in the index is that of the CRDs from which it is made: it is new
 * when what they publish is.
 * Called with the objects' lock held.
 */
#ifndef SUPPORT_CLUSTER_H
#define SUPPORT_CLUSTER_H

#include "client/discovery/clusterdump.h"
#include "tests/support/objects.h"

struct cluster {
    struct clusterdump *snapshot;
    struct objects *objects;
    int fault; /* how the daemon's next request fails: a status, -1: without an answer; 0: it does not */
};

/* Answers /version, /api, /apis, /openapi/v3 and what is below it; -1: 404. */
int cluster_publish(struct cluster *cluster, const char *path, struct reply *reply);

/* Gives a CRD that is about to be stored the status of one that is established. Answers 422 and
 * returns -1 if it lacks what it needs, or would serve a group-version of the snapshot. */
int cluster_admit_crd(struct cluster *cluster, struct json_object *crd, struct reply *reply);

#endif
