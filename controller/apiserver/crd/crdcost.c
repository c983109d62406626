#include "controller/apiserver/crd/crdcost.h"

#include "client/base/mem.h"

/* The server's words; `more` is that of a factor past 100, which is not shown. */
static char *factor_of(uint64_t cost, uint64_t limit, const char *more, const char *unit)
{
    const double factor = (double)cost / (double)limit;
    return factor > 100   ? mem_printf("%s100%s", more, unit)
           : factor < 1.5 ? mem_printf("%f%s", factor, unit)
                          : mem_printf("%.1f%s", factor, unit);
}

void crdcost_refuse(struct fielderrors *out, const struct crdcost_words *words, uint64_t cost, uint64_t limit,
                    const char *field)
{
    cleanup_mem char *shown = factor_of(cost, limit, "more than ", "x"),
                     *times = factor_of(cost, limit, "more than ", " times"),
                     *detail =
                         mem_printf("%s exceeds budget by factor of %s (try simplifying the rule, or adding "
                                    "maxItems, maxProperties, and maxLength where arrays, maps, and "
                                    "strings are declared)",
                                    words->server, shown);
    fielderrors_add(out, fielderrors_forbidden(detail), "%s", field);
    fielderrors_say(out, mem_printf("%s can cost %s what an API server allows", words->people, times));
}

uint64_t crdcost_product(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

void crdcost_add(struct crdcost *total, const char *field, uint64_t cost, bool is_known)
{
    if (total->keeps_all) {
        total->all = mem_grow(total->all, total->n_all, sizeof *total->all);
        total->all[total->n_all++] = (struct crdcost_rule){mem_strdup(field), cost, is_known};
    }
    if (__builtin_add_overflow(total->total, cost, &total->total))
        total->total = UINT64_MAX;
    if (cost < CRDCOST_TOTAL_LIMIT / 100)
        return;
    size_t at = total->count;
    while (at > 0 && total->most[at - 1].cost < cost)
        at--;
    if (at == CRDCOST_NAMED)
        return;
    if (total->count == CRDCOST_NAMED)
        mem_free(total->most[--total->count].field);
    for (size_t i = total->count++; i > at; i--)
        total->most[i] = total->most[i - 1];
    total->most[at] = (struct crdcost_rule){mem_strdup(field), cost, is_known};
}

void crdcost_finish(struct crdcost *total, const char *schema_field, struct fielderrors *out)
{
    if (total->total <= CRDCOST_TOTAL_LIMIT)
        return;
    bool is_one_too_much = false; /* then that one is to be changed, whose error says so */
    for (size_t i = 0; i < total->count; i++) {
        fielderrors_add(out,
                        fielderrors_forbidden("contributed to estimated rule cost total exceeding cost limit "
                                              "for entire OpenAPIv3 schema"),
                        "%s", total->most[i].field);
        fielderrors_say(out, mem_strdup("this is one of the most expensive rules of a schema whose rules "
                                        "together can cost too much"));
        if (total->most[i].cost <= cel_place_cost_limit(CEL_PLACE_RULE))
            continue;
        fielderrors_follow(out);
        is_one_too_much = true;
    }
    static const struct crdcost_words words = {
        "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
        "the rules of this schema together"};
    crdcost_refuse(out, &words, total->total, CRDCOST_TOTAL_LIMIT, schema_field);
    if (is_one_too_much)
        fielderrors_follow(out);
}

static void free_rules(struct crdcost_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mem_free(rules[i].field);
}

void crdcost_deinit(struct crdcost *total)
{
    free_rules(total->most, total->count);
    free_rules(total->all, total->n_all);
    mem_free(total->all);
}

void crdcosts_take(struct crdcosts *costs, struct crdcost *total, const char *schema_field,
                   bool is_structural)
{
    costs->items = mem_grow(costs->items, costs->count, sizeof *costs->items);
    costs->items[costs->count++] = (struct crdcost_schema){.field = mem_strdup(schema_field),
                                                           .total = total->total,
                                                           .rules = total->all,
                                                           .count = total->n_all,
                                                           .is_structural = is_structural};
    total->all = NULL;
    total->n_all = 0;
}

void crdcosts_deinit(struct crdcosts *costs)
{
    for (size_t i = 0; i < costs->count; i++) {
        free_rules(costs->items[i].rules, costs->items[i].count);
        mem_free(costs->items[i].rules);
        mem_free(costs->items[i].field);
    }
    mem_free(costs->items);
    *costs = (struct crdcosts){0};
}
