#include "cmd/kubectl-vapcheck/check/suppression.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "controller/check/suppress.h"

void suppression_init(struct suppression *s, const struct options *options, const struct comments *comments,
                      const struct output_place *place)
{
    *s = (struct suppression){.options = options, .comments = comments, .place = place};
    s->ignored = suppress_ignored(place->root->json, &s->err);
    s->object = mem_printf("%s/%s", jsonval_string_or_empty(place->root->json, "kind"),
                           output_name(place->root->json));
    if (options->baseline != NULL)
        baseline_expect(options->baseline, s->object);
}

void suppression_deinit(struct suppression *s)
{
    keymap_deinit(&s->known, NULL);
    mem_free(s->object);
}

bool suppression_is_active(const struct suppression *s)
{
    return s->options->baseline != NULL || s->options->has_selected || s->options->ignored.bits != 0 ||
           s->comments->count > 0;
}

/* What says that an object was not checked is no finding that somebody selects. */
static bool is_selected(const struct suppression *s, enum finding_id id)
{
    return finding_set_has(s->options->selected, id) || finding_is_always_reported(id) ||
           id == FINDING_NOT_FULLY_CHECKED || id == FINDING_NOTHING_CHECKED;
}

static bool is_suppressed(const struct suppression *s, enum finding_id id, const char *field,
                          struct yaml_place at)
{
    if (finding_is_always_reported(id))
        return false;
    if (finding_set_has(s->ignored, id))
        return true;
    if (s->is_written)
        return false;
    return finding_set_has(s->options->ignored, id) || !is_selected(s, id) ||
           comments_ignore(s->comments, id, at, output_find_node(s->place, field));
}

static bool is_unselected_advice(const struct suppression *s, enum finding_id id)
{
    return finding_pages[id].severity == FINDING_ADVICE && !is_selected(s, id);
}

/* Notes make no check fail: they are not part of one. */
static bool is_in_baseline(const struct suppression *s, enum finding_id id, const char *field,
                           const char *message)
{
    if (s->options->baseline == NULL || s->is_written || finding_is_always_reported(id) ||
        finding_pages[id].severity == FINDING_NOTE)
        return false;
    cleanup_mem char *line = mem_strndup(message, strcspn(message, "\n"));
    return baseline_takes(s->options->baseline,
                          &(struct output_entry){finding_pages[id].id, s->object, field, line});
}

/* Counts it. */
static bool drops(struct suppression *s, enum finding_id id, const char *field, struct yaml_place at,
                  const char *message)
{
    if (is_unselected_advice(s, id))
        return true;
    if (!is_suppressed(s, id, field, at) && !is_in_baseline(s, id, field, message))
        return false;
    cleanup_mem char *key =
        mem_printf("%s\n%s\n%u:%u\n%s", finding_pages[id].id, field, at.line, at.column, message);
    s->count += keymap_put(&s->known, key, s) == NULL;
    return true;
}

bool suppression_is_refused(const struct fielderrors *refusals, const char *field)
{
    for (size_t i = 0; i < refusals->count; i++) {
        if (strcmp(refusals->items[i].field, field) == 0)
            return true;
    }
    return false;
}

static bool ignores(void *user, size_t expression, const struct check_issue *issue)
{
    struct suppression *s = user;
    if (!s->is_written && s->others != NULL && otherversions_has(s->others, expression, issue))
        return true;
    const char *field = s->policy->policy.expressions[expression].field_ref.at;
    const struct yaml_node *node = output_find_node(s->place, field);
    struct yaml_place at = output_where(s->place, field);
    if (node != NULL && issue->line > 0 && issue->column > 0)
        at = yaml_place_in(node, (size_t)issue->line, (size_t)issue->column);
    return !suppression_is_refused(s->refusals, field) &&
           drops(s, finding_of_issue(issue->code), field, at, issue->message);
}

struct check_filter suppression_filter(struct suppression *s, const struct policyview *policy,
                                       const struct fielderrors *refusals)
{
    s->policy = policy;
    s->refusals = refusals;
    return (struct check_filter){ignores, s};
}

void suppression_apply(struct suppression *s, struct found *found)
{
    for (size_t i = 0; i < found->count;) {
        const struct found_item *item = &found->items[i];
        if (drops(s, item->id, item->field, item->at, item->text))
            found_remove(found, i);
        else
            i++;
    }
}
