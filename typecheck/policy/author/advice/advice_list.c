#include "typecheck/policy/author/advice/advice_list.h"

#include "typecheck/base/arena.h"

struct advice_item *advice_list_add(struct advice *a, enum advice_sort sort, size_t expression,
                                    const struct node *at)
{
    const uint32_t node = at == NULL ? 0 : at->id;
    for (size_t i = a->last[expression]; i != 0; i = a->items[i - 1].previous) {
        arena_step(a->arena);
        if (a->items[i - 1].node == node && a->items[i - 1].sort == sort)
            return NULL;
    }
    ARENA_ROOM(a->arena, a->items, a->count, a->cap, 4);
    struct advice_item *item = &a->items[a->count++];
    *item = (struct advice_item){
        .sort = sort, .expression = expression, .node = node, .previous = a->last[expression]};
    if (at != NULL)
        item->at = extent_of_place(a->arena, a->asts[expression]->text, at);
    a->last[expression] = a->count;
    return item;
}
