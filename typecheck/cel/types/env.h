/*
 * env: the CEL environment of one Kubernetes version: its functions and types.
 *
 * Built once from the rows of functions.def and the table of macro.c, and then const.
 * `level` is the newest compatibility minor whose additions are included: V for
 * expressions that a server 1.V evaluates ("stored"), V-1 for those that users can
 * create there ("new"). Differences that depend on the release of cel-go are in
 * celgo.h.
 */
#ifndef TYPECHECK_CEL_TYPES_ENV_H
#define TYPECHECK_CEL_TYPES_ENV_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/types/features.def"

struct arena;
struct celgo;
struct env;
struct function;
struct kubernetes;
struct dialect;
struct type;
struct types;

/* New expressions of the oldest Kubernetes; stored ones of the newest. */
#define ENV_OLDEST_LEVEL (FEATURES_OLDEST_KUBERNETES - 1)
#define ENV_NEWEST_LEVEL FEATURES_NEWEST_KUBERNETES

/* Makes the environment of a compatibility level, with a server's cel-go. A level outside the range counts as
 * the nearest end. NULL only if memory is exhausted. Threads may read it at the same time. */
struct env *env_new(int level, struct celgo celgo);
void env_free(struct env *env);

int env_level(const struct env *env);

/* The flags of the environment's cel-go, which belong to it. */
const struct celgo *env_celgo(const struct env *env);

/* The features of Kubernetes at its compatibility level. */
const struct kubernetes *env_kubernetes(const struct env *env);

/* The dialect in which its expressions are parsed. */
struct dialect env_dialect(const struct env *env);

/* The environment's own types, the parent of every check's table. */
const struct types *env_types(const struct env *env);

/* The same, with the additions for mutations of a MutatingAdmissionPolicy: the types Object and JSONPatch
 * (mutation_types.h) and jsonpatch.escapeKey. It is freed with `env`. */
const struct env *env_mutating(const struct env *env);
bool env_is_mutating(const struct env *env);

/* The same, with the macro cel.bind, which selectors of devices have. It is freed with `env`. */
const struct env *env_binding(const struct env *env);

/* The function or namespace called `name` (without a leading "."); NULL when there is neither. */
const struct function *env_function(const struct env *env, struct str name);

/* All functions in the order of the tables, for tests that compare them with those of each Kubernetes
 * version. */
const struct function *env_functions(const struct env *env, size_t *count);

/* A variable of the policy: object, params ... */
struct variable {
    struct str name;
    const struct type *type;
    /*
     * The names of its object types are only for issues; no expression can use
     * them, since upstream's names contain a number that changes with each check.
     */
    bool anonymous;
    /* The type that a schema made, NULL: no schema. Even a plain type from a schema enables Kubernetes' own
     * provider. */
    const struct type *from_schema;
};

#endif
