/* Documents that no API server would publish: each ends in a cap or a message, within a stack of 1 MB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/jsonread.h"
#include "typecheck/cel/schema/keywords.h"
#include "typecheck/cel/schema/object_type.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/type.h"

#define STACK_BYTES ((size_t)1024 * 1024)
#define CHECK_BYTES ((size_t)16 * 1024 * 1024)
#define REF(name)   "{\"$ref\":\"#/components/schemas/" name "\"}"
#define KIND(name)                                                                                           \
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"" name "\"}]"
#define TAIL         "}}}"
#define HEAD         "{\"components\":{\"schemas\":{"
#define CHAIN_LENGTH 100000

/* A document in the making. */
struct document {
    char *text;
    size_t len, cap;
};

static void add_bytes(struct document *d, const char *bytes, size_t len)
{
    if (d->cap - d->len < len || d->text == NULL) {
        d->cap = 2 * (d->len + len) + 64;
        d->text = realloc(d->text, d->cap);
        assert_non_null(d->text);
    }
    memcpy(d->text + d->len, bytes, len);
    d->len += len;
}

static void add(struct document *d, const char *text)
{
    add_bytes(d, text, strlen(text));
}

static void add_times(struct document *d, const char *text, unsigned times)
{
    while (times-- > 0)
        add(d, text);
}

/* Bytes of the longest string, or of what stands between two. */
static size_t longest_piece(const struct document *d)
{
    size_t longest = 0;
    for (size_t i = 0, from = 0; i < d->len; i++) {
        if (d->text[i] != '"')
            continue;
        longest = i - from > longest ? i - from : longest;
        from = i;
    }
    return longest;
}

/* The same in slices of so many bytes: the same answer, and as many steps as there are slices, at least. */
static void parse_in_slices(const struct document *d, size_t slice, const struct schema *expected,
                            const char *expected_message)
{
    char message[512] = "";
    size_t steps = 1;
    struct schema_reader *r = schema_reader_new(d->text, d->len);
    while (schema_reader_step(r, slice))
        steps++;
    struct schema *doc = schema_reader_end(r, message, sizeof message, NULL);
    assert_string_equal(message, expected_message);
    assert_int_equal(doc != NULL, expected != NULL);
    if (doc != NULL) {
        assert_int_equal(schema_bytes(doc), schema_bytes(expected));
        assert_true(steps >= d->len / (slice + 8 * longest_piece(d)));
    }
    schema_free(doc);
}

static void parse_in_all_slices(const struct document *d, const struct schema *expected,
                                const char *expected_message)
{
    const size_t slices[] = {1, 100, SCHEMA_SLICE_BYTES};
    for (size_t i = d->len > SCHEMA_SLICE_BYTES ? 1 : 0; i < sizeof slices / sizeof *slices; i++)
        parse_in_slices(d, slices[i], expected, expected_message);
}

/* Parses in place of the caller, who expects success; frees the text. */
static struct schema *parse(struct document *d)
{
    char message[256] = "";
    struct schema *doc = schema_new(d->text, d->len, message, sizeof message, NULL);
    if (doc == NULL)
        fail_msg("%.60s...: %s", d->text, message);
    parse_in_all_slices(d, doc, "");
    free(d->text);
    *d = (struct document){0};
    return doc;
}

/* Expects a refusal with exactly this message; frees the text. */
static void refuse(struct document *d, const char *expected)
{
    char message[512] = "";
    bool is_limit = false;
    struct schema *doc = schema_new(d->text, d->len, message, sizeof message, &is_limit);
    if (doc != NULL)
        fail_msg("%.60s...: parsed instead of: %s", d->text, expected);
    assert_string_equal(message, expected);
    parse_in_all_slices(d, NULL, expected);
    assert_int_equal(is_limit, strstr(expected, "too large") != NULL ||
                                   strstr(expected, "too deep") != NULL ||
                                   strstr(expected, "the limit") != NULL);
    free(d->text);
    *d = (struct document){0};
}

