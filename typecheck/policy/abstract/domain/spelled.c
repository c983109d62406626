#include "typecheck/policy/abstract/domain/spelled.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/unicode.h"
#include "typecheck/cel/interpreter/values/quantities.h"
#include "typecheck/cel/interpreter/values/value_text.h"

/* ---- the spelling of fields ---- */

/* The letters of a spelling and its length. Letters and digits can be anywhere. */
struct rule {
    struct str why;
    bool has_capitals;
    const char *others;      /* letters besides a to z, A to Z and 0 to 9 */
    const char *begin, *end; /* those of them that can be at an end */
    size_t most;             /* characters; 0: any number */
    /* Returns true if all of the text is spelled so, whose letters are. */
    bool (*is_whole)(struct str text);
};

static bool is_alnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c);
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Letters or digits at both ends. */
static bool is_name(struct str text)
{
    return text.len != 0 && is_alnum(text.at[0]) && is_alnum(text.at[text.len - 1]);
}

/* Names with dots between them. */
static bool is_subdomain(struct str text)
{
    struct str rest = text, part;
    bool is = text.len <= 253, is_more = true;
    while (is && is_more) {
        is_more = str_cut(&rest, '.', &part);
        is = is_name(part);
    }
    return is;
}

static bool is_host(struct str text)
{
    const struct str any = STR("*.");
    return is_subdomain(str_has_prefix(text, any) ? str_skip(text, any.len) : text);
}

static bool is_port_name(struct str text)
{
    bool has_letter = false;
    for (size_t i = 0; i < text.len; i++)
        has_letter = has_letter || !(str_is_digit(text.at[i]) || text.at[i] == '-');
    return has_letter && is_name(text) && memmem(text.at, text.len, "--", 2) == NULL;
}

/* prefix/name, or a name alone. */
static bool is_key(struct str text, bool has_capitals)
{
    struct str name = text, prefix;
    bool is = true;
    const size_t slash = str_find_last(text, '/');
    if (slash != SIZE_MAX) {
        prefix = (struct str){text.at, slash};
        name = str_skip(text, slash + 1);
        is = is_subdomain(prefix);
        for (size_t i = 0; is && i < prefix.len; i++)
            is = prefix.at[i] != '_' && prefix.at[i] != '/' && (has_capitals || !is_capital(prefix.at[i]));
    }
    return is && is_name(name) && name.len <= 63;
}

static bool is_label_key(struct str text)
{
    return is_key(text, false);
}

static bool is_annotation_key(struct str text)
{
    return is_key(text, true);
}

static bool is_base64(struct str text)
{
    size_t padding = 0;
    while (padding < 2 && padding < text.len && text.at[text.len - 1 - padding] == '=')
        padding++;
    return text.len % 4 == 0 && memchr(text.at, '=', text.len - padding) == NULL;
}

static const struct rule RULES[SPELLINGS] = {
    [SPELLING_DNS_LABEL] = {STR_INIT("it is up to 63 of a-z, 0-9 and '-'"), false, "-", "", "", 63, is_name},
    [SPELLING_DNS_SUBDOMAIN] = {STR_INIT("it is up to 253 of a-z, 0-9, '-' and '.'"), false, "-.", "", "",
                                253, is_subdomain},
    [SPELLING_HOST] = {STR_INIT("it is a host name without a scheme, a port or a path"), false, "-.*", "*",
                       "", 255, is_host},
    [SPELLING_PORT_NAME] = {STR_INIT("it is up to 15 of a-z, 0-9 and '-'"), false, "-", "", "", 15,
                            is_port_name},
    [SPELLING_LABEL_KEY] = {STR_INIT("a key is up to 63 letters, digits, '-', '_' and '.', and may have one "
                                     "DNS name and '/' before it"),
                            true, "-_./", "", "", 317, is_label_key},
    [SPELLING_ANNOTATION_KEY] = {STR_INIT("a key is up to 63 letters, digits, '-', '_' and '.', and may have "
                                          "one DNS name and '/' before it"),
                                 true, "-_./", "", "", 317, is_annotation_key},
    [SPELLING_LABEL_VALUE] = {STR_INIT("it is up to 63 letters, digits, '-', '_' and '.'"), true, "-_.", "",
                              "", 63, is_name},
    [SPELLING_BASE64] = {STR_INIT("the value is in base64"), true, "+/=", "+/", "+/=", 0, is_base64},
    [SPELLING_QUANTITY] = {STR_INIT("the API server keeps an amount in its canonical form"), true, "+-.",
                           "+-", ".", 0, NULL},
};

