#include "cmd/kubectl-vapcheck/lsp/assistant.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/lsp/description.h"
#include "cmd/kubectl-vapcheck/lsp/diagnostics.h"
#include "cmd/kubectl-vapcheck/lsp/exprplace.h"
#include "cmd/kubectl-vapcheck/lsp/exprscope.h"
#include "cmd/kubectl-vapcheck/lsp/range.h"
#include "controller/findings/check.h"
#include "typecheck/author.h"

enum { HOVER_CAP_BYTES = 64 * 1024 };

/* CompletionItemKind */
enum { KIND_FUNCTION = 3, KIND_FIELD = 5, KIND_VARIABLE = 6, KIND_KEYWORD = 14 };

/* A question, of an expression of a policy and of any other. */
struct question {
    void (*of_policy)(const struct env *env, const struct typecheck_policy *policy, size_t expression,
                      size_t offset, struct assist *out);
    void (*elsewhere)(const struct assist_place *place, size_t offset, struct assist *out);
};

/* The expression that a question is about. */
struct asked {
    struct workspace *workspace;
    const struct exprplace *place;
    const struct typecheck_policy *policy; /* the policy of the expression; NULL if it is of another object */
    const struct exprscope *scope;         /* the variables of the expression; NULL if it is of a policy */
    enum textlines_unit unit;
};

/* Shows an answer, while its scope is there. */
typedef void show(const struct asked *asked, const struct assist *found, struct json_object **out);

/* Answers for an expression of a policy, as the server lets users create it: with the functions that all of
 * its control plane has. */
static void answer_in_policy(struct workspace *w, const struct exprplace *place, enum textlines_unit unit,
                             const struct question *question, show *show_it, struct json_object **out)
{
    struct types_options types = w->options.types;
    struct assist found;
    size_t index;
    types.scope = TYPES_FULL;
    types.minor = schemas_minor(w->schemas);
    struct check *check = check_new(place->policy, schemas_discovery(w->schemas), &types);
    const struct typecheck_policy *scope =
        check_scope(check, place->expression, schemas_lookup, w->schemas, &index);
    question->of_policy(schemas_new_env(w->schemas), scope, index, place->offset, &found);
    show_it(&(struct asked){w, place, scope, NULL, unit}, &found, out);
    assist_deinit(&found);
    check_free(check);
}

static void answer_elsewhere(struct workspace *w, const struct exprplace *place, enum textlines_unit unit,
                             const struct question *question, show *show_it, struct json_object **out)
{
    struct exprscope scope;
    struct assist found;
    if (!exprscope_init(&scope, place, w->schemas))
        return;
    question->elsewhere(&scope.place, place->offset, &found);
    show_it(&(struct asked){w, place, NULL, &scope, unit}, &found, out);
    assist_deinit(&found);
    exprscope_deinit(&scope);
}

/* Answers with the definitions of custom resources that stand in the documents and files. */
static struct json_object *answer_at(struct workspace *w, const struct textdocument *document, size_t offset,
                                     enum textlines_unit unit, const struct question *question, show *show_it)
{
    struct json_object *shown = NULL;
    struct exprplace place;
    if (w->schemas == NULL || !exprplace_find(document, offset, &place))
        return NULL;
    if (place.policy != NULL) {
        struct crds *crds = workspace_definitions(w, document);
        schemas_put(w->schemas, crds);
        answer_in_policy(w, &place, unit, question, show_it, &shown);
        schemas_put(w->schemas, NULL);
        crds_free(crds);
    } else {
        answer_elsewhere(w, &place, unit, question, show_it, &shown);
    }
    exprplace_deinit(&place);
    return shown;
}

static struct json_object *range_of(const struct exprplace *place, const struct assist *found,
                                    enum textlines_unit unit)
{
    return range_json(&place->document->text, exprplace_offset(place, found->from),
                      exprplace_offset(place, found->to), unit);
}

