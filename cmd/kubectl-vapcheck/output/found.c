#include "cmd/kubectl-vapcheck/output/found.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/output/caret.h"

static bool ends_line(const char *text, size_t len)
{
    return len > 0 && text[len - 1] == '\n';
}

static struct found_item *add(struct found *f, enum finding_id id, const char *field, struct yaml_place at)
{
    f->items = mem_grow(f->items, f->count, sizeof *f->items);
    struct found_item *item = &f->items[f->count++];
    *item = (struct found_item){
        .id = id, .severity = finding_pages[id].severity, .field = field == NULL ? "" : field, .at = at};
    return item;
}

/* What is said in one line, at the object or at one of its fields. */
static void add_line(struct found *f, const struct output_place *place, enum finding_id id, const char *field,
                     const char *text)
{
    struct found_item *item =
        add(f, id, field, field == NULL ? place->root->start : output_where(place, field));
    item->headline = mem_strdup(id == FINDING_LIMIT_REACHED       ? "limit reached"
                                : id == FINDING_NOT_FULLY_CHECKED ? "not fully checked"
                                                                  : finding_severity_name(item->severity));
    item->text = mem_strdup(text);
    item->hint = mem_strdup("");
}

/* A text for readers, in which a NUL is visible ("\x00"). */
static char *readable(const char *text, size_t len, const char *end)
{
    struct buf b;
    buf_init(&b, 4 * len + 2);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\0')
            buf_puts(&b, "\\x00");
        else
            buf_putc(&b, text[i]);
    }
    buf_puts(&b, end);
    return buf_take(&b, NULL);
}

static bool has_issue(const struct fielderror *refusal, const char *message)
{
    for (size_t i = 0; i < refusal->n_issues; i++) {
        if (strcmp(refusal->issues[i].message.at, message) == 0)
            return true;
    }
    return false;
}

/* The hint of the warning that is not said beside the refusal of its expression; "" for none. */
static const char *hint_of_warning(const struct output_finding *finding, const struct fielderror *refusal)
{
    for (size_t i = 0; i < finding->n_warnings; i++) {
        const struct output_warning *w = &finding->warnings[i];
        if (strcmp(w->field, refusal->field) == 0 && w->first != NULL && has_issue(refusal, w->first))
            return w->hint;
    }
    return "";
}

static void add_refusals(struct found *f, const struct output_place *place,
                         const struct output_finding *finding)
{
    for (size_t i = 0; i < finding->refusals->count; i++) {
        const struct fielderror *e = &finding->refusals->items[i];
        struct found_item *item = add(f, FINDING_REFUSED, e->field, caret_of_error(place, e));
        item->headline = mem_printf("refused: %s", e->field);
        item->text = readable(e->message, e->len, ends_line(e->message, e->len) ? "" : "\n");
        item->hint = mem_strdup(finding->hints[i] != NULL ? finding->hints[i] : hint_of_warning(finding, e));
    }
}

/* An expression that the server does not even compile is not reported again for each type. */
static void add_warnings(struct found *f, const struct output_place *place,
                         const struct output_finding *finding)
{
    struct keymap refused = {0};
    for (size_t i = 0; i < finding->refusals->count; i++)
        keymap_add(&refused, finding->refusals->items[i].field);
    for (size_t i = 0; i < finding->n_warnings; i++) {
        const struct output_warning *w = &finding->warnings[i];
        if (keymap_get(&refused, w->field) != NULL)
            continue;
        char *text = readable(w->text, w->len, "");
        struct found_item *item =
            add(f, w->id, w->field, caret_of_warning(place, w->field, w->line, w->column));
        /* not all that upstream warns of fails */
        if ((finding->is_upstream || w->is_claim) && item->severity == FINDING_ERROR)
            item->severity = FINDING_WARNING;
        item->headline =
            mem_printf("%s%s", w->source == OUTPUT_API_SERVER ? "the API server warns: " : "", w->field);
        item->text = text;
        item->hint = mem_strdup(w->hint);
        item->witnesses = w->witnesses;
        item->n_witnesses = w->n_witnesses;
    }
    keymap_deinit(&refused, NULL);
}

