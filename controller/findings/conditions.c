#include "controller/findings/conditions.h"

#include <assert.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "controller/findings/boundedtext.h"
#include "controller/findings/suppress.h"

#define CONDITION(name, type, object, event, findings, column) const char CONDITIONS_##name[] = type;
#include "controller/findings/conditions.def"

static const char *const policy_types[] = {
#define OF_POLICY(name) CONDITIONS_##name,
#define OF_DEFINITION(name)
#define OF_BINDING(name)
#define CONDITION(name, type, object, event, findings, column) OF_##object(name)
#include "controller/findings/conditions.def"
};

static const char *const reasons[TYPES_N_REASONS] = {
    [TYPES_CLUSTER_UNAVAILABLE] = "ClusterUnavailable",
    [TYPES_LIMIT_REACHED] = "LimitReached",
    [TYPES_RESOURCE_NOT_FOUND] = "ResourceNotFound",
    [TYPES_NEVER_EVALUATED] = "NeverEvaluated",
    [TYPES_SCHEMA_NOT_FOUND] = "SchemaNotFound",
    [TYPES_TOO_MANY] = "TooManyTypes",
    [TYPES_OUT_OF_SCOPE] = "OutOfScope",
};

/* Says how many problems of one reason a message names. */
enum { PROBLEMS_NAMED = 3 };

const char *conditions_policy_type(size_t i)
{
    return policy_types[i];
}

const char *conditions_reason_name(enum types_reason reason)
{
    return reasons[reason];
}

void conditions_add(struct conditions *out, const char *type, const char *status, const char *reason,
                    char *message)
{
    assert(out->count < CONDITIONS_MAX);
    out->items[out->count++] = (struct condition){type, status, reason, message};
}

/* The functions with which a server is checked that is newer than every table; "" if there is a table. The
 * caller frees it. */
static char *describe_table(const struct conditions_input *in)
{
    return in->newer_minor == 0
               ? mem_strdup("")
               : mem_printf(", with the CEL functions of Kubernetes 1.%d (the server is 1.%d)",
                            in->table_minor, in->newer_minor);
}

static size_t count_reason(const struct check_result *r, enum types_reason reason)
{
    size_t count = reason == TYPES_LIMIT_REACHED ? r->more_limits : 0;
    for (size_t i = 0; i < r->n_problems; i++)
        count += r->problems[i].reason == reason;
    return count;
}

/* There is a problem. */
static enum types_reason first_reason(const struct check_result *r)
{
    int reason = 0;
    while (count_reason(r, (enum types_reason)reason) == 0)
        reason++;
    return (enum types_reason)reason;
}

/* "; SchemaNotFound, TooManyTypes apply, too": the reasons that a message does not name; "" for none. The
 * caller frees it. */
static char *describe_others(const struct check_result *r, enum types_reason named)
{
    struct buf text;
    size_t others = 0;
    buf_init(&text, BOUNDEDTEXT_BYTES);
    for (int reason = (int)named + 1; reason < TYPES_N_REASONS; reason++) {
        if (count_reason(r, (enum types_reason)reason) > 0)
            buf_printf(&text, "%s%s", others++ == 0 ? "; " : ", ", reasons[reason]);
    }
    if (others > 0)
        buf_puts(&text, others == 1 ? " applies, too" : " apply, too");
    return buf_take(&text, NULL);
}

/* The first problems of the first reason, whether there are more, without a number, and `last`. */
static void add_problems(struct boundedtext *m, const struct check_result *r, const char *last)
{
    static const char more[] = "; and more";
    const enum types_reason reason = first_reason(r);
    cleanup_mem char *others = describe_others(r, reason);
    size_t named = 0;
    m->reserved = sizeof more + strlen(others) + strlen(last);
    for (size_t i = 0; i < r->n_problems && named < PROBLEMS_NAMED; i++) {
        if (r->problems[i].reason != reason)
            continue;
        boundedtext_add(m, r->problems[i].message);
        named++;
    }
    bool has_more = m->left_out > 0 || count_reason(r, reason) > named;
    buf_printf(&m->text, "%s%s%s", has_more ? more : "", others, last);
}

