/*
 * A search first tries the text itself (advance). While the result is not good, it does one round after the
 * other. begin_round makes candidates of the present text (repair.h). try_candidate tries each of them, in
 * pieces, and judge_candidate keeps the best one; a second one that is as good makes the hint a suggestion.
 * end_round applies the best candidate, whose trial is then the present one. At the end, the changes count
 * only if nothing is said at their places (is_proved). If no change helps, the hint explains the mistake in
 * words.
 *
 * The run owns the results of its trials (said) and the hint until hints_search_end returns it.
 */
#include "controller/hints/hints_search.h"

#include <string.h>

#include "bytes/budget.h"
#include "client/base/mem.h"

enum {
    MAX_SLIPS = 6,               /* the rounds: so many mistakes are corrected in one expression */
    REPAIR_STEPS = 100 * 1000,   /* for making the candidates of one round */
    MAX_RANK_BYTES = 999 * 1000, /* more bytes do not count, so that the rank stays below HINTS_UNKNOWN */
};

/* ---- trials ---- */

static struct str put_text(char **at, struct str text)
{
    const struct str copy = {*at, text.len};
    if (text.len > 0)
        memcpy(*at, text.at, text.len);
    *at += text.len + 1;
    return copy;
}

void hints_trial_add(struct hints_trial *trial, const struct repair_issue *issue)
{
    const struct str message = str_of(issue->message);
    const struct hint_change *change = &issue->change;
    trial->issues = mem_realloc(trial->issues, trial->n_issues + 1, sizeof *trial->issues);
    trial->texts = mem_realloc(trial->texts, trial->n_issues + 1, sizeof *trial->texts);
    char *at = trial->texts[trial->n_issues] =
        mem_zalloc(message.len + change->from.len + change->to.len + 3);
    struct repair_issue *kept = &trial->issues[trial->n_issues++];
    *kept = *issue;
    kept->message = put_text(&at, message).at;
    kept->change.from = put_text(&at, change->from);
    kept->change.to = put_text(&at, change->to);
}

static void free_trial(struct hints_trial *trial)
{
    for (size_t i = 0; i < trial->n_issues; i++)
        mem_free(trial->texts[i]);
    mem_free(trial->texts);
    mem_free(trial->issues);
    *trial = (struct hints_trial){0};
}

/* Bytes of the text from the issue to the end. */
static unsigned bytes_behind(const struct typecheck_issue *issue, struct str text)
{
    const size_t place = issue->at.offset > text.len ? 0 : issue->at.offset; /* no place is before the text */
    const size_t left = text.len - place;
    return left < MAX_RANK_BYTES ? (unsigned)left : MAX_RANK_BYTES;
}

/* The rank of a refused text: by the number of issues, or for a text that does not parse, by how much of it
 * follows the first issue. */
static unsigned rank_of(const struct compile_problem *problem, struct str text)
{
    if (problem->text.len == 0)
        return HINTS_GOOD;
    for (size_t i = 0; i < problem->issue_count; i++) {
        if (problem->issues[i].code == ISSUE_SYNTAX)
            return HINTS_SYNTAX + bytes_behind(&problem->issues[0], text);
    }
    return HINTS_REFUSED + (unsigned)problem->issue_count;
}

void hints_trial_refuse(struct hints_trial *trial, const struct compile_problem *problem, struct str text)
{
    trial->rank = rank_of(problem, text);
    for (size_t i = 0; i < problem->issue_count; i++) {
        const struct typecheck_issue *issue = &problem->issues[i];
        cleanup_mem char *message = mem_strndup(issue->message.at, issue->message.len);
        hints_trial_add(trial, &(struct repair_issue){.code = issue->code,
                                                      .offset = issue->at.offset,
                                                      .end = issue->at.end,
                                                      .message = message,
                                                      .change = issue->change == NULL ? HINT_CHANGE_NOTHING
                                                                                      : *issue->change});
    }
}

static bool is_refused(const struct hints_trial *trial)
{
    return trial->rank >= HINTS_REFUSED;
}

/* Returns true if two trials say the same, wherever they say it. */
static bool says_same(const struct hints_trial *a, const struct hints_trial *b)
{
    bool is_same = a->rank == b->rank && a->n_issues == b->n_issues;
    for (size_t i = 0; i < a->n_issues && is_same; i++)
        is_same =
            a->issues[i].code == b->issues[i].code && strcmp(a->issues[i].message, b->issues[i].message) == 0;
    return is_same;
}

