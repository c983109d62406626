#include "typecheck/policy/author/witness/required_fields.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/default_rows.h"
#include "typecheck/cel/schema/given_when.h"
#include "typecheck/cel/schema/go_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/valid_fields.h"
#include "typecheck/cel/types/type.h"

/* Levels of an object. */
enum { DEPTH = 64 };

/* A field that is asked for under conditions. */
struct demand {
    const char *field, *when;
    const char *value; /* JSON; NULL: any */
};

struct completion {
    struct arena *arena;
    struct sample *root;
    struct choices *choices; /* the choices of a search; NULL if nothing is to be changed */
    int minor;
};

/* ---- paths ---- */

/* The first part of a path, and what stands behind it. */
static struct str cut(const char *path, const char **rest)
{
    const size_t len = *path == '[' ? strcspn(path, "]") + 1 : strcspn(path, ".[");
    const struct str part = *path == '[' ? (struct str){path + 1, len - 2} : (struct str){path, len};
    *rest = path + len + (path[len] == '.');
    return part;
}

static struct sample *find(const struct completion *c, struct sample *s, const char *path)
{
    if (*path == '/') {
        s = c->root;
        path++;
    }
    while (s != NULL && *path != '\0')
        s = sample_find(s, cut(path, &path));
    return s == NULL || s->kind == SAMPLE_NULL || sample_is_left_out(s) ? NULL : s;
}

static struct sample *add(const struct completion *c, struct sample *s, const char *path)
{
    while (s != NULL && *path != '\0')
        s = sample_field(c->arena, s, cut(path, &path));
    if (s != NULL && s->kind == SAMPLE_NULL)
        sample_reset(c->arena, s);
    if (s != NULL && sample_is_left_out(s))
        (void)sample_resize(c->arena, s, 1);
    return s;
}

/* Returns true if the schema has such a field: those of older servers lack some. */
static bool can_have(const struct completion *c, const struct sample *s, const char *path)
{
    struct sample empty = {.schema = s->schema, .kind = SAMPLE_MAP};
    return add(c, &empty, path) != NULL;
}

/* ---- conditions ---- */

/* A word of `when`, taken apart. */
struct condition {
    char path[128];
    const char *value; /* in the path's bytes; NULL: whether the field is set */
    bool is_denied;    /* a.b!=x, !a.b */
};

static const char *read_condition(const char *when, struct condition *out)
{
    const size_t len = strcspn(when, " "), used = len < sizeof out->path ? len : sizeof out->path - 1;
    memcpy(out->path, when, used);
    out->path[used] = '\0';
    char *equals = strchr(out->path, '=');
    out->value = equals == NULL ? NULL : equals + 1;
    out->is_denied = equals == NULL ? *out->path == '!' : equals[-1] == '!';
    if (equals != NULL)
        equals[out->is_denied ? -1 : 0] = '\0';
    else if (out->is_denied)
        memmove(out->path, out->path + 1, used);
    return when + len + (when[len] == ' ');
}

/* The text that a server sets in a field of every object of the type that lacks it; empty: it sets none. */
static struct str default_text(const struct completion *c, const struct component_name *name,
                               const char *field)
{
    const struct default_rows rows = default_rows_of(name);
    for (size_t i = 0; i < rows.count; i++) {
        const struct default_row *row = &rows.list[i];
        arena_step(c->arena);
        if (row->stage == DEFAULT_ROWS_DECODED && row->how != DEFAULT_ROWS_DROP && *row->value == '"' &&
            strcmp(row->field, field) == 0 && default_rows_is_always(row, name->version, c->minor))
            return (struct str){row->value + 1, strlen(row->value) - 2};
    }
    return STR("");
}

static bool holds(const struct completion *c, struct sample *s, const struct component_name *name,
                  const struct condition *condition)
{
    const struct sample *found = find(c, s, condition->path);
    if (condition->value == NULL)
        return (found != NULL) != condition->is_denied;
    const struct str text = found == NULL ? default_text(c, name, condition->path) : found->text;
    return str_eq(text, str_of(condition->value)) != condition->is_denied;
}

static bool all_hold(const struct completion *c, struct sample *s, const struct component_name *name,
                     const char *when)
{
    while (*when != '\0') {
        struct condition condition;
        bool is_so;
        const struct str word = {when, strcspn(when, " ")};
        when = read_condition(when, &condition);
        if (default_rows_is_version(word, name->version, c->minor, &is_so) ? !is_so
                                                                           : !holds(c, s, name, &condition))
            return false;
    }
    return true;
}

/* Another value of the field's enumeration; empty: there is none. */
static struct str other_word(const struct completion *c, const struct sample *s,
                             const struct condition *condition)
{
    const struct str component = schema_graph_component(s->schema.doc, s->schema.node);
    const struct enumeration *e = valid_fields_enumeration(component, str_of(condition->path));
    const struct type_words *words = e == NULL ? NULL : valid_fields_words(c->arena, e, c->minor);
    for (size_t i = 0; words != NULL && i < words->count; i++) {
        if (words->list[i].len != 0 && !str_eq(words->list[i], str_of(condition->value)))
            return words->list[i];
    }
    return STR("");
}

