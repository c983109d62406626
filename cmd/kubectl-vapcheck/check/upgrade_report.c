#include "cmd/kubectl-vapcheck/check/upgrade_report.h"

#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/textblock.h"
#include "controller/apiserver/validation/fielderrors.h"
#include "controller/match/objectkind.h"

/* ORDER versiondiff_sort. */
static const struct {
    const char *json, *comes, *goes;
} sorts[] = {
    [VERSIONDIFF_REFUSED] = {"refused", "would be refused by", "no longer refused by"},
    [VERSIONDIFF_FAILS] = {"fails", "will fail on", "no longer fails on"},
    [VERSIONDIFF_UNEQUAL] = {"never-equal", "a new warning on", "no longer a warning on"},
    [VERSIONDIFF_WARNED] = {"warning", "a new warning on", "no longer a warning on"},
    [VERSIONDIFF_UNCHECKED] = {"not-checked", "not checked on", "no longer said on"},
};

/* The caller frees it. */
static char *brief(const struct versiondiff_item *item)
{
    const char *text = *item->brief == '\0' ? item->message : item->brief;
    return item->sort == VERSIONDIFF_REFUSED ? mem_strndup(text, strcspn(text, "\n")) : mem_strdup(text);
}

static enum finding_id id_of(const struct versiondiff_item *item)
{
    switch (item->sort) {
    case VERSIONDIFF_REFUSED:
        return FINDING_REFUSED;
    case VERSIONDIFF_FAILS:
    case VERSIONDIFF_UNEQUAL:
        return finding_of_issue(item->code);
    case VERSIONDIFF_WARNED:
        return FINDING_API_SERVER_WARNING;
    case VERSIONDIFF_UNCHECKED:
        break;
    }
    return FINDING_NOT_FULLY_CHECKED;
}

/* The severity of a change. A finding that goes away is no fault. */
static enum finding_severity severity_of(const struct versiondiff_change *c)
{
    const enum versiondiff_sort sort = c->item->sort;
    if (c->is_gone || sort == VERSIONDIFF_UNCHECKED)
        return FINDING_NOTE;
    return sort == VERSIONDIFF_UNEQUAL || sort == VERSIONDIFF_WARNED ? FINDING_WARNING : FINDING_ERROR;
}

/* A spelling for both versions, or what to write instead; NULL: nothing is known. The caller frees it. */
static char *remedy_of(const struct upgrade_report *r, const struct upgrade_change *c)
{
    const struct versiondiff_item *item = c->change.item;
    if (c->spelling != NULL)
        return mem_printf("works on 1.%d and on 1.%d: %s", r->from, r->to, c->spelling);
    const bool has_hint = item->sort == VERSIONDIFF_REFUSED && *item->hint != '\0' && !c->change.is_gone;
    return has_hint ? mem_strdup(item->hint) : NULL;
}

static void print_change(const struct upgrade_report *r, const struct upgrade_entry *e,
                         const struct upgrade_change *c)
{
    const struct versiondiff_item *item = c->change.item;
    const bool is_of_type = *item->type != '\0';
    cleanup_mem char *message = brief(item), *remedy = remedy_of(r, c);
    cleanup_mem char *title =
        mem_printf("%s 1.%d: %s%s%s", c->change.is_gone ? sorts[item->sort].goes : sorts[item->sort].comes,
                   r->to, message, is_of_type ? ", for " : "", item->type);
    cleanup_mem char *object =
        mem_printf("%s %s", objectkind_words[objectkind_words_of(e->object->kind)].one, e->object->name);
    (void)textblock_print(
        &(struct textblock){.severity = severity_of(&c->change),
                            .id = id_of(item),
                            .title = title,
                            .file = e->object->file,
                            .at = c->where,
                            .object = object,
                            .field = item->field,
                            .frame = c->frame,
                            .fix = remedy,
                            .why = c->change.fails_too ? "it fails there as it is stored, too" : NULL},
        &r->style, stdout);
    print_line(stdout, "%s", "");
}

static void print_partial(const struct upgrade_report *r, const struct upgrade_entry *e)
{
    (void)textblock_print(&(struct textblock){.severity = finding_pages[FINDING_LIMIT_REACHED].severity,
                                              .id = FINDING_LIMIT_REACHED,
                                              .title = "not compared completely: it is too large to be "
                                                       "checked to its end",
                                              .file = e->object->file,
                                              .at = yaml_place_at(e->object->line, 1),
                                              .object = e->object->name},
                          &r->style, stdout);
    print_line(stdout, "%s", "");
}

