#include "controller/observe/policystats.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"

static const char *const result_names[POLICYSTATS_N_RESULTS] = {
    [POLICYSTATS_VALID] = "valid",         [POLICYSTATS_WARNINGS] = "warnings",
    [POLICYSTATS_LIMIT] = "limit_reached", [POLICYSTATS_PARTLY] = "partly_checked",
    [POLICYSTATS_SKIPPED] = "skipped",     [POLICYSTATS_PARAM_KIND] = "param_kind_not_found",
};

static const char *const answer_names[POLICYSTATS_N_ANSWERS] = {
    [POLICYSTATS_NONE] = "",
    [POLICYSTATS_TRUE] = "True",
    [POLICYSTATS_FALSE] = "False",
    [POLICYSTATS_UNKNOWN] = "Unknown",
};

/* Thousands of entries are kept, and most of their numbers are 0: only the others take room. */
enum {
    SLOT_TYPES = TYPES_N_REASONS, /* behind the reasons of `skipped` */
    SLOT_WARNINGS,
    SLOT_FINDINGS, /* the first of FINDING_COUNT */
    N_SLOTS = SLOT_FINDINGS + FINDING_COUNT,
};

struct slot {
    uint32_t which, count;
};

struct kept {
    uint8_t result, answers[CONDITIONS_MAX];
    uint16_t n_slots;
    struct slot slots[];
};

struct policystats {
    struct keymap entries; /* by policy: struct kept */
    struct policystats_sums sums;
};

struct policystats *policystats_new(void)
{
    return mem_zalloc(sizeof(struct policystats));
}

void policystats_free(struct policystats *stats)
{
    if (stats == NULL)
        return;
    keymap_deinit(&stats->entries, mem_free);
    mem_free(stats);
}

const char *policystats_result_name(enum policystats_result result)
{
    return result_names[result];
}

const char *policystats_answer_name(enum policystats_answer answer)
{
    return answer_names[answer];
}

static enum policystats_answer answer_of(const struct conditions *conditions, const char *type)
{
    const struct condition *c = conditions_find(conditions, type);
    enum policystats_answer answer = POLICYSTATS_NONE;
    for (size_t i = POLICYSTATS_TRUE; c != NULL && i < POLICYSTATS_N_ANSWERS; i++) {
        if (strcmp(answer_names[i], c->status) == 0)
            answer = (enum policystats_answer)i;
    }
    return answer;
}

/* The result by the conditions with these names: whether all was checked, and whether there are warnings. */
static enum policystats_result result_of(const struct conditions *conditions, const char *checked,
                                         const char *valid)
{
    const char *status = conditions_find(conditions, valid)->status;
    const char *limit = conditions_reason_name(TYPES_LIMIT_REACHED);
    if (strcmp(status, "True") == 0)
        return POLICYSTATS_VALID;
    if (strcmp(status, "False") == 0)
        return POLICYSTATS_WARNINGS;
    return strcmp(conditions_find(conditions, checked)->reason, limit) == 0 ? POLICYSTATS_LIMIT
                                                                            : POLICYSTATS_PARTLY;
}

struct policystats_entry policystats_read(const struct check_result *result,
                                          const struct conditions *conditions)
{
    struct policystats_entry entry = {.result = POLICYSTATS_SKIPPED};
    if (conditions == NULL)
        return entry;
    entry.result = result_of(conditions, CONDITIONS_CHECKED, CONDITIONS_VALID);
    if (entry.result == POLICYSTATS_VALID &&
        answer_of(conditions, CONDITIONS_PARAM_KIND) == POLICYSTATS_FALSE)
        entry.result = POLICYSTATS_PARAM_KIND;
    for (size_t i = 0; i < CONDITIONS_MAX; i++)
        entry.answers[i] = answer_of(conditions, conditions_policy_type(i));
    entry.findings = findingcount_of(conditions, &(struct findingcount_source){.result = result});
    entry.warnings = result->n_warnings;
    entry.types = result->n_types;
    for (size_t i = 0; i < result->n_problems; i++)
        entry.skipped[result->problems[i].reason]++;
    entry.skipped[TYPES_LIMIT_REACHED] += result->more_limits;
    return entry;
}

