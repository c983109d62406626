#include "typecheck/cel/types/decl.h"

#include <assert.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/celgo.h"

/* More arguments or type parameters than any overload has. */
#define MAX_ARGS   8
#define MAX_PARAMS 4

/* The column `when` of functions.def; an empty one is none of these. */
#define FROM_ALWAYS        .since = 0
#define FROM_SINCE(minor)  .since = (minor)
#define FROM_WITH(feature) .flag = offsetof(struct celgo, feature)

const struct decl decl_functions[] = {
#define FUNCTION(library, function, overload, signature, when, call, price, estimate)                        \
    {function, overload, signature, DECL_##library, FROM_##when},
#include "typecheck/cel/types/functions.def"
};
const size_t decl_function_count = sizeof decl_functions / sizeof *decl_functions;

const struct decl_older decl_older[] = {
#define BEFORE(feature, overload, call, price) {offsetof(struct celgo, feature), STR_INIT(overload)},
#include "typecheck/cel/types/functions.def"
};
const size_t decl_older_count = sizeof decl_older / sizeof *decl_older;

const struct decl_type decl_types[] = {
#define TYPE(name, full_name, kind, when) {name, full_name, kind, FROM_##when},
#include "typecheck/cel/types/functions.def"
    {NULL, NULL, TYPE_ERROR, 0},
};

static const struct {
    struct str name;
    const struct type *type;
} scalars[] = {
    {STR_INIT("any"), &type_any},           {STR_INIT("bool"), &type_bool},
    {STR_INIT("bytes"), &type_bytes},       {STR_INIT("double"), &type_double},
    {STR_INIT("duration"), &type_duration}, {STR_INIT("dyn"), &type_dyn},
    {STR_INIT("int"), &type_int},           {STR_INIT("null"), &type_null},
    {STR_INIT("string"), &type_string},     {STR_INIT("timestamp"), &type_timestamp},
    {STR_INIT("type"), &type_type},         {STR_INIT("uint"), &type_uint},
};

struct reader {
    struct types *ts;
    const struct decl_type *named;
    const char *at;
};

static bool accept(struct reader *r, const char *text)
{
    size_t len = strlen(text);
    if (strncmp(r->at, text, len) != 0)
        return false;
    r->at += len;
    return true;
}

static void expect(struct reader *r, const char *text)
{
    bool found = accept(r, text);
    assert(found);
    (void)found;
}

/* Name : "dyn" | ... | a capital letter | a name of the table of types */
static const struct type *read_name(struct reader *r)
{
    struct str name = {r->at, strcspn(r->at, "(), ")};
    /* A receiver ends at ".(". */
    if (name.len != 0 && name.at[name.len] == '(' && name.at[name.len - 1] == '.')
        name.len--;
    r->at += name.len;
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        if (str_eq(name, scalars[i].name))
            return scalars[i].type;
    }
    if (name.len == 1)
        return types_param(r->ts, name);
    for (const struct decl_type *t = r->named; t->name != NULL; t++) {
        if (!str_eq(name, str_of(t->name)))
            continue;
        if (t->kind == TYPE_OBJECT)
            return types_object(r->ts, str_of(t->full_name), NULL, NULL);
        return types_opaque(r->ts, str_of(t->full_name), NULL, 0);
    }
    assert(!"a type of a table is unknown");
    return &type_error;
}

/* Type : Name | ("list" | "optional" | "type" | "wrapper") "(" Type ")" | "map" "(" Type ", " Type ")" */
static const struct type *read_type(struct reader *r)
{
    const struct type *(*make)(struct types * ts, const struct type *t) = NULL;
    if (accept(r, "map(")) {
        const struct type *key = read_type(r);
        expect(r, ", ");
        const struct type *value = read_type(r);
        expect(r, ")");
        return types_map(r->ts, key, value);
    }
    if (accept(r, "list("))
        make = types_list;
    else if (accept(r, "optional("))
        make = types_optional;
    else if (accept(r, "type("))
        make = types_type;
    else if (accept(r, "wrapper("))
        make = types_wrapper;
    if (make == NULL)
        return read_name(r);
    const struct type *inner = read_type(r);
    expect(r, ")");
    return make(r->ts, inner);
}

const struct type *decl_read_type(struct types *ts, const char *text, const struct decl_type *named)
{
    struct reader r = {.ts = ts, .named = named, .at = text};
    const struct type *t = read_type(&r);
    assert(*r.at == '\0');
    return t;
}

static const struct type *const *copy_types(struct types *ts, const struct type *const *list, size_t count)
{
    const struct type **copy = ARENA_ARRAY(types_arena(ts), count, const struct type *);
    for (size_t i = 0; i < count; i++)
        copy[i] = list[i];
    return copy;
}

/* Adds the type parameters in `t` that are not in `params` yet. */
static void collect_params(const struct type *t, const struct type **params, size_t *count)
{
    if (t->kind == TYPE_PARAM) {
        for (size_t i = 0; i < *count; i++) {
            if (params[i] == t)
                return;
        }
        assert(*count < MAX_PARAMS);
        params[(*count)++] = t;
    }
    for (size_t i = 0; i < t->param_count; i++)
        collect_params(t->params[i], params, count);
}

/* Signature : [Type "."] "(" [Type {", " Type}] ") -> " Type */
void decl_read(struct types *ts, const struct decl *row, const struct decl_type *named, struct overload *out)
{
    struct reader r = {.ts = ts, .named = named, .at = row->signature};
    const struct type *args[MAX_ARGS];
    size_t count = 0;
    out->id = str_of(row->id);
    out->receiver = *r.at != '(';
    if (out->receiver) {
        args[count++] = read_type(&r);
        expect(&r, ".");
    }
    expect(&r, "(");
    for (bool first = true; !accept(&r, ")"); first = false) {
        if (!first)
            expect(&r, ", ");
        assert(count < MAX_ARGS);
        args[count++] = read_type(&r);
    }
    expect(&r, " -> ");
    out->result = read_type(&r);
    assert(*r.at == '\0');
    out->args = copy_types(ts, args, count);
    out->arg_count = count;

    const struct type *params[MAX_PARAMS];
    out->param_count = 0;
    collect_params(out->result, params, &out->param_count);
    for (size_t i = 0; i < count; i++)
        collect_params(args[i], params, &out->param_count);
    out->params = copy_types(ts, params, out->param_count);
}