static void add_type_checked(struct conditions *out, const struct conditions_input *in)
{
    const struct check_result *r = in->result;
    cleanup_mem char *table = describe_table(in);
    if (r->n_problems == 0) {
        conditions_add(out, CONDITIONS_CHECKED, "True", "AllTypesChecked",
                       mem_printf("every type that the rules match was checked%s", table));
        return;
    }
    struct boundedtext m;
    boundedtext_init(&m);
    add_problems(&m, r, table);
    enum types_reason reason = first_reason(r);
    conditions_add(out, CONDITIONS_CHECKED, reason == TYPES_CLUSTER_UNAVAILABLE ? "Unknown" : "False",
                   reasons[reason], buf_take(&m.text, NULL));
}

/* "spec.validations[0].expression (apps/v1 Deployment): undefined field 'size' (did you mean
 * 'spec.size'?)" */
static void add_warning(struct boundedtext *m, const struct policyview *policy, const struct check_warning *w,
                        const char *shown_hint)
{
    const char *field = policy->policy.expressions[w->expression].field_ref.at;
    const struct types_target *t = w->first.first_type;
    cleanup_mem char *hint = shown_hint[0] == '\0' ? mem_strdup("") : mem_printf(" (%s)", shown_hint);
    cleanup_mem char *item =
        t == NULL ? mem_printf("%s: %s%s", field, w->first.message, hint)
                  : mem_printf("%s (%s%s%s %s): %s%s", field, t->group, t->group[0] == '\0' ? "" : "/",
                               t->version, t->kind, w->first.message, hint);
    boundedtext_add(m, item);
}

/* The part of the warnings that expressionWarnings do not hold; "" for none. */
static const char *describe_left_out(const struct conditions_input *in)
{
    size_t bytes = 0;
    for (size_t i = 0; i < in->result->n_warnings; i++)
        bytes += in->result->warnings[i].len;
    if (in->text_cap_bytes > 0 && bytes > in->text_cap_bytes)
        return "; expressionWarnings are cut: the API server refuses the whole text as too large";
    return in->result->left_out > 0 ? "; a part of expressionWarnings was left out for lack of room" : "";
}

/* Returns true if nothing of it fails, so that it is only a warning; a policy that never applies is in error.
 * Scope upstream does not know. */
static bool is_only_warning(const struct check_warning *w)
{
    for (size_t i = 0; i < w->n_issues; i++) {
        const bool never_fails = w->issues[i].is_claim || w->issues[i].is_unequal;
        if (!never_fails || w->issues[i].code == ISSUE_NEVER_APPLIES)
            return false;
    }
    return w->n_issues > 0 && !w->has_more_issues;
}

/* The reason why the expressions are not valid. */
static const char *reason_of_warnings(const struct check_result *r)
{
    size_t count = 0;
    while (count < r->n_warnings && is_only_warning(&r->warnings[count]))
        count++;
    return count == r->n_warnings ? "OnlyWarnings" : "WarningsFound";
}

static void add_expressions_valid(struct conditions *out, const struct conditions_input *in)
{
    const struct check_result *r = in->result;
    const char *ignored = r->has_ignored ? " besides those that " SUPPRESS_IGNORE " names" : "";
    struct boundedtext m;
    boundedtext_init(&m);
    if (r->n_warnings > 0) {
        buf_printf(&m.text, "%zu of %zu expression%s: ", r->n_warnings, r->n_expressions,
                   boundedtext_plural(r->n_expressions));
        const char *left_out = describe_left_out(in);
        m.reserved = strlen(left_out);
        for (size_t i = 0; i < r->n_warnings; i++)
            add_warning(&m, in->policy, &r->warnings[i],
                        in->hints == NULL ? r->warnings[i].hint : in->hints[i]);
        boundedtext_end(&m);
        buf_puts(&m.text, left_out);
        conditions_add(out, CONDITIONS_VALID, "False", reason_of_warnings(r), buf_take(&m.text, NULL));
    } else if (r->n_problems == 0) {
        buf_printf(&m.text, "no warnings%s", ignored);
        conditions_add(out, CONDITIONS_VALID, "True", "NoWarnings", buf_take(&m.text, NULL));
    } else {
        buf_printf(&m.text, "no warnings%s, but not everything was checked: ", ignored);
        add_problems(&m, r, "");
        conditions_add(out, CONDITIONS_VALID, "Unknown", "PartlyChecked", buf_take(&m.text, NULL));
    }
}

