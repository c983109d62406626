#include "typecheck/cel/checker/near_names.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/suggest.h"
#include "typecheck/cel/syntax/dialect.h"
#include "typecheck/cel/syntax/macro.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/env.h"

/* cel-go's table of type names, and its functions whose declaration is disabled. No expression can use the
 * latter, but they are suggested. */
static const char *const other_names[] = {
    "bool",
    "bytes",
    "double",
    "google.protobuf.Duration",
    "int",
    "list",
    "map",
    "null_type",
    "string",
    "google.protobuf.Timestamp",
    "type",
    "uint",
    "in",
    "_in_",
    "__not_strictly_false__",
};

/* Two names whose lengths have a larger product are never near. */
#define MOST_CELLS ((size_t)64 * 64)
/* From this length on, a name that is half as long again as the other has the difference of the lengths as
 * its distance. */
#define LONG_NAME ((size_t)16)
/* Cells of the matrix for a step of the budget. */
#define CELLS_PER_STEP ((size_t)16)

static void add(struct near_names *n, struct str name)
{
    ARENA_ROOM(n->arena, n->names, n->count, n->cap, 256);
    n->names[n->count++] = name;
}

static void collect(struct near_names *n)
{
    for (size_t i = 0; i < n->variable_count; i++) {
        arena_step(n->arena);
        add(n, n->variables[i].name);
    }
    size_t function_count;
    const struct function *functions = env_functions(n->env, &function_count);
    for (size_t i = 0; i < function_count; i++) {
        if (functions[i].count != 0)
            add(n, functions[i].name);
    }
    const struct dialect dialect = env_dialect(n->env);
    struct macro_name macro;
    for (size_t i = 0; macro_at(i, &macro); i++) {
        if (macro.level <= dialect.level)
            add(n, macro.name);
    }
    if (dialect.has_bind)
        add(n, STR("bind"));
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        add(n, str_of(other_names[i]));
}

static bool has_dot(struct str name)
{
    return name.len != 0 && memchr(name.at, '.', name.len) != NULL;
}

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t difference(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

/* The length of `longer` alone decides. */
static bool is_much_longer(size_t longer, size_t shorter)
{
    return longer >= LONG_NAME && longer * 2 >= shorter * 3;
}

/* The edit distance; SUGGEST_FAR where cel-go stops before it is known. */
static size_t distance(struct arena *payer, struct str a, struct str b)
{
    if (a.len == 0 || b.len == 0)
        return a.len + b.len;
    if (is_much_longer(a.len, b.len) || is_much_longer(b.len, a.len))
        return difference(a.len, b.len);
    if (a.len * b.len > MOST_CELLS || b.len > SUGGEST_NAME_BYTES)
        return SUGGEST_FAR;
    arena_pay(payer, 1 + a.len * b.len / CELLS_PER_STEP);
    return suggest_distance(a, b, (a.len > b.len ? a.len : b.len) / 3);
}

/* The shorter name comes first, and of equally long ones the first in the alphabet. */
static bool comes_before(struct str a, struct str b)
{
    return a.len != b.len ? a.len < b.len : str_cmp(a, b) < 0;
}

static void offer(struct near_names_found *found, struct str name)
{
    size_t at = 0;
    while (at < found->count && comes_before(found->names[at], name))
        at++;
    if (at == NEAR_NAMES_MAX || (at < found->count && str_eq(found->names[at], name)))
        return;
    for (size_t i = min(found->count, NEAR_NAMES_MAX - 1); i > at; i--)
        found->names[i] = found->names[i - 1];
    found->names[at] = name;
    found->count = min(found->count + 1, NEAR_NAMES_MAX);
}

static size_t farthest(struct str name)
{
    if (name.len <= 3)
        return 1;
    return name.len <= 8 ? 2 : name.len / 3;
}

static struct near_names_found find_nearest(const struct near_names *n, struct str name)
{
    struct near_names_found found = {.count = 0};
    const bool is_dotted = has_dot(name);
    size_t least = farthest(name);
    for (size_t i = 0; i < n->count; i++) {
        const struct str other = n->names[i];
        if (difference(name.len, other.len) > least || has_dot(other) != is_dotted)
            continue; /* the difference of the lengths is the least distance */
        const size_t far = distance(n->arena, name, other);
        if (far < least)
            found.count = 0;
        if (far <= least) {
            least = far;
            offer(&found, other);
        }
    }
    return found;
}

static struct near_names_found find_beginning_with(const struct near_names *n, struct str name)
{
    struct near_names_found found = {.count = 0};
    const bool is_dotted = has_dot(name);
    for (size_t i = 0; i < n->count && name.len >= 2; i++) {
        if (str_has_prefix(n->names[i], name) && has_dot(n->names[i]) == is_dotted)
            offer(&found, n->names[i]);
    }
    return found;
}

struct near_names_found near_names_find(struct near_names *n, struct str name)
{
    if (n->names == NULL)
        collect(n);
    arena_pay(n->arena, 1 + n->count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < n->count; i++) {
        if (str_eq(n->names[i], name))
            return (struct near_names_found){.names = {name}, .count = 1};
    }
    const struct near_names_found nearest = find_nearest(n, name);
    return nearest.count != 0 ? nearest : find_beginning_with(n, name);
}

struct str near_names_only(const struct near_names_found *found, struct str name)
{
    return found->count != 1 || str_eq(found->names[0], name) ? STR("") : found->names[0];
}

struct str near_names_text(struct arena *a, const struct near_names_found *found, struct str name)
{
    const struct str *names = found->names;
    const struct str only = near_names_only(found, name);
    if (found->count == 0 || (found->count == 1 && only.len == 0))
        return STR("");
    if (found->count == 1)
        return str_join(a, STR_PARTS(STR(" (did you mean '"), names[0], STR("'?)")));
    return str_join(a, STR_PARTS(STR(" (did you mean '"), names[0], STR("' or '"), names[1], STR("'?)")));
}
