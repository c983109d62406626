#include "typecheck/cel/checker/expression_cache.h"

#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/syntax/dialect.h"
#include "typecheck/cel/syntax/macro.h"
#include "typecheck/cel/types/env.h"

enum {
    ENTRIES = 256, /* of one policy, with the corrections that are tried */
    CACHE_BYTES = 4 * 1024 * 1024,
};

struct expression_cache_entry {
    struct expression_cache_entry *next;
    struct str text;  /* where it was parsed; there may be another one by now */
    const char *copy; /* its bytes */
    struct dialect dialect;
    struct expression expression;
    uint64_t steps; /* of parsing */
};

void expression_cache_init(struct expression_cache *cache)
{
    arena_init(&cache->arena, CACHE_BYTES);
    arena_init_part(&cache->scratch, &cache->arena);
    cache->entries = NULL;
    cache->count = 0;
}

void expression_cache_deinit(struct expression_cache *cache)
{
    arena_deinit(&cache->scratch);
    arena_deinit(&cache->arena);
}

void expression_cache_forget(struct expression_cache *cache)
{
    arena_clear(&cache->scratch);
    arena_clear(&cache->arena);
    cache->arena.steps = 0;
    cache->entries = NULL;
    cache->count = 0;
}

/* Levels with the same macros parse alike. */
static struct dialect dialect_of(const struct env *env)
{
    struct dialect dialect = env_dialect(env);
    dialect.level = macro_newest_level(dialect.level);
    return dialect;
}

static bool is_same(const struct dialect *one, const struct dialect *two)
{
    return one->level == two->level && one->has_backquotes == two->has_backquotes &&
           one->copies_targets == two->copies_targets && one->has_bind == two->has_bind;
}

static const struct expression_cache_entry *find(const struct expression_cache *cache,
                                                 const struct dialect *dialect, struct str text)
{
    const struct expression_cache_entry *e = cache->entries;
    while (e != NULL && !(e->text.at == text.at && e->text.len == text.len && is_same(&e->dialect, dialect) &&
                          memcmp(e->copy, text.at, text.len) == 0))
        e = e->next;
    return e;
}

/* Parses the text and adds it; NULL if it has issues, or is too much work or memory. max_steps: of this
 * work. */
static const struct expression_cache_entry *add(struct expression_cache *cache, const struct env *env,
                                                struct str text, uint64_t max_steps)
{
    struct arena *a = &cache->arena;
    const struct arena_mark before = arena_mark(a);
    a->max_steps = max_steps > UINT64_MAX - a->steps ? UINT64_MAX : a->steps + max_steps;
    if (setjmp(a->escape) == 0) {
        const uint64_t steps = a->steps;
        struct expression_cache_entry *e = ARENA_NEW(a, struct expression_cache_entry);
        *e = (struct expression_cache_entry){
            .next = cache->entries, .text = text, .dialect = dialect_of(env), .copy = text.at};
        const bool is_good = expression_parse(&e->expression, a, &cache->scratch, env, text);
        arena_clear(&cache->scratch);
        if (is_good) {
            e->steps = a->steps - steps;
            e->copy = arena_copy(a, text.at, text.len);
            cache->count++;
            return cache->entries = e;
        }
    }
    arena_clear(&cache->scratch);
    arena_release(a, before);
    return NULL;
}

static uint64_t steps_left(const struct arena *a)
{
    const struct arena *payer = a->whole != NULL ? a->whole : a;
    return payer->max_steps - payer->steps;
}

bool expression_cache_parse(struct expression_cache *cache, struct expression *x, struct arena *a,
                            struct arena *scratch, const struct env *env, struct str text)
{
    if (cache == NULL || text.len == 0)
        return expression_parse(x, a, scratch, env, text);
    const struct dialect dialect = dialect_of(env);
    const struct expression_cache_entry *e = find(cache, &dialect, text);
    if (e == NULL && cache->count < ENTRIES)
        e = add(cache, env, text, steps_left(a));
    if (e == NULL)
        return expression_parse(x, a, scratch, env, text);
    arena_pay(a, e->steps);
    *x = e->expression;
    issues_init(&x->issues, scratch);
    return true;
}
