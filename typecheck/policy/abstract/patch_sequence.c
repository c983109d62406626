#include "typecheck/policy/abstract/patch_sequence.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/json_pointer.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/json_patch.h"
#include "typecheck/policy/abstract/patch.h"

enum member { MEMBER_OP, MEMBER_PATH, MEMBER_FROM, MEMBER_VALUE, MEMBERS };

static const struct str member_names[MEMBERS] = {STR_INIT("op"), STR_INIT("path"), STR_INIT("from"),
                                                 STR_INIT("value")};

/* A JSONPatch{...} that evaluation reached. */
struct patch_operation {
    /* The members of an operation, by name; NULL for one that is not given. */
    const struct entry *entries[MEMBERS];
    const struct absval *values[MEMBERS]; /* of those given */
    bool has_json;                        /* of its value; else the patch fails before it is applied */
    struct scope scope;                   /* where it stands */
};

/* A value that an operation put at a path, to be decoded in the end. */
struct pending {
    const struct pending *next;
    struct str path;
    bool is_within; /* what is wrong may be in the value, at a longer path */
    struct site site;
    struct scope scope;
    struct failure failure;
};

/* The document after the operations up to some point. */
struct patched {
    /* The document; NULL if evaluation does not get there, or an operation failed. */
    const struct absval *document;
    bool is_tested; /* the patch may have ended already, by a test */
    bool is_trial;  /* nothing is noted */
    const struct pending *pending;
};

/* ---- what interpretation reaches ---- */

void patch_sequence_begin(struct eval_context *e, const struct ast *ast)
{
    e->operations = ARENA_ARRAY(e->arena, (size_t)ast->max_id + 1, struct patch_operation *);
}

static void note_member(struct eval_context *e, struct patch_operation *o, const struct entry *entry,
                        const struct absval *value)
{
    size_t i = 0;
    while (i < MEMBERS && !str_eq(member_names[i], entry->name))
        i++;
    if (i == MEMBERS)
        return;
    o->entries[i] = entry;
    o->values[i] = absval_join(e->arena, o->values[i], entry->optional ? &absval_any : value);
}

/* In a macro it is reached for each element: its values are then any of those. */
void patch_sequence_note(struct eval_context *e, const struct node *n, const struct absval *const *values,
                         bool has_json)
{
    struct patch_operation **o = &e->operations[n->id];
    if (*o == NULL) {
        *o = ARENA_NEW(e->arena, struct patch_operation);
        (*o)->scope = e->scope;
    }
    (*o)->has_json = (*o)->has_json || has_json;
    (*o)->scope.unknown |= e->scope.unknown;
    (*o)->scope.hypothetical |= e->scope.hypothetical;
    for (size_t i = 0; i < n->structure.count; i++)
        note_member(e, *o, &n->structure.fields[i], values[i]);
}

/* ---- what is decoded in the end ---- */

/* A path within the object, as its schema knows it. */
struct place {
    const struct type *type;    /* dyn: nothing is known */
    struct str name;            /* the last part */
    const struct type *without; /* the object that has no such field; NULL: it may be there */
    bool is_json;               /* the value there is part of the document, and not made by CEL */
};

static struct place find_place(struct eval_context *e, struct str path)
{
    struct place p = {.type = e->object_type};
    struct str rest = json_pointer_parts(path);
    while (p.without == NULL && json_pointer_next(e->arena, &rest, &p.name)) {
        struct object_entry entry = {.type = &type_dyn};
        arena_step(e->arena);
        if (p.type->kind == TYPE_LIST)
            entry.type = p.type->params[0];
        else if (!patch_find_entry(e, p.type, p.name, &entry))
            p.without = p.type;
        p.type = entry.type;
    }
    if (rest.at != NULL) /* no operation makes what is missing on the way */
        return (struct place){.type = &type_dyn};
    return p;
}

static struct failure undefined_field(struct eval_context *e, const struct type *t, struct str name)
{
    struct absmap *map = ARENA_NEW(e->arena, struct absmap);
    *map = (struct absmap){.type = t};
    return (struct failure){.code = ISSUE_UNDEFINED_FIELD,
                            .message =
                                str_join(e->arena, STR_PARTS(STR("undefined field '"), name, STR("'"))),
                            .hint = {.map = map, .field = name},
                            .about = issue_about_pack(e->arena, &(struct issue_about){.name = name})};
}

