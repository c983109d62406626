#include "cmd/kubectl-vapcheck/hints/hints_search.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"

enum {
    MAX_SLIPS = 4, /* in one expression */
    REPAIR_STEPS = 100 * 1000,
    MAX_ISSUES = 999 * 1000,
};

unsigned hints_search_issues(struct str rendered)
{
    static const char mark[] = "ERROR: ";
    const char *at = rendered.at, *end = rendered.at + rendered.len;
    unsigned count = 0;
    while (count < MAX_ISSUES && (at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1)) != NULL) {
        at += sizeof mark - 1;
        count++;
    }
    return count;
}

/* Bytes of the text from the issue that is shown first to the end: "ERROR: <input>:1:7: ". */
static unsigned bytes_behind(struct str problem, struct str text)
{
    static const char mark[] = "ERROR: <input>:";
    const char *at = memmem(problem.at, problem.len, mark, sizeof mark - 1);
    const char *p = text.at, *end = text.at + text.len;
    char *rest;
    if (at == NULL)
        return MAX_ISSUES;
    unsigned long line = strtoul(at + sizeof mark - 1, &rest, 10);
    unsigned long column = *rest == ':' ? strtoul(rest + 1, NULL, 10) : 1;
    for (; line > 1 && p < end; p++)
        line -= *p == '\n';
    for (; column > 1 && p < end; p++)
        column -= ((unsigned char)*p & 0xC0) != 0x80;
    size_t left = (size_t)(end - p);
    return left < MAX_ISSUES ? (unsigned)left : MAX_ISSUES;
}

unsigned hints_search_rank(struct str problem, struct str text)
{
    static const char syntax[] = "Syntax error";
    if (problem.len == 0)
        return HINTS_GOOD;
    if (memmem(problem.at, problem.len, syntax, sizeof syntax - 1) != NULL)
        return HINTS_SYNTAX + bytes_behind(problem, text);
    return HINTS_REFUSED + hints_search_issues(problem);
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

/* "did you mean 'a' and 'b'?" of two questions; other hints one behind the other. */
static void add_hint(char **hint, struct str more)
{
    static const char question[] = "did you mean ";
    const size_t start = sizeof question - 1;
    char *before = *hint;
    size_t len = before == NULL ? 0 : strlen(before);
    bool are_questions = len > start && strncmp(before, question, start) == 0 && before[len - 1] == '?' &&
                         str_has_prefix(more, STR("did you mean "));
    if (before == NULL)
        *hint = mem_strndup(more.at, more.len);
    else if (are_questions)
        *hint = mem_printf("%.*s and %.*s", (int)len - 1, before, (int)(more.len - start), more.at + start);
    else
        *hint = mem_printf("%s; %.*s", before, (int)more.len, more.at);
    mem_free(before);
}

char *hints_search_run(const struct hints_search *s, struct str text, uint64_t *left)
{
    char *hint = NULL, *at = mem_strndup(text.at, text.len);
    size_t len = text.len;
    unsigned rank = s->try(s->user, text, left);
    bool goes_on = rank != HINTS_GOOD && rank != HINTS_UNKNOWN;
    for (size_t i = 0; i < MAX_SLIPS && goes_on && rank != HINTS_GOOD; i++) {
        struct repairs r;
        uint64_t most = *left < REPAIR_STEPS ? *left : REPAIR_STEPS;
        repair_find(s->env, &s->scope, (struct str){at, len}, most, &r);
        *left -= r.arena.steps < *left ? r.arena.steps : *left;
        const struct repair *best = find_best(s, &r, &rank, left);
        goes_on = best != NULL;
        if (best != NULL) {
            add_hint(&hint, best->hint);
            mem_free(at);
            at = mem_strndup(best->text.at, best->text.len);
            len = best->text.len;
        }
        repair_deinit(&r);
    }
    mem_free(at);
    if (rank == HINTS_GOOD)
        return hint;
    mem_free(hint);
    return NULL;
}
