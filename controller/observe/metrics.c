#include "controller/observe/metrics.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/base/plain.h"

enum { LABELS_CAP_BYTES = METRICS_LABELS_MAX * (2 * METRICS_LABEL_BYTES + 128) };

static const char *const kind_names[] = {
    [METRICS_COUNTER] = "counter", [METRICS_GAUGE] = "gauge", [METRICS_HISTOGRAM] = "histogram"};

/* One label set of a family. */
struct series {
    char *labels; /* as they are rendered: a="x",b="y" */
    char *values; /* theirs as they were given, each with its NUL; NULL: METRICS_OTHER */
    double value; /* the sum, if it is a histogram */
    uint64_t count;
    uint64_t *buckets; /* a histogram's: how many values fell into each, not cumulated; the last is +Inf */
};

/* A family and its label sets. */
struct holder {
    const struct metrics_family *family;
    struct keymap by_labels;
    struct series **series; /* in order of appearance */
    size_t n_series;
    struct series *last; /* asked for, which most often is asked for again; NULL: none */
};

struct metrics {
    struct holder *holders;
    size_t count;
};

static size_t label_count(const struct metrics_family *f)
{
    size_t count = 0;
    while (count < METRICS_LABELS_MAX && f->labels[count] != NULL)
        count++;
    return count;
}

/* A label's value, or with is_help a family's help, which keeps its quotes. */
static void put_escaped(struct buf *out, const char *text, size_t cap, bool is_help)
{
    size_t len = strlen(text);
    len = utf8_cut(text, len, cap);
    for (size_t i = 0; i < len;) {
        const size_t plain = plain_run(text + i, len - i);
        if (plain > 0) {
            buf_append(out, text + i, plain);
            i += plain;
            continue;
        }
        uint32_t code;
        char bytes[4];
        i += utf8_next(text + i, len - i, &code);
        char spelled[PLAIN_SPELLED_BYTES];
        if (code == '\n')
            buf_puts(out, "\\n");
        else if (plain_is_hidden(code) && plain_spell(code, PLAIN_TEXT, spelled) > 0)
            buf_printf(out, "\\%s", spelled); /* its backslash is escaped */
        else if (code == '\\' || (code == '"' && !is_help))
            buf_printf(out, "\\%c", (int)code);
        else
            buf_append(out, bytes, utf8_put(code, bytes));
    }
}

/* Values NULL: every label is METRICS_OTHER. */
static void put_labels(struct buf *out, const struct metrics_family *f, const char *const *values)
{
    size_t count = label_count(f);
    for (size_t i = 0; i < count; i++) {
        buf_puts(out, i > 0 ? "," : "");
        buf_puts(out, f->labels[i]);
        buf_puts(out, "=\"");
        put_escaped(out, values == NULL ? METRICS_OTHER : values[i], METRICS_LABEL_BYTES, false);
        buf_putc(out, '"');
    }
}

static struct series *add_series(struct holder *h, const char *labels)
{
    struct series *s = mem_zalloc(sizeof *s);
    s->labels = mem_strdup(labels);
    if (h->family->kind == METRICS_HISTOGRAM)
        s->buckets = mem_array(h->family->n_bounds + 1, sizeof *s->buckets);
    keymap_put(&h->by_labels, labels, s);
    h->series = mem_realloc(h->series, h->n_series + 1, sizeof(struct series *));
    h->series[h->n_series++] = s;
    return s;
}

static void keep_values(struct series *s, const char *const *values, size_t count)
{
    cleanup_buf struct buf kept;
    buf_init(&kept, LABELS_CAP_BYTES);
    for (size_t i = 0; i < count; i++)
        (void)buf_append(&kept, values[i], strlen(values[i]) + 1);
    s->values = kept.is_full ? NULL : buf_take(&kept, NULL);
}

static bool has_values(const struct series *s, const char *const *values, size_t count)
{
    const char *at = s->values;
    for (size_t i = 0; at != NULL && i < count; i++) {
        if (strcmp(at, values[i]) != 0)
            return false;
        at += strlen(at) + 1;
    }
    return count == 0 || at != NULL;
}

static struct series *look_up(struct holder *h, const char *const *values)
{
    const struct metrics_family *f = h->family;
    size_t most = f->max_series == 0 ? METRICS_SERIES_DEFAULT : f->max_series;
    cleanup_buf struct buf labels;
    buf_init(&labels, LABELS_CAP_BYTES);
    put_labels(&labels, f, values);
    struct series *s = keymap_get(&h->by_labels, labels.data);
    if (s != NULL)
        return s;
    if (h->n_series < most) {
        s = add_series(h, labels.data);
        keep_values(s, values, label_count(f));
        return s;
    }
    buf_reset(&labels);
    put_labels(&labels, f, NULL);
    s = keymap_get(&h->by_labels, labels.data);
    return s != NULL ? s : add_series(h, labels.data);
}

static struct series *find_series(struct holder *h, const char *const *values)
{
    if (h->last == NULL || !has_values(h->last, values, label_count(h->family)))
        h->last = look_up(h, values);
    return h->last;
}

