#include "controller/reconcile/bindingcheck.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/binding_params.h"
#include "controller/apiserver/validation/fielderrors.h"
#include "controller/findings/boundedtext.h"
#include "controller/match/policyview.h"
#include "typecheck/text.h"

static void offer(void *user, const struct store_object *policy)
{
    suggest_offer(user, policy->key);
}

static void add_not_found(struct conditions *out, const char *name, const struct store *policies)
{
    struct suggest near;
    struct boundedtext m;
    suggest_init(&near, name);
    store_each(policies, offer, &near);
    cleanup_mem char *hint =
        near.best == NULL ? mem_strdup("") : mem_printf(" (did you mean %s?)", near.best);
    cleanup_mem char *said =
        mem_printf("no ValidatingAdmissionPolicy is called %s%s: the binding has no effect", name, hint);
    boundedtext_init(&m);
    boundedtext_add(&m, said);
    conditions_add(out, CONDITIONS_POLICY, "False", "NotFound", buf_take(&m.text, NULL));
}

/* "spec.paramRef: it is missing: ..."; a message ends in a line feed. */
static void add_params(struct conditions *out, const struct fielderrors *faults)
{
    struct boundedtext m;
    if (faults->count == 0) {
        conditions_add(out, CONDITIONS_PARAM_REF, "True", "Valid", mem_strdup("paramRef fits the policy"));
        return;
    }
    boundedtext_init(&m);
    for (size_t i = 0; i < faults->count; i++) {
        const struct fielderror *e = &faults->items[i];
        cleanup_mem char *said = mem_printf("%s: %.*s", e->field, (int)strcspn(e->message, "\n"), e->message);
        boundedtext_add(&m, said);
    }
    boundedtext_end(&m);
    conditions_add(out, CONDITIONS_PARAM_REF, "False", "Invalid", buf_take(&m.text, NULL));
}

/* Nothing is known of a policy of which only a part is kept. */
static void check_params(struct conditions *out, const struct bindingcheck_input *in,
                         const struct store_object *stored)
{
    cleanup_json struct json_object *json = NULL;
    struct fielderrors faults = {0};
    struct policyview *policy;
    struct err err = {0};
    if (stored->left_out != STORE_WHOLE || store_parse(stored, &json, &err) != 0 ||
        policyview_new_of(POLICYVIEW_VALIDATING, json, &policy, &err) != 0)
        return;
    binding_params_run(in->binding, policy, in->discovery, &faults);
    add_params(out, &faults);
    fielderrors_deinit(&faults);
    policyview_free(policy);
}

void bindingcheck_init(struct conditions *out, const struct bindingcheck_input *input)
{
    const char *name = jsonval_string_or_empty(jsonval_get(input->binding, "spec"), "policyName");
    const struct store_object *stored = store_get(input->policies, name);
    *out = (struct conditions){0};
    if (stored == NULL) {
        add_not_found(out, name, input->policies);
        return;
    }
    conditions_add(out, CONDITIONS_POLICY, "True", "Found", mem_printf("policy %s exists", name));
    check_params(out, input, stored);
}

size_t bindingcheck_faults(const struct conditions *conditions)
{
    size_t faults = 0;
    for (size_t i = 0; i < conditions->count; i++)
        faults += strcmp(conditions->items[i].status, "True") != 0;
    return faults;
}
