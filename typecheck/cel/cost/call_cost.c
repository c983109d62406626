/*
 * functions.def names a form and a factor for each overload, and the table `rows` binds them to the function
 * of this file that has the form's name. Such a function sets the cost of a call as an interval, and the
 * size of the result if it is known. If it returns true, the costs of the arguments are added. The
 * arithmetic is cel-go's, with its roundings in floating point and its sums that stop at 2^64 - 1.
 */
#include "typecheck/cel/cost/call_cost.h"

#include <math.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/type.h"

/* The cost of reading a character, and of matching one with a regular expression. */
#define STRING_FACTOR 0.1
#define REGEX_FACTOR  0.25

enum {
    CHECK_COST = 350000, /* so that a rule has two authorization checks at most */
    LIST_COST = 10,
    STRUCT_COST = 40,
    FORMAT_REGEX_CHARACTERS = 128,
    FORMAT_CHARACTERS = 64,
};

/* Characters of a label selector for each requirement in it. */
#define SELECTOR_FACTOR 0.5

struct row;
/* Sets the cost, and the size of the result where that is known. Returns true if the costs of the arguments
 * must be added. */
typedef bool row_cost(const struct call_cost *call, const struct row *row, struct call_cost_answer *out);

struct row {
    row_cost *cost;
    double factor; /* for it */
};

/* ---- sizes ---- */

/* The size that the operand itself says, or else the schema. */
static struct measure measure_of(const struct call_cost *c, const struct call_cost_node *n)
{
    struct measure size = n->has_size ? n->size : measure_plain(ESTIMATE_UNKNOWN);
    if (!n->has_size)
        sizes_of_path(c->sizes, n->path, &size.range);
    return size;
}

static struct estimate size_of(const struct call_cost *c, const struct call_cost_node *n)
{
    return measure_of(c, n).range;
}

/* The size of a list's elements. */
static struct estimate element_size(const struct call_cost *c, const struct call_cost_node *list)
{
    struct str steps[256];
    struct estimate size = ESTIMATE_UNKNOWN;
    struct sizes_path path = {steps, list->path.len + 1, 0};
    if (list->path.len == 0 || path.len > sizeof steps / sizeof *steps)
        return size;
    memcpy(steps, list->path.at, list->path.len * sizeof *steps);
    steps[list->path.len] = STR("@items");
    sizes_of_path(c->sizes, path, &size);
    return size;
}

static void set_measure(struct call_cost_answer *out, struct measure size)
{
    out->has_size = true;
    out->size = size;
}

static void set_size(struct call_cost_answer *out, struct estimate size)
{
    set_measure(out, measure_plain(size));
}

/* A size times a row's factor, for the rows of the language: since 0.33 it is exact, and what is unknown
 * stays so. */
static struct estimate scaled(const struct call_cost *c, struct estimate size, double factor)
{
    if (!c->celgo->measures_contents)
        return estimate_scale(size, factor);
    return factor < 1 ? estimate_divide(size, (uint64_t)(1 / factor + 0.5))
                      : estimate_multiply(size, estimate_fixed((uint64_t)factor));
}

static const struct literal *int_literal(const struct call_cost_node *n)
{
    bool is_int = n->expression->kind == NODE_LITERAL && n->expression->literal.kind == LITERAL_INT;
    return is_int ? &n->expression->literal : NULL;
}

/* ---- rows ---- */

static bool fixed(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    (void)c;
    out->cost = estimate_fixed((uint64_t)row->factor);
    return true;
}

static bool read_arg(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    out->cost = estimate_scale(size_of(c, &c->args[0]), row->factor);
    return true;
}

static bool convert_arg(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    if (c->celgo->prices_own_types)
        set_measure(out, measure_of(c, &c->args[0]));
    return read_arg(c, row, out);
}

static bool convert_target(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    set_measure(out, measure_of(c, c->target));
    out->cost = estimate_scale(out->size.range, row->factor);
    return true;
}

/* A part of a URL is at most `factor` times as long as the URL. */
static bool url_part(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct measure growth = measure_plain((struct estimate){1, (uint64_t)row->factor});
    out->cost = estimate_fixed(1);
    if (c->celgo->sizes_url_parts)
        set_measure(out, measure_multiply(c->arena, measure_of(c, c->target), growth));
    return true;
}