static struct holder *find_holder(struct metrics *m, size_t family, bool is_histogram)
{
    assert(family < m->count);
    assert((m->holders[family].family->kind == METRICS_HISTOGRAM) == is_histogram);
    (void)is_histogram;
    return &m->holders[family];
}

struct metrics *metrics_new(const struct metrics_family *families, size_t count)
{
    struct metrics *m = mem_zalloc(sizeof *m);
    m->holders = mem_array(count, sizeof *m->holders);
    m->count = count;
    for (size_t i = 0; i < count; i++) {
        assert(families[i].n_bounds <= METRICS_BOUNDS_MAX);
        m->holders[i].family = &families[i];
        if (label_count(&families[i]) == 0)
            add_series(&m->holders[i], "");
    }
    return m;
}

static void drop_series(struct holder *h)
{
    for (size_t i = 0; i < h->n_series; i++) {
        mem_free(h->series[i]->labels);
        mem_free(h->series[i]->values);
        mem_free(h->series[i]->buckets);
        mem_free(h->series[i]);
    }
    h->n_series = 0;
    h->last = NULL;
    mem_free(h->series);
    h->series = NULL;
    keymap_deinit(&h->by_labels, NULL);
}

void metrics_free(struct metrics *metrics)
{
    if (metrics == NULL)
        return;
    for (size_t i = 0; i < metrics->count; i++)
        drop_series(&metrics->holders[i]);
    mem_free(metrics->holders);
    mem_free(metrics);
}

void metrics_add(struct metrics *metrics, size_t family, const char *const *labels, double by)
{
    if (metrics != NULL)
        find_series(find_holder(metrics, family, false), labels)->value += by;
}

void metrics_set(struct metrics *metrics, size_t family, const char *const *labels, double value)
{
    if (metrics != NULL)
        find_series(find_holder(metrics, family, false), labels)->value = value;
}

void metrics_observe(struct metrics *metrics, size_t family, const char *const *labels, double value)
{
    if (metrics == NULL)
        return;
    struct holder *h = find_holder(metrics, family, true);
    struct series *s = find_series(h, labels);
    size_t bucket = 0;
    while (bucket < h->family->n_bounds && value > h->family->bounds[bucket])
        bucket++;
    s->buckets[bucket]++;
    s->count++;
    s->value += value;
}

void metrics_clear(struct metrics *metrics, size_t family)
{
    if (metrics == NULL)
        return;
    assert(family < metrics->count);
    struct holder *h = &metrics->holders[family];
    drop_series(h);
    if (label_count(h->family) == 0)
        add_series(h, "");
}

/* The shortest text that reads back as the same number. */
static void put_number(struct buf *out, double value)
{
    char text[32];
    if (isnan(value) || isinf(value)) {
        buf_puts(out, isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    buf_puts(out, text);
}

/* name_SUFFIX{labels,le="BOUND"} up to the value. */
static void put_name(struct buf *out, const struct metrics_family *f, const char *suffix, const char *labels,
                     const double *le)
{
    buf_printf(out, "%s%s", f->name, suffix);
    if (labels[0] != '\0' || le != NULL) {
        buf_printf(out, "{%s", labels);
        if (le != NULL) {
            buf_puts(out, labels[0] != '\0' ? ",le=\"" : "le=\"");
            put_number(out, *le);
            buf_putc(out, '"');
        }
        buf_putc(out, '}');
    }
    buf_putc(out, ' ');
}

static void put_histogram(struct buf *out, const struct metrics_family *f, const struct series *s)
{
    uint64_t below = 0;
    for (size_t i = 0; i <= f->n_bounds; i++) {
        double bound = i < f->n_bounds ? f->bounds[i] : INFINITY;
        below += s->buckets[i];
        put_name(out, f, "_bucket", s->labels, &bound);
        buf_printf(out, "%llu\n", (unsigned long long)below);
    }
    put_name(out, f, "_sum", s->labels, NULL);
    put_number(out, s->value);
    buf_putc(out, '\n');
    put_name(out, f, "_count", s->labels, NULL);
    buf_printf(out, "%llu\n", (unsigned long long)s->count);
}

static void put_family(struct buf *out, const struct holder *h)
{
    const struct metrics_family *f = h->family;
    if (h->n_series == 0)
        return;
    buf_printf(out, "# HELP %s ", f->name);
    put_escaped(out, f->help, METRICS_TEXT_CAP_BYTES, true);
    buf_printf(out, "\n# TYPE %s %s\n", f->name, kind_names[f->kind]);
    for (size_t i = 0; i < h->n_series; i++) {
        const struct series *s = h->series[i];
        if (f->kind == METRICS_HISTOGRAM) {
            put_histogram(out, f, s);
            continue;
        }
        put_name(out, f, "", s->labels, NULL);
        put_number(out, s->value);
        buf_putc(out, '\n');
    }
}

void metrics_render(const struct metrics *metrics, struct buf *out)
{
    for (size_t i = 0; i < metrics->count; i++)
        put_family(out, &metrics->holders[i]);
}
