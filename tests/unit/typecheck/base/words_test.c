#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/words.h"

static const struct str MODES[] = {STR_INIT("Fast"), STR_INIT("Slow"), STR_INIT("Off")};

static void test_find(void **state)
{
    (void)state;
    assert_int_equal(words_find(MODES, 3, STR("Fast")), 0);
    assert_int_equal(words_find(MODES, 3, STR("Off")), 2);
    assert_int_equal(words_find(MODES, 3, STR("off")), 3);
    assert_int_equal(words_find(NULL, 0, STR("Off")), 0);
}

static void test_near(void **state)
{
    (void)state;
    assert_true(str_eq(words_near(MODES, 3, "Fats"), STR("Fast")));
    assert_true(str_eq(words_near(MODES, 3, "off"), STR("Off")));
    assert_null(words_near(MODES, 3, "Medium").at);
    assert_null(words_near(NULL, 0, "Off").at);
}

static const char *listed(const struct str *words, size_t count)
{
    static char text[200];
    const struct words_list list = words_list(words, count);
    text[0] = '\0';
    for (size_t i = 0; i < list.count; i++) {
        strncat(text, list.items[i].before.at != NULL ? list.items[i].before.at : "", 20);
        strncat(text, list.items[i].word.at, 20);
    }
    return text;
}

/* Of a list that is cut, no word is said to be the last. */
static void test_list(void **state)
{
    (void)state;
    struct str many[WORDS_SHOWN + 1];
    for (size_t i = 0; i < WORDS_SHOWN + 1; i++)
        many[i] = STR("a");
    assert_string_equal(listed(NULL, 0), "");
    assert_string_equal(listed(MODES, 1), "Fast");
    assert_string_equal(listed(MODES, 2), "Fast or Slow");
    assert_string_equal(listed(MODES, 3), "Fast, Slow or Off");
    assert_string_equal(listed(many, WORDS_SHOWN), "a, a, a, a, a, a, a, a, a, a, a or a");
    assert_string_equal(listed(many, WORDS_SHOWN + 1), "a, a, a, a, a, a, a, a, a, a, a, a or another word");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