static bool selector(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate size = size_of(c, &c->args[0]);
    struct estimate requirements =
        estimate_scale(estimate_scale(size, SELECTOR_FACTOR), LIST_COST + STRUCT_COST);
    out->cost = estimate_add(estimate_fixed(LIST_COST), estimate_scale(size, row->factor));
    out->cost = estimate_add(out->cost, requirements);
    return true;
}

static bool scan_target(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate size = size_of(c, c->target);
    const struct type *type = c->target->type;
    if (type->param_count == 0) { /* of a string */
        out->cost = estimate_scale(size, row->factor);
        return true;
    }
    struct estimate each = estimate_fixed(1);
    if (type->params[0]->kind == TYPE_STRING || type->params[0]->kind == TYPE_BYTES)
        each = estimate_add(each, estimate_scale(element_size(c, c->target), row->factor));
    out->cost = estimate_multiply(size, each);
    return true;
}

/* A target without a type of elements may still be a list. */
static bool includes(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    if (c->target->type->param_count > 0)
        return scan_target(c, row, out);
    out->cost = estimate_scale(size_of(c, c->target), 1);
    return true;
}

/* uint64(math.Ceil(a / b)); 2^64, which is not a uint64, becomes 2^63 on amd64 */
static uint64_t quotient(uint64_t a, uint64_t b)
{
    double answer = ceil((double)a / (double)b);
    return answer >= 0x1p64 ? (uint64_t)1 << 63 : (uint64_t)answer;
}

static uint64_t one_more(uint64_t n)
{
    return n == UINT64_MAX ? n : n + 1;
}

static bool replace(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate size = size_of(c, c->target), from = size_of(c, &c->args[0]);
    struct measure new_text = measure_of(c, &c->args[1]);
    struct estimate to = new_text.range;
    struct estimate times = {0, 0}, kept = {0, 0};
    if (from.min == 0) { /* an empty text is found around each character */
        times.max = one_more(size.max);
        kept.max = size.max;
    } else if (to.max <= from.min) {
        kept.max = size.max;
    } else {
        times.max = quotient(size.max, from.min);
    }
    if (from.max == 0) {
        times.min = one_more(size.min);
        kept.min = size.min;
    } else if (from.max <= to.min) {
        kept.min = size.min;
    } else {
        times.min = quotient(size.min, from.max);
    }
    new_text.range = estimate_add(estimate_multiply(times, to), kept);
    set_measure(out, new_text);
    out->cost = estimate_scale(size, row->factor);
    return true;
}

static bool split(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate size = size_of(c, c->target);
    const struct literal *limit = c->arg_count > 1 ? int_literal(&c->args[1]) : NULL;
    set_size(out, (struct estimate){0, limit == NULL ? size.max : (uint64_t)limit->integer});
    out->cost = estimate_scale(size, row->factor);
    return true;
}

static bool join(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct measure list = measure_of(c, c->target), size = {0};
    struct estimate count = list.range;
    if (c->target->type->param_count > 0)
        size = measure_multiply(c->arena, list, measure_plain(element_size(c, c->target)));
    if (c->arg_count > 0) {
        struct estimate between = {count.min - (count.min > 0), count.max - (count.max > 0)};
        struct measure separators =
            measure_multiply(c->arena, measure_of(c, &c->args[0]), measure_plain(between));
        size = measure_add(c->arena, size, separators);
    }
    set_measure(out, size);
    out->cost = estimate_scale(size.range, row->factor);
    return true;
}

/* The empty text costs something, too. */
static struct estimate match_cost(struct estimate text, struct estimate regex)
{
    struct estimate longer = estimate_add(text, estimate_fixed(1));
    return estimate_multiply(estimate_scale(longer, STRING_FACTOR), estimate_scale(regex, REGEX_FACTOR));
}

