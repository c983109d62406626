#include "cmd/flags/flags.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "typecheck/text.h"

enum { FIRST_NAME = 256, SOURCE_BYTES = 80, WIDTH = 100 };

bool flags_has(const struct flags_table *table, const struct flags_row *row)
{
    return table->command == 0 || row->commands == 0 || (row->commands & table->command) != 0;
}

static int parse(const struct flags_table *table, const struct flags_row *row, void *options,
                 const char *source, const char *text, struct err *err)
{
    int answer = row->parse(options, row, source, text, err);
    if (answer < 0 && err->code == ERR_NONE)
        table->on_refused(row, source, text, err);
    return answer;
}

static int parse_flag(const struct flags_table *table, const struct flags_row *row, void *options,
                      const char *text, struct err *err)
{
    char source[SOURCE_BYTES];
    if (row->name != NULL)
        snprintf(source, sizeof source, "--%s", row->name);
    else
        snprintf(source, sizeof source, "-%c", row->letter);
    return parse(table, row, options, source, text == NULL ? "true" : text, err);
}

/* Defaults, then the environment. */
static int parse_without_flags(const struct flags_table *table, void *options, struct err *err)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct flags_row *row = &table->rows[i];
        const char *text = row->environment == NULL ? NULL : getenv(row->environment);
        char source[SOURCE_BYTES];
        if (!flags_has(table, row))
            continue;
        if (row->fallback != NULL && parse_flag(table, row, options, row->fallback, err) != 0)
            return -1;
        if (text == NULL || text[0] == '\0')
            continue;
        snprintf(source, sizeof source, "$%s", row->environment);
        if (parse(table, row, options, source, text, err) != 0)
            return -1;
    }
    return 0;
}

/* getopt's own tables. */
struct tables {
    struct option longs[FLAGS_ROWS_MAX + 1];
    char shorts[2 * FLAGS_ROWS_MAX + 2];
};

static void make_tables(const struct flags_table *table, struct tables *t)
{
    size_t n_longs = 0, n_shorts = 0;
    assert(table->count <= FLAGS_ROWS_MAX);
    *t = (struct tables){0};
    t->shorts[n_shorts++] = ':'; /* a missing value is an answer of its own */
    for (size_t i = 0; i < table->count; i++) {
        const struct flags_row *row = &table->rows[i];
        const int argument = row->value == NULL     ? no_argument
                             : row->value[0] == '[' ? optional_argument
                                                    : required_argument;
        if (!flags_has(table, row))
            continue;
        if (row->name != NULL)
            t->longs[n_longs++] = (struct option){row->name, argument, NULL, FIRST_NAME + (int)i};
        if (row->letter != '\0')
            t->shorts[n_shorts++] = row->letter;
        if (row->letter != '\0' && argument == required_argument)
            t->shorts[n_shorts++] = ':';
    }
}

static const struct flags_row *find_row(const struct flags_table *table, int found)
{
    if (found >= FIRST_NAME)
        return &table->rows[found - FIRST_NAME];
    size_t i = 0;
    while (!flags_has(table, &table->rows[i]) || table->rows[i].letter != found)
        i++;
    return &table->rows[i];
}

static enum flags_fault fault_of(int found)
{
    if (found == ':')
        return FLAGS_LACKS_VALUE;
    if (optopt == 0)
        return FLAGS_UNKNOWN;
    return optopt >= FIRST_NAME ? FLAGS_HAS_VALUE : FLAGS_UNKNOWN_LETTER;
}

