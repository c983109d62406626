#include "cmd/kubectl-vapcheck/lsp/exprplace.h"

#include <string.h>

#include "client/base/utf8.h"

static bool is_policy(const struct manifest_object *o)
{
    return o->kind == MANIFEST_POLICY || o->kind == MANIFEST_MUTATING_POLICY || o->kind == MANIFEST_WEBHOOKS;
}

/* The object that the line is in: the last that begins before its end. */
static const struct manifest_object *find_object(const struct manifest *m, size_t line)
{
    const struct manifest_object *found = NULL;
    for (size_t i = 0; i < m->n_objects && m->objects[i].root->start.line <= line; i++)
        found = &m->objects[i];
    return found != NULL && is_policy(found) ? found : NULL;
}

static bool is_block(const struct yaml_node *node)
{
    return node->style == YAML_LITERAL || node->style == YAML_FOLDED;
}

static size_t last_line(const struct yaml_node *node)
{
    size_t line = node->text.line, len = node->source_len;
    while (len > 0 && node->source[len - 1] == '\n')
        len--;
    for (size_t i = 0; i < len; i++)
        line += node->source[i] == '\n';
    return line;
}

/* Whether the place is in the value of the node, or behind it in its last line. */
static bool is_in(const struct yaml_node *node, struct yaml_place at)
{
    if (node->style == YAML_COLLECTION)
        return false;
    if (is_block(node))
        return at.line >= node->text.line && at.line <= last_line(node);
    if (node->source_len == 0) /* there is no value yet */
        return node->key != NULL && at.line == node->key_start.line &&
               at.column > node->key_start.column + strlen(node->key) + 1;
    return at.line <= last_line(node) &&
           (at.line > node->text.line || (at.line == node->text.line && at.column >= node->text.column));
}

/* The byte of a text at a line and column. */
static size_t offset_at(const char *text, size_t len, struct yaml_place at)
{
    size_t offset = 0;
    for (size_t line = 1; line < at.line; line++) {
        const char *end = memchr(text + offset, '\n', len - offset);
        if (end == NULL)
            return len;
        offset = (size_t)(end - text) + 1;
    }
    const char *end = memchr(text + offset, '\n', len - offset);
    const size_t line_len = end == NULL ? len - offset : (size_t)(end - text) - offset;
    return offset + utf8_skip(text + offset, line_len, at.column - 1);
}

static bool find_expression(struct exprplace *out, const struct yaml_node *root, struct yaml_place at)
{
    for (size_t i = 0; i < out->policy->n_expressions; i++) {
        const struct policyview_expression *e = &out->policy->expressions[i];
        const struct yaml_node *node = yaml_find(root, e->field_ref);
        if (node == NULL || !is_in(node, at))
            continue;
        out->node = node;
        out->expression = i;
        out->offset = offset_at(e->text, e->len, yaml_place_of(node, at));
        return true;
    }
    return false;
}

bool exprplace_find(const struct document *document, size_t offset, struct exprplace *out)
{
    const struct textlines_place place = textlines_place(&document->text, offset, TEXTLINES_UTF32);
    const struct yaml_place at = {place.line + 1, place.column + 1};
    const struct manifest_object *object = find_object(&document->manifest, at.line);
    struct err err = {0};
    *out = (struct exprplace){.document = document};
    if (object == NULL || policyview_new(object->root->json, &out->policy, &err) != 0)
        return false;
    if (find_expression(out, object->root, at))
        return true;
    exprplace_deinit(out);
    return false;
}

void exprplace_deinit(struct exprplace *place)
{
    policyview_free(place->policy);
    place->policy = NULL;
}

size_t exprplace_offset(const struct exprplace *place, size_t offset)
{
    const struct policyview_expression *e = &place->policy->expressions[place->expression];
    struct yaml_place at = {1, 1};
    size_t start = 0;
    for (size_t i = 0; i < offset; i++) {
        if (e->text[i] != '\n')
            continue;
        at.line++;
        start = i + 1;
    }
    at.column += utf8_count(e->text + start, offset - start);
    return document_offset(place->document, yaml_place_in(place->node, at.line, at.column));
}
