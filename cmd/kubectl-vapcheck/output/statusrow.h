/*
 * statusrow: a policy of a live cluster, as a row of a table and as JSON.
 * Pure: the objects, the discovery and the time are arguments.
 *
 *     struct statusrow row;
 *     statusrow_init(&row, policy, bindings, discovery, now);
 *     printf("%s %s\n", row.name, row.cells[STATUSROW_VALID]);
 *     statusrow_deinit(&row);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_STATUSROW_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_STATUSROW_H

#include <json-c/json.h>
#include <time.h>

#include "client/discovery/discovery.h"

/* ORDER STATUSROW_COLUMNS */
enum statusrow_column {
    STATUSROW_TYPES,
    STATUSROW_WARNINGS,
    STATUSROW_VALID,
    STATUSROW_CHECKED,
    STATUSROW_BOUND,
    STATUSROW_PARAMS,
    STATUSROW_AGE,
    STATUSROW_MESSAGE, /* only in -o wide */
    STATUSROW_COLUMNS,
};

struct statusrow {
    const char *name; /* the policy's */
    char *cells[STATUSROW_COLUMNS];
    struct json_object *json;
};

/* policy and bindings (a list of them) are borrowed. */
void statusrow_init(struct statusrow *row, struct json_object *policy, struct json_object *bindings,
                    const struct discovery *discovery, time_t now);
void statusrow_deinit(struct statusrow *row);

/* The age of an object that was created at that time, as kubectl prints it: "5m"; "-" if it is unknown. The
 * caller frees it. */
char *statusrow_age(const char *created, time_t now);

#endif
