#include "typecheck/cel/interpreter/values/semvers.h"

#include <inttypes.h>

#include "typecheck/base/arena.h"
#include "typecheck/golang/gonumber.h"
#include "typecheck/golang/goquote.h"

static bool is_number(struct str s)
{
    size_t i = 0;
    while (i < s.len && str_is_digit(s.at[i]))
        i++;
    return i == s.len;
}

static bool is_word(struct str s)
{
    size_t i = 0;
    while (i < s.len && (str_is_digit(s.at[i]) || s.at[i] == '-' || (s.at[i] >= 'a' && s.at[i] <= 'z') ||
                         (s.at[i] >= 'A' && s.at[i] <= 'Z')))
        i++;
    return i == s.len;
}

static bool has_leading_zeros(struct str s)
{
    return s.len > 1 && s.at[0] == '0';
}

/* ---- reading; what is wrong, or an empty text ---- */

static struct str quoted(struct arena *a, const char *message, struct str culprit)
{
    struct text t = {.arena = a};
    text_add(&t, str_of(message));
    goquote_add(&t, culprit);
    return text_str(&t);
}

/* strconv.ParseUint of digits. */
static struct str read_uint(struct arena *a, struct str s, uint64_t *out)
{
    if (gonumber_read_uint(s, out))
        return STR("");
    return str_join(a, STR_PARTS(quoted(a, "strconv.ParseUint: parsing ", s),
                                 s.len == 0 ? STR(": invalid syntax") : STR(": value out of range")));
}

static struct str read_number(struct arena *a, struct str s, size_t which, uint64_t *out)
{
    static const char *const odd[] = {"Invalid character(s) found in major number ",
                                      "Invalid character(s) found in minor number ",
                                      "Invalid character(s) found in patch number "};
    static const char *const zeros[] = {"Major number must not contain leading zeroes ",
                                        "Minor number must not contain leading zeroes ",
                                        "Patch number must not contain leading zeroes "};
    if (!is_number(s))
        return quoted(a, odd[which], s);
    if (has_leading_zeros(s))
        return quoted(a, zeros[which], s);
    return read_uint(a, s, out);
}

static struct str check_prerelease(struct arena *a, struct str part)
{
    uint64_t unimportant;
    if (part.len == 0)
        return STR("Prerelease is empty");
    if (!is_number(part))
        return is_word(part) ? STR("") : quoted(a, "Invalid character(s) found in prerelease ", part);
    if (has_leading_zeros(part))
        return quoted(a, "Numeric PreRelease version must not contain leading zeroes ", part);
    return read_uint(a, part, &unimportant);
}

static struct str check_build(struct arena *a, struct str part)
{
    if (part.len == 0)
        return STR("Build meta data is empty");
    return is_word(part) ? STR("") : quoted(a, "Invalid character(s) found in build meta data ", part);
}

/* Each part between points. */
static struct str check_parts(struct arena *a, struct str s, struct str (*check)(struct arena *, struct str))
{
    struct str part, why;
    bool goes_on;
    do {
        goes_on = str_cut(&s, '.', &part);
        why = check(a, part);
        arena_step(a);
    } while (goes_on && why.len == 0);
    return why;
}

static struct str read_version(struct arena *a, struct str s, struct semver *out)
{
    struct str parts[SEMVER_NUMBERS], plain, why = STR("");
    *out = (struct semver){.numbers = {0}};
    arena_pay_bytes(a, s.len);
    if (s.len == 0)
        return STR("Version string empty");
    if (!str_cut(&s, '.', &parts[0]) || !str_cut(&s, '.', &parts[1]))
        return STR("No Major.Minor.Patch elements found");
    bool has_build = str_cut(&s, '+', &plain);
    out->build = s;
    bool has_prerelease = str_cut(&plain, '-', &parts[2]);
    out->prerelease = plain;
    for (size_t i = 0; i < SEMVER_NUMBERS && why.len == 0; i++)
        why = read_number(a, parts[i], i, &out->numbers[i]);
    if (why.len == 0 && has_prerelease)
        why = check_parts(a, out->prerelease, check_prerelease);
    if (why.len == 0 && has_build)
        why = check_parts(a, out->build, check_build);
    return why;
}

static struct str drop_zeros(struct arena *a, struct str s)
{
    if (s.len < 2)
        return s;
    while (s.len > 0 && s.at[0] == '0')
        s = str_skip(s, 1);
    return s.len == 0 || !str_is_digit(s.at[0]) ? str_join(a, STR_PARTS(STR("0"), s)) : s;
}

