/*
 * hostile: a policy under construction that asks for much work, and how its check ended. Include
 * <cmocka.h> before. `object.spec.replicaz`, the last validation, shows whether a policy was looked at in
 * spite of what is before.
 */
#ifndef TESTS_UNIT_TYPECHECK_HOSTILE_H
#define TESTS_UNIT_TYPECHECK_HOSTILE_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/typecheck/apidoc.h"

#define MAX_EXPRESSIONS 10000u
#define MAX_REQUESTS    64u
#define MAX_TYPES       1000u

static const char json[] =
    "{\"components\":{\"schemas\":{\"Thing\":{\"type\":\"object\",\"properties\":{"
    "\"apiVersion\":{\"type\":\"string\"},\"kind\":{\"type\":\"string\"},"
    "\"metadata\":{\"type\":\"object\",\"default\":{},\"properties\":{\"name\":{\"type\":\"string\"},"
    "\"generateName\":{\"type\":\"string\"}}},"
    "\"spec\":{\"type\":\"object\",\"default\":{},\"properties\":{\"replicas\":{\"type\":\"integer\"},"
    "\"name\":{\"type\":\"string\"},"
    "\"labels\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},"
    "\"words\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}},"
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"Thing\"}]}}}}";

/* A policy under construction; its texts lie in the arena. */
struct hostile {
    struct arena arena;
    const struct apidoc *doc;
    struct policy_expression expressions[MAX_EXPRESSIONS];
    size_t count;
    struct policy_request requests[MAX_REQUESTS];
    size_t request_count;
};

/* The end of a hostile input's check. */
struct answer {
    uint64_t steps;
    size_t limits;
    struct typecheck_limit first;
    bool is_found; /* the last expression has a warning */
    size_t warnings;
};

static struct hostile h;

static inline void begin(void **state)
{
    arena_deinit(&h.arena);
    arena_init(&h.arena, SIZE_MAX);
    h.doc = *state;
    h.count = 0;
    h.requests[0] = (struct policy_request){.group = STR("g"),
                                            .version = STR("v1"),
                                            .resource = STR("things"),
                                            .is_namespaced = true,
                                            .operations = POLICY_CREATE | POLICY_UPDATE | POLICY_DELETE};
    h.request_count = 1;
}

__attribute__((format(printf, 1, 2))) static inline struct str text(const char *format, ...)
{
    char out[512];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(out, sizeof out, format, args);
    va_end(args);
    return str_copy(&h.arena, (struct str){out, (size_t)len});
}

/* `first`, n times `part` with its number for each %zu, `last`. */
static inline struct str repeated(const char *first, const char *part, const char *separator, size_t n,
                                  const char *last)
{
    struct text out = {.arena = &h.arena};
    text_add(&out, str_of(first));
    for (size_t i = 0; i < n; i++) {
        text_add(&out, i == 0 ? STR("") : str_of(separator));
        for (const char *at = part; *at != '\0'; at++) {
            if (*at == '#')
                text_add_int(&out, (int64_t)i);
            else
                text_add_char(&out, *at);
        }
    }
    text_add(&out, str_of(last));
    return text_str(&out);
}

static inline void add(enum policy_place place, struct str name, struct str expression)
{
    assert_true(h.count < MAX_EXPRESSIONS);
    h.expressions[h.count++] =
        (struct policy_expression){.place = place, .name = name, .field_ref = STR("x"), .text = expression};
}

static inline void validation(struct str expression)
{
    add(POLICY_VALIDATION, STR(""), expression);
}

static inline void bad(void)
{
    validation(STR("object.spec.replicaz > 1"));
}

/* Variables v0 to vn, each of what `part` makes of the one before: '#' is its number. */
static inline void variables(const char *first, const char *part, size_t n)
{
    add(POLICY_VARIABLE, STR("v0"), str_of(first));
    for (size_t i = 1; i <= n; i++) {
        struct text out = {.arena = &h.arena};
        for (const char *at = part; *at != '\0'; at++) {
            if (*at == '#')
                text_add_int(&out, (int64_t)i - 1);
            else
                text_add_char(&out, *at);
        }
        add(POLICY_VARIABLE, text("v%zu", i), text_str(&out));
    }
}

static inline struct answer check_types(enum schema_typing typing, size_t type_count)
{
    static struct policy_type types[MAX_TYPES];
    for (size_t i = 0; i < type_count; i++) {
        types[i] = apidoc_type(h.doc, "Thing");
        types[i].requests = h.requests;
        types[i].request_count = h.request_count;
    }
    struct typecheck_policy policy = {.typing = typing,
                                      .policy = {.expressions = h.expressions, .count = h.count},
                                      .types = types,
                                      .type_count = type_count};
    struct typecheck *t = typecheck_new(h.doc->env, &policy, NULL);
    while (typecheck_step(t, 50000))
        ;
    const struct typecheck_result *r = typecheck_result(t);
    struct answer a = {typecheck_steps(t), r->limit_count, r->limits[0], false, r->warning_count};
    for (size_t i = 0; i < r->warning_count; i++)
        a.is_found |= r->warnings[i].expression == h.count - 1;
    typecheck_free(t);
    return a;
}

static inline struct answer check_one(void)
{
    return check_types(SCHEMA_RUNTIME, 1);
}

/* All was looked at, and what is wrong was found, in so many steps at most. */
static inline void expect_checked(uint64_t most)
{
    struct answer a = check_one();
    assert_int_equal(a.limits, 0);
    assert_true(a.is_found);
    assert_in_range(a.steps, 1, most);
}

static inline int hostile_setup(void **state)
{
    arena_init(&h.arena, SIZE_MAX);
    return apidoc_setup(state, json);
}

static inline int hostile_teardown(void **state)
{
    arena_deinit(&h.arena);
    return apidoc_teardown(state);
}

#endif