/* To JSON all numbers are one. */
static uint32_t json_kinds(uint32_t kinds)
{
    return (kinds & ABS_NUMBER) != 0 ? kinds | ABS_NUMBER : kinds;
}

static bool misfits(struct eval_context *e, const struct place *p, const struct absval *v,
                    struct failure *out);

static bool entry_misfits(struct eval_context *e, const struct place *p, const struct absfield *field,
                          struct failure *out)
{
    struct object_entry entry;
    arena_step(e->arena);
    if (field->presence != ABS_PRESENT)
        return false;
    if (!patch_find_entry(e, p->type, field->name, &entry)) {
        *out = undefined_field(e, p->type, field->name);
        return true;
    }
    struct place place = {.type = entry.type, .name = field->name};
    return misfits(e, &place, field->value, out);
}

static bool parts_misfit(struct eval_context *e, const struct place *p, const struct absval *v,
                         struct failure *out)
{
    const struct absmap *map = v->kinds == ABS_MAP ? v->maps : NULL;
    if (map != NULL && map->next == NULL && map->type == NULL) {
        for (size_t i = 0; i < map->field_count; i++) {
            if (entry_misfits(e, p, &map->fields[i], out))
                return true;
        }
    }
    if (!absval_is_exact_list(v) || p->type->kind != TYPE_LIST)
        return false;
    for (size_t i = 0; i < v->list->count; i++) {
        struct place item = {.type = p->type->params[0], .name = p->name};
        arena_step(e->arena);
        if (misfits(e, &item, v->list->items[i], out))
            return true;
    }
    return false;
}

/* To JSON an int beyond 2^53 is a string. */
static bool is_surely_number(const struct absval *v)
{
    const int64_t most = (int64_t)1 << 53;
    bool is_number = v->value_count > 0 || v->kinds == ABS_DOUBLE;
    for (size_t i = 0; i < v->value_count && is_number; i++) {
        const struct literal *l = &v->values[i];
        is_number = l->kind == LITERAL_INT    ? l->integer < most && l->integer > -most
                    : l->kind == LITERAL_UINT ? l->uinteger < (uint64_t)most
                                              : true;
    }
    return is_number;
}

/* Returns true if the value may be decoded where the schema has a string: bytes can be decoded from a list of
 * numbers, and a quantity from a number. */
static bool may_be_string(const struct place *p, const struct absval *v)
{
    if ((v->kinds & ABS_NUMBER) != 0)
        return p->type == &type_quantity_text || !(p->is_json || is_surely_number(v));
    return (v->kinds & ABS_LIST) != 0;
}

/* Returns true if no such value can be decoded as the type; null always can. Recurses as deep as the value
 * is. */
static bool misfits(struct eval_context *e, const struct place *p, const struct absval *v,
                    struct failure *out)
{
    const uint32_t null = ABS_NULL, wanted = json_kinds(absval_of_type(e->arena, p->type)->kinds);
    const uint32_t given = json_kinds(v->kinds);
    if (v->is_error || p->type->kind == TYPE_DYN || (v->kinds & ~(uint32_t)(ABS_JSON | ABS_UINT)) != 0 ||
        (given & null) != 0 || ((wanted & ABS_STRING) != 0 && may_be_string(p, v)))
        return false;
    if ((given & wanted) != 0)
        return parts_misfit(e, p, v, out);
    struct str type = p->type->kind == TYPE_OBJECT ? STR("object") : type_text(e->arena, p->type);
    struct str kind = kinds_name(v->kinds);
    *out = (struct failure){
        .code = ISSUE_TYPE_MISMATCH,
        .message = str_join(e->arena, STR_PARTS(STR("expected type of field '"), p->name, STR("' is '"), type,
                                                STR("' but provided type is '"),
                                                kind.len == 0 ? STR("number") : kind, STR("'"))),
        .about = issue_about_pack(e->arena,
                                  &(struct issue_about){.name = p->name, .wanted = type, .given = kind})};
    return kind.len != 0;
}

/* Returns true if an operation at `path` may take away what was put there, or replace it: it is the same
 * place, leads to it, or is in the value that is wrong. Lists' indexes have many spellings, and move. */
