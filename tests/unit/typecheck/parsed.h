/* parsed: what the parser makes of one expression, as text. For tests of its files. */
#ifndef TESTS_PARSED_H
#define TESTS_PARSED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/parser.h"
#include "typecheck/cel/syntax/source.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"

#define PARSED_BYTES ((size_t)64 * 1024 * 1024)

enum parsed_form {
    PARSED_ISSUES, /* rendered */
    PARSED_BRIEF,  /* LINE:COL: MESSAGE, one a line */
    PARSED_TREE,
    PARSED_PLACES, /* the tree with offsets */
};

/* What is rendered, without snippets and with no more than the place in front. */
static inline struct str parsed_brief(struct arena *a, const struct issues *is, const struct source *s)
{
    static const char HEAD[] = "ERROR: <input>:";
    struct text t = {.arena = a};
    for (const char *line = issues_render(is, s).at; *line != '\0';
         line += strcspn(line, "\n"), line += *line != '\0') {
        if (strncmp(line, HEAD, sizeof HEAD - 1) != 0)
            continue;
        if (t.len != 0)
            text_add_char(&t, '\n');
        text_add(&t, (struct str){line + sizeof HEAD - 1, strcspn(line, "\n") - (sizeof HEAD - 1)});
    }
    return text_str(&t);
}

/* What is wrong with the text, in that form, or the tree; in the arena. */
static inline struct str parsed(struct arena *a, int level, struct str text, enum parsed_form form)
{
    struct env *env = env_new(level, celgo_in(level));
    struct source s;
    struct issues is;
    struct ast ast = {0};
    source_init(&s, a, text);
    issues_init(&is, a);
    bool ok = parser_run(a, a, &s, env_dialect(env), &is, &ast);
    env_free(env);
    assert_int_equal(ok, is.count == 0);
    if (form == PARSED_ISSUES)
        return issues_render(&is, &s);
    if (!ok || form == PARSED_BRIEF)
        return parsed_brief(a, &is, &s);
    return ast_text(a, ast.root, form == PARSED_PLACES);
}

struct parsed_case {
    const char *text, *expected;
};

static inline void parsed_check(const struct parsed_case *c, int level, enum parsed_form form)
{
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail_msg("%s: out of memory", c->text);
    struct str got = parsed(&a, level, str_of(c->text), form);
    if (!str_eq(got, str_of(c->expected)))
        fail_msg("%s\nexpected: %s\ngot:      %.*s", c->text, c->expected, STR_ARG(got));
    arena_deinit(&a);
}

#define PARSED_CHECK_AT(cases, level, form)                                                                  \
    for (size_t case_ = 0; case_ < sizeof(cases) / sizeof *(cases); case_++)                                 \
    parsed_check(&(cases)[case_], (level), (form))

#define PARSED_CHECK(cases, form) PARSED_CHECK_AT(cases, ENV_NEWEST_LEVEL, form)

#endif
