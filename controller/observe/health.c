#include "controller/observe/health.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"

static const char *const probe_names[] = {
    [HEALTH_HEALTHZ] = "healthz", [HEALTH_LIVE] = "livez", [HEALTH_READY] = "readyz"};

void health_add(struct health *health, const char *name, bool is_for_live, bool is_ok, const char *why, ...)
{
    assert(health->count < HEALTH_ITEMS_MAX);
    struct health_item *item = &health->items[health->count++];
    va_list args;
    va_start(args, why);
    item->name = name;
    item->is_for_live = is_for_live;
    item->is_ok = is_ok;
    item->why[0] = '\0';
    if (!is_ok)
        (void)vsnprintf(item->why, sizeof item->why, why, args);
    va_end(args);
}

static bool is_wanted(const struct health_item *item, enum health_probe probe,
                      const struct health_query *query)
{
    if (query->name[0] != '\0' && strcmp(item->name, query->name) != 0)
        return false;
    return probe == HEALTH_READY || item->is_for_live;
}

int health_render(const struct health *health, enum health_probe probe, const struct health_query *query,
                  struct buf *out)
{
    size_t failed = 0, found = 0;
    cleanup_buf struct buf lines;
    buf_init(&lines, HEALTH_TEXT_BYTES);
    for (size_t i = 0; i < health->count; i++) {
        const struct health_item *item = &health->items[i];
        if (!is_wanted(item, probe, query))
            continue;
        found++;
        if (query->is_excluded != NULL && query->is_excluded(query->user, item->name)) {
            buf_printf(&lines, "[+]%s excluded: ok\n", item->name);
        } else if (item->is_ok) {
            buf_printf(&lines, "[+]%s ok\n", item->name);
        } else {
            failed++;
            cleanup_mem char *why = plain_line(item->why); /* the API server's words, in a line of ours */
            buf_printf(&lines, "[-]%s failed: %s\n", item->name, why);
        }
    }
    if (query->name[0] != '\0' && found == 0) {
        buf_puts(out, "404 page not found\n");
        return 404;
    }
    if (failed > 0)
        buf_printf(out, "%s%s check failed\n", lines.data, probe_names[probe]);
    else if (query->is_verbose)
        buf_printf(out, "%s%s check passed\n", lines.data, probe_names[probe]);
    else
        buf_puts(out, "ok");
    return failed > 0 ? 500 : 200;
}
