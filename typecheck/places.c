#include "typecheck/places.h"

#include "typecheck/arena.h"

/* Failures behind failures: past so many nothing is told. */
#define MAX_CHAIN 64u

/* What is known of a place in all runs. */
struct place_state {
    bool passes, fails;
    bool is_free;               /* some failure of it is behind no other */
    const struct place *behind; /* else what the first failure is behind */
    uint32_t offset;
    bool is_of_operand;
    struct str message; /* of the first failure, as is the hint */
    struct hint hint;
};

/* A node by itself, and as an operand. */
struct place_node {
    struct place_state as[2];
};

void places_init(struct places *p, struct arena *a, const struct ast *const *asts, size_t count)
{
    *p = (struct places){.arena = a, .expression_count = count};
    p->states = ARENA_ARRAY(a, count, struct place_node *);
    for (size_t i = 0; i < count; i++) {
        if (asts[i] != NULL)
            p->states[i] = ARENA_ARRAY(a, (size_t)asts[i]->max_id + 1, struct place_node);
    }
}

static struct place_state *find(const struct places *p, const struct place *place)
{
    return &p->states[place->expression][place->node->id].as[place->is_operand];
}

void places_pass(struct places *p, struct place place)
{
    find(p, &place)->passes = true;
}

bool places_passed(const struct places *p, struct place place)
{
    return find(p, &place)->passes;
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

void places_note(struct places *p, struct place_note note)
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
    for (size_t i = mark; i < p->count; i++) {
        if (p->notes[i].failure != PLACE_FAILS)
            p->notes[kept++] = p->notes[i];
    }
    p->count = kept;
}

struct place_note *places_take(struct places *p, size_t mark, size_t *count)
{
    *count = p->count - mark;
    struct place_note *taken = ARENA_ARRAY(p->arena, *count, struct place_note);
    if (*count != 0)
        memcpy(taken, p->notes + mark, *count * sizeof *taken);
    p->count = mark;
    return taken;
}

void places_add(struct places *p, const struct place_note *notes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        places_note(p, notes[i]);
}

void places_settle(struct places *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct place_note *note = &p->notes[i];
        struct place_state *state = find(p, &note->place);
        state->is_free = state->is_free || note->behind == NULL;
        if (state->fails)
            continue;
        state->fails = true;
        state->behind = note->behind;
        state->offset = note->place.offset;
        state->is_of_operand = note->place.is_operand && note->place.offset == note->place.node->offset;
        state->message = note->message;
        state->hint = note->hint;
    }
    p->count = 0;
}

/* A place that evaluation comes to only past a failure is told with that one, or not at all. */
static bool is_told(const struct places *p, const struct place_state *state)
{
    for (unsigned length = 0; length < MAX_CHAIN; length++) {
        if (!state->fails || state->passes)
            return false;
        if (state->is_free)
            return true;
        state = find(p, state->behind);
    }
    return false;
}

const struct place_finding *places_findings(const struct places *p, size_t expression, const struct ast *ast,
                                            size_t *count)
{
    const struct place_node *states = p->states[expression];
    struct place_finding *list = NULL;
    size_t cap = 0;
    *count = 0;
    for (uint32_t id = 0; states != NULL && id <= ast->max_id; id++) {
        for (size_t i = 0; i < 2; i++) {
            const struct place_state *state = &states[id].as[i];
            if (!is_told(p, state))
                continue;
            if (*count == cap) {
                list = arena_grow(p->arena, list, cap, 2 * cap + 4, sizeof *list);
                cap = 2 * cap + 4;
            }
            list[(*count)++] =
                (struct place_finding){state->offset, state->is_of_operand, state->message, state->hint};
        }
    }
    return list;
}
