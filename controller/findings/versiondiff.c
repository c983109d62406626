/*
 * The items of both reports are compared in both directions: what is wrong only on `to` appears, what is
 * wrong only on `from` vanishes. An item is not a difference if the other report knows it (is_known): there
 * it stands at the same place, or something worse does, by this table.
 *
 *     item        known if the other report has
 *     REFUSED     a refusal of the field
 *     FAILS       a failure at the place, or a refusal and a failure of the field
 *     UNEQUAL     a comparison or a failure at the place, or a refusal of the field
 *     others      the same message about the field
 *
 * An expression that only one version refuses, and that also fails there, is one difference: the refusal
 * (is_covered).
 */
#include "controller/findings/versiondiff.h"

#include <string.h>

#include "client/base/mem.h"

/* Copies a text to *at, and moves *at past the copy. NULL is copied as "". Returns the copy. */
static const char *put_text(char **at, const char *text)
{
    const size_t len = text == NULL ? 0 : strlen(text);
    char *copy = *at;
    if (len > 0)
        memcpy(copy, text, len);
    copy[len] = '\0';
    *at += len + 1;
    return copy;
}

static size_t text_room(const char *text)
{
    return 1 + (text == NULL ? 0 : strlen(text));
}

void versiondiff_add(struct versiondiff_report *r, const struct versiondiff_item *item)
{
    if (r->count == VERSIONDIFF_ITEMS_MAX) {
        r->is_partial = true;
        return;
    }
    r->items = mem_grow(r->items, r->count, sizeof *r->items);
    struct versiondiff_item *kept = &r->items[r->count++];
    char *at = mem_array(text_room(item->field) + text_room(item->message) + text_room(item->brief) +
                             text_room(item->hint) + text_room(item->type),
                         1);
    *kept = *item;
    kept->texts = at;
    kept->field = put_text(&at, item->field);
    kept->message = put_text(&at, item->message);
    kept->brief = put_text(&at, item->brief);
    kept->hint = put_text(&at, item->hint);
    kept->type = put_text(&at, item->type);
}

void versiondiff_add_refusal(struct versiondiff_report *r, const struct versiondiff_item *refusal,
                             const struct typecheck_issue *first)
{
    struct versiondiff_item item = *refusal;
    item.sort = VERSIONDIFF_REFUSED;
    item.detail = first == NULL ? 0 : refusal->detail;
    if (first != NULL) {
        item.brief = first->message.at;
        item.code = first->code;
        item.at = first->at;
    }
    versiondiff_add(r, &item);
}

void versiondiff_deinit(struct versiondiff_report *r)
{
    for (size_t i = 0; i < r->count; i++)
        mem_free(r->items[i].texts);
    mem_free(r->items);
    *r = (struct versiondiff_report){0};
}

/* ---- the findings of a check ---- */

/* "apps/v1 Deployment". The caller's. */
static char *describe_type(const struct types_target *t)
{
    return t == NULL ? NULL
                     : mem_printf("%s%s%s %s", t->group, t->group[0] == '\0' ? "" : "/", t->version, t->kind);
}

static void add_issue(struct versiondiff_report *r, const char *field, const struct check_warning *w,
                      const struct check_issue *issue)
{
    cleanup_mem char *type = describe_type(issue->first_type);
    versiondiff_add(r, &(struct versiondiff_item){
                           .sort = issue->is_unequal ? VERSIONDIFF_UNEQUAL : VERSIONDIFF_FAILS,
                           .field = field,
                           .message = issue->message,
                           .code = issue->code,
                           .hint = strcmp(issue->message, w->first.message) == 0 ? w->hint : NULL,
                           .type = type,
                           .at = issue->at,
                       });
}

void versiondiff_add_result(struct versiondiff_report *r, const struct policyview *policy,
                            const struct check_result *result)
{
    for (size_t i = 0; i < result->n_warnings; i++) {
        const struct check_warning *w = &result->warnings[i];
        r->is_partial = r->is_partial || w->has_more_issues;
        for (size_t k = 0; k < w->n_issues; k++) {
            if (!w->issues[k].is_claim) /* nothing fails, in either version */
                add_issue(r, policy->policy.expressions[w->expression].field_ref.at, w, &w->issues[k]);
        }
    }
    for (size_t i = 0; i < result->n_problems; i++) {
        const struct types_problem *p = &result->problems[i];
        r->is_partial = r->is_partial || p->reason == TYPES_LIMIT_REACHED;
        versiondiff_add(r, &(struct versiondiff_item){
                               .sort = VERSIONDIFF_UNCHECKED, .field = p->field, .message = p->message});
    }
    r->is_partial = r->is_partial || result->more_limits > 0;
}

