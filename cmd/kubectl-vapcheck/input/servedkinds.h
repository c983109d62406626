/*
 * servedkinds: the answer of kubectl to an object whose kind or version the server does not serve.
 *
 * The server's discovery says what it serves. The hint says which other version of the group has the kind, or
 * which newer version of Kubernetes, by the bundles in the program.
 *
 *     struct servedkinds s = {.minor = 33};
 *     if (!servedkinds_refuse(&s, discovery, json, &refusals)) find(json, env, &refusals);
 *     servedkinds_deinit(&s);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_SERVEDKINDS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_SERVEDKINDS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "client/discovery/discovery.h"
#include "controller/field/fielderrors.h"

struct schemas;

struct servedkinds {
    int minor;                /* of the server */
    bool is_bundle;           /* its discovery is a default one: a server may be asked to serve more */
    struct schemas **bundles; /* all of them once one is needed; NULL: none was */
};

/* Of an object whose kind or group is one of admission's, or of devices. Returns whether it was refused; what
 * nobody knows (a group that the server does not have, or could not read) is not. */
bool servedkinds_refuse(struct servedkinds *s, const struct discovery *discovery, struct json_object *object,
                        struct fielderrors *out);
/* What a server has to be asked for before it serves the object, if it is one that it has but does not serve
 * by default; such an object is not refused. */
void servedkinds_note(const struct servedkinds *s, struct json_object *object, struct fielderrors *out);
void servedkinds_deinit(struct servedkinds *s);

#endif