/*
 * The type at `path` ("a.[].b") of kind g/v1 T as it prints, "none", or
 * "not found" where the document has no such kind, or "cap".
 */
static void expect_type(const struct schema *doc, const char *path, enum schema_typing typing,
                        const char *expected)
{
    struct arena a;
    arena_init(&a, CHECK_BYTES);
    const char *volatile got = "cap";
    if (setjmp(a.escape) == 0) {
        struct types *ts = types_new(&a, NULL);
        const struct schema_node *node = schema_find(doc, STR("g"), STR("v1"), STR("T"));
        const struct type *t = node == NULL ? NULL : object_type_of_resource(ts, doc, node, STR("T"), typing);
        for (const char *p = path; t != NULL && *p != '\0'; p += *p == '.') {
            size_t len = strcspn(p, ".");
            if (t->kind == TYPE_LIST || t->kind == TYPE_MAP)
                t = t->params[t->param_count - 1];
            else
                t = t->kind == TYPE_OBJECT ? t->ops->field(t, (struct str){p, len}, ts) : NULL;
            p += len;
        }
        struct text out = {.arena = &a};
        if (t != NULL)
            type_print(&out, t);
        got = node == NULL ? "not found" : t == NULL ? "none" : text_str(&out).at;
    }
    if (strcmp(got, expected) != 0)
        fail_msg("%s: %.200s instead of %s", path, got, expected);
    arena_deinit(&a);
}

static const struct {
    const char *name;    /* of the shape: for a debugger */
    const char *schemas; /* besides T, whose one property p is the ref to A */
    const char *path, *upstream, *runtime;
} cycles[] = {
    {"to itself", "\"A\":" REF("A"), "p", "none", "dyn"},
    {"mutual", "\"A\":" REF("B") ",\"B\":" REF("A"), "p", "none", "dyn"},
    {"through allOf", "\"A\":{\"allOf\":[" REF("A") "]}", "p", "none", "dyn"},
    {"through allOf in allOf",
     "\"A\":{\"allOf\":[{\"allOf\":[" REF("B") "]}]},\"B\":{\"allOf\":[" REF("A") "]}", "p", "none", "dyn"},
    {"through items", "\"A\":{\"type\":\"array\",\"items\":" REF("A") "}", "p", "list(T.p.@idx)",
     "list(dyn)"},
    {"through items, mutual",
     "\"A\":{\"type\":\"array\",\"items\":" REF("B") "},\"B\":{\"type\":\"array\",\"items\":" REF("A") "}",
     "p", "list(list(T.p.@idx.@idx))", "list(list(dyn))"},
    {"through additionalProperties", "\"A\":{\"type\":\"object\",\"additionalProperties\":" REF("A") "}", "p",
     "map(string, T.p.@elem)", "map(string, dyn)"},
    {"through a property", "\"A\":{\"type\":\"object\",\"properties\":{\"a\":" REF("A") "}}", "p.a", "T.p.a",
     "dyn"},
    {"through a property, further", "\"A\":{\"type\":\"object\",\"properties\":{\"a\":" REF("A") "}}",
     "p.a.a", "none", "none"},
    {"through all of them",
     "\"A\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
     "\"additionalProperties\":{\"allOf\":[" REF("A") "]}}}}}",
     "p.a", "list(map(string, T.p.a.@idx.@elem))", "list(map(string, dyn))"},
    {"back to the root", "\"A\":{\"type\":\"object\",\"properties\":{\"a\":" REF("T") "}}", "p.a", "T.p.a",
     "dyn"},
    {"back to the root, at once", "\"A\":" REF("T"), "p", "none", "dyn"},
    {"to nothing", "\"A\":" REF("Nowhere"), "p", "none", "dyn"}, /* a reference is followed once */
    {"to nothing, from an item", "\"A\":{\"type\":\"array\",\"items\":" REF("Nowhere") "}", "p", "not found",
     "not found"},
    {"to nothing, through allOf",
     "\"A\":{\"type\":\"object\",\"properties\":{\"a\":{\"allOf\":[" REF("Nowhere") "]}}}", "p", "not found",
     "not found"},
    {"to an empty name", "\"A\":{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"\"}}}", "p",
     "not found", "not found"},
    {"to a component called as nothing", "\"A\":{\"$ref\":\"\"},\"\":{\"type\":\"string\"}", "p", "none",
     "dyn"},
};

