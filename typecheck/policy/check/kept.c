#include "typecheck/policy/check/kept.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/policy/check/identity.h"

#define KEPT_MAX_BYTES     ((size_t)128 * 1024)
#define OUTCOMES_MAX_BYTES ((size_t)48 * 1024) /* of what is reported */
#define OUTCOME_MAX_BYTES  ((size_t)4 * 1024)
enum { NAMES_MAX = 32 };

/* The addition of a type to the claims and truths, and to the report. */
struct outcome {
    const uint8_t *record;
    const struct classes_block *blocks;
    size_t block_count;
};

struct kept_outcomes {
    uint8_t *of_types;                      /* by identity; 0: none */
    struct outcome list[KEPT_OUTCOMES_MAX]; /* the first is outcome 1 */
    unsigned count;
    size_t record_bytes;
    size_t block_bytes;
    uint64_t steps, type_count; /* steps: all that these types took */
};

struct typecheck_kept {
    struct arena arena; /* holds this, and behind the mark all else */
    struct arena_mark mark;
    size_t types; /* how many identities there is room for */
    uint32_t params;
    struct kept_outcomes plain, claimed;
    struct names_judged names[NAMES_MAX]; /* the answers on which outcomes depend */
    size_t name_count;
};

struct typecheck_kept *typecheck_kept_new(void)
{
    struct arena holds_it;
    struct typecheck_kept *kept = arena_init_holder(&holds_it, KEPT_MAX_BYTES, sizeof *kept);
    if (kept == NULL)
        return NULL;
    kept->arena = holds_it;
    kept->mark = arena_mark(&kept->arena);
    return kept;
}

void typecheck_kept_free(struct typecheck_kept *kept)
{
    if (kept == NULL)
        return;
    struct arena holds_this = kept->arena;
    arena_deinit(&holds_this);
}

size_t typecheck_kept_bytes(const struct typecheck_kept *kept)
{
    return kept->arena.used_bytes;
}

static void forget(struct typecheck_kept *kept)
{
    arena_release(&kept->arena, kept->mark);
    kept->types = 0;
    kept->name_count = 0;
    kept->plain = kept->claimed = (struct kept_outcomes){.count = 0};
}

/* ---- the beginning of a check ---- */

/* Returns false if there is no memory. */
static bool begin_again(struct typecheck_kept *kept, size_t types, uint32_t params)
{
    forget(kept);
    if (setjmp(kept->arena.escape) != 0)
        return false;
    kept->plain.of_types = ARENA_ARRAY(&kept->arena, types, uint8_t);
    kept->claimed.of_types = ARENA_ARRAY(&kept->arena, types, uint8_t);
    kept->types = types;
    kept->params = params;
    return true;
}

/* Returns true if all names are judged as they were. */
static bool knows_names(const struct typecheck_kept *kept, struct names *names)
{
    bool is_same = true;
    for (size_t i = 0; is_same && i < kept->name_count; i++) {
        const struct names_judged *known = &kept->names[i];
        struct str meant;
        is_same = names_is_slip(names, known->sort, known->text, &meant) == known->is_slip &&
                  str_eq(meant, known->meant);
    }
    return is_same;
}

/* Returns true if what is kept is of this policy, which has so many bytes for each type. */
static bool can_use(const struct typecheck_kept *kept, const struct kept_run *run, size_t bytes)
{
    return (run->outcomes->count == 0 || run->outcomes->record_bytes == bytes) &&
           (run->claims == NULL || knows_names(kept, run->names));
}

/* Returns true if nothing depends on what an outcome does not have: the issues that were ignored, advice, and
 * types that are not known (strangers). */
static bool may_keep(const struct typecheck_policy *p)
{
    const bool is_params_known = p->params.doc == NULL || p->params.identity != 0;
    return p->kept != NULL && p->ignore == NULL && !p->wants_advice && !p->has_strangers && is_params_known;
}

