#include "typecheck/syntax/recover.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/syntax/issue.h"
#include "typecheck/syntax/recognizer.h"
#include "typecheck/syntax/source.h"

static uint32_t current_offset(const struct recognizer *r)
{
    return r->tokens[r->pos].start;
}

/* Quoted, with line ends and tabs spelled out. */
static void add_quoted(struct text *t, struct str s)
{
    text_add_char(t, '\'');
    for (size_t i = 0; i < s.len; i++) {
        switch (s.at[i]) {
        case '\t':
            text_add(t, STR("\\t"));
            break;
        case '\n':
            text_add(t, STR("\\n"));
            break;
        case '\r':
            text_add(t, STR("\\r"));
            break;
        default:
            text_add_char(t, s.at[i]);
        }
    }
    text_add_char(t, '\'');
}

static void add_current(struct text *t, const struct recognizer *r)
{
    add_quoted(t, r->la == TOKEN_EOF ? STR("<EOF>") : recognizer_token_text(r, r->pos));
}

/* One name, or {A, B}. */
static void add_set(struct text *t, tokens set)
{
    bool has_many = (set & (set - 1)) != 0;
    const char *separator = has_many ? "{" : "";
    for (int kind = 0; kind < TOKEN_KINDS; kind++) {
        if ((set & TOKENS(kind)) == 0)
            continue;
        text_add(t, str_of(separator));
        text_add(t, token_name((enum token_kind)kind));
        separator = ", ";
    }
    if (has_many)
        text_add_char(t, '}');
}

/* What can come next at `step`, seen from the rules that are being recognized. */
static tokens expected(const struct recognizer *r, unsigned step)
{
    tokens set = grammar_next(step);
    for (uint32_t i = r->depth; (set & TOKENS_END) != 0; i--) {
        set &= ~TOKENS_END;
        set |= i <= 1 ? TOKENS(TOKEN_EOF) : grammar_next(r->frames[i - 1].back);
    }
    return set;
}

/* What any of the rules that are being recognized could go on with once this one is over. */
static tokens recovery_set(const struct recognizer *r)
{
    tokens set = 0;
    for (uint32_t i = r->depth; i > 1; i--)
        set |= grammar_next(r->frames[i - 1].back);
    return set & ~TOKENS_END;
}

static bool has(tokens set, enum token_kind kind)
{
    return (set & TOKENS(kind)) != 0;
}

/* False if nothing must be said now. */
static bool begin_error(struct recognizer *r)
{
    if (r->is_recovering)
        return false;
    r->is_recovering = true;
    return true;
}

static void report_unwanted(struct recognizer *r)
{
    if (!begin_error(r))
        return;
    struct text t = {.arena = r->arena};
    text_add(&t, STR("extraneous input "));
    add_current(&t, r);
    text_add(&t, STR(" expecting "));
    add_set(&t, expected(r, r->step));
    recognizer_report(r, current_offset(r), text_str(&t));
}

static void report_missing(struct recognizer *r)
{
    if (!begin_error(r))
        return;
    struct text t = {.arena = r->arena};
    text_add(&t, STR("missing "));
    add_set(&t, expected(r, r->step));
    text_add(&t, STR(" at "));
    add_current(&t, r);
    recognizer_report(r, current_offset(r), text_str(&t));
}

static void report_mismatch(struct recognizer *r)
{
    if (!begin_error(r))
        return;
    struct text t = {.arena = r->arena};
    text_add(&t, STR("mismatched input "));
    add_current(&t, r);
    text_add(&t, STR(" expecting "));
    add_set(&t, expected(r, r->step));
    recognizer_report(r, current_offset(r), text_str(&t));
}

/* The source from one token to the end of another, without what the lexer dropped. */
static struct str text_between(const struct recognizer *r, uint32_t first, uint32_t last)
{
    struct text t = {.arena = r->arena};
    const char *at = recognizer_token_text(r, first).at;
    struct str last_text = recognizer_token_text(r, last);
    const char *end = last_text.at + last_text.len;
    for (uint32_t i = 0; i < r->dropped_count; i++) {
        struct str dropped = r->dropped[i];
        if (dropped.at < at || dropped.at >= end)
            continue;
        text_add(&t, (struct str){at, (size_t)(dropped.at - at)});
        at = dropped.at + dropped.len;
    }
    text_add(&t, (struct str){at, (size_t)(end - at)});
    return text_str(&t);
}

