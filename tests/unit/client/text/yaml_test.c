#include "client/base/mem.h"
#include "client/text/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>
#include <time.h>

#include "client/base/buf.h"
#include "tests/unit/linear.h"

static struct yaml *parse(const char *text)
{
    struct yaml *y;
    struct err err;
    if (yaml_parse(text, strlen(text), &y, NULL, &err) != 0)
        fail_msg("%s", err.msg);
    return y;
}

static void is_json(const char *text, const char *expected)
{
    struct yaml *y = parse(text);
    assert_int_equal(yaml_count(y), 1);
    assert_string_equal(json_object_to_json_string_ext(yaml_root(y, 0)->json, JSON_C_TO_STRING_PLAIN),
                        expected);
    yaml_close(y);
}

static void is_refused(const char *text, enum err_code code, size_t line, size_t column, const char *part)
{
    struct yaml *y;
    struct yaml_place where;
    struct err err = {0};
    assert_int_equal(yaml_parse(text, strlen(text), &y, &where, &err), -1);
    assert_int_equal(err.code, code);
    if (where.line != line || where.column != column || !strstr(err.msg, part))
        fail_msg("%u:%u %s", where.line, where.column, err.msg);
}

static void is_at(const struct yaml_node *node, size_t line, size_t column, size_t text_line,
                  size_t text_column)
{
    assert_non_null(node);
    assert_int_equal(node->start.line, line);
    assert_int_equal(node->start.column, column);
    assert_int_equal(node->text.line, text_line);
    assert_int_equal(node->text.column, text_column);
}

static void test_trees(void **state)
{
    (void)state;
    is_json("a: [1, x, {b: null}]\nc: yes\n", "{\"a\":[1,\"x\",{\"b\":null}],\"c\":true}");
    is_json("{\"a\":\t\"\\ud83d\\ude00\\\\ud83d\"}", "{\"a\":\"\xf0\x9f\x98\x80\\\\ud83d\"}");
    is_json("\xef\xbb\xbf"
            "a: 1",
            "{\"a\":1}");
    is_json("a: |\n  x\n   y\nb: >-\n  f\n  g\n", "{\"a\":\"x\\n y\\n\",\"b\":\"f g\"}");
    is_json("a: |\r\r\n  x\r\r\n   y\r\r\nb: 'f\r\r\n  g'\r\r\n", "{\"a\":\"x\\n y\\n\",\"b\":\"f g\"}");
    is_json("a: &x {k: v}\nb: *x\n", "{\"a\":{\"k\":\"v\"},\"b\":{\"k\":\"v\"}}");
}

static void test_merge_keys(void **state)
{
    (void)state;
    is_json("a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}", "{\"a\":{\"b\":1,\"c\":2},\"d\":{\"b\":1,\"c\":3}}");
    is_json("<<: [{a: 1}, {a: 2, b: 3}]", "{\"a\":1,\"b\":3}");
    is_refused("<<: 5", ERR_INVALID, 1, 5, "<<");
}

static void test_documents(void **state)
{
    (void)state;
    struct yaml *y = parse("# only a comment\n---\na: 1\n---\n---\n# nothing\n---\nb: 2\n...\n");
    assert_int_equal(yaml_count(y), 2);
    assert_int_equal(yaml_root(y, 1)->start.line, 8);
    assert_null(yaml_root(y, 2));
    yaml_close(y);
}

static void test_places(void **state)
{
    (void)state;
    struct yaml *y = parse("spec:\n"
                           "  \xc3\xa9: [p, 'q', \"r\"]\n"
                           "  v:\n"
                           "  - expression: >-\n"
                           "      a &&\n"
                           "      b\n"
                           "    message: |2  # why\n"
                           "\n"
                           "        x\n"
                           "      y\n");
    const struct yaml_node *root = yaml_root(y, 0);
    is_at(yaml_find(root, "spec.\xc3\xa9[0]"), 2, 7, 2, 7);
    is_at(yaml_find(root, "spec.\xc3\xa9[1]"), 2, 10, 2, 11);
    is_at(yaml_find(root, "spec.\xc3\xa9[2]"), 2, 15, 2, 16);
    const struct yaml_node *expression = yaml_find(root, "spec.v[0].expression");
    is_at(expression, 4, 17, 5, 7);
    assert_int_equal(expression->style, YAML_FOLDED);
    assert_int_equal(expression->indent, 6);
    assert_int_equal(expression->key_start.line, 4);
    assert_int_equal(expression->key_start.column, 5);
    assert_memory_equal(expression->source, "a &&\n      b\n", 13);
    const struct yaml_node *message = yaml_find(root, "spec.v[0].message");
    is_at(message, 7, 14, 8, 7);
    assert_int_equal(message->style, YAML_LITERAL);
    assert_int_equal(message->indent, 6);
    assert_null(yaml_find(root, "spec.v[1]"));
    is_at(yaml_find(root, "[spec][v][0].expression"), 4, 17, 5, 7);
    assert_null(yaml_find(root, "[spec][w]"));
    assert_null(yaml_find(root, "[spec"));
    assert_null(yaml_find(root, "spec.v[0].nope"));
    assert_null(yaml_find(root, "spec[0]"));
    assert_null(yaml_find(root, "spec.v[x]"));
    assert_string_equal(yaml_member(root, "spec")->key, "spec");
    yaml_close(y);
}

