#include "controller/apiserver/defaults/quantity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"

static const char *const decimal[] = {"", "k", "M", "G", "T", "P", "E"};
static const char *const binary[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
enum { SUFFIXES = 7 };

/* "e3", "E-2" */
static bool is_exponent(const char *text)
{
    if (*text != 'e' && *text != 'E')
        return false;
    text += 1 + (text[1] == '+' || text[1] == '-');
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

bool quantity_is_valid(const char *text)
{
    static const char *const small[] = {"n", "u", "m"};
    text += strspn(text, " \t\n\v\f\r");
    if (*text == '\0')
        return false;
    text += *text == '+' || *text == '-';
    const size_t whole = strspn(text, "0123456789");
    const bool has_point = text[whole] == '.';
    const size_t part = has_point ? strspn(text + whole + 1, "0123456789") : 0;
    const char *suffix = text + whole + has_point + part;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        if (strcmp(suffix, small[i]) == 0)
            return true;
    }
    for (size_t i = 0; i < SUFFIXES; i++) {
        if (strcmp(suffix, decimal[i]) == 0 || strcmp(suffix, binary[i]) == 0)
            return true;
    }
    return is_exponent(suffix);
}

bool quantity_is_positive(const char *text)
{
    if (*text == '-')
        return false;
    return strpbrk(text, "123456789") != NULL && text[strspn(text, "+0.")] != '\0' &&
           strchr("123456789", text[strspn(text, "+0.")]) != NULL;
}

/* The factor that the suffix stands for, in thousandths; 0: it is none of these. */
static int64_t scale_of(const char *suffix, bool *is_binary)
{
    int64_t scale = 1000;
    *is_binary = false;
    if (strcmp(suffix, "m") == 0)
        return 1;
    for (size_t i = 0; i < SUFFIXES; i++, scale *= 1000) {
        if (strcmp(suffix, decimal[i]) == 0)
            return scale;
        if (scale > INT64_MAX / 1000)
            break;
    }
    *is_binary = true;
    scale = 1000;
    for (size_t i = 0; i < SUFFIXES; i++, scale *= 1024) {
        if (strcmp(suffix, binary[i]) == 0)
            return scale;
        if (scale > INT64_MAX / 1024)
            break;
    }
    return 0;
}

void quantity_add(struct quantity_sum *sum, const char *text)
{
    char *suffix;
    bool is_binary;
    const int64_t number = strtoll(text, &suffix, 10), scale = scale_of(suffix, &is_binary);
    int64_t thousandths;
    sum->is_binary = sum->has_any ? sum->is_binary : is_binary;
    sum->has_any = true;
    if (scale == 0 || __builtin_mul_overflow(number, scale, &thousandths) ||
        __builtin_add_overflow(sum->thousandths, thousandths, &sum->thousandths))
        sum->is_lost = true;
}

char *quantity_text(const struct quantity_sum *sum)
{
    if (!sum->has_any || sum->is_lost)
        return NULL;
    if (sum->thousandths % 1000 != 0)
        return mem_printf("%" PRId64 "m", sum->thousandths);
    const int64_t step = sum->is_binary ? 1024 : 1000;
    int64_t number = sum->thousandths / 1000;
    size_t i = 0;
    for (; number != 0 && number % step == 0 && i + 1 < SUFFIXES; i++)
        number /= step;
    return mem_printf("%" PRId64 "%s", number, sum->is_binary ? binary[i] : decimal[i]);
}
