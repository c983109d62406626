#include "cmd/kubectl-vapcheck/audit/auditlines.h"

#include "client/base/mem.h"

static void deinit_item(const struct auditlines_item *item)
{
    mem_free(item->title);
    mem_free(item->file);
    mem_free(item->text);
}

void auditlines_add(struct auditlines *lines, size_t n_policies, size_t policy,
                    const struct auditlines_item *take_item)
{
    if (lines->policies == NULL) {
        lines->n_policies = n_policies;
        lines->policies = mem_array(n_policies, sizeof *lines->policies);
    }
    struct auditlines_policy *of = &lines->policies[policy];
    if (of->count == AUDITLINES_MAX) {
        deinit_item(take_item);
        of->n_left_out++;
        return;
    }
    of->items = mem_grow(of->items, of->count, sizeof *of->items);
    of->items[of->count++] = *take_item;
}

void auditlines_deinit(struct auditlines *lines)
{
    for (size_t i = 0; i < lines->n_policies; i++) {
        struct auditlines_policy *of = &lines->policies[i];
        for (size_t k = 0; k < of->count; k++)
            deinit_item(&of->items[k]);
        mem_free(of->items);
    }
    mem_free(lines->policies);
    *lines = (struct auditlines){0};
}
