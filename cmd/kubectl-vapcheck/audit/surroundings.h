/*
 * surroundings: the namespaces and the params that policies are evaluated with,
 * from the files that are audited, or from a cluster when a policy needs one.
 *
 *     struct surroundings s = {.discovery = discovery, .schemas = schemas, .remote = remote};
 *     surroundings_add(&s, json);                   for each object of the files
 *     struct json_object *namespace = surroundings_namespace(&s, "web", &err);
 *     surroundings_deinit(&s);
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_SURROUNDINGS_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_SURROUNDINGS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/keymap.h"
#include "client/discovery/discovery.h"
#include "cmd/kubectl-vapcheck/input/remote.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "controller/apiserver/dispatch/paramfind.h"
#include "typecheck/decision.h"

/* Answers of a cluster that are kept: objects come in the order of their namespaces. */
enum { SURROUNDINGS_KEPT = 64 };

struct surroundings_answer {
    char *path; /* the URL path that was asked; NULL if the slot is free */
    struct paramfind objects;
    struct err err; /* instead of them */
};

struct surroundings {
    const struct discovery *discovery; /* the caller's */
    struct schemas *schemas;           /* the caller's */
    struct remote *remote;             /* the caller's; NULL: the files are all */
    struct keymap namespaces;          /* of the files, by name */
    struct keymap param_kinds;         /* "v1/ConfigMap": of the policies */
    struct paramfind objects;          /* of these kinds, in the files */
    struct surroundings_answer kept[SURROUNDINGS_KEPT];
    size_t next;
    size_t n_assumed;   /* namespaces that no file has */
    size_t n_failures;  /* how often something could not be read, so that an answer can differ from the
                           server's */
    struct err failure; /* the last one */
};

void surroundings_deinit(struct surroundings *s);

/* Notes that objects of the policy's paramKind are params. To be called before objects are added. */
void surroundings_need(struct surroundings *s, struct json_object *policy);
/* Returns true if an object of a file may be a param, which is added as the server reads it. */
bool surroundings_is_param(const struct surroundings *s, struct json_object *object);
/* Adds an object of a file. A reference is kept if it may be needed. */
void surroundings_add(struct surroundings *s, struct json_object *object);

/* The namespace, borrowed until the next call. If no file has it, it is one with only the label that every
 * namespace has. NULL, with err: the cluster has no such namespace, or cannot be asked. */
struct json_object *surroundings_namespace(struct surroundings *s, const char *name, struct err *err);

/* The source of params. It is good as long as `s`. */
struct paramfind_source surroundings_params(struct surroundings *s);

/* Notes that something is not known (n_failures). Returns NULL, with err. */
void *surroundings_fail(struct surroundings *s, const struct err *why, struct err *err);

/* Reads the object in another version from the cluster; returns a reference, or NULL with err. */
struct json_object *surroundings_object(struct surroundings *s, const char *group, const char *version,
                                        const char *resource, const char *namespace, const char *name,
                                        struct err *err);

#endif
