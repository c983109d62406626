#include "cmd/kubectl-vapcheck/check/check_template.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/caret.h"
#include "controller/apiserver/validation/template.h"

/* The first line of a compiler's answer says it; the next show the expression. */
static void cut_lines(struct fielderrors *faults)
{
    for (size_t i = 0; i < faults->count; i++)
        faults->items[i].message[strcspn(faults->items[i].message, "\n")] = '\0';
}

void check_template(struct checkrun *r, const struct output_place *place)
{
    struct json_object *json = place->root->json;
    struct fielderrors faults = {.minor = schemas_minor(r->schemas)}, none = {.minor = faults.minor};
    struct conditions conditions = {0};
    template_check(json, schemas_env(r->schemas), &faults);
    cut_lines(&faults);
    struct output_extra *extras = mem_array(faults.count + 1, sizeof *extras);
    size_t count = 0;
    for (; count < faults.count; count++) {
        const struct fielderror *e = &faults.items[count];
        extras[count] = (struct output_extra){.id = FINDING_TEMPLATE_ERROR,
                                              .field = e->field,
                                              .text = e->message,
                                              .at = caret_of_error(place, e).at};
    }
    if (faults.is_limited)
        extras[count++] = (struct output_extra){
            .id = FINDING_LIMIT_REACHED,
            .field = "",
            .text = "the expressions take too much work or memory to check all of them"};
    const struct output_finding finding = {.name = jsonval_metadata(json, "name"),
                                           .refusals = &none,
                                           .conditions = &conditions,
                                           .extras = extras,
                                           .n_extras = count};
    checkrun_report(r, place, &finding);
    mem_free(extras);
    fielderrors_deinit(&faults);
}
