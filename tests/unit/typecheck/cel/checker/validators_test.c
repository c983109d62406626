#include "typecheck/cel/checker/validators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/type.h"

#define MAX_NODES 64

/* A tree under construction: leaves get the offsets that a test gives them, calls 100, lists and maps 200. */
struct fixture {
    struct arena arena;
    struct types *types;
    struct issues issues;
    const struct type *node_types[MAX_NODES];
    struct checked checked;
    uint32_t last_id;
};

static void begin(struct fixture *f)
{
    *f = (struct fixture){0};
    arena_init(&f->arena, SIZE_MAX); /* nothing is armed: there is no budget to use up */
    f->types = types_new(&f->arena, NULL);
    issues_init(&f->issues, &f->arena);
    f->checked.types = f->node_types;
}

static struct node *node(struct fixture *f, enum node_kind kind, uint32_t offset, const struct type *t)
{
    struct node *n = ARENA_NEW(&f->arena, struct node);
    n->kind = kind;
    n->id = ++f->last_id;
    n->offset = offset;
    f->node_types[n->id] = t;
    return n;
}

static struct node *text(struct fixture *f, uint32_t offset, const char *s)
{
    struct node *n = node(f, NODE_LITERAL, offset, &type_string);
    n->literal = (struct literal){.kind = LITERAL_STRING, .bytes = str_of(s)};
    return n;
}

static struct node *integer(struct fixture *f, uint32_t offset, int64_t value)
{
    struct node *n = node(f, NODE_LITERAL, offset, &type_int);
    n->literal = (struct literal){.kind = LITERAL_INT, .integer = value};
    return n;
}

static struct node *variable(struct fixture *f, uint32_t offset, const struct type *t)
{
    struct node *n = node(f, NODE_IDENT, offset, t);
    n->ident = STR("x");
    return n;
}

static struct node *call(struct fixture *f, const char *function, struct node *target, struct node *first,
                         struct node *second)
{
    struct node *n = node(f, NODE_CALL, 100, &type_dyn);
    n->call.function = str_of(function);
    n->call.target = target;
    n->call.args = ARENA_ARRAY(&f->arena, 2, struct node *);
    n->call.args[0] = first;
    n->call.args[1] = second;
    n->arg_count = (uint32_t)(first != NULL) + (second != NULL);
    return n;
}

/* Up to three elements, to NULL. */
static struct node *list(struct fixture *f, struct node *a, struct node *b, struct node *c)
{
    struct node *n = node(f, NODE_LIST, 200, types_list(f->types, &type_dyn));
    n->list.elements = ARENA_ARRAY(&f->arena, 3, struct node *);
    n->list.optional = ARENA_ARRAY(&f->arena, 3, bool);
    n->list.elements[0] = a;
    n->list.elements[1] = b;
    n->list.elements[2] = c;
    n->list.count = (size_t)(a != NULL) + (b != NULL) + (c != NULL);
    return n;
}

/* Keys and values by turns, to NULL. */
static struct node *map(struct fixture *f, struct node *const *of)
{
    struct node *n = node(f, NODE_MAP, 200, types_map(f->types, &type_dyn, &type_dyn));
    n->map.entries = ARENA_ARRAY(&f->arena, 4, struct entry);
    for (; of[0] != NULL; of += 2)
        n->map.entries[n->map.count++] = (struct entry){.key = of[0], .value = of[1]};
    return n;
}

/* Validates and releases the tree: its issues must be `want`, "OFFSET: MESSAGE\n" each, in the order of
 * discovery. */
static void expect_in(struct celgo celgo, struct fixture *f, struct node *root, const char *want)
{
    struct ast ast = {.root = root, .max_id = f->last_id};
    struct text got = {.arena = &f->arena};
    validators_run(f->types, &ast, &f->checked, &celgo, &f->issues);
    for (size_t i = 0; i < f->issues.count; i++) {
        const struct issue *issue = &f->issues.list[i];
        text_addf(&got, "%u: %.*s\n", issue->at.offset, STR_ARG(issue->message));
    }
    assert_string_equal(text_str(&got).at, want);
    arena_deinit(&f->arena);
}