static void test_cycles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        struct document d = {0};
        add(&d, HEAD "\"T\":{\"type\":\"object\",\"properties\":{\"p\":" REF("A") "}," KIND("T") "},");
        add(&d, cycles[i].schemas);
        add(&d, TAIL);
        struct schema *doc = parse(&d);
        expect_type(doc, cycles[i].path, SCHEMA_UPSTREAM, cycles[i].upstream);
        expect_type(doc, cycles[i].path, SCHEMA_RUNTIME, cycles[i].runtime);
        schema_free(doc);
    }
}

/* T and so many components, each of which refers to the next; the last to nothing or to T. */
static struct schema *make_chain(const char *before, const char *after, const char *last)
{
    struct document d = {0};
    add(&d, HEAD "\"T\":{\"type\":\"object\",\"properties\":{\"p\":" REF("N0") "}," KIND("T") "}");
    for (unsigned i = 0; i < CHAIN_LENGTH; i++) {
        char name[64];
        snprintf(name, sizeof name, ",\"N%u\":", i);
        add(&d, name);
        add(&d, before);
        snprintf(name, sizeof name, "{\"$ref\":\"#/components/schemas/N%u\"}", i + 1);
        add(&d, name);
        add(&d, after);
    }
    char name[64];
    snprintf(name, sizeof name, ",\"N%u\":", CHAIN_LENGTH);
    add(&d, name);
    add(&d, last);
    add(&d, TAIL);
    return parse(&d);
}

static void test_chains(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after;
        const char *upstream, *runtime; /* of p */
    } chains[] = {
        {"", "", "none", "dyn"},
        {"{\"allOf\":[", "]}", "none", "dyn"},
        {"{\"type\":\"array\",\"items\":", "}", "cap", "cap"},
        {"{\"type\":\"object\",\"additionalProperties\":", "}", "cap", "cap"},
        {"{\"type\":\"object\",\"properties\":{\"a\":", "}}", "T.p", "T.p"},
    };
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        struct schema *doc = make_chain(chains[i].before, chains[i].after, "{\"type\":\"string\"}");
        expect_type(doc, "p", SCHEMA_UPSTREAM, chains[i].upstream);
        expect_type(doc, "p", SCHEMA_RUNTIME, chains[i].runtime);
        schema_free(doc);
        /* a ref to nothing at the far end: a plain chain is followed once, the others are walked */
        bool is_followed = i >= 2;
        doc = make_chain(chains[i].before, chains[i].after, "{\"items\":" REF("Nowhere") "}");
        expect_type(doc, "p", SCHEMA_UPSTREAM, is_followed ? "not found" : chains[i].upstream);
        schema_free(doc);
    }
}

static void test_many_properties(void **state)
{
    (void)state;
    struct document d = {0};
    add(&d, HEAD "\"T\":{\"type\":\"object\"," KIND("T") ",\"properties\":{\"p\":{\"type\":\"string\"}");
    for (unsigned i = 0; i < 10000; i++) {
        char property[128];
        snprintf(property, sizeof property, ",\"p%u\":{\"type\":\"%s\"}", i,
                 i % 2 == 0 ? "integer" : "boolean");
        add(&d, property);
    }
    add(&d, "}}" TAIL);
    struct schema *doc = parse(&d);
    expect_type(doc, "p0", SCHEMA_UPSTREAM, "int");
    expect_type(doc, "p9999", SCHEMA_UPSTREAM, "bool");
    expect_type(doc, "p10000", SCHEMA_UPSTREAM, "none");
    schema_free(doc);
}

