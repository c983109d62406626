#include "controller/reconcile/memories.h"

#include <string.h>

#include "client/base/mem.h"
#include "typecheck/typecheck.h"

#define KEPT_MAX_BYTES    ((size_t)12 * 1024 * 1024) /* of all policies together */
#define ANSWERS_MAX_BYTES ((size_t)2 * 1024 * 1024)

/* Definitions that are deleted leave identities behind. If there are more than IDENTITIES_A_TYPE for each
 * type that exists, and IDENTITIES_MORE besides, all are forgotten. */
enum { IDENTITIES_A_TYPE = 2, IDENTITIES_MORE = 1000 };

/* Kept by the checks of one policy. */
struct memory {
    char *uid;
    int64_t generation; /* of its spec */
    struct typecheck_kept *kept;
    size_t bytes; /* of it, when it was used last */
};

struct memories {
    struct cluster *cluster;
    struct typesets *types; /* the types of the policy; NULL if none are kept yet */
    uint64_t revision;      /* cluster_revision, of the types */
    uint64_t env_revision;  /* of what is kept */
    struct identities identities;
    struct typecheck_answers *answers; /* of these identities; NULL: there is no memory */
    struct keymap policies;            /* key -> struct memory */
    size_t bytes;                      /* of all that is kept */
};

struct memories *memories_new(struct cluster *cluster)
{
    struct memories *m = mem_zalloc(sizeof *m);
    m->cluster = cluster;
    m->answers = typecheck_answers_new(ANSWERS_MAX_BYTES);
    return m;
}

static void free_types(void *types)
{
    typesets_deinit(types);
    mem_free(types);
}

static void free_kept(void *kept)
{
    typecheck_kept_free(kept);
}

static void free_memory(void *value)
{
    struct memory *memory = value;
    typecheck_kept_free(memory->kept);
    mem_free(memory->uid);
    mem_free(memory);
}

void memories_free(struct memories *memories)
{
    if (memories == NULL)
        return;
    if (memories->types != NULL)
        free_types(memories->types);
    keymap_deinit(&memories->policies, free_memory);
    identities_deinit(&memories->identities);
    typecheck_answers_free(memories->answers);
    mem_free(memories);
}

/* A check under way may use what is kept. */
static void retire(struct memories *m, struct memory *memory)
{
    if (memory == NULL)
        return;
    m->bytes -= memory->bytes;
    cluster_retire(m->cluster, memory->kept, free_kept);
    memory->kept = NULL;
    free_memory(memory);
}

void memories_forget(struct memories *memories, const char *key)
{
    retire(memories, keymap_remove(&memories->policies, key));
}

static void retire_visited(void *user, const char *key, void *value)
{
    (void)key;
    retire(user, value);
}

static void forget_all(struct memories *m)
{
    keymap_each(&m->policies, retire_visited, m);
    keymap_deinit(&m->policies, NULL);
}

/* Returns true if most identities are those of types that are gone. */
static bool has_old_identities(const struct memories *m)
{
    const size_t types = m->types == NULL ? 0 : m->types->n_types;
    return m->identities.numbers.count > IDENTITIES_A_TYPE * types + IDENTITIES_MORE;
}

struct typesets *memories_types(struct memories *memories)
{
    const uint64_t revision = cluster_revision(memories->cluster);
    if (memories->types != NULL && memories->revision == revision)
        return memories->types;
    if (has_old_identities(memories)) {
        forget_all(memories);
        identities_deinit(&memories->identities);
        if (memories->answers != NULL)
            typecheck_answers_forget(memories->answers);
    }
    cluster_retire(memories->cluster, memories->types, free_types);
    memories->types = mem_zalloc(sizeof *memories->types);
    memories->types->identities = &memories->identities;
    memories->types->answers = memories->answers;
    memories->revision = revision;
    return memories->types;
}

/* Returns NULL if there is no room. */
static struct memory *new_memory(struct memories *m, const char *key, const struct policyview *policy)
{
    struct typecheck_kept *kept = m->bytes >= KEPT_MAX_BYTES ? NULL : typecheck_kept_new();
    if (kept == NULL)
        return NULL;
    struct memory *memory = mem_zalloc(sizeof *memory);
    *memory = (struct memory){.uid = mem_strdup(policy->uid), .generation = policy->generation, .kept = kept};
    keymap_put(&m->policies, key, memory);
    return memory;
}

static bool is_of(const struct memory *memory, const struct policyview *policy)
{
    return memory != NULL && memory->generation == policy->generation &&
           strcmp(memory->uid, policy->uid) == 0;
}

void memories_use(struct memories *memories, const char *key, const struct policyview *policy,
                  struct check *check)
{
    const uint64_t env_revision = cluster_env_revision(memories->cluster);
    if (memories->env_revision != env_revision)
        forget_all(memories);
    memories->env_revision = env_revision;
    struct memory *memory = keymap_get(&memories->policies, key);
    if (!is_of(memory, policy) || !check_shares_types(check)) {
        memories_forget(memories, key);
        memory = check_shares_types(check) ? new_memory(memories, key, policy) : NULL;
    }
    if (memory == NULL)
        return;
    memories->bytes -= memory->bytes;
    memory->bytes = typecheck_kept_bytes(memory->kept);
    memories->bytes += memory->bytes;
    check_set_kept(check, memory->kept);
}