static void expect(struct fixture *f, struct node *root, const char *want)
{
    expect_in(celgo_of(CELGO_NEWEST), f, root, want);
}

static void test_duration(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    expect(&f, call(&f, "duration", NULL, text(&f, 10, "1h"), NULL), "");
    begin(&f);
    expect(&f, call(&f, "duration", NULL, text(&f, 10, "1 h"), NULL), "10: invalid duration argument\n");
    begin(&f);
    expect(&f, call(&f, ".duration", NULL, text(&f, 10, "1 h"), NULL), "10: invalid duration argument\n");
    begin(&f);
    expect(&f, call(&f, "duration", NULL, integer(&f, 10, 1), NULL), "10: invalid duration argument\n");
    begin(&f);
    expect(&f, call(&f, "duration", NULL, variable(&f, 10, &type_string), NULL), "");
    begin(&f);
    expect(&f, call(&f, "duration", NULL, NULL, NULL), "");
}

static void test_timestamp(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    expect(&f, call(&f, "timestamp", NULL, text(&f, 10, "2024-02-29T00:00:00Z"), NULL), "");
    begin(&f);
    expect(&f, call(&f, "timestamp", NULL, text(&f, 10, "2023-02-29T00:00:00Z"), NULL),
           "10: invalid timestamp argument\n");
    begin(&f);
    expect(&f, call(&f, "timestamp", NULL, integer(&f, 10, 253402300799), NULL), "");
    begin(&f);
    expect(&f, call(&f, "timestamp", NULL, integer(&f, 10, 253402300800), NULL),
           "10: invalid timestamp argument\n");
}

static void test_matches(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    expect(&f, call(&f, "matches", text(&f, 10, "["), text(&f, 20, "[a]"), NULL), "");
    begin(&f);
    expect(&f, call(&f, "matches", text(&f, 10, "a"), text(&f, 20, "[a"), NULL),
           "20: invalid matches argument\n");
    /* Of the function's two arguments it is the first that is looked at: the text. */
    begin(&f);
    expect(&f, call(&f, "matches", NULL, text(&f, 10, "[a"), text(&f, 20, "[b")),
           "10: invalid matches argument\n");
    /* Go 1.26 does not find scripts of two words. */
    begin(&f);
    expect_in(celgo_in(37), &f, call(&f, "matches", text(&f, 10, "a"), text(&f, 20, "\\p{Old_Italic}"), NULL),
              "20: invalid matches argument\n");
    begin(&f);
    expect_in(celgo_in(38), &f, call(&f, "matches", text(&f, 10, "a"), text(&f, 20, "\\p{Old_Italic}"), NULL),
              "");
}

static void test_lists(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    expect(&f, list(&f, integer(&f, 10, 1), integer(&f, 20, 2), NULL), "");
    begin(&f);
    expect(&f, list(&f, integer(&f, 10, 1), text(&f, 20, "a"), variable(&f, 30, &type_dyn)),
           "20: expected type 'int' but found 'string'\n");
    begin(&f);
    expect(&f, list(&f, integer(&f, 10, 1), variable(&f, 20, types_wrapper(f.types, &type_int)), NULL), "");
    begin(&f);
    expect(&f,
           list(&f, variable(&f, 10, types_list(f.types, &type_int)),
                variable(&f, 20, types_list(f.types, types_wrapper(f.types, &type_int))), NULL),
           "");
    begin(&f);
    expect(&f,
           list(&f, variable(&f, 10, types_list(f.types, &type_int)),
                variable(&f, 20, types_list(f.types, &type_uint)), NULL),
           "20: expected type 'list(int)' but found 'list(uint)'\n");
    begin(&f);
    expect(&f,
           list(&f, variable(&f, 10, types_object(f.types, STR("A"), NULL, NULL)),
                variable(&f, 20, types_object(f.types, STR("B"), NULL, NULL)), NULL),
           "20: expected type 'A' but found 'B'\n");
    /* object and params may be of kinds that are called alike */
    const int data[2] = {0};
    begin(&f);
    expect(&f,
           list(&f, variable(&f, 10, types_object(f.types, STR("A"), NULL, &data[0])),
                variable(&f, 20, types_object(f.types, STR("A"), NULL, &data[0])),
                variable(&f, 30, types_object(f.types, STR("A"), NULL, &data[1]))),
           "30: expected type 'A' but found 'A'\n");
}