/* Returns true if the trial of the text says something of the bytes from start to before end, or of the call
 * whose name they are. */
static bool is_said_at(const struct hints_trial *trial, struct str text, size_t start, size_t end)
{
    for (size_t i = 0; i < trial->n_issues; i++) {
        const struct repair_issue *issue = &trial->issues[i];
        const size_t last = issue->end > issue->offset ? issue->end : (size_t)issue->offset + 1;
        if (issue->offset >= text.len)
            continue;
        if ((issue->offset < end && start < last) || (start == end && issue->offset <= start && start < last))
            return true;
        if (issue->offset == end && text.at[end] == '(')
            return true;
    }
    return false;
}

/* Returns true if an edit makes an operator, whose operands are then at fault as well. */
static bool is_operator(struct str text)
{
    bool is_operator = text.len > 0;
    for (size_t i = 0; i < text.len; i++)
        is_operator = is_operator && strchr("&|!=<> ", text.at[i]) != NULL;
    return is_operator;
}

static bool blames_operand(const struct hints_trial *trial)
{
    for (size_t i = 0; i < trial->n_issues; i++) {
        const enum issue_code code = trial->issues[i].code;
        if (code == ISSUE_NO_OVERLOAD || code == ISSUE_NEVER_EQUAL || code == ISSUE_TYPE_MISMATCH)
            return true;
    }
    return false;
}

/* Returns true if nothing is said at the places of the edits, which made the text. */
static bool is_clean(const struct hints_trial *trial, struct str text, const struct repair *r)
{
    size_t shift = 0;
    for (size_t i = 0; i < r->edit_count; i++) {
        const struct repair_edit *edit = &r->edits[i];
        const size_t start = edit->start + shift; /* wraps around, and back */
        if (is_said_at(trial, text, start, start + edit->text.len) ||
            (is_operator(edit->text) && blames_operand(trial)))
            return false;
        shift += edit->text.len - (edit->end - edit->start);
    }
    return true;
}

bool hints_trial_is_lost(const struct repair *candidate, const struct repair_issue *issue)
{
    struct repair_issue one = *issue;
    const struct hints_trial trial = {.issues = &one, .n_issues = 1};
    return !is_clean(&trial, candidate->text, candidate);
}

/* ---- a round ---- */

/* One look for the change that helps most. */
struct round {
    struct repairs repairs;
    size_t next; /* the candidate that is tried next, or is under trial */
    const struct repair *best, *second;
    struct hints_trial best_trial;
};

/* A search under way. */
struct hints_search_run {
    struct hints_search search;
    struct str text;
    uint64_t *left;
    struct hint *hint;
    struct hints_trial said[MAX_SLIPS + 1]; /* of the text, and after each round */
    size_t n_rounds;
    bool has_begun, has_round;
    struct round round;
};

static const struct hints_trial *trial_now(const struct hints_search_run *s)
{
    return &s->said[s->n_rounds];
}

static bool is_tried(const struct repairs *r, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (str_eq(r->list[i].text, r->list[index].text))
            return true;
    }
    return false;
}

/* Returns true if all issues of the text at hand are at the places of the edits. Issues of the changed text
 * are then other ones, which the mistake had hidden: after && nothing is certain before it is corrected. An
 * operand of a wrong type was not hidden: the edit may have made it. */
static bool corrects_all(const struct hints_trial *now, const struct hints_trial *trial,
                         const struct repair *r)
{
    size_t corrected = 0;
    if (is_refused(trial) || blames_operand(trial))
        return false;
    for (size_t i = 0; i < now->n_issues; i++) {
        bool is_at_edit = false;
        for (size_t k = 0; k < r->edit_count && !is_at_edit; k++)
            is_at_edit = now->issues[i].offset <= r->edits[k].end && r->edits[k].start <= now->issues[i].end;
        corrected += is_at_edit;
    }
    return corrected > 0 && corrected == now->n_issues;
}