static void add_param_kind_found(struct conditions *out, const struct conditions_input *in)
{
    const struct {
        const char *status, *reason, *begins;
    } words[] = {
        [CHECK_PARAM_KIND_FOUND] = {"True", "Found", "the cluster serves "},
        [CHECK_PARAM_KIND_NOT_FOUND] = {"False", "NotFound", types_list_nobody(in->result->is_partial)},
        [CHECK_PARAM_KIND_UNKNOWN] = {"Unknown", "ClusterUnavailable", "could not be read yet: "},
        [CHECK_PARAM_KIND_ABROAD] = {"Unknown", "NotDefined", types_list_nobody(true)},
    };
    const enum check_param_kind found = in->result->param_kind;
    if (found == CHECK_PARAM_KIND_NONE)
        return;
    cleanup_mem char *kind =
        mem_printf("kind %s of %s", in->policy->param_kind, in->policy->param_api_version);
    struct boundedtext m;
    boundedtext_init(&m);
    buf_puts(&m.text, words[found].begins);
    boundedtext_add(&m, kind);
    if (in->result->param_kind_near != NULL)
        buf_printf(&m.text, " (did you mean %s?)", in->result->param_kind_near);
    conditions_add(out, CONDITIONS_PARAM_KIND, words[found].status, words[found].reason,
                   buf_take(&m.text, NULL));
}

static const char *binding_kind(const struct policyview *policy)
{
    const enum objectkind kind =
        policy->kind == POLICYVIEW_MUTATING ? OBJECTKIND_MUTATING_BINDING : OBJECTKIND_BINDING;
    return objectkind_rows[kind].name;
}

static void add_bound(struct conditions *out, const struct conditions_input *in)
{
    switch (in->binding) {
    case CONDITIONS_BINDING_UNKNOWN:
        break;
    case CONDITIONS_BINDING_NONE:
        conditions_add(out, CONDITIONS_BOUND, "False", "NoBinding",
                       mem_printf("no %s names this policy: it is not enforced", binding_kind(in->policy)));
        break;
    case CONDITIONS_BINDING_FOUND:
        conditions_add(out, CONDITIONS_BOUND, "True", "BindingFound",
                       mem_printf("a %s names this policy", binding_kind(in->policy)));
        break;
    }
}

void conditions_init(struct conditions *out, const struct conditions_input *input)
{
    *out = (struct conditions){0};
    add_type_checked(out, input);
    add_expressions_valid(out, input);
    add_param_kind_found(out, input);
    add_bound(out, input);
}

void conditions_deinit(struct conditions *conditions)
{
    for (size_t i = 0; i < conditions->count; i++)
        mem_free(conditions->items[i].message);
    *conditions = (struct conditions){0};
}

const struct condition *conditions_find(const struct conditions *conditions, const char *type)
{
    for (size_t i = 0; i < conditions->count; i++) {
        if (strcmp(conditions->items[i].type, type) == 0)
            return &conditions->items[i];
    }
    return NULL;
}

bool conditions_is_waiting(const struct check_result *result)
{
    if (result->param_kind == CHECK_PARAM_KIND_UNKNOWN)
        return true;
    for (size_t i = 0; i < result->n_problems; i++) {
        if (result->problems[i].reason == TYPES_CLUSTER_UNAVAILABLE)
            return true;
    }
    return false;
}
