/*
 * bindings_status: the bindings of a live cluster, each with what is wrong: "kubectl vapcheck status
 * --bindings".
 *
 *     struct bindings_status s;
 *     bindings_status_init(&s, remote, policies, discovery);
 *     bindings_status_row(&s, &row, binding, now);
 *     bindings_status_deinit(&s);
 */
#ifndef CMD_KUBECTL_VAPCHECK_BINDINGS_STATUS_H
#define CMD_KUBECTL_VAPCHECK_BINDINGS_STATUS_H

#include <json-c/json.h>
#include <time.h>

#include "client/cache/store.h"
#include "client/discovery/discovery.h"
#include "cmd/kubectl-vapcheck/input/remote.h"
#include "cmd/kubectl-vapcheck/output/statusrow.h"

/* Cells of a row. ORDER BINDINGS_STATUS_COLUMNS */
enum bindings_status_column {
    BINDINGS_STATUS_POLICY,
    BINDINGS_STATUS_FOUND,
    BINDINGS_STATUS_PARAMS,
    BINDINGS_STATUS_AGE,
    BINDINGS_STATUS_PROBLEM,
    BINDINGS_STATUS_COLUMNS,
};

struct bindings_status {
    struct remote *remote;
    const struct discovery *discovery;
    struct store *policies;
};

/* policies: a list (JSON) of all policies. Everything is borrowed. */
void bindings_status_init(struct bindings_status *s, struct remote *remote, struct json_object *policies,
                          const struct discovery *discovery);
void bindings_status_deinit(struct bindings_status *s);

/* The row borrows the binding; the caller ends it with statusrow_deinit. */
void bindings_status_row(const struct bindings_status *s, struct statusrow *row, struct json_object *binding,
                         time_t now);

#endif