/*
 * cel-go says it in other words when a literal's name stands behind a single
 * character ('.true'), as its versions always did.
 */
static const char *literal_name_behind(struct str quoted)
{
    static const char *const NAMES[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        size_t len = strlen(NAMES[i]);
        if (quoted.len == len + 3 && memcmp(quoted.at + 2, NAMES[i], len) == 0)
            return NAMES[i];
    }
    return NULL;
}

void recover_no_viable(struct recognizer *r, uint32_t failed_ahead)
{
    if (!begin_error(r))
        return;
    struct text quoted = {.arena = r->arena};
    if (r->la == TOKEN_EOF)
        add_quoted(&quoted, STR("<EOF>"));
    else
        add_quoted(&quoted, text_between(r, r->pos, r->pos + failed_ahead));
    const char *name = literal_name_behind(text_str(&quoted));
    struct text message = {.arena = r->arena};
    if (name != NULL) {
        text_addf(&message, "mismatched input '%s' expecting IDENTIFIER", name);
    } else {
        text_add(&message, STR("no viable alternative at input "));
        text_add(&message, text_str(&quoted));
    }
    recognizer_report(r, r->tokens[r->pos + failed_ahead].start, text_str(&message));
}

void recover_done(struct recognizer *r)
{
    r->is_recovering = false;
    r->last_error_pos = UINT32_MAX;
    memset(r->last_error_steps, 0, sizeof r->last_error_steps);
}

/* If the next but one token is what is wanted: drops the current one. */
static bool delete_one(struct recognizer *r)
{
    if (!has(expected(r, r->step), recognizer_peek(r, 1)) || r->is_stopped)
        return false;
    report_unwanted(r);
    recognizer_consume(r);
    recover_done(r);
    return true;
}

static void skip_until(struct recognizer *r, tokens set, uint32_t max)
{
    while (r->la != TOKEN_EOF && !has(set, r->la) && !r->is_stopped) {
        if (max-- == 0) {
            r->is_stopped = true;
            issues_addf(r->issues, SOURCE_NOWHERE, "error recovery token lookahead limit exceeded: %d",
                        RECOGNIZER_MAX_SKIPPED);
            return;
        }
        recognizer_consume(r);
    }
}

bool recover_sync(struct recognizer *r)
{
    if (r->is_recovering)
        return true;
    tokens next = grammar_next(r->step);
    if ((next & TOKENS_END) != 0 || has(next, r->la))
        return true;
    enum op op = GRAMMAR[r->step].op;
    if (op == OP_AGAIN || op == OP_PLUS_AGAIN) {
        report_unwanted(r);
        skip_until(r, expected(r, r->step) | recovery_set(r), UINT32_MAX);
        return true;
    }
    if (delete_one(r))
        return true;
    report_mismatch(r);
    return false;
}

/* One more attempt to recover; false if that was one too many. */
static bool attempt(struct recognizer *r)
{
    if (r->recoveries++ < RECOGNIZER_MAX_RECOVERIES)
        return !r->is_stopped;
    if (!r->is_stopped)
        recognizer_report(
            r, current_offset(r),
            str_format(r->arena, "error recovery attempt limit exceeded: %d", RECOGNIZER_MAX_RECOVERIES));
    r->is_stopped = true;
    return false;
}

bool recover_inline(struct recognizer *r, uint32_t *token)
{
    if (!attempt(r))
        return false;
    if (delete_one(r)) {
        *token = r->pos;
        recognizer_consume(r);
        return true;
    }
    if (has(expected(r, r->step + 1), r->la)) {
        report_missing(r);
        /* The token made up stands at the current one. */
        *token = r->la == TOKEN_EOF && r->pos > 0 ? r->pos - 1 : r->pos;
        return true;
    }
    report_mismatch(r);
    return false;
}

void recover_rule(struct recognizer *r)
{
    if (!attempt(r))
        return;
    uint64_t *steps = &r->last_error_steps[r->step / 64];
    uint64_t step = (uint64_t)1 << (r->step % 64);
    uint32_t left = RECOGNIZER_MAX_SKIPPED;
    if (r->last_error_pos == r->pos && (*steps & step) != 0) {
        recognizer_consume(r); /* nothing was skipped the last time: get on */
        left--;
    }
    r->last_error_pos = r->pos;
    *steps |= step;
    skip_until(r, recovery_set(r), left);
}