/* Names of properties in no order, among them each twice: sorted as they come, the last of a name counts. */
static void test_properties_in_any_order(void **state)
{
    (void)state;
    for (unsigned count = 1; count <= 2100; count += count < 20 ? 1 : 259) {
        struct document d = {0};
        add(&d, HEAD "\"T\":{\"type\":\"object\"," KIND("T") ",\"properties\":{\"a\":{}");
        for (unsigned i = 0; i < 2 * count; i++) {
            char property[128];
            snprintf(property, sizeof property, ",\"p%u\":{\"type\":\"%s\"}", i % count * 7919u % 10007u,
                     i < count ? "string" : "integer");
            add(&d, property);
        }
        add(&d, "}}" TAIL);
        struct schema *doc = parse(&d);
        for (unsigned i = 0; i < count; i++) {
            char name[16];
            snprintf(name, sizeof name, "p%u", i * 7919u % 10007u);
            expect_type(doc, name, SCHEMA_UPSTREAM, "int");
        }
        schema_free(doc);
    }
}

static void test_too_many_properties_of_one(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        struct document d = {0};
        add(&d, HEAD "\"T\":{\"type\":\"object\"," KIND("T") ",\"properties\":{\"p\":{}");
        for (unsigned i = 1; i < KEYWORDS_MAX_PROPERTIES + more; i++) {
            char property[32];
            snprintf(property, sizeof property, ",\"%x\":{}", i + 0xa00000);
            add(&d, property);
        }
        add(&d, "}}" TAIL);
        if (more > 0)
            refuse(&d, "the schemas are too large");
        else
            schema_free(parse(&d));
    }
}

/* Ended before its last step: nothing comes of it, and nothing is lost. */
static void test_a_reading_that_is_ended(void **state)
{
    (void)state;
    static const char text[] = HEAD "\"T\":{\"properties\":{\"p\":{\"type\":\"string\"}}}" TAIL;
    for (size_t steps = 0; steps < 20; steps++) {
        struct schema_reader *r = schema_reader_new(text, sizeof text - 1);
        for (size_t i = 0; i < steps && schema_reader_step(r, 1); i++)
            continue;
        schema_free(schema_reader_end(r, NULL, 0, NULL));
    }
}

/* More than an array of the graph may have. */
static void test_too_many_properties(void **state)
{
    (void)state;
    struct document d = {0};
    add(&d, HEAD "\"T\":{\"properties\":{\"p\":{}");
    for (unsigned i = 0; i < 1100000; i++) {
        char property[64];
        if (i % 60000 == 0) {
            snprintf(property, sizeof property, "}},\"T%u\":{\"properties\":{\"p\":{}", i);
            add(&d, property);
        }
        snprintf(property, sizeof property, ",\"%x\":{}", i + 0xa00000);
        add(&d, property);
    }
    add(&d, "}}" TAIL);
    refuse(&d, "the schemas are too large");
}

