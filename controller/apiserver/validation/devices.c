#include "controller/apiserver/validation/devices.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"
#include "controller/match/objectkind.h"
#include "typecheck/compile.h"
#include "typecheck/typecheck.h"

enum {
    REQUESTS_MAX = 32,
    CHOICES_MAX = 8, /* entries of firstAvailable */
    SELECTORS_MAX = 32,
    EXPRESSION_BYTES_MAX = 10 * 1024,
};

static const char expression_end[] = ".cel.expression";

/* The version with the fields of "exactly" in the request itself. */
static bool is_flat(struct json_object *object)
{
    return jsonval_is(object, "apiVersion", DEVICES_GROUP "/v1beta1");
}

bool devices_is_kind(struct json_object *object)
{
    const enum objectkind kind = objectkind_of(object);
    return kind == OBJECTKIND_DEVICE_CLASS || kind == OBJECTKIND_RESOURCE_CLAIM ||
           kind == OBJECTKIND_RESOURCE_CLAIM_TEMPLATE;
}

bool devices_is_supported(int minor)
{
    return kubernetes_in(minor).checks_devices;
}

/* ---- selectors ---- */

struct work {
    struct compiler compiler;
    struct fielderrors *out;
    bool is_flat;
};

static void check_expression(struct work *w, struct str text, const char *at)
{
    if (text.len > EXPRESSION_BYTES_MAX) {
        fielderrors_add(w->out, mem_printf("Too long: may not be more than %d bytes", EXPRESSION_BYTES_MAX),
                        "%s", at);
        return;
    }
    const struct cel_place_compiled *compiled = compiler_compile(&w->compiler, CEL_PLACE_SELECTOR, text);
    if (compiled == NULL)
        w->out->is_limited = true;
    else if (!compiled->compiles)
        fielderrors_add_compiled(w->out, &compiled->problem, text, at);
    else if (compiled->cost > cel_place_cost_limit(CEL_PLACE_SELECTOR))
        fielderrors_add(w->out, fielderrors_forbidden("too complex, exceeds cost limit"), "%s", at);
}

typedef void check_item(struct work *w, struct json_object *item, const char *at);

/* If a list is too long, newer servers look at no entry. */
static void check_items(struct work *w, struct json_object *list, size_t most, const char *at,
                        check_item *check)
{
    const size_t count = jsonval_length(list);
    const bool is_cut = count > most && fielderrors_server(w->out).cuts_long_lists;
    for (size_t i = 0; i < count && !is_cut; i++) {
        cleanup_mem char *item_at = mem_printf("%s[%zu]", at, i);
        check(w, jsonval_at(list, i), item_at);
    }
    if (count > most)
        fielderrors_add(w->out, fielderrors_too_many(count, most), "%s", at);
}

static void check_selector(struct work *w, struct json_object *selector, const char *at)
{
    struct json_object *cel = jsonval_get(selector, "cel");
    cleanup_mem char *expression_at = mem_printf("%s%s", at, expression_end);
    if (cel == NULL)
        fielderrors_add(w->out, fielderrors_required(""), "%s.cel", at);
    else
        check_expression(w, gotext_member(cel, "expression"), expression_at);
}

/* Checks the selectors of a request, or of one of its alternatives. */
static void check_selectors(struct work *w, struct json_object *of, const char *of_at)
{
    cleanup_mem char *at = mem_printf("%s.selectors", of_at);
    check_items(w, jsonval_array(of, "selectors"), SELECTORS_MAX, at, check_selector);
}

/* ---- requests ---- */

static void check_first_available(struct work *w, struct json_object *list, const char *of_at)
{
    cleanup_mem char *at = mem_printf("%s.firstAvailable", of_at);
    check_items(w, list, CHOICES_MAX, at, check_selectors);
}

/* Returns true if a request of v1beta1 becomes one for exact devices. */
static bool has_flat_fields(struct json_object *request)
{
    return *jsonval_string_or_empty(request, "deviceClassName") != '\0' ||
           *jsonval_string_or_empty(request, "allocationMode") != '\0' ||
           jsonval_array(request, "selectors") != NULL || jsonval_array(request, "tolerations") != NULL ||
           jsonval_get(request, "count") != NULL || jsonval_get(request, "adminAccess") != NULL ||
           jsonval_get(request, "capacity") != NULL;
}

static void check_request(struct work *w, struct json_object *request, const char *at)
{
    struct json_object *exactly = w->is_flat ? request : jsonval_get(request, "exactly");
    struct json_object *first_available = jsonval_array(request, "firstAvailable");
    const bool has_exactly = w->is_flat ? has_flat_fields(request) : exactly != NULL;
    const bool has_choices = jsonval_length(first_available) > 0;
    cleanup_mem char *exactly_at = mem_printf("%s.exactly", at);
    const bool is_read = !has_exactly || !has_choices || !fielderrors_server(w->out).cuts_long_lists;
    if (has_choices && is_read)
        check_first_available(w, first_available, at);
    if (has_exactly && is_read)
        check_selectors(w, exactly, exactly_at);
    if (has_exactly && has_choices)
        fielderrors_add(w->out,
                        mem_strdup("Invalid value: null: exactly one of `exactly` or `firstAvailable` is "
                                   "required, but multiple fields are set"),
                        "%s", at);
    else if (!has_choices && !has_exactly)
        fielderrors_add(w->out,
                        fielderrors_required("exactly one of `exactly` or `firstAvailable` is required"),
                        "%s", at);
}

static void check_claim(struct work *w, struct json_object *spec, const char *spec_at)
{
    cleanup_mem char *at = mem_printf("%s.devices.requests", spec_at);
    check_items(w, jsonval_array(jsonval_get(spec, "devices"), "requests"), REQUESTS_MAX, at, check_request);
}

void devices_check(struct json_object *object, const struct env *env, struct fielderrors *out)
{
    struct json_object *spec = jsonval_get(object, "spec");
    struct work w = {.out = out, .is_flat = is_flat(object)};
    compiler_init(&w.compiler, &(struct cel_place_scope){.env = env, .minor = out->minor},
                  typecheck_default_caps.steps);
    const enum objectkind kind = objectkind_of(object);
    if (kind == OBJECTKIND_DEVICE_CLASS)
        check_selectors(&w, spec, "spec");
    else if (kind == OBJECTKIND_RESOURCE_CLAIM)
        check_claim(&w, spec, "spec");
    else
        check_claim(&w, jsonval_get(spec, "spec"), "spec.spec");
    compiler_deinit(&w.compiler);
}

/* ---- fields ---- */

char *devices_field(struct json_object *object, const char *field)
{
    static const char exactly[] = ".exactly";
    const char *found = strstr(field, exactly);
    if (found == NULL || !devices_is_kind(object) || !is_flat(object))
        return mem_strdup(field);
    return mem_printf("%.*s%s", (int)(found - field), field, found + strlen(exactly));
}

bool devices_is_selector(const char *field)
{
    const size_t len = strlen(field), end = strlen(expression_end);
    return len > end && strcmp(field + len - end, expression_end) == 0 &&
           strstr(field, ".selectors[") != NULL;
}
