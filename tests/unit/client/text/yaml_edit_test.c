#include "client/text/yaml_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static struct yaml *parse(const char *text)
{
    struct yaml *y;
    struct err err;
    if (yaml_parse(text, strlen(text), &y, NULL, &err) != 0)
        fail_msg("%s: %s", text, err.msg);
    return y;
}

static bool is_only(const char *old, const char *changed, const struct yaml_edit *edits, size_t count)
{
    return yaml_edit_is_only((struct yaml_edit_text){old, strlen(old)},
                             (struct yaml_edit_text){changed, strlen(changed)}, edits, count);
}

/* The file after the part of a's value became the text; NULL: it cannot be changed. The caller frees it. */
static char *change(const char *file, const char *part, const char *text)
{
    struct yaml *y = parse(file);
    const struct yaml_node *node = yaml_find(yaml_root(y, 0), "a");
    const char *value = jsonval_text(node->json), *at = strstr(value, part);
    struct yaml_edit edit;
    char *changed = NULL;
    size_t len;
    assert_non_null(at);
    const size_t start = *part == '\0' ? strlen(value) : (size_t)(at - value);
    if (yaml_edit_init(&edit, node, start, start + strlen(part), text)) {
        changed = yaml_edit_apply(file, strlen(file), &edit, 1, &len);
        assert_non_null(changed);
        assert_int_equal(len, strlen(changed));
        struct yaml *after = parse(changed);
        assert_true(is_only(file, changed, &edit, 1));
        cleanup_mem char *wanted =
            mem_printf("%.*s%s%s", (int)start, value, text, value + start + strlen(part));
        const char *got = jsonval_text(yaml_find(yaml_root(after, 0), "a")->json);
        if (*part != '\0' && strcmp(got, wanted) != 0)
            fail_msg("%s: the value is %s, not %s", file, got, wanted);
        yaml_close(after);
        yaml_edit_deinit(&edit);
    }
    yaml_close(y);
    return changed;
}

static void test_styles(void **state)
{
    (void)state;
    static const char *const ROWS[][4] = {
        {"a: x and y # c\nb: 1\n", "and", "&&", "a: x && y # c\nb: 1\n"},
        {"a: x\n  and\n  y\nb: 1\n", "and", "&&", "a: x\n  &&\n  y\nb: 1\n"},
        {"a: 'x == ''b'' and y'\n", "'b'", "'c'", "a: 'x == ''c'' and y'\n"},
        {"a: \"x == \\\"b\\\" \\u0061nd y\"\n", "\"b\"", "\"c\\d\"",
         "a: \"x == \\\"c\\\\d\\\" \\u0061nd y\"\n"},
        {"a: \"x\\n and \\\n   y\"\n", "and", "&&", "a: \"x\\n && \\\n   y\"\n"},
        {"k: 1\na: |\n   x and\n     y\n\n   z\nb: 2\n", "z", "(z)",
         "k: 1\na: |\n   x and\n     y\n\n   (z)\nb: 2\n"},
        {"a: >-\n  x\n  and y\n\n  z\nb: 2\n", "and y", "&& y", "a: >-\n  x\n  && y\n\n  z\nb: 2\n"},
        {"{\"a\": \"x and \\\"y\\\"\"}", "and \"y\"", "&& 'y'", "{\"a\": \"x && 'y'\"}"},
        {"\xef\xbb\xbf"
         "a: x and y\r\nb: 1\r\n",
         "and", "&&",
         "\xef\xbb\xbf"
         "a: x && y\r\nb: 1\r\n"},
        {"a: \xc3\xa9 and y\n", "and", "&&", "a: \xc3\xa9 && y\n"},
        {"b: &t |\n  x and y\na: *t\n", "and", "&&", "b: &t |\n  x && y\na: *t\n"},
        {"a: |\n  (x\nb: 1\n", "", ")", "a: |\n  (x)\nb: 1\n"},
        {"a: x and y\n", "and y", "&& {z: 1}", NULL}, /* a mapping's colon */
        {"a: x and y\n", "x", "'x'", NULL},           /* a quote at the beginning */
        {"a: x and y\n", "and", "&& #", NULL},        /* a comment */
        {"a: |\n  x\n  y\n", "\n", " ", "a: |\n  x y\n"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        cleanup_mem char *changed = change(ROWS[i][0], ROWS[i][1], ROWS[i][2]);
        if (ROWS[i][3] == NULL)
            assert_null(changed);
        else
            assert_string_equal(changed, ROWS[i][3]);
    }
}

/* Every part between two characters of a value that has all sorts of white space. */
static void test_every_part(void **state)
{
    (void)state;
    static const char *const FILES[] = {
        "a: x yy\n  z\n\n  w\nb: 1\n",
        "a: 'x ''yy''\n  z\n\n  w'\nb: 1\n",
        "a: \"x \\\"y\\t\\n z\\\n  w\"\n",
        "a: |\n  x  yy\n    z\n\n  w\nb: 1\n",
        "a: >\n  x  yy\n    z\n\n  w\n  v\nb: 1\n",
    };
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++) {
        struct yaml *y = parse(FILES[k]);
        const struct yaml_node *node = yaml_find(yaml_root(y, 0), "a");
        const char *value = jsonval_text(node->json);
        const size_t len = strlen(value);
        size_t count = 0;
        for (size_t i = 0; i <= len; i++) {
            for (size_t j = i; j <= len; j++) {
                struct yaml_edit edit;
                size_t changed_len;
                if (!yaml_edit_init(&edit, node, i, j, "q"))
                    continue;
                cleanup_mem char *changed =
                    yaml_edit_apply(FILES[k], strlen(FILES[k]), &edit, 1, &changed_len);
                assert_non_null(changed);
                yaml_edit_deinit(&edit);
                count++;
            }
        }
        assert_true(count > 20);
        yaml_close(y);
    }
}