/* Objects by the gravest change. */
static void count_entry(const struct upgrade_entry *e, size_t counts[VERSIONDIFF_UNCHECKED + 1],
                        size_t *others)
{
    size_t gravest = VERSIONDIFF_UNCHECKED + 1;
    for (size_t i = 0; i < e->count; i++) {
        const struct versiondiff_change *c = &e->changes[i].change;
        if (!c->is_gone && c->item->sort < gravest)
            gravest = c->item->sort;
    }
    if (gravest <= VERSIONDIFF_UNCHECKED)
        counts[gravest]++;
    else
        *others += e->count > 0;
}

void upgrade_report_text(const struct upgrade_report *r)
{
    size_t counts[VERSIONDIFF_UNCHECKED + 1] = {0}, others = 0, partial = 0, same = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct upgrade_entry *e = &r->entries[i];
        for (size_t k = 0; k < e->count; k++)
            print_change(r, e, &e->changes[k]);
        if (e->is_partial)
            print_partial(r, e);
        count_entry(e, counts, &others);
        partial += e->is_partial;
        same += e->count == 0 && !e->is_partial;
    }
    print_part(stdout, "%zu object%s, from 1.%d to 1.%d: %zu would be refused, %zu will fail", r->count,
               r->count == 1 ? "" : "s", r->from, r->to, counts[VERSIONDIFF_REFUSED],
               counts[VERSIONDIFF_FAILS]);
    print_part(stdout, ", %zu with new warnings, %zu with other changes, %zu without a change",
               counts[VERSIONDIFF_UNEQUAL] + counts[VERSIONDIFF_WARNED],
               counts[VERSIONDIFF_UNCHECKED] + others, same);
    if (partial > 0)
        print_part(stdout, ", %zu not compared completely", partial);
    collect_print_end(r->inputs, &r->suppressed);
}

static void add_text(struct json_object *o, const char *key, const char *text)
{
    jsonval_set(o, key, json_object_new_string(text));
}

static struct json_object *describe_change(const struct upgrade_change *c)
{
    const struct versiondiff_item *item = c->change.item;
    struct json_object *o = json_object_new_object();
    add_text(o, "change", sorts[item->sort].json);
    jsonval_set(o, "isGone", json_object_new_boolean(c->change.is_gone));
    if (item->sort == VERSIONDIFF_REFUSED && !c->change.is_gone)
        jsonval_set(o, "failsToo", json_object_new_boolean(c->change.fails_too));
    add_text(o, "field", item->field);
    add_text(o, "message", item->message);
    if (*item->type != '\0')
        add_text(o, "type", item->type);
    jsonval_set(o, "line", json_object_new_int64((int64_t)c->where.line));
    jsonval_set(o, "column", json_object_new_int64((int64_t)c->where.column));
    if (c->spelling != NULL)
        add_text(o, "spelling", c->spelling);
    return o;
}

static struct json_object *describe_entry(const struct upgrade_entry *e)
{
    struct json_object *o = json_object_new_object(), *changes = json_object_new_array();
    add_text(o, "file", e->object->file);
    jsonval_set(o, "document", json_object_new_int64((int64_t)e->object->document));
    jsonval_set(o, "line", json_object_new_int64((int64_t)e->object->line));
    add_text(o, "apiVersion", e->object->api_version);
    add_text(o, "kind", e->object->kind);
    add_text(o, "name", e->object->name);
    for (size_t i = 0; i < e->count; i++)
        jsonval_append(changes, describe_change(&e->changes[i]));
    jsonval_set(o, "changes", changes);
    jsonval_set(o, "isComplete", json_object_new_boolean(!e->is_partial));
    return o;
}

void upgrade_report_json(const struct upgrade_report *r)
{
    struct json_object *all = json_object_new_object(), *results = json_object_new_array();
    cleanup_mem char *from = mem_printf("1.%d", r->from), *to = mem_printf("1.%d", r->to);
    for (size_t i = 0; i < r->count; i++)
        jsonval_append(results, describe_entry(&r->entries[i]));
    jsonval_set(all, "version", json_object_new_int(1));
    add_text(all, "from", from);
    add_text(all, "to", to);
    jsonval_set(all, "results", results);
    jsonval_set(all, "errors", collect_errors(r->inputs));
    if (output_is_suppressed(&r->suppressed))
        jsonval_set(all, "suppressed", output_json_suppressed(&r->suppressed));
    output_print_json(all);
}

static void free_frame(struct frame *frame)
{
    if (frame != NULL)
        frame_deinit(frame);
    mem_free(frame);
}

void upgrade_report_deinit(struct upgrade_report *r)
{
    for (size_t i = 0; i < r->count; i++) {
        for (size_t k = 0; k < r->entries[i].count; k++)
            free_frame(r->entries[i].changes[k].frame);
        mem_free(r->entries[i].changes);
    }
    mem_free(r->entries);
    *r = (struct upgrade_report){0};
}