static void test_optional_elements(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    struct node *l =
        list(&f, variable(&f, 10, types_optional(f.types, &type_int)), integer(&f, 20, 1), text(&f, 30, "a"));
    l->list.optional[0] = true;
    expect(&f, l, "30: expected type 'int' but found 'string'\n");
    /* cel-go panics on an optional element of which nothing is known. */
    begin(&f);
    l = list(&f, variable(&f, 10, &type_dyn), integer(&f, 20, 1), integer(&f, 30, 2));
    l->list.optional[0] = true;
    expect(
        &f, l,
        "10: the API server panics and gives no answer: an optional element or entry has the type 'dyn', and "
        "not 'optional_type(dyn)'\n");
}

static void test_maps(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    expect(&f,
           map(&f, (struct node *[]){text(&f, 10, "a"), integer(&f, 20, 1), integer(&f, 30, 2),
                                     text(&f, 40, "b"), text(&f, 50, "c"), text(&f, 60, "d"), NULL}),
           "30: expected type 'string' but found 'int'\n"
           "40: expected type 'int' but found 'string'\n"
           "60: expected type 'int' but found 'string'\n");
    begin(&f);
    struct node *m = map(&f, (struct node *[]){text(&f, 10, "a"), variable(&f, 20, &type_dyn),
                                               text(&f, 30, "b"), integer(&f, 40, 1), NULL});
    m->map.entries[0].optional = true;
    expect(
        &f, m,
        "20: the API server panics and gives no answer: an optional element or entry has the type 'dyn', and "
        "not 'optional_type(dyn)'\n");
}

/* Lists come before maps, an inner literal before the one around it, and calls after all. */
static void test_order(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    struct node *m = map(&f, (struct node *[]){text(&f, 10, "a"), integer(&f, 20, 1), text(&f, 30, "b"),
                                               text(&f, 40, "c"), NULL});
    struct node *inner = list(&f, integer(&f, 50, 1), text(&f, 60, "a"), NULL);
    struct node *d = call(&f, "duration", NULL, text(&f, 70, "x"), NULL);
    struct node *t = call(&f, "timestamp", NULL, text(&f, 80, "y"), NULL);
    struct node *outer = list(&f, t, m, NULL);
    outer->list.elements[2] = call(&f, "f", NULL, inner, d);
    outer->list.count = 3;
    expect(&f, outer,
           "60: expected type 'int' but found 'string'\n"
           "200: expected type 'dyn' but found 'map(dyn, dyn)'\n"
           "40: expected type 'int' but found 'string'\n"
           "70: invalid duration argument\n"
           "80: invalid timestamp argument\n");
}

static struct node *format(struct fixture *f, const char *s, struct node *a, struct node *b)
{
    return call(f, "format", text(f, 10, s), list(f, a, b, NULL), NULL);
}

static void test_format_is_exempt(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    struct node *inner = list(&f, integer(&f, 10, 1), text(&f, 20, "a"), NULL);
    expect(&f, format(&f, "%s %s", inner, integer(&f, 10, 1)), "");
}