/* The letters of the suffixes of quantities, and of an exponent. */
static bool is_of_quantity(char c)
{
    return str_is_digit(c) || (c != '\0' && strchr("numkKMGTPEie+-.", c) != NULL);
}

static bool is_other(const char *others, char c)
{
    return c != '\0' && strchr(others, c) != NULL;
}

static bool is_letter(enum spelling spelling, char c)
{
    const struct rule *rule = &RULES[spelling];
    if (spelling == SPELLING_QUANTITY)
        return is_of_quantity(c);
    return is_alnum(c) ? rule->has_capitals || !is_capital(c) : is_other(rule->others, c);
}

static bool are_letters(enum spelling spelling, struct str text)
{
    bool are = true;
    for (size_t i = 0; are && i < text.len; i++)
        are = is_letter(spelling, text.at[i]);
    return are;
}

/* The canonical form of a quantity; empty: the text is none. */
static struct str canonical(struct arena *a, struct str text)
{
    const struct value written = {.kind = VALUE_STRING, .text = text}, *args = &written;
    struct str missing;
    const struct invocation c = {
        .arena = a, .function = STR_INIT("quantity"), .args = &args, .count = 1, .missing = &missing};
    const struct value *v = quantities_quantity(&c);
    return value_is_error(v) ? STR("") : quantities_text(a, v);
}

static bool is_whole(struct arena *a, enum spelling spelling, struct str text)
{
    const struct rule *rule = &RULES[spelling];
    if (!are_letters(spelling, text) || (rule->most != 0 && text.len > rule->most))
        return false;
    return spelling == SPELLING_QUANTITY ? str_eq(canonical(a, text), text) : rule->is_whole(text);
}

/* Returns true if a text that is spelled so can have this in it, at its beginning or at its end. */
static bool may_have(enum spelling spelling, enum abswords_test test, struct str text)
{
    const struct rule *rule = &RULES[spelling];
    const char first = text.at[0], last = text.at[text.len - 1];
    if (!are_letters(spelling, text) || (rule->most != 0 && text.len > rule->most))
        return false;
    return !(test == ABSWORDS_STARTS && !is_alnum(first) && !is_other(rule->begin, first)) &&
           !(test == ABSWORDS_ENDS && !is_alnum(last) && !is_other(rule->end, last));
}

/* The text with small letters, and with a hyphen for each underscore, where these are not allowed. */
static struct str respell(struct arena *a, enum spelling spelling, struct str text)
{
    char *made = ARENA_ARRAY(a, text.len + 1, char);
    for (size_t i = 0; i < text.len; i++) {
        made[i] = text.at[i];
        if (is_capital(text.at[i]) && !RULES[spelling].has_capitals)
            made[i] ^= 'a' ^ 'A';
        else if (text.at[i] == '_' && !is_letter(spelling, '_'))
            made[i] = '-';
    }
    return (struct str){made, text.len};
}

/* The API server asks about the small letters of an annotation's key, and those of U+0130 and U+212A are of
 * ASCII. */
static bool is_ascii(struct str text)
{
    bool is = true;
    for (size_t i = 0; is && i < text.len; i++)
        is = (unsigned char)text.at[i] < 0x80;
    return is;
}

