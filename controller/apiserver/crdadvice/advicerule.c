#include "controller/apiserver/crdadvice/advicerule.h"

#include "bytes/utf8.h"
#include "client/base/mem.h"

/* Sets the line and the column of what stands at the offset in the text. */
static void place_in(struct str text, uint32_t offset, struct advicelist_item *item)
{
    size_t start = 0;
    item->line = 1;
    for (size_t i = 0; i < offset && i < text.len; i++) {
        if (text.at[i] != '\n')
            continue;
        item->line++;
        start = i + 1;
    }
    item->column = utf8_count(text.at + start, offset - start) + 1;
}

void advicerule_add(const struct advicerule *rule, struct advicelist_item take_item, uint32_t offset)
{
    take_item.field = mem_printf("%s.%s", advicetrial_version(rule->trial)->field, rule->path);
    place_in(rule->text, offset, &take_item);
    cleanup_mem char *key =
        mem_printf("%s\n%s\n%zu:%zu", rule->path, rule->text.at, take_item.line, take_item.column);
    advicelist_add(rule->list, key, take_item);
}
