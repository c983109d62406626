#include "typecheck/cel/types/env.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/dialect.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/cel/types/type.h"

#define ENV_ARENA_BYTES ((size_t)4 * 1024 * 1024)

/* More than the functions and namespaces of all tables; a power of two for the hash. */
#define MAX_FUNCTIONS 256u
#define SLOTS         (4 * MAX_FUNCTIONS)

/* Unknowns of an expression that cost no allocation. */
#define READY_UNKNOWNS 64u

struct env {
    struct arena arena; /* holds the env itself, too */
    int level;
    struct kubernetes kubernetes;
    struct celgo celgo;
    struct types *types;
    struct function *functions;
    size_t function_count; /* those behind are the mutating env's own */
    uint16_t slots[SLOTS]; /* by hash of the name: 1 + index into functions; 0 is free */
    const struct env *mutating, *binding;
};

/* The overloads of a function are tried in the order of these. */
enum { OWN_LIBRARIES = 4 };
static const enum decl_library order[OWN_LIBRARIES] = {DECL_LANGUAGE, DECL_KUBERNETES, DECL_EXTENSION,
                                                       DECL_LISTS};
static const enum decl_library lists_first[OWN_LIBRARIES] = {DECL_LANGUAGE, DECL_LISTS, DECL_KUBERNETES,
                                                             DECL_EXTENSION};
static const enum decl_library mutation[] = {DECL_MUTATION};

/* A hash without a secret key: all names are the library's own, so nobody can choose names that fall into one
 * slot. */
static uint32_t hash_name(struct str name)
{
    static const uint64_t FIRST_FACTOR = 0x9E3779B97F4A7C15u, LAST_FACTOR = 0xBF58476D1CE4E5B9u;
    uint64_t first = 0, last = 0;
    size_t len = name.len < sizeof first ? name.len : sizeof first;
    if (len != 0) {
        memcpy(&first, name.at, len);
        memcpy(&last, name.at + (name.len - len), len);
    }
    return (uint32_t)(((first ^ name.len) * FIRST_FACTOR + last * LAST_FACTOR) >> 32);
}

/* The index of `name` in `slots`, or of the free slot where it belongs. */
static uint32_t find_slot(const struct env *env, struct str name)
{
    uint32_t i = hash_name(name) & (SLOTS - 1);
    while (env->slots[i] != 0 && !str_eq(env->functions[env->slots[i] - 1].name, name))
        i = (i + 1) & (SLOTS - 1);
    return i;
}

static struct function *find_or_add(struct env *env, struct str name)
{
    uint32_t slot = find_slot(env, name);
    if (env->slots[slot] == 0) {
        if (env->function_count == MAX_FUNCTIONS)
            arena_fail(&env->arena, ARENA_BUDGET);
        env->functions[env->function_count].name = name;
        env->slots[slot] = (uint16_t)++env->function_count;
    }
    return &env->functions[env->slots[slot] - 1];
}

static bool has_flag(const struct env *env, size_t flag)
{
    return ((const bool *)(const void *)&env->celgo)[flag];
}

static bool is_in(const struct env *env, const struct decl *row, enum decl_library library)
{
    return row->library == library && row->since <= env->level &&
           (row->flag == 0 || has_flag(env, row->flag));
}

/* The first component of a qualified name ("math" of "math.least") is a namespace. */
static void add_namespace(struct env *env, struct str name)
{
    const char *dot = memchr(name.at, '.', name.len);
    if (dot != NULL)
        find_or_add(env, (struct str){name.at, (size_t)(dot - name.at)})->is_namespace = true;
}

static void count_overloads(struct env *env, const enum decl_library *libraries, size_t library_count)
{
    for (size_t i = 0; i < library_count; i++) {
        for (size_t k = 0; k < decl_function_count; k++) {
            const struct decl *row = &decl_functions[k];
            if (!is_in(env, row, libraries[i]))
                continue;
            struct str name = str_of(row->function);
            find_or_add(env, name)->count++;
            add_namespace(env, name);
        }
    }
}

/* The rows that say how an overload is called: decl_functions, and decl_older behind them. */
static size_t find_call_row(const struct env *env, size_t row, struct str overload)
{
    for (size_t i = 0; i < decl_older_count; i++) {
        if (!has_flag(env, decl_older[i].flag) && str_eq(decl_older[i].overload, overload))
            return decl_function_count + i;
    }
    return row;
}