/* All nodes below this one have paths by which they are found. */
static void find_again(const struct yaml_node *root, const struct yaml_node *node, const char *path)
{
    assert_ptr_equal(yaml_find(root, path), node);
    for (size_t i = 0; i < node->n_children; i++) {
        char *child = yaml_child_path(path, node, i);
        find_again(root, node->children[i], child);
        mem_free(child);
    }
}

static void test_paths_of_children(void **state)
{
    (void)state;
    struct yaml *y = parse("spec: {a: [1, {b: 2}], c.d: {'e[0]': x, 'f]': y}, 'g h': {}}\n");
    const struct yaml_node *root = yaml_root(y, 0);
    char *path = yaml_child_path("spec", yaml_find(root, "spec"), 1);
    assert_string_equal(path, "spec[c.d]");
    mem_free(path);
    find_again(root, root, "");
    yaml_close(y);
}

/* A mapping with many members finds them in another way: the answers are the same. */
static void test_many_members(void **state)
{
    (void)state;
    static const char *const keys[] = {"",  "a",   "a]",  "a]]", "a].b", "a].b]", "ab", "a.b",
                                       "b", "b]a", "b]]", "[",   "[]",   "x[0]",  "x]", "\xc3\xa9"};
    static const char *const paths[] = {"[]",    "[a]",    "[a]]",  "[a]]]",      "[a].b]",   "[a].b]]",
                                        "[a].b", "[ab]",   "[a.b]", "[b]",        "[b]a]",    "[b]]]",
                                        "[[]]",  "[x[0]]", "[x]]",  "[\xc3\xa9]", "[nobody]", "[a",
                                        "a",     "ab",     "none",  "a.b"};
    cleanup_buf struct buf few, many;
    buf_init(&few, 4096);
    buf_init(&many, 4096);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        buf_printf(&few, "\"%s\": {b: %zu}\n", keys[i], i);
        buf_printf(&many, "\"%s\": {b: %zu}\n\"o%zu\": 1\n", keys[i], i, i);
    }
    struct yaml *small = parse(few.data), *large = parse(many.data);
    assert_true(yaml_root(small, 0)->n_children <= YAML_FEW_MEMBERS);
    assert_true(yaml_root(large, 0)->n_children > YAML_FEW_MEMBERS);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const struct yaml_node *one = yaml_find(yaml_root(small, 0), paths[i]);
        const struct yaml_node *other = yaml_find(yaml_root(large, 0), paths[i]);
        if ((one == NULL) != (other == NULL) || (one != NULL && !json_object_equal(one->json, other->json)))
            fail_msg("%s", paths[i]);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        assert_string_equal(yaml_member(yaml_root(large, 0), keys[i])->key, keys[i]);
        assert_string_equal(yaml_root(large, 0)->children[2 * i]->key, keys[i]);
    }
    yaml_close(small);
    yaml_close(large);
}

/* A yaml_reduce: `large` objects are not needed. */
static struct json_object *reduce(void *user, const struct yaml_node *object)
{
    struct json_object *large;
    if (!json_object_object_get_ex(object->json, "large", &large))
        return NULL;
    buf_printf(user, "%u:%u %s; ", object->start.line, object->start.column,
               json_object_get_string(yaml_member(object, "large")->json));
    return json_object_new_object();
}