static void test_format_clauses(void **state)
{
    static const struct {
        const char *format, *want;
    } cases[] = {
        {"%s%%%.3s", ""},
        {"%d %x", ""},
        {"%X%o",
         "20: error during formatting: octal clause can only be used on integers, was given string\n"},
        {"%d%d",
         "20: error during formatting: decimal clause can only be used on integers, was given string\n"},
        {"%f",
         "10: error during formatting: fixed-point clause can only be used on doubles, was given int\n"},
        {"%e", "10: error during formatting: scientific clause can only be used on doubles, was given int\n"},
        {"%b%.15e", ""},
        {"%d%b", "20: error during formatting: only integers and bools can be formatted as binary, was given "
                 "string\n"},
        {"%s", "100: too many arguments supplied to string.format (expected 1, got 2)\n"},
        {"", "100: too many arguments supplied to string.format (expected 0, got 2)\n"},
        {"%s%s%s", "100: index 2 out of range\n"},
        {"a%", "100: unexpected end of string\n"},
        {"%s%s%", "100: unexpected end of string\n"},
        {"%z", "100: could not parse formatting clause: unrecognized formatting clause \"z\"\n"},
        {"%\xc3\xa9",
         "100: could not parse formatting clause: unrecognized formatting clause \"\xc3\x83\"\n"},
        {"%.1",
         "100: could not parse formatting clause: error while parsing precision: could not find end of "
         "precision specifier\n"},
        {"%.f",
         "100: could not parse formatting clause: error while parsing precision: error while converting "
         "precision to integer: strconv.Atoi: parsing \"\": invalid syntax\n"},
        {"%.9223372036854775808f",
         "100: could not parse formatting clause: error while parsing precision: error "
         "while converting precision to integer: strconv.Atoi: parsing "
         "\"9223372036854775808\": value out of range\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        begin(&f);
        struct node *a = integer(&f, 10, 1), *b = text(&f, 20, "a");
        expect(&f, format(&f, cases[i].format, a, b), cases[i].want);
    }
}

static void expect_refused(const struct type *t, const char *name)
{
    struct fixture f;
    begin(&f);
    struct node *a = variable(&f, 10, t);
    struct text want = {.arena = &f.arena};
    text_addf(
        &want,
        "10: error during formatting: only integers and bools can be formatted as binary, was given %s\n",
        name);
    expect(&f, format(&f, "%b", a, NULL), text_str(&want).at);
}

static void test_format_type_names(void **state)
{
    (void)state;
    expect_refused(&type_any, "google.protobuf.Any");
    expect_refused(&type_null, "null_type");
    expect_refused(&type_double, "double");
    expect_refused(&type_bytes, "bytes");
    expect_refused(&type_duration, "google.protobuf.Duration");
    expect_refused(&type_timestamp, "google.protobuf.Timestamp");
    expect_refused(&type_type, "type");
}

/* %s looks into the lists and maps that are written out, at any depth. */
static void test_format_nested(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    struct node *o = variable(&f, 10, types_optional(f.types, &type_int));
    struct node *m = map(&f, (struct node *[]){text(&f, 10, "k"), o, NULL});
    expect(&f, format(&f, "%s", list(&f, integer(&f, 10, 1), m, NULL), NULL),
           "10: error during formatting: string clause can only be used on strings, bools, bytes, ints, "
           "doubles, "
           "maps, lists, types, durations, and timestamps, was given optional_type\n");
}

/* A format string or a list that is no literal is not looked at. */
static void test_format_of_unknowns(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    expect(&f, call(&f, "format", variable(&f, 10, &type_string), list(&f, NULL, NULL, NULL), NULL), "");
    begin(&f);
    expect(&f, call(&f, "format", text(&f, 10, "%"), variable(&f, 20, &type_dyn), NULL), "");
    begin(&f);
    expect(&f, format(&f, "%d", variable(&f, 10, &type_dyn), NULL), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_duration),
        cmocka_unit_test(test_timestamp),
        cmocka_unit_test(test_matches),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_optional_elements),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_format_is_exempt),
        cmocka_unit_test(test_format_clauses),
        cmocka_unit_test(test_format_type_names),
        cmocka_unit_test(test_format_nested),
        cmocka_unit_test(test_format_of_unknowns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
