#include "typecheck/policy/author/repair/repair_words.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/suggest.h"
#include "typecheck/cel/syntax/reserved.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/author/repair/repair_edits.h"
#include "typecheck/policy/author/repair/repair_scope.h"

struct word {
    const char *from, *to;
};

enum { MAX_LOCALS = 32 };

static const struct word METHODS[] = {
    {"startswith", "startsWith"},
    {"starts_with", "startsWith"},
    {"StartsWith", "startsWith"},
    {"hasPrefix", "startsWith"},
    {"HasPrefix", "startsWith"},
    {"beginsWith", "startsWith"},
    {"endswith", "endsWith"},
    {"ends_with", "endsWith"},
    {"EndsWith", "endsWith"},
    {"hasSuffix", "endsWith"},
    {"HasSuffix", "endsWith"},
    {"includes", "contains"},
    {"include", "contains"},
    {"contain", "contains"},
    {"Contains", "contains"},
    {"match", "matches"},
    {"Match", "matches"},
    {"MatchString", "matches"},
    {"regexMatch", "matches"},
    {"lower", "lowerAscii"},
    {"toLower", "lowerAscii"},
    {"ToLower", "lowerAscii"},
    {"toLowerCase", "lowerAscii"},
    {"lowercase", "lowerAscii"},
    {"downcase", "lowerAscii"},
    {"upper", "upperAscii"},
    {"toUpper", "upperAscii"},
    {"ToUpper", "upperAscii"},
    {"toUpperCase", "upperAscii"},
    {"uppercase", "upperAscii"},
    {"strip", "trim"},
    {"trimSpace", "trim"},
    {"replaceAll", "replace"},
    {"substr", "substring"},
    {"any", "exists"},
    {"some", "exists"},
    {"anyMatch", "exists"},
    {"every", "all"},
    {"allMatch", "all"},
    {"forAll", "all"},
    {"forall", "all"},
    {"forEach", "all"},
    {"foreach", "all"},
    {"one", "exists_one"},
    {"exists_One", "exists_one"},
    {"existsOne", "exists_one"},
    {"existOne", "exists_one"},
    {"select", "filter"},
    {"where", "filter"},
    {"collect", "map"},
    {"len", "size"},
    {"length", "size"},
    {"Length", "size"},
    {"count", "size"},
    {"Size", "size"},
    {"orElse", "orValue"},
    {"orDefault", "orValue"},
    {"getOrElse", "orValue"},
    {"getOrDefault", "orValue"},
    {"isPresent", "hasValue"},
    {"get", "value"},
    {"greaterThan", "isGreaterThan"},
    {"lessThan", "isLessThan"},
    {"cmp", "compareTo"},
    {"compare", "compareTo"},
    {"isAllowed", "allowed"},
    {"allow", "allowed"},
};

static const struct word FUNCTIONS[] = {
    {"len", "size"},
    {"length", "size"},
    {"count", "size"},
    {"exists", "has"},
    {"exist", "has"},
    {"defined", "has"},
    {"isset", "has"},
    {"Has", "has"},
    {"str", "string"},
    {"toString", "string"},
    {"String", "string"},
    {"float", "double"},
    {"number", "double"},
    {"Number", "double"},
    {"integer", "int"},
    {"toInt", "int"},
    {"parseInt", "int"},
    {"to_number", "double"},
    {"boolean", "bool"},
    {"typeof", "type"},
    {"Quantity", "quantity"},
    {"parseQuantity", "quantity"},
    {"Duration", "duration"},
    {"parseDuration", "duration"},
    {"Timestamp", "timestamp"},
    {"date", "timestamp"},
    {"semVer", "semver"},
    {"isIp", "isIP"},
    {"isCidr", "isCIDR"},
    {"isUrl", "isURL"},
};

static const struct word POLICY_ROOTS[] = {
    {"obj", "object"},           {"resource", "object"},    {"self", "object"},
    {"this", "object"},          {"target", "object"},      {"newObject", "object"},
    {"new_object", "object"},    {"old", "oldObject"},      {"oldObj", "oldObject"},
    {"old_object", "oldObject"}, {"oldSelf", "oldObject"},  {"vars", "variables"},
    {"var", "variables"},        {"parameters", "params"},  {"parameter", "params"},
    {"req", "request"},          {"ns", "namespaceObject"}, {"namespace", "namespaceObject"},
    {"authz", "authorizer"},
};

static const struct word RULE_ROOTS[] = {
    {"object", "self"}, {"obj", "self"},          {"this", "self"},        {"Self", "self"},
    {"old", "oldSelf"}, {"oldObject", "oldSelf"}, {"old_self", "oldSelf"},
};

