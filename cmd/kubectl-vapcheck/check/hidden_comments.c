#include "cmd/kubectl-vapcheck/check/hidden_comments.h"

#include <string.h>

#include "bytes/budget.h"
#include "bytes/utf8.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/match/objectkind.h"
#include "typecheck/author.h"

/* Steps for the expressions of one object: a second at most. */
enum { MAX_STEPS = 20 * 1000 * 1000 };
/* The longest part of a hidden text that is shown, in bytes. */
enum { SHOWN_BYTES = 60 };

static bool find(const struct env *env, const struct yaml_node *scalar, uint64_t *left,
                 struct hidden_comment *out)
{
    size_t count;
    const struct str text = {json_object_get_string(scalar->json),
                             (size_t)json_object_get_string_len(scalar->json)};
    if (text.at == NULL || memmem(text.at, text.len, "//", 2) == NULL)
        return false;
    cleanup_mem uint32_t *breaks = yaml_breaks(scalar, &count);
    if (breaks == NULL || count == 0)
        return false;
    budget_pay(left, text.len);
    return hidden_comment_find(env, text, breaks, count, *left, out);
}

static bool is_any_of(const char *key, const char *const *keys)
{
    while (*keys != NULL && (key == NULL || strcmp(key, *keys) != 0))
        keys++;
    return *keys != NULL;
}

/* Returns true if a member of this name is an expression, in an object that vapcheck knows. The rules of a
 * definition stand only below x-kubernetes-validations; its other members, such as defaults, may have any
 * name. */
static bool is_expression(const char *key, const char *list, bool is_definition)
{
    static const char *const of_definitions[] = {"rule", "messageExpression", NULL};
    static const char *const of_others[] = {"expression", "messageExpression", "valueExpression", NULL};
    if (is_definition)
        return list != NULL && strcmp(list, "x-kubernetes-validations") == 0 &&
               is_any_of(key, of_definitions);
    return is_any_of(key, of_others);
}

bool hidden_comments_has(const struct env *env, const struct yaml_node *scalar)
{
    static const char *const keys[] = {"rule", "expression", "messageExpression", "valueExpression", NULL};
    uint64_t left = MAX_STEPS;
    struct hidden_comment found;
    return is_any_of(scalar->key, keys) && find(env, scalar, &left, &found);
}

static struct yaml_place place_of(const struct yaml_node *node, uint32_t offset)
{
    const char *text = json_object_get_string(node->json);
    size_t line = 1, start = 0;
    for (size_t i = 0; i < offset; i++) {
        if (text[i] != '\n')
            continue;
        line++;
        start = i + 1;
    }
    return yaml_place_in(node, line, utf8_count(text + start, offset - start) + 1);
}

static void own(struct hidden_comments *h, char *text)
{
    h->owned = mem_grow(h->owned, h->n_owned, sizeof *h->owned);
    h->owned[h->n_owned++] = text;
}

static void add(struct hidden_comments *h, const struct yaml_node *node, const char *path,
                const struct hidden_comment *found)
{
    const size_t shown = utf8_cut(found->text.at, found->text.len, SHOWN_BYTES);
    char *field = mem_strdup(path);
    char *text =
        mem_printf("the comment hides the lines below it, from `%.*s%s` on, since YAML makes one line of "
                   "them: " HIDDEN_COMMENTS_HINT,
                   (int)shown, found->text.at, shown < found->text.len ? "..." : "");
    own(h, field);
    own(h, text);
    h->items = mem_grow(h->items, h->count, sizeof *h->items);
    h->items[h->count++] = (struct output_extra){
        .id = FINDING_HIDDEN_BY_COMMENT, .field = field, .text = text, .at = place_of(node, found->offset)};
}

/* The object that is searched. */
struct search {
    struct hidden_comments *found;
    const struct yaml_node **refused; /* the fields that the server refuses */
    size_t n_refused;
    bool is_definition;
};

/* The server names fields of a definition in another way than YAML does. */
static void find_refused(struct search *s, const struct output_place *place,
                         const struct fielderrors *refusals)
{
    s->refused = mem_array(refusals->count + 1, sizeof(const struct yaml_node *));
    for (size_t i = 0; i < refusals->count; i++)
        s->refused[s->n_refused++] = output_find_node(place, refusals->items[i].field);
}

static bool is_refused(const struct search *s, const struct yaml_node *node)
{
    size_t i = 0;
    while (i < s->n_refused && s->refused[i] != node)
        i++;
    return i < s->n_refused;
}

/* A child of a node, and the way to the node. */
struct way {
    const struct way *outer; /* the way to the node around it; NULL if the node is the root */
    const struct yaml_node *node;
    size_t child;
};

/* Recurses as deep as YAML nests. The caller frees it. */
static char *path_of(const struct way *way)
{
    cleanup_mem char *outer = way->outer == NULL ? mem_strdup("") : path_of(way->outer);
    return yaml_child_path(outer, way->node, way->child);
}

static void look(const struct search *s, const struct yaml_node *node, const struct way *way)
{
    struct hidden_comment found;
    if (!find(s->found->env, node, &s->found->left, &found) || !found.has_grammar || is_refused(s, node))
        return;
    cleanup_mem char *path = path_of(way);
    add(s->found, node, path, &found);
}

/* list: the key of the list or mapping around the mapping. Recurses as deep as YAML nests. */
static void walk(const struct search *s, const struct yaml_node *node, const struct way *outer,
                 const char *list)
{
    for (size_t i = 0; i < node->n_children; i++) {
        const struct yaml_node *child = node->children[i];
        const bool is_scalar = child->style != YAML_COLLECTION;
        if (is_scalar && !is_expression(child->key, list, s->is_definition))
            continue;
        const struct way way = {outer, node, i};
        if (is_scalar)
            look(s, child, &way);
        else
            walk(s, child, &way, child->key == NULL ? node->key : child->key);
    }
}

void hidden_comments_init(struct hidden_comments *hidden, const struct env *env,
                          const struct output_place *place, const struct fielderrors *refusals)
{
    const char *kind = jsonval_string_or_empty(place->root->json, "kind");
    struct search search = {.found = hidden,
                            .is_definition = objectkind_is_definition(objectkind_named(kind))};
    *hidden = (struct hidden_comments){.left = MAX_STEPS, .env = env};
    find_refused(&search, place, refusals);
    walk(&search, place->root, NULL, NULL);
    mem_free(search.refused);
}

void hidden_comments_deinit(struct hidden_comments *hidden)
{
    for (size_t i = 0; i < hidden->n_owned; i++)
        mem_free(hidden->owned[i]);
    mem_free(hidden->owned);
    mem_free(hidden->items);
}