/* The same as cel-go itself counts it. */
static struct estimate language_match_cost(const struct call_cost *c, struct estimate text,
                                           struct estimate regex)
{
    struct estimate longer = estimate_add(text, estimate_fixed(1));
    return estimate_multiply(scaled(c, longer, STRING_FACTOR), scaled(c, regex, REGEX_FACTOR));
}

static bool find(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    (void)row;
    struct estimate size = size_of(c, c->target);
    out->cost = match_cost(size, size_of(c, &c->args[0]));
    set_size(out, (struct estimate){0, size.max});
    return true;
}

/* Two addresses' bytes are read, 4 or 16 each. */
static bool contains_ip(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    static const struct estimate address = {4, 16};
    (void)c;
    out->cost = estimate_scale(estimate_add(address, address), row->factor);
    return true;
}

/* A third one's for the length of the range. */
static bool contains_cidr(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    static const struct estimate address = {4, 16};
    (void)contains_ip(c, row, out);
    out->cost =
        estimate_add(estimate_add(out->cost, estimate_scale(address, row->factor)), estimate_fixed(1));
    return true;
}

static void add_text(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    out->cost = estimate_add(out->cost, estimate_scale(size_of(c, &c->args[0]), row->factor));
}

static bool contains_ip_text(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    (void)contains_ip(c, row, out);
    add_text(c, row, out);
    return true;
}

static bool contains_cidr_text(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    (void)contains_cidr(c, row, out);
    add_text(c, row, out);
    return true;
}

static bool validate_format(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    read_arg(c, row, out);
    out->cost = estimate_scale(out->cost, (double)FORMAT_REGEX_CHARACTERS * REGEX_FACTOR);
    return true;
}

/* Sets the cost of comparing two values of Kubernetes' own types. Returns false if the types are others. */
static bool equals_own(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    static const char *const simple[] = {"kubernetes.Quantity",
                                         "kubernetes.authorization.Authorizer",
                                         "kubernetes.authorization.PathCheck",
                                         "kubernetes.authorization.GroupCheck",
                                         "kubernetes.authorization.ResourceCheck",
                                         "kubernetes.authorization.Decision",
                                         "kubernetes.Semver",
                                         "net.IP",
                                         "net.CIDR"};
    const struct type *type = c->args[0].type;
    if (!c->celgo->prices_own_types || c->arg_count != 2 || type != c->args[1].type ||
        (type->kind != TYPE_OBJECT && type->kind != TYPE_OPAQUE))
        return false;
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        if (str_eq(type->name, str_of(simple[i]))) {
            out->cost = estimate_fixed(1);
            return true;
        }
    }
    uint64_t most;
    if (str_eq(type->name, STR("kubernetes.NamedFormat")))
        most = FORMAT_CHARACTERS;
    else if (str_eq(type->name, STR("kubernetes.URL")))
        most = c->args[1].has_size ? c->args[1].size.range.max : 1;
    else
        return false;
    out->cost = estimate_scale((struct estimate){1, most}, row->factor);
    return true;
}

/* ---- rows of lists: a call, a new list, and what goes into it ---- */

static bool new_list(struct call_cost_answer *out, struct measure size, double factor)
{
    set_measure(out, size);
    out->cost = estimate_add(estimate_scale(size.range, factor), estimate_fixed(1 + LIST_COST));
    return true;
}

/* The same where cel-go takes the size as it is. */
static bool new_list_of(const struct call_cost *c, struct call_cost_answer *out, struct measure size)
{
    (void)new_list(out, size, 1);
    if (c->celgo->measures_contents)
        out->cost = estimate_add(size.range, estimate_fixed(1 + LIST_COST));
    return true;
}

static uint64_t int_or(const struct call_cost_node *n, uint64_t otherwise)
{
    const struct literal *l = int_literal(n);
    if (l == NULL)
        return otherwise;
    return l->integer < 0 ? 0 : (uint64_t)l->integer;
}

static bool slice(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct measure list = measure_of(c, c->target);
    uint64_t end = int_or(&c->args[1], list.range.max);
    return new_list(out, (struct measure){estimate_fixed(end - int_or(&c->args[0], 0)), NULL, list.element},
                    row->factor);
}

