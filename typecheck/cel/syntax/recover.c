/*
 * There are three repairs, each called at another moment. recover_sync() is called before a decision that
 * the current token does not fit: it drops one token if the next one fits, or, in a repetition, all tokens
 * until one that fits. recover_inline() is called if a token does not match: it drops the token, or inserts
 * the missing one. recover_rule() is called if these fail: it skips tokens until one with which a calling
 * rule can continue, and drops at least one if the same step fails twice at the same token, so that the
 * parser always moves on. The sets of tokens, the messages and their order are ANTLR's.
 */
#include "typecheck/cel/syntax/recover.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/parse_state.h"
#include "typecheck/cel/syntax/source.h"

static struct token current_token(const struct parse_state *p)
{
    return p->tokens[p->pos];
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

static void add_current(struct text *t, const struct parse_state *p)
{
    add_quoted(t, p->la == TOKEN_EOF ? STR("<EOF>") : parse_state_token_text(p, p->pos));
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

/* Tokens that begin a value; a sign is left out. */
static const tokens OF_VALUES = TOKENS(TOKEN_IDENT) | TOKENS(TOKEN_INT) | TOKENS(TOKEN_STRING);
static const tokens OF_NAMES = TOKENS(TOKEN_IDENT) | TOKENS(TOKEN_ESCAPED_IDENT);

/* The set in words for people, which name no part of the grammar. */
static struct str describe_set(struct arena *a, tokens set)
{
    if ((set & OF_VALUES) == OF_VALUES)
        return STR("a value");
    if ((set & OF_NAMES) != 0 && (set & ~OF_NAMES) == 0)
        return STR("a name");
    if ((set & TOKENS(TOKEN_EOF)) != 0)
        return STR("an operator or the end of the expression");
    struct text t = {.arena = a};
    const char *separator = "";
    for (int kind = 0; kind < TOKEN_KINDS; kind++) {
        if ((set & TOKENS(kind)) == 0)
            continue;
        text_add(&t, str_of(separator));
        text_add(&t, token_name((enum token_kind)kind));
        separator = " or ";
    }
    return text_str(&t);
}

/* The tokens that can come next at `step`, seen from the rules that are being recognized. */
static tokens expected(const struct parse_state *p, unsigned step)
{
    tokens set = grammar_next(step);
    for (uint32_t i = p->depth; (set & TOKENS_END) != 0; i--) {
        set &= ~TOKENS_END;
        set |= i <= 1 ? TOKENS(TOKEN_EOF) : grammar_next(p->frames[i - 1].back);
    }
    return set;
}

/* The tokens with which any of the rules that are being recognized could continue once this one is over. */
static tokens recovery_set(const struct parse_state *p)
{
    tokens set = 0;
    for (uint32_t i = p->depth; i > 1; i--)
        set |= grammar_next(p->frames[i - 1].back);
    return set & ~TOKENS_END;
}

static bool has(tokens set, enum token_kind kind)
{
    return (set & TOKENS(kind)) != 0;
}

/* Returns false if nothing is to be reported, because a recovery has not ended. */
static bool begin_error(struct parse_state *p)
{
    bool is_first = !p->is_recovering;
    p->is_recovering = true;
    return is_first;
}

/* The subject of an issue at the current token: the token, and the tokens that could stand there. */
static struct issue_about about_current(const struct parse_state *p, tokens wanted)
{
    const bool is_end = p->la == TOKEN_EOF;
    return (struct issue_about){.name = is_end ? STR("") : parse_state_token_text(p, p->pos),
                                .wanted = describe_set(p->arena, wanted)};
}

/* "mismatched input 'x' expecting {A, B}" */
static void report_input(struct parse_state *p, struct str what)
{
    if (!begin_error(p))
        return;
    const tokens wanted = expected(p, p->step);
    struct text t = {.arena = p->arena};
    text_add(&t, what);
    add_current(&t, p);
    text_add(&t, STR(" expecting "));
    add_set(&t, wanted);
    parse_state_report(p, current_token(p), text_str(&t), about_current(p, wanted));
}

static void report_missing(struct parse_state *p)
{
    if (!begin_error(p))
        return;
    const tokens wanted = expected(p, p->step);
    struct text t = {.arena = p->arena};
    text_add(&t, STR("missing "));
    add_set(&t, wanted);
    text_add(&t, STR(" at "));
    add_current(&t, p);
    parse_state_report(p, current_token(p), text_str(&t), about_current(p, wanted));
}

/* The source from one token to the end of another, without what the lexer dropped. */
static struct str text_between(const struct parse_state *p, uint32_t first, uint32_t last)
{
    struct text t = {.arena = p->arena};
    const char *at = parse_state_token_text(p, first).at;
    struct str last_text = parse_state_token_text(p, last);
    const char *end = last_text.at + last_text.len;
    for (uint32_t i = 0; i < p->dropped_count; i++) {
        struct str dropped = p->dropped[i];
        if (dropped.at < at || dropped.at >= end)
            continue;
        text_add(&t, (struct str){at, (size_t)(dropped.at - at)});
        at = dropped.at + dropped.len;
    }
    text_add(&t, (struct str){at, (size_t)(end - at)});
    return text_str(&t);
}

/*
 * cel-go says it in other words when a literal's name stands after a single character ('.true'), as its
 * versions always did.
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

void recover_no_viable(struct parse_state *p, uint32_t failed_ahead)
{
    if (!begin_error(p))
        return;
    struct text quoted = {.arena = p->arena};
    if (p->la == TOKEN_EOF)
        add_quoted(&quoted, STR("<EOF>"));
    else
        add_quoted(&quoted, text_between(p, p->pos, p->pos + failed_ahead));
    const char *name = literal_name_behind(text_str(&quoted));
    struct text message = {.arena = p->arena};
    if (name != NULL) {
        text_addf(&message, "mismatched input '%s' expecting IDENTIFIER", name);
    } else {
        text_add(&message, STR("no viable alternative at input "));
        text_add(&message, text_str(&quoted));
    }
    const struct token at = p->tokens[p->pos + failed_ahead];
    const struct str there = parse_state_token_text(p, p->pos + failed_ahead);
    const struct issue_about about = {.name = there, .wanted = there.len == 0 ? STR("the rest") : STR("")};
    parse_state_report(p, at, text_str(&message), about);
}

void recover_done(struct parse_state *p)
{
    p->is_recovering = false;
    p->last_error_pos = UINT32_MAX;
    memset(p->last_error_steps, 0, sizeof p->last_error_steps);
}

/* If the next but one token is what is wanted: drops the current one. */
static bool delete_one(struct parse_state *p)
{
    if (!has(expected(p, p->step), parse_state_peek(p, 1)) || p->is_stopped)
        return false;
    report_input(p, STR("extraneous input "));
    parse_state_consume(p);
    recover_done(p);
    return true;
}

static void skip_until(struct parse_state *p, tokens set, uint32_t max)
{
    while (p->la != TOKEN_EOF && !has(set, p->la) && !p->is_stopped) {
        if (max-- == 0) {
            p->is_stopped = true;
            issues_addf(p->issues, ISSUE_OTHER, EXTENT_NOWHERE,
                        "error recovery token lookahead limit exceeded: %d", PARSE_STATE_MAX_SKIPPED);
            return;
        }
        parse_state_consume(p);
    }
}

bool recover_sync(struct parse_state *p)
{
    if (p->is_recovering)
        return true;
    tokens next = grammar_next(p->step);
    if ((next & TOKENS_END) != 0 || has(next, p->la))
        return true;
    enum op op = GRAMMAR[p->step].op;
    if (op == OP_AGAIN || op == OP_PLUS_AGAIN) {
        report_input(p, STR("extraneous input "));
        skip_until(p, expected(p, p->step) | recovery_set(p), UINT32_MAX);
        return true;
    }
    if (delete_one(p))
        return true;
    report_input(p, STR("mismatched input "));
    return false;
}

/* One more attempt to recover; false if that was one too many. */
static bool attempt(struct parse_state *p)
{
    if (p->recoveries++ < PARSE_STATE_MAX_RECOVERIES)
        return !p->is_stopped;
    if (!p->is_stopped)
        parse_state_report(
            p, current_token(p),
            str_format(p->arena, "error recovery attempt limit exceeded: %d", PARSE_STATE_MAX_RECOVERIES),
            ISSUE_ABOUT_NOTHING);
    p->is_stopped = true;
    return false;
}

bool recover_inline(struct parse_state *p, uint32_t *token)
{
    if (!attempt(p))
        return false;
    if (delete_one(p)) {
        *token = p->pos;
        parse_state_consume(p);
        return true;
    }
    if (has(expected(p, p->step + 1), p->la)) {
        report_missing(p);
        /* The token made up stands at the current one. */
        *token = p->la == TOKEN_EOF && p->pos > 0 ? p->pos - 1 : p->pos;
        return true;
    }
    report_input(p, STR("mismatched input "));
    return false;
}

void recover_rule(struct parse_state *p)
{
    if (!attempt(p))
        return;
    uint64_t *steps = &p->last_error_steps[p->step / 64];
    uint64_t step = (uint64_t)1 << (p->step % 64);
    uint32_t left = PARSE_STATE_MAX_SKIPPED;
    if (p->last_error_pos == p->pos && (*steps & step) != 0) {
        parse_state_consume(p); /* nothing was skipped the last time: move on */
        left--;
    }
    p->last_error_pos = p->pos;
    *steps |= step;
    skip_until(p, recovery_set(p), left);
}
