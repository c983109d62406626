/*
 * auditlines: the lines of an audit about each object, kept by policy until its end, for the formats that
 * print policy by policy.
 *
 *     auditlines_add(&lines, book->count, policy, &(struct auditlines_item){...});
 *     const struct auditlines_policy *of = &lines.policies[i];
 *     for (size_t k = 0; k < of->count; k++) print(of->items[k].title, of->items[k].text);
 *     auditlines_deinit(&lines);
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_AUDITLINES_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_AUDITLINES_H

#include <stddef.h>

#include "cmd/kubectl-vapcheck/audit/rulebook.h"

/* An object, and all that a policy does to it with one effect. */
struct auditlines_item {
    enum audit_effect effect;
    char *title; /* "Deployment web/frontend" */
    char *file;  /* "": of a cluster */
    size_t line;
    char *text; /* the messages, each with what is particular to it */
};

/* At most this many lines of a policy are kept: nobody reads more. */
enum { AUDITLINES_MAX = 100000 };

struct auditlines_policy {
    struct auditlines_item *items; /* in the order of the objects */
    size_t count;
    size_t n_left_out; /* behind AUDITLINES_MAX */
};

struct auditlines {
    struct auditlines_policy *policies; /* by policy of the book; NULL: nothing was added */
    size_t n_policies;
};

/* n_policies: of the book. The item's texts are taken. */
void auditlines_add(struct auditlines *lines, size_t n_policies, size_t policy,
                    const struct auditlines_item *take_item);
void auditlines_deinit(struct auditlines *lines);

#endif