static const struct word PREFIXES[] = {
    {"request.object", "object"},
    {"request.oldObject", "oldObject"},
    {"request.namespaceObject", "namespaceObject"},
    {"input.review.object", "object"},
    {"input.review.oldObject", "oldObject"},
    {"input.request.object", "object"},
    {"input.request.oldObject", "oldObject"},
    {"input.request", "request"},
    {"input.review", "request"},
    {"input.parameters", "params"},
    {"review.object", "object"},
    {"admission.request", "request"},
    {"object.params", "params"},
    {"request.userInfo.name", "request.userInfo.username"},
    {"request.username", "request.userInfo.username"},
    {"request.user.username", "request.userInfo.username"},
    {"request.user.name", "request.userInfo.username"},
    {"request.user.groups", "request.userInfo.groups"},
    {"request.groups", "request.userInfo.groups"},
    {"namespaceObject.name", "namespaceObject.metadata.name"},
    {"namespaceObject.labels", "namespaceObject.metadata.labels"},
    {"namespaceObject.annotations", "namespaceObject.metadata.annotations"},
};

static const struct word LITERALS[] = {
    {"True", "true"}, {"TRUE", "true"}, {"False", "false"}, {"FALSE", "false"},    {"None", "null"},
    {"nil", "null"},  {"NULL", "null"}, {"Null", "null"},   {"undefined", "null"},
};

static const char *const POLICY_NAMES[] = {"object",    "oldObject",       "request",   "params",
                                           "variables", "namespaceObject", "authorizer"};
static const char *const RULE_NAMES[] = {"self", "oldSelf"};
static const char *const MACROS[] = {
    "has",        "all",       "exists",        "exists_one", "map",          "filter",           "optMap",
    "optFlatMap", "existsOne", "transformList", "sortBy",     "transformMap", "transformMapEntry"};
static const char *const TYPES[] = {
    "bool",      "int",       "uint",   "double",   "string",     "bytes",    "list",      "map",
    "type",      "null_type", "dyn",    "optional", "math",       "sets",     "Object",    "JSONPatch",
    "jsonpatch", "format",    "google", "net",      "kubernetes", "duration", "timestamp", "optional_type"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_in(const char *const *list, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(str_of(list[i]), name))
            return true;
    }
    return false;
}

/* Returns NULL if the table does not have it. */
static const char *find_word(const struct word *words, size_t count, struct str from)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(str_of(words[i].from), from))
            return words[i].to;
    }
    return NULL;
}

static bool is_known_function(const struct repair_edits *e, struct str name)
{
    const struct function *f = env_function(e->env, name);
    return f != NULL && f->count > 0;
}

/* The function or macro whose name is near; NULL if none is. */
static const char *near_function(const struct repair_edits *e, struct str name)
{
    struct arena *a = e->tokens.arena;
    struct suggest nearest;
    size_t count;
    const struct function *functions = env_functions(e->env, &count);
    suggest_init(&nearest, str_copy(a, name).at);
    arena_pay(a, count + name.len);
    for (size_t i = 0; i < COUNT(MACROS); i++)
        suggest_offer(&nearest, MACROS[i]);
    for (size_t i = 0; i < count; i++) {
        if (functions[i].count > 0 && functions[i].name.at[0] != '_' && functions[i].name.at[0] != '@')
            suggest_offer(&nearest, str_copy(a, functions[i].name).at);
    }
    return nearest.best;
}

/* The function that the call's name may have meant; NULL if it is a function already, or none is near. */
static const char *find_function(const struct repair_edits *e, const struct word *words, size_t count,
                                 struct str name)
{
    const char *to = find_word(words, count, name);
    bool is_known = is_known_function(e, name) || is_in(MACROS, COUNT(MACROS), name);
    if (is_known && (to == NULL || words == METHODS))
        return NULL;
    return to != NULL ? to : near_function(e, name);
}

void repair_words_methods(struct repair_edits *e)
{
    for (size_t i = 0; i < e->tokens.count; i++) {
        arena_step(e->tokens.arena);
        if (!repair_tokens_is_method(&e->tokens, i))
            continue;
        const char *to = find_function(e, METHODS, COUNT(METHODS), repair_tokens_text(&e->tokens, i));
        if (to != NULL)
            repair_edits_change(e, i, i, str_of(to));
    }
}

/* `exists(x.y)` is has(x.y); `exists(x, e, e > 1)` is none. */
static bool is_fitting(const struct repair_edits *e, size_t name, const char *to)
{
    const struct repair_tokens *t = &e->tokens;
    size_t end = t->match[name + 1];
    return strcmp(to, "has") != 0 || repair_tokens_comma(t, name + 1, end) == end;
}

