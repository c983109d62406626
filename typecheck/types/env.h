/*
 * env: the CEL environment of one Kubernetes version: its functions and types.
 *
 * Built once from the tables of macro.c, stdlib.c and k8slib.c, and const
 * from then on. `level` is the newest compatibility minor whose additions are
 * in: V for what a server 1.V evaluates ("stored"), V-1 for what it lets
 * users create ("new"). What does not depend on a level but on the release
 * of cel-go in the server is in celgo.h.
 */
#ifndef TYPECHECK_TYPES_ENV_H
#define TYPECHECK_TYPES_ENV_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

struct arena;
struct celgo;
struct env;
struct function;
struct dialect;
struct type;
struct types;

#define ENV_OLDEST_LEVEL 29 /* new expressions of Kubernetes 1.30 */
#define ENV_NEWEST_LEVEL 37

/* Functions of a compatibility level, with a server's cel-go. Levels outside the range are taken as the
 * nearest end. NULL only when memory is exhausted. Thread-safe to read. */
struct env *env_new(int level, struct celgo celgo);
void env_free(struct env *env);

int env_level(const struct env *env);

/* What its cel-go does. */
const struct celgo *env_celgo(const struct env *env);

/* Whether what evaluates them hands the objects of built-in kinds over as typed values (absval.h). */
bool env_has_typed_objects(const struct env *env);

/* Whether a list or map in the value of a JSON patch can hold an Object; before, the API server panics. */
bool env_patches_hold_objects(const struct env *env);
/* The system metadata of what an apply or an update creates is cleared as that of what a create does. */
bool env_clears_all_created(const struct env *env);
/* Whether `request` has an object and an oldObject, which are null. They are not declared; dyn() reaches
 * them. */
bool env_requests_hold_nulls(const struct env *env);

/* How its expressions are parsed. */
struct dialect env_dialect(const struct env *env);

/* The environment's own types, the parent of every check's table. */
const struct types *env_types(const struct env *env);

/* The same with what only the mutations of a MutatingAdmissionPolicy have: the types Object and JSONPatch
 * (mutation_types.h) and jsonpatch.escapeKey. It goes with `env`. */
const struct env *env_mutating(const struct env *env);
bool env_is_mutating(const struct env *env);

/* The same with the macro cel.bind, which selectors of devices have. It goes with `env`. */
const struct env *env_binding(const struct env *env);

/* The function or namespace called `name` (without a leading "."); NULL when there is neither. */
const struct function *env_function(const struct env *env, struct str name);

/* All of them in the order of the tables: for tests, which compare them with what each Kubernetes version
 * has. */
const struct function *env_functions(const struct env *env, size_t *count);

/* A variable of the policy: object, params ... */
struct variable {
    struct str name;
    const struct type *type;
    /*
     * The names of its object types are only for issues, no expression can
     * mean them: upstream's hold a number that changes from check to check.
     */
    bool anonymous;
    /* What a schema made of its type, NULL if none did: even a plain one brings Kubernetes' own provider. */
    const struct type *from_schema;
};

#endif
