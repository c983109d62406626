#include "controller/apiserver/crdadvice/advicelist.h"

#include "client/base/mem.h"

static void free_item(const struct advicelist_item *item)
{
    mem_free(item->field);
    mem_free(item->message);
    mem_free(item->resource);
    mem_free(item->hint);
}

void advicelist_add(struct advicelist *list, const char *key, struct advicelist_item take_item)
{
    if (!keymap_add(&list->known, key)) {
        free_item(&take_item);
        return;
    }
    list->items = mem_grow(list->items, list->count, sizeof *list->items);
    list->items[list->count++] = take_item;
}

void advicelist_deinit(struct advicelist *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_item(&list->items[i]);
    mem_free(list->items);
    keymap_deinit(&list->known, NULL);
}
