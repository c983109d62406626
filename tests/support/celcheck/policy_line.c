#include "tests/support/celcheck/policy_line.h"

#include <stdio.h>

#include "tests/support/celcheck/answers.h"
#include "tests/support/celcheck/json_out.h"
#include "tests/support/celcheck/schemas.h"
#include "typecheck/base/arena.h"
#include "typecheck/base/jsonread.h"
#include "typecheck/policy/run/policy_run.h"

enum { FIRST_ITEMS = 4 };

static struct str read_string(struct jsonread *r)
{
    if (jsonread_peek(r) == JSONREAD_STRING)
        return jsonread_string(r);
    jsonread_skip(r);
    return STR("");
}

/* The text of the value that comes next; empty: null. */
static struct str read_raw(struct jsonread *r)
{
    bool is_null = jsonread_peek(r) == JSONREAD_NULL;
    size_t start = r->at;
    jsonread_skip(r);
    return is_null ? STR("") : (struct str){r->text.at + start, r->at - start};
}

static bool open_object(struct jsonread *r)
{
    return jsonread_peek(r) == JSONREAD_OBJECT && jsonread_open(r);
}

/* The expressions that were read. */
struct reading {
    struct jsonread *r;
    struct policy_expression *list;
    size_t count, cap;
};

static struct policy_expression *add(struct reading *l, enum policy_place place, struct str text)
{
    ARENA_ROOM(l->r->arena, l->list, l->count, l->cap, FIRST_ITEMS);
    l->list[l->count] = (struct policy_expression){.place = place, .text = text};
    return &l->list[l->count++];
}

/* Entries of a list with texts, whose expression is one of them. name: of the member that names it. */
static void read_named(struct reading *l, enum policy_place place, const char *name, const char *expression)
{
    if (jsonread_peek(l->r) != JSONREAD_ARRAY || !jsonread_open(l->r))
        return;
    while (jsonread_element(l->r) && open_object(l->r)) {
        struct policy_expression *one = add(l, place, STR(""));
        struct str message = STR("");
        for (struct str key; jsonread_member(l->r, &key);) {
            struct str text = read_string(l->r);
            if (str_eq(key, str_of(name)))
                one->name = text;
            else if (str_eq(key, str_of(expression)))
                one->text = text;
            else if (str_eq(key, STR("message")))
                one->message = text;
            else if (str_eq(key, STR("reason")))
                one->reason = text;
            else if (str_eq(key, STR("messageExpression")))
                message = text;
        }
        if (place == POLICY_VALIDATION && message.len != 0)
            add(l, POLICY_MESSAGE, message);
    }
}

static void read_mutations(struct reading *l)
{
    struct jsonread *r = l->r;
    if (jsonread_peek(r) != JSONREAD_ARRAY || !jsonread_open(r))
        return;
    while (jsonread_element(r) && open_object(r)) {
        struct policy_expression *one = add(l, POLICY_APPLY_CONFIGURATION, STR(""));
        for (struct str key; jsonread_member(r, &key);) {
            bool is_patch = str_eq(key, STR("jsonPatch"));
            if ((!is_patch && !str_eq(key, STR("applyConfiguration"))) || !open_object(r)) {
                jsonread_skip(r);
                continue;
            }
            one->place = is_patch ? POLICY_JSON_PATCH : POLICY_APPLY_CONFIGURATION;
            for (struct str name; jsonread_member(r, &name);)
                one->text = read_string(r);
        }
    }
}

static void read_spec(struct jsonread *r, struct policy *p)
{
    struct reading l = {.r = r};
    for (struct str key; jsonread_member(r, &key);) {
        if (str_eq(key, STR("matchConditions")))
            read_named(&l, POLICY_MATCH_CONDITION, "name", "expression");
        else if (str_eq(key, STR("variables")))
            read_named(&l, POLICY_VARIABLE, "name", "expression");
        else if (str_eq(key, STR("auditAnnotations")))
            read_named(&l, POLICY_AUDIT_ANNOTATION, "key", "valueExpression");
        else if (str_eq(key, STR("validations")))
            read_named(&l, POLICY_VALIDATION, "", "expression");
        else if (str_eq(key, STR("mutations")))
            read_mutations(&l);
        else if (str_eq(key, STR("reinvocationPolicy")))
            p->is_reinvoked = str_eq(read_string(r), STR("IfNeeded"));
        else if (str_eq(key, STR("failurePolicy")))
            p->ignores_failures = str_eq(read_string(r), STR("Ignore"));
        else if (str_eq(key, STR("paramKind")))
            p->has_params = read_raw(r).len != 0;
        else
            jsonread_skip(r);
    }
    p->expressions = l.list;
    p->count = l.count;
}