void repair_words_functions(struct repair_edits *e)
{
    for (size_t i = 0; i < e->tokens.count; i++) {
        arena_step(e->tokens.arena);
        struct str name = repair_tokens_text(&e->tokens, i);
        if (!repair_tokens_is_function(&e->tokens, i) || is_in(TYPES, COUNT(TYPES), name) ||
            str_eq(name, STR("has")) || is_known_function(e, name))
            continue;
        const char *to = find_function(e, FUNCTIONS, COUNT(FUNCTIONS), name);
        if (to != NULL && is_fitting(e, i, to))
            repair_edits_change(e, i, i, str_of(to));
    }
}

/* ---- variables ---- */

struct locals {
    struct str names[MAX_LOCALS];
    size_t count;
    bool has_more;
};

/* `.all(x, ...)`, `.all(i, x, ...)`: what macros declare; anywhere in the expression. */
static void find_locals(const struct repair_tokens *t, struct locals *out)
{
    *out = (struct locals){.count = 0};
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_IDENT || repair_tokens_kind(t, i + 1) != TOKEN_COMMA ||
            (repair_tokens_kind(t, i - 1) != TOKEN_LPAREN && repair_tokens_kind(t, i - 1) != TOKEN_COMMA))
            continue;
        if (out->count < MAX_LOCALS)
            out->names[out->count++] = repair_tokens_text(t, i);
        else
            out->has_more = true;
    }
}

static bool is_local(const struct locals *locals, struct str name)
{
    for (size_t i = 0; i < locals->count; i++) {
        if (str_eq(locals->names[i], name))
            return true;
    }
    return locals->has_more;
}

/* Returns true if Kubernetes escapes the name of such a field. */
static bool is_escaped_word(struct str name)
{
    return reserved_has(name) || str_eq(name, STR("true")) || str_eq(name, STR("false")) ||
           str_eq(name, STR("null")) || str_eq(name, STR("in"));
}

static bool is_policy_variable(const struct repair_edits *e, struct str name)
{
    for (size_t i = 0; i < e->scope->variable_count; i++) {
        arena_step(e->tokens.arena);
        if (str_eq(e->scope->variables[i], name))
            return true;
    }
    return false;
}

static bool is_declared(const struct repair_edits *e, const struct locals *locals, struct str name)
{
    bool is_root = e->scope->is_crd_rule ? is_in(RULE_NAMES, COUNT(RULE_NAMES), name)
                                         : is_in(POLICY_NAMES, COUNT(POLICY_NAMES), name);
    return is_root || is_in(TYPES, COUNT(TYPES), name) || is_local(locals, name);
}

static bool is_undeclared_name(const struct repair_edits *e, const struct locals *locals, size_t i)
{
    return repair_tokens_is_name(&e->tokens, i) && repair_tokens_kind(&e->tokens, i + 1) != TOKEN_LPAREN &&
           !is_declared(e, locals, repair_tokens_text(&e->tokens, i));
}

static const char *near_root(const struct repair_edits *e, struct str name)
{
    struct suggest nearest;
    const char *const *names = e->scope->is_crd_rule ? RULE_NAMES : POLICY_NAMES;
    size_t count = e->scope->is_crd_rule ? COUNT(RULE_NAMES) : COUNT(POLICY_NAMES);
    arena_step(e->tokens.arena);
    suggest_init(&nearest, str_copy(e->tokens.arena, name).at);
    for (size_t i = 0; i < count; i++)
        suggest_offer(&nearest, names[i]);
    return nearest.best;
}

/* The top fields of every object. */
static bool is_top_field(struct str name)
{
    return str_eq(name, STR("spec")) || str_eq(name, STR("metadata")) || str_eq(name, STR("status"));
}

static struct str find_root(const struct repair_edits *e, struct str name)
{
    bool is_rule = e->scope->is_crd_rule;
    const char *root = is_rule ? find_word(RULE_ROOTS, COUNT(RULE_ROOTS), name)
                               : find_word(POLICY_ROOTS, COUNT(POLICY_ROOTS), name);
    struct arena *a = e->tokens.arena;
    if (is_policy_variable(e, name))
        return str_join(a, STR_PARTS(STR("variables."), name));
    if (is_top_field(name))
        return str_join(a, STR_PARTS(is_rule ? STR("self.") : STR("object."), name));
    if (root == NULL)
        root = near_root(e, name);
    if (root == NULL && is_rule)
        return str_join(a, STR_PARTS(STR("self."), name));
    return root == NULL ? STR("") : str_of(root);
}