/* What is no fault of an expression: whether policy, parameters and binding find each other. */
static void add_conditions(struct found *f, const struct output_place *place,
                           const struct output_finding *finding)
{
    const struct condition *param_kind = conditions_find(finding->conditions, CONDITIONS_PARAM_KIND);
    const struct condition *bound = conditions_find(finding->conditions, CONDITIONS_BOUND);
    const struct condition *policy = conditions_find(finding->conditions, OUTPUT_POLICY_FOUND);
    if (param_kind != NULL && strcmp(param_kind->status, "False") == 0)
        add_line(f, place, FINDING_PARAM_KIND_NOT_SERVED, "spec.paramKind.kind", param_kind->message);
    if (bound != NULL && strcmp(bound->status, "False") == 0)
        add_line(f, place, FINDING_POLICY_NOT_BOUND, NULL, bound->message);
    if (policy != NULL && strcmp(policy->status, "True") != 0)
        add_line(f, place,
                 strcmp(policy->status, "False") == 0 ? FINDING_BINDING_WITHOUT_POLICY
                                                      : FINDING_POLICY_NOT_AMONG_FILES,
                 "spec.policyName", policy->message);
}

static void add_problems(struct found *f, const struct output_place *place,
                         const struct output_finding *finding)
{
    const struct check_result *r = finding->result;
    const struct condition *rules = conditions_find(finding->conditions, CONDITIONS_RULES_CHECKED);
    for (size_t i = 0; r != NULL && i < r->n_problems; i++) {
        const struct types_problem *p = &r->problems[i];
        add_line(f, place, finding_of_problem(p), p->field, p->message);
    }
    if (r != NULL && r->more_limits > 0)
        add_line(f, place, FINDING_LIMIT_REACHED, NULL,
                 "more expressions and types were not checked to the end, for the same reason");
    if (rules != NULL && strcmp(rules->status, "True") != 0)
        add_line(f, place, FINDING_LIMIT_REACHED, NULL, rules->message);
    if (finding->refusals->is_limited)
        add_line(f, place, FINDING_LIMIT_REACHED, NULL,
                 "the search for what the API server would refuse was not finished: it takes too much work "
                 "or memory");
}

void found_init(struct found *found, const struct output_place *place, const struct output_finding *finding)
{
    *found = (struct found){0};
    add_refusals(found, place, finding);
    add_warnings(found, place, finding);
    add_conditions(found, place, finding);
    for (size_t i = 0; finding->notes != NULL && i < finding->notes->count; i++)
        add_line(found, place, finding->note_id, finding->notes->items[i].field,
                 finding->notes->items[i].message);
    for (size_t i = 0; i < finding->n_extras; i++) {
        const struct output_extra *extra = &finding->extras[i];
        add_line(found, place, extra->id, extra->field, extra->text);
        struct found_item *item = &found->items[found->count - 1];
        if (extra->at.line != 0)
            item->at = extra->at;
        if (extra->is_note) {
            mem_free(item->headline);
            item->severity = FINDING_NOTE;
            item->headline = mem_strdup(finding_severity_name(FINDING_NOTE));
        }
    }
    add_problems(found, place, finding);
}

static void free_item(struct found_item *item)
{
    mem_free(item->headline);
    mem_free(item->text);
    mem_free(item->hint);
}

void found_deinit(struct found *found)
{
    for (size_t i = 0; i < found->count; i++)
        free_item(&found->items[i]);
    mem_free(found->items);
}

void found_remove(struct found *found, size_t index)
{
    found->was_unchecked = found->was_unchecked || found->items[index].id == FINDING_NOT_FULLY_CHECKED;
    free_item(&found->items[index]);
    found->count--;
    memmove(&found->items[index], &found->items[index + 1], (found->count - index) * sizeof *found->items);
}

char *found_tag(const struct found_item *item)
{
    const bool is_said = item->id == FINDING_REFUSED || item->id == FINDING_LIMIT_REACHED ||
                         item->id == FINDING_NOT_FULLY_CHECKED;
    return is_said ? mem_strdup("") : mem_printf(" [%s]", finding_pages[item->id].id);
}

bool found_is_line(const struct found_item *item)
{
    return !ends_line(item->text, strlen(item->text));
}

size_t found_count(const struct found *found, enum finding_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += found->items[i].severity == severity;
    return count;
}

bool found_has_fault(const struct found *found)
{
    return found_count(found, FINDING_ERROR) + found_count(found, FINDING_WARNING) > 0;
}

bool found_has_fault_besides(const struct found *found, enum finding_id id)
{
    for (size_t i = 0; i < found->count; i++) {
        const enum finding_severity severity = found->items[i].severity;
        if ((severity == FINDING_ERROR || severity == FINDING_WARNING) && found->items[i].id != id)
            return true;
    }
    return false;
}

bool found_is_unchecked(const struct found *found)
{
    return found->was_unchecked || found_has(found, FINDING_LIMIT_REACHED) ||
           found_has(found, FINDING_NOT_FULLY_CHECKED);
}

bool found_has(const struct found *found, enum finding_id id)
{
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].id == id)
            return true;
    }
    return false;
}
