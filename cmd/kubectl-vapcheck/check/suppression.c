#include "cmd/kubectl-vapcheck/check/suppression.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "cmd/kubectl-vapcheck/output/caret.h"
#include "cmd/kubectl-vapcheck/output/finding_subject.h"
#include "controller/findings/suppress.h"

enum { NAMES_CAP_BYTES = 4096 };

void suppression_init(struct suppression *s, const struct options *options, struct comments *comments,
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

/* Returns true if --select leaves the finding. It never hides findings that say that an object was not
 * checked. */
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
    /* the comments come first: whether one suppresses anything does not depend on the flags */
    return comments_ignore(s->comments, id, at, output_find_node(s->place, field)) ||
           finding_set_has(s->options->ignored, id) || !is_selected(s, id);
}

static bool is_unselected_advice(const struct suppression *s, enum finding_id id)
{
    return finding_pages[id].severity == FINDING_ADVICE && !is_selected(s, id);
}

/* Returns true if a baseline may hold it. Notes and advice make no check fail. A repository with one object
 * that is refused must be able to begin, too. */
static bool may_be_in_baseline(enum finding_id id)
{
    const enum finding_severity severity = finding_pages[id].severity;
    return (id == FINDING_REFUSED || !finding_is_always_reported(id)) &&
           (severity == FINDING_ERROR || severity == FINDING_WARNING);
}

static bool is_in_baseline(const struct suppression *s, enum finding_id id, const char *field,
                           const char *subject, const char *message)
{
    if (s->options->baseline == NULL || s->is_written || !may_be_in_baseline(id))
        return false;
    cleanup_mem char *line = mem_strndup(message, strcspn(message, "\n"));
    const struct output_entry entry = {finding_pages[id].id, s->object, field, subject, line};
    return baseline_takes(s->options->baseline, &entry);
}

/* Counts it. */
static bool drops(struct suppression *s, enum finding_id id, const char *field, struct yaml_place at,
                  const char *subject, const char *message)
{
    if (is_unselected_advice(s, id))
        return true;
    if (!is_suppressed(s, id, field, at) && !is_in_baseline(s, id, field, subject, message))
        return false;
    cleanup_mem char *key =
        mem_printf("%s\n%s\n%u:%u\n%s", finding_pages[id].id, field, at.line, at.column, subject);
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
    const struct yaml_place at = caret_of_warning(s->place, field, &issue->at).at;
    cleanup_mem char *subject =
        finding_subject_of_issue(issue, s->policy->policy.expressions[expression].text);
    return !suppression_is_refused(s->refusals, field) &&
           drops(s, finding_of_issue(issue->code), field, at, subject, issue->message);
}

struct check_filter suppression_filter(struct suppression *s, const struct policyview *policy,
                                       const struct fielderrors *refusals)
{
    s->policy = policy;
    s->refusals = refusals;
    return (struct check_filter){ignores, s};
}

/* The identifiers that the comment names and that suppress nothing, although they were looked for. The caller
 * frees the text; NULL: all are used. */
static char *list_unused(const struct suppression *s, const struct comment *c)
{
    struct buf names;
    buf_init(&names, NAMES_CAP_BYTES);
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const enum finding_id id = (enum finding_id)i;
        if (finding_set_has(c->ignored, id) && !finding_set_has(c->used, id) &&
            finding_set_has(s->options->selected, id) && id != FINDING_UNUSED_IGNORE)
            buf_printf(&names, "%s%s", names.len == 0 ? "" : ", ", finding_pages[i].id);
    }
    if (names.len > 0)
        return buf_take(&names, NULL);
    buf_deinit(&names);
    return NULL;
}

/* If an object is refused, or was not checked to the end, it is not known what a comment suppresses. */
static void add_unused(const struct suppression *s, struct found *found, size_t from, size_t to)
{
    if (s->options->types.scope != TYPES_FULL || found->has_refusals || found_is_unchecked(found) ||
        !finding_set_has(s->options->selected, FINDING_UNUSED_IGNORE) ||
        finding_set_has(s->options->ignored, FINDING_UNUSED_IGNORE) ||
        finding_set_has(s->ignored, FINDING_UNUSED_IGNORE))
        return;
    for (size_t i = 0; i < s->comments->count; i++) {
        struct comment *c = &s->comments->items[i];
        if (c->problem != NULL || c->line < from || c->line >= to)
            continue;
        cleanup_mem char *names = list_unused(s, c);
        cleanup_mem char *text =
            mem_printf("the comment suppresses nothing: line %zu has no finding %s", c->line, names);
        if (names != NULL)
            found_add(found, s->place,
                      &(struct output_extra){.id = FINDING_UNUSED_IGNORE, .text = text, .at = c->at});
    }
}

void suppression_apply(struct suppression *s, struct found *found, size_t from, size_t to)
{
    for (size_t i = 0; i < found->count;) {
        const struct found_item *item = &found->items[i];
        if (drops(s, item->id, item->field, item->at, item->subject, item->text))
            found_remove(found, i);
        else
            i++;
    }
    add_unused(s, found, from, to);
}
