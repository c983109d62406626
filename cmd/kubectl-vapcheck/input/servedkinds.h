/*
 * servedkinds: refuses objects whose kind or version the server does not serve, in the words of kubectl.
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
#include "controller/apiserver/validation/fielderrors.h"

struct schemas;

struct servedkinds {
    int minor;                /* of the server */
    bool is_bundle;           /* its discovery is a default one: a server may be asked to serve more */
    struct schemas **bundles; /* all of them once one is needed; NULL: none was */
};

/* Refuses an object of a kind or group of admission or of devices that the server does not have. Returns
 * whether it was refused. If the server does not have the group, or could not read it, the object is not
 * refused. */
bool servedkinds_refuse(struct servedkinds *s, const struct discovery *discovery, struct json_object *object,
                        struct fielderrors *out);
/* Adds a note that names what must be switched on, for an object that is not refused, but that the server
 * does not serve by default. */
void servedkinds_note(const struct servedkinds *s, struct json_object *object, struct fielderrors *out);
void servedkinds_deinit(struct servedkinds *s);

#endif
