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

static const char *const condition_names[CONDITIONS_MAX] = {
    CONDITIONS_CHECKED, CONDITIONS_VALID, CONDITIONS_PARAM_KIND, CONDITIONS_BOUND, CONDITIONS_NEXT,
};

static const char *const answer_names[POLICYSTATS_N_ANSWERS] = {
    [POLICYSTATS_NONE] = "",
    [POLICYSTATS_TRUE] = "True",
    [POLICYSTATS_FALSE] = "False",
    [POLICYSTATS_UNKNOWN] = "Unknown",
};

struct policystats {
    struct keymap entries; /* by policy: struct policystats_entry */
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

const char *policystats_condition_name(size_t i)
{
    return condition_names[i];
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

/* Of the conditions whose names are given: whether all was checked, and whether there are warnings. */
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
        entry.answers[i] = answer_of(conditions, condition_names[i]);
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

/* times: 1 puts the entry into the sums, -1 takes it out. */
static void count(struct policystats *t, const struct policystats_entry *entry, int times)
{
    t->sums.policies[entry->result] += (size_t)times;
    t->sums.types += (size_t)times * entry->types;
    for (size_t i = 0; i < TYPES_N_REASONS; i++)
        t->sums.skipped[i] += (size_t)times * entry->skipped[i];
    for (size_t i = 0; i < CONDITIONS_MAX; i++)
        t->sums.answers[i][entry->answers[i]] += (size_t)times;
    for (size_t i = 0; i < FINDING_COUNT; i++)
        t->sums.findings[i] += (size_t)times * entry->findings.of[i];
}

void policystats_note(struct policystats *stats, const char *policy, const struct policystats_entry *entry)
{
    policystats_remove(stats, policy);
    struct policystats_entry *kept = mem_zalloc(sizeof *kept);
    *kept = *entry;
    keymap_put(&stats->entries, policy, kept);
    count(stats, kept, 1);
}

void policystats_remove(struct policystats *stats, const char *policy)
{
    struct policystats_entry *entry = keymap_remove(&stats->entries, policy);
    if (entry == NULL)
        return;
    count(stats, entry, -1);
    mem_free(entry);
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
    const struct policystats_entry *entry = value;
    if (entry->warnings > 0)
        list->items[list->count++] = (struct warned){key, entry->warnings};
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
