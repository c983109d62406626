#include "cmd/kubectl-vapcheck/check/otherversions.h"

#include <string.h>

#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"
#include "cmd/kubectl-vapcheck/input/changedfields.h"

/* Steps of a check between two questions whether it is still needed: some milliseconds. */
enum { SLICE_STEPS = 100 * 1000 };

static bool is_stopped(const struct otherversions *o)
{
    return o->is_stopped != NULL && o->is_stopped(o->user);
}

static void free_notes(struct otherversions *o)
{
    for (size_t i = 0; i < o->n_notes; i++)
        mem_free(o->notes[i].message);
    mem_free(o->notes);
    o->notes = NULL;
    o->n_notes = 0;
}

/* The newer versions come first, the nearest ones before others. */
static size_t nth_bundle(const struct otherversions *o, size_t n)
{
    size_t older = 0;
    while (older < bundles_count && bundle_minor(&bundles[older]) <= o->minor)
        older++;
    const size_t newer = bundles_count - older;
    return n < newer ? older + n : older - 1 - (n - newer);
}

/* Opens the schemas of the version; NULL if they cannot be read, which is not reported. */
static struct schemas *open_bundle(struct otherversions *o, size_t i)
{
    struct err err = {0};
    if (o->schemas[i] == NULL &&
        schemas_open_bytes(bundles[i].bytes, bundles[i].len, &o->schemas[i], &err) != 0)
        o->schemas[i] = NULL;
    if (o->schemas[i] != NULL)
        schemas_put(o->schemas[i], o->crds);
    return o->schemas[i];
}

static bool is_same(const struct check_issue *one, const struct check_issue *two)
{
    return one->code == two->code && one->at.offset == two->at.offset;
}

static bool has_issue(const struct check_result *result, size_t expression, const struct check_issue *issue)
{
    for (size_t i = 0; i < result->n_warnings; i++) {
        const struct check_warning *w = &result->warnings[i];
        for (size_t k = 0; w->expression == expression && k < w->n_issues; k++) {
            if (is_same(&w->issues[k], issue))
                return true;
        }
    }
    return false;
}

static bool has_note(const struct check_note *notes, size_t count, size_t expression,
                     const struct check_issue *issue)
{
    for (size_t i = 0; i < count; i++) {
        const struct check_note *n = &notes[i];
        if (n->expression == expression && n->code == issue->code && n->at.offset == issue->at.offset)
            return true;
    }
    return false;
}

bool otherversions_has(const struct otherversions *o, size_t expression, const struct check_issue *issue)
{
    return has_note(o->notes, o->n_notes, expression, issue);
}

static void add_note(struct otherversions *o, size_t expression, const struct check_issue *issue,
                     const char *version)
{
    const bool is_field = issue->code == ISSUE_UNDEFINED_FIELD;
    o->notes = mem_realloc(o->notes, o->n_notes + 1, sizeof *o->notes);
    o->notes[o->n_notes++] = (struct check_note){
        .code = issue->code,
        .expression = expression,
        .message = mem_printf("%s%s Kubernetes %s%s", issue->message,
                              is_field ? ", which" : "; it is not so with", version, is_field ? " has" : ""),
        .at = issue->at,
    };
}

static bool is_changed_field(struct str name)
{
    const char *at = (const char *)changedfields->bytes, *end = at + changedfields->len;
    for (const char *newline; (newline = memchr(at, '\n', (size_t)(end - at))) != NULL; at = newline + 1) {
        if (str_eq((struct str){at, (size_t)(newline - at)}, name))
            return true;
    }
    return false;
}

/* Older versions put objects into dyn(request), which are null (requests_hold_nulls in features.def). */
static bool is_of_older_requests(struct str name)
{
    return str_eq(name, STR("object")) || str_eq(name, STR("oldObject"));
}

/* Returns true if another version may say otherwise of a claim: a field that a kind lacks in all versions is
 * in none of them, also where the other version does not get as far as this field. */
static bool may_differ(const struct check_issue *issue)
{
    const struct str name = issue_about_read(issue->about).name;
    return issue->is_claim && (issue->code != ISSUE_UNDEFINED_FIELD || name.len == 0 ||
                               is_changed_field(name) || is_of_older_requests(name));
}

/* Adds those claims of the result that the other version's result lacks. */
static void compare(struct otherversions *o, const struct check_result *result,
                    const struct check_result *other, const char *version)
{
    for (size_t i = 0; i < result->n_warnings; i++) {
        const struct check_warning *w = &result->warnings[i];
        for (size_t k = 0; k < w->n_issues; k++) {
            const struct check_issue *issue = &w->issues[k];
            if (may_differ(issue) && !otherversions_has(o, w->expression, issue) &&
                !has_issue(other, w->expression, issue) &&
                !has_note(other->notes, other->n_notes, w->expression, issue))
                add_note(o, w->expression, issue, version);
        }
    }
}

static bool has_open_claim(const struct check_result *result)
{
    for (size_t i = 0; i < result->n_warnings; i++) {
        for (size_t k = 0; k < result->warnings[i].n_issues; k++) {
            if (may_differ(&result->warnings[i].issues[k]))
                return true;
        }
    }
    return false;
}

void otherversions_find(struct otherversions *o, const struct policyview *policy,
                        const struct types_options *types, const struct check_result *result)
{
    static const struct check_filter nothing;
    free_notes(o);
    if (!has_open_claim(result))
        return;
    for (size_t n = 0; n < bundles_count && bundles_count <= OTHERVERSIONS_MAX; n++) {
        const size_t i = nth_bundle(o, n);
        struct schemas *schemas = bundle_minor(&bundles[i]) == o->minor ? NULL : open_bundle(o, i);
        struct types_options asked = *types;
        if (schemas == NULL)
            continue;
        asked.minor = schemas_minor(schemas);
        asked.validating_minor =
            o->minor; /* that an older server lets pass what it should not makes nothing right */
        struct check *check = check_new(policy, schemas_discovery(schemas), &asked);
        check_set_filter(check, &nothing);
        while (check_step(check, schemas_env(schemas), schemas_lookup, schemas, SLICE_STEPS) &&
               !is_stopped(o))
            ;
        const struct check_result *other = is_stopped(o) ? NULL : check_result(check);
        if (other != NULL && other->n_problems == 0 && other->n_missing == 0)
            compare(o, result, other, bundles[i].kube_version);
        check_free(check);
    }
}

void otherversions_deinit(struct otherversions *o)
{
    free_notes(o);
    for (size_t i = 0; i < OTHERVERSIONS_MAX; i++)
        schemas_free(o->schemas[i]);
}
