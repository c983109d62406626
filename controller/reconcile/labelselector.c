#include "controller/reconcile/labelselector.h"

#include <ctype.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

struct requirement {
    char *key;
    bool is_negated; /* !=, notin, !key */
    bool has_values; /* else: exists */
    char **values;
    size_t n_values;
};

struct labelselector {
    struct requirement *requirements;
    size_t count;
};

struct reader {
    const char *text;
    const char *at;
    struct err *err;
};

static int fail(struct reader *r, const char *expected)
{
    return err_set(r->err, ERR_INVALID, "label selector '%.200s': expected %s at character %td", r->text,
                   expected, r->at - r->text + 1);
}

static void skip_space(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(struct reader *r, const char *token)
{
    skip_space(r);
    size_t len = strlen(token);
    if (strncmp(r->at, token, len) != 0)
        return false;
    r->at += len;
    return true;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.' || c == '/';
}

/* The caller's; "" where there is no word. */
static char *take_word(struct reader *r)
{
    skip_space(r);
    const char *start = r->at;
    while (is_word_char(*r->at))
        r->at++;
    return mem_strndup(start, (size_t)(r->at - start));
}

static void add_value(struct requirement *q, char *take_value)
{
    q->values = mem_realloc(q->values, q->n_values + 1, sizeof *q->values);
    q->values[q->n_values++] = take_value;
    q->has_values = true;
}

/* set = "(" value { "," value } ")" */
static int parse_set(struct reader *r, struct requirement *q)
{
    if (!take(r, "("))
        return fail(r, "'('");
    do
        add_value(q, take_word(r));
    while (take(r, ","));
    return take(r, ")") ? 0 : fail(r, "',' or ')'");
}

/* requirement = [ "!" ] key | key ( "=" | "==" | "!=" ) value | key ( "in" | "notin" ) set */
static int parse_requirement(struct reader *r, struct requirement *q)
{
    q->is_negated = take(r, "!");
    q->key = take_word(r);
    if (q->key[0] == '\0')
        return fail(r, "a label's key");
    if (q->is_negated)
        return 0;
    if (take(r, "!=")) {
        q->is_negated = true;
        add_value(q, take_word(r));
    } else if (take(r, "==") || take(r, "=")) {
        add_value(q, take_word(r));
    } else if (isspace((unsigned char)*r->at) || isalpha((unsigned char)*r->at)) {
        cleanup_mem char *operator= take_word(r);
        q->is_negated = strcmp(operator, "notin") == 0;
        if (q->is_negated || strcmp(operator, "in") == 0)
            return parse_set(r, q);
        if (operator[0] != '\0')
            return fail(r, "'in' or 'notin' before");
    }
    return 0;
}

int labelselector_parse(const char *text, struct labelselector **out, struct err *err)
{
    struct reader r = {.text = text, .at = text, .err = err};
    struct labelselector *s = mem_zalloc(sizeof *s);
    *out = NULL;
    do {
        s->requirements = mem_realloc(s->requirements, s->count + 1, sizeof *s->requirements);
        s->requirements[s->count] = (struct requirement){0};
        if (parse_requirement(&r, &s->requirements[s->count++]) != 0) {
            labelselector_free(s);
            return -1;
        }
    } while (take(&r, ","));
    if (*r.at != '\0') {
        labelselector_free(s);
        return fail(&r, "',' or the end");
    }
    *out = s;
    return 0;
}

void labelselector_free(struct labelselector *selector)
{
    if (selector == NULL)
        return;
    for (size_t i = 0; i < selector->count; i++) {
        struct requirement *q = &selector->requirements[i];
        for (size_t j = 0; j < q->n_values; j++)
            mem_free(q->values[j]);
        mem_free(q->values);
        mem_free(q->key);
    }
    mem_free(selector->requirements);
    mem_free(selector);
}

static bool holds(const struct requirement *q, const char *value)
{
    bool is_found = value != NULL && !q->has_values;
    for (size_t i = 0; value != NULL && i < q->n_values; i++)
        is_found = is_found || strcmp(q->values[i], value) == 0;
    return is_found != q->is_negated;
}

bool labelselector_matches(const struct labelselector *selector, struct json_object *labels)
{
    for (size_t i = 0; i < selector->count; i++) {
        if (!holds(&selector->requirements[i], jsonval_string(labels, selector->requirements[i].key)))
            return false;
    }
    return true;
}