/* Of each way in which schemas lie in each other: as many levels as fit, and 1,000. */
static void test_depth(void **state)
{
    (void)state;
    static const struct {
        const char *open, *close;
        unsigned levels;  /* of JSON, each */
        const char *type; /* of p */
    } ways[] = {
        {"{\"type\":\"array\",\"items\":", "}", 1, "none"}, /* what holds {} has no type */
        {"{\"type\":\"object\",\"additionalProperties\":", "}", 1, "none"},
        {"{\"type\":\"object\",\"properties\":{\"a\":", "}}", 2, "T.p"},
        {"{\"allOf\":[", "]}", 2, "none"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        /* the document, components, schemas, T, properties and the last schema lie around */
        const unsigned depths[] = {(JSONREAD_MAX_DEPTH - 6) / ways[i].levels, 1000};
        for (size_t k = 0; k < 2; k++) {
            struct document d = {0};
            add(&d, HEAD "\"T\":{\"type\":\"object\"," KIND("T") ",\"properties\":{\"p\":");
            unsigned long before = d.len + JSONREAD_MAX_DEPTH * strlen(ways[i].open) / ways[i].levels;
            add_times(&d, ways[i].open, depths[k]);
            add(&d, "{}");
            add_times(&d, ways[i].close, depths[k]);
            add(&d, "}}" TAIL);
            if (k == 0) {
                struct schema *doc = parse(&d);
                expect_type(doc, "p", SCHEMA_UPSTREAM, ways[i].type);
                schema_free(doc);
                continue;
            }
            char message[256] = "";
            unsigned long at = 0;
            assert_null(schema_new(d.text, d.len, message, sizeof message, NULL));
            assert_int_equal(sscanf(message, "malformed JSON at byte %lu: nesting too deep", &at), 1);
            assert_in_range(at, 1, before);
            free(d.text);
        }
    }
}

/* As JSON has them, and by which name a CEL expression reaches them. */
static const struct {
    const char *key;
    const char *name; /* the name in CEL; NULL if there is none */
} names[] = {
    {"plain", "plain"},
    {"_under", "_under"},
    {"Grossbuchstabe9", "Grossbuchstabe9"},
    {"a-b", "a__dash__b"},
    {"a.b/c", "a__dot__b__slash__c"},
    {"a__b", "a__underscores__b"},
    {"__a", "__underscores__a"},
    {"a___b", "a__underscores___b"},
    {"if", "__if__"},
    {"namespace", "__namespace__"},
    {"\\u0069n", "__in__"},
    {"self", "self"},
    {"\\u0061\\u005f1", "a_1"},
    {"", NULL},
    {"9a", NULL},
    {"a b", NULL},
    {"$a", NULL},
    {"a\\u0000b", NULL},
    {"\\u0000", NULL},
    {"a\\n", NULL},
    {"\\ud800", NULL},
    {"\\udc00\\ud800", NULL},
    {"\\ud83d\\ude00", NULL},
    {"\xf0\x9f\x98\x80", NULL},
    {"gr\xc3\xb6\xc3\x9f"
     "e",
     NULL},
    {"\xd0\xbf\xd0\xbe\xd0\xbb\xd0\xb5", NULL},
    {"\xe5\xad\x97\xe6\xae\xb5", NULL},
    {"\xd8\xad\xd9\x82\xd9\x84", NULL},
    {"\xe0\xa4\x95\xe0\xa5\x8d\xe0\xa4\xb7", NULL},
    {"\xef\xbb\xbf"
     "a",
     NULL},
};

static void test_property_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct document d = {0};
        add(&d, HEAD "\"T\":{\"type\":\"object\"," KIND("T") ",\"properties\":{\"");
        add(&d, names[i].key);
        add(&d, "\":{\"type\":\"integer\"}}}" TAIL);
        struct schema *doc = parse(&d);
        const char *expected = names[i].name != NULL ? "int" : "none";
        const char *path = names[i].name != NULL ? names[i].name : names[i].key;
        expect_type(doc, path[0] == '\0' ? "." : path, SCHEMA_UPSTREAM, expected);
        if (names[i].name == NULL)
            expect_type(doc, "a", SCHEMA_UPSTREAM, "none"); /* no part of a name is one */
        schema_free(doc);
    }
}