static struct json_object *new_text(struct str text)
{
    cleanup_mem char *copy = mem_strndup(text.at, text.len);
    cleanup_mem char *shown = plain_line(copy);
    return json_object_new_string(shown);
}

/* ---- hover ---- */

/* " (apps/v1 Deployment)", where the policy is about several types. */
static void add_type(struct buf *text, const struct typecheck_policy *policy, const struct assist_item *item)
{
    if (policy == NULL || policy->type_count < 2)
        return;
    const struct policy_type *t = &policy->types[item->first_type];
    buf_printf(text, " (%.*s%s%.*s %.*s)", STR_ARG(t->group), t->group.len == 0 ? "" : "/",
               STR_ARG(t->version), STR_ARG(t->kind));
}

/* The description of a field of the type; NULL: there is none. */
static char *describe_in_type(struct workspace *w, const struct policy_type *t,
                              const struct assist_item *item)
{
    cleanup_json struct json_object *document = schemas_document(w->schemas, t->group, t->version);
    struct json_object *root = description_find_kind(document, t->group, t->version, t->kind);
    return description_of_field(document, root, item->holder, item->name);
}

/* `object` and `oldObject` have the types that the rules match; of `params` there is one. */
static char *describe_in_policy(struct workspace *w, const struct typecheck_policy *policy,
                                const struct assist_item *item)
{
    char *text = NULL;
    if (item->first_type < policy->type_count)
        text = describe_in_type(w, &policy->types[item->first_type], item);
    return text != NULL || !policy->policy.has_params ? text : describe_in_type(w, &policy->params, item);
}

static char *describe(const struct asked *asked, const struct assist_item *item)
{
    if (item->kind != ASSIST_FIELD || item->holder.len == 0)
        return NULL;
    if (asked->policy != NULL)
        return describe_in_policy(asked->workspace, asked->policy, item);
    struct json_object *root = asked->scope == NULL ? NULL : asked->scope->self.at;
    return description_of_field(NULL, root, item->holder, item->name);
}

/* Adds the description of the first item after all that is shown: the same field of several types is mostly
 * described alike. */
static void add_description(struct buf *text, const struct asked *asked, const struct assist *found)
{
    static const char marks[] = "\\`*_{}[]<>#|~&";
    cleanup_mem char *described = describe(asked, &found->items[0]);
    if (described == NULL)
        return;
    buf_puts(text, "\n\n");
    for (const char *p = described; *p != '\0'; p++) {
        if (asked->workspace->shows_markdown && strchr(marks, *p) != NULL)
            buf_puts(text, "\\"); /* a description is no Markdown */
        buf_printf(text, "%c", *p);
    }
}

static void show_hover(const struct asked *asked, const struct assist *found, struct json_object **out)
{
    cleanup_buf struct buf text;
    buf_init(&text, HOVER_CAP_BYTES);
    if (found->count == 0)
        return;
    if (asked->workspace->shows_markdown)
        buf_puts(&text, "```cel\n");
    for (size_t i = 0; i < found->count; i++) {
        const struct assist_item *item = &found->items[i];
        const bool is_call = item->kind == ASSIST_FUNCTION;
        buf_printf(&text, "%s%.*s%s%.*s", i == 0 ? "" : "\n", is_call ? 0 : (int)item->name.len,
                   item->name.at, is_call ? "" : ": ", STR_ARG(item->detail));
        if (found->count > 1 && !is_call)
            add_type(&text, asked->policy, item);
    }
    const bool is_markdown = asked->workspace->shows_markdown;
    if (is_markdown)
        buf_puts(&text, "\n```");
    add_description(&text, asked, found);
    struct json_object *hover = json_object_new_object(), *contents = json_object_new_object();
    cleanup_mem char *shown = plain_text(text.data);
    jsonval_set(contents, "kind", json_object_new_string(is_markdown ? "markdown" : "plaintext"));
    jsonval_set(contents, "value", json_object_new_string(shown));
    jsonval_set(hover, "contents", contents);
    jsonval_set(hover, "range", range_of(asked->place, found, asked->unit));
    *out = hover;
}

