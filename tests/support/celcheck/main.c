/*
 * celcheck: single CEL expressions in a Kubernetes environment, for tests.
 *
 * Reads lines {"id":ID,"expr":TEXT,"vars":{NAME:TYPE}} and writes a line
 * {"id":ID,"ok":BOOL,"type":TEXT,"issues":TEXT} for each; or evaluates them
 * (evaluate.h).
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/celcheck/evaluate.h"
#include "tests/support/celcheck/json_out.h"
#include "tests/support/celcheck/schemas.h"
#include "tests/support/celcheck/vars.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/type.h"

#define LINE_MAX_BYTES  ((size_t)256 * 1024 * 1024)
#define LINE_JSON_DEPTH 256

/* What one expression may take. */
#define EXPRESSION_ARENA_BYTES ((size_t)64 * 1024 * 1024)
#define EXPRESSION_MAX_STEPS   ((uint64_t)50 * 1000 * 1000)

/* The version of the goldens that name none; cel-go 0.26 is also in the versions that older goldens come
 * from. */
#define DEFAULT_MINOR    36
#define OLDEST_OF_CEL_GO 34

struct options {
    int level;   /* of the environment */
    int celgo;   /* N of 0.N */
    long repeat; /* compile each expression that many times more, and tell the time */
    bool evaluates;
    double evaluation_ns; /* evaluate each expression for so long, and tell the time; 0: once */
    bool lists_functions;
    const char *schemas; /* a file; NULL: none */
};

struct answer {
    bool ok;
    struct str type, issues;
};

static void print_usage(FILE *out)
{
    fputs("usage: celcheck [--kube-version 1.V] [--cel-go 0.N] [--new-expressions] [--time N | --evaluate "
          "[--schemas FILE] [--for MILLISECONDS] | "
          "--functions] "
          "< in.jsonl > out.jsonl\n"
          "\n"
          "  --kube-version 1.V  check as a Kubernetes 1.V server does (default 1.36)\n"
          "  --cel-go 0.N        the release of cel-go in it (default: that server's, but never less than "
          "0.26 without --evaluate)\n"
          "  --new-expressions   with what it lets users create, not all that it evaluates\n"
          "  --time N            compile each expression N more times; stderr says what one takes\n"
          "  --evaluate          evaluate the expressions with the values that their lines have\n"
          "  --for MILLISECONDS  evaluate each expression for so long; its line has \"ns\", the CPU time of "
          "one\n"
          "  --schemas FILE      with the kinds in that unpacked bundle of schemas, for whole policies\n"
          "  --functions         read nothing: say which functions are evaluated\n",
          out);
}

/* The V of "1.V" where `major` is "1.", or -1. */
static int read_minor(const char *text, const char *major)
{
    if (strncmp(text, major, 2) != 0)
        return -1;
    char *end;
    errno = 0;
    long minor = strtol(text + 2, &end, 10);
    bool is_number = end != text + 2 && *end == '\0' && errno == 0;
    return is_number && minor >= 0 && minor <= 1000 ? (int)minor : -1;
}

