#include "typecheck/cel/interpreter/values/authorizations.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/unicode.h"
#include "typecheck/cel/interpreter/values/named_formats.h"

static const struct value *new_value(struct arena *a, const struct authorization *x)
{
    struct authorization *copy = ARENA_NEW(a, struct authorization);
    struct value *v = ARENA_NEW(a, struct value);
    *copy = *x;
    v->kind = VALUE_AUTHORIZATION;
    v->authorization = copy;
    return v;
}

const struct value *authorizations_authorizer_value(struct arena *a, const struct authorizer *authorizer)
{
    const struct authorization x = {.type = AUTHORIZATIONS_AUTHORIZER, .authorizer = authorizer};
    return new_value(a, &x);
}

const struct value *authorizations_resource_value(struct arena *a, const struct authorizer *authorizer,
                                                  const struct authorizer_question *question)
{
    const struct authorization x = {
        .type = AUTHORIZATIONS_RESOURCE_CHECK, .authorizer = authorizer, .question = *question};
    return new_value(a, &x);
}

/* ---- questions ---- */

static bool is_blank(struct arena *a, struct str s)
{
    arena_pay_bytes(a, s.len);
    return unicode_trimmed(s).len == 0;
}

const struct value *authorizations_path(const struct invocation *c)
{
    struct authorization x = *c->args[0]->authorization;
    if (is_blank(c->arena, c->args[1]->text))
        return value_error(c->arena, STR("path must not be empty"));
    x.type = AUTHORIZATIONS_PATH_CHECK;
    x.question.path = c->args[1]->text;
    return new_value(c->arena, &x);
}

const struct value *authorizations_group(const struct invocation *c)
{
    struct authorization x = *c->args[0]->authorization;
    x.type = AUTHORIZATIONS_GROUP_CHECK;
    x.question.group = c->args[1]->text;
    return new_value(c->arena, &x);
}

const struct value *authorizations_resource(const struct invocation *c)
{
    struct authorization x = *c->args[0]->authorization;
    if (is_blank(c->arena, c->args[1]->text))
        return value_error(c->arena, STR("resource must not be empty"));
    x.type = AUTHORIZATIONS_RESOURCE_CHECK;
    x.question.resource = c->args[1]->text;
    return new_value(c->arena, &x);
}

const struct value *authorizations_service_account(const struct invocation *c)
{
    struct authorization x = *c->args[0]->authorization;
    struct str namespace = c->args[1]->text, name = c->args[2]->text;
    if (!named_formats_is_subdomain(c->arena, name))
        return value_error(c->arena, STR("Invalid service account name"));
    if (!named_formats_is_label(c->arena, namespace))
        return value_error(c->arena, STR("Invalid service account namespace"));
    x.question.account_namespace = namespace;
    x.question.account = name;
    return new_value(c->arena, &x);
}

const struct value *authorizations_refine(const struct invocation *c)
{
    struct authorization x = *c->args[0]->authorization;
    const struct {
        struct str function;
        struct str *part;
    } parts[] = {
        {STR("subresource"), &x.question.subresource},
        {STR("namespace"), &x.question.namespace},
        {STR("name"), &x.question.name},
        {STR("fieldSelector"), &x.question.field_selector},
        {STR("labelSelector"), &x.question.label_selector},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (str_eq(c->function, parts[i].function))
            *parts[i].part = c->args[1]->text;
    }
    return new_value(c->arena, &x);
}

/* ---- answers ---- */

const struct value *authorizations_check(const struct invocation *c)
{
    struct authorization x = *c->args[0]->authorization;
    x.type = AUTHORIZATIONS_DECISION;
    x.question.verb = c->args[1]->text;
    if (x.authorizer != NULL && x.authorizer->answer(x.authorizer->user, c->arena, &x.question, &x.answer))
        return new_value(c->arena, &x);
    *c->missing = STR("vapcheck does not evaluate what the authorizer is asked without its answer");
    return &value_null;
}

const struct value *authorizations_allowed(const struct invocation *c)
{
    return value_bool(c->args[0]->authorization->answer.is_allowed);
}

const struct value *authorizations_errored(const struct invocation *c)
{
    return value_bool(c->args[0]->authorization->answer.error.len != 0);
}

const struct value *authorizations_error(const struct invocation *c)
{
    return value_string(c->arena, c->args[0]->authorization->answer.error);
}

const struct value *authorizations_reason(const struct invocation *c)
{
    return value_string(c->arena, c->args[0]->authorization->answer.reason);
}
