#include "typecheck/cel/interpreter/tracker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value.h"

enum { IDS = 200, MOVES = 20000, VALUES = 50, BUDGET = 64 * 1024 * 1024 };

/* cel-go's stack, which is searched from the top. */
struct model {
    struct tracked items[MOVES];
    size_t count;
};

static const struct value *take(struct model *m, uint32_t id)
{
    for (size_t i = m->count; i > 0; i--) {
        if (m->items[i - 1].id != id)
            continue;
        m->count = i - 1;
        return m->items[m->count].value;
    }
    return NULL;
}

static void as_if_searched(void **state)
{
    static struct model model;
    static struct value values[VALUES];
    struct arena arena;
    uint32_t seed = 7;
    (void)state;
    arena_init(&arena, BUDGET);
    struct tracker tracker = {.arena = &arena};
    for (size_t i = 0; i < MOVES; i++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t id = (seed >> 8) % IDS, what = (seed >> 20) % 16;
        const struct value *v = &values[i % VALUES];
        if (what > 1) {
            (void)tracker_push(&tracker, id, v);
            model.items[model.count++] = (struct tracked){.value = v, .id = id};
        } else if (what == 1) {
            assert_ptr_equal(tracker_take(&tracker, id), take(&model, id));
        } else {
            tracker_drop(&tracker, id);
            (void)take(&model, id);
        }
        assert_int_equal(tracker.count, model.count);
    }
    arena_deinit(&arena);
}

/* Values that no step takes stay on the stack: to look for others costs nothing more. */
static void many_values_stay(void **state)
{
    static struct value value;
    struct arena arena;
    (void)state;
    arena_init(&arena, BUDGET);
    struct tracker tracker = {.arena = &arena};
    for (size_t i = 0; i < MOVES; i++)
        (void)tracker_push(&tracker, 1, &value);
    const uint64_t before = arena.steps;
    for (size_t i = 0; i < MOVES; i++)
        tracker_drop(&tracker, 2);
    assert_int_equal(arena.steps, before);
    assert_int_equal(tracker.count, MOVES);
    arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_if_searched), cmocka_unit_test(many_values_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