/* A kind or component whose name goes on behind a NUL is not the one that it begins like. */
static void test_names_with_a_nul(void **state)
{
    (void)state;
    static const char *const documents[] = {
        HEAD "\"X\":{\"type\":\"object\"," KIND("T\\u0000x") "}" TAIL,
        HEAD "\"T\":{\"type\":\"object\",\"properties\":{\"p\":" REF("A\\u0000x") "}," KIND(
            "T") "},\"A\":{\"type\":\"string\"}" TAIL,
        HEAD "\"T\":{\"type\":\"object\",\"properties\":{\"p\":" REF("A") "}," KIND(
            "T") "},\"A\\u0000x\":{\"type\":\"string\"}" TAIL,
    };
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        struct document d = {0};
        add(&d, documents[i]);
        struct schema *doc = parse(&d);
        expect_type(doc, "", SCHEMA_UPSTREAM, "not found");
        schema_free(doc);
    }
}

/* What stands for each letter below. */
static const char *const values[] = {"null", "true", "7", "\"s\"", "[]", "{}", "[7]", "[null]"};
enum { VALUES = sizeof values / sizeof *values };

#define IN_T    HEAD "\"T\":{"
#define IN_KIND HEAD "\"T\":{\"x-kubernetes-group-version-kind\":[{"
#define AT_T    "components.schemas.T"
#define AT_KIND AT_T ".x-kubernetes-group-version-kind"
#define STRING  "not a string"
#define OBJECT  "not an object"
#define LIST    "not a list"

/* A document in two parts; which values can stand between them ('+'), and the message for the others ('e':
 * the one about elements). */
static const struct {
    const char *before, *after;
    char answers[VALUES + 1]; /* ORDER values */
    const char *place, *why;
} places[] = {
    {"", "", "-----+--", "document", OBJECT},
    {"{\"components\":", "}", "+----+--", "components", OBJECT},
    {"{\"components\":{\"schemas\":", "}}", "+----+--", "components.schemas", OBJECT},
    {HEAD "\"T\":", TAIL, "-----+--", AT_T, OBJECT},
    {IN_T "\"type\":", "}" TAIL, "+--++--+", AT_T ".type", STRING},
    {IN_T "\"format\":", "}" TAIL, "+--+----", AT_T ".format", STRING},
    {IN_T "\"$ref\":", "}" TAIL, "+--+----", AT_T ".$ref", STRING},
    {IN_T "\"allOf\":", "}" TAIL, "+---+-ee", AT_T ".allOf", LIST},
    {IN_T "\"allOf\":[{\"$ref\":", "}]}" TAIL, "+--+----", AT_T ".allOf.$ref", STRING},
    {IN_T "\"allOf\":[{\"allOf\":", "}]}" TAIL, "+---+-ee", AT_T ".allOf.allOf", LIST},
    {IN_T "\"items\":", "}" TAIL, "+---++++", AT_T ".items", OBJECT},
    {IN_T "\"additionalProperties\":", "}" TAIL, "++---+--", AT_T ".additionalProperties", OBJECT},
    {IN_T "\"properties\":", "}" TAIL, "+----+--", AT_T ".properties", OBJECT},
    {IN_T "\"properties\":{\"p\":", "}}" TAIL, "-----+--", AT_T ".properties.p", OBJECT},
    {IN_T "\"properties\":{\"p\":{\"items\":{\"type\":", "}}}}" TAIL, "+--++--+",
     AT_T ".properties.p.items.type", STRING},
    {IN_T "\"x-kubernetes-group-version-kind\":", "}" TAIL, "+---+-ee", AT_KIND, LIST},
    {IN_KIND "\"group\":", "}]}" TAIL, "+--+----", AT_KIND ".group", STRING},
    {IN_KIND "\"version\":", "}]}" TAIL, "+--+----", AT_KIND ".version", STRING},
    {IN_KIND "\"kind\":", "}]}" TAIL, "+--+----", AT_KIND ".kind", STRING},
    {IN_KIND "\"other\":", "}]}" TAIL, "++++++++", NULL, NULL},
    {IN_T "\"x-kubernetes-int-or-string\":", "}" TAIL, "++++++++", NULL, NULL},
    {IN_T "\"x-kubernetes-embedded-resource\":", "}" TAIL, "++++++++", NULL, NULL},
    {IN_T "\"x-kubernetes-preserve-unknown-fields\":", "}" TAIL, "++++++++", NULL, NULL},
    {IN_T "\"nullable\":", "}" TAIL, "++++++++", NULL, NULL},
    {IN_T "\"required\":", "}" TAIL, "++++++++", NULL, NULL},
    {IN_T "\"properties\":{\"p\":{}},\"required\":", "}" TAIL, "++++++++", NULL, NULL},
    {IN_T "\"description\":", "}" TAIL, "++++++++", NULL, NULL},
    {IN_T "\"default\":", "}" TAIL, "++++++++", NULL, NULL},
    {IN_T "\"oneOf\":", "}" TAIL, "++++++++", NULL, NULL},
    {"{\"openapi\":", "}", "++++++++", NULL, NULL},
};

