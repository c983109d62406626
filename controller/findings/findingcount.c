#include "controller/findings/findingcount.h"

#include <string.h>

#include "client/base/buf.h"

/* Each of these is for a condition that is not True. */

/* Scope upstream lists no issues. */
static void add_issues(struct findingcount *count, const struct findingcount_source *source)
{
    for (size_t i = 0; i < source->result->n_warnings; i++) {
        const struct check_warning *w = &source->result->warnings[i];
        if (w->n_issues == 0)
            count->of[finding_of_issue(w->first.code)]++;
        for (size_t k = 0; k < w->n_issues; k++)
            count->of[finding_of_issue(w->issues[k].code)]++;
    }
}

static void add_problems(struct findingcount *count, const struct findingcount_source *source)
{
    for (size_t i = 0; i < source->result->n_problems; i++)
        count->of[finding_of_problem(&source->result->problems[i])]++;
    count->of[FINDING_LIMIT_REACHED] += (uint32_t)source->result->more_limits;
}

static void add_param_kind(struct findingcount *count, const struct findingcount_source *source)
{
    count->of[FINDING_PARAM_KIND_NOT_SERVED] += source->result->param_kind == CHECK_PARAM_KIND_NOT_FOUND;
}

static void add_not_bound(struct findingcount *count, const struct findingcount_source *source)
{
    (void)source;
    count->of[FINDING_POLICY_NOT_BOUND]++;
}

static void add_limit(struct findingcount *count, const struct findingcount_source *source)
{
    (void)source;
    count->of[FINDING_LIMIT_REACHED]++;
}

static void add_no_policy(struct findingcount *count, const struct findingcount_source *source)
{
    (void)source;
    count->of[FINDING_BINDING_WITHOUT_POLICY]++;
}

static void add_param_ref(struct findingcount *count, const struct findingcount_source *source)
{
    (void)source;
    count->of[FINDING_BINDING_PARAMS]++;
}

static void add_refusals(struct findingcount *count, const struct findingcount_source *source)
{
    count->of[FINDING_REFUSED] += (uint32_t)source->refusals;
}

static const struct {
    const char *type;
    void (*add)(struct findingcount *count, const struct findingcount_source *source);
} kinds[] = {
#define COUNTS(what)                                           add_##what
#define NONE                                                   NULL
#define CONDITION(name, type, object, event, findings, column) {CONDITIONS_##name, findings},
#include "controller/findings/conditions.def"
};

static void add(struct findingcount *count, const struct condition *condition,
                const struct findingcount_source *source)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].add != NULL && strcmp(condition->type, kinds[i].type) == 0 &&
            strcmp(condition->status, "True") != 0)
            kinds[i].add(count, source);
    }
}

struct findingcount findingcount_of_one(const struct condition *condition,
                                        const struct findingcount_source *source)
{
    struct findingcount count = {0};
    add(&count, condition, source);
    return count;
}

struct findingcount findingcount_of(const struct conditions *conditions,
                                    const struct findingcount_source *source)
{
    struct findingcount count = {0};
    for (size_t i = 0; i < conditions->count; i++)
        add(&count, &conditions->items[i], source);
    return count;
}

char *findingcount_note(const struct findingcount *count, const char *message)
{
    enum { IDS_BYTES = FINDING_COUNT * 64 };
    struct buf text;
    size_t named = 0;
    buf_init(&text, IDS_BYTES + strlen(message));
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        if (count->of[i] > 0)
            buf_printf(&text, "%s%s", named++ == 0 ? "[" : ", ", finding_pages[i].id);
    }
    buf_printf(&text, "%s%s", named > 0 ? "] " : "", message);
    return buf_take(&text, NULL);
}
