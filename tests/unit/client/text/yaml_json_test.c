#include "client/text/yaml_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/yaml.h"

/* ---- the same as libyaml ---- */

/* A comment before the text makes it libyaml's. */
static const char COMMENT[] = "#\n";

static void print_place(struct buf *b, struct yaml_place place, size_t first)
{
    buf_printf(b, "%zu:%zu ", place.line - first, (size_t)place.column);
}

/* All of a tree; its lines count from `first`. */
static void print_node(struct buf *b, const struct yaml_node *n, const char *text, size_t first)
{
    if (n->key != NULL) {
        buf_printf(b, "%s@", n->key);
        print_place(b, n->key_start, first);
    }
    buf_printf(b, "%d@", (int)n->style);
    print_place(b, n->start, first);
    print_place(b, n->text, first);
    if (n->source != NULL)
        buf_printf(b, "%zu+%zu ", (size_t)(n->source - text), (size_t)n->source_len);
    buf_printf(b, "%s %zu\n", json_object_to_json_string(n->json), (size_t)n->n_children);
    for (size_t i = 0; i < n->n_children; i++)
        print_node(b, n->children[i], text, first);
}

/* The documents, or the error. */
static void print_parsed(struct buf *b, const char *text, size_t len, size_t first)
{
    struct yaml *y;
    struct yaml_place where;
    struct err err;
    if (yaml_parse(text, len, &y, &where, &err) != 0) {
        print_place(b, where, first);
        buf_puts(b, err.msg);
        return;
    }
    const char *begin = yaml_line(y, 1 + first, &(size_t){0});
    for (size_t i = 0; i < yaml_count(y); i++)
        print_node(b, yaml_root(y, i), begin, first);
    yaml_close(y);
}

static void check_same(const char *text, size_t len)
{
    cleanup_buf struct buf commented, own, library;
    buf_init(&commented, SIZE_MAX / 2);
    buf_init(&own, SIZE_MAX / 2);
    buf_init(&library, SIZE_MAX / 2);
    buf_puts(&commented, COMMENT);
    buf_append(&commented, text, len);
    print_parsed(&own, text, len, 0);
    print_parsed(&library, commented.data, commented.len, 1);
    if (strcmp(own.data, library.data) != 0)
        fail_msg("%.*s\nis read as\n%s\nand by libyaml as\n%s", (int)len, text, own.data, library.data);
}

/* ---- what is taken ---- */

#define EIGHT     "aaaaaaaa"
#define HUNDREDS  EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
#define THOUSANDS HUNDREDS HUNDREDS HUNDREDS HUNDREDS HUNDREDS HUNDREDS HUNDREDS HUNDREDS HUNDREDS HUNDREDS

static void test_taken(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        " \n {} \n ",
        "---\n{}\n",
        "--- {}",
        "\n\n---\n\n[]",
        "{\"a\":1}",
        "{\"a\": {\"b\": [1, -2, 0.5, 1e3, 1E-3, -0, true, false, null]}, \"c\": \"\"}",
        "{\n  \"a\": [\n    {},\n    [[]]\n  ],\n  \"b\":\n\"c\"\n}\n",
        "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\",\"\\n\":\"# not: a, [comment] {}\"}",
        "{\"<<\":{\"a\":1},\"y\":\"no\",\"~\":\"~\",\"1\":\"1\"}",
        "[1\n,\n2\n]",
        "[\"--- a\",\n\"---\"\n]",
        "[\"" THOUSANDS "\"]",
        "[9223372036854775807,18446744073709551615,1e400,123456789012345678901234567890]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (yaml_json_length(texts[i], strlen(texts[i])) != strlen(texts[i]))
            fail_msg("not taken: %s", texts[i]);
        check_same(texts[i], strlen(texts[i]));
    }
}

