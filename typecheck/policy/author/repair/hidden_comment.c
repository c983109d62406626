#include "typecheck/policy/author/repair/hidden_comment.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/unicode.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/lexer.h"
#include "typecheck/cel/syntax/parser.h"
#include "typecheck/cel/syntax/source.h"

#define MAX_BYTES ((size_t)8 * 1024 * 1024)

/* A text, read token by token, with a copy in which comments end where a line of the file ends. */
struct reading {
    struct arena *arena;
    struct str text;
    const uint32_t *breaks;
    size_t break_count, next; /* the breaks before `next` are behind the reading */
    char *kept;
    size_t kept_len;
    uint32_t copied; /* the text before this byte is in `kept` */
    struct hidden_comment *out;
    bool hides; /* a comment has something in its later lines */
};

static void copy_to(struct reading *r, uint32_t end)
{
    arena_pay_bytes(r->arena, end - r->copied);
    memcpy(r->kept + r->kept_len, r->text.at + r->copied, end - r->copied);
    r->kept_len += end - r->copied;
    r->copied = end;
}

/* The end of the comment that begins at `from`. */
static uint32_t comment_end(const struct reading *r, uint32_t from)
{
    const char *end = memchr(r->text.at + from, '\n', r->text.len - from);
    return (uint32_t)(end == NULL ? r->text.len : (size_t)(end - r->text.at));
}

static struct str line_at(const struct reading *r, uint32_t from, uint32_t end)
{
    if (r->next + 1 < r->break_count && r->breaks[r->next + 1] < end)
        end = r->breaks[r->next + 1];
    return unicode_trimmed((struct str){r->text.at + from, end - from});
}

/* The comment at `from` ends with its line of the file. Returns where it ends. */
static uint32_t end_comment(struct reading *r, uint32_t from)
{
    const uint32_t end = comment_end(r, from);
    arena_pay_bytes(r->arena, end - from);
    for (; r->next < r->break_count && r->breaks[r->next] <= from; r->next++)
        arena_step(r->arena);
    if (r->next == r->break_count || r->breaks[r->next] >= end)
        return end;
    const uint32_t at = r->breaks[r->next];
    const struct token first = lexer_token((struct str){r->text.at, end}, at);
    if (first.kind != TOKEN_EOF && !r->hides) {
        r->hides = true;
        r->out->offset = from;
        r->out->text = line_at(r, at, end);
    }
    copy_to(r, at);
    r->kept[r->kept_len++] = '\n';
    return at;
}

/* The first two slashes between two tokens; `end`: there are none. */
static uint32_t find_comment(const struct reading *r, uint32_t from, uint32_t end)
{
    const char *at = memmem(r->text.at + from, end - from, "//", 2);
    return at == NULL ? end : (uint32_t)(at - r->text.at);
}

static void read_text(struct reading *r)
{
    uint32_t at = 0;
    for (struct token t = lexer_token(r->text, 0);; t = lexer_token(r->text, at)) {
        arena_pay(r->arena, 1 + (t.end - at) / ARENA_STEP_BYTES);
        const uint32_t comment = find_comment(r, at, t.start);
        if (comment < t.start)
            at = end_comment(r, comment);
        else if (t.kind == TOKEN_EOF)
            break;
        else
            at = t.end;
    }
    copy_to(r, (uint32_t)r->text.len);
}

static bool parses(struct arena *a, const struct env *env, struct str text)
{
    struct source source;
    struct issues issues;
    struct ast ast;
    source_init(&source, a, text);
    issues_init(&issues, a);
    return parser_run(a, a, &source, env_dialect(env), &issues, &ast);
}

bool hidden_comment_find(const struct env *env, struct str text, const uint32_t *breaks, size_t break_count,
                         uint64_t max_steps, struct hidden_comment *out)
{
    struct arena a;
    volatile bool is_found = false;
    *out = (struct hidden_comment){0};
    if (break_count == 0 || text.len > UINT32_MAX)
        return false;
    arena_init(&a, MAX_BYTES);
    a.max_steps = max_steps;
    if (setjmp(a.escape) == 0) {
        struct reading r = {
            .arena = &a, .text = text, .breaks = breaks, .break_count = break_count, .out = out};
        r.kept = ARENA_ARRAY(&a, text.len + break_count + 1, char);
        read_text(&r);
        is_found = r.hides && parses(&a, env, (struct str){r.kept, r.kept_len});
        out->has_grammar = is_found && parses(&a, env, text);
    }
    arena_deinit(&a);
    return is_found;
}
