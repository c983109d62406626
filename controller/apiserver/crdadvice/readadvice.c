#include "controller/apiserver/crdadvice/readadvice.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crdadvice/adviceresource.h"
#include "typecheck/text.h"

enum { TRIES_MAX = 24 /* resources for one read */ };

/* Returns true if a version's rules refuse the resource by this one; missing: since it reads this key where
 * it is not. Empty: for whatever reason. */
static bool refuses(const struct advicerule *rule, const struct crdevaluation *evaluation,
                    struct json_object *resource, struct str missing)
{
    struct crd_run_result result;
    bool is_found = false;
    advicetrial_run(rule->trial, evaluation, resource, rule->reads->uses_old ? resource : NULL, &result);
    for (size_t i = 0; i < result.error_count && !is_found; i++) {
        const struct crd_run_error *e = &result.errors[i];
        const bool is_wanted = missing.len == 0 || str_eq(e->missing_key, missing);
        is_found = is_wanted && str_eq(e->rule, str_of(rule->path));
    }
    crd_run_result_deinit(&result);
    return is_found;
}

/* Returns true if the rule fails on the resource, since it has no such field. */
static bool fails(const struct advicerule *rule, struct json_object *resource, struct str field)
{
    return refuses(rule, rule->trial->evaluation, resource, field);
}

static bool is_same_step(const struct rule_step *a, const struct rule_step *b)
{
    return str_eq(a->field, b->field);
}

/* Returns true if the steps of one begin with those of the other. */
static bool begins_with(const struct rule_step *steps, size_t count, const struct rule_step *first,
                        size_t first_count)
{
    size_t i = 0;
    while (i < first_count && i < count && is_same_step(&steps[i], &first[i]))
        i++;
    return i == first_count;
}

/* A resource that has the settings of the mask, but not the field. The caller puts it. */
static struct json_object *resource_without(const struct advicerule *rule, const struct rule_read *read,
                                            uint64_t mask)
{
    struct json_object *resource =
        adviceresource_new(rule->trial->definition, advicetrial_version(rule->trial)->name, rule->place);
    struct json_object *value = adviceresource_enter(resource, rule->place), *schema = rule->place->schema;
    for (size_t i = 0; value != NULL && i < rule->reads->setting_count && i < 64; i++) {
        if ((mask >> i & 1) != 0)
            adviceresource_set(value, schema, &rule->reads->settings[i]);
    }
    struct json_object *holder =
        value == NULL ? NULL : adviceresource_enter_steps(value, &schema, read->steps, read->step_count);
    const struct str field = read->steps[read->step_count - 1].field;
    cleanup_mem char *key = mem_strndup(field.at, field.len);
    if (json_object_is_type(holder, json_type_object))
        jsonval_drop(holder, key);
    return resource;
}

/* Settings that are tried together: none, each alone, all, all but one. */
static uint64_t mask_of(size_t attempt, size_t count)
{
    const uint64_t all = count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    if (attempt == 0)
        return 0;
    if (attempt == 1)
        return all;
    attempt -= 2;
    const uint64_t one = UINT64_C(1) << (attempt / 2 % 64);
    return attempt % 2 == 0 ? one : all & ~one;
}

/* Returns a list that says of each read if its value is optional. The caller frees the list. */
static bool *find_optional(const struct advicerule *rule)
{
    bool *list = mem_array(rule->reads->count + 1, sizeof *list);
    for (size_t i = 0; i < rule->reads->count; i++) {
        const struct rule_read *read = &rule->reads->items[i];
        list[i] = adviceplace_is_optional(rule->place, read->steps, read->step_count);
    }
    return list;
}

/* Returns true if the corrected rule takes a resource on which the rule fails. If it refuses it as well, the
 * author wants the field to be there, and an error only says so in other words. */
static bool takes(const struct advicerule *rule, const struct crdevaluation *corrected,
                  struct json_object *resource)
{
    const struct crdevaluation_version *version = &corrected->versions[rule->trial->version];
    return version->run != NULL && !refuses(rule, corrected, resource, STR(""));
}

/* A resource on which the rule fails at the read, and which the corrected rule takes; corrected: empty: it
 * could not be corrected. NULL: none was found. The caller puts it. */
static struct json_object *prove(const struct advicerule *rule, const struct rule_read *read,
                                 struct str corrected)
{
    const size_t count = rule->reads->setting_count < 64 ? rule->reads->setting_count : 63;
    const struct str field = read->steps[read->step_count - 1].field;
    struct crdevaluation *evaluation = NULL;
    struct json_object *found = NULL;
    for (size_t i = 0; advicetrial_can_run(rule->trial) && i < 2 + 2 * count && i < TRIES_MAX &&
                       rule->trial->left > 0 && found == NULL;
         i++) {
        struct json_object *resource = resource_without(rule, read, mask_of(i, count));
        const bool is_failing = fails(rule, resource, field);
        if (is_failing && evaluation == NULL && corrected.len != 0)
            evaluation = advicetrial_correct(rule->trial, rule->place, rule->index, corrected);
        if (is_failing && (corrected.len == 0 || (evaluation != NULL && takes(rule, evaluation, resource))))
            found = json_object_get(resource);
        json_object_put(resource);
    }
    crdevaluation_free(evaluation);
    return found;
}

/* Returns true if the way to the field has an optional field that is reported instead. */
static bool is_behind_another(const struct advicerule *rule, const bool *optional,
                              const struct rule_read *read)
{
    for (size_t i = 0; i < rule->reads->count; i++) {
        const struct rule_read *other = &rule->reads->items[i];
        const bool is_before = other < read && other->step_count == read->step_count;
        if ((other->step_count < read->step_count || is_before) &&
            begins_with(read->steps, read->step_count, other->steps, other->step_count) && optional[i])
            return true;
    }
    return false;
}

/* corrected: the rule; empty: it could not be corrected. */
static void add_read(const struct advicerule *rule, const struct rule_read *read, struct str corrected,
                     struct json_object *resource)
{
    const struct str field = read->steps[read->step_count - 1].field;
    advicerule_add(
        rule,
        (struct advicelist_item){
            .id = FINDING_OPTIONAL_FIELD,
            .message =
                mem_printf("the field '%.*s'%s%.*s%s may be missing, and the rule then ends in an error",
                           STR_ARG(field), read->read.way.len == 0 ? "" : " of '", STR_ARG(read->read.way),
                           read->read.way.len == 0 ? "" : "'"),
            .resource = mem_strdup(adviceresource_text(resource).at),
            .hint = corrected.len == 0 ? mem_strdup("")
                                       : mem_printf("write \"%.*s\"", STR_ARG(unicode_trimmed(corrected)))},
        read->offset);
}

void readadvice_find(const struct advicerule *rule)
{
    bool *optional = find_optional(rule);
    for (size_t i = 0; i < rule->reads->count && rule->trial->left > 0; i++) {
        const struct rule_read *read = &rule->reads->items[i];
        if (!optional[i] || is_behind_another(rule, optional, read))
            continue;
        const struct str corrected = rule_reads_correct(rule->reads, rule->text, optional, i);
        struct json_object *resource = prove(rule, read, corrected);
        if (resource != NULL)
            add_read(rule, read, corrected, resource);
        json_object_put(resource);
    }
    mem_free(optional);
}
