#include "controller/conditions.h"

#include <string.h>

#include "client/buf.h"
#include "client/mem.h"
#include "client/utf8.h"

/* "; and 1234567 more" */
enum { MORE_BYTES = 32 };

/* ORDER TYPES_REASONS */
static const char *const reasons[] = {
    "ResourceNotFound", "NeverEvaluated", "SchemaNotFound",
    "TooManyTypes",     "OutOfScope",     "ClusterUnavailable",
};

const char *conditions_reason_name(enum types_reason reason)
{
    return reasons[reason];
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* A message under construction: its items take what `reserved` (the text behind them) leaves. */
struct message {
    struct buf text;
    size_t reserved;
    size_t items, left_out;
};

static void message_init(struct message *m)
{
    *m = (struct message){0};
    buf_init(&m->text, CONDITIONS_MESSAGE_BYTES);
}

/* Text of policies and schemas: a control character would reach a terminal. */
static void put_printable(struct buf *b, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool is_control = (unsigned char)text[i] < 0x20 || text[i] == 0x7f;
        buf_append(b, is_control ? " " : &text[i], 1);
    }
}

/* The first item is cut if need be; of the others those that do not fit are counted. */
static void add_item(struct message *m, const char *item)
{
    size_t taken = m->text.len + m->reserved + MORE_BYTES;
    size_t room = taken < CONDITIONS_MESSAGE_BYTES ? CONDITIONS_MESSAGE_BYTES - taken : 0;
    size_t len = strlen(item);
    m->items++;
    if (m->left_out > 0 || (m->items > 1 && len + 2 > room)) {
        m->left_out++;
        return;
    }
    if (m->items > 1)
        buf_puts(&m->text, "; ");
    if (len <= room) {
        put_printable(&m->text, item, len);
    } else {
        put_printable(&m->text, item, utf8_cut(item, len, room - 3));
        buf_puts(&m->text, "...");
    }
}

static void end_items(struct message *m)
{
    if (m->left_out > 0)
        buf_printf(&m->text, "; and %zu more", m->left_out);
}

static void add(struct conditions *out, const char *type, const char *status, const char *reason,
                char *message)
{
    out->items[out->count++] = (struct condition){type, status, reason, message};
}

/* "4 expressions checked against 2 types" */
static char *describe_work(const struct conditions_input *in)
{
    const struct check_result *r = in->result;
    char *work = mem_printf("%zu expression%s checked against %zu type%s", r->n_expressions,
                            plural(r->n_expressions), r->n_types, plural(r->n_types));
    if (in->newer_minor == 0)
        return work;
    char *full = mem_printf("%s with the CEL functions of Kubernetes 1.%d (the server is 1.%d)", work,
                            in->table_minor, in->newer_minor);
    mem_free(work);
    return full;
}

/* Problems by reason, the condition's own first, those of a reason in the order of the rules. */
static void add_problems(struct message *m, const struct check_result *r)
{
    if (r->n_problems > 1)
        buf_printf(&m->text, "%zu problems: ", r->n_problems);
    for (int reason = TYPES_RESOURCE_NOT_FOUND; reason <= TYPES_CLUSTER_UNAVAILABLE; reason++) {
        for (size_t i = 0; i < r->n_problems; i++) {
            if ((int)r->problems[i].reason == reason)
                add_item(m, r->problems[i].message);
        }
    }
    end_items(m);
}

static enum types_reason first_reason(const struct check_result *r)
{
    enum types_reason first = TYPES_CLUSTER_UNAVAILABLE;
    for (size_t i = 0; i < r->n_problems; i++) {
        if (r->problems[i].reason < first)
            first = r->problems[i].reason;
    }
    return first;
}

static void add_type_checked(struct conditions *out, const struct conditions_input *in)
{
    const struct check_result *r = in->result;
    char *work = describe_work(in);
    if (r->n_problems == 0) {
        add(out, CONDITIONS_CHECKED, "True", "AllTypesChecked", work);
        return;
    }
    struct message m;
    message_init(&m);
    m.reserved = strlen(work) + 2;
    add_problems(&m, r);
    buf_printf(&m.text, "; %s", work);
    mem_free(work);
    enum types_reason reason = first_reason(r);
    add(out, CONDITIONS_CHECKED, reason == TYPES_CLUSTER_UNAVAILABLE ? "Unknown" : "False", reasons[reason],
        buf_take(&m.text, NULL));
}