static bool judge_field(void *user, unsigned sort, enum abswords_test test, struct str text,
                        struct str *meant)
{
    struct arena *a = user;
    const enum spelling spelling = (enum spelling)sort;
    arena_pay_bytes(a, text.len);
    if (spelling == SPELLING_ANNOTATION_KEY && !is_ascii(text))
        return false;
    if (test == ABSWORDS_IS ? is_whole(a, spelling, text) : may_have(spelling, test, text))
        return false;
    const bool is_amount = spelling == SPELLING_QUANTITY;
    const struct str near = !is_amount            ? respell(a, spelling, text)
                            : test == ABSWORDS_IS ? canonical(a, text)
                                                  : STR("");
    const bool is_fine =
        near.len != 0 && (test == ABSWORDS_IS ? is_whole(a, spelling, near) : may_have(spelling, test, near));
    *meant = is_fine && spelling != SPELLING_BASE64 ? near : (struct str){NULL, 0};
    return true;
}

const struct abswords *spelled_field(struct arena *a, struct str what, enum spelling spelling)
{
    struct abswords *words = ARENA_NEW(a, struct abswords);
    *words = (struct abswords){
        .what = what, .why = RULES[spelling].why, .judge = judge_field, .user = a, .sort = spelling};
    return words;
}

/* ---- what calls return ---- */

static bool is_of_case(enum spelled_result is, char c)
{
    return is == SPELLED_LOWER ? is_capital(c) : c >= 'a' && c <= 'z';
}

/* The text in the other case. */
static struct str change_case(const struct spelled *s, struct str text)
{
    char *changed = ARENA_ARRAY(s->arena, text.len + 1, char);
    for (size_t i = 0; i < text.len; i++)
        changed[i] = (char)(is_of_case(s->is, text.at[i]) ? text.at[i] ^ ('a' ^ 'A') : text.at[i]);
    return (struct str){changed, text.len};
}

static bool judge_trimmed(enum abswords_test test, struct str text, struct str *meant)
{
    const struct str trimmed = unicode_trimmed(text);
    const bool has_begin = trimmed.at == text.at && trimmed.len != 0;
    const bool has_end = trimmed.at + trimmed.len == text.at + text.len && trimmed.len != 0;
    const bool is_fine = test == ABSWORDS_CONTAINS ||
                         ((test == ABSWORDS_ENDS || has_begin) && (test == ABSWORDS_STARTS || has_end));
    if (!is_fine && test == ABSWORDS_IS && trimmed.len != 0)
        *meant = trimmed;
    return !is_fine;
}

static bool judge_result(void *user, unsigned sort, enum abswords_test test, struct str text,
                         struct str *meant)
{
    const struct spelled *s = user;
    size_t count;
    bool is_never = false;
    (void)sort;
    *meant = (struct str){NULL, 0};
    arena_pay_bytes(s->arena, text.len + s->text.len);
    switch (s->is) {
    case SPELLED_LOWER:
    case SPELLED_UPPER:
        for (size_t i = 0; !is_never && i < text.len; i++)
            is_never = is_of_case(s->is, text.at[i]);
        if (is_never)
            *meant = change_case(s, text);
        return is_never;
    case SPELLED_TRIMMED:
        return judge_trimmed(test, text, meant);
    case SPELLED_WITHOUT:
        return memmem(text.at, text.len, s->text.at, s->text.len) != NULL;
    case SPELLED_LONG:
        break;
    }
    count = value_string_size(s->arena, text);
    return count > s->most || (test == ABSWORDS_IS && count < s->least);
}

const struct abswords *spelled_call(struct spelled spelled, struct str what, struct str why)
{
    struct abswords *words = ARENA_NEW(spelled.arena, struct abswords);
    struct spelled *kept = ARENA_NEW(spelled.arena, struct spelled);
    *kept = spelled;
    *words = (struct abswords){.what = what, .why = why, .judge = judge_result, .user = kept};
    return words;
}