static bool may_take_away(struct arena *a, struct str path, const struct pending *put)
{
    struct str rest = json_pointer_parts(path), rest_put = json_pointer_parts(put->path), part, part_put;
    while (json_pointer_next(a, &rest, &part)) {
        if (!json_pointer_next(a, &rest_put, &part_put))
            return put->is_within;
        bool may_be_index = json_pointer_is_index(part) || str_eq(part, STR("-")) ||
                            json_pointer_is_index(part_put) || str_eq(part_put, STR("-"));
        if (!may_be_index && !str_eq(part, part_put))
            return false;
    }
    return true;
}

static void pass_pending(struct eval_context *e, const struct pending *p)
{
    struct scope outer = e->scope;
    e->scope = p->scope;
    eval_context_pass(e, p->site);
    e->scope = outer;
}

/* Keeps those that an operation at `path` leaves alone; path.at NULL: anywhere. */
static void take_away(struct eval_context *e, struct patched *at, struct str path)
{
    const struct pending *kept = NULL, *p = at->pending;
    while (p != NULL && path.at != NULL && !may_take_away(e->arena, path, p))
        p = p->next;
    if (p == NULL)
        return;
    for (p = at->pending; p != NULL; p = p->next) {
        if (path.at == NULL || may_take_away(e->arena, path, p)) {
            pass_pending(e, p);
            continue;
        }
        struct pending *copy = ARENA_NEW(e->arena, struct pending);
        *copy = *p;
        copy->next = kept;
        kept = copy;
    }
    at->pending = kept;
}

static void decode(struct eval_context *e, const struct patched *at)
{
    for (const struct pending *p = at->pending; p != NULL; p = p->next) {
        e->scope = p->scope;
        eval_context_fail(e, p->site, &p->failure);
    }
}

/* ---- one operation ---- */

/* Nothing is known of what follows. */
static struct patched anything(struct eval_context *e, struct patched at)
{
    take_away(e, &at, (struct str){NULL, 0});
    return (struct patched){.document = &absval_json, .is_tested = true, .is_trial = at.is_trial};
}

/* An operation at a path that is not known. */
static struct patched anywhere(struct eval_context *e, struct patched at)
{
    take_away(e, &at, (struct str){NULL, 0});
    at.document = &absval_json;
    return at;
}

/* It always fails, and nothing is decoded. */
static struct patched stop(struct eval_context *e, struct patched at)
{
    take_away(e, &at, (struct str){NULL, 0});
    return (struct patched){.document = NULL};
}

static struct patched fail_at(struct eval_context *e, struct patched at, struct site site,
                              const struct failure *failure)
{
    eval_context_fail(e, site, failure);
    return stop(e, at);
}

#define FAIL_AT(e, at, site, word, ...)                                                                      \
    fail_at((e), (at), (site),                                                                               \
            &(struct failure){.code = ISSUE_WRONG_MUTATION,                                                  \
                              .message = str_join((e)->arena, STR_PARTS(__VA_ARGS__)),                       \
                              .about = issue_about_pack((e)->arena, &(struct issue_about){.name = (word)})})

enum operation { OP_ADD, OP_COPY, OP_MOVE, OP_REMOVE, OP_REPLACE, OP_TEST, OPS };

static enum operation find_operation(struct str name)
{
    static const struct str names[OPS] = {STR_INIT("add"),    STR_INIT("copy"),    STR_INIT("move"),
                                          STR_INIT("remove"), STR_INIT("replace"), STR_INIT("test")};
    size_t i = 0;
    while (i < OPS && !str_eq(names[i], name))
        i++;
    return (enum operation)i;
}

/* A text that is always the same; NULL if it is not. A member that is not given is empty. */
static const struct str *constant(const struct patch_operation *o, enum member m)
{
    static const struct str empty = STR_INIT("");
    return o->entries[m] == NULL ? &empty : absval_constant_string(o->values[m]);
}

static struct site member_site(const struct eval_context *e, const struct node *n,
                               const struct patch_operation *o, enum member m)
{
    return o->entries[m] == NULL ? eval_context_site(e, n) : eval_context_entry(e, o->entries[m]);
}

static bool has_slash(struct str path)
{
    return memchr(path.at, '/', path.len) != NULL;
}

/* Returns true if what it puts there is a part of the document. */
static bool is_taken(const struct patch_operation *o)
{
    const struct str *name = constant(o, MEMBER_OP);
    const enum operation op = name == NULL ? OPS : find_operation(*name);
    return op == OP_COPY || op == OP_MOVE;
}

