#include "controller/match/labelselector.h"

#include <ctype.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* Requirements and values that are compared with each other. */
enum { MAX_STEPS = 1000 };

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
    q->values = mem_grow(q->values, q->n_values, sizeof *q->values);
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

static struct requirement *add_requirement(struct labelselector *s, const char *key)
{
    s->requirements = mem_grow(s->requirements, s->count, sizeof *s->requirements);
    struct requirement *q = &s->requirements[s->count++];
    *q = (struct requirement){.key = mem_strdup(key)};
    return q;
}

/* One of matchExpressions. */
static int read_expression(struct labelselector *s, struct json_object *json, struct err *err)
{
    const char *operator= jsonval_string_or_empty(json, "operator");
    struct json_object *values = jsonval_array(json, "values");
    struct requirement *q = add_requirement(s, jsonval_string_or_empty(json, "key"));
    bool is_set = strcmp(operator, "In") == 0 || strcmp(operator, "NotIn") == 0;
    q->is_negated = strcmp(operator, "NotIn") == 0 || strcmp(operator, "DoesNotExist") == 0;
    if (!is_set && !q->is_negated && strcmp(operator, "Exists") != 0)
        return err_set(err, ERR_INVALID, "\"%.200s\" is not a valid label selector operator", operator);
    if (is_set != (jsonval_length(values) > 0))
        return err_set(err, ERR_INVALID, "the operator %s of a label selector %s", operator,
                       is_set ? "needs values" : "takes no values");
    for (size_t i = 0; i < jsonval_length(values); i++)
        add_value(q, mem_strdup(jsonval_text_at(values, i)));
    return 0;
}

int labelselector_from_json(struct json_object *json, struct labelselector **out, struct err *err)
{
    struct labelselector *s = mem_zalloc(sizeof *s);
    struct json_object *labels = jsonval_get(json, "matchLabels");
    struct json_object *expressions = jsonval_array(json, "matchExpressions");
    *out = NULL;
    if (json_object_is_type(labels, json_type_object)) {
        jsonval_each(labels, key, value)
        {
            const char *text = jsonval_text(value);
            add_value(add_requirement(s, key), mem_strdup(text == NULL ? "" : text));
        }
    }
    for (size_t i = 0; i < jsonval_length(expressions); i++) {
        if (read_expression(s, jsonval_at(expressions, i), err) != 0) {
            labelselector_free(s);
            return -1;
        }
    }
    *out = s;
    return 0;
}

size_t labelselector_count(const struct labelselector *selector)
{
    return selector->count;
}

struct labelselector_requirement labelselector_requirement(const struct labelselector *selector, size_t index)
{
    const struct requirement *q = &selector->requirements[index];
    return (struct labelselector_requirement){q->key, (const char *const *)q->values, q->n_values,
                                              q->is_negated};
}

bool labelselector_is_empty(const struct labelselector *selector)
{
    return selector->count == 0;
}

uint64_t labelselector_steps(const struct labelselector *selector)
{
    uint64_t steps = selector->count;
    for (size_t i = 0; i < selector->count; i++)
        steps += selector->requirements[i].n_values;
    return steps;
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

/* Returns true if a label with this value fulfils each requirement for its key. */
static bool all_hold(const struct labelselector *selector, const char *key, const char *value)
{
    bool hold = true;
    for (size_t i = 0; hold && i < selector->count; i++) {
        const struct requirement *q = &selector->requirements[i];
        hold = strcmp(q->key, key) != 0 || holds(q, value);
    }
    return hold;
}

/* Returns true if the key must not be there. */
static bool is_forbidden(const struct labelselector *selector, const char *key)
{
    bool is = false;
    for (size_t i = 0; !is && i < selector->count; i++) {
        const struct requirement *q = &selector->requirements[i];
        is = q->is_negated && !q->has_values && strcmp(q->key, key) == 0;
    }
    return is;
}

/* Returns true if a label can fulfil what the requirement, and the others for its key, ask for. */
static bool is_possible(const struct labelselector *selector, const struct requirement *q)
{
    if (q->is_negated)
        return true;
    if (!q->has_values)
        return !is_forbidden(selector, q->key);
    bool is = false;
    for (size_t i = 0; !is && i < q->n_values; i++)
        is = all_hold(selector, q->key, q->values[i]);
    return is;
}

bool labelselector_is_contradictory(const struct labelselector *selector)
{
    const uint64_t steps = labelselector_steps(selector);
    bool is_possible_so_far = true;
    for (size_t i = 0; steps < MAX_STEPS && is_possible_so_far && i < selector->count; i++)
        is_possible_so_far = is_possible(selector, &selector->requirements[i]);
    return !is_possible_so_far;
}

bool labelselector_matches(const struct labelselector *selector, struct json_object *labels)
{
    for (size_t i = 0; i < selector->count; i++) {
        if (!holds(&selector->requirements[i], jsonval_string(labels, selector->requirements[i].key)))
            return false;
    }
    return true;
}
