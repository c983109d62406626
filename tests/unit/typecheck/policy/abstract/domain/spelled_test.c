#include "typecheck/policy/abstract/domain/spelled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/quantities.h"

static struct arena arena;

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, SIZE_MAX);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_deinit(&arena);
    return 0;
}

static bool is_never(const struct abswords *words, enum abswords_test test, struct str text,
                     struct str *meant)
{
    return words->judge(words->user, words->sort, test, text, meant);
}

static struct str sixty_three(void)
{
    return STR("abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabc");
}

/* Texts are spelled so, or not; then what was meant may be known. */
static const struct {
    enum spelling spelling;
    enum abswords_test test;
    const char *text;
    bool is_never;
    const char *meant;
} FIELDS[] = {
    {SPELLING_DNS_LABEL, ABSWORDS_IS, "a-1", false, NULL},
    {SPELLING_DNS_LABEL, ABSWORDS_IS, "1", false, NULL},
    {SPELLING_DNS_LABEL, ABSWORDS_IS, "My_App", true, "my-app"},
    {SPELLING_DNS_LABEL, ABSWORDS_IS, "a.b", true, NULL},
    {SPELLING_DNS_LABEL, ABSWORDS_IS, "a-", true, NULL},
    {SPELLING_DNS_LABEL, ABSWORDS_STARTS, "a-", false, NULL},
    {SPELLING_DNS_LABEL, ABSWORDS_ENDS, "a-", true, NULL},
    {SPELLING_DNS_LABEL, ABSWORDS_CONTAINS, "-", false, NULL},
    {SPELLING_DNS_LABEL, ABSWORDS_STARTS, "-a", true, NULL},
    {SPELLING_DNS_LABEL, ABSWORDS_CONTAINS, "\xc3\xa4", true, NULL},
    {SPELLING_DNS_SUBDOMAIN, ABSWORDS_IS, "a.b-c.1", false, NULL},
    {SPELLING_DNS_SUBDOMAIN, ABSWORDS_IS, "a..b", true, NULL},
    {SPELLING_DNS_SUBDOMAIN, ABSWORDS_IS, "a.-b", true, NULL},
    {SPELLING_DNS_SUBDOMAIN, ABSWORDS_ENDS, ".", true, NULL},
    {SPELLING_HOST, ABSWORDS_IS, "*.a.b", false, NULL},
    {SPELLING_HOST, ABSWORDS_IS, "a.b", false, NULL},
    {SPELLING_HOST, ABSWORDS_IS, "*", true, NULL},
    {SPELLING_HOST, ABSWORDS_STARTS, "*.", false, NULL},
    {SPELLING_HOST, ABSWORDS_STARTS, "http://", true, NULL},
    {SPELLING_PORT_NAME, ABSWORDS_IS, "http-1", false, NULL},
    {SPELLING_PORT_NAME, ABSWORDS_IS, "80", true, NULL},
    {SPELLING_PORT_NAME, ABSWORDS_IS, "a--b", true, NULL},
    {SPELLING_PORT_NAME, ABSWORDS_IS, "abcdefghijklmnop", true, NULL},
    {SPELLING_PORT_NAME, ABSWORDS_IS, "HTTP", true, "http"},
    {SPELLING_LABEL_KEY, ABSWORDS_IS, "app.kubernetes.io/Name_1", false, NULL},
    {SPELLING_LABEL_KEY, ABSWORDS_IS, "Name", false, NULL},
    {SPELLING_LABEL_KEY, ABSWORDS_IS, "App.io/name", true, NULL},
    {SPELLING_LABEL_KEY, ABSWORDS_IS, "/name", true, NULL},
    {SPELLING_LABEL_KEY, ABSWORDS_IS, "a/b/c", true, NULL},
    {SPELLING_LABEL_KEY, ABSWORDS_IS, "a_b/c", true, NULL},
    {SPELLING_LABEL_KEY, ABSWORDS_STARTS, "app.io/", false, NULL},
    {SPELLING_LABEL_KEY, ABSWORDS_IS, "my key", true, NULL},
    {SPELLING_ANNOTATION_KEY, ABSWORDS_IS, "App.io/name", false, NULL},
    {SPELLING_ANNOTATION_KEY, ABSWORDS_IS, "my key", true, NULL},
    {SPELLING_ANNOTATION_KEY, ABSWORDS_IS, "\xe2\x84\xaa", false, NULL},
    {SPELLING_LABEL_KEY, ABSWORDS_IS, "\xe2\x84\xaa", true, NULL},
    {SPELLING_LABEL_VALUE, ABSWORDS_IS, "A_1.b-c", false, NULL},
    {SPELLING_LABEL_VALUE, ABSWORDS_IS, "_a", true, NULL},
    {SPELLING_LABEL_VALUE, ABSWORDS_IS, "a:b", true, NULL},
    {SPELLING_BASE64, ABSWORDS_IS, "YWRtaW4=", false, NULL},
    {SPELLING_BASE64, ABSWORDS_IS, "admin", true, NULL},
    {SPELLING_BASE64, ABSWORDS_IS, "YWR=aW4=", true, NULL},
    {SPELLING_BASE64, ABSWORDS_IS, "YQ==", false, NULL},
    {SPELLING_BASE64, ABSWORDS_IS, "Y===", true, NULL},
    {SPELLING_BASE64, ABSWORDS_STARTS, "admin", false, NULL},
    {SPELLING_BASE64, ABSWORDS_STARTS, "=", true, NULL},
    {SPELLING_BASE64, ABSWORDS_CONTAINS, "a b", true, NULL},
    {SPELLING_QUANTITY, ABSWORDS_IS, "1Gi", false, NULL},
    {SPELLING_QUANTITY, ABSWORDS_IS, "0", false, NULL},
    {SPELLING_QUANTITY, ABSWORDS_IS, "-1500m", false, NULL},
    {SPELLING_QUANTITY, ABSWORDS_IS, "1500m", false, NULL},
    {SPELLING_QUANTITY, ABSWORDS_IS, "1e3", false, NULL},
    {SPELLING_QUANTITY, ABSWORDS_IS, "100E", false, NULL},
    {SPELLING_QUANTITY, ABSWORDS_IS, "1024Mi", true, "1Gi"},
    {SPELLING_QUANTITY, ABSWORDS_IS, "0.5", true, "500m"},
    {SPELLING_QUANTITY, ABSWORDS_IS, "1000", true, "1k"},
    {SPELLING_QUANTITY, ABSWORDS_IS, "1GB", true, NULL},
    {SPELLING_QUANTITY, ABSWORDS_IS, "lots", true, NULL},
    {SPELLING_QUANTITY, ABSWORDS_ENDS, "GB", true, NULL},
    {SPELLING_QUANTITY, ABSWORDS_ENDS, "i", false, NULL},
    {SPELLING_QUANTITY, ABSWORDS_STARTS, ".5", true, NULL},
};

