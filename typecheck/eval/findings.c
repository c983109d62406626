#include "typecheck/eval/findings.h"

#include "typecheck/base/arena.h"
#include "typecheck/eval/absmap.h"

/* Whether a site is reported. */
enum answer {
    ANSWER_NONE,  /* not asked yet */
    ANSWER_ASKED, /* it waits for the answer of what it is behind */
    ANSWER_YES,
    ANSWER_NO,
};

/* A site that failed in some way. */
struct site_failed {
    bool is_free;              /* some failure of it is behind no other */
    const struct site *behind; /* else what the first failure is behind */
    struct site_finding first;
    enum answer is_reported;
};

/* What is known of a node in all ways: by itself, and as an operand. */
struct site_node {
    struct site_failed *failed[2]; /* NULL: it did not */
    bool passes[2];
};

void findings_init(struct findings *f, struct arena *a, const struct eval_expression *expressions,
                   size_t count)
{
    *f = (struct findings){.arena = a, .nodes = ARENA_ARRAY(a, count, struct site_node *)};
    for (size_t i = 0; i < count; i++) {
        if (expressions[i].ast != NULL)
            f->nodes[i] = ARENA_ARRAY(a, (size_t)expressions[i].ast->max_id + 1, struct site_node);
    }
}

static struct site_node *find(const struct findings *f, const struct site *site)
{
    return &f->nodes[site->expression][site->node->id];
}

void findings_pass(struct findings *f, struct site site)
{
    find(f, &site)->passes[site.is_operand] = true;
}

static void add_note(struct findings *f, struct site_note note)
{
    if (f->count == f->cap) {
        size_t cap = 2 * f->cap + 16;
        f->notes = arena_grow(f->arena, f->notes, f->cap, cap, sizeof *f->notes);
        f->cap = cap;
    }
    f->notes[f->count++] = note;
}

size_t findings_mark(const struct findings *f)
{
    return f->count;
}

const struct site *findings_failed(const struct findings *f, size_t mark)
{
    for (size_t i = mark; i < f->count; i++) {
        arena_step(f->arena);
        if (f->notes[i].failure.is_unequal)
            continue;
        struct site *failed = ARENA_NEW(f->arena, struct site);
        *failed = f->notes[i].site;
        return failed;
    }
    return NULL;
}

void findings_absorb(struct findings *f, size_t mark)
{
    size_t kept = mark;
    arena_pay(f->arena, (f->count - mark) / ARENA_LOOKS_PER_STEP);
    for (size_t i = mark; i < f->count; i++) {
        if (f->notes[i].failure.is_unequal)
            f->notes[kept++] = f->notes[i];
    }
    f->count = kept;
}

void findings_drop(struct findings *f, size_t mark)
{
    f->count = mark;
}

struct site_note *findings_take(struct findings *f, struct arena *a, size_t mark, size_t *count)
{
    *count = f->count - mark;
    struct site_note *taken = ARENA_ARRAY(a, *count, struct site_note);
    if (*count != 0)
        memcpy(taken, f->notes + mark, *count * sizeof *taken);
    f->count = mark;
    return taken;
}

void findings_add(struct findings *f, const struct site *behind, const struct site_note *notes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct site_note note = notes[i];
        note.behind = note.behind == NULL ? behind : note.behind;
        add_note(f, note);
    }
}

/* The hint's map is another's memory. */
static struct hint keep_hint(struct findings *f, struct hint hint)
{
    if (hint.map == NULL)
        return hint;
    struct absmap *map = ARENA_NEW(f->arena, struct absmap);
    struct absfield *fields = ARENA_ARRAY(f->arena, hint.map->field_count, struct absfield);
    *map = (struct absmap){.type = hint.map->type, .fields = fields, .field_count = hint.map->field_count};
    for (size_t i = 0; i < map->field_count; i++) {
        arena_step(f->arena);
        fields[i] = (struct absfield){.name = str_copy(f->arena, hint.map->fields[i].name),
                                      .presence = hint.map->fields[i].presence};
    }
    hint.map = map;
    hint.field = str_copy(f->arena, hint.field);
    return hint;
}

void findings_fail(struct findings *f, struct site site, const struct site *behind,
                   const struct failure *failure)
{
    const struct site_node *node = find(f, &site);
    if (node->passes[site.is_operand])
        return;
    struct site_note note = {.site = site, .failure = {.is_unequal = failure->is_unequal}, .behind = behind};
    if (node->failed[site.is_operand] == NULL) { /* else only the first one's text counts */
        note.failure.message = str_copy(f->arena, failure->message);
        note.failure.hint = keep_hint(f, failure->hint);
    }
    add_note(f, note);
}

void findings_settle(struct findings *f)
{
    arena_pay(f->arena, f->count);
    for (size_t i = 0; i < f->count; i++) {
        const struct site_note *note = &f->notes[i];
        const struct site *site = &note->site;
        struct site_failed **failed = &find(f, site)->failed[site->is_operand];
        if (*failed == NULL) {
            bool is_of_operand = site->is_operand && site->offset == site->node->offset;
            *failed = ARENA_NEW(f->arena, struct site_failed);
            (*failed)->behind = note->behind;
            (*failed)->first =
                (struct site_finding){site->offset, is_of_operand, note->failure.message, note->failure.hint};
        }
        (*failed)->is_free = (*failed)->is_free || note->behind == NULL;
    }
    f->count = 0;
}

/* What the site itself says; ANSWER_ASKED: as what it is behind. */
static enum answer own_answer(const struct site_node *node, bool is_operand)
{
    const struct site_failed *failed = node->failed[is_operand];
    if (failed == NULL || node->passes[is_operand])
        return ANSWER_NO;
    if (failed->is_reported != ANSWER_NONE)
        return failed->is_reported == ANSWER_ASKED ? ANSWER_NO : failed->is_reported; /* behind itself */
    return failed->is_free ? ANSWER_YES : ANSWER_ASKED;
}

/*
 * A site that evaluation reaches only past a failure is reported with that one,
 * or not at all. The answer is the same for all on the way there.
 */
static bool is_reported(const struct findings *f, struct site_node *node, bool is_operand)
{
    struct site_failed *failed = node->failed[is_operand];
    struct site_failed *first = failed;
    enum answer answer;
    while ((answer = own_answer(node, is_operand)) == ANSWER_ASKED) {
        arena_step(f->arena);
        failed = node->failed[is_operand];
        failed->is_reported = ANSWER_ASKED;
        node = find(f, failed->behind);
        is_operand = failed->behind->is_operand;
    }
    for (failed = first; failed != NULL && failed->is_reported == ANSWER_ASKED;) {
        const struct site *behind = failed->behind;
        failed->is_reported = answer;
        failed = find(f, behind)->failed[behind->is_operand];
    }
    return answer == ANSWER_YES;
}

const struct site_finding *findings_list(const struct findings *f, struct arena *a, size_t expression,
                                         const struct ast *ast, size_t *count)
{
    struct site_node *nodes = f->nodes[expression];
    struct site_finding *list = NULL;
    size_t cap = 0;
    *count = 0;
    arena_pay(f->arena, ast->max_id / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; nodes != NULL && i < 2 * ((size_t)ast->max_id + 1); i++) {
        struct site_node *node = &nodes[i / 2];
        if (!is_reported(f, node, i % 2))
            continue;
        if (*count == cap) {
            list = arena_grow(a, list, cap, 2 * cap + 4, sizeof *list);
            cap = 2 * cap + 4;
        }
        list[(*count)++] = node->failed[i % 2]->first;
    }
    return list;
}
