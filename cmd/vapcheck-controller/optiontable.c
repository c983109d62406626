#include "cmd/vapcheck-controller/optiontable.h"
#include "client/base/print.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_FLAG = 256, SOURCE_BYTES = 80, HELP_COLUMN = 30, HELP_WIDTH = 100 };

static bool is_letter(const struct optiontable_row *row)
{
    return row->name[1] == '\0';
}

static const char *dashes(const struct optiontable_row *row)
{
    return is_letter(row) ? "-" : "--";
}

static int parse_row(const struct optiontable_row *row, void *options, const char *text, struct err *err)
{
    char source[SOURCE_BYTES];
    snprintf(source, sizeof source, "%s%s", dashes(row), row->name);
    return row->parse(options, row, source, text == NULL ? "true" : text, err);
}

/* Defaults, then the environment. */
static int parse_without_flags(const struct optiontable *table, void *options, struct err *err)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct optiontable_row *row = &table->rows[i];
        const char *text = row->environment == NULL ? NULL : getenv(row->environment);
        char source[SOURCE_BYTES];
        if (row->fallback != NULL && parse_row(row, options, row->fallback, err) != 0)
            return -1;
        if (text == NULL || text[0] == '\0')
            continue;
        snprintf(source, sizeof source, "$%s", row->environment);
        if (row->parse(options, row, source, text, err) != 0)
            return -1;
    }
    return 0;
}

/* getopt's own tables. */
struct flags {
    struct option longs[OPTIONTABLE_ROWS_MAX + 1];
    char shorts[2 * OPTIONTABLE_ROWS_MAX + 2];
};

static void make_flags(const struct optiontable *table, struct flags *f)
{
    size_t n_longs = 0, n_shorts = 0;
    assert(table->count <= OPTIONTABLE_ROWS_MAX);
    *f = (struct flags){0};
    f->shorts[n_shorts++] = ':'; /* a missing value is told apart */
    for (size_t i = 0; i < table->count; i++) {
        const struct optiontable_row *row = &table->rows[i];
        int argument = row->value == NULL     ? no_argument
                       : row->value[0] == '[' ? optional_argument
                                              : required_argument;
        if (is_letter(row)) {
            f->shorts[n_shorts++] = row->name[0];
            if (argument == required_argument)
                f->shorts[n_shorts++] = ':';
        } else {
            f->longs[n_longs++] = (struct option){row->name, argument, NULL, FIRST_FLAG + (int)i};
        }
    }
}

static const struct optiontable_row *find_row(const struct optiontable *table, int flag)
{
    if (flag >= FIRST_FLAG)
        return &table->rows[flag - FIRST_FLAG];
    for (size_t i = 0; i < table->count; i++) {
        if (is_letter(&table->rows[i]) && table->rows[i].name[0] == flag)
            return &table->rows[i];
    }
    return NULL;
}

int optiontable_parse(const struct optiontable *table, void *options, int argc, char **argv, struct err *err)
{
    struct flags flags;
    int flag;
    make_flags(table, &flags);
    if (parse_without_flags(table, options, err) != 0)
        return -1;
    opterr = 0;
    optind = 0; /* from the start, whoever called getopt before */
    while ((flag = getopt_long(argc, argv, flags.shorts, flags.longs, NULL)) != -1) {
        const struct optiontable_row *row = find_row(table, flag);
        if (flag == ':')
            return err_set(err, ERR_INVALID, "%.64s needs a value", argv[optind - 1]);
        if (row == NULL)
            return err_set(err, ERR_INVALID, "unknown flag %.64s", argv[optind - 1]);
        if (parse_row(row, options, optarg, err) != 0)
            return -1;
    }
    if (optind < argc)
        return err_set(err, ERR_INVALID, "unexpected argument '%.64s'", argv[optind]);
    return 0;
}

/* Parsers */

static void *field(void *options, const struct optiontable_row *row)
{
    return (char *)options + row->offset;
}

int optiontable_text(void *options, const struct optiontable_row *row, const char *source, const char *text,
                     struct err *err)
{
    (void)source, (void)err;
    *(const char **)field(options, row) = text;
    return 0;
}

int optiontable_name(void *options, const struct optiontable_row *row, const char *source, const char *text,
                     struct err *err)
{
    if (*text == '\0')
        return err_set(err, ERR_INVALID, "%s: a name is needed", source);
    return optiontable_text(options, row, source, text, err);
}

int optiontable_count(void *options, const struct optiontable_row *row, const char *source, const char *text,
                      struct err *err)
{
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < 1 || value > row->most)
        return err_set(err, ERR_INVALID, "%s: '%.64s' is not a number from 1 to %ld", source, text,
                       row->most);
    *(size_t *)field(options, row) = (size_t)value;
    return 0;
}