/* "spec.validations[0].expression (apps/v1 Deployment): undefined field 'size' (did you mean 'spec.size'?)"
 */
static void add_warning(struct message *m, const struct policy *policy, const struct check_warning *w)
{
    const char *field = policy->expressions[w->expression].field_ref;
    const struct types_target *t = w->first_type;
    cleanup_mem char *hint = w->hint[0] == '\0' ? mem_strdup("") : mem_printf(" (%s)", w->hint);
    cleanup_mem char *item =
        t == NULL ? mem_printf("%s: %s%s", field, w->first, hint)
                  : mem_printf("%s (%s%s%s %s): %s%s", field, t->group, t->group[0] == '\0' ? "" : "/",
                               t->version, t->kind, w->first, hint);
    add_item(m, item);
}

/* What the bounds of expressionWarnings left out of them; "" for nothing. */
static char *describe_left_out(const struct check_result *r)
{
    if (r->left_out == 0)
        return mem_strdup("");
    return mem_printf("; %zu block%s of expressionWarnings left out for lack of room", r->left_out,
                      plural(r->left_out));
}

static void add_expressions_valid(struct conditions *out, const struct conditions_input *in)
{
    const struct check_result *r = in->result;
    struct message m;
    message_init(&m);
    if (r->n_warnings > 0) {
        buf_printf(&m.text, "%zu of %zu expression%s: ", r->n_warnings, r->n_expressions,
                   plural(r->n_expressions));
        cleanup_mem char *left_out = describe_left_out(r);
        m.reserved = strlen(left_out);
        for (size_t i = 0; i < r->n_warnings; i++)
            add_warning(&m, in->policy, &r->warnings[i]);
        end_items(&m);
        buf_puts(&m.text, left_out);
        add(out, CONDITIONS_VALID, "False", "WarningsFound", buf_take(&m.text, NULL));
        return;
    }
    cleanup_mem char *work = describe_work(in);
    if (r->n_problems == 0) {
        buf_printf(&m.text, "no warnings: %s", work);
        add(out, CONDITIONS_VALID, "True", "NoWarnings", buf_take(&m.text, NULL));
        return;
    }
    buf_printf(&m.text, "no warnings, but not everything was checked: %s; ", work);
    add_problems(&m, r);
    add(out, CONDITIONS_VALID, "Unknown", "PartlyChecked", buf_take(&m.text, NULL));
}

static void add_param_kind_found(struct conditions *out, const struct conditions_input *in)
{
    static const char type[] = CONDITIONS_PARAM_KIND;
    cleanup_mem char *kind =
        mem_printf("kind %s of %s", in->policy->param_kind, in->policy->param_api_version);
    struct message m;
    if (in->result->param_kind == CHECK_PARAM_KIND_NONE)
        return;
    message_init(&m);
    switch (in->result->param_kind) {
    case CHECK_PARAM_KIND_NONE:
        break;
    case CHECK_PARAM_KIND_FOUND:
        buf_puts(&m.text, "the cluster serves ");
        add_item(&m, kind);
        add(out, type, "True", "Found", buf_take(&m.text, NULL));
        break;
    case CHECK_PARAM_KIND_NOT_FOUND:
        buf_puts(&m.text, "the cluster serves no ");
        add_item(&m, kind);
        add(out, type, "False", "NotFound", buf_take(&m.text, NULL));
        break;
    case CHECK_PARAM_KIND_UNKNOWN:
        buf_puts(&m.text, "could not be read yet: ");
        add_item(&m, kind);
        add(out, type, "Unknown", "ClusterUnavailable", buf_take(&m.text, NULL));
        break;
    }
}

static const char *binding_kind(const struct policy *policy)
{
    return policy->kind == POLICY_MUTATING ? "MutatingAdmissionPolicyBinding"
                                           : "ValidatingAdmissionPolicyBinding";
}

static void add_bound(struct conditions *out, const struct conditions_input *in)
{
    switch (in->binding) {
    case CONDITIONS_BINDING_UNKNOWN:
        break;
    case CONDITIONS_BINDING_NONE:
        add(out, CONDITIONS_BOUND, "False", "NoBinding",
            mem_printf("no %s names this policy: it is not enforced", binding_kind(in->policy)));
        break;
    case CONDITIONS_BINDING_FOUND:
        add(out, CONDITIONS_BOUND, "True", "BindingFound",
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