static void test_fields(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        const struct abswords *words = spelled_field(&arena, STR("x"), FIELDS[i].spelling);
        struct str meant = {NULL, 0};
        const bool never = is_never(words, FIELDS[i].test, str_of(FIELDS[i].text), &meant);
        if (never != FIELDS[i].is_never || (never && (meant.at == NULL) != (FIELDS[i].meant == NULL)) ||
            (never && meant.at != NULL && !str_eq(meant, str_of(FIELDS[i].meant))))
            fail_msg("'%s': %d, '%.*s'", FIELDS[i].text, never, STR_ARG(meant));
    }
    struct str meant, most = sixty_three();
    assert_false(is_never(spelled_field(&arena, STR("x"), SPELLING_DNS_LABEL), ABSWORDS_IS, most, &meant));
    const struct str more = str_join(&arena, STR_PARTS(most, STR("d")));
    assert_true(is_never(spelled_field(&arena, STR("x"), SPELLING_DNS_LABEL), ABSWORDS_IS, more, &meant));
    assert_true(
        is_never(spelled_field(&arena, STR("x"), SPELLING_LABEL_VALUE), ABSWORDS_CONTAINS, more, &meant));
    const struct str key = str_join(&arena, STR_PARTS(STR("a.b/"), most));
    assert_false(is_never(spelled_field(&arena, STR("x"), SPELLING_LABEL_KEY), ABSWORDS_IS, key, &meant));
}

enum { LONGEST = 4 };

/* The text with that number, of up to LONGEST of the letters. Returns its length, 0 behind the last one. */
static size_t make_text(const char *letters, size_t number, char *text)
{
    size_t length = 0, count = strlen(letters);
    for (; number != 0 && length < LONGEST; number = (number - 1) / count)
        text[length++] = letters[(number - 1) % count];
    return number == 0 ? length : 0;
}

/* What a text that is spelled so has in it is refused by no test. */
static void test_tests_agree(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    for (int spelling = SPELLING_ANY + 1; spelling < SPELLINGS; spelling++) {
        const struct abswords *words = spelled_field(&arena, STR("x"), (enum spelling)spelling);
        size_t fine = 0;
        char text[LONGEST];
        struct str meant;
        for (size_t number = 1, length; (length = make_text("aA1-_./=*:+B m", number, text)) != 0; number++) {
            const struct str all = {text, length};
            if (is_never(words, ABSWORDS_IS, all, &meant))
                continue;
            fine++;
            for (size_t from = 0; from < all.len; from++) {
                for (size_t to = from + 1; to <= all.len; to++) {
                    const struct str part = {text + from, to - from};
                    if (is_never(words, ABSWORDS_CONTAINS, part, &meant) ||
                        (from == 0 && is_never(words, ABSWORDS_STARTS, part, &meant)) ||
                        (to == all.len && is_never(words, ABSWORDS_ENDS, part, &meant)))
                        fail_msg("spelling %d: '%.*s' in '%.*s'", spelling, STR_ARG(part), STR_ARG(all));
                }
            }
        }
        assert_true(fine > 1);
    }
}