static void test_wrong_types(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (size_t k = 0; k < VALUES; k++) {
            struct document d = {0};
            add(&d, places[i].before);
            add(&d, values[k]);
            add(&d, places[i].after);
            if (places[i].answers[k] == '+') {
                schema_free(parse(&d));
                continue;
            }
            char expected[256];
            snprintf(expected, sizeof expected, "%s: %s", places[i].place,
                     places[i].answers[k] == 'e' ? "an element is not an object" : places[i].why);
            refuse(&d, expected);
        }
    }
}

/* A document of just `size` bytes: a description makes it as large as that. */
static struct document make_sized(size_t size)
{
    static const char before[] = HEAD "\"T\":{\"type\":\"object\"," KIND("T") ",\"description\":\"";
    static const char after[] = "\"}" TAIL;
    static char dots[1024];
    struct document d = {0};
    memset(dots, '.', sizeof dots);
    add(&d, before);
    while (d.len + sizeof after - 1 < size) {
        size_t left = size - d.len - (sizeof after - 1);
        add_bytes(&d, dots, left < sizeof dots ? left : sizeof dots);
    }
    add(&d, after);
    assert_int_equal(d.len, size);
    return d;
}

static void test_sizes(void **state)
{
    (void)state;
    struct document d = make_sized((size_t)50 * 1000 * 1000);
    refuse(&d, "the document has 50000000 bytes, more than the limit of 16777216");
    d = make_sized(SCHEMA_MAX_DOCUMENT_BYTES + 1);
    refuse(&d, "the document has 16777217 bytes, more than the limit of 16777216");
    d = make_sized(SCHEMA_MAX_DOCUMENT_BYTES);
    struct schema *doc = parse(&d);
    expect_type(doc, "", SCHEMA_UPSTREAM, "T");
    assert_in_range(schema_bytes(doc), 1, 4096); /* what no type depends on is not kept */
    schema_free(doc);
}

/* Names and messages as long as the document. */
static void test_long_names(void **state)
{
    (void)state;
    struct document d = {0};
    add(&d, HEAD "\"T\":{\"type\":\"object\"," KIND("T") ",\"properties\":{\"");
    add_times(&d, "\\u0061", 1000000);
    add(&d, "\":7}}" TAIL);
    char message[64];
    assert_null(schema_new(d.text, d.len, message, sizeof message, NULL));
    assert_string_equal(message, "components.schemas.T.properties.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    free(d.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_many_properties),
        cmocka_unit_test(test_properties_in_any_order),
        cmocka_unit_test(test_too_many_properties),
        cmocka_unit_test(test_too_many_properties_of_one),
        cmocka_unit_test(test_a_reading_that_is_ended),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_property_names),
        cmocka_unit_test(test_names_with_a_nul),
        cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_long_names),
    };
    struct rlimit stack;
    getrlimit(RLIMIT_STACK, &stack);
    stack.rlim_cur = STACK_BYTES; /* holds from now on: the main thread's stack grows by page faults */
    if (setrlimit(RLIMIT_STACK, &stack) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