static struct patched no_path(struct eval_context *e, struct patched at, struct site site, struct str path)
{
    return FAIL_AT(e, at, site, path, STR("'"), path, STR("' is no path: it has no '/'"));
}

/* Notes a value that makes the patch fail in the end, unless a later operation takes it away. */
static void pend(struct eval_context *e, struct patched *at, const struct pending *what)
{
    struct pending *p = ARENA_NEW(e->arena, struct pending);
    *p = *what;
    p->next = at->pending;
    p->scope = e->scope;
    at->pending = p;
}

/* Judges the value that is put at the path, as it will be decoded. */
static void expect(struct eval_context *e, struct patched *at, const struct node *n,
                   const struct patch_operation *o, struct str path, const struct absval *value)
{
    struct site site = member_site(e, n, o, MEMBER_PATH);
    struct place place = find_place(e, path);
    struct pending p = {.path = path, .site = site};
    const bool is_given = o->entries[MEMBER_VALUE] != NULL;
    if (place.without != NULL) {
        p.failure = undefined_field(e, place.without, place.name);
        pend(e, at, &p);
        return;
    }
    p.is_within = true;
    place.is_json = is_taken(o);
    if (place.is_json || !is_given || !o->has_json) {
        if (!place.is_json || !misfits(e, &place, value, &p.failure))
            eval_context_pass(e, site);
        else
            pend(e, at, &p);
        return;
    }
    eval_context_pass(e, site);
    p.site = eval_context_entry(e, o->entries[MEMBER_VALUE]);
    if (misfits(e, &place, value, &p.failure))
        pend(e, at, &p);
    else
        eval_context_pass(e, p.site);
}

/* ---- the object's kind ---- */

enum identity { IDENTITY_KIND, IDENTITY_VERSION, IDENTITIES };

static const struct str identity_names[IDENTITIES] = {STR_INIT("kind"), STR_INIT("apiVersion")};

/* The field of these that the path leads to; IDENTITIES: none. */
static enum identity find_identity(struct arena *a, struct str path)
{
    struct str rest = json_pointer_parts(path), part;
    size_t i = IDENTITIES;
    if (json_pointer_next(a, &rest, &part) && rest.at == NULL) {
        for (i = 0; i < IDENTITIES && !str_eq(identity_names[i], part);)
            i++;
    }
    return (enum identity)i;
}

static struct str group_of(struct str version)
{
    const char *slash = memchr(version.at, '/', version.len);
    return (struct str){version.at, slash == NULL ? 0 : (size_t)(slash - version.at)};
}

/*
 * Returns true if the object is refused with this kind or apiVersion, which may be empty. An empty one
 * becomes the object's own when a built-in kind is decoded; with another apiVersion it is not decoded at all.
 * Another kind of the same group and version may be, and anything about a custom resource but an empty kind
 * passes until the mutations are done, so that a later one can put it right.
 */
static bool is_refused(const struct eval_context *e, enum identity which, struct str text, struct str own)
{
    if (str_eq(text, own))
        return false;
    if (e->decodes_strictly)
        return text.len != 0 && (which == IDENTITY_VERSION || e->is_last_mutation);
    if (which == IDENTITY_KIND)
        return text.len == 0 || e->is_last_mutation;
    return e->is_last_mutation && !str_eq(group_of(text), group_of(own)); /* else it may be converted */
}

/* The message about the text in the place of `own`. */
static struct str refusal(struct eval_context *e, enum identity which, struct str text, struct str own)
{
    const struct str name = identity_names[which];
    if (text.len == 0)
        return str_join(e->arena,
                        STR_PARTS(STR("the API server refuses an object without '"), name, STR("'")));
    return str_join(e->arena, STR_PARTS(STR("'"), name, STR("' must stay '"), own,
                                        STR("': the API server refuses the object with '"), text, STR("'")));
}

/* Returns true if the operation changes kind or apiVersion in such a way. Then *out is the failure to
 * report. */
