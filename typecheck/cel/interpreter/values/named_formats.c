/*
 * Each format has a function that adds the problems of a text to a list, in the words and the order of
 * Kubernetes; a text without problems is valid. Kubernetes matches regular expressions. Here nearly all
 * checks are written by hand, accept the same texts, and take a fraction of the time. The patterns are still
 * needed for the messages, and their lengths for the price of a validation (pattern_size).
 */
#include "typecheck/cel/interpreter/values/named_formats.h"

#include "bytes/hex.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/regexp/match.h"
#include "typecheck/cel/regexp/regexp.h"
#include "typecheck/golang/gourl.h"

/* k8s.io/apimachinery's validation of names and labels, k8s.io/kube-openapi's strfmt. */
#define LABEL     "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define LABEL1035 "[a-z]([-a-z0-9]*[a-z0-9])?"
#define KEY       "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
#define VALUE     "(" KEY ")?"
#define UUID      "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$"
#define TIME      "^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$"
#define USED(p)   "regex used for validation is '" p "')"
#define CHARACTERS                                                                                           \
    "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
#define KEY_REFUSED "must consist of " CHARACTERS " (e.g. 'MyName',  or 'my.name',  or '123-abc', " USED(KEY)
#define SUBDOMAIN_REFUSED                                                                                    \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "    \
    "must start and end with an alphanumeric character (e.g. 'example.com', " USED(                          \
        "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")

enum { LABEL_BYTES = 63, SUBDOMAIN_BYTES = 253 };

/* The problems of a text, as a list of messages. */
struct problems {
    struct arena *arena;
    struct value *list;
};

struct named_format {
    const char *name;
    void (*check)(struct problems *p, struct str s);
    uint16_t pattern_size;
    bool is_prefix; /* something may follow: a "-" at the end counts for a letter */
};

static void add(struct problems *p, struct str message)
{
    value_append(p->arena, p->list->list, value_string(p->arena, message));
}

/* Kinds of characters, as sets. */
enum {
    LOWER = 1,
    UPPER = 2,
    DIGIT = 4,
    DASH = 8,
    OTHERS = 16, /* of keys: '_' and '.' */
    SMALL = LOWER | DIGIT,
    ALPHANUMERIC = LOWER | UPPER | DIGIT,
};

static unsigned kind_of(char c)
{
    return c >= 'a' && c <= 'z'   ? LOWER
           : c >= '0' && c <= '9' ? DIGIT
           : c >= 'A' && c <= 'Z' ? UPPER
           : c == '-'             ? DASH
           : c == '_' || c == '.' ? OTHERS
                                  : 0;
}

/* Kubernetes asks regular expressions, which must be compiled and take many times as long. Here the first
 * character, those between, and the last one of several are each of some kinds. */
static bool is_made_of(struct arena *a, struct str s, unsigned first, unsigned between, unsigned last)
{
    arena_pay_bytes(a, s.len);
    for (size_t i = 0; i < s.len; i++) {
        if ((kind_of(s.at[i]) & (i == 0 ? first : i + 1 == s.len ? last : between)) == 0)
            return false;
    }
    return s.len != 0;
}

/* LABEL */
static bool is_label(struct arena *a, struct str s)
{
    return is_made_of(a, s, SMALL, SMALL | DASH, SMALL);
}

/* Labels with dots between them. */
static bool is_subdomain(struct arena *a, struct str s)
{
    for (const char *dot; s.len != 0 && (dot = memchr(s.at, '.', s.len)) != NULL;) {
        const struct str label = {s.at, (size_t)(dot - s.at)};
        arena_step(a);
        if (!is_label(a, label))
            return false;
        s = str_skip(s, label.len + 1);
    }
    return is_label(a, s);
}

/* KEY */
static bool is_key(struct arena *a, struct str s)
{
    return is_made_of(a, s, ALPHANUMERIC, ALPHANUMERIC | DASH | OTHERS, ALPHANUMERIC);
}

static void check_length(struct problems *p, const char *prefix, struct str s, size_t most, const char *unit)
{
    if (s.len > most)
        add(p, str_format(p->arena, "%smust be no more than %zu %s", prefix, most, unit));
}

/* ---- names ---- */

