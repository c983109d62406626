#include "cmd/kubectl-vapcheck/lsp/exprplace.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

static bool is_policy(const struct manifest_object *o)
{
    enum policyview_kind kind;
    return policyview_kind_of(o->kind, &kind);
}

/* The object that the line is in: the last that begins before its end. */
static const struct manifest_object *find_object(const struct manifest *m, size_t line)
{
    const struct manifest_object *found = NULL;
    for (size_t i = 0; i < m->n_objects && m->objects[i].root->start.line <= line; i++)
        found = &m->objects[i];
    return found;
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

/* Returns true if the place is in the value of the node, or behind it in its last line. */
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

static void put(struct exprplace *out, const struct yaml_node *node, struct str text, struct yaml_place at)
{
    out->node = node;
    out->text = text;
    out->offset = offset_at(text.at, text.len, yaml_place_of(node, at));
}

static bool is_before(struct yaml_place a, struct yaml_place b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* Finds the policy's expression at the place; if several are in one line, the last that begins before it. */
static bool find_in_policy(struct exprplace *out, struct yaml_place at)
{
    for (size_t i = 0; i < out->policy->policy.count; i++) {
        const struct policy_expression *e = &out->policy->policy.expressions[i];
        const struct yaml_node *node = yaml_find(out->object->root, e->field_ref.at);
        if (node == NULL || !is_in(node, at) ||
            (out->node != NULL && is_before(node->start, out->node->start)))
            continue;
        out->expression = i;
        put(out, node, e->text, at);
    }
    return out->node != NULL;
}

/* Returns true if a member or an element begins at the place or before it. */
static bool has_begun(const struct yaml_node *node, struct yaml_place at)
{
    return !is_before(at, node->key == NULL ? node->start : node->key_start);
}

static struct str text_of(const struct yaml_node *node)
{
    if (!json_object_is_type(node->json, json_type_string))
        return STR("");
    return (struct str){json_object_get_string(node->json), (size_t)json_object_get_string_len(node->json)};
}

/* Looks for the scalar in the order of the text. Recurses as deep as YAML nests. Returns true if it found the
 * scalar; `path` is then its field. */
static bool find_scalar(struct exprplace *out, const struct yaml_node *node, struct yaml_place at,
                        const char *path)
{
    if (node->style != YAML_COLLECTION && is_in(node, at)) {
        put(out, node, text_of(node), at);
        out->field = mem_strdup(path);
        return true;
    }
    for (size_t i = 0; i < node->n_children; i++) {
        const struct yaml_node *child = node->children[i];
        if (!has_begun(child, at) || (i + 1 < node->n_children && has_begun(node->children[i + 1], at)))
            continue;
        cleanup_mem char *field = yaml_child_path(path, node, i);
        if (find_scalar(out, child, at, field))
            return true;
    }
    return false;
}

bool exprplace_find(const struct textdocument *document, size_t offset, struct exprplace *out)
{
    const struct textlines_place place = textlines_place(&document->text, offset, TEXTLINES_UTF32);
    const struct yaml_place at = yaml_place_at(place.line + 1, place.column + 1);
    struct err err = {0};
    *out = (struct exprplace){.document = document, .object = find_object(&document->manifest, at.line)};
    if (out->object == NULL)
        return false;
    if (!is_policy(out->object))
        return find_scalar(out, out->object->root, at, "");
    if (policyview_new(out->object->root->json, &out->policy, &err) != 0)
        return false;
    if (find_in_policy(out, at))
        return true;
    exprplace_deinit(out);
    return false;
}

void exprplace_deinit(struct exprplace *place)
{
    policyview_free(place->policy);
    place->policy = NULL;
    mem_free(place->field);
    place->field = NULL;
}

size_t exprplace_offset(const struct exprplace *place, size_t offset)
{
    const char *text = place->text.at;
    struct yaml_place at = {1, 1};
    size_t start = 0;
    for (size_t i = 0; i < offset; i++) {
        if (text[i] != '\n')
            continue;
        at.line++;
        start = i + 1;
    }
    at.column += (unsigned)utf8_count(text + start, offset - start);
    return textdocument_offset(place->document, yaml_place_in(place->node, at.line, at.column));
}
