#include "typecheck/eval/findings.h"

#include "typecheck/base/arena.h"
#include "typecheck/eval/absmap.h"

/* Whether a place is reported. */
enum answer {
    ANSWER_NONE,  /* not asked yet */
    ANSWER_ASKED, /* it waits for the answer of what it is behind */
    ANSWER_YES,
    ANSWER_NO,
};

/* A place that failed in some run. */
struct place_failed {
    bool is_free;              /* some failure of it is behind no other */
    const struct site *behind; /* else what the first failure is behind */
    uint32_t offset;
    bool is_of_operand;
    struct str message; /* of the first failure, as is the hint */
    struct hint hint;
    enum answer is_told;
};

/* What is known of a node in all runs: by itself, and as an operand. */
struct site_node {
    struct place_failed *failed[2]; /* NULL: it did not */
    bool passes[2];
};

void findings_init(struct findings *p, struct arena *a, const struct ast *const *asts, size_t count)
{
    *p = (struct findings){.arena = a, .expression_count = count};
    p->nodes = ARENA_ARRAY(a, count, struct site_node *);
    for (size_t i = 0; i < count; i++) {
        if (asts[i] != NULL)
            p->nodes[i] = ARENA_ARRAY(a, (size_t)asts[i]->max_id + 1, struct site_node);
    }
}

static struct site_node *find(const struct findings *p, const struct site *place)
{
    return &p->nodes[place->expression][place->node->id];
}

void findings_pass(struct findings *p, struct site place)
{
    find(p, &place)->passes[place.is_operand] = true;
}

static struct site_note *add_note(struct findings *p)
{
    if (p->count == p->cap) {
        size_t cap = 2 * p->cap + 16;
        p->notes = arena_grow(p->arena, p->notes, p->cap, cap, sizeof *p->notes);
        p->cap = cap;
    }
    return &p->notes[p->count++];
}

static void add(struct findings *p, struct site_note note)
{
    if (note.behind == NULL)
        note.behind = p->behind;
    *add_note(p) = note;
}

size_t findings_mark(const struct findings *p)
{
    return p->count;
}

const struct site *findings_failed(const struct findings *p, size_t mark)
{
    for (size_t i = mark; i < p->count; i++) {
        arena_step(p->arena);
        if (p->notes[i].failure != SITE_FAILS)
            continue;
        struct site *failed = ARENA_NEW(p->arena, struct site);
        *failed = p->notes[i].place;
        return failed;
    }
    return NULL;
}

void findings_absorb(struct findings *p, size_t mark)
{
    size_t kept = mark;
    arena_pay(p->arena, (p->count - mark) / ARENA_LOOKS_PER_STEP);
    for (size_t i = mark; i < p->count; i++) {
        if (p->notes[i].failure != SITE_FAILS)
            p->notes[kept++] = p->notes[i];
    }
    p->count = kept;
}

void findings_drop(struct findings *p, size_t mark)
{
    p->count = mark;
}

struct site_note *findings_take(struct findings *p, struct arena *a, size_t mark, size_t *count)
{
    *count = p->count - mark;
    struct site_note *taken = ARENA_ARRAY(a, *count, struct site_note);
    if (*count != 0)
        memcpy(taken, p->notes + mark, *count * sizeof *taken);
    p->count = mark;
    return taken;
}

void findings_add(struct findings *p, const struct site_note *notes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(p, notes[i]);
}

/* The hint's map is another's memory. */
static struct hint keep_hint(struct findings *p, struct hint hint)
{
    if (hint.map == NULL)
        return hint;
    struct absmap *map = ARENA_NEW(p->arena, struct absmap);
    struct absfield *fields = ARENA_ARRAY(p->arena, hint.map->field_count, struct absfield);
    *map = (struct absmap){.type = hint.map->type, .fields = fields, .field_count = hint.map->field_count};
    for (size_t i = 0; i < map->field_count; i++) {
        arena_step(p->arena);
        fields[i] = (struct absfield){.name = str_copy(p->arena, hint.map->fields[i].name),
                                      .presence = hint.map->fields[i].presence};
    }
    hint.map = map;
    hint.field = str_copy(p->arena, hint.field);
    return hint;
}