/* next: by function, where its next overload goes. */
static void read_overloads(struct env *env, const enum decl_library *libraries, size_t library_count,
                           struct overload **next)
{
    for (size_t i = 0; i < library_count; i++) {
        for (size_t k = 0; k < decl_function_count; k++) {
            const struct decl *row = &decl_functions[k];
            if (!is_in(env, row, libraries[i]))
                continue;
            const struct function *f = env_function(env, str_of(row->function));
            struct overload *o = next[f - env->functions]++;
            decl_read(env->types, row, decl_types, o);
            o->function = f;
            o->row = k;
            o->call_row = find_call_row(env, k, o->id);
        }
    }
}

static void build(struct env *env)
{
    env->types = types_new(&env->arena, NULL);
    if (!env->celgo.has_optional_type)
        types_name_optional(env->types, STR("optional"));
    for (uint32_t i = 0; i < READY_UNKNOWNS; i++)
        types_unknown(env->types, i);
    env->functions = ARENA_ARRAY(&env->arena, MAX_FUNCTIONS, struct function);
    const enum decl_library *own = env->kubernetes.tries_list_functions_last ? order : lists_first;
    count_overloads(env, own, OWN_LIBRARIES);
    size_t count = env->function_count;
    count_overloads(env, mutation, 1);
    struct overload **next = ARENA_ARRAY(&env->arena, env->function_count, struct overload *);
    for (size_t i = 0; i < env->function_count; i++) {
        struct function *f = &env->functions[i];
        f->overloads = next[i] = ARENA_ARRAY(&env->arena, f->count, struct overload);
    }
    read_overloads(env, own, OWN_LIBRARIES, next);
    read_overloads(env, mutation, 1, next);
    struct env *mutating = ARENA_NEW(&env->arena, struct env);
    *mutating = *env;
    env->mutating = mutating->mutating = mutating;
    env->function_count = count;
    struct env *binding = ARENA_NEW(&env->arena, struct env);
    env->binding = binding;
    *binding = *env;
}

static bool try_build(struct env *env)
{
    if (setjmp(env->arena.escape) != 0)
        return false;
    build(env);
    return true;
}

struct env *env_new(int level, struct celgo celgo)
{
    struct arena a;
    struct env *env = arena_init_holder(&a, ENV_ARENA_BYTES, sizeof *env);
    if (env == NULL)
        return NULL;
    env->arena = a;
    if (level < ENV_OLDEST_LEVEL)
        level = ENV_OLDEST_LEVEL;
    env->level = level > ENV_NEWEST_LEVEL ? ENV_NEWEST_LEVEL : level;
    env->kubernetes = kubernetes_in(env->level);
    env->celgo = celgo;
    if (try_build(env))
        return env;
    env_free(env);
    return NULL;
}

void env_free(struct env *env)
{
    if (env == NULL)
        return;
    struct arena holds_env = env->arena;
    arena_deinit(&holds_env);
}

int env_level(const struct env *env)
{
    return env->level;
}

struct dialect env_dialect(const struct env *env)
{
    const struct celgo *celgo = env_celgo(env);
    return (struct dialect){.level = env_level(env),
                            .has_backquotes = celgo->has_backquotes,
                            .copies_targets = celgo->copies_targets,
                            .has_bind = env->binding == env};
}

const struct kubernetes *env_kubernetes(const struct env *env)
{
    return &env->kubernetes;
}

const struct celgo *env_celgo(const struct env *env)
{
    return &env->celgo;
}

const struct types *env_types(const struct env *env)
{
    return env->types;
}

const struct function *env_function(const struct env *env, struct str name)
{
    uint16_t place = env->slots[find_slot(env, name)];
    return place == 0 || place > env->function_count ? NULL : &env->functions[place - 1];
}

const struct env *env_mutating(const struct env *env)
{
    return env->mutating;
}

const struct env *env_binding(const struct env *env)
{
    return env->binding;
}

bool env_is_mutating(const struct env *env)
{
    return env->mutating == env;
}

const struct function *env_functions(const struct env *env, size_t *count)
{
    *count = env->function_count;
    return env->functions;
}
