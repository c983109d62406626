#include "controller/status/status.h"

#include <string.h>

#include "bytes/hash.h"
#include "bytes/utf8.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/status/ownership.h"

#define WARNINGS_PATH   "f:status/f:typeChecking/f:expressionWarnings"
#define GENERATION_PATH "f:status/f:observedGeneration"

/* ends a warning whose text was cut */
static const char cut_mark[] = "...\n";

/* One condition as it is to be applied. */
struct target {
    const struct condition *condition;
    const char *last_transition;
};

struct job {
    const struct status_wanted *wanted;
    struct status_plan *plan;
    struct json_object *observed; /* the status; may be NULL */
    struct ownership owned;
    struct target targets[CONDITIONS_MAX];
    size_t n_targets;
    size_t *text_lens; /* the length of each warning, as cut; a warning that is cut gets cut_mark */
};

/* Warnings */

static bool is_cut(const struct job *j, size_t i)
{
    return j->text_lens[i] < j->wanted->result->warnings[i].len;
}

/* Each warning keeps its text until the cap is used up; the warnings after that keep
 * LEAST_BYTES, about one line, so that every bad expression is still named. */
static void cut_texts(struct job *j)
{
    enum { LEAST_BYTES = 200 };
    const struct check_result *r = j->wanted->result;
    size_t left = j->wanted->text_cap_bytes;
    j->text_lens = mem_array(r->n_warnings, sizeof *j->text_lens);
    for (size_t i = 0; i < r->n_warnings; i++) {
        size_t len = r->warnings[i].len;
        if (j->wanted->text_cap_bytes > 0 && len > left)
            len = utf8_cut(r->warnings[i].text, len, left > LEAST_BYTES ? left : LEAST_BYTES);
        j->text_lens[i] = len;
        j->plan->text_bytes += len;
        left -= len < left ? len : left;
    }
}

static size_t mark_len(const struct job *j, size_t i)
{
    return is_cut(j, i) ? sizeof cut_mark - 1 : 0;
}

/* The text as it is written, cut. The caller frees it. */
static char *text_of(const struct job *j, size_t i, size_t *len)
{
    const size_t kept = j->text_lens[i], mark = mark_len(j, i);
    char *text = mem_array(kept + mark + 1, sizeof *text);
    memcpy(text, j->wanted->result->warnings[i].text, kept);
    memcpy(text + kept, cut_mark, mark);
    *len = kept + mark;
    return text;
}

/* Returns true if the observed text is that of warning i. */
static bool text_equal(const struct job *j, size_t i, struct json_object *observed)
{
    const size_t kept = j->text_lens[i], mark = mark_len(j, i);
    const char *bytes = jsonval_text(observed);
    return bytes != NULL && (size_t)json_object_get_string_len(observed) == kept + mark &&
           memcmp(bytes, j->wanted->result->warnings[i].text, kept) == 0 &&
           memcmp(bytes + kept, cut_mark, mark) == 0;
}

static bool warnings_equal(const struct job *j)
{
    const struct check_result *r = j->wanted->result;
    struct json_object *array = jsonval_array(jsonval_get(j->observed, "typeChecking"), "expressionWarnings");
    if (jsonval_length(array) != r->n_warnings)
        return false;
    for (size_t i = 0; i < r->n_warnings; i++) {
        struct json_object *entry = jsonval_at(array, i);
        const char *field = j->wanted->policy->policy.expressions[r->warnings[i].expression].field_ref.at;
        if (strcmp(jsonval_string_or_empty(entry, "fieldRef"), field) != 0 ||
            !text_equal(j, i, jsonval_get(entry, "warning")))
            return false;
    }
    return true;
}

static void put_warnings(const struct job *j, struct buf *b)
{
    const struct check_result *r = j->wanted->result;
    buf_puts(b, "\"typeChecking\":{\"expressionWarnings\":[");
    for (size_t i = 0; i < r->n_warnings; i++) {
        const char *field = j->wanted->policy->policy.expressions[r->warnings[i].expression].field_ref.at;
        size_t len;
        cleanup_mem char *text = text_of(j, i, &len);
        buf_puts(b, i == 0 ? "{\"fieldRef\":" : ",{\"fieldRef\":");
        buf_put_json(b, field, strlen(field));
        buf_puts(b, ",\"warning\":");
        buf_put_json(b, text, len);
        buf_putc(b, '}');
    }
    buf_puts(b, "]}");
}