struct policystats_entry policystats_read_rules(size_t refusals, const struct conditions *conditions)
{
    return (struct policystats_entry){
        .result = result_of(conditions, CONDITIONS_RULES_CHECKED, CONDITIONS_RULES_VALID),
        .warnings = refusals,
        .findings = findingcount_of(conditions, &(struct findingcount_source){.refusals = refusals})};
}

struct policystats_entry policystats_read_binding(size_t faults, const struct conditions *conditions)
{
    return (struct policystats_entry){
        .result = faults == 0 ? POLICYSTATS_VALID : POLICYSTATS_WARNINGS,
        .warnings = faults,
        .findings = findingcount_of(conditions, &(struct findingcount_source){.result = NULL})};
}

static size_t slot_of(const struct policystats_entry *entry, size_t which)
{
    if (which < TYPES_N_REASONS)
        return entry->skipped[which];
    if (which == SLOT_TYPES)
        return entry->types;
    return which == SLOT_WARNINGS ? entry->warnings : entry->findings.of[which - SLOT_FINDINGS];
}

static struct kept *keep(const struct policystats_entry *entry)
{
    struct slot slots[N_SLOTS];
    size_t n = 0;
    for (uint32_t i = 0; i < N_SLOTS; i++) {
        size_t count = slot_of(entry, i);
        if (count > 0)
            slots[n++] = (struct slot){i, count < UINT32_MAX ? (uint32_t)count : UINT32_MAX};
    }
    struct kept *kept = mem_zalloc(sizeof *kept + n * sizeof *slots);
    kept->result = (uint8_t)entry->result;
    kept->n_slots = (uint16_t)n;
    memcpy(kept->slots, slots, n * sizeof *slots);
    for (size_t i = 0; i < CONDITIONS_MAX; i++)
        kept->answers[i] = (uint8_t)entry->answers[i];
    return kept;
}

/* times: 1 puts the entry into the sums, -1 takes it out. */
static void count(struct policystats *t, const struct kept *kept, int times)
{
    t->sums.policies[kept->result] += (size_t)times;
    for (size_t i = 0; i < CONDITIONS_MAX; i++)
        t->sums.answers[i][kept->answers[i]] += (size_t)times;
    for (size_t i = 0; i < kept->n_slots; i++) {
        uint32_t which = kept->slots[i].which;
        size_t change = (size_t)times * kept->slots[i].count;
        if (which < TYPES_N_REASONS)
            t->sums.skipped[which] += change;
        else if (which == SLOT_TYPES)
            t->sums.types += change;
        else if (which >= SLOT_FINDINGS)
            t->sums.findings[which - SLOT_FINDINGS] += change;
    }
}

void policystats_note(struct policystats *stats, const char *policy, const struct policystats_entry *entry)
{
    policystats_remove(stats, policy);
    struct kept *kept = keep(entry);
    keymap_put(&stats->entries, policy, kept);
    count(stats, kept, 1);
}

void policystats_remove(struct policystats *stats, const char *policy)
{
    struct kept *kept = keymap_remove(&stats->entries, policy);
    if (kept == NULL)
        return;
    count(stats, kept, -1);
    mem_free(kept);
}

struct policystats_sums policystats_sums(const struct policystats *stats)
{
    return stats->sums;
}

struct warned {
    const char *policy;
    size_t warnings;
};

struct warned_list {
    struct warned *items;
    size_t count;
};

static void collect(void *user, const char *key, void *value)
{
    struct warned_list *list = user;
    const struct kept *kept = value;
    for (size_t i = 0; i < kept->n_slots; i++) {
        if (kept->slots[i].which == SLOT_WARNINGS)
            list->items[list->count++] = (struct warned){key, kept->slots[i].count};
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct warned *)a)->policy, ((const struct warned *)b)->policy);
}

void policystats_each_warned(const struct policystats *stats,
                             void (*visit)(void *user, const char *policy, size_t warnings), void *user)
{
    struct warned_list list = {.items = mem_array(stats->entries.count + 1, sizeof *list.items)};
    keymap_each(&stats->entries, collect, &list);
    qsort(list.items, list.count, sizeof *list.items, compare);
    for (size_t i = 0; i < list.count; i++)
        visit(user, list.items[i].policy, list.items[i].warnings);
    mem_free(list.items);
}