static bool range(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct measure size = measure_plain(estimate_fixed(int_or(&c->args[0], UINT64_MAX)));
    (void)row;
    if (c->celgo->measures_contents) {
        struct measure *each = ARENA_NEW(c->arena, struct measure);
        *each = measure_plain(estimate_fixed(1));
        size.element = each;
    }
    return new_list_of(c, out, size);
}

static bool copy_list(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    (void)row;
    return new_list_of(c, out, measure_of(c, c->target));
}

static bool flatten(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    uint64_t depth = c->arg_count == 0 ? 1 : int_or(&c->args[0], UINT64_MAX);
    const struct literal *level = c->arg_count == 0 ? NULL : int_literal(&c->args[0]);
    if (c->celgo->measures_contents && level != NULL && level->integer < 0)
        depth = UINT64_MAX;
    return new_list(out, measure_of(c, c->target), row->factor * (double)depth);
}

/* Each element with each. */
static bool compare_all(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    const struct call_cost_node *list = c->arg_count == 0 ? c->target : &c->args[0];
    struct measure size = measure_of(c, list), pairs = measure_multiply(c->arena, size, size);
    pairs.element = measure_of(c, c->target).element;
    return new_list(out, pairs, row->factor);
}

static bool distinct(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct row each = *row;
    const struct type *type = c->target->type;
    if (c->celgo->prices_distinct_texts && type->kind == TYPE_LIST &&
        (type->params[0]->kind == TYPE_STRING || type->params[0]->kind == TYPE_BYTES))
        each.factor += STRING_FACTOR;
    return compare_all(c, &each, out);
}

static bool sets(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate pairs = estimate_multiply(size_of(c, &c->args[0]), size_of(c, &c->args[1]));
    out->cost = estimate_add(estimate_scale(pairs, row->factor), estimate_fixed(1));
    return true;
}

/* ---- rows of the language ---- */

static bool may_hold(const struct type *type)
{
    const unsigned NEVER = TYPE_KIND(TYPE_NULL) | TYPE_KIND(TYPE_BOOL) | TYPE_KIND(TYPE_INT) |
                           TYPE_KIND(TYPE_UINT) | TYPE_KIND(TYPE_DOUBLE) | TYPE_KIND(TYPE_DURATION) |
                           TYPE_KIND(TYPE_TIMESTAMP) | TYPE_KIND(TYPE_STRING) | TYPE_KIND(TYPE_BYTES);
    return !type_is(type, NEVER);
}

/* The parts of two operands together. If one has parts and the other does not say its own but may have some,
 * the other's parts are unknown, not absent. */
static struct measure with_parts_of(const struct call_cost *c, struct estimate range,
                                    const struct call_cost_node *a, const struct call_cost_node *b)
{
    static const struct measure unknown = {.range = {0, UINT64_MAX}};
    const struct call_cost_node *operands[] = {a, b};
    struct measure out = measure_plain(range);
    bool has_key = a->found_size.key != NULL || b->found_size.key != NULL;
    bool has_element = a->found_size.element != NULL || b->found_size.element != NULL;
    for (size_t i = 0; i < 2; i++) {
        const struct measure *m = &operands[i]->found_size;
        bool is_full = m->range.max > 0;
        bool says_nothing = is_full && m->key == NULL && m->element == NULL && may_hold(operands[i]->type);
        const struct measure *element = m->element, *key = m->key;
        if (element == NULL && (says_nothing || (key != NULL && is_full)))
            element = &unknown;
        if (key == NULL && says_nothing)
            key = &unknown;
        if (has_element)
            out.element = measure_merge(c->arena, out.element, element);
        if (has_key)
            out.key = measure_merge(c->arena, out.key, key);
    }
    return out;
}

/* An element: as large as the container says. */
static bool element(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    const struct measure *each = c->args[0].found_size.element;
    (void)row;
    if (c->celgo->measures_contents)
        set_measure(out, each != NULL ? *each : measure_plain(ESTIMATE_UNKNOWN));
    return true;
}

static bool format_text(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    out->cost = scaled(c, c->target->found_size.range, row->factor);
    return true;
}