/* seen: the objects that are not needed; json: of all documents. */
static void is_reduced(const char *text, const char *seen, const char *json)
{
    struct yaml *y;
    struct yaml_place where;
    struct err err;
    cleanup_buf struct buf asked, left;
    cleanup_mem char *bytes = mem_strdup(text);
    buf_init(&asked, 4096);
    buf_init(&left, 4096);
    if (yaml_parse_reduced(&bytes, strlen(text), reduce, &asked, &y, &where, &err) != 0)
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < yaml_count(y); i++)
        buf_puts(&left, json_object_to_json_string_ext(yaml_root(y, i)->json, JSON_C_TO_STRING_PLAIN));
    assert_string_equal(asked.data, seen);
    assert_string_equal(left.data, json);
    yaml_close(y);
}

static void test_reduced(void **state)
{
    (void)state;
    is_reduced("large: 1\na: {b: [c]}\n---\na: 1\n---\n{\"large\": 2}\n", "1:1 1; 6:1 2; ", "{}{\"a\":1}{}");
    is_reduced("{\"large\": 1}{\"a\": {\"large\": 2}}{\"large\": 3}", "1:1 1; 1:32 3; ",
               "{}{\"a\":{\"large\":2}}{}");
    is_reduced("items:\n- large: 1\n- a: {large: 0}\n- large: 2\n", "2:3 1; 4:3 2; ",
               "{\"items\":[{},{\"a\":{\"large\":0}},{}]}");
    is_reduced("{\"items\":[{\"large\":1},[{\"large\":0}],2],\"large\":3}", "1:11 1; 1:1 3; ", "{}");
    is_reduced("other:\n- large: 1\nx: {items: [{large: 1}]}\n", "",
               "{\"other\":[{\"large\":1}],\"x\":{\"items\":[{\"large\":1}]}}");
    is_reduced("items:\n- large: 1\n- &x {large: 2}\n- *x\n", "2:3 1; ",
               "{\"items\":[{},{\"large\":2},{\"large\":2}]}");
    is_reduced("large: &x [1]\nb: *x\n---\nc: 1\n", "1:1 [ 1 ]; ", "{}{\"c\":1}");
    is_reduced("- large: 1\n- 2\n", "", "[{\"large\":1},2]");
}

/* A yaml_reduce: the name is left. */
static struct json_object *reduce_to_name(void *user, const struct yaml_node *object)
{
    const struct yaml_node *name = yaml_find(object, "metadata.name");
    struct json_object *left = json_object_new_object(), *metadata = json_object_new_object();
    (void)user;
    json_object_object_add(metadata, "name", json_object_get(name->json));
    json_object_object_add(metadata, "other", json_object_new_string("that has no node"));
    json_object_object_add(left, "metadata", metadata);
    return left;
}

static void test_what_is_left_has_its_nodes(void **state)
{
    (void)state;
    static const char text[] = "kind: A\nmetadata: {labels: {x: y}, name: a}\nspec:\n  b: c\n---\n"
                               "metadata:\n  name: \"b\"\nspec: [1, 2, 3]\n";
    struct yaml *y;
    struct yaml_place where;
    struct err err;
    cleanup_mem char *bytes = mem_strdup(text);
    assert_int_equal(yaml_parse_reduced(&bytes, strlen(text), reduce_to_name, NULL, &y, &where, &err), 0);
    assert_null(bytes);
    assert_int_equal(yaml_count(y), 2);
    assert_int_equal(yaml_node_count(y), 6);
    is_at(yaml_find(yaml_root(y, 0), "metadata.name"), 2, 34, 2, 34);
    is_at(yaml_find(yaml_root(y, 1), "metadata.name"), 7, 9, 7, 10);
    assert_null(yaml_find(yaml_root(y, 0), "metadata.labels"));
    assert_null(yaml_find(yaml_root(y, 0), "metadata.other"));
    assert_null(yaml_find(yaml_root(y, 1), "spec"));
    yaml_forget_text(y);
    assert_int_equal(yaml_text_bytes(y), 0);
    assert_int_equal(yaml_line_count(y), 0);
    assert_null(yaml_find(yaml_root(y, 0), "metadata.name")->source);
    assert_string_equal(json_object_get_string(yaml_find(yaml_root(y, 1), "metadata.name")->json), "b");
    yaml_close(y);
}

