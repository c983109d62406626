#include "cmd/kubectl-vapcheck/lsp/actions.h"

#include <stdint.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/lsp/range.h"
#include "cmd/kubectl-vapcheck/output/found.h"

/* Longer titles are cut by editors. */
enum { TITLE_MAX_BYTES = 200 };

/* ---- edits ---- */

static void add_edit(struct json_object *list, const struct actions_text *document, size_t from, size_t to,
                     const char *text, enum textlines_unit unit)
{
    struct json_object *edit = json_object_new_object();
    jsonval_set(edit, "range", range_json(document->text, from, to, unit));
    jsonval_set(edit, "newText", json_object_new_string(text));
    jsonval_append(list, edit);
}

/* Takes the edits. */
static struct json_object *make_action(const struct actions_text *document, const char *title,
                                       struct json_object *edits, struct json_object *diagnostic)
{
    struct json_object *action = json_object_new_object(), *changes = json_object_new_object(),
                       *edit = json_object_new_object(), *about = json_object_new_array();
    cleanup_mem char *shown = plain_line(title);
    jsonval_set(action, "title", json_object_new_string(shown));
    jsonval_set(action, "kind", json_object_new_string("quickfix"));
    jsonval_append(about, json_object_get(diagnostic));
    jsonval_set(action, "diagnostics", about);
    jsonval_set(changes, document->uri, edits);
    jsonval_set(edit, "changes", changes);
    jsonval_set(action, "edit", edit);
    return action;
}

static void add(struct actions *actions, size_t from, size_t to, struct json_object *take_json)
{
    actions->items = mem_grow(actions->items, actions->count, sizeof *actions->items);
    actions->items[actions->count++] = (struct actions_item){from, to, take_json};
}

/* ---- the correction ---- */

static void add_fix(struct actions *actions, const struct actions_text *document,
                    const struct found_item *item, const struct output_fix *fix, size_t from, size_t to,
                    struct json_object *diagnostic, enum textlines_unit unit)
{
    const bool is_proved = fix == item->fix;
    struct json_object *edits = json_object_new_array();
    cleanup_mem char *title =
        mem_printf("%s: %.*s", is_proved ? "Fix" : "Change", TITLE_MAX_BYTES, item->hint);
    for (size_t i = 0; i < fix->n_edits; i++) {
        const struct yaml_edit *edit = &fix->edits[i];
        const size_t start = range_offset(document->text, edit->at),
                     end = range_offset(document->text, edit->end);
        add_edit(edits, document, start, end, edit->text, unit);
        from = start < from ? start : from;
        to = end > to ? end : to;
    }
    struct json_object *action = make_action(document, title, edits, diagnostic);
    jsonval_set(action, "isPreferred", json_object_new_boolean(is_proved));
    add(actions, from, to, action);
}

/* ---- the comment ---- */

/* Finds the start of the line in which the field's value begins, and its indentation; false if no comment can
 * stand above it, because it is JSON or within a text. */
static bool find_line(const struct output_place *place, const struct found_item *item,
                      struct yaml_place *line, size_t *indent)
{
    const struct yaml_node *node = *item->field == '\0' ? place->root : output_find_node(place, item->field);
    size_t len;
    if (node == NULL)
        node = place->root;
    if (node == NULL)
        return false;
    const struct yaml_place at = node->key != NULL ? node->key_start : node->start;
    const char *text = yaml_line(place->yaml, at.line, &len);
    *indent = 0;
    while (*indent < len && text[*indent] == ' ')
        (*indent)++;
    *line = (struct yaml_place){at.line, 1};
    return *indent < len && strchr("{[}]\",", text[*indent]) == NULL;
}

static void add_ignore(struct actions *actions, const struct actions_text *document,
                       const struct output_place *place, const struct found_item *item, size_t from,
                       size_t to, struct json_object *diagnostic, enum textlines_unit unit)
{
    struct yaml_place line;
    size_t indent;
    if (finding_is_always_reported(item->id) || !find_line(place, item, &line, &indent))
        return;
    const char *id = finding_pages[item->id].id;
    struct json_object *edits = json_object_new_array();
    cleanup_mem char *title = mem_printf("Ignore %s here", id);
    cleanup_mem char *comment = mem_printf("%*s# vapcheck: ignore %s\n", (int)indent, "", id);
    const size_t at = range_offset(document->text, line);
    add_edit(edits, document, at, at, comment, unit);
    add(actions, from, to, make_action(document, title, edits, diagnostic));
}

void actions_add(struct actions *actions, const struct actions_text *document,
                 const struct output_place *place, const struct found_item *item,
                 const struct output_fix *fix, struct json_object *diagnostic, enum textlines_unit unit)
{
    if (actions->count >= ACTIONS_MAX)
        return;
    const size_t line = item->at.line == 0 ? 0 : item->at.line - 1; /* all of the line has the actions */
    const size_t from = textlines_offset(document->text, (struct textlines_place){line, 0}, unit),
                 to = textlines_offset(document->text, (struct textlines_place){line, SIZE_MAX}, unit);
    if (fix != NULL)
        add_fix(actions, document, item, fix, from, to, diagnostic, unit);
    add_ignore(actions, document, place, item, from, to, diagnostic, unit);
}

struct json_object *actions_list(const struct actions *actions, size_t from, size_t to)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < actions->count; i++) {
        if (actions->items[i].from <= to && from <= actions->items[i].to)
            jsonval_append(list, json_object_get(actions->items[i].json));
    }
    return list;
}

void actions_clear(struct actions *actions)
{
    for (size_t i = 0; i < actions->count; i++)
        json_object_put(actions->items[i].json);
    mem_free(actions->items);
    *actions = (struct actions){0};
}
