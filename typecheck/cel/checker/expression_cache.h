/*
 * expression_cache: keeps expressions that parsed, so that those who check the same text one after the other
 * parse it once: the API server's compilation at create, the check of a type, the search for a correction.
 *
 * What a text parses to depends on the dialect alone (dialect.h), which most environments share. An
 * expression of the cache is good until expression_cache_forget, and as long as its text lies where it was:
 * names in the tree point into the text.
 *
 *     struct expression_cache cache;
 *     expression_cache_init(&cache);
 *     if (!expression_cache_parse(&cache, &x, a, scratch, env, text)) ... as of expression_parse
 *     expression_cache_forget(&cache);
 *     expression_cache_deinit(&cache);
 */
#ifndef TYPECHECK_CEL_CHECKER_EXPRESSION_CACHE_H
#define TYPECHECK_CEL_CHECKER_EXPRESSION_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"

struct env;
struct expression;
struct expression_cache_entry;

struct expression_cache {
    struct arena arena, scratch;
    struct expression_cache_entry *entries; /* newest first */
    size_t count;
};

void expression_cache_init(struct expression_cache *cache);
void expression_cache_deinit(struct expression_cache *cache);
void expression_cache_forget(struct expression_cache *cache);

/* As expression_parse, and with the same steps. cache: NULL for none; then the expression lies in `a`. */
bool expression_cache_parse(struct expression_cache *cache, struct expression *x, struct arena *a,
                            struct arena *scratch, const struct env *env, struct str text);

#endif
