#include "cmd/kubectl-vapcheck/hints/hints_search.h"

#include <string.h>

#include "client/base/mem.h"
#include "typecheck/syntax/issue.h"

enum {
    MAX_SLIPS = 4, /* in one expression */
    REPAIR_STEPS = 100 * 1000,
    MAX_ISSUES = 999 * 1000,
};

/* Bytes of the text from the issue to the end. */
static unsigned bytes_behind(const struct typecheck_issue *issue, struct str text)
{
    const size_t place = issue->offset == SOURCE_BEFORE ? 0 : issue->offset;
    const size_t left = place < text.len ? text.len - place : 0;
    return left < MAX_ISSUES ? (unsigned)left : MAX_ISSUES;
}

unsigned hints_search_rank(const struct compile_problem *problem, struct str text)
{
    if (problem->text.len == 0)
        return HINTS_GOOD;
    for (size_t i = 0; i < problem->issue_count; i++) {
        if (problem->issues[i].code == ISSUE_SYNTAX)
            return HINTS_SYNTAX + bytes_behind(&problem->issues[0], text);
    }
    return HINTS_REFUSED + (unsigned)problem->issue_count;
}

/* The best of the texts that are better than *rank; NULL: none is. */
static const struct repair *find_best(const struct hints_search *s, const struct repairs *r, unsigned *rank,
                                      uint64_t *left)
{
    const struct repair *best = NULL;
    for (size_t i = 0; i<r->count && * rank != HINTS_GOOD && * left> 0; i++) {
        unsigned found = s->try(s->user, r->list[i].text, left);
        if (found >= *rank)
            continue;
        *rank = found;
        best = &r->list[i];
    }
    return best;
}

/* What is said so far. */
struct found_hint {
    char *hint; /* NULL: nothing */
    bool is_question;
};

/* "did you mean 'a' and 'b'?" of two questions; other hints one behind the other. */
static void add_hint(struct found_hint *found, const struct repair *more)
{
    const size_t start = sizeof REPAIR_QUESTION - 1;
    char *before = found->hint;
    if (before == NULL) {
        *found = (struct found_hint){mem_strndup(more->hint.at, more->hint.len), more->is_question};
        return;
    }
    found->is_question = found->is_question && more->is_question;
    if (found->is_question)
        found->hint = mem_printf("%.*s and %.*s", (int)strlen(before) - 1, before,
                                 (int)(more->hint.len - start), more->hint.at + start);
    else
        found->hint = mem_printf("%s; %.*s", before, STR_ARG(more->hint));
    mem_free(before);
}

/* Of an operator and its operands nobody knows what belongs together. */
static bool is_name(struct str text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    for (size_t i = 0; i < text.len; i++) {
        if (memchr(letters, text.at[i], sizeof letters - 1) == NULL)
            return false;
    }
    return text.len > 0;
}

/* Whether the change is one of names, and nothing is said of it. */
static bool is_cured(const struct hints_search *s, struct str before, struct str text, uint64_t *left)
{
    size_t start = 0, end = text.len, old_end = before.len;
    const unsigned rank = s->is_said_at == NULL ? HINTS_UNKNOWN : s->try(s->user, text, left);
    if (rank >= HINTS_REFUSED)
        return false;
    while (start < end && start < old_end && text.at[start] == before.at[start])
        start++;
    while (end > start && old_end > start && text.at[end - 1] == before.at[old_end - 1])
        end--, old_end--;
    return is_name((struct str){text.at + start, end - start}) && !s->is_said_at(s->user, start, end);
}

char *hints_search_run(const struct hints_search *s, struct str text, uint64_t *left)
{
    struct found_hint found = {.hint = NULL};
    char *at = mem_strndup(text.at, text.len);
    size_t len = text.len;
    unsigned rank = s->try(s->user, text, left);
    const bool is_refused = rank >= HINTS_REFUSED && rank != HINTS_UNKNOWN;
    bool goes_on = rank != HINTS_GOOD && rank != HINTS_UNKNOWN;
    for (size_t i = 0; i < MAX_SLIPS && goes_on && rank != HINTS_GOOD; i++) {
        struct repairs r;
        uint64_t most = *left < REPAIR_STEPS ? *left : REPAIR_STEPS;
        repair_find(s->env, &s->scope, (struct str){at, len}, most, &r);
        *left -= r.arena.steps < *left ? r.arena.steps : *left;
        const struct repair *best = find_best(s, &r, &rank, left);
        goes_on = best != NULL;
        if (best != NULL) {
            add_hint(&found, best);
            mem_free(at);
            at = mem_strndup(best->text.at, best->text.len);
            len = best->text.len;
        }
        repair_deinit(&r);
    }
    const bool is_certain = rank == HINTS_GOOD || (is_refused && rank < HINTS_REFUSED &&
                                                   is_cured(s, text, (struct str){at, len}, left));
    mem_free(at);
    if (is_certain)
        return found.hint;
    mem_free(found.hint);
    return NULL;
}