static void check_label(struct problems *p, struct str s)
{
    check_length(p, "", s, LABEL_BYTES, "characters");
    if (is_label(p->arena, s))
        return;
    if (is_subdomain(p->arena, s))
        add(p, STR("must not contain dots"));
    else
        add(p,
            STR("a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
                "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', " USED(
                    LABEL)));
}

static void check_label_1035(struct problems *p, struct str s)
{
    check_length(p, "", s, LABEL_BYTES, "characters");
    if (!is_made_of(p->arena, s, LOWER, SMALL | DASH, SMALL))
        add(p,
            STR("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
                "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "
                "'abc-123', " USED(LABEL1035)));
}

static void check_subdomain(struct problems *p, struct str s)
{
    check_length(p, "", s, SUBDOMAIN_BYTES, "characters");
    if (!is_subdomain(p->arena, s))
        add(p, STR(SUBDOMAIN_REFUSED));
}

bool named_formats_is_label(struct arena *a, struct str s)
{
    return s.len <= LABEL_BYTES && is_label(a, s);
}

bool named_formats_is_subdomain(struct arena *a, struct str s)
{
    return s.len <= SUBDOMAIN_BYTES && is_subdomain(a, s);
}

static void check_prefix_part(struct problems *p, struct str s)
{
    if (s.len == 0) {
        add(p, STR("prefix part must be non-empty"));
        return;
    }
    check_length(p, "prefix part ", s, SUBDOMAIN_BYTES, "bytes");
    if (!is_subdomain(p->arena, s))
        add(p, STR("prefix part " SUBDOMAIN_REFUSED));
}

static void check_qualified_name(struct problems *p, struct str s)
{
    const char *slash = s.len == 0 ? NULL : memchr(s.at, '/', s.len);
    struct str name = slash == NULL ? s : str_skip(s, (size_t)(slash - s.at) + 1);
    if (name.len != 0 && memchr(name.at, '/', name.len) != NULL && slash != NULL) {
        add(p, STR("a valid label key " KEY_REFUSED
                   " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"));
        return;
    }
    if (slash != NULL)
        check_prefix_part(p, (struct str){s.at, (size_t)(slash - s.at)});
    if (name.len == 0)
        add(p, STR("name part must be non-empty"));
    check_length(p, "name part ", name, LABEL_BYTES, "bytes");
    if (!is_key(p->arena, name))
        add(p, STR("name part " KEY_REFUSED));
}

static void check_label_value(struct problems *p, struct str s)
{
    check_length(p, "", s, LABEL_BYTES, "bytes");
    if (s.len != 0 && !is_key(p->arena, s))
        add(p, STR("a valid label must be an empty string or consist of " CHARACTERS
                   " (e.g. 'MyValue',  or 'my_value',  or '12345', " USED(VALUE)));
}

/* ---- formats of CustomResourceDefinitions ---- */

static void check_uri(struct problems *p, struct str s)
{
    struct gourl unimportant;
    struct str refusal = gourl_parse_request(p->arena, s, &unimportant);
    if (refusal.len != 0)
        add(p, refusal);
}

/* Returns true if the string matches Kubernetes' pattern, which took most of the time as a regular
 * expression. */
static bool is_uuid(struct str s)
{
    static const size_t groups[] = {8, 4, 4, 4, 12};
    size_t at = 0;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        at += i > 0 && at < s.len && s.at[at] == '-';
        for (size_t end = at + groups[i]; at < end; at++) {
            if (at == s.len || hex_digit(s.at[at]) < 0)
                return false;
        }
    }
    return at == s.len;
}

static void check_uuid(struct problems *p, struct str s)
{
    if (!is_uuid(s))
        add(p, STR("does not match the UUID format"));
}

/* Returns true if the string consists of groups of four characters: at least one, and only the last may end
 * in '='. */
static bool is_base64(struct arena *a, struct str s)
{
    size_t len = s.len;
    arena_pay_bytes(a, s.len);
    for (size_t padding = 0; padding < 2 && len != 0 && s.at[len - 1] == '='; padding++)
        len--;
    for (size_t i = 0; i < len; i++) {
        if ((kind_of(s.at[i]) & ALPHANUMERIC) == 0 && s.at[i] != '+' && s.at[i] != '/')
            return false;
    }
    return s.len != 0 && s.len % 4 == 0;
}

static void check_byte(struct problems *p, struct str s)
{
    if (!is_base64(p->arena, s))
        add(p, STR("invalid base64"));
}

