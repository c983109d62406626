#include "controller/apiserver/crd/crdconditions.h"

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "controller/findings/boundedtext.h"

static char *describe_rules(const struct crdrules *found)
{
    return found->n_unchecked == 0 ? mem_strdup("every rule was checked")
                                   : mem_printf("%zu of %zu rules take too much work or memory to check",
                                                found->n_unchecked, found->n_rules);
}

/* "2 findings in 5 rules: spec....x-kubernetes-validations[0].rule: undefined field 'size'; ..." */
static char *describe_refusals(const struct crdrules *found)
{
    const struct fielderrors *refusals = &found->refusals;
    struct boundedtext m;
    boundedtext_init(&m);
    buf_printf(&m.text, "%zu finding%s in %zu rule%s: ", refusals->count, boundedtext_plural(refusals->count),
               found->n_rules, boundedtext_plural(found->n_rules));
    for (size_t i = 0; i < refusals->count; i++) {
        cleanup_mem char *brief = fielderrors_brief(&refusals->items[i]);
        cleanup_mem char *item = mem_printf("%s: %s", refusals->items[i].field, brief);
        boundedtext_add(&m, item);
    }
    boundedtext_end(&m);
    return buf_take(&m.text, NULL);
}

void crdconditions_init_unread(struct conditions *out, const char *why)
{
    *out = (struct conditions){0};
    conditions_add(out, CONDITIONS_RULES_CHECKED, "False", "LimitReached",
                   mem_printf("no rule was checked: %s", why));
    conditions_add(out, CONDITIONS_RULES_VALID, "Unknown", "PartlyChecked",
                   mem_printf("no rule was checked: %s", why));
}

void crdconditions_init(struct conditions *out, const struct crdrules *found)
{
    bool is_whole = found->n_unchecked == 0;
    cleanup_mem char *work = describe_rules(found);
    *out = (struct conditions){0};
    conditions_add(out, CONDITIONS_RULES_CHECKED, is_whole ? "True" : "False",
                   is_whole ? "AllRulesChecked" : "LimitReached", mem_strdup(work));
    if (found->refusals.count > 0)
        conditions_add(out, CONDITIONS_RULES_VALID, "False", "WarningsFound", describe_refusals(found));
    else if (is_whole)
        conditions_add(out, CONDITIONS_RULES_VALID, "True", "NoWarnings", mem_strdup("no warnings"));
    else
        conditions_add(out, CONDITIONS_RULES_VALID, "Unknown", "PartlyChecked",
                       mem_printf("no warnings, but not everything was checked: %s", work));
}