void kept_begin(struct kept_run *run, struct arena *a, const struct typecheck_policy *policy,
                struct claims *claims, struct names *names)
{
    struct typecheck_kept *kept = policy->kept;
    const size_t bytes = (claims == NULL ? 0 : claims->bytes) + policy->policy.count + sizeof run->reported;
    *run = (struct kept_run){.claims = claims, .names = names, .expression_count = policy->policy.count};
    if (!may_keep(policy))
        return;
    const size_t most = policy->most_identity;
    run->outcomes = claims == NULL ? &kept->plain : &kept->claimed;
    const bool is_usable =
        most < kept->types && kept->params == policy->params.identity && can_use(kept, run, bytes);
    if (!is_usable && !begin_again(kept, identity_room(most), policy->params.identity))
        return;
    run->outcomes->record_bytes = bytes;
    run->record = ARENA_ARRAY(a, bytes, uint8_t);
    run->kept = kept;
    if (claims != NULL)
        claims->is_kept = true;
}

/* ---- what is kept ---- */

/* Returns true if the tables have a place for the type. */
static bool has_table(const struct kept_run *run, uint32_t identity)
{
    return run->kept != NULL && identity != 0 && identity < run->kept->types;
}

/* Returns the kept outcome of the type, or NULL if it has none. */
static const struct outcome *find_outcome(const struct kept_run *run, uint32_t identity, unsigned *number)
{
    *number = has_table(run, identity) ? run->outcomes->of_types[identity] : 0;
    return *number == 0 ? NULL : &run->outcomes->list[*number - 1];
}

bool kept_add(struct kept_run *run, uint32_t identity, uint8_t *truths)
{
    const struct kept_outcomes *all = run->outcomes;
    unsigned number;
    const struct outcome *o = find_outcome(run, identity, &number);
    if (o == NULL || (o->block_count > 0 && !run->is_reported[number]))
        return false;
    const uint8_t *record = o->record;
    if (!run->is_added[number] && run->claims != NULL) {
        if (!claims_can_add(run->claims, record))
            return false;
        claims_add_part(run->claims, record);
        record += run->claims->bytes;
    }
    for (size_t i = 0; !run->is_added[number] && i < run->expression_count; i++)
        truths[i] |= record[i];
    run->is_added[number] = true;
    run->steps += all->steps / all->type_count;
    return true;
}

const struct classes_block *kept_blocks(const struct kept_run *run, uint32_t identity, size_t *count)
{
    unsigned number;
    const struct outcome *o = find_outcome(run, identity, &number);
    *count = o == NULL ? 0 : o->block_count;
    return o == NULL ? NULL : o->blocks;
}

void kept_begin_type(struct kept_run *run)
{
    run->reported = (struct schema_digest){0, 0};
}

static void add_issue(struct schema_digest *d, const struct typecheck_issue *issue)
{
    schema_digest_add(d, issue->message);
    schema_digest_add_number(d, (uint64_t)issue->line);
    schema_digest_add_number(d, (uint64_t)issue->column * 2 + issue->is_unequal);
    schema_digest_add_number(d, issue->change == NULL ? 0 : (uint64_t)issue->change->sort);
    if (issue->change == NULL)
        return;
    schema_digest_add(d, issue->change->from);
    schema_digest_add(d, issue->change->to);
}

/* All that report_add reads of a block which is not the first one. */
void kept_report(struct kept_run *run, const struct classes_block *block)
{
    const struct report_block *b = &block->block;
    struct schema_digest *d = &run->reported;
    schema_digest_add_number(d, block->expression + 1);
    schema_digest_add(d, b->issues);
    schema_digest_add(d, b->hint);
    schema_digest_add_number(d, (uint64_t)b->shown * 4 + (b->is_hint_of_pods ? 2 : 0) + b->is_cut);
    schema_digest_add_number(d, b->count);
    for (size_t i = 0; i < b->count; i++)
        add_issue(d, &b->list[i]);
}