static bool breaks_identity(struct eval_context *e, struct str path, const struct absval *value,
                            struct failure *out)
{
    const enum identity which = find_identity(e->arena, path);
    const struct policy_type *kind = e->kind;
    if (which == IDENTITIES || value->is_error || !(e->decodes_strictly || e->is_custom))
        return false; /* other kinds may be decoded in any way */
    const struct place place = {.type = &type_string, .name = identity_names[which], .is_json = true};
    if (misfits(e, &place, value, out))
        return true;
    const struct str slash = kind->group.len == 0 ? STR("") : STR("/"), empty = STR("");
    const struct str own = which == IDENTITY_KIND
                               ? kind->kind
                               : str_join(e->arena, STR_PARTS(kind->group, slash, kind->version));
    const struct str *text = value->kinds == ABS_NULL ? &empty : absval_constant_string(value);
    if (text == NULL || !is_refused(e, which, *text, own))
        return false;
    *out = (struct failure){
        .message = refusal(e, which, *text, own),
        .about = issue_about_pack(e->arena, &(struct issue_about){.name = identity_names[which]})};
    return true;
}

/* The value that copy and move put there; NULL if the patch has ended. */
static const struct absval *value_from(struct eval_context *e, struct patched *at, const struct node *n,
                                       const struct patch_operation *o, enum operation op)
{
    const struct str *from = constant(o, MEMBER_FROM);
    struct site site = member_site(e, n, o, MEMBER_FROM);
    struct json_patch p = {.arena = e->arena, .types = e->ts, .document = at->document};
    if (from == NULL) {
        *at = op == OP_MOVE ? anywhere(e, *at) : *at;
        return &absval_json;
    }
    const struct failure *failure = NULL;
    if (from->len == 0)
        *at = FAIL_AT(e, *at, eval_context_site(e, n), STR("from"),
                      STR("a JSON patch without a 'from', which '"), *constant(o, MEMBER_OP), STR("' needs"));
    else if (!has_slash(*from))
        *at = no_path(e, *at, site, *from);
    else if ((failure = op == OP_MOVE ? json_patch_remove(&p, *from) : json_patch_get(&p, *from)) != NULL)
        *at = fail_at(e, *at, site, failure);
    if (at->document == NULL)
        return NULL;
    eval_context_pass(e, site);
    at->document = p.document;
    if (op == OP_MOVE)
        take_away(e, at, *from);
    return p.taken;
}

static const struct absval *value_of(struct eval_context *e, struct patched *at, const struct node *n,
                                     const struct patch_operation *o, enum operation op)
{
    if (op == OP_COPY || op == OP_MOVE)
        return value_from(e, at, n, o, op);
    return o->entries[MEMBER_VALUE] == NULL ? &absval_null : json_patch_value(o->values[MEMBER_VALUE]);
}

static struct patched apply_at(struct eval_context *e, struct patched at, const struct node *n,
                               const struct patch_operation *o, enum operation op, struct str path)
{
    struct site site = member_site(e, n, o, MEMBER_PATH);
    const struct absval *value = value_of(e, &at, n, o, op);
    if (value == NULL)
        return at;
    struct json_patch p = {.arena = e->arena, .types = e->ts, .document = at.document};
    const struct failure *failure = op == OP_TEST      ? json_patch_get(&p, path)
                                    : op == OP_REMOVE  ? json_patch_remove(&p, path)
                                    : op == OP_REPLACE ? json_patch_replace(&p, path, value)
                                                       : json_patch_add(&p, path, value);
    if (failure != NULL)
        return fail_at(e, at, site, failure);
    at.document = p.document;
    take_away(e, &at, op == OP_TEST ? (struct str){NULL, 0} : path);
    at.is_tested = at.is_tested || op == OP_TEST;
    const bool is_certain = !at.is_tested && !at.is_trial;
    const bool is_put = op == OP_ADD || op == OP_REPLACE;
    struct pending broken = {.path = path, .site = member_site(e, n, o, is_put ? MEMBER_VALUE : MEMBER_PATH)};
    if (is_certain && breaks_identity(e, path, op == OP_REMOVE ? &absval_null : value, &broken.failure))
        pend(e, &at, &broken);
    else if (is_certain && e->decodes_strictly && op != OP_REMOVE)
        expect(e, &at, n, o, path, value);
    else
        eval_context_pass(e, site);
    return at;
}

/* '/metadata/labels' of '/metadata/labels/' + key; empty: the path does not begin so. */
static struct str known_parent(const struct patch_operation *o)
{
    const struct node *n = o->entries[MEMBER_PATH]->value;
    while (n->kind == NODE_CALL && n->op == AST_ADD)
        n = n->call.args[0];
    if (n->kind != NODE_LITERAL || n->literal.kind != LITERAL_STRING || o->entries[MEMBER_PATH]->optional)
        return STR("");
    size_t len = n->literal.bytes.len;
    while (len > 0 && n->literal.bytes.at[len - 1] != '/')
        len--;
    return (struct str){n->literal.bytes.at, len == 0 ? 0 : len - 1};
}