/* Makes the condition false, if that is done by a field that is not there: by the field whose absence is the
 * condition, or by another value than the one that a server sets. */
static bool deny_one(const struct completion *c, struct sample *s, const struct condition *condition)
{
    struct str text = STR("");
    if (*condition->path == '/' || find(c, s, condition->path) != NULL)
        return false;
    if (condition->value != NULL)
        text = condition->is_denied ? str_of(condition->value) : other_word(c, s, condition);
    else if (!condition->is_denied)
        return false;
    if (condition->value != NULL && text.len == 0)
        return false;
    struct sample *made = add(c, s, condition->path);
    return made != NULL && (text.len == 0 || sample_set_string(made, str_copy(c->arena, text)));
}

static bool deny(const struct completion *c, struct sample *s, const char *when)
{
    bool is_denied = false;
    while (*when != '\0' && !is_denied) {
        struct condition condition;
        when = read_condition(when, &condition);
        is_denied = deny_one(c, s, &condition);
    }
    return is_denied;
}

/* ---- fields ---- */

static void set_value(const struct completion *c, struct sample *s, const char *value)
{
    if (*value == '"')
        (void)sample_set_string(s, str_copy(c->arena, (struct str){value + 1, strlen(value) - 2}));
    else if (isdigit((unsigned char)*value))
        (void)sample_set_int(c->arena, s, strtol(value, NULL, 10));
}

/* Removes one of two fields that exclude each other. Returns false if both must stay; then nothing is
 * changed. */
static bool leave_out(const struct completion *c, struct sample *s, const char *field, const char *other)
{
    struct sample *found = find(c, s, field);
    if (found == NULL)
        return true;
    if (c->choices == NULL)
        return false;
    return sample_remove(s, choices_take(c->choices, 2) == 0 ? found : find(c, s, other));
}

/* Returns false if the field is missing; then nothing is changed. */
static bool meet(const struct completion *c, struct sample *s, const struct demand *demand,
                 const struct component_name *name)
{
    if (!all_hold(c, s, name, demand->when))
        return true;
    if (*demand->field == '!')
        return leave_out(c, s, demand->field + 1, demand->when);
    if (find(c, s, demand->field) != NULL || !can_have(c, s, demand->field))
        return true;
    if (c->choices == NULL)
        return false;
    if (strpbrk(demand->when, "!=") != NULL && choices_take(c->choices, 2) == 0 && deny(c, s, demand->when))
        return true;
    struct sample *made = add(c, s, demand->field);
    if (made != NULL && demand->value != NULL)
        set_value(c, made, demand->value);
    return true;
}

/* A row that sets a field under conditions that the object fulfils. */
static bool is_demand(const struct default_row *row, struct str version, int minor)
{
    return row->stage == DEFAULT_ROWS_DECODED &&
           (row->how == DEFAULT_ROWS_SET || row->how == DEFAULT_ROWS_FILL) && *row->field != '\0' &&
           strcmp(row->value, "@drop") != 0 && *row->when != '\0' &&
           !default_rows_is_always(row, version, minor);
}

static bool meet_all(const struct completion *c, struct sample *s, const struct component_name *name)
{
    const struct default_rows rows = default_rows_of(name);
    for (size_t i = 0; i < rows.count; i++) {
        const struct default_row *row = &rows.list[i];
        const struct demand demand = {row->field, row->when, row->value};
        arena_step(c->arena);
        if (is_demand(row, name->version, c->minor) && !meet(c, s, &demand, name))
            return false;
    }
    for (size_t i = 0; i < given_when_count; i++) {
        const struct given_when_row *row = &given_when_rows[i];
        const struct demand demand = {row->field, row->when, NULL};
        arena_step(c->arena);
        if (given_when_is_of(row, name) && !meet(c, s, &demand, name))
            return false;
    }
    return true;
}

static struct str type_name(const struct completion *c, const struct sample *s)
{
    struct go_type type;
    if (s->schema.node == NULL)
        return STR("");
    if (s == c->root)
        return go_type_of_resource(s->schema.doc, s->schema.node, &type) ? go_type_name(&type) : STR("");
    return schema_graph_component(s->schema.doc, s->schema.node);
}

static bool complete(const struct completion *c, struct sample *s, unsigned depth)
{
    struct component_name name;
    bool is_whole = true;
    if (depth > DEPTH)
        return true;
    if (s->kind == SAMPLE_MAP && component_name_split(type_name(c, s), &name))
        is_whole = meet_all(c, s, &name);
    for (struct sample *part = s->first; part != NULL && is_whole; part = part->next)
        is_whole = complete(c, part, depth + 1);
    return is_whole;
}

bool required_fields_are_there(struct arena *a, struct sample *object, int minor)
{
    const struct completion c = {.arena = a, .root = object, .minor = minor};
    return complete(&c, object, 0);
}

void required_fields_complete(struct arena *a, struct sample *object, int minor, struct choices *choices)
{
    const struct completion c = {.arena = a, .root = object, .choices = choices, .minor = minor};
    (void)complete(&c, object, 0);
}
