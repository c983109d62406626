#include "typecheck/cel/syntax/parse_state.h"

#include <stddef.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/source.h"

void parse_state_init(struct parse_state *p, struct arena *a, const struct source *s, struct issues *issues)
{
    memset(p, 0, offsetof(struct parse_state, first_frames));
    p->arena = a;
    p->source = s;
    p->issues = issues;
    p->last_error_pos = UINT32_MAX;
    p->token_cap = s->text.len / 4 + 8;
    p->tokens = ARENA_ARRAY(a, p->token_cap, struct token);
    p->frames = p->first_frames;
    p->frame_cap = sizeof p->first_frames / sizeof *p->first_frames;
}

/* Tokens */

void parse_state_report(struct parse_state *p, struct token at, struct str message, struct issue_about about)
{
    if (p->is_stopped)
        return;
    if (p->error_count++ < PARSE_STATE_MAX_ERRORS) {
        struct text t = {.arena = p->arena};
        text_add(&t, STR("Syntax error: "));
        text_add(&t, message);
        issues_add(p->issues, ISSUE_SYNTAX, extent_of_token(at), text_str(&t));
        if (about.name.len + about.wanted.len > 0)
            issues_tell(p->issues, about);
        return;
    }
    issues_addf(p->issues, ISSUE_SYNTAX, extent_of_token(at), "Syntax error: More than %d syntax errors",
                PARSE_STATE_MAX_ERRORS);
    p->is_stopped = true;
}

static void drop(struct parse_state *p, struct token bad)
{
    struct str text = {p->source->text.at + bad.start, bad.end - bad.start};
    struct text message = {.arena = p->arena};
    text_add(&message, STR("token recognition error at: '"));
    text_add(&message, text);
    text_add_char(&message, '\'');
    const bool is_quote = text.at[0] == '\'' || text.at[0] == '"';
    const struct issue_about about = {
        .name = text, .why = is_quote ? STR("begins a string that has no end") : STR("is no part of CEL")};
    parse_state_report(p, bad, text_str(&message), about);
    ARENA_ROOM(p->arena, p->dropped, p->dropped_count, p->dropped_cap, 4);
    p->dropped[p->dropped_count++] = text;
}

/* Tokens are read only when they are looked at, so that a limit reached before hides what is wrong behind. */
static void fetch(struct parse_state *p)
{
    uint32_t offset = p->token_count == 0 ? 0 : p->tokens[p->token_count - 1].end;
    struct token t = lexer_token(p->source->text, offset);
    while (t.kind == TOKEN_BAD && !p->is_stopped) {
        drop(p, t);
        t = lexer_token(p->source->text, t.end);
    }
    ARENA_ROOM(p->arena, p->tokens, p->token_count, p->token_cap, 1);
    p->tokens[p->token_count++] = t;
}

static bool is_all_read(const struct parse_state *p)
{
    return p->token_count != 0 && p->tokens[p->token_count - 1].kind == TOKEN_EOF;
}

enum token_kind parse_state_read(struct parse_state *p, uint32_t token)
{
    while (token >= p->token_count) {
        if (is_all_read(p))
            return TOKEN_EOF;
        fetch(p);
    }
    return p->tokens[token].kind;
}

void parse_state_consume(struct parse_state *p)
{
    if (p->la == TOKEN_EOF)
        return;
    p->pos++;
    p->la = parse_state_peek(p, 0);
}

struct str parse_state_token_text(const struct parse_state *p, uint32_t token)
{
    struct token t = p->tokens[token];
    return (struct str){p->source->text.at + t.start, t.end - t.start};
}

bool parse_state_begins(const struct parse_state *p, unsigned step)
{
    if (GRAMMAR[step].op == OP_MATCH) /* most are */
        return p->la == GRAMMAR[step].arg;
    return (grammar_next_within(step, p->frames[p->depth - 1].precedence) & TOKENS(p->la)) != 0;
}
