#include "bytes/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

/* The same as CPython 3.11 has with PYTHONHASHSEED=0, whose key is zero. */
static void test_known_answers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t hash;
    } rows[] = {{"a", 0x407448d2b89b1813u},
                {"ab", 0x555508cbc6add439u},
                {"abc", 0xc03bc3a0042630f2u},
                {"abcd", 0xe3d1d5fdd52aae89u},
                {"abcde", 0x251f3c725bd784a2u},
                {"abcdef", 0x62207e654289df28u},
                {"abcdefg", 0x6db12aae9070f506u},
                {"abcdefgh", 0x3f7b849c0b8e35eau},
                {"\xff\xfe\xfd", 0x1a3b5eca76d772b7u},
                {"hello world, this is siphash", 0x4b443bc085955f21u}};
    static const uint64_t zero[2];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(hash_with_key(zero, rows[i].text, strlen(rows[i].text)) == rows[i].hash);
}

static const char *program; /* this one */

static uint64_t of_another_process(void)
{
    unsigned long long hash = 0;
    char command[4096];
    snprintf(command, sizeof command, "%s hash", program);
    FILE *out = popen(command, "re");
    assert_non_null(out);
    assert_int_equal(fscanf(out, "%llx", &hash), 1);
    pclose(out);
    return hash;
}

static void test_each_process_has_its_key(void **state)
{
    (void)state;
    const uint64_t ours = hash_text("name", 4);
    assert_true(ours == hash_text("name", 4));
    assert_true(ours != hash_text("name2", 5));
    assert_true(ours != of_another_process());
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1)
        return printf("%llx\n", (unsigned long long)hash_text("name", 4)) < 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_each_process_has_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