static void test_texts_are_taken_as_they_stand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_read, is_taken;
    } rows[] = {
        {"a: 1\n", true, true},
        {"\xef\xbb\xbf"
         "a: 1\n",
         true, true},
        {"a: 1\r\nb: 2\r\n", true, false},
        {"{\"a\": \"b\"}", true, true},
        {"{\"a\": \"\\u0062\"}", true, false},
        {"a: [", false, false},
        {"", true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct yaml *y;
        struct yaml_place where;
        struct err err;
        cleanup_mem char *bytes = mem_strdup(rows[i].text);
        const int result = yaml_parse_reduced(&bytes, strlen(rows[i].text), NULL, NULL, &y, &where, &err);
        if ((result == 0) != rows[i].is_read || (bytes == NULL) != rows[i].is_taken)
            fail_msg("%s", rows[i].text);
        if (bytes != NULL)
            assert_string_equal(bytes, rows[i].text);
        yaml_close(y);
    }
}

static void test_an_alias_has_the_place_of_its_anchor(void **state)
{
    (void)state;
    struct yaml *y = parse("a: &x text\nb: *x\n");
    const struct yaml_node *b = yaml_find(yaml_root(y, 0), "b");
    is_at(b, 1, 7, 1, 7);
    assert_int_equal(b->key_start.line, 2);
    yaml_close(y);
    y = parse("a: !!str &x # why\n  'q'\nb: &y |\n  z\n");
    is_at(yaml_find(yaml_root(y, 0), "a"), 2, 3, 2, 4);
    is_at(yaml_find(yaml_root(y, 0), "b"), 3, 7, 4, 3);
    yaml_close(y);
}

static void test_refusals_have_a_place(void **state)
{
    (void)state;
    is_refused("a: 1\nb: 2\na: 3\n", ERR_INVALID, 3, 1, "duplicate key a");
    is_refused("a: {b: 1, b: 1}\n", ERR_INVALID, 1, 11, "duplicate key b");
    is_refused("a:\n\tb: 1\n", ERR_INVALID, 2, 1, "cannot start any token");
    is_refused("a: *nope", ERR_INVALID, 1, 4, "unknown anchor nope");
    is_refused("a: &x [*x]", ERR_INVALID, 1, 8, "contains itself");
    is_refused("? [a]\n: b", ERR_INVALID, 1, 3, "key must be a string");
    is_refused("a: \xff", ERR_INVALID, 1, 4, "UTF-8");
    is_refused("ok: 1\n\xc3\xa9: \xff", ERR_INVALID, 2, 4, "UTF-8");
    is_refused("a: [1, 2", ERR_INVALID, 2, 1, "");
    is_refused("~: 1", ERR_INVALID, 1, 1, "null");
    is_refused("a: !!int x", ERR_INVALID, 1, 4, "!!int");
}

static void test_depth_is_a_limit(void **state)
{
    (void)state;
    char text[2 * YAML_DEPTH + 3] = "";
    memset(text, '[', YAML_DEPTH);
    memset(text + YAML_DEPTH, ']', YAML_DEPTH);
    yaml_close(parse(text));
    memset(text, '[', YAML_DEPTH + 1);
    memset(text + YAML_DEPTH + 1, ']', YAML_DEPTH + 1);
    is_refused(text, ERR_LIMIT, 1, YAML_DEPTH + 1, "deep");
}