/* Conditions */

static struct json_object *find_observed(const struct job *j, const char *type)
{
    struct json_object *array = jsonval_array(j->observed, "conditions");
    for (size_t i = 0; i < jsonval_length(array); i++) {
        struct json_object *condition = jsonval_at(array, i);
        if (strcmp(jsonval_string_or_empty(condition, "type"), type) == 0)
            return condition;
    }
    return NULL;
}

static bool member_equal(struct json_object *observed, const char *member, const char *text)
{
    return strcmp(jsonval_string_or_empty(observed, member), text) == 0;
}

static bool value_equal(struct json_object *observed, const struct condition *c)
{
    return member_equal(observed, "status", c->status) && member_equal(observed, "reason", c->reason) &&
           member_equal(observed, "message", c->message);
}

static char *condition_path(const char *type, const char *member)
{
    return mem_printf("f:status/f:conditions/k:{\"type\":\"%s\"}/%s", type, member);
}

/*
 * Returns true if another manager holds this condition with another value. One that applied it did so on
 * purpose; one that updated it holds it only where we do not own the item: else it overwrote ours, which is
 * written again.
 */
static bool is_left(struct job *j, struct json_object *observed, const struct condition *c)
{
    static const char *const members[] = {"status", "reason", "message"};
    if (observed == NULL || value_equal(observed, c))
        return false;
    cleanup_mem char *item = condition_path(c->type, ".");
    bool is_ours = ownership_has(&j->owned, item);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        cleanup_mem char *field = mem_printf("f:%s", members[i]);
        cleanup_mem char *path = condition_path(c->type, field);
        const char *holder = NULL;
        enum ownership_hold hold = ownership_others(j->wanted->policy->json, STATUS_MANAGER, path, &holder);
        if (hold == OWNERSHIP_APPLIED || (hold == OWNERSHIP_UPDATED && !is_ours)) {
            j->plan->left_to = holder;
            j->plan->left_type = c->type;
            return true;
        }
    }
    return false;
}

static void want_condition_fields(struct ownership *desired, const char *type)
{
    static const char *const members[] = {
        ".", "f:lastTransitionTime", "f:message", "f:observedGeneration", "f:reason", "f:status", "f:type",
    };
    cleanup_mem char *item = condition_path(type, "");
    cleanup_buf struct buf path;
    buf_init(&path, STATUS_BODY_CAP_BYTES);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        buf_reset(&path);
        buf_puts(&path, item);
        buf_puts(&path, members[i]);
        ownership_add(desired, path.data);
    }
}

/* Returns true if we hold what we would hold after writing, and nothing else. */
static bool owns_exactly(const struct job *j)
{
    struct ownership desired = {0};
    for (size_t i = 0; i < j->n_targets; i++)
        want_condition_fields(&desired, j->targets[i].condition->type);
    /* an empty list is a field by itself */
    if (j->n_targets == 0)
        ownership_add(&desired, "f:status/f:conditions");
    if (!j->wanted->is_conditions_only) {
        ownership_add(&desired, GENERATION_PATH);
        ownership_add(&desired, WARNINGS_PATH);
    }
    ownership_sort(&desired);
    const bool is_exact = ownership_equal(&j->owned, &desired);
    ownership_deinit(&desired);
    return is_exact;
}

static void choose_conditions(struct job *j)
{
    const struct conditions *all = j->wanted->conditions;
    for (size_t i = 0; i < all->count; i++) {
        const struct condition *c = &all->items[i];
        struct json_object *observed = find_observed(j, c->type);
        const char *time = jsonval_string(observed, "lastTransitionTime");
        if (is_left(j, observed, c))
            continue;
        bool is_kept = time != NULL && member_equal(observed, "status", c->status);
        j->targets[j->n_targets++] = (struct target){c, is_kept ? time : j->wanted->now};
    }
}