/* An operation at a path of which only the beginning is known. */
static struct patched apply_within(struct eval_context *e, struct patched at, const struct node *n,
                                   const struct patch_operation *o, enum operation op)
{
    struct site site = member_site(e, n, o, MEMBER_PATH);
    struct str parent = known_parent(o);
    if (value_of(e, &at, n, o, op) == NULL)
        return at;
    struct json_patch p = {.arena = e->arena, .types = e->ts, .document = at.document};
    const struct failure *failure = has_slash(parent) ? json_patch_enter(&p, parent) : NULL;
    if (failure != NULL)
        return fail_at(e, at, site, failure);
    eval_context_pass(e, site);
    if (op == OP_TEST)
        return anything(e, at);
    if (!has_slash(parent))
        return anywhere(e, at);
    (void)json_patch_replace(&p, parent, &absval_json);
    take_away(e, &at, parent);
    at.document = p.document;
    return at;
}

static struct patched apply_operation(struct eval_context *e, struct patched at, const struct node *n,
                                      const struct patch_operation *o)
{
    const struct str *name = constant(o, MEMBER_OP), *path = constant(o, MEMBER_PATH);
    struct site site = member_site(e, n, o, MEMBER_PATH);
    e->scope = o->scope;
    e->scope.unknown |= at.is_tested || at.is_trial;
    e->scope.hypothetical |= at.is_trial;
    if (o->entries[MEMBER_OP] == NULL)
        return FAIL_AT(e, at, eval_context_site(e, n), STR("op"), STR("a JSON patch without an 'op'"));
    if (name == NULL)
        return anything(e, at);
    enum operation op = find_operation(*name);
    if (op == OPS)
        return FAIL_AT(e, at, eval_context_entry(e, o->entries[MEMBER_OP]), *name, STR("'"), *name,
                       STR("' is no operation of a JSON patch"));
    eval_context_pass(e, eval_context_entry(e, o->entries[MEMBER_OP]));
    bool is_whole = path != NULL && path->len == 0 && (op == OP_REPLACE || op == OP_TEST);
    if (is_whole) {
        eval_context_pass(e, site);
        return op == OP_TEST ? anything(e, at) : anywhere(e, at);
    }
    if (path == NULL)
        return apply_within(e, at, n, o, op);
    return has_slash(*path) ? apply_at(e, at, n, o, op, *path) : no_path(e, at, site, *path);
}

/* ---- the list ---- */

static struct patched join(struct eval_context *e, struct patched one, struct patched two)
{
    if (one.document == NULL || two.document == NULL)
        return one.document == NULL ? two : one;
    struct patched both = {.document = absval_join(e->arena, one.document, two.document),
                           .is_tested = one.is_tested || two.is_tested,
                           .is_trial = one.is_trial,
                           .pending = one.pending};
    for (const struct pending *p = two.pending; p != NULL; p = p->next) {
        bool is_shared = false;
        for (const struct pending *q = one.pending; q != NULL && !is_shared; q = q->next) {
            arena_step(e->arena);
            is_shared = p->site.node == q->site.node;
        }
        if (is_shared)
            continue;
        struct pending *copy = ARENA_NEW(e->arena, struct pending);
        *copy = *p;
        copy->next = both.pending;
        both.pending = copy;
    }
    return both;
}

static struct patched apply(struct eval_context *e, struct patched at, const struct node *n, struct str made);

/*
 * Each element adds operations; how many there are is not known. If those of the first one fail, there is no
 * second; else the object may be any that these operations make.
 */
static struct patched apply_macro(struct eval_context *e, struct patched at, const struct comprehension *c)
{
    const struct node *result = c->result;
    if (result->kind != NODE_IDENT || !str_eq(result->ident, c->accu_var))
        return anything(e, at);
    struct patched first = {.document = at.document, .is_tested = at.is_tested, .is_trial = true};
    if (apply(e, first, c->step, c->accu_var).document == NULL) {
        apply(e, at, c->step, c->accu_var);
        return at;
    }
    at = anywhere(e, at);
    return join(e, at, apply(e, at, c->step, c->accu_var));
}

