#include "typecheck/policy/author/witness/completion.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/default_rows.h"
#include "typecheck/cel/schema/given_when.h"
#include "typecheck/cel/schema/go_type.h"
#include "typecheck/cel/schema/graph.h"

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
    struct choices *choices; /* NULL: nothing is changed */
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

/* Whether the schema has such a field: those of older servers lack some. */
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

static bool holds(const struct completion *c, struct sample *s, const struct condition *condition)
{
    const struct sample *found = find(c, s, condition->path);
    const bool is_so = condition->value == NULL
                           ? found != NULL
                           : found != NULL && str_eq(found->text, str_of(condition->value));
    return is_so != condition->is_denied;
}

static bool all_hold(const struct completion *c, struct sample *s, const char *when, struct str version)
{
    while (*when != '\0') {
        struct condition condition;
        bool is_so;
        const struct str word = {when, strcspn(when, " ")};
        when = read_condition(when, &condition);
        if (default_rows_is_version(word, version, c->minor, &is_so) ? !is_so : !holds(c, s, &condition))
            return false;
    }
    return true;
}

/* Sets a field whose absence is a condition; false: there is none. */
static bool deny(const struct completion *c, struct sample *s, const char *when)
{
    while (*when != '\0') {
        struct condition condition;
        when = read_condition(when, &condition);
        if (!condition.is_denied || *condition.path == '/' || find(c, s, condition.path) != NULL)
            continue;
        struct sample *made = add(c, s, condition.path);
        if (made != NULL &&
            (condition.value == NULL || sample_set_string(made, str_copy(c->arena, str_of(condition.value)))))
            return true;
    }
    return false;
}

/* ---- fields ---- */

static void set_value(const struct completion *c, struct sample *s, const char *value)
{
    if (*value == '"')
        (void)sample_set_string(s, str_copy(c->arena, (struct str){value + 1, strlen(value) - 2}));
    else if (isdigit((unsigned char)*value))
        (void)sample_set_int(c->arena, s, strtol(value, NULL, 10));
}

/* False: the field is missing, and nothing is changed. */
static bool meet(const struct completion *c, struct sample *s, const struct demand *demand,
                 struct str version)
{
    if (!all_hold(c, s, demand->when, version) || find(c, s, demand->field) != NULL ||
        !can_have(c, s, demand->field))
        return true;
    if (c->choices == NULL)
        return false;
    if (strchr(demand->when, '!') != NULL && choices_take(c->choices, 2) == 0 && deny(c, s, demand->when))
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
        if (is_demand(row, name->version, c->minor) && !meet(c, s, &demand, name->version))
            return false;
    }
    for (size_t i = 0; i < given_when_count; i++) {
        const struct given_when_row *row = &given_when_rows[i];
        const struct demand demand = {row->field, row->when, NULL};
        arena_step(c->arena);
        if (given_when_is_of(row, name) && !meet(c, s, &demand, name->version))
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

bool completion_is_whole(struct arena *a, struct sample *object, int minor)
{
    const struct completion c = {.arena = a, .root = object, .minor = minor};
    return complete(&c, object, 0);
}

void completion_make_whole(struct arena *a, struct sample *object, int minor, struct choices *choices)
{
    const struct completion c = {.arena = a, .root = object, .choices = choices, .minor = minor};
    (void)complete(&c, object, 0);
}