struct json_object *assistant_hover(struct workspace *w, const struct textdocument *document, size_t offset,
                                    enum textlines_unit unit)
{
    static const struct question explain = {assist_explain, assist_explain_at};
    return answer_at(w, document, offset, unit, &explain, show_hover);
}

/* ---- completion ---- */

static int kind_of(enum assist_kind kind)
{
    switch (kind) {
    case ASSIST_FIELD:
        return KIND_FIELD;
    case ASSIST_VARIABLE:
        return KIND_VARIABLE;
    case ASSIST_FUNCTION:
        return KIND_FUNCTION;
    case ASSIST_MACRO:
        break;
    }
    return KIND_KEYWORD;
}

static struct json_object *show_item(const struct assist_item *item, struct json_object *range)
{
    struct json_object *shown = json_object_new_object(), *edit = json_object_new_object();
    jsonval_set(shown, "label", new_text(item->name));
    jsonval_set(shown, "kind", json_object_new_int(kind_of(item->kind)));
    if (item->detail.len > 0)
        jsonval_set(shown, "detail", new_text(item->detail));
    jsonval_set(edit, "range", json_object_get(range));
    jsonval_set(edit, "newText", new_text(item->name));
    jsonval_set(shown, "textEdit", edit);
    return shown;
}

static void show_items(const struct asked *asked, const struct assist *found, struct json_object **out)
{
    struct json_object *list = json_object_new_array(), *range = range_of(asked->place, found, asked->unit);
    for (size_t i = 0; i < found->count; i++)
        jsonval_append(list, show_item(&found->items[i], range));
    json_object_put(range);
    *out = list;
}

struct json_object *assistant_complete(struct workspace *w, const struct textdocument *document,
                                       size_t offset, enum textlines_unit unit)
{
    static const struct question complete = {assist_complete, assist_complete_at};
    return answer_at(w, document, offset, unit, &complete, show_items);
}

/* ---- definition ---- */

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The name at the place of the expression, if it is selected from `variables`; else empty. */
static struct str variable_at(struct str text, size_t offset)
{
    static const struct str root = STR_INIT("variables.");
    size_t start = offset < text.len ? offset : text.len, end = start;
    while (start > 0 && is_of_name(text.at[start - 1]))
        start--;
    while (end < text.len && is_of_name(text.at[end]))
        end++;
    if (start < root.len || memcmp(text.at + start - root.len, root.at, root.len) != 0 ||
        (start > root.len &&
         (is_of_name(text.at[start - root.len - 1]) || text.at[start - root.len - 1] == '.')))
        return STR("");
    return (struct str){text.at + start, end - start};
}

/* The node that declares the last variable of that name; NULL: there is none. */
static const struct yaml_node *find_declaration(const struct exprplace *place, struct str name)
{
    const struct policy *p = &place->policy->policy;
    const struct yaml_node *found = NULL;
    for (size_t i = 0; i < p->count; i++) {
        const struct policy_expression *e = &p->expressions[i];
        if (e->place == POLICY_VARIABLE && i != place->expression && str_eq(e->name, name))
            found = yaml_find(place->object->root, e->field_ref.at);
    }
    return found;
}

struct json_object *assistant_define(struct workspace *w, const struct textdocument *document, size_t offset,
                                     enum textlines_unit unit)
{
    struct json_object *location = NULL;
    struct exprplace place;
    (void)w;
    if (!exprplace_find(document, offset, &place))
        return NULL;
    const struct str name = place.policy == NULL ? STR("") : variable_at(place.text, place.offset);
    const struct yaml_node *node = name.len == 0 ? NULL : find_declaration(&place, name);
    if (node != NULL) {
        const size_t at = textdocument_offset(document, node->start);
        location = json_object_new_object();
        jsonval_set(location, "uri", json_object_new_string(document->uri));
        jsonval_set(location, "range", range_json(&document->text, at, at, unit));
    }
    exprplace_deinit(&place);
    return location;
}