/* One number and its unit: 1.5h. Returns what is behind it, or NULL. */
static const char *parse_part(const char *text, double *ms)
{
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60 * 1000}, {"h", 60 * 60 * 1000}};
    char *end = NULL;
    double number = strtod(text, &end);
    size_t len = strspn(end, "hms");
    if (end == text || end != text + strspn(text, "0123456789."))
        return NULL;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strlen(units[i].name) == len && strncmp(units[i].name, end, len) == 0) {
            *ms += number * units[i].ms;
            return end + len;
        }
    }
    return NULL;
}

int optiontable_duration(void *options, const struct optiontable_row *row, const char *source,
                         const char *text, struct err *err)
{
    double ms = 0;
    const char *p = text;
    do
        p = parse_part(p, &ms);
    while (p != NULL && *p != '\0');
    if (p == NULL || ms > (double)row->most)
        return err_set(err, ERR_INVALID, "%s: '%.64s' is no duration of at most %lds, such as 15s or 500ms",
                       source, text, row->most / 1000);
    *(uint64_t *)field(options, row) = (uint64_t)ms;
    return 0;
}

int optiontable_word(const struct optiontable_row *row, const char *source, const char *text, struct err *err)
{
    const char *word = row->allowed;
    for (int i = 0;; i++) {
        size_t len = strcspn(word, ",");
        if (strlen(text) == len && strncmp(text, word, len) == 0)
            return i;
        if (word[len] == '\0')
            return err_set(err, ERR_INVALID, "%s: '%.64s' is none of %s", source, text, row->allowed);
        word += len + 2; /* ", " */
    }
}

/* Printing */

/* Words of text from `column` on; lines go on at HELP_COLUMN. */
static void print_wrapped(FILE *out, size_t column, const char *text)
{
    bool is_first = true;
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (!is_first && column + 1 + len > HELP_WIDTH) {
            print_raw(out, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
            is_first = true;
        }
        print_raw(out, "%s%.*s", is_first ? "" : " ", (int)len, text);
        column += len + !is_first;
        is_first = false;
        text += len + (text[len] == ' ');
    }
    print_raw(out, "\n");
}

static void print_row(const struct optiontable_row *row, FILE *out)
{
    char left[80], text[1024];
    bool is_optional = row->value != NULL && row->value[0] == '[';
    int len = is_optional ? snprintf(left, sizeof left, "  --%s[=%.*s]", row->name,
                                     (int)strlen(row->value) - 2, row->value + 1)
                          : snprintf(left, sizeof left, "  %s%s%s%s", dashes(row), row->name,
                                     row->value == NULL ? "" : " ", row->value == NULL ? "" : row->value);
    const char *fallback = row->shown != NULL ? row->shown : row->fallback;
    bool has_notes = fallback != NULL || row->allowed != NULL || row->environment != NULL;
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s%s%s", row->help, has_notes ? " (" : "",
             row->allowed == NULL ? "" : row->allowed,
             row->allowed != NULL && (fallback != NULL || row->environment != NULL) ? "; " : "",
             fallback == NULL ? "" : "default ", fallback == NULL ? "" : fallback,
             fallback != NULL && row->environment != NULL ? "; " : "", row->environment == NULL ? "" : "$",
             row->environment == NULL ? "" : row->environment, has_notes ? ")" : "");
    if (len + 2 > HELP_COLUMN)
        print_raw(out, "%s\n%*s", left, HELP_COLUMN, "");
    else
        print_raw(out, "%-*s", HELP_COLUMN, left);
    print_wrapped(out, HELP_COLUMN, text);
}

void optiontable_print_help(const struct optiontable *table, FILE *out)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].help != NULL)
            print_row(&table->rows[i], out);
    }
}

/* A cell; what is code stands in backquotes. */
static void print_cell(FILE *out, const char *text, bool is_code)
{
    print_raw(out, " %s%s%s |", is_code && text != NULL ? "`" : "", text == NULL ? "" : text,
              is_code && text != NULL ? "`" : "");
}

void optiontable_print_markdown(const struct optiontable *table, FILE *out)
{
    print_raw(out, "| flag | environment | default | allowed | meaning |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < table->count; i++) {
        const struct optiontable_row *row = &table->rows[i];
        if (row->help == NULL)
            continue;
        print_raw(out, "| `%s%s` |", dashes(row), row->name);
        print_cell(out, row->environment, true);
        print_cell(out, row->shown != NULL ? row->shown : row->fallback, row->shown == NULL);
        print_cell(out, row->allowed, false);
        print_cell(out, row->help, false);
        print_raw(out, "\n");
    }
}
