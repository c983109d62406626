#include "typecheck/cel/checker/format_clause.h"

#include "bytes/utf8.h"
#include "typecheck/cel/types/type.h"

/* Sets of type kinds. */
#define INTEGERS (TYPE_KIND(TYPE_INT) | TYPE_KIND(TYPE_UINT))
#define FIXED_POINT                                                                                          \
    (TYPE_KIND(TYPE_DOUBLE) | TYPE_KIND(TYPE_STRING)) /* the strings are 'NaN' and 'Infinity' */
#define PRINTABLE                                                                                            \
    (INTEGERS | FIXED_POINT | TYPE_KIND(TYPE_LIST) | TYPE_KIND(TYPE_MAP) | TYPE_KIND(TYPE_BOOL) |            \
     TYPE_KIND(TYPE_TIMESTAMP) | TYPE_KIND(TYPE_BYTES) | TYPE_KIND(TYPE_DURATION) | TYPE_KIND(TYPE_TYPE) |   \
     TYPE_KIND(TYPE_NULL))

static const char hex_complaint[] = "only integers, byte buffers, and strings can be formatted as hex";

static const struct format_clause clauses[] = {
    {'s', PRINTABLE,
     "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
     "and timestamps"},
    {'d', INTEGERS, "decimal clause can only be used on integers"},
    {'f', FIXED_POINT, "fixed-point clause can only be used on doubles"},
    {'e', FIXED_POINT, "scientific clause can only be used on doubles"},
    {'b', INTEGERS | TYPE_KIND(TYPE_BOOL), "only integers and bools can be formatted as binary"},
    {'x', INTEGERS | TYPE_KIND(TYPE_STRING) | TYPE_KIND(TYPE_BYTES), hex_complaint},
    {'X', INTEGERS | TYPE_KIND(TYPE_STRING) | TYPE_KIND(TYPE_BYTES), hex_complaint},
    {'o', INTEGERS, "octal clause can only be used on integers"},
};

/* "." and digits, if there is a point. */
static bool read_precision(struct arena *a, struct str format, size_t *at, struct format_reading *out)
{
    out->precision = -1;
    if (format.at[*at] != '.')
        return true;
    size_t start = ++*at;
    int64_t value = 0;
    bool overflow = false;
    while (*at < format.len && format.at[*at] >= '0' && format.at[*at] <= '9') {
        int digit = format.at[(*at)++] - '0';
        overflow = overflow || value > (INT64_MAX - digit) / 10;
        value = overflow ? 0 : value * 10 + digit;
    }
    out->precision = value;
    if (*at<format.len && * at> start && !overflow)
        return true;
    out->error =
        *at == format.len
            ? STR("could not parse formatting clause: error while parsing precision: could not find end "
                  "of precision specifier")
            : str_format(a,
                         "could not parse formatting clause: error while parsing precision: error while "
                         "converting precision to integer: strconv.Atoi: parsing \"%.*s\": %s",
                         (int)(*at - start), format.at + start,
                         overflow ? "value out of range" : "invalid syntax");
    return false;
}

bool format_clause_read(struct arena *a, struct str format, size_t *at, struct format_reading *out)
{
    *out = (struct format_reading){.clause = NULL};
    if (!read_precision(a, format, at, out))
        return false;
    char letter = format.at[(*at)++];
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses && out->clause == NULL; i++)
        out->clause = clauses[i].letter == letter ? &clauses[i] : NULL;
    if (out->clause != NULL)
        return true;
    char utf8[2]; /* cel-go takes the byte for a code point */
    out->error =
        str_join(a, STR_PARTS(STR("could not parse formatting clause: unrecognized formatting clause \""),
                              ((struct str){utf8, utf8_put((unsigned char)letter, utf8)}), STR("\"")));
    return false;
}