/* Returns true if the server keeps the text as it was written. Then it must be spelled so. */
static bool is_kept(const struct abswords *words, struct str text)
{
    const struct value written = {.kind = VALUE_STRING, .text = text}, *args = &written;
    struct str missing, meant;
    const struct value *v = quantities_quantity(
        &(struct invocation){.arena = &arena, .args = &args, .count = 1, .missing = &missing});
    if (value_is_error(v) || !str_eq(quantities_text(&arena, v), text))
        return false;
    if (is_never(words, ABSWORDS_IS, text, &meant))
        fail_msg("'%.*s'", STR_ARG(text));
    return true;
}

static size_t count_kept(void)
{
    const struct abswords *words = spelled_field(&arena, STR("x"), SPELLING_QUANTITY);
    char text[LONGEST];
    size_t kept = 0;
    for (size_t number = 1, length; (length = make_text("0125+-.eEmkKMi", number, text)) != 0; number++)
        kept += is_kept(words, (struct str){text, length});
    return kept;
}

static void test_kept_quantities(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    assert_true(count_kept() > 100);
}

static const struct {
    enum spelled_result is;
    const char *text; /* SPELLED_WITHOUT */
    size_t least, most;
    enum abswords_test test;
    const char *asked;
    bool is_never;
    const char *meant;
} RESULTS[] = {
    {SPELLED_LOWER, "", 0, 0, ABSWORDS_IS, "nginx", false, NULL},
    {SPELLED_LOWER, "", 0, 0, ABSWORDS_IS, "Nginx", true, "nginx"},
    {SPELLED_LOWER, "", 0, 0, ABSWORDS_CONTAINS, "\xc3\x84", false, NULL},
    {SPELLED_LOWER, "", 0, 0, ABSWORDS_ENDS, "X", true, "x"},
    {SPELLED_UPPER, "", 0, 0, ABSWORDS_STARTS, "nG", true, "NG"},
    {SPELLED_UPPER, "", 0, 0, ABSWORDS_STARTS, "NG-1", false, NULL},
    {SPELLED_TRIMMED, "", 0, 0, ABSWORDS_IS, " a", true, "a"},
    {SPELLED_TRIMMED, "", 0, 0, ABSWORDS_IS, "a b", false, NULL},
    {SPELLED_TRIMMED, "", 0, 0, ABSWORDS_IS, " ", true, NULL},
    {SPELLED_TRIMMED, "", 0, 0, ABSWORDS_STARTS, "a ", false, NULL},
    {SPELLED_TRIMMED, "", 0, 0, ABSWORDS_STARTS, "\ta", true, NULL},
    {SPELLED_TRIMMED, "", 0, 0, ABSWORDS_STARTS, " ", true, NULL},
    {SPELLED_TRIMMED, "", 0, 0, ABSWORDS_ENDS, " a", false, NULL},
    {SPELLED_TRIMMED, "", 0, 0, ABSWORDS_ENDS, "a ", true, NULL},
    {SPELLED_TRIMMED, "", 0, 0, ABSWORDS_CONTAINS, " ", false, NULL},
    {SPELLED_WITHOUT, ":", 0, 0, ABSWORDS_IS, "a:", true, NULL},
    {SPELLED_WITHOUT, "::", 0, 0, ABSWORDS_CONTAINS, ":", false, NULL},
    {SPELLED_LONG, "", 4, 4, ABSWORDS_IS, "prod-", true, NULL},
    {SPELLED_LONG, "", 4, 4, ABSWORDS_IS, "pro", true, NULL},
    {SPELLED_LONG, "", 4, 4, ABSWORDS_STARTS, "pro", false, NULL},
    {SPELLED_LONG, "", 4, 4, ABSWORDS_IS, "pr\xc3\xb6x", false, NULL},
    {SPELLED_LONG, "", 0, 1, ABSWORDS_CONTAINS, "ab", true, NULL},
};

static void test_results(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    for (size_t i = 0; i < sizeof RESULTS / sizeof *RESULTS; i++) {
        const struct spelled spelled = {.arena = &arena,
                                        .is = RESULTS[i].is,
                                        .text = str_of(RESULTS[i].text),
                                        .least = RESULTS[i].least,
                                        .most = RESULTS[i].most};
        const struct abswords *words = spelled_call(spelled, STR("x"), STR(""));
        struct str meant = {NULL, 0};
        const bool never = is_never(words, RESULTS[i].test, str_of(RESULTS[i].asked), &meant);
        if (never != RESULTS[i].is_never || (meant.at == NULL) != (RESULTS[i].meant == NULL) ||
            (meant.at != NULL && !str_eq(meant, str_of(RESULTS[i].meant))))
            fail_msg("'%s': %d, '%.*s'", RESULTS[i].asked, never, STR_ARG(meant));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tests_agree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kept_quantities, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_results, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