/* A "v" and leading zeros go, what is short is filled up. */
static struct str read_loosely(struct arena *a, struct str s, struct semver *out)
{
    struct str parts[SEMVER_NUMBERS] = {STR_INIT("0"), STR_INIT("0"), STR_INIT("0")};
    bool goes_on = true;
    size_t count = 0;
    if (str_has_prefix(s, STR("v")))
        s = str_skip(s, 1);
    for (; goes_on && count < SEMVER_NUMBERS - 1; count++)
        goes_on = str_cut(&s, '.', &parts[count]);
    if (goes_on)
        parts[count++] = s;
    struct str last = parts[count - 1];
    for (size_t i = 0; i < count; i++)
        parts[i] = drop_zeros(a, parts[i]);
    bool has_more =
        last.len != 0 && (memchr(last.at, '+', last.len) != NULL || memchr(last.at, '-', last.len) != NULL);
    if (count < SEMVER_NUMBERS && has_more)
        return STR("short version cannot contain PreRelease/Build meta data");
    return read_version(a, str_join(a, STR_PARTS(parts[0], STR("."), parts[1], STR("."), parts[2])), out);
}

static struct str read_args(const struct invocation *c, struct semver *out)
{
    bool is_loose = c->count == 2 && c->args[1]->boolean;
    struct str s = c->args[0]->text;
    return is_loose ? read_loosely(c->arena, s, out) : read_version(c->arena, s, out);
}

/* ---- comparing ---- */

static int compare_uints(uint64_t one, uint64_t two)
{
    return (one > two) - (one < two);
}

/* Numbers come before words. */
static int compare_identifiers(struct str one, struct str two)
{
    uint64_t x, y;
    bool is_one = gonumber_read_uint(one, &x), is_two = gonumber_read_uint(two, &y);
    if (is_one != is_two)
        return is_one ? -1 : 1;
    int order = is_one ? compare_uints(x, y) : str_cmp(one, two);
    return (order > 0) - (order < 0);
}

static int compare_prereleases(struct arena *a, struct str one, struct str two)
{
    struct str x, y;
    int order;
    if (one.len == 0 || two.len == 0)
        return (one.len == 0) - (two.len == 0);
    for (;;) {
        bool has_one = str_cut(&one, '.', &x), has_two = str_cut(&two, '.', &y);
        order = compare_identifiers(x, y);
        arena_step(a);
        if (order != 0)
            return order;
        if (!has_one || !has_two)
            return has_one - has_two;
    }
}

static int compare(struct arena *a, const struct semver *one, const struct semver *two)
{
    for (size_t i = 0; i < SEMVER_NUMBERS; i++) {
        if (one->numbers[i] != two->numbers[i])
            return compare_uints(one->numbers[i], two->numbers[i]);
    }
    return compare_prereleases(a, one->prerelease, two->prerelease);
}

bool semvers_are_equal(struct arena *a, const struct value *one, const struct value *two)
{
    return compare(a, one->semver, two->semver) == 0;
}

/* ---- functions ---- */

struct str semvers_text(struct arena *a, const struct value *v)
{
    const struct semver *s = v->semver;
    struct text t = {.arena = a};
    text_addf(&t, "%" PRIu64 ".%" PRIu64 ".%" PRIu64, s->numbers[0], s->numbers[1], s->numbers[2]);
    text_add(&t, s->prerelease.len == 0 ? STR("") : STR("-"));
    text_add(&t, s->prerelease);
    text_add(&t, s->build.len == 0 ? STR("") : STR("+"));
    text_add(&t, s->build);
    return text_str(&t);
}

const struct value *semvers_semver(const struct invocation *c)
{
    struct semver *s = ARENA_NEW(c->arena, struct semver);
    struct str why = read_args(c, s);
    if (why.len != 0)
        return value_error(c->arena, why);
    struct value *v = ARENA_NEW(c->arena, struct value);
    v->kind = VALUE_SEMVER;
    v->semver = s;
    return v;
}

const struct value *semvers_is_semver(const struct invocation *c)
{
    struct semver unimportant;
    return value_bool(read_args(c, &unimportant).len == 0);
}

static int order_of(const struct invocation *c)
{
    return compare(c->arena, c->args[0]->semver, c->args[1]->semver);
}

const struct value *semvers_is_greater(const struct invocation *c)
{
    return value_bool(order_of(c) > 0);
}

const struct value *semvers_is_less(const struct invocation *c)
{
    return value_bool(order_of(c) < 0);
}

const struct value *semvers_compare(const struct invocation *c)
{
    return value_int(c->arena, order_of(c));
}

const struct value *semvers_number(const struct invocation *c)
{
    size_t which = str_eq(c->function, STR("major")) ? 0 : str_eq(c->function, STR("minor")) ? 1 : 2;
    return value_int(c->arena, (int64_t)c->args[0]->semver->numbers[which]);
}