static bool read_line(struct jsonread *r, struct policy *policy, struct answers *table,
                      struct policy_run_request *request)
{
    bool has_policy = false;
    if (!open_object(r))
        return false;
    for (struct str key; jsonread_member(r, &key);) {
        if (str_eq(key, STR("policy"))) {
            has_policy = open_object(r);
            if (!has_policy)
                return false;
            read_spec(r, policy);
        } else if (str_eq(key, STR("object")))
            request->object = read_raw(r);
        else if (str_eq(key, STR("authorizer")))
            request->authorizer = answers_read(r, table);
        else if (str_eq(key, STR("oldObject")))
            request->old_object = read_raw(r);
        else if (str_eq(key, STR("params")))
            request->params = read_raw(r);
        else if (str_eq(key, STR("request")))
            request->request = read_raw(r);
        else if (str_eq(key, STR("namespaceObject")))
            request->namespace_object = read_raw(r);
        else
            jsonread_skip(r);
    }
    return has_policy && jsonread_end(r);
}

/* Left out if it is empty. */
static void print_member(const char *name, struct str text)
{
    if (text.len == 0)
        return;
    printf(",\"%s\":", name);
    json_out_string(text);
}

static void print_result(const struct policy_run_result *result)
{
    static const char *const outcomes[] = {"admit", "deny", "error"};
    static const char *const publications[] = {"publish", "exclude", "error"};
    for (size_t i = 0; i < result->decision_count; i++) {
        const struct policy_run_decision *d = &result->decisions[i];
        fputs(i == 0 ? ",\"decisions\":[" : ",", stdout);
        printf("{\"evaluation\":\"%s\",\"action\":\"%s\"", outcomes[d->outcome],
               d->is_denial ? "deny" : "admit");
        print_member("message", d->message);
        print_member("reason", d->reason);
        fputs(i + 1 == result->decision_count ? "}]" : "}", stdout);
    }
    print_member("mutated", result->mutated);
    for (size_t i = 0; i < result->annotation_count; i++) {
        const struct policy_run_annotation *x = &result->annotations[i];
        fputs(i == 0 ? ",\"annotations\":[{\"key\":" : ",{\"key\":", stdout);
        json_out_string(x->key);
        printf(",\"action\":\"%s\"", publications[x->publication]);
        print_member("text", x->text);
        fputs(i + 1 == result->annotation_count ? "}]" : "}", stdout);
    }
}

bool policy_line_evaluate(struct arena *a, const struct env *env, struct str line)
{
    struct policy policy = {.has_params = false};
    struct policy_run_request request = {.object = STR("")};
    struct policy_run_result result;
    struct jsonread r;
    jsonread_init(&r, line, a);
    struct answers *table = ARENA_NEW(a, struct answers);
    if (!read_line(&r, &policy, table, &request))
        return false;
    answers_set_user(table, a, request.request);
    struct str object =
        request.object.len != 0 && !str_eq(request.object, STR("null")) ? request.object : request.old_object;
    request.object_type = schemas_of_object(a, object);
    request.params_type = schemas_of_object(a, request.params);
    struct policy_run *run = policy_run_new(env, &policy);
    if (run == NULL)
        arena_fail(a, ARENA_BUDGET);
    policy_run_evaluate(run, &request, &result);
    if (result.missing.len != 0)
        print_member("missing", result.missing);
    else
        print_result(&result);
    policy_run_result_deinit(&result);
    policy_run_free(run);
    return true;
}