int flags_read(const struct flags_table *table, void *options, int argc, char **argv, struct err *err)
{
    struct tables tables;
    int found, answer = parse_without_flags(table, options, err);
    make_tables(table, &tables);
    opterr = 0;
    optind = 0; /* from the start, whoever called getopt before */
    while (answer == 0 && (found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        if (found == ':' || found == '?') {
            table->on_fault(table, fault_of(found), argv[optind - 1], err);
            return -1;
        }
        answer = parse_flag(table, find_row(table, found), options, optarg, err);
    }
    return answer;
}

char *flags_near_flag(const struct flags_table *table, const char *argument)
{
    const char *name = argument + strspn(argument, "-");
    cleanup_mem char *asked = mem_strndup(name, strcspn(name, "="));
    struct suggest near;
    suggest_init(&near, asked);
    for (size_t i = 0; i < table->count; i++) {
        if (flags_has(table, &table->rows[i]) && table->rows[i].name != NULL)
            suggest_offer(&near, table->rows[i].name);
    }
    return near.best == NULL ? mem_strdup("") : mem_printf(" (did you mean --%s?)", near.best);
}

char *flags_near_word(const struct flags_row *row, const char *text)
{
    cleanup_mem char *words = mem_strdup(row->allowed == NULL ? "" : row->allowed);
    struct suggest near;
    char *rest;
    suggest_init(&near, text);
    for (char *word = strtok_r(words, ", ", &rest); word != NULL; word = strtok_r(NULL, ", ", &rest))
        suggest_offer(&near, word);
    return near.best == NULL ? mem_strdup("") : mem_printf(" (did you mean %s?)", near.best);
}

void flags_print_wrapped(FILE *out, int column, int indent, const char *text)
{
    bool is_first = true;
    while (*text != '\0') {
        const int len = (int)strcspn(text, " ");
        if (!is_first && column + 1 + len > WIDTH) {
            print_raw(out, "\n%*s", indent, "");
            column = indent;
            is_first = true;
        }
        column += print_raw(out, "%s%.*s", is_first ? "" : " ", len, text);
        is_first = false;
        text += len + (text[len] == ' ');
    }
    print_raw(out, "\n");
}

/* Parsers */

static void *field(void *options, const struct flags_row *row)
{
    return (char *)options + row->offset;
}

int flags_text(void *options, const struct flags_row *row, const char *source, const char *text,
               struct err *err)
{
    (void)source, (void)err;
    *(const char **)field(options, row) = text;
    return 0;
}

int flags_name(void *options, const struct flags_row *row, const char *source, const char *text,
               struct err *err)
{
    if (*text == '\0')
        return err_set(err, ERR_INVALID, "%s: a name is needed", source);
    return flags_text(options, row, source, text, err);
}

int flags_true(void *options, const struct flags_row *row, const char *source, const char *text,
               struct err *err)
{
    (void)source, (void)text, (void)err;
    *(bool *)field(options, row) = true;
    return 0;
}

int flags_word(const struct flags_row *row, const char *text)
{
    const char *word = row->allowed;
    for (int i = 0;; i++) {
        const size_t len = strcspn(word, ",");
        if (strlen(text) == len && strncmp(text, word, len) == 0)
            return i;
        if (word[len] == '\0')
            return -1;
        word += len + sizeof ", " - 1;
    }
}

int flags_choice(void *options, const struct flags_row *row, const char *source, const char *text,
                 struct err *err)
{
    const int word = flags_word(row, text);
    (void)source, (void)err;
    if (word < 0)
        return -1;
    *(unsigned *)field(options, row) = (unsigned)word;
    return 0;
}

int flags_count(void *options, const struct flags_row *row, const char *source, const char *text,
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

int flags_duration(void *options, const struct flags_row *row, const char *source, const char *text,
                   struct err *err)
{
    double ms = 0;
    const char *p = text;
    do
        p = parse_part(p, &ms);
    while (p != NULL && *p != '\0');
    if (p == NULL || ms > (double)row->most)
        return err_set(err, ERR_INVALID,
                       "%s: '%.64s' is not a duration of at most %lds, such as 15s or 500ms", source, text,
                       row->most / 1000);
    *(uint64_t *)field(options, row) = (uint64_t)ms;
    return 0;
}
