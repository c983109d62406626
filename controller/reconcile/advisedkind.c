#include "controller/reconcile/advisedkind.h"

#include <string.h>

#include "client/base/mem.h"

static const struct advisedkind rows[ADVISEDKIND_COUNT] = {
    [ADVISEDKIND_VALIDATING_WEBHOOKS] = {.object = &objectkind_rows[OBJECTKIND_VALIDATING_WEBHOOKS],
                                         .flag = "--watch-webhooks",
                                         .watch = WATCHES_VALIDATING_WEBHOOKS,
                                         .view = POLICYVIEW_WEBHOOKS},
    [ADVISEDKIND_MUTATING_WEBHOOKS] = {.object = &objectkind_rows[OBJECTKIND_MUTATING_WEBHOOKS],
                                       .flag = "--watch-webhooks",
                                       .watch = WATCHES_MUTATING_WEBHOOKS,
                                       .view = POLICYVIEW_WEBHOOKS},
    [ADVISEDKIND_MUTATING_POLICIES] = {.object = &objectkind_rows[OBJECTKIND_MUTATING_POLICY],
                                       .flag = "--watch-mutating-policies",
                                       .watch = WATCHES_MUTATING_POLICIES,
                                       .view = POLICYVIEW_MUTATING,
                                       .is_selected = true},
    [ADVISEDKIND_CRDS] = {.object = &objectkind_rows[OBJECTKIND_CRD],
                          .flag = "--watch-crds",
                          .watch = WATCHES_CRDS,
                          .is_read_alone = true},
    [ADVISEDKIND_BINDINGS] = {.object = &objectkind_rows[OBJECTKIND_BINDING],
                              .watch = WATCHES_BINDINGS,
                              .is_binding = true},
};

const struct advisedkind *advisedkind_row(enum advisedkind_id id)
{
    return &rows[id];
}

bool advisedkind_of_watch(enum watches_id watch, enum advisedkind_id *out)
{
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++) {
        if (rows[i].watch == watch) {
            *out = (enum advisedkind_id)i;
            return true;
        }
    }
    return false;
}

char *advisedkind_key(enum advisedkind_id id, const char *name)
{
    return mem_printf("%s/%s", rows[id].object->resource, name);
}

bool advisedkind_parse_key(const char *key, enum advisedkind_id *out, const char **name)
{
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++) {
        size_t len = strlen(rows[i].object->resource);
        if (strncmp(key, rows[i].object->resource, len) == 0 && key[len] == '/') {
            *out = (enum advisedkind_id)i;
            *name = key + len + 1;
            return true;
        }
    }
    return false;
}