/* The number that the digits at `at` write; they must be there. */
static int number_at(struct str s, size_t at, size_t digits)
{
    int value = 0;
    for (size_t i = at; i < at + digits; i++)
        value = value * 10 + (s.at[i] - '0');
    return value;
}

/* A 9 of the shape stands for any digit. */
static bool has_shape(struct str s, struct str shape)
{
    if (s.len != shape.len)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (shape.at[i] == '9' ? kind_of(s.at[i]) != DIGIT : s.at[i] != shape.at[i])
            return false;
    }
    return true;
}

static bool is_date(struct str s)
{
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (!has_shape(s, STR("9999-99-99")))
        return false;
    int year = number_at(s, 0, 4), month = number_at(s, 5, 2), day = number_at(s, 8, 2);
    if (month < 1 || month > 12 || day < 1 || day > days[month - 1])
        return false;
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month != 2 || day != 29 || is_leap;
}

static void check_date(struct problems *p, struct str s)
{
    if (!is_date(s))
        add(p, STR("invalid date"));
}

/* Cuts *s at the first "t" or "T" and returns the text before it, or all of it; *s is the rest. */
static struct str take_to_t(struct str *s)
{
    struct str whole = *s;
    size_t len = 0;
    while (len < whole.len && (whole.at[len] | 0x20) != 't')
        len++;
    *s = str_skip(whole, len < whole.len ? len + 1 : len);
    return (struct str){whole.at, len};
}

static bool is_datetime(struct arena *a, struct str s)
{
    struct str date = take_to_t(&s);
    bool has_time = s.at != date.at + date.len;
    struct str time = take_to_t(&s);
    struct str unimportant;
    if (!has_time || !is_date(date) ||
        !regexp_match_any(a, regexp_compile(a, STR("(?i)" TIME), UNICODE_15, &unimportant), time))
        return false;
    return number_at(time, 0, 2) <= 23 && number_at(time, 3, 2) <= 59 && number_at(time, 6, 2) <= 59;
}

static void check_datetime(struct problems *p, struct str s)
{
    if (!is_datetime(p->arena, s))
        add(p, STR("invalid datetime"));
}

/* ---- the table ---- */

static const struct named_format formats[] = {
    {"byte", check_byte, 84, false},
    {"date", check_date, sizeof TIME - 1, false},
    {"datetime", check_datetime, sizeof TIME - 1, false},
    {"dns1035Label", check_label_1035, 30, false},
    {"dns1035LabelPrefix", check_label_1035, 30, true},
    {"dns1123Label", check_label, 30, false},
    {"dns1123LabelPrefix", check_label, 30, true},
    {"dns1123Subdomain", check_subdomain, 60, false},
    {"dns1123SubdomainPrefix", check_subdomain, 60, true},
    {"labelValue", check_label_value, 40, false},
    {"qualifiedName", check_qualified_name, 60, false},
    {"uri", check_uri, 1103, false},
    {"uuid", check_uuid, sizeof UUID - 1, false},
};

static const struct named_format *find(struct str name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (str_eq(name, str_of(formats[i].name)))
            return &formats[i];
    }
    return NULL;
}

uint64_t named_formats_pattern_size(const struct named_format *f)
{
    return f->pattern_size;
}

/* ---- functions ---- */

static const struct value *new_value(struct arena *a, const struct named_format *format)
{
    struct value *v = ARENA_NEW(a, struct value);
    v->kind = VALUE_FORMAT;
    v->format = format;
    return v;
}

const struct value *named_formats_constant(const struct invocation *c)
{
    return new_value(c->arena, find(str_skip(c->function, sizeof "format." - 1)));
}

const struct value *named_formats_named(const struct invocation *c)
{
    const struct named_format *format = find(c->args[0]->text);
    return format == NULL ? &value_none : value_optional(c->arena, new_value(c->arena, format));
}

const struct value *named_formats_validate(const struct invocation *c)
{
    const struct named_format *format = c->args[0]->format;
    struct problems p = {c->arena, value_new_list(c->arena, 0)};
    struct str s = c->args[1]->text;
    if (format->is_prefix && s.len > 1 && s.at[s.len - 1] == '-')
        s = str_join(c->arena, STR_PARTS((struct str){s.at, s.len - 2}, STR("a")));
    format->check(&p, s);
    return p.list->list->count == 0 ? &value_none : value_optional(c->arena, p.list);
}