static bool conditions_equal(const struct job *j)
{
    for (size_t i = 0; i < j->n_targets; i++) {
        const struct target *t = &j->targets[i];
        struct json_object *observed = find_observed(j, t->condition->type);
        if (!value_equal(observed, t->condition) ||
            jsonval_int(observed, "observedGeneration", -1) != j->wanted->policy->generation ||
            !member_equal(observed, "lastTransitionTime", t->last_transition))
            return false;
    }
    return true;
}

static void put_member(struct buf *b, const char *name, const char *text)
{
    buf_putc(b, '"');
    buf_puts(b, name);
    buf_puts(b, "\":");
    buf_put_json(b, text, strlen(text));
    buf_putc(b, ',');
}

static void put_generation(const struct job *j, struct buf *b, char behind)
{
    buf_puts(b, "\"observedGeneration\":");
    buf_put_number(b, j->wanted->policy->generation);
    buf_putc(b, behind);
}

/* Adds what was put since `from` to the digest. */
static void digest_from(struct job *j, const struct buf *b, size_t from)
{
    enum { ODD = 31 };
    j->plan->digest = j->plan->digest * ODD + hash_text(b->data + from, b->len - from);
}

/* The status was put since `from`. All but the times becomes part of the digest. */
static void put_conditions(struct job *j, struct buf *b, size_t from)
{
    buf_puts(b, "\"conditions\":[");
    for (size_t i = 0; i < j->n_targets; i++) {
        const struct target *t = &j->targets[i];
        buf_puts(b, i == 0 ? "{" : ",{");
        put_member(b, "type", t->condition->type);
        put_member(b, "status", t->condition->status);
        put_member(b, "reason", t->condition->reason);
        put_member(b, "message", t->condition->message);
        digest_from(j, b, from);
        put_member(b, "lastTransitionTime", t->last_transition);
        from = b->len;
        put_generation(j, b, '}');
    }
    buf_putc(b, ']');
    digest_from(j, b, from);
}

/* The whole */

static void put_status(struct job *j, struct buf *b)
{
    const size_t from = b->len;
    buf_putc(b, '{');
    if (!j->wanted->is_conditions_only) {
        put_generation(j, b, ',');
        put_warnings(j, b);
        buf_putc(b, ',');
    }
    put_conditions(j, b, from);
    buf_putc(b, '}');
}

static void put_body(struct job *j, struct buf *b)
{
    const struct policyview *p = j->wanted->policy;
    const char *api_version = jsonval_string(p->json, "apiVersion");
    buf_putc(b, '{');
    put_member(b, "apiVersion", api_version != NULL ? api_version : "admissionregistration.k8s.io/v1");
    buf_puts(b, "\"kind\":\"ValidatingAdmissionPolicy\",\"metadata\":{");
    put_member(b, "name", p->name);
    put_member(b, "uid", p->uid);
    buf_puts(b, "\"resourceVersion\":");
    buf_put_json(b, p->resource_version, strlen(p->resource_version));
    buf_putc(b, '}');
    if (j->wanted->conditions != NULL) {
        buf_puts(b, ",\"status\":");
        put_status(j, b);
    }
    buf_putc(b, '}');
}

static void plan_release(struct job *j)
{
    j->plan->is_needed = j->owned.count > 0;
}

static void plan_status(struct job *j)
{
    const struct status_wanted *w = j->wanted;
    cut_texts(j);
    choose_conditions(j);
    const bool are_warnings_equal =
        w->is_conditions_only ||
        (jsonval_int(j->observed, "observedGeneration", -1) == w->policy->generation && warnings_equal(j));
    j->plan->is_needed = !(are_warnings_equal && conditions_equal(j) && owns_exactly(j));
}

void status_plan_init(struct status_plan *plan, const struct status_wanted *wanted)
{
    struct job j = {.wanted = wanted, .plan = plan};
    *plan = (struct status_plan){0};
    buf_init(&plan->body, STATUS_BODY_CAP_BYTES);
    j.observed = jsonval_get(wanted->policy->json, "status");
    ownership_read(&j.owned, wanted->policy->json, STATUS_MANAGER, "status");
    if (wanted->conditions == NULL)
        plan_release(&j);
    else
        plan_status(&j);
    if (plan->is_needed)
        put_body(&j, &plan->body);
    ownership_deinit(&j.owned);
    mem_free(j.text_lens);
}

void status_plan_deinit(struct status_plan *plan)
{
    buf_deinit(&plan->body);
}
