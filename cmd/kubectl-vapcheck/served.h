/*
 * served: what kubectl says to an object whose kind or version the server
 * does not have.
 *
 * The server's discovery knows. The hint is where else the kind is: in another
 * version of its group, or in a newer Kubernetes, as the bundles have it.
 *
 *     struct served s = {.minor = 33};
 *     if (!served_refuse(&s, discovery, json, &refusals)) find(json, env, &refusals);
 *     served_deinit(&s);
 */
#ifndef CMD_KUBECTL_VAPCHECK_SERVED_H
#define CMD_KUBECTL_VAPCHECK_SERVED_H

#include <json-c/json.h>
#include <stdbool.h>

#include "client/discovery/discovery.h"
#include "controller/field/fielderrors.h"

struct schemas;

struct served {
    int minor;                /* of the server */
    struct schemas **bundles; /* all of them once one is needed; NULL: none was */
};

/* Of an object whose kind or group is one of admission's. Returns whether it was refused; what
 * nobody knows (a group that the server does not have, or could not tell of) is not. */
bool served_refuse(struct served *s, const struct discovery *discovery, struct json_object *object,
                   struct fielderrors *out);
void served_deinit(struct served *s);

#endif