void findings_fail(struct findings *p, struct site place, enum site_failure failure, const struct hint *hint,
                   const struct str *message, size_t parts)
{
    const struct site_node *node = find(p, &place);
    if (node->passes[place.is_operand])
        return;
    struct site_note note = {.place = place, .failure = failure};
    if (node->failed[place.is_operand] == NULL) { /* else only the first one's text counts */
        note.message = str_join(p->arena, message, parts);
        note.hint = keep_hint(p, *hint);
    }
    add(p, note);
}

void findings_settle(struct findings *p)
{
    arena_pay(p->arena, p->count);
    for (size_t i = 0; i < p->count; i++) {
        const struct site_note *note = &p->notes[i];
        struct place_failed **failed = &find(p, &note->place)->failed[note->place.is_operand];
        if (*failed == NULL) {
            *failed = ARENA_NEW(p->arena, struct place_failed);
            **failed = (struct place_failed){.behind = note->behind,
                                             .offset = note->place.offset,
                                             .is_of_operand = note->place.is_operand &&
                                                              note->place.offset == note->place.node->offset,
                                             .message = note->message,
                                             .hint = note->hint};
        }
        (*failed)->is_free = (*failed)->is_free || note->behind == NULL;
    }
    p->count = 0;
}

/* What the place itself says; ANSWER_ASKED: as what it is behind. */
static enum answer own_answer(const struct site_node *node, bool is_operand)
{
    const struct place_failed *failed = node->failed[is_operand];
    if (failed == NULL || node->passes[is_operand])
        return ANSWER_NO;
    if (failed->is_told != ANSWER_NONE)
        return failed->is_told == ANSWER_ASKED ? ANSWER_NO : failed->is_told; /* behind itself */
    return failed->is_free ? ANSWER_YES : ANSWER_ASKED;
}

/*
 * A place that evaluation reaches only past a failure is reported with that one,
 * or not at all. The answer is the same for all on the way there.
 */
static bool is_told(const struct findings *p, struct site_node *node, bool is_operand)
{
    struct place_failed *failed = node->failed[is_operand];
    struct place_failed *first = failed;
    enum answer answer;
    while ((answer = own_answer(node, is_operand)) == ANSWER_ASKED) {
        arena_step(p->arena);
        failed = node->failed[is_operand];
        failed->is_told = ANSWER_ASKED;
        node = find(p, failed->behind);
        is_operand = failed->behind->is_operand;
    }
    for (failed = first; failed != NULL && failed->is_told == ANSWER_ASKED;) {
        const struct site *behind = failed->behind;
        failed->is_told = answer;
        failed = find(p, behind)->failed[behind->is_operand];
    }
    return answer == ANSWER_YES;
}

const struct site_finding *findings_findings(const struct findings *p, struct arena *a, size_t expression,
                                             const struct ast *ast, size_t *count)
{
    struct site_node *nodes = p->nodes[expression];
    struct site_finding *list = NULL;
    size_t cap = 0;
    *count = 0;
    arena_pay(p->arena, ast->max_id / ARENA_LOOKS_PER_STEP);
    for (uint32_t id = 0; nodes != NULL && id <= ast->max_id; id++) {
        for (size_t i = 0; i < 2; i++) {
            if (!is_told(p, &nodes[id], i))
                continue;
            const struct place_failed *failed = nodes[id].failed[i];
            if (*count == cap) {
                list = arena_grow(a, list, cap, 2 * cap + 4, sizeof *list);
                cap = 2 * cap + 4;
            }
            list[(*count)++] =
                (struct site_finding){failed->offset, failed->is_of_operand, failed->message, failed->hint};
        }
    }
    return list;
}
