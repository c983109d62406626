#include "controller/apiserver/validation/kubenames.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"

#define LABEL_1123 "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define LABEL_1035 "[a-z]([-a-z0-9]*[a-z0-9])?"
#define NAME       "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"

#define SUBDOMAIN_RULE                                                                                       \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "    \
    "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "   \
    "'" LABEL_1123 "(\\." LABEL_1123 ")*')"
#define LABEL_1035_RULE                                                                                      \
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "  \
    "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "      \
    "validation is '" LABEL_1035 "')"
#define NAME_RULE                                                                                            \
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " \
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" NAME "')"
#define LABEL_VALUE_RULE                                                                                     \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and "     \
    "must "                                                                                                  \
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used " \
    "for validation is '(" NAME ")?')"

enum { SUBDOMAIN_MAX_BYTES = 253, LABEL_MAX_BYTES = 63 };

static void add(struct kubenames *problems, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct kubenames *problems, const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    problems->messages[problems->count++] = mem_strdup(message);
}

static bool is_lower_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Labels with dots between them; each begins and ends with a letter or digit. */
static bool is_subdomain(const char *value)
{
    char before = '.';
    for (const char *p = value; *p != '\0'; before = *p++) {
        bool is_edge = *p == '-' || *p == '.';
        if (!is_lower_alphanumeric(*p) && !is_edge)
            return false;
        if ((is_edge && before == '.') || (*p == '.' && before == '-'))
            return false;
    }
    return is_lower_alphanumeric(before);
}

/* The unit is always bytes, whatever it is called. */
static void check_length(const char *value, size_t most, const char *what, const char *unit,
                         struct kubenames *problems)
{
    if (strlen(value) > most)
        add(problems, "%smust be no more than %zu %s", what, most, problems->is_old ? "characters" : unit);
}

static void check_subdomain(const char *value, const char *what, const char *unit, struct kubenames *problems)
{
    check_length(value, SUBDOMAIN_MAX_BYTES, what, unit, problems);
    if (!is_subdomain(value))
        add(problems, "%s%s", what, SUBDOMAIN_RULE);
}

void kubenames_subdomain(const char *value, struct kubenames *problems)
{
    check_subdomain(value, "", "characters", problems);
}

void kubenames_label_1035(const char *value, struct kubenames *problems)
{
    check_length(value, LABEL_MAX_BYTES, "", "characters", problems);
    if (!is_subdomain(value) || strchr(value, '.') != NULL || (*value >= '0' && *value <= '9'))
        add(problems, "%s", LABEL_1035_RULE);
}

static bool is_name(const char *value)
{
    size_t len = strlen(value);
    for (const char *p = value; *p != '\0'; p++) {
        if (!isalnum((unsigned char)*p) && strchr("-_.", *p) == NULL)
            return false;
    }
    return len > 0 && isalnum((unsigned char)value[0]) && isalnum((unsigned char)value[len - 1]);
}

void kubenames_qualified_name(const char *value, struct kubenames *problems)
{
    const char *slash = strchr(value, '/'), *name = slash == NULL ? value : slash + 1;
    if (strchr(name, '/') != NULL) {
        add(problems,
            "%s %s with an optional DNS subdomain prefix and '/' (e.g. "
            "'example.com/MyName')",
            problems->is_old ? "a qualified name" : "a valid label key", NAME_RULE);
        return;
    }
    if (slash == value) {
        add(problems, "prefix part must be non-empty");
    } else if (slash != NULL) {
        cleanup_mem char *prefix = mem_strndup(value, (size_t)(slash - value));
        check_subdomain(prefix, "prefix part ", "bytes", problems);
    }
    if (*name == '\0')
        add(problems, "name part must be non-empty");
    check_length(name, LABEL_MAX_BYTES, "name part ", "bytes", problems);
    if (!is_name(name))
        add(problems, "name part %s", NAME_RULE);
}

void kubenames_label_value(const char *value, struct kubenames *problems)
{
    check_length(value, LABEL_MAX_BYTES, "", "bytes", problems);
    if (*value != '\0' && !is_name(value))
        add(problems, "%s", LABEL_VALUE_RULE);
}

void kubenames_path_segment(const char *value, struct kubenames *problems)
{
    if (strcmp(value, ".") == 0 || strcmp(value, "..") == 0) {
        add(problems, "may not be '%s'", value);
        return;
    }
    if (strchr(value, '/') != NULL)
        add(problems, "may not contain '/'");
    if (strchr(value, '%') != NULL)
        add(problems, "may not contain '%%'");
}

void kubenames_deinit(struct kubenames *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        mem_free(problems->messages[i]);
}

static struct kubenames problems_of(kubenames_form *form, const char *value, const struct fielderrors *errors)
{
    struct kubenames problems = {.is_old = !fielderrors_server(errors).counts_bytes};
    form(value, &problems);
    return problems;
}

void kubenames_check(kubenames_form *form, const char *value, const char *shown, const char *at,
                     struct fielderrors *errors)
{
    cleanup_kubenames struct kubenames problems = problems_of(form, value, errors);
    for (size_t i = 0; i < problems.count; i++)
        fielderrors_add(errors, fielderrors_invalid(shown, problems.messages[i]), "%s", at);
}

bool kubenames_check_joined(kubenames_form *form, const char *value, const char *shown, const char *prefix,
                            const char *at, struct fielderrors *errors)
{
    cleanup_kubenames struct kubenames problems = problems_of(form, value, errors);
    cleanup_buf struct buf detail;
    buf_init(&detail, FIELDERRORS_VALUE_CAP_BYTES);
    for (size_t i = 0; i < problems.count; i++)
        buf_printf(&detail, "%s%s", i == 0 ? prefix : ",", problems.messages[i]);
    if (problems.count > 0)
        fielderrors_add(errors, fielderrors_invalid(shown, detail.data), "%s", at);
    return problems.count == 0;
}
