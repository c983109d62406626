/*
 * budgets: checks the expressions of goldens with every size of memory.
 *
 *     budgets INPUT.jsonl...
 *
 * From no memory at all up to what an expression needs, a check must end with
 * the limit or with its usual answer, and from the first budget that is enough
 * on always with the answer. The sanitizers say what leaks.
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/celcheck/vars.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/type.h"

#define ENOUGH_BYTES    ((size_t)64 << 20)
#define GRAIN_BYTES     ((size_t)16) /* what an arena hands out is a multiple of this */
#define STEPS_PER_INPUT 200
#define LINE_JSON_DEPTH 256

struct input {
    const struct env *env;
    struct json_object *line;
    struct vars vars;
};

/* The text of the issues, or of the type, in the arena. */
static struct str answer(struct arena *a, struct input *in)
{
    struct json_object *expr = json_object_object_get(in->line, "expr");
    struct types *ts = types_new(a, env_types(in->env));
    struct expression x;
    struct checked checked;
    struct str message;
    size_t count;
    const struct variable *variables =
        vars_read(&in->vars, ts, json_object_object_get(in->line, "vars"), &count, &message);
    if (variables == NULL)
        return message;
    const struct expression_scope scope = {ts, in->env, variables, count, NULL};
    struct str written = {json_object_get_string(expr), (size_t)json_object_get_string_len(expr)};
    if (!expression_parse(&x, a, a, in->env, written) || !expression_check(&x, &scope, &checked))
        return issues_render(&x.issues, &x.source);
    struct text type = {.arena = a};
    type_print_long(&type, checked.result);
    return text_str(&type);
}

/* Answers within so many bytes. Returns false if `a`, which the caller deinits, was too small. */
static bool answer_within(struct arena *a, size_t bytes, struct input *in, struct str *text)
{
    arena_init(a, bytes);
    if (setjmp(a->escape) == 0) {
        *text = answer(a, in);
        return true;
    }
    if (a->failure != ARENA_BUDGET || a->used_bytes > bytes)
        abort();
    return false;
}

static bool sweep(struct input *in)
{
    struct arena full, a;
    struct str want, got;
    if (!answer_within(&full, ENOUGH_BYTES, in, &want)) {
        arena_deinit(&full);
        return true; /* the limit is the answer */
    }
    size_t step = (full.peak_bytes / STEPS_PER_INPUT / GRAIN_BYTES + 1) * GRAIN_BYTES;
    bool was_enough = false, ok = true;
    for (size_t bytes = 0; ok && bytes <= full.peak_bytes + step; bytes += step) {
        bool is_enough = answer_within(&a, bytes, in, &got);
        ok = is_enough ? str_eq(got, want) : !was_enough;
        if (!ok)
            printf("with %zu bytes: %.*s\n", bytes,
                   STR_ARG(is_enough ? got : STR("not enough, but less was")));
        was_enough = is_enough;
        arena_deinit(&a);
    }
    arena_deinit(&full);
    return ok && was_enough;
}

static bool sweep_line(const struct env *env, struct json_tokener *tokener, const char *text)
{
    json_tokener_reset(tokener);
    struct input in = {.env = env, .line = json_tokener_parse_ex(tokener, text, -1)};
    if (in.line == NULL) {
        printf("no JSON: %.100s\n", text);
        return false;
    }
    bool ok = sweep(&in);
    if (!ok)
        printf("failed: %.300s\n", text);
    vars_clear(&in.vars);
    json_object_put(in.line);
    return ok;
}

/* The number of lines that failed, or -1. */
static int sweep_file(const struct env *env, const char *path, size_t *count)
{
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        perror(path);
        return -1;
    }
    char *line = NULL;
    size_t size = 0;
    int failed = 0;
    struct json_tokener *tokener = json_tokener_new_ex(LINE_JSON_DEPTH);
    while (tokener != NULL && getline(&line, &size, in) > 0) {
        failed += !sweep_line(env, tokener, line);
        (*count)++;
    }
    json_tokener_free(tokener);
    free(line);
    fclose(in);
    return failed;
}

int main(int argc, char **argv)
{
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    if (env == NULL)
        return 1;
    size_t count = 0;
    bool ok = true;
    for (int i = 1; i < argc; i++)
        ok &= sweep_file(env, argv[i], &count) == 0;
    env_free(env);
    printf("%zu expressions\n", count);
    return ok && count != 0 ? 0 : 1;
}
