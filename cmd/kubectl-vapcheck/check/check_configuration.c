#include "cmd/kubectl-vapcheck/check/check_configuration.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/check/fixes.h"
#include "controller/apiserver/validation/devices.h"

/* Reports what is refused, with hints, of an object that nothing else is known of. */
static void report(struct checkrun *r, const struct output_place *place, const char *name,
                   const struct fielderrors *refusals)
{
    static const struct output_extra limit = {
        .id = FINDING_LIMIT_REACHED,
        .field = "",
        .text = "the expressions take too much work or memory to check all of them",
    };
    struct conditions conditions = {0};
    const char **hints = checkrun_find_hints(r, place, refusals);
    const struct hints_cluster cluster = checkrun_cluster(r);
    struct hints tried;
    hints_of_configuration(&cluster, place->root, refusals, &tried);
    checkrun_put_hints(&tried, refusals, hints);
    struct fixes fixes;
    fixes_init(&fixes, &tried, &(struct fixes_wanted){.place = place, .is_unsafe = r->options->fixes_unsafe});
    const struct output_finding finding = {.name = name,
                                           .refusals = refusals,
                                           .hints = hints,
                                           .fixes = fixes.list,
                                           .n_fixes = fixes.count,
                                           .conditions = &conditions,
                                           .extras = &limit,
                                           .n_extras = refusals->is_limited ? 1 : 0};
    checkrun_report(r, place, &finding);
    fixes_deinit(&fixes);
    hints_deinit(&tried);
    mem_free(hints);
}

void check_configuration(struct checkrun *r, const struct output_place *place, configuration_find *find)
{
    struct fielderrors refusals = {.minor = schemas_minor(r->schemas)};
    find(place->root->json, schemas_env(r->schemas), &refusals);
    report(r, place, jsonval_string_or_empty(place->root->json, "kind"), &refusals);
    fielderrors_deinit(&refusals);
}

void check_devices(struct checkrun *r, const struct output_place *place)
{
    struct json_object *json = place->root->json;
    struct fielderrors refusals = {.minor = schemas_minor(r->schemas)};
    if (!devices_is_supported(refusals.minor)) {
        output_report_skipped(&r->output, place, jsonval_string_or_empty(json, "kind"));
        return;
    }
    if (!checkrun_refuse_unserved(r, json, &refusals))
        devices_check(json, schemas_new_env(r->schemas), &refusals);
    report(r, place, jsonval_metadata(json, "name"), &refusals);
    fielderrors_deinit(&refusals);
}
