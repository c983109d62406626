#include "typecheck/policy/abstract/domain/string_call.h"

#include <string.h>

#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/policy/abstract/domain/spelled.h"

/* Returns true if the author has not written which string it is. */
static bool is_any_string(const struct abscall *c, struct transfer t)
{
    return t.failure == NULL && c->is_receiver && t.value->kinds == ABS_STRING &&
           (t.value->values == NULL || t.value->author == ABS_BY_NAMES);
}

/* "result of trim()" */
static struct str name_result(const struct abscall *c)
{
    return str_join(c->arena, STR_PARTS(STR("result of "), c->name, STR("()")));
}

/* Returns true if the call fails where an argument is no string. */
static bool may_fail(const struct abscall *c)
{
    bool may = false;
    for (size_t i = 0; i < c->count; i++)
        may = may || c->args[i]->kinds != ABS_STRING;
    return may;
}

/* t: the result without the words. But for substring() and charAt(), no such call fails with strings. */
static struct transfer with_words(const struct abscall *c, struct transfer t, struct spelled spelled,
                                  struct str why)
{
    const struct abswords *words = spelled_call(spelled, name_result(c), why);
    if (t.value->values != NULL || spelled.is == SPELLED_LONG)
        return transfer_passes(absval_with_words(c->arena, t.value, words));
    return abscall_result(c, absval_with_words(c->arena, &absval_string, words), may_fail(c));
}

struct transfer string_call_case(const struct abscall *c)
{
    const struct transfer t = abscall_constants(c);
    const bool is_upper = str_eq(c->name, STR("upperAscii"));
    return is_any_string(c, t) ? with_words(c, t,
                                            (struct spelled){.arena = c->arena,
                                                             .is = is_upper ? SPELLED_UPPER : SPELLED_LOWER},
                                            STR(""))
                               : t;
}

/* string(x) of a bool. */
struct transfer string_call_convert(const struct abscall *c)
{
    static const struct str truths[] = {STR_INIT("false"), STR_INIT("true")};
    static const struct abswords words = {
        .what = STR_INIT("result of string()"), .list = truths, .count = sizeof truths / sizeof *truths};
    const struct transfer t = abscall_constants(c);
    if (t.failure != NULL || c->args[0]->kinds != ABS_BOOL || t.value->kinds != ABS_STRING ||
        t.value->values != NULL)
        return t;
    return transfer_passes(absval_with_words(c->arena, t.value, &words));
}

struct transfer string_call_trim(const struct abscall *c)
{
    const struct transfer t = abscall_constants(c);
    return is_any_string(c, t)
               ? with_words(c, t, (struct spelled){.arena = c->arena, .is = SPELLED_TRIMMED}, STR(""))
               : t;
}

struct transfer string_call_char_at(const struct abscall *c)
{
    const struct transfer t = abscall_constants(c);
    const struct spelled spelled = {c->arena, SPELLED_LONG, .most = 1};
    return is_any_string(c, t) ? with_words(c, t, spelled, STR("it is one character")) : t;
}

struct transfer string_call_substring(const struct abscall *c)
{
    const struct transfer t = abscall_constants(c);
    const struct absval *from = c->args[1], *to = c->args[2];
    if (!is_any_string(c, t) || from->kinds != ABS_INT || to->kinds != ABS_INT || !absval_is_constant(from) ||
        !absval_is_constant(to) || from->values[0].integer < 0 ||
        to->values[0].integer < from->values[0].integer)
        return t;
    const long long start = from->values[0].integer, end = to->values[0].integer;
    const size_t length = (size_t)(end - start);
    return with_words(
        c, t, (struct spelled){c->arena, SPELLED_LONG, .least = length, .most = length},
        str_format(c->arena, "substring(%lld, %lld) has %lld characters", start, end, end - start));
}

/* Of one character: of a longer text, what is left of two may make a new one. */
struct transfer string_call_replace(const struct abscall *c)
{
    const struct transfer t = abscall_constants(c);
    const struct str *from = absval_constant_string(c->args[1]), *to = absval_constant_string(c->args[2]);
    if (!is_any_string(c, t) || from == NULL || to == NULL || from->len == 0)
        return t;
    arena_pay_bytes(c->arena, from->len + to->len);
    if (value_string_size(c->arena, *from) != 1 || memmem(to->at, to->len, from->at, from->len) != NULL)
        return t;
    return with_words(c, t, (struct spelled){c->arena, SPELLED_WITHOUT, .text = *from},
                      str_join(c->arena, STR_PARTS(STR("every '"), *from, STR("' was replaced"))));
}

struct transfer string_call_split(const struct abscall *c)
{
    const struct transfer t = abscall_constants(c);
    const struct str *at = absval_constant_string(c->args[1]);
    if (t.failure != NULL || !c->is_receiver || at == NULL || t.value->kinds != ABS_LIST ||
        t.value->list == NULL || t.value->list->is_exact || t.value->list->element == NULL)
        return t;
    const bool is_whole = at->len != 0;
    const struct spelled spelled = {c->arena, is_whole ? SPELLED_WITHOUT : SPELLED_LONG, .text = *at,
                                    .most = 1};
    const struct str why =
        is_whole ? str_join(c->arena, STR_PARTS(STR("the text was split at every '"), *at, STR("'")))
                 : STR("the text was split into characters");
    const struct abswords *words = spelled_call(spelled, STR("part"), why);
    const struct absval *part = absval_with_words(c->arena, &absval_string, words);
    const struct absval *parts = absval_of_elements(c->arena, part);
    return abscall_result(c, is_whole ? absval_with_least(c->arena, parts, 1) : parts, may_fail(c));
}

struct transfer string_call_test(const struct abscall *c)
{
    static const struct {
        struct str name;
        enum abswords_test test;
    } tests[] = {{STR_INIT("startsWith"), ABSWORDS_STARTS},
                 {STR_INIT("endsWith"), ABSWORDS_ENDS},
                 {STR_INIT("contains"), ABSWORDS_CONTAINS}};
    struct transfer t = abscall_constants(c);
    size_t i = 0;
    while (i < sizeof tests / sizeof *tests && !str_eq(tests[i].name, c->name))
        i++;
    if (t.failure != NULL || !c->is_receiver || i == sizeof tests / sizeof *tests)
        return t;
    if (t.value->kinds == ABS_BOOL && t.value->can_be[true] && t.value->can_be[false])
        t = abscall_result(c, &absval_bool, may_fail(c));
    t.claim = transfer_no_text(c->arena, tests[i].test, c->args[0], c->args[1]);
    return t;
}
