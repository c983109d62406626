/*
 * statusrow: a policy of a live cluster, as a row of a table and as JSON.
 * Pure: the objects, the discovery and the time are arguments.
 *
 *     struct statusrow row;
 *     statusrow_init(&row, policy, bindings, discovery, now);
 *     printf("%s %s\n", row.name, row.cells[STATUSROW_AGE]);
 *     statusrow_deinit(&row);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_STATUSROW_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_STATUSROW_H

#include <json-c/json.h>
#include <time.h>

#include "client/discovery/discovery.h"

/* Says how many columns conditions.def places. */
enum {
#define COLUMN(place, head, width) STATUSROW_AT_##place,
#define HIDDEN
#define CONDITION(name, type, object, event, findings, column) column
#include "controller/findings/conditions.def"
#undef COLUMN
#undef HIDDEN
    STATUSROW_CONDITIONS
};

enum statusrow_column {
    STATUSROW_TYPES,
    STATUSROW_WARNINGS,
    STATUSROW_CONDITION, /* the first of them */
    STATUSROW_AGE = STATUSROW_CONDITION + STATUSROW_CONDITIONS,
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
