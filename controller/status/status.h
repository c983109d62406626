/*
 * status: decides what a policy's status should be and whether it differs from the
 * present one, and makes the body of the server-side apply. Pure.
 *
 * Equal means equal in values and in ownership: managedFields lists for us under
 * status exactly the fields that we want to own. A condition of one of our types
 * that another manager holds with another value is left to it.
 *
 *     struct status_plan plan;
 *     status_plan_init(&plan, &(struct status_wanted){.policy = p, .conditions = &c, .result = r,
 *                                                     .now = "2026-01-01T00:00:00Z"});
 *     if (plan.is_needed) apply(plan.body.data, plan.body.len);
 *     status_plan_deinit(&plan);
 */
#ifndef CONTROLLER_STATUS_STATUS_H
#define CONTROLLER_STATUS_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/buf.h"
#include "controller/findings/check.h"
#include "controller/findings/conditions.h"
#include "controller/match/policyview.h"

#define STATUS_MANAGER "vapcheck-controller"

/* The limit of an apply's body: the API server takes less. */
enum { STATUS_BODY_CAP_BYTES = 8 * 1024 * 1024 };

/* All borrowed. */
struct status_wanted {
    const struct policyview *policy; /* as it was observed, status and managedFields included */
    /* The conditions that we want to own. NULL removes all fields that only we own. */
    const struct conditions *conditions;
    const struct check_result *result;
    bool is_conditions_only; /* another manager writes expressionWarnings */
    size_t text_cap_bytes;   /* the limit of all warnings together, the rest is cut off; 0: none */
    const char *now;         /* RFC 3339, for conditions whose status changes */
};

struct status_plan {
    bool is_needed;        /* desired and observed differ */
    struct buf body;       /* of the apply; empty unless needed */
    uint64_t digest;       /* of the status in it, without times; it differs from run to run */
    size_t text_bytes;     /* of the warnings, after cutting */
    const char *left_to;   /* the manager that one of our conditions was left to, NULL: none; the
                              policy's own */
    const char *left_type; /* that condition's type; static */
};

void status_plan_init(struct status_plan *plan, const struct status_wanted *wanted);
void status_plan_deinit(struct status_plan *plan);

#endif