/* Takes the candidate if it is better than the best one, which is better than the text at hand. */
static void judge_candidate(struct hints_search_run *s, const struct repair *candidate,
                            struct hints_trial *trial)
{
    struct round *r = &s->round;
    const struct hints_trial *now = trial_now(s), *best = r->best == NULL ? now : &r->best_trial;
    const bool is_good = is_refused(trial) || is_clean(trial, candidate->text, candidate);
    const bool is_equal = trial->rank == best->rank;
    const bool is_better = trial->rank < best->rank ||
                           (is_equal && r->best != NULL && best->is_constant && !trial->is_constant) ||
                           (is_equal && r->best == NULL && corrects_all(now, trial, candidate));
    if (is_good && is_better) {
        free_trial(&r->best_trial);
        r->best = candidate;
        r->second = NULL;
        r->best_trial = *trial;
        return;
    }
    if (is_good && r->best != NULL && r->second == NULL && trial->is_constant == best->is_constant &&
        says_same(trial, best))
        r->second = candidate;
    free_trial(trial);
}

/* Goes on with the candidate; true if its trial has not ended. */
static bool try_candidate(struct hints_search_run *s, uint64_t steps)
{
    const struct repair *candidate = &s->round.repairs.list[s->round.next];
    struct hints_trial trial = {.candidate = candidate, .rank = HINTS_UNKNOWN};
    if (is_tried(&s->round.repairs, s->round.next))
        return false;
    if (s->search.try(s->search.user, candidate->text, s->left, steps, &trial))
        return true;
    judge_candidate(s, candidate, &trial);
    return false;
}

/* ---- the words of a round ---- */

/* "did you mean 'a' or 'b'?" where both are as good. */
static struct hint_round describe_round(const struct round *r)
{
    const struct repair *one = r->best, *two = r->second;
    const size_t start = sizeof REPAIR_QUESTION - 1;
    if (two == NULL || two == one || !one->is_question || !two->is_question || str_eq(one->hint, two->hint))
        return (struct hint_round){mem_strndup(one->hint.at, one->hint.len), one->is_question};
    return (struct hint_round){mem_printf("%.*s or %.*s", (int)one->hint.len - 1, one->hint.at,
                                          (int)(two->hint.len - start), two->hint.at + start),
                               true};
}

/* "did you mean 'a' and 'b'?" of two questions; other hints one after the other. */
static char *join_texts(const struct hint *hint)
{
    char *text = mem_strdup(hint->rounds[0].text);
    bool is_question = hint->rounds[0].is_question;
    for (size_t i = 1; i < hint->n_rounds; i++) {
        const struct hint_round *more = &hint->rounds[i];
        is_question = is_question && more->is_question;
        char *joined = is_question ? mem_printf("%.*s and %s", (int)strlen(text) - 1, text,
                                                more->text + sizeof REPAIR_QUESTION - 1)
                                   : mem_printf("%s; %s", text, more->text);
        mem_free(text);
        text = joined;
    }
    return text;
}

static void forget_rounds(struct hint *hint)
{
    for (size_t i = 0; i < hint->n_rounds; i++)
        mem_free(hint->rounds[i].text);
    mem_free(hint->rounds);
    hints_edits_deinit(&hint->edits);
    *hint = (struct hint){.is_fix = false};
}

void hint_free(void *given)
{
    struct hint *hint = given;
    if (hint == NULL)
        return;
    mem_free(hint->text);
    forget_rounds(hint);
    mem_free(hint);
}

static void begin_round(struct hints_search_run *s)
{
    const struct hints_edits *e = &s->hint->edits;
    struct repair_scope scope = s->search.scope;
    const uint64_t most = *s->left < REPAIR_STEPS ? *s->left : REPAIR_STEPS;
    s->round = (struct round){.next = 0};
    s->has_round = true;
    scope.issues = trial_now(s)->issues;
    scope.issue_count = trial_now(s)->n_issues;
    repair_find(s->search.env, &scope, (struct str){e->text, e->len}, most, &s->round.repairs);
    budget_pay(s->left, s->round.repairs.arena.steps);
}

/* Applies the best candidate; false if nothing is better than the text at hand. */
static bool end_round(struct hints_search_run *s)
{
    struct round *r = &s->round;
    struct hint *hint = s->hint;
    const bool is_better = r->best != NULL;
    if (r->next < r->repairs.count && r->second == NULL)
        r->second = r->best; /* a candidate that was not tried may be as good */
    if (is_better) {
        hint->rounds = mem_realloc(hint->rounds, hint->n_rounds + 1, sizeof *hint->rounds);
        hint->rounds[hint->n_rounds] = describe_round(r);
        hint->is_fix = hint->is_fix && r->second == NULL;
        hint->n_sure += hint->n_sure == hint->n_rounds && !r->best->is_guess;
        hints_edits_apply(&hint->edits, r->best->edits, r->best->edit_count, hint->n_rounds++);
        s->said[++s->n_rounds] = r->best_trial;
    }
    repair_deinit(&r->repairs);
    s->has_round = false;
    return is_better;
}