/* Each text with the edit at the scalar a of the first document. */
static void test_others_differ(void **state)
{
    (void)state;
    static const char OLD[] = "a: x\nb: [1, {c: 2}]\n---\nitems: [{d: 1}, {e: [f]}]\n---\n{}\n";
    static const struct {
        const char *text;
        bool is_same;
    } OTHERS[] = {
        {"a: yy\nb: [1, {c: 2}]\n---\nitems: [{d: 1}, {e: [f]}]\n---\n{}\n", true},
        {"a: yy\nb: [1, {c: 2}]\n---\nitems: [{d: 1},\n  {e: [f]}]\n---\n{}\n", true},
        {"a: x\nb: [1, {c: 3}]\n---\nitems: [{d: 1}, {e: [f]}]\n---\n{}\n", false},
        {"a: x\nb: [1, {d: 2}]\n---\nitems: [{d: 1}, {e: [f]}]\n---\n{}\n", false},
        {"a: x\nb: [1]\n---\nitems: [{d: 1}, {e: [f]}]\n---\n{}\n", false},
        {"a: 'x'\nb: [1, {c: 2}]\n---\nitems: [{d: 1}, {e: [f]}]\n---\n{}\n", false},
        {"a: 1\nb: [1, {c: 2}]\n---\nitems: [{d: 1}, {e: [f]}]\n---\n{}\n", false},
        {"a: x\nb: [1, {c: 2}]\n---\nitems: [{d: 1}, {e: [g]}]\n---\n{}\n", false},
        {"a: x\nb: [1, {c: 2}]\n---\nitems: [{d: 1}, {e: [\"f\"]}]\n---\n{}\n", false},
        {"a: x\nb: [1, {c: 2}]\n---\nitems: [{d: '1'}, {e: [f]}]\n---\n{}\n", false},
        {"a: x\nb: [1, {c: 2}]\n---\nitems: [{d: 1}]\n---\n{}\n", false},
        {"a: x\nb: [1, {c: 2}]\n---\nitems: [{d: 1}, {e: [f]}]\n---\n[]\n", false},
        {"a: x\nb: [1, {c: 2}]\n---\nitems: [{d: 1}, {e: [f]}]\n", false},
        {"a: x\nb: [1, {c: 2}]\n---\nitems: [{d: 1}, {e: [f]}]\n---\n{}\n---\na: 1\n", false},
        {"a: [", false},
    };
    struct yaml *y = parse(OLD);
    const struct yaml_edit edit = {.scalar = yaml_find(yaml_root(y, 0), "a")->start};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        if (is_only(OLD, OTHERS[i].text, &edit, 1) != OTHERS[i].is_same)
            fail_msg("%s", OTHERS[i].text);
    }
    assert_false(is_only(OLD, OTHERS[0].text, NULL, 0));
    assert_true(is_only(OLD, OLD, NULL, 0));
    yaml_close(y);
}

static void test_overlaps(void **state)
{
    (void)state;
    char one[] = "x", two[] = "y", ef[] = "ef", bcde[] = "bcde";
    const struct yaml_edit edits[] = {{.at = {1, 5}, .end = {1, 7}, .text = one, .old = ef},
                                      {.at = {1, 2}, .end = {1, 6}, .text = two, .old = bcde}};
    size_t len;
    assert_null(yaml_edit_apply("abcdefghij", 10, edits, 2, &len));
    cleanup_mem char *both = yaml_edit_apply("abcdefghij", 10, edits, 1, &len);
    assert_string_equal(both, "abcdxghij");
    assert_null(yaml_edit_apply("abcdEfghij", 10, edits, 1, &len));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_styles),
        cmocka_unit_test(test_every_part),
        cmocka_unit_test(test_others_differ),
        cmocka_unit_test(test_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