/* 0, or the exit status + 1. */
static int read_options(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {
        {"kube-version", required_argument, NULL, 'k'},
        {"cel-go", required_argument, NULL, 'g'},
        {"new-expressions", no_argument, NULL, 'n'},
        {"time", required_argument, NULL, 't'},
        {"evaluate", no_argument, NULL, 'e'},
        {"functions", no_argument, NULL, 'f'},
        {"schemas", required_argument, NULL, 's'},
        {"for", required_argument, NULL, 'm'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    bool is_new = false;
    int minor = DEFAULT_MINOR;
    *options = (struct options){0};
    for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (c) {
        case 'k':
            minor = read_minor(optarg, "1.");
            break;
        case 'g':
            options->celgo = read_minor(optarg, "0.");
            break;
        case 'n':
            is_new = true;
            break;
        case 't':
            options->repeat = strtol(optarg, NULL, 10);
            break;
        case 'e':
            options->evaluates = true;
            break;
        case 'f':
            options->lists_functions = true;
            break;
        case 's':
            options->schemas = optarg;
            break;
        case 'm':
            options->evaluation_ns = strtod(optarg, NULL) * 1e6;
            break;
        case 'h':
            print_usage(stdout);
            return 1;
        default:
            print_usage(stderr);
            return 3;
        }
    }
    if (minor < 0 || options->celgo < 0 || options->repeat < 0 || optind != argc) {
        print_usage(stderr);
        return 3;
    }
    options->level = is_new ? minor - 1 : minor;
    if (options->celgo == 0)
        options->celgo =
            celgo_in(minor < OLDEST_OF_CEL_GO && !options->evaluates ? OLDEST_OF_CEL_GO : minor).release;
    return 0;
}

static void print_answer(struct str id, const struct answer *answer)
{
    fputs("{\"id\":", stdout);
    json_out_string(id);
    printf(",\"ok\":%s,\"type\":", answer->ok ? "true" : "false");
    json_out_string(answer->type);
    fputs(",\"issues\":", stdout);
    json_out_string(answer->issues);
    puts("}");
}

static void compile(struct arena *a, const struct expression_scope *scope, struct str expr,
                    struct answer *answer)
{
    struct expression x;
    struct checked checked;
    answer->ok = expression_parse(&x, a, a, scope->env, expr) && expression_check(&x, scope, &checked);
    answer->issues = issues_render(&x.issues, &x.source);
    if (answer->ok) {
        struct text type = {.arena = a};
        type_print_long(&type, checked.result);
        answer->type = text_str(&type);
    }
}

static struct answer limit_answer(const struct arena *a)
{
    return (struct answer){.issues = a->failure == ARENA_STEPS
                                         ? STR("ERROR: not checked: this expression takes too many steps")
                                         : STR("ERROR: not checked: this expression needs too much memory")};
}

/* Reads the line's variables; false with the answer that says why not. */
static bool declare_within(struct arena *a, struct expression_scope *scope, struct vars *vars,
                           struct json_object *declarations, struct answer *answer)
{
    *answer = (struct answer){.ok = false};
    if (setjmp(a->escape) != 0) {
        *answer = limit_answer(a);
        return false;
    }
    scope->types = types_new(a, env_types(scope->env));
    scope->variables = vars_read(vars, scope->types, declarations, &scope->variable_count, &answer->issues);
    return scope->variables != NULL;
}

/* compile() within the limits of an expression. */
static void compile_within(struct arena *a, const struct expression_scope *scope, struct str expr,
                           struct answer *answer)
{
    *answer = (struct answer){.ok = false};
    a->steps = 0;
    if (setjmp(a->escape) == 0)
        compile(a, scope, expr, answer);
    else
        *answer = limit_answer(a);
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct timing {
    int64_t spent_ns, compilations;
};

static struct str member_text(struct json_object *line, const char *name)
{
    struct json_object *value = json_object_object_get(line, name);
    if (!json_object_is_type(value, json_type_string))
        return STR("");
    return (struct str){json_object_get_string(value), (size_t)json_object_get_string_len(value)};
}

/* One compilation has made all types that the expression needs: what others allocate can be released. */
static void repeat(const struct options *options, struct arena *a, const struct expression_scope *scope,
                   struct str expr, struct timing *timing)
{
    struct answer answer;
    struct arena_mark mark = arena_mark(a);
    int64_t start = now_ns();
    for (long i = 0; i < options->repeat; i++) {
        compile_within(a, scope, expr, &answer);
        arena_release(a, mark);
    }
    timing->spent_ns += now_ns() - start;
    timing->compilations += options->repeat;
}

static void answer_line(const struct options *options, const struct env *env, struct json_object *line,
                        struct timing *timing)
{
    struct vars vars = {.schema_count = 0};
    struct expression_scope scope = {.env = env};
    struct str expr = member_text(line, "expr");
    struct answer answer;
    struct arena a;
    arena_init(&a, EXPRESSION_ARENA_BYTES);
    a.max_steps = EXPRESSION_MAX_STEPS;
    bool is_declared = declare_within(&a, &scope, &vars, json_object_object_get(line, "vars"), &answer);
    if (is_declared)
        compile_within(&a, &scope, expr, &answer);
    print_answer(member_text(line, "id"), &answer);
    if (is_declared)
        repeat(options, &a, &scope, expr, timing);
    arena_deinit(&a);
    vars_clear(&vars);
}

/* The next line without its end in `text`; false at the end of the input. */
static bool read_line(FILE *in, struct text *text)
{
    text->len = 0;
    int ch;
    while ((ch = getc_unlocked(in)) != EOF && ch != '\n')
        text_add_char(text, (char)ch);
    return ch != EOF || text->len != 0;
}

static bool is_blank(struct str s)
{
    return strspn(s.at, " \t\r") >= s.len;
}

static bool refuse_line(void)
{
    fputs("celcheck: a line is no JSON object\n", stderr);
    return false;
}

/* Answers every line of stdin; false when one cannot be read. */
static bool run(const struct options *options, const struct env *env, struct json_tokener *tokener,
                struct arena *lines, struct timing *timing)
{
    struct text text = {.arena = lines};
    while (read_line(stdin, &text)) {
        struct str s = text_str(&text);
        if (is_blank(s))
            continue;
        if (options->evaluates) {
            if (!evaluate_line(env, s, options->evaluation_ns))
                return refuse_line();
            continue;
        }
        json_tokener_reset(tokener);
        struct json_object *line =
            s.len > INT32_MAX ? NULL : json_tokener_parse_ex(tokener, s.at, (int)s.len);
        if (!json_object_is_type(line, json_type_object)) {
            json_object_put(line);
            return refuse_line();
        }
        answer_line(options, env, line, timing);
        json_object_put(line);
    }
    return true;
}

static bool run_within(const struct options *options, const struct env *env, struct json_tokener *tokener,
                       struct arena *lines, struct timing *timing)
{
    if (setjmp(lines->escape) == 0)
        return run(options, env, tokener, lines, timing);
    fputs("celcheck: a line is too long\n", stderr);
    return false;
}

int main(int argc, char **argv)
{
    struct options options;
    int status = read_options(argc, argv, &options);
    if (status != 0)
        return status - 1;
    struct env *env = env_new(options.level, celgo_of(options.celgo));
    struct json_tokener *tokener = json_tokener_new_ex(LINE_JSON_DEPTH);
    if (env == NULL || tokener == NULL) {
        fputs("celcheck: out of memory\n", stderr);
        return 1;
    }
    struct arena lines;
    struct timing timing = {0};
    arena_init(&lines, LINE_MAX_BYTES);
    bool ok = true;
    if (options.lists_functions)
        evaluate_print_functions(env_mutating(env));
    else
        ok = (options.schemas == NULL || schemas_read(options.schemas)) &&
             run_within(&options, env, tokener, &lines, &timing);
    if (timing.compilations > 0)
        fprintf(stderr, "%" PRId64 " compilations, %" PRId64 " ns each\n", timing.compilations,
                timing.spent_ns / timing.compilations);
    if (fflush(stdout) != 0)
        ok = false;
    arena_deinit(&lines);
    json_tokener_free(tokener);
    schemas_free();
    env_free(env);
    return ok ? 0 : 1;
}