/* The size of what is made of a value, which keeps its parts. */
static void set_converted(const struct call_cost *c, struct call_cost_answer *out, struct estimate range)
{
    struct measure size = c->args[0].found_size;
    size.range = range;
    set_measure(out, size);
}

/* A character has 4 bytes at most. */
static bool to_bytes(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate size = c->args[0].found_size.range;
    out->cost = scaled(c, size, row->factor);
    uint64_t most = c->celgo->measures_contents ? scaled(c, size, 4).max : size.max * 4;
    set_converted(c, out, (struct estimate){size.min < most ? size.min : most, most});
    return true;
}

static bool to_string(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate size = c->args[0].found_size.range;
    out->cost = scaled(c, size, row->factor);
    uint64_t least = c->celgo->measures_contents ? scaled(c, size, 0.25).min : size.min / 4;
    set_converted(c, out, (struct estimate){least < size.max ? least : size.max, size.max});
    return true;
}

/* Quotes around it, and each character escaped, at most. */
static bool quote(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate size = c->args[0].found_size.range, quotes = estimate_fixed(2);
    out->cost = scaled(c, size, row->factor);
    struct estimate quoted = {size.min + 2, size.max * 2 + 2};
    if (c->celgo->measures_contents)
        quoted = (struct estimate){estimate_add(size, quotes).min,
                                   estimate_add(estimate_multiply(size, quotes), quotes).max};
    set_converted(c, out, quoted);
    return true;
}

static bool read_last_arg(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    out->cost = scaled(c, c->args[c->arg_count - 1].found_size.range, row->factor);
    return true;
}

static bool matches(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    (void)row;
    if (c->target != NULL)
        out->cost = language_match_cost(c, c->target->found_size.range, c->args[0].found_size.range);
    else if (c->celgo->prices_global_matches && c->arg_count == 2)
        out->cost = language_match_cost(c, c->args[0].found_size.range, c->args[1].found_size.range);
    return true;
}

static bool contains(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    out->cost = estimate_multiply(scaled(c, c->target->found_size.range, row->factor),
                                  scaled(c, c->args[0].found_size.range, row->factor));
    return true;
}

static bool concatenate(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate range = estimate_add(c->args[0].found_size.range, c->args[1].found_size.range);
    set_measure(out, with_parts_of(c, range, &c->args[0], &c->args[1]));
    out->cost = row->factor == 0 ? estimate_fixed(1) : scaled(c, range, row->factor);
    return true;
}

static bool compare(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    uint64_t a = c->args[0].found_size.range.max, b = c->args[1].found_size.range.max;
    uint64_t smaller = a < b ? a : b;
    out->cost = estimate_scale((struct estimate){smaller > 0, smaller}, row->factor);
    return true;
}

static bool equality(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    return equals_own(c, row, out) || compare(c, row, out);
}

/* && and ||, of which one operand may be enough. */
static bool either(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    (void)row;
    out->cost = (struct estimate){c->arg_costs[0].min, estimate_add(c->arg_costs[0], c->arg_costs[1]).max};
    return false;
}

static bool branches(const struct call_cost *c, const struct row *row, struct call_cost_answer *out)
{
    struct estimate range = estimate_union(c->args[1].found_size.range, c->args[2].found_size.range);
    (void)row;
    set_measure(out, with_parts_of(c, range, &c->args[1], &c->args[2]));
    out->cost = estimate_add(c->arg_costs[0], estimate_union(c->arg_costs[1], c->arg_costs[2]));
    return false;
}

/* The estimates by row of decl_functions. */
static const struct row rows[] = {
#define ESTIMATE(form, factor)                                                                               \
    {                                                                                                        \
        form, factor                                                                                         \
    }
#define FUNCTION(library, function, overload, signature, when, call, price, estimate) estimate,
#include "typecheck/cel/types/functions.def"
};

struct call_cost_answer call_cost_estimate(const struct call_cost *call)
{
    struct call_cost_answer answer = {.cost = {1, 1}};
    const struct row *row = &rows[call->overload->row];
    if (!row->cost(call, row, &answer))
        return answer;
    for (size_t i = 0; i < call->arg_count; i++)
        answer.cost = estimate_add(answer.cost, call->arg_costs[i]);
    return answer;
}
