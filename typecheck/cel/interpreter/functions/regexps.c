#include "typecheck/cel/interpreter/functions/regexps.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/regexp/match.h"
#include "typecheck/cel/regexp/regexp.h"

bool regexps_take_pattern(struct str function)
{
    return str_eq(function, STR("matches")) || str_eq(function, STR("find")) ||
           str_eq(function, STR("findAll"));
}

/*
 * The pattern's program and its text; else the error. If the pattern is constant, Go looks at its own value
 * of an argument: a type's name, or the value in an optional.
 */
static const struct value *prepare(const struct invocation *c, enum unicode_edition edition,
                                   const char *prefix, const struct regexp_program **program,
                                   struct str *text)
{
    const struct value *v = c->args[0];
    struct str message;
    while (c->pattern != NULL && v->kind == VALUE_OPTIONAL && v->inner != NULL)
        v = v->inner;
    *text = v->text;
    *program = c->pattern;
    if (c->pattern != NULL && v->kind != VALUE_STRING && v->kind != VALUE_TYPE)
        return value_no_overload(c->arena);
    if (c->pattern == NULL && c->args[1]->kind != VALUE_STRING)
        return value_no_overload(c->arena);
    if (c->pattern == NULL)
        *program = regexp_compile(c->arena, c->args[1]->text, edition, &message);
    if (*program == NULL)
        return value_error(c->arena, str_join(c->arena, STR_PARTS(str_of(prefix), message)));
    return NULL;
}

static const struct value *matches(const struct invocation *c, enum unicode_edition edition)
{
    const struct regexp_program *program;
    struct str text;
    const struct value *error = prepare(c, edition, "", &program, &text);
    return error != NULL ? error : value_bool(regexp_match_any(c->arena, program, text));
}

static const struct value *part(struct arena *a, struct str text, struct regexp_span span)
{
    return value_string(a, (struct str){text.at + span.from, span.to - span.from});
}

static const struct value *find(const struct invocation *c, enum unicode_edition edition)
{
    const struct regexp_program *program;
    struct str text;
    struct regexp_span span = {0, 0};
    const struct value *error = prepare(c, edition, "Illegal regex: ", &program, &text);
    if (error != NULL)
        return error;
    (void)regexp_match_find(c->arena, program, text, 0, &span);
    return part(c->arena, text, span);
}

static const struct value *find_all(const struct invocation *c, enum unicode_edition edition)
{
    const struct regexp_program *program;
    struct str text;
    struct regexp_span span;
    if (c->count == 3 && c->args[2]->kind != VALUE_INT)
        return value_no_overload(c->arena);
    const struct value *error = prepare(c, edition, "Illegal regex: ", &program, &text);
    if (error != NULL)
        return error;
    /* a negative number is no limit */
    uint64_t most = c->count == 3 ? (uint64_t)c->args[2]->integer : UINT64_MAX;
    struct value *found = value_new_list(c->arena, 0);
    struct regexp_walk walk = {.text = text};
    while (found->list->count < most && regexp_match_next(c->arena, program, &walk, &span))
        value_append(c->arena, found->list, part(c->arena, text, span));
    return found;
}

const struct value *regexps_matches(const struct invocation *c)
{
    return matches(c, UNICODE_17);
}

const struct value *regexps_find(const struct invocation *c)
{
    return find(c, UNICODE_17);
}

const struct value *regexps_find_all(const struct invocation *c)
{
    return find_all(c, UNICODE_17);
}

const struct value *regexps_matches_unicode_15(const struct invocation *c)
{
    return matches(c, UNICODE_15);
}

const struct value *regexps_find_unicode_15(const struct invocation *c)
{
    return find(c, UNICODE_15);
}

const struct value *regexps_find_all_unicode_15(const struct invocation *c)
{
    return find_all(c, UNICODE_15);
}
