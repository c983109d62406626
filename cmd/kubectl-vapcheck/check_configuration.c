#include "cmd/kubectl-vapcheck/check_configuration.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"

void check_configuration(struct checkrun *r, const struct output_place *place, configuration_find *find)
{
    static const struct output_extra limit = {
        .id = FINDING_LIMIT_REACHED,
        .field = "",
        .text = "the expressions take too much work or memory to check all of them",
    };
    struct fielderrors refusals = {.minor = schemas_minor(r->schemas)};
    struct conditions conditions = {0};
    find(place->root->json, schemas_env(r->schemas), &refusals);
    const char **hints = checkrun_find_hints(place, &refusals);
    const struct hints_cluster cluster = checkrun_cluster(r);
    struct hints tried;
    hints_of_configuration(&cluster, place->root, &refusals, &tried);
    checkrun_put_hints(&tried, &refusals, hints);
    const struct output_finding finding = {.name = jsonval_string_or_empty(place->root->json, "kind"),
                                           .refusals = &refusals,
                                           .hints = hints,
                                           .conditions = &conditions,
                                           .extras = &limit,
                                           .n_extras = refusals.is_limited ? 1 : 0};
    checkrun_report(r, place, &finding);
    fielderrors_deinit(&refusals);
    hints_deinit(&tried);
    mem_free(hints);
}
