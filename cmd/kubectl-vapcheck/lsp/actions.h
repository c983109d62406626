/*
 * actions: the changes that an editor offers for the findings of a document: a proved correction, the change
 * that an advice proposes, or a comment that ignores the finding.
 *
 * The actions are made with the diagnostics, in the text that was checked.
 *
 *     actions_add(&document->actions, &text, place, item, fix, diagnostic, unit);
 *     list = actions_list(&document->actions, from, to);
 *     actions_clear(&document->actions);
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_ACTIONS_H
#define CMD_KUBECTL_VAPCHECK_LSP_ACTIONS_H

#include <json-c/json.h>

#include "client/text/textlines.h"
#include "cmd/kubectl-vapcheck/output/output.h"

struct found_item;

/* The document that was checked. */
struct actions_text {
    const char *uri;
    const struct textlines *text;
};

/* A document with more findings has actions for the first ones. */
enum { ACTIONS_MAX = 2000 };

struct actions_item {
    size_t from, to;          /* bytes of the document that the finding is about */
    struct json_object *json; /* a CodeAction */
};

struct actions {
    struct actions_item *items;
    size_t count;
};

/* Adds what can be done about the finding, whose diagnostic is shared. fix: the item's, or found_advised;
 * NULL: there is none. */
void actions_add(struct actions *actions, const struct actions_text *document,
                 const struct output_place *place, const struct found_item *item,
                 const struct output_fix *fix, struct json_object *diagnostic, enum textlines_unit unit);
/* Lists the actions about any of the bytes from `from` to `to`. The caller puts the list. */
struct json_object *actions_list(const struct actions *actions, size_t from, size_t to);
void actions_clear(struct actions *actions);

#endif