/* Returns true if nothing is said at the place of any change. */
static bool is_proved(const struct hint *hint, const struct hints_trial *now)
{
    const struct hints_edits *e = &hint->edits;
    bool is_proved = hint->n_rounds > 0 && !is_refused(now);
    for (size_t i = 0; i < e->count && is_proved; i++) {
        const size_t start = hints_edits_place(e, i);
        is_proved = !is_said_at(now, (struct str){e->text, e->len}, start, start + e->list[i].len);
    }
    return is_proved;
}

/* Returns why the text is refused, or what is said of it in the trial; NULL if it is not known. */
static char *explain(const struct hints_search *s, struct str text, const struct hints_trial *trial,
                     uint64_t *left)
{
    struct repairs r;
    struct repair_scope scope = s->scope;
    scope.issues = trial->issues;
    scope.issue_count = trial->n_issues;
    const struct str why = repair_words(&scope, text, *left < REPAIR_STEPS ? *left : REPAIR_STEPS, &r);
    char *words = why.len == 0 ? NULL : mem_strndup(why.at, why.len);
    budget_pay(left, r.arena.steps);
    repair_deinit(&r);
    return words;
}

/* ---- a search ---- */

struct hints_search_run *hints_search_start(const struct hints_search *search, struct str text,
                                            uint64_t *left)
{
    struct hints_search_run *s = mem_zalloc(sizeof *s);
    s->search = *search;
    s->text = text;
    s->left = left;
    s->said[0].rank = HINTS_UNKNOWN;
    s->hint = mem_zalloc(sizeof *s->hint);
    *s->hint =
        (struct hint){.is_fix = true, .edits = {.text = mem_strndup(text.at, text.len), .len = text.len}};
    return s;
}

/* Returns true if another round may help. */
static bool is_open(const struct hints_search_run *s)
{
    const unsigned rank = trial_now(s)->rank;
    return s->n_rounds < MAX_SLIPS && rank != HINTS_UNKNOWN && rank != HINTS_GOOD;
}

/* Does the next piece of work; false if there is none. */
static bool advance(struct hints_search_run *s, uint64_t steps)
{
    if (!s->has_begun) {
        s->has_begun = !s->search.try(s->search.user, s->text, s->left, steps, &s->said[0]);
        return !s->has_begun || is_open(s);
    }
    if (!s->has_round) {
        begin_round(s);
        return true;
    }
    if (s->round.next < s->round.repairs.count && *s->left != 0) {
        s->round.next += !try_candidate(s, steps);
        return true;
    }
    return end_round(s) && is_open(s);
}

bool hints_search_step(struct hints_search_run *s, uint64_t steps)
{
    const uint64_t end = *s->left > steps ? *s->left - steps : 0;
    while (advance(s, *s->left - end)) {
        if (*s->left <= end && *s->left != 0)
            return true;
    }
    return false;
}

/* Returns the hint that the rounds made; NULL if nothing helps. */
static struct hint *take_hint(struct hints_search_run *s)
{
    struct hint *hint = s->hint;
    s->hint = NULL;
    if (is_proved(hint, trial_now(s))) {
        hint->text = join_texts(hint);
        hint->is_fix = hint->is_fix && !trial_now(s)->is_constant;
    } else {
        forget_rounds(hint);
        hint->text = explain(&s->search, s->text, &s->said[0], s->left);
    }
    if (hint->text != NULL)
        return hint;
    hint_free(hint);
    return NULL;
}

struct hint *hints_search_end(struct hints_search_run *s)
{
    struct hint *hint = take_hint(s);
    hints_search_drop(s);
    return hint;
}

void hints_search_drop(struct hints_search_run *s)
{
    if (s == NULL)
        return;
    if (s->has_round) {
        free_trial(&s->round.best_trial);
        repair_deinit(&s->round.repairs);
    }
    for (size_t i = 0; i <= s->n_rounds; i++)
        free_trial(&s->said[i]);
    hint_free(s->hint);
    mem_free(s);
}

struct hint *hints_search_whole(const struct hints_search *search, struct str text, uint64_t *left)
{
    struct hints_search_run *s = hints_search_start(search, text, left);
    while (hints_search_step(s, UINT64_MAX))
        ;
    return hints_search_end(s);
}
