#include "typecheck/eval/places.h"

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
    bool is_free;               /* some failure of it is behind no other */
    const struct place *behind; /* else what the first failure is behind */
    uint32_t offset;
    bool is_of_operand;
    struct str message; /* of the first failure, as is the hint */
    struct hint hint;
    enum answer is_told;
};

/* What is known of a node in all runs: by itself, and as an operand. */
struct place_node {
    struct place_failed *failed[2]; /* NULL: it did not */
    bool passes[2];
};

void places_init(struct places *p, struct arena *a, const struct ast *const *asts, size_t count)
{
    *p = (struct places){.arena = a, .expression_count = count};
    p->nodes = ARENA_ARRAY(a, count, struct place_node *);
    for (size_t i = 0; i < count; i++) {
        if (asts[i] != NULL)
            p->nodes[i] = ARENA_ARRAY(a, (size_t)asts[i]->max_id + 1, struct place_node);
    }
}

static struct place_node *find(const struct places *p, const struct place *place)
{
    return &p->nodes[place->expression][place->node->id];
}

void places_pass(struct places *p, struct place place)
{
    find(p, &place)->passes[place.is_operand] = true;
}

static struct place_note *add_note(struct places *p)
{
    if (p->count == p->cap) {
        size_t cap = 2 * p->cap + 16;
        p->notes = arena_grow(p->arena, p->notes, p->cap, cap, sizeof *p->notes);
        p->cap = cap;
    }
    return &p->notes[p->count++];
}

static void add(struct places *p, struct place_note note)
{
    if (note.behind == NULL)
        note.behind = p->behind;
    *add_note(p) = note;
}

size_t places_mark(const struct places *p)
{
    return p->count;
}

const struct place *places_failed(const struct places *p, size_t mark)
{
    for (size_t i = mark; i < p->count; i++) {
        arena_step(p->arena);
        if (p->notes[i].failure != PLACE_FAILS)
            continue;
        struct place *failed = ARENA_NEW(p->arena, struct place);
        *failed = p->notes[i].place;
        return failed;
    }
    return NULL;
}

void places_absorb(struct places *p, size_t mark)
{
    size_t kept = mark;
    arena_pay(p->arena, (p->count - mark) / ARENA_LOOKS_PER_STEP);
    for (size_t i = mark; i < p->count; i++) {
        if (p->notes[i].failure != PLACE_FAILS)
            p->notes[kept++] = p->notes[i];
    }
    p->count = kept;
}

void places_drop(struct places *p, size_t mark)
{
    p->count = mark;
}

struct place_note *places_take(struct places *p, struct arena *a, size_t mark, size_t *count)
{
    *count = p->count - mark;
    struct place_note *taken = ARENA_ARRAY(a, *count, struct place_note);
    if (*count != 0)
        memcpy(taken, p->notes + mark, *count * sizeof *taken);
    p->count = mark;
    return taken;
}

void places_add(struct places *p, const struct place_note *notes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(p, notes[i]);
}

/* The hint's map is another's memory. */
static struct hint keep_hint(struct places *p, struct hint hint)
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

void places_fail(struct places *p, struct place place, enum place_failure failure, const struct hint *hint,
                 const struct str *message, size_t parts)
{
    const struct place_node *node = find(p, &place);
    if (node->passes[place.is_operand])
        return;
    struct place_note note = {.place = place, .failure = failure};
    if (node->failed[place.is_operand] == NULL) { /* else only the first one's text counts */
        note.message = str_join(p->arena, message, parts);
        note.hint = keep_hint(p, *hint);
    }
    add(p, note);
}

void places_settle(struct places *p)
{
    arena_pay(p->arena, p->count);
    for (size_t i = 0; i < p->count; i++) {
        const struct place_note *note = &p->notes[i];
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
static enum answer own_answer(const struct place_node *node, bool is_operand)
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
static bool is_told(const struct places *p, struct place_node *node, bool is_operand)
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
        const struct place *behind = failed->behind;
        failed->is_told = answer;
        failed = find(p, behind)->failed[behind->is_operand];
    }
    return answer == ANSWER_YES;
}

const struct place_finding *places_findings(const struct places *p, struct arena *a, size_t expression,
                                            const struct ast *ast, size_t *count)
{
    struct place_node *nodes = p->nodes[expression];
    struct place_finding *list = NULL;
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
                (struct place_finding){failed->offset, failed->is_of_operand, failed->message, failed->hint};
        }
    }
    return list;
}