static struct patched apply_call(struct eval_context *e, struct patched at, const struct node *n,
                                 struct str made)
{
    struct node *const *args = n->call.args;
    if (n->op == AST_CONDITIONAL)
        return join(e, apply(e, at, args[1], made), apply(e, at, args[2], made));
    if (n->op == AST_ADD)
        return apply(e, apply(e, at, args[0], made), args[1], made);
    return anything(e, at);
}

/* The document after the operations of the list `n`, or after the one operation `n`. Recurses as deep as the
 * tree is. */
static struct patched apply(struct eval_context *e, struct patched at, const struct node *n, struct str made)
{
    arena_step(e->arena);
    if (at.document == NULL)
        return at;
    if (n->kind == NODE_STRUCT) {
        const struct patched nowhere = {.document = NULL};
        const struct patch_operation *o = e->operations[n->id];
        return o == NULL ? nowhere : apply_operation(e, at, n, o);
    }
    for (size_t i = 0; n->kind == NODE_LIST && i < n->list.count; i++) {
        bool is_optional = n->list.optional != NULL && n->list.optional[i];
        at = is_optional ? anything(e, at) : apply(e, at, n->list.elements[i], made);
    }
    if (n->kind == NODE_LIST || (n->kind == NODE_IDENT && made.len != 0 && str_eq(n->ident, made)))
        return at;
    if (n->kind == NODE_COMPREHENSION)
        return apply_macro(e, at, n->comprehension);
    return n->kind == NODE_CALL ? apply_call(e, at, n, made) : anything(e, at);
}

/* ---- what the next mutation finds ---- */

/* The operation of a patch that has only one; NULL if it has others, or is not written so. */
static const struct patch_operation *only_operation(const struct eval_context *e, const struct node *root)
{
    bool is_one = root->kind == NODE_LIST && root->list.count == 1 && root->list.optional == NULL &&
                  root->list.elements[0]->kind == NODE_STRUCT;
    return is_one ? e->operations[root->list.elements[0]->id] : NULL;
}

/* Returns true if its last part is the key of a map; *parent is the path without it, empty for the root. */
static bool has_key(struct str path, struct str *parent)
{
    size_t len = path.len;
    while (len > 0 && path.at[len - 1] != '/')
        len--;
    struct str last = {path.at + len, path.len - len};
    *parent = (struct str){path.at, len == 0 ? 0 : len - 1};
    return len > 0 && !json_pointer_is_index(last) && !str_eq(last, STR("-"));
}

/*
 * The object that the patch failed on, and that the next mutation finds as it was: what one operation alone
 * needs is not there. Returns NULL if it never fails.
 */
static const struct absval *left_by_failure(struct eval_context *e, const struct node *root,
                                            const struct absval *object)
{
    const struct patch_operation *o = only_operation(e, root);
    const struct str *name = o == NULL ? NULL : constant(o, MEMBER_OP);
    const struct str *path = o == NULL ? NULL : constant(o, MEMBER_PATH);
    struct str needed;
    if (name == NULL || path == NULL || !has_key(*path, &needed))
        return object;
    enum operation op = find_operation(*name);
    if (op == OP_REMOVE)
        needed = *path;
    else if (op != OP_ADD && op != OP_REPLACE)
        return object;
    if (needed.len == 0) /* of an object, which is there; but what is put there may not be decoded */
        return o->entries[MEMBER_VALUE] != NULL && absval_is_empty(o->values[MEMBER_VALUE]) ? NULL : object;
    struct json_patch p = {.arena = e->arena, .types = e->ts, .document = object};
    return has_slash(needed) && json_patch_remove(&p, needed) == NULL ? p.document : object;
}

const struct absval *patch_sequence_end(struct eval_context *e, const struct ast *ast,
                                        const struct absval *result, const struct absval *object)
{
    struct scope outer = e->scope;
    struct patched at = {.document = object};
    if (result->is_error)
        return object;
    at = apply(e, at, ast->root, STR(""));
    decode(e, &at);
    e->scope = outer;
    const bool is_whole = at.is_tested || !e->decodes_strictly;
    const struct absval *unpatched = is_whole ? object : left_by_failure(e, ast->root, object);
    const struct absval *left = absval_join(e->arena, at.document, unpatched);
    return left == NULL ? object : left;
}
