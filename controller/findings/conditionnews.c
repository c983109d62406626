#include "controller/findings/conditionnews.h"

#include <string.h>

#include "client/text/jsonval.h"

/* A condition as it was before. Each text is "" if there was no such condition. */
struct seen {
    const char *status, *reason, *message;
};

typedef struct seen look_at(const void *from, const char *type);

static struct seen look_at_status(const void *from, const char *type)
{
    const struct policyview *observed = from;
    struct json_object *list = jsonval_array(jsonval_get(observed->json, "status"), "conditions");
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *c = jsonval_at(list, i);
        if (strcmp(jsonval_string_or_empty(c, "type"), type) == 0)
            return (struct seen){jsonval_string_or_empty(c, "status"), jsonval_string_or_empty(c, "reason"),
                                 jsonval_string_or_empty(c, "message")};
    }
    return (struct seen){"", "", ""};
}

static struct seen look_at_conditions(const void *from, const char *type)
{
    const struct condition *c = from == NULL ? NULL : conditions_find(from, type);
    return c == NULL ? (struct seen){"", "", ""} : (struct seen){c->status, c->reason, c->message};
}

static bool is_true(const char *status)
{
    return strcmp(status, "True") == 0;
}

static bool is_false(const char *status)
{
    return strcmp(status, "False") == 0;
}

/* The rule for one type of condition: which change of it is news, and the reason of the Event. */
struct event_rule {
    const char *type;
    /* The function that finds the news; NULL if there never are any of this condition. */
    void (*find)(const struct event_rule *rule, const struct seen *was, const struct condition *is,
                 struct conditionnews *t);
    const char *lost, *found; /* the reasons of find_status and find_message */
};

/* Each of these functions sets t->reason if the change is news. */

static void find_warnings(const struct event_rule *rule, const struct seen *was, const struct condition *is,
                          struct conditionnews *t)
{
    (void)rule;
    t->is_warning = is_false(is->status);
    if (t->is_warning && !is_false(was->status))
        t->reason = "WarningsFound";
    else if (t->is_warning && strcmp(was->message, is->message) != 0)
        t->reason = "WarningsChanged";
    else if (!t->is_warning && is_false(was->status))
        t->reason = "WarningsResolved";
}

/* Types that scope upstream leaves out are not news, since its user asked for that scope. */
static void find_types(const struct event_rule *rule, const struct seen *was, const struct condition *is,
                       struct conditionnews *t)
{
    (void)rule;
    t->is_warning = !is_true(is->status);
    if (t->is_warning && strcmp(was->reason, is->reason) != 0 &&
        strcmp(is->reason, conditions_reason_name(TYPES_OUT_OF_SCOPE)) != 0)
        t->reason = is->reason;
    else if (!t->is_warning && was->status[0] != '\0' && !is_true(was->status))
        t->reason = is->reason;
}

static void set_reason(const struct event_rule *rule, const struct seen *was, const struct condition *is,
                       bool is_news, struct conditionnews *t)
{
    t->is_warning = !is_true(is->status);
    if (is_false(is->status) && is_news)
        t->reason = rule->lost;
    else if (is_true(is->status) && is_false(was->status))
        t->reason = rule->found;
}

static void find_status(const struct event_rule *rule, const struct seen *was, const struct condition *is,
                        struct conditionnews *t)
{
    set_reason(rule, was, is, !is_false(was->status), t);
}

/* The message may change while the status stays. */
static void find_message(const struct event_rule *rule, const struct seen *was, const struct condition *is,
                         struct conditionnews *t)
{
    set_reason(rule, was, is, strcmp(was->message, is->message) != 0, t);
}

static const struct event_rule rules[] = {
#define EVENT(what, lost, found)                               find_##what, lost, found
#define QUIET                                                  NULL, NULL, NULL
#define CONDITION(name, type, object, event, findings, column) {CONDITIONS_##name, event},
#include "controller/findings/conditions.def"
};

static size_t find(look_at *look, const void *from, const struct conditions *conditions,
                   struct conditionnews out[CONDITIONNEWS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; conditions != NULL && i < sizeof rules / sizeof rules[0]; i++) {
        const struct condition *is = conditions_find(conditions, rules[i].type);
        const struct seen was = look(from, rules[i].type);
        if (is == NULL || rules[i].find == NULL)
            continue;
        out[count] = (struct conditionnews){.type = rules[i].type, .note = is->message, .condition = is};
        rules[i].find(&rules[i], &was, is, &out[count]);
        count += out[count].reason != NULL;
    }
    return count;
}

size_t conditionnews_find(const struct policyview *observed, const struct conditions *conditions,
                          struct conditionnews out[CONDITIONNEWS_MAX])
{
    return find(look_at_status, observed, conditions, out);
}

size_t conditionnews_since(const struct conditions *before, const struct conditions *now,
                           struct conditionnews out[CONDITIONNEWS_MAX])
{
    return find(look_at_conditions, before, now, out);
}