/* ---- the comparison ---- */

/* Returns true if an item of the sort is about the field. */
static bool has_field(const struct versiondiff_report *r, enum versiondiff_sort sort, const char *field)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->items[i].sort == sort && strcmp(r->items[i].field, field) == 0)
            return true;
    }
    return false;
}

static bool has_place(const struct versiondiff_report *r, enum versiondiff_sort sort,
                      const struct versiondiff_item *item)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct versiondiff_item *other = &r->items[i];
        if (other->sort == sort && other->at.offset == item->at.offset &&
            strcmp(other->field, item->field) == 0)
            return true;
    }
    return false;
}

static bool has_message(const struct versiondiff_report *r, const struct versiondiff_item *item)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct versiondiff_item *other = &r->items[i];
        if (other->sort == item->sort && strcmp(other->field, item->field) == 0 &&
            strcmp(other->message, item->message) == 0)
            return true;
    }
    return false;
}

/* Returns true if the expression is refused and fails, too. Such an expression works nowhere, so that a
 * failure at one more place is not a difference. */
static bool is_broken(const struct versiondiff_report *r, const char *field)
{
    return has_field(r, VERSIONDIFF_REFUSED, field) && has_field(r, VERSIONDIFF_FAILS, field);
}

/* Returns true if what the item says is known of the other version as well, as this or as something
 * graver. */
static bool is_known(const struct versiondiff_report *other, const struct versiondiff_item *item)
{
    switch (item->sort) {
    case VERSIONDIFF_REFUSED:
        return has_field(other, VERSIONDIFF_REFUSED, item->field);
    case VERSIONDIFF_FAILS:
        return has_place(other, VERSIONDIFF_FAILS, item) || is_broken(other, item->field);
    case VERSIONDIFF_UNEQUAL:
        return has_place(other, VERSIONDIFF_UNEQUAL, item) || has_place(other, VERSIONDIFF_FAILS, item) ||
               has_field(other, VERSIONDIFF_REFUSED, item->field);
    case VERSIONDIFF_WARNED:
    case VERSIONDIFF_UNCHECKED:
        break;
    }
    return has_message(other, item);
}

/* Returns true if the item says less than what is reported of its field: that the version newly refuses the
 * expression. Such an expression is not reported a second time as failing. */
static bool is_covered(const struct versiondiff_report *own, const struct versiondiff_report *other,
                       const struct versiondiff_item *item)
{
    return (item->sort == VERSIONDIFF_FAILS || item->sort == VERSIONDIFF_UNEQUAL) &&
           has_field(own, VERSIONDIFF_REFUSED, item->field) &&
           !has_field(other, VERSIONDIFF_REFUSED, item->field);
}

/* Returns true if the expression fails in a place where it does not on the other version. */
static bool fails_newly(const struct versiondiff_report *own, const struct versiondiff_report *other,
                        const char *field)
{
    for (size_t i = 0; i < own->count; i++) {
        const struct versiondiff_item *item = &own->items[i];
        if (item->sort == VERSIONDIFF_FAILS && strcmp(item->field, field) == 0 && !is_known(other, item))
            return true;
    }
    return false;
}

static void add_changes(struct versiondiff_change *list, size_t *count, const struct versiondiff_report *own,
                        const struct versiondiff_report *other, bool is_gone)
{
    for (size_t i = 0; i < own->count && !other->is_partial; i++) {
        const struct versiondiff_item *item = &own->items[i];
        if (is_known(other, item) || is_covered(own, other, item))
            continue;
        list[(*count)++] = (struct versiondiff_change){
            .is_gone = is_gone,
            .fails_too =
                !is_gone && item->sort == VERSIONDIFF_REFUSED && fails_newly(own, other, item->field),
            .item = item,
        };
    }
}

struct versiondiff_change *versiondiff_compare(const struct versiondiff_report *from,
                                               const struct versiondiff_report *to, size_t *count)
{
    struct versiondiff_change *list = mem_array(from->count + to->count + 1, sizeof *list);
    *count = 0;
    add_changes(list, count, to, from, false);
    add_changes(list, count, from, to, true);
    return list;
}

bool versiondiff_breaks(const struct versiondiff_change *change)
{
    return !change->is_gone &&
           (change->item->sort == VERSIONDIFF_REFUSED || change->item->sort == VERSIONDIFF_FAILS);
}