static void test_left_to_libyaml(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "1",
        "\"a\"",
        "a: b",
        "{",
        "[",
        "[1",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\"}",
        "{a: 1}",
        "{\"a\" :1}",
        "{\"a\"\n:1}",
        "{\"a\":1,}",
        "[1,]",
        "[,]",
        "[1 2]",
        "{]",
        "[}",
        "{}]",
        "{} # comment",
        "# comment\n{}",
        "{} ---",
        "{}\n--",
        "{}\n---x",
        "{}\n...\n",
        " ---\n{}",
        "---{}",
        "{\t}",
        "{}\r\n",
        "[\"\t\"]",
        "[\"\x7f\"]",
        "[\"\xc3\xa9\"]",
        "[\"\\u0000\"]",
        "[\"\\x41\"]",
        "['a']",
        "[01]",
        "[1.]",
        "[.5]",
        "[1e]",
        "[-]",
        "[+1]",
        "[0x1]",
        "[1_0]",
        "[nul]",
        "[True]",
        "[~]",
        "[&a 1]",
        "[!!str 1]",
        "{\"" THOUSANDS "\":1}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (yaml_json_length(texts[i], strlen(texts[i])) != 0)
            fail_msg("taken: %s", texts[i]);
        check_same(texts[i], strlen(texts[i]));
    }
    /* with a comment before them they are other texts */
    static const char *const others[] = {"{} {}", "[\"\\ud800\"]", "\xef\xbb\xbf{}"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(yaml_json_length(others[i], strlen(others[i])), 0);
}

static void test_documents(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": 1}\n---\n[2]\n--- {\"b\":3}\n\n---\nc: 4\n---\n{}\n";
    size_t at = 0;
    static const size_t lengths[] = {9, 8, 13, 0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_int_equal(yaml_json_length(text + at, sizeof text - 1 - at), lengths[i]);
        at += lengths[i];
    }
    check_same(text, sizeof text - 1);
    check_same("{}\n---\n{}\n---\n", 14);
    check_same("{}\n---\n---\n{}\n", 14);
    check_same("{\"a\":1,\"b\":[]}\n---\n{\"a\":1,\"a\":2}\n", 33);
    check_same("{\"a\":1}\n---\n{\"b\":2}\n---\n{\"c\":\t@}\n", 33);
    check_same("&a {}\n---\n{}\n---\n[*a]\n", 21);
}

static void test_depth(void **state)
{
    (void)state;
    char text[2 * YAML_DEPTH + 2];
    memset(text, '[', YAML_DEPTH);
    memset(text + YAML_DEPTH, ']', YAML_DEPTH);
    assert_int_equal(yaml_json_length(text, 2 * YAML_DEPTH), 2 * YAML_DEPTH);
    check_same(text, 2 * YAML_DEPTH);
    memset(text, '[', YAML_DEPTH + 1);
    memset(text + YAML_DEPTH + 1, ']', YAML_DEPTH + 1);
    assert_int_equal(yaml_json_length(text, sizeof text), 0);
    check_same(text, sizeof text);
}

/* Each byte is changed, left out, and has another one before it. */
static void test_changed_bytes(void **state)
{
    (void)state;
    static const char text[] =
        "---\n{\"a\": [1, -2.5e3, \"x \\n\\u00e9\"],\n \"b\": {\"c\":null}}\n--- [true]\n";
    static const char bytes[] = " \n\t\r\"'\\{}[]:,-+.#&*!|>%@?~01eEaun<=\x7f\xc3";
    enum { LEN = sizeof text - 1 };
    char changed[LEN + 1];
    for (size_t at = 0; at < LEN; at++) {
        memcpy(changed, text, at);
        memcpy(changed + at, text + at + 1, LEN - at - 1);
        check_same(changed, LEN - 1);
        for (const char *c = bytes; *c != '\0'; c++) {
            memcpy(changed, text, LEN);
            changed[at] = *c;
            check_same(changed, LEN);
            memcpy(changed + at + 1, text + at, LEN - at);
            check_same(changed, LEN + 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taken),         cmocka_unit_test(test_left_to_libyaml),
        cmocka_unit_test(test_documents),     cmocka_unit_test(test_depth),
        cmocka_unit_test(test_changed_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