static void test_nested_aliases_count_for_depth(void **state)
{
    (void)state;
    char text[4096] = "a0: &a0 [x]\n";
    for (int i = 1; i <= YAML_DEPTH + 5; i++) {
        const size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    }
    struct yaml *y;
    struct err err;
    assert_int_equal(yaml_parse(text, strlen(text), &y, NULL, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
}

static void test_an_alias_bomb_is_a_limit(void **state)
{
    (void)state;
    char text[4096] = "a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n";
    for (int i = 1; i < 9; i++) {
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, "a%d: &a%d [", i, i);
        for (int j = 0; j < 9; j++) {
            len = strlen(text);
            snprintf(text + len, sizeof text - len, "*a%d,", i - 1);
        }
        strncat(text, "]\n", 3);
    }
    struct yaml *y;
    struct yaml_place where;
    struct err err;
    assert_int_equal(yaml_parse(text, strlen(text), &y, &where, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
    assert_in_range(where.line, 6, 8);
}

/* Of the aliases' nodes, and of what << copies, keys included. */
static void test_a_merge_bomb_is_a_limit(void **state)
{
    (void)state;
    cleanup_buf struct buf text;
    struct yaml *y;
    struct yaml_place where;
    struct err err;
    buf_init(&text, 1 << 20);
    buf_puts(&text, "base: &b {");
    for (int i = 0; i < 3000; i++)
        buf_printf(&text, "k%d: 1, ", i);
    buf_puts(&text, "}\n");
    for (int i = 0; i < 300; i++)
        buf_printf(&text, "m%d: {<<: *b}\n", i);
    assert_int_equal(yaml_parse(text.data, text.len, &y, &where, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.msg, "expand beyond 10 MB"));
    assert_in_range(where.line, 3, 100);
    assert_int_equal(where.column, where.line < 12 ? 10 : 11);
}

/* A key that stands in many places is as many texts. */
static void test_a_bomb_of_keys_is_a_limit(void **state)
{
    (void)state;
    enum { KEY_BYTES = 100 * 1000, TIMES = 150 };
    static const char *const ways[][3] = {{"a: &a ", "\nb:\n", "- {*a : 1}\n"},
                                          {"a: &a\n  ? ", "\n  : 1\nb:\n", "- {<<: *a}\n"}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        cleanup_buf struct buf text;
        struct yaml *y;
        struct yaml_place where;
        struct err err;
        buf_init(&text, 1 << 20);
        buf_puts(&text, ways[way][0]);
        for (size_t i = 0; i < KEY_BYTES; i++)
            buf_puts(&text, "k");
        buf_puts(&text, ways[way][1]);
        for (size_t i = 0; i < TIMES; i++)
            buf_puts(&text, ways[way][2]);
        assert_int_equal(yaml_parse(text.data, text.len, &y, &where, &err), -1);
        assert_int_equal(err.code, ERR_LIMIT);
        assert_non_null(strstr(err.msg, "expand beyond 10 MB"));
        assert_in_range(where.line, 100, 110);
    }
}

static void put_directives(struct buf *out, int count, const char *between)
{
    for (int i = 0; i < count; i++)
        buf_printf(out, "%%TAG !a%d! x\n%s", i, between);
    buf_puts(out, "---\na: b\n...\n");
}

/* Of one document: another may have as many. */
static void test_directives_are_limited(void **state)
{
    (void)state;
    cleanup_buf struct buf text;
    buf_init(&text, 1 << 20);
    put_directives(&text, 100, "");
    put_directives(&text, 100, "");
    yaml_close(parse(text.data));
    put_directives(&text, 101, "# more\n\n");
    is_refused(text.data, ERR_LIMIT, 507, 1, "at most 100 %TAG directives");
    text.len = 0;
    buf_puts(&text, "a: b\n...\n%TAG !a! ");
    for (int i = 0; i < 1000; i++)
        buf_puts(&text, "x");
    buf_puts(&text, "\n---\na: b\n");
    is_refused(text.data, ERR_LIMIT, 3, 1, "of at most 1000 bytes");
    /* the text of a scalar has no directives */
    text.len = 0;
    buf_puts(&text, "--- a\n");
    for (int i = 0; i < 200; i++)
        buf_puts(&text, "%TAGS\n%TAG\nx\n");
    yaml_close(parse(text.data));
}

/* ---- time ---- */

struct text_of {
    void (*put)(struct buf *, int);
};

static double seconds_of(int count, const void *input)
{
    const struct text_of *of = input;
    cleanup_buf struct buf text;
    struct yaml *y;
    struct err err;
    buf_init(&text, 32 << 20);
    of->put(&text, count);
    const clock_t start = clock();
    if (yaml_parse(text.data, text.len, &y, NULL, &err) != 0)
        fail_msg("%s", err.msg);
    yaml_close(y);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void is_linear(void (*put)(struct buf *, int), int count)
{
    assert_linear(seconds_of, &(struct text_of){put}, count);
}

static void put_anchors(struct buf *out, int count)
{
    for (int i = 0; i < count; i++)
        buf_printf(out, "k%d: &a%d x\n", i, i);
}

static void put_aliases(struct buf *out, int count)
{
    put_anchors(out, count);
    for (int i = 0; i < count; i++)
        buf_printf(out, "l%d: *a%d\n", i, i);
}

static void put_anchors_on_a_line(struct buf *out, int count)
{
    for (int i = 0; i < count; i++)
        buf_printf(out, i == 0 ? "{k%d: &a%d x" : ", k%d: &a%d x", i, i);
    buf_puts(out, "}");
}

/* Each member of the mapping is there already when it is merged in. */
static void put_merges(struct buf *out, int count)
{
    for (int i = 0; i < 2; i++) {
        buf_printf(out, "b%d: &b%d {", i, i);
        for (int j = 0; j < count; j++)
            buf_printf(out, "k%d: 1, ", j);
        buf_puts(out, "}\n");
    }
    buf_puts(out, "m: {<<: [*b0, *b1, *b0]}\n");
}

static void put_byte_order_marks(struct buf *out, int count)
{
    buf_puts(out, "a: '");
    for (int i = 0; i < count; i++)
        buf_puts(out, "\xef\xbb\xbf");
    buf_puts(out, "'");
}

/* Each member is looked for. */
static double seconds_to_find(int count, const void *input)
{
    cleanup_buf struct buf text;
    struct err err;
    struct yaml *y;
    (void)input;
    buf_init(&text, 32 << 20);
    for (int i = 0; i < count; i++)
        buf_printf(&text, "k%d: 1\n", i);
    if (yaml_parse(text.data, text.len, &y, NULL, &err) != 0)
        fail_msg("%s", err.msg);
    const clock_t start = clock();
    for (int i = 0; i < count; i++) {
        char path[32];
        snprintf(path, sizeof path, i % 2 == 0 ? "k%d" : "[k%d]", i);
        assert_non_null(yaml_find(yaml_root(y, 0), path));
    }
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    yaml_close(y);
    return seconds;
}

static void test_time_is_linear(void **state)
{
    (void)state;
    assert_linear(seconds_to_find, NULL, 10000);
    is_linear(put_anchors, 2500);
    is_linear(put_aliases, 2500);
    is_linear(put_anchors_on_a_line, 2500);
    is_linear(put_merges, 800);
    is_linear(put_byte_order_marks, 20000);
}

static void test_every_truncation_ends(void **state)
{
    (void)state;
    const char text[] = "a: &x {b: 'c', \"d\\u00e9\": [1, *y]}\n? k\n: >-\n  z\n<<: *x\n";
    for (size_t n = 0; n < sizeof text; n++) {
        struct yaml *y;
        struct err err;
        if (yaml_parse(text, n, &y, NULL, &err) == 0)
            yaml_close(y);
    }
}

static void test_lines(void **state)
{
    (void)state;
    static const char *const lines[] = {"", "a: 1", "", "b: 2", ""};
    static const char text[] = "a: 1\r\n\nb: 2";
    struct yaml *y;
    struct err err;
    assert_int_equal(yaml_parse(text, sizeof text - 1, &y, NULL, &err), 0);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        size_t len;
        const char *line = yaml_line(y, i, &len);
        assert_int_equal(len, strlen(lines[i]));
        assert_memory_equal(line, lines[i], len);
    }
    yaml_close(y);
}

static void test_offsets(void **state)
{
    (void)state;
    static const char text[] = "a: \xc3\xa9z\r\n\nb: \xe2\x82\xac\n";
    /* In any order; behind the line's end; where there is no line. */
    static const struct {
        struct yaml_place place;
        size_t offset;
    } rows[] = {{{3, 4}, 3}, {{3, 5}, 6}, {{1, 4}, 3}, {{1, 6}, 6}, {{1, 5}, 5}, {{1, 1}, 0}, {{1, 9}, 6},
                {{2, 1}, 0}, {{2, 7}, 0}, {{3, 9}, 6}, {{4, 1}, 0}, {{5, 2}, 0}, {{0, 0}, 0}, {{3, 1}, 0}};
    struct yaml *y;
    struct err err;
    assert_int_equal(yaml_parse(text, sizeof text - 1, &y, NULL, &err), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(yaml_offset(y, rows[i].place), rows[i].offset);
    yaml_close(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_merge_keys),
        cmocka_unit_test(test_documents),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_what_is_left_has_its_nodes),
        cmocka_unit_test(test_texts_are_taken_as_they_stand),
        cmocka_unit_test(test_paths_of_children),
        cmocka_unit_test(test_an_alias_has_the_place_of_its_anchor),
        cmocka_unit_test(test_refusals_have_a_place),
        cmocka_unit_test(test_depth_is_a_limit),
        cmocka_unit_test(test_nested_aliases_count_for_depth),
        cmocka_unit_test(test_an_alias_bomb_is_a_limit),
        cmocka_unit_test(test_many_members),
        cmocka_unit_test(test_a_merge_bomb_is_a_limit),
        cmocka_unit_test(test_a_bomb_of_keys_is_a_limit),
        cmocka_unit_test(test_directives_are_limited),
        cmocka_unit_test(test_time_is_linear),
        cmocka_unit_test(test_every_truncation_ends),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
