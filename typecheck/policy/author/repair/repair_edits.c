#include "typecheck/policy/author/repair/repair_edits.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/author/repair/repair_scope.h"

/* A hint that shows more is hard to read. */
#define SHOWN_MAX_BYTES 160u

void repair_edits_put(struct repair_edits *e, uint32_t start, uint32_t end, struct str text)
{
    struct arena *a = e->tokens.arena;
    arena_step(a);
    ARENA_ROOM(a, e->edits, e->count, e->cap, 16);
    e->edits[e->count++] = (struct repair_edit){start, end, text};
}

void repair_edits_replace(struct repair_edits *e, size_t first, size_t last, struct str text)
{
    repair_edits_put(e, e->tokens.list[first].start, e->tokens.list[last].end, text);
}

void repair_edits_before(struct repair_edits *e, size_t token, struct str text)
{
    repair_edits_put(e, e->tokens.list[token].start, e->tokens.list[token].start, text);
}

void repair_edits_behind(struct repair_edits *e, size_t token, struct str text)
{
    repair_edits_put(e, e->tokens.list[token].end, e->tokens.list[token].end, text);
}

void repair_edits_remove(struct repair_edits *e, size_t token)
{
    const struct token *list = e->tokens.list;
    repair_edits_put(e, list[token].start,
                     token + 1 < e->tokens.count ? list[token + 1].start : list[token].end, STR(""));
}

struct str repair_edits_operand(const struct repair_edits *e, size_t first, size_t last)
{
    const struct repair_tokens *t = &e->tokens;
    struct str slice = repair_tokens_slice(t, first, last);
    bool is_chain = repair_tokens_kind(t, first) != TOKEN_NOT &&
                    repair_tokens_kind(t, first) != TOKEN_MINUS && repair_tokens_chain_end(t, first) == last;
    return is_chain ? slice : str_join(t->arena, STR_PARTS(STR("("), slice, STR(")")));
}

void repair_edits_show(struct repair_edits *e, struct str text)
{
    for (size_t i = 0; i < e->shown_count; i++) {
        if (str_eq(e->shown[i], text))
            return;
    }
    if (e->shown_count < REPAIR_EDITS_SHOWN && text.len <= SHOWN_MAX_BYTES)
        e->shown[e->shown_count++] = text;
    else
        e->has_more = true;
}

void repair_edits_change(struct repair_edits *e, size_t first, size_t last, struct str text)
{
    repair_edits_replace(e, first, last, text);
    repair_edits_show(e, text);
}

void repair_edits_say(struct repair_edits *e, struct str hint)
{
    e->said = hint;
}

/* Sorts the edits by place; those that start at the same place stay in their order. */
static void sort_edits(struct repair_edits *e)
{
    for (size_t i = 1; i < e->count; i++) {
        const struct repair_edit edit = e->edits[i];
        size_t k = i;
        for (; k > 0 && e->edits[k - 1].start > edit.start; k--) {
            arena_step(e->tokens.arena);
            e->edits[k] = e->edits[k - 1];
        }
        e->edits[k] = edit;
    }
}

static void add_quoted(struct text *out, struct str text)
{
    char quote = memchr(text.at, '\'', text.len) == NULL ? '\'' : '"';
    text_add_char(out, quote);
    text_add(out, text);
    text_add_char(out, quote);
}

/* did you mean '&&'? did you mean '&&' and '||'? */
static struct str make_hint(const struct repair_edits *e)
{
    struct text hint = {.arena = e->tokens.arena};
    if (e->said.len != 0)
        return e->said;
    text_add(&hint, STR(REPAIR_QUESTION));
    for (size_t i = 0; i < e->shown_count; i++) {
        if (i > 0)
            text_add(&hint, STR(" and "));
        add_quoted(&hint, e->shown[i]);
    }
    text_add(&hint, e->has_more ? STR(" and so on?") : STR("?"));
    return text_str(&hint);
}

/* Returns false if edits overlap. */
static bool apply(const struct repair_edits *e, struct text *out)
{
    struct str text = e->tokens.text;
    size_t at = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct repair_edit *edit = &e->edits[i];
        if (edit->start < at)
            return false;
        text_add(out, (struct str){text.at + at, edit->start - at});
        text_add(out, edit->text);
        at = edit->end;
    }
    text_add(out, str_skip(text, at));
    return true;
}

void repair_edits_offer(struct repair_edits *e)
{
    struct arena *a = e->tokens.arena;
    struct text made = {.arena = a};
    arena_pay(a, 1 + e->count + e->tokens.text.len / ARENA_STEP_BYTES);
    sort_edits(e);
    if (e->count > 0 && (e->shown_count > 0 || e->said.len != 0) && apply(e, &made)) {
        ARENA_ROOM(a, e->found, e->found_count, e->found_cap, 8);
        e->found[e->found_count++] = (struct repair){.text = text_str(&made),
                                                     .hint = make_hint(e),
                                                     .is_question = e->said.len == 0,
                                                     .edits = e->edits,
                                                     .edit_count = e->count,
                                                     .is_guess = e->is_guess};
        e->edits = NULL; /* they are the candidate's now */
        e->cap = 0;
    }
    e->count = e->shown_count = 0;
    e->has_more = e->is_guess = false;
    e->said = STR("");
}