void repair_words_roots(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    struct locals locals;
    find_locals(t, &locals);
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        bool is_leading_dot = repair_tokens_kind(t, i) == TOKEN_DOT && !repair_tokens_ends(t, i - 1) &&
                              is_top_field(repair_tokens_text(t, i + 1));
        struct str object = e->scope->is_crd_rule ? STR("self") : STR("object");
        if (is_leading_dot) {
            repair_edits_before(e, i, object);
            repair_edits_show(e, str_join(t->arena, STR_PARTS(object, repair_tokens_slice(t, i, i + 1))));
        } else if (is_undeclared_name(e, &locals, i)) {
            struct str root = find_root(e, repair_tokens_text(t, i));
            if (root.len != 0)
                repair_edits_change(e, i, i, root);
        }
    }
}

/* Returns how many tokens from i on are the text, which has names and dots; 0 if they are not. */
static size_t match_prefix(const struct repair_tokens *t, size_t i, const char *prefix)
{
    size_t tokens = 1;
    for (const char *c = prefix; *c != '\0'; c++)
        tokens += *c == '.' ? 2 : 0;
    return str_eq(repair_tokens_slice(t, i, i + tokens - 1), str_of(prefix)) ? tokens : 0;
}

void repair_words_prefixes(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        for (size_t k = 0; repair_tokens_is_name(t, i) && k < COUNT(PREFIXES); k++) {
            size_t tokens = match_prefix(t, i, PREFIXES[k].from);
            if (tokens == 0)
                continue;
            const struct str from = str_of(PREFIXES[k].from), to = str_of(PREFIXES[k].to);
            repair_edits_replace(e, i, i + tokens - 1, to);
            repair_edits_say(
                e, str_join(t->arena, STR_PARTS(STR("write '"), to, STR("', not '"), from, STR("'"))));
            break;
        }
    }
}

/* object.spec{...}: Object.spec{...}. */
void repair_words_types(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i < t->count; i++) {
        size_t end = i;
        arena_step(t->arena);
        if (!repair_tokens_is_name(t, i) || !repair_tokens_is(t, i, "object"))
            continue;
        for (; repair_tokens_kind(t, end + 1) == TOKEN_DOT; end += 2)
            arena_step(t->arena);
        if (repair_tokens_kind(t, end + 1) == TOKEN_LBRACE)
            repair_edits_change(e, i, i, STR("Object"));
    }
}

void repair_words_literals(struct repair_edits *e)
{
    for (size_t i = 0; i < e->tokens.count; i++) {
        arena_step(e->tokens.arena);
        if (!repair_tokens_is_name(&e->tokens, i) || repair_tokens_kind(&e->tokens, i + 1) == TOKEN_LPAREN)
            continue;
        const char *to = find_word(LITERALS, COUNT(LITERALS), repair_tokens_text(&e->tokens, i));
        if (to != NULL)
            repair_edits_change(e, i, i, str_of(to));
    }
}

/* `object.kind == Pod`, `x in [a, b]`: after a comparison, or in a list. */
static bool is_compared(const struct repair_tokens *t, size_t i)
{
    enum token_kind before = repair_tokens_kind(t, i - 1), behind = repair_tokens_kind(t, i + 1);
    bool is_alone =
        behind != TOKEN_DOT && behind != TOKEN_LPAREN && behind != TOKEN_LBRACKET && behind != TOKEN_LBRACE;
    bool is_right = (before == TOKEN_EQUALS || before == TOKEN_NOT_EQUALS) && repair_tokens_ends(t, i - 2);
    bool is_item = (before == TOKEN_LBRACKET || before == TOKEN_COMMA) &&
                   (behind == TOKEN_COMMA || behind == TOKEN_RBRACKET);
    return is_alone && (is_right || is_item);
}

void repair_words_quotes(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    struct locals locals;
    find_locals(t, &locals);
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        if (!repair_tokens_is_name(t, i) || !is_compared(t, i))
            continue;
        struct str name = repair_tokens_text(t, i);
        if ((is_declared(e, &locals, name) && !str_eq(name, STR("string"))) ||
            find_word(LITERALS, COUNT(LITERALS), name) != NULL)
            continue;
        struct str quoted = str_join(t->arena, STR_PARTS(STR("'"), name, STR("'")));
        repair_edits_change(e, i, i, quoted);
    }
}

void repair_words_reserved(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i < t->count && e->scope->is_crd_rule; i++) {
        const struct str name = repair_tokens_text(t, i);
        arena_step(t->arena);
        if (repair_tokens_kind(t, i - 1) != TOKEN_DOT || repair_tokens_kind(t, i + 1) == TOKEN_LPAREN ||
            !is_escaped_word(name))
            continue;
        repair_edits_change(e, i, i, str_join(t->arena, STR_PARTS(STR("__"), name, STR("__"))));
    }
}