uint8_t *kept_truths(const struct kept_run *run)
{
    return run->record + (run->claims == NULL ? 0 : run->claims->bytes);
}

/* Keeps the names that were judged since the last time. Returns false if there is no room. */
static bool keep_names(struct typecheck_kept *kept, const struct names *names)
{
    if (names->judged_count == kept->name_count)
        return true;
    if (names->judged_count > NAMES_MAX)
        return false;
    kept->name_count = 0;
    for (size_t i = 0; i < names->judged_cap; i++) {
        const struct names_judged *judged = &names->judged[i];
        if (judged->text.at == NULL)
            continue;
        kept->names[kept->name_count] = *judged;
        kept->names[kept->name_count].text = str_copy(&kept->arena, judged->text);
        kept->names[kept->name_count++].meant = str_copy(&kept->arena, judged->meant);
    }
    return true;
}

static unsigned find_record(const struct kept_outcomes *all, const uint8_t *record)
{
    unsigned i = all->count;
    while (i > 0 && memcmp(all->list[i - 1].record, record, all->record_bytes) != 0)
        i--;
    return i;
}

/* Nothing more is kept of this check: outcomes must not be kept without the names on which they depend. */
static unsigned give_up(struct kept_run *run)
{
    forget(run->kept);
    run->kept = NULL;
    return 0;
}

/* Returns true if there is room for one more outcome, which counts then. */
static bool has_room(struct kept_outcomes *all, const struct classes_block *blocks, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += report_block_bytes(&blocks[i].block);
    if (all->count == KEPT_OUTCOMES_MAX || bytes > OUTCOME_MAX_BYTES ||
        all->block_bytes + bytes > OUTCOMES_MAX_BYTES)
        return false;
    all->block_bytes += bytes;
    return true;
}

static unsigned keep_record(struct kept_run *run, const struct classes_block *blocks, size_t count)
{
    struct arena *a = &run->kept->arena;
    struct kept_outcomes *all = run->outcomes;
    if (setjmp(a->escape) != 0)
        return give_up(run);
    if (run->claims != NULL && !keep_names(run->kept, run->names))
        return give_up(run);
    const unsigned known = find_record(all, run->record);
    if (known != 0 || !has_room(all, blocks, count))
        return known;
    struct outcome *o = &all->list[all->count];
    o->record = (const uint8_t *)arena_copy(a, run->record, all->record_bytes);
    o->blocks = classes_copy_blocks(a, blocks, count);
    o->block_count = count;
    return ++all->count;
}

/* The type at hand was reported, so another type with the outcome can follow. */
static unsigned keep_reported(struct kept_run *run, const struct classes_block *blocks, size_t count)
{
    const unsigned outcome = keep_record(run, blocks, count);
    run->is_reported[outcome] = true;
    return outcome;
}

unsigned kept_outcome(struct kept_run *run, const struct classes_block *blocks, size_t count)
{
    if (run->kept == NULL)
        return 0;
    if (run->claims != NULL)
        memcpy(run->record, run->claims->part, run->claims->bytes);
    memcpy(kept_truths(run) + run->expression_count, &run->reported, sizeof run->reported);
    return keep_reported(run, blocks, count);
}

unsigned kept_outcome_of_class(struct kept_run *run, const struct classes_block *blocks, size_t count)
{
    if (run->kept == NULL)
        return 0;
    if (run->claims != NULL)
        claims_open_notes(run->claims, run->record);
    return keep_reported(run, blocks, count);
}

void kept_put(struct kept_run *run, uint32_t identity, unsigned outcome, uint64_t steps)
{
    if (!has_table(run, identity))
        return;
    run->outcomes->of_types[identity] = (uint8_t)outcome;
    if (outcome == 0)
        return;
    run->outcomes->steps += steps;
    run->outcomes->type_count++;
}
