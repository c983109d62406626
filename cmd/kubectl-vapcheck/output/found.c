#include "cmd/kubectl-vapcheck/output/found.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/output/caret.h"
#include "cmd/kubectl-vapcheck/output/finding_subject.h"
#include "cmd/kubectl-vapcheck/output/output_witness.h"
#include "cmd/kubectl-vapcheck/output/saying.h"

/* Limits of the mistakes in a refused expression that are listed besides the first one. */
enum { OTHERS_SHOWN = 5, OTHERS_CAP_BYTES = 64 * 1024 };

static bool ends_line(const char *text, size_t len)
{
    return len > 0 && text[len - 1] == '\n';
}

/* An item that has no texts yet. */
static struct found_item *add(struct found *f, enum finding_id id, const char *field, struct caret_span span)
{
    f->items = mem_grow(f->items, f->count, sizeof *f->items);
    struct found_item *item = &f->items[f->count++];
    *item = (struct found_item){.id = id,
                                .severity = finding_pages[id].severity,
                                .field = field == NULL ? "" : field,
                                .at = span.at,
                                .end = span.end};
    return item;
}

/* The first line of a text says what is wrong, the others what comes of it. */
static void put_message(struct found_item *item, const char *text)
{
    const size_t first = strcspn(text, "\n");
    const char *rest = text[first] == '\0' ? "" : text + first + 1;
    item->message = mem_strndup(text, first);
    item->why = *rest == '\0' ? NULL : mem_strndup(rest, strlen(rest) - ends_line(rest, strlen(rest)));
}

/* Adds a finding of one line, at the object or at one of its fields. */
static void add_line(struct found *f, const struct output_place *place, enum finding_id id, const char *field,
                     const char *text)
{
    const struct yaml_place at = field == NULL ? place->root->start : output_where(place, field);
    struct found_item *item = add(f, id, field, (struct caret_span){at, at});
    item->subject = finding_subject_of_field(place, item->field);
    item->headline = mem_strdup(id == FINDING_LIMIT_REACHED       ? "limit reached"
                                : id == FINDING_NOT_FULLY_CHECKED ? "not fully checked"
                                                                  : finding_severity_name(item->severity));
    item->text = mem_strdup(text);
    put_message(item, text);
    item->hint = mem_strdup("");
}

/* A text for readers, in which a NUL is visible ("\x00"). */
static char *readable(const char *text, size_t len, const char *end)
{
    struct buf b;
    buf_init(&b, 4 * len + 2);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\0')
            buf_puts(&b, "\\x00");
        else
            buf_putc(&b, text[i]);
    }
    buf_puts(&b, end);
    return buf_take(&b, NULL);
}

static bool has_issue(const struct fielderror *refusal, const char *message)
{
    for (size_t i = 0; i < refusal->n_issues; i++) {
        if (strcmp(refusal->issues[i].message.at, message) == 0)
            return true;
    }
    return false;
}

/* The hint of the warning that is not said beside the refusal of its expression; "" for none. */
static const char *hint_of_warning(const struct output_finding *finding, const struct fielderror *refusal)
{
    for (size_t i = 0; i < finding->n_warnings; i++) {
        const struct output_warning *w = &finding->warnings[i];
        if (strcmp(w->field, refusal->field) == 0 && w->first != NULL && has_issue(refusal, w->first))
            return w->hint;
    }
    return "";
}

/* Describes an issue of an expression in words for people. */
static char *say_issue(const struct output_place *place, const char *field,
                       const struct typecheck_issue *issue)
{
    return saying_of(&(struct saying){.code = issue->code,
                                      .message = issue->message.at,
                                      .about = issue->about,
                                      .at = issue->at,
                                      .expression = caret_expression(place, field)});
}

/* Describes a refusal in words for people. If its message first repeats a wrong value, only the part after
 * it: the value is in the line of the file. */
static char *say_refusal(const struct output_place *place, const struct fielderror *e, const char *text)
{
    if (e->saying != NULL)
        return mem_strdup(e->saying);
    if (e->n_issues > 0)
        return say_issue(place, e->field, &e->issues[0]);
    if (e->result != NULL)
        return saying_of(&(struct saying){.code = ISSUE_TYPE_MISMATCH, .message = text, .about = e->result});
    if (e->detail > 0 && e->detail < e->len)
        text = e->message + e->detail;
    return mem_strndup(text, strcspn(text, "\n"));
}

/* Lists the other mistakes in the expression, each with its place in the file; NULL: there are none. */
static char *say_others(const struct output_place *place, const struct fielderror *e)
{
    struct buf lines;
    buf_init(&lines, OTHERS_CAP_BYTES);
    for (size_t i = 1; i < e->n_issues && i <= OTHERS_SHOWN; i++) {
        const struct yaml_place at = caret_of_refusal(place, e->field, &e->issues[i].at).at;
        cleanup_mem char *said = say_issue(place, e->field, &e->issues[i]);
        buf_printf(&lines, "%sat %u:%u: %s", i == 1 ? "" : "\n", at.line, at.column, said);
    }
    if (e->n_issues > OTHERS_SHOWN + 1)
        buf_printf(&lines, "\nand %zu more", e->n_issues - OTHERS_SHOWN - 1);
    return e->n_issues > 1 ? buf_take(&lines, NULL) : NULL;
}

/* The server's words, where the message has others; of an expression those about the first mistake. */
static char *words_of_server(const struct fielderror *e, const struct found_item *item)
{
    if (e->result != NULL && e->detail > 0 && e->detail < e->len)
        return mem_strdup(e->message + e->detail);
    if (e->saying != NULL || e->result != NULL)
        return mem_strdup(item->text);
    if (e->n_issues == 0 || strcmp(e->issues[0].message.at, item->message) == 0)
        return NULL;
    return mem_strdup(e->issues[0].message.at);
}

static void add_refusals(struct found *f, const struct output_place *place,
                         const struct output_finding *finding)
{
    for (size_t i = 0; i < finding->refusals->count; i++) {
        const struct fielderror *e = &finding->refusals->items[i];
        if (e->follows)
            continue;
        struct found_item *item = add(f, FINDING_REFUSED, e->field, caret_of_error(place, e));
        item->subject = finding_subject_of_field(place, e->field);
        item->headline = mem_printf("refused: %s", e->field);
        item->text = readable(e->message, e->len, ends_line(e->message, e->len) ? "" : "\n");
        item->message = say_refusal(place, e, item->text);
        item->why = say_others(place, e);
        item->server = words_of_server(e, item);
        const char *hint = finding->hints == NULL ? NULL : finding->hints[i];
        item->hint = mem_strdup(hint != NULL ? hint : hint_of_warning(finding, e));
    }
}

/* The consequence of a warning, in a sentence; "" for none. */
static const char *sentence_of(enum issue_code consequence)
{
    return consequence == ISSUE_ALWAYS_TRUE ? "therefore the validation is always true: it checks nothing"
           : consequence == ISSUE_ALWAYS_FALSE
               ? "therefore the validation is always false: it refuses every request"
           : consequence == ISSUE_NEVER_APPLIES ? "therefore no request passes the match conditions"
                                                : "";
}

/* The warning's text, and what follows from it in a line of its own. The caller frees it. */
static char *text_of(const struct output_warning *w)
{
    const char *sentence = sentence_of(w->consequence);
    cleanup_mem char *end = mem_printf("%s%s", sentence, *sentence == '\0' ? "" : "\n");
    return readable(w->text, w->len, end);
}

/* Nothing fails, but a policy that never applies is an error. */
static void soften(struct found_item *item, bool is_claim)
{
    if (is_claim && item->id != FINDING_NEVER_APPLIES && item->severity == FINDING_ERROR)
        item->severity = FINDING_WARNING;
}

/* The warning as one finding. */
static void add_warning(struct found *f, const struct output_place *place, const struct output_warning *w,
                        bool is_upstream)
{
    struct found_item *item = add(f, w->id, w->field, caret_of_warning(place, w->field, &w->at));
    soften(item, w->is_claim);
    if (is_upstream && item->severity == FINDING_ERROR) /* not all that upstream warns of fails */
        item->severity = FINDING_WARNING;
    item->subject = finding_subject_of_field(place, w->field);
    item->headline =
        mem_printf("%s%s", w->source == OUTPUT_API_SERVER ? "the API server warns: " : "", w->field);
    item->text = text_of(w);
    item->message =
        w->first == NULL ? mem_strndup(item->text, strcspn(item->text, "\n")) : mem_strdup(w->first);
    item->server = w->first == NULL ? NULL : mem_strdup(item->text);
    item->hint = mem_strdup(w->hint);
    item->witnesses = w->witnesses;
    item->n_witnesses = w->n_witnesses;
}

static uint32_t distance(struct extent at, uint32_t offset)
{
    return offset < at.begin ? at.begin - offset : offset > at.end ? offset - at.end : 0;
}

/* The index of the issue that the hint corrects: the one that is nearest to its first change. */
static size_t find_hinted(const struct output_warning *w, size_t first)
{
    size_t nearest = first;
    for (size_t i = 0; w->hint_at != 0 && i < w->n_issues; i++) {
        if (distance(w->issues[i].at, w->hint_at) < distance(w->issues[nearest].at, w->hint_at))
            nearest = i;
    }
    return nearest;
}

/* An issue of the warning as a finding of its own. The text of the warning is that of the one that it shows
 * first, the others have their own line. */
static void add_issue(struct found *f, const struct output_place *place, const struct output_finding *finding,
                      const struct output_warning *w, size_t index, bool is_first, const char *hint)
{
    const struct check_issue *issue = &w->issues[index];
    const struct policyview *policy = finding->policy;
    const struct saying saying = {
        .code = issue->code,
        .message = issue->message,
        .about = issue->about,
        .at = issue->at,
        .expression = policy == NULL ? STR("") : policy->policy.expressions[w->expression].text,
        .is_claim = issue->is_claim,
        .is_unequal = issue->is_unequal,
        .types = issue->types,
        .n_types = issue->n_types,
        .n_checked = finding->result == NULL ? 0 : finding->result->n_types,
        .has_all_types = finding->has_all_types};
    struct found_item *item =
        add(f, finding_of_issue(issue->code), w->field, caret_of_warning(place, w->field, &issue->at));
    soften(item, issue->is_claim);
    item->subject = finding_subject_of_issue(issue, saying.expression);
    item->headline = mem_strdup(w->field);
    item->text = is_first ? text_of(w) : readable(issue->message, strlen(issue->message), "");
    item->message = saying_of(&saying);
    item->why = is_first && w->consequence != ISSUE_OTHER ? mem_strdup(sentence_of(w->consequence))
                                                          : saying_why(&saying);
    item->types = mem_array(issue->n_types + 1, sizeof *item->types);
    for (size_t i = 0; i < issue->n_types; i++)
        item->types[item->n_types++] = output_name_type(issue->types[i]);
    item->hint = mem_strdup(hint);
    item->witnesses = w->n_witnesses > index ? &w->witnesses[index] : NULL;
    item->n_witnesses = w->n_witnesses > index;
}

static void add_issues(struct found *f, const struct output_place *place,
                       const struct output_finding *finding, const struct output_warning *w)
{
    size_t first = 0;
    while (first < w->n_issues &&
           (w->issues[first].at.offset != w->at.offset || strcmp(w->issues[first].message, w->first) != 0))
        first++;
    first = first < w->n_issues ? first : 0;
    const size_t hinted = find_hinted(w, first);
    add_issue(f, place, finding, w, first, true, first == hinted ? w->hint : "");
    for (size_t i = 0; i < w->n_issues; i++) {
        if (i != first)
            add_issue(f, place, finding, w, i, false, i == hinted ? w->hint : "");
    }
}

/* An expression that the server does not even compile is not reported again for each type. */
static void add_warnings(struct found *f, const struct output_place *place,
                         const struct output_finding *finding)
{
    struct keymap refused = {0};
    for (size_t i = 0; i < finding->refusals->count; i++)
        keymap_add(&refused, finding->refusals->items[i].field);
    for (size_t i = 0; i < finding->n_warnings; i++) {
        const struct output_warning *w = &finding->warnings[i];
        if (keymap_get(&refused, w->field) != NULL)
            continue;
        if (w->n_issues == 0 || finding->is_upstream)
            add_warning(f, place, w, finding->is_upstream);
        else
            add_issues(f, place, finding, w);
    }
    keymap_deinit(&refused, NULL);
}

/* Adds findings that are no fault of an expression: whether policy, parameters and binding find each
 * other. */
static void add_conditions(struct found *f, const struct output_place *place,
                           const struct output_finding *finding)
{
    const struct condition *param_kind = conditions_find(finding->conditions, CONDITIONS_PARAM_KIND);
    const struct condition *bound = conditions_find(finding->conditions, CONDITIONS_BOUND);
    const struct condition *policy = conditions_find(finding->conditions, OUTPUT_POLICY_FOUND);
    if (param_kind != NULL && strcmp(param_kind->status, "False") == 0)
        add_line(f, place, FINDING_PARAM_KIND_NOT_SERVED, "spec.paramKind.kind", param_kind->message);
    if (bound != NULL && strcmp(bound->status, "False") == 0)
        add_line(f, place, FINDING_POLICY_NOT_BOUND, NULL, bound->message);
    if (policy != NULL && strcmp(policy->status, "True") != 0)
        add_line(f, place,
                 strcmp(policy->status, "False") == 0 ? FINDING_BINDING_WITHOUT_POLICY
                                                      : FINDING_POLICY_NOT_AMONG_FILES,
                 "spec.policyName", policy->message);
}

static void add_problems(struct found *f, const struct output_place *place,
                         const struct output_finding *finding)
{
    const struct check_result *r = finding->result;
    const struct condition *rules = conditions_find(finding->conditions, CONDITIONS_RULES_CHECKED);
    for (size_t i = 0; r != NULL && i < r->n_problems; i++) {
        const struct types_problem *p = &r->problems[i];
        add_line(f, place, finding_of_problem(p), p->field, p->message);
    }
    if (r != NULL && r->more_limits > 0)
        add_line(f, place, FINDING_LIMIT_REACHED, NULL,
                 "more expressions and types were not checked to the end, for the same reason");
    if (rules != NULL && strcmp(rules->status, "True") != 0)
        add_line(f, place, FINDING_LIMIT_REACHED, NULL, rules->message);
    if (finding->refusals->is_limited)
        add_line(f, place, FINDING_LIMIT_REACHED, NULL,
                 "the search for what the API server would refuse was not finished: it takes too much work "
                 "or memory");
}

void found_add(struct found *found, const struct output_place *place, const struct output_extra *extra)
{
    add_line(found, place, extra->id, extra->field, extra->text);
    struct found_item *item = &found->items[found->count - 1];
    if (extra->at.line != 0) {
        item->at = extra->at;
        item->end = extra->end.line != 0 ? extra->end : extra->at;
    }
    if (extra->hint != NULL) {
        mem_free(item->hint);
        item->hint = mem_strdup(extra->hint);
    }
    if (extra->is_note) {
        mem_free(item->headline);
        item->severity = FINDING_NOTE;
        item->headline = mem_strdup(finding_severity_name(FINDING_NOTE));
    }
}

struct ordered {
    struct yaml_place at;
    size_t index;
};

static int compare_places(const void *a, const void *b)
{
    const struct ordered *one = a, *two = b;
    if (one->at.line != two->at.line)
        return one->at.line < two->at.line ? -1 : 1;
    if (one->at.column != two->at.column)
        return one->at.column < two->at.column ? -1 : 1;
    return one->index < two->index ? -1 : 1;
}

void found_sort(struct found *f)
{
    struct ordered *order = mem_array(f->count + 1, sizeof *order);
    struct found_item *sorted = mem_array(f->count + 1, sizeof *sorted); /* the list itself can grow */
    for (size_t i = 0; i < f->count; i++)
        order[i] = (struct ordered){f->items[i].at, i};
    if (f->count > 1)
        qsort(order, f->count, sizeof *order, compare_places);
    for (size_t i = 0; i < f->count; i++)
        sorted[i] = f->items[order[i].index];
    if (f->count > 1)
        memcpy(f->items, sorted, f->count * sizeof *sorted);
    mem_free(order);
    mem_free(sorted);
}

/* Gives the fixes to errors and warnings of their expressions; a fix is not about a note or an advice. */
static void add_fixes(struct found *f, const struct output_finding *finding)
{
    struct keymap fixes = {0};
    for (size_t i = 0; i < finding->n_fixes; i++) {
        union {
            const struct output_fix *given;
            void *kept;
        } fix = {.given = &finding->fixes[i]};
        keymap_put(&fixes, finding->fixes[i].field, fix.kept);
    }
    for (size_t i = 0; i < f->count && fixes.count > 0; i++) {
        struct found_item *item = &f->items[i];
        if (item->severity == FINDING_ERROR || item->severity == FINDING_WARNING)
            item->fix = keymap_get(&fixes, item->field);
    }
    keymap_deinit(&fixes, NULL);
}

void found_init(struct found *found, const struct output_place *place, const struct output_finding *finding)
{
    *found = (struct found){.has_refusals = finding->refusals->count > 0};
    add_refusals(found, place, finding);
    add_warnings(found, place, finding);
    add_conditions(found, place, finding);
    for (size_t i = 0; finding->notes != NULL && i < finding->notes->count; i++)
        add_line(found, place, finding->note_id, finding->notes->items[i].field,
                 finding->notes->items[i].message);
    for (size_t i = 0; i < finding->n_extras; i++)
        found_add(found, place, &finding->extras[i]);
    add_problems(found, place, finding);
    add_fixes(found, finding);
    found_sort(found);
}

static void free_item(struct found_item *item)
{
    mem_free(item->headline);
    mem_free(item->message);
    mem_free(item->why);
    mem_free(item->subject);
    mem_free(item->server);
    mem_free(item->remedy);
    mem_free(item->text);
    mem_free(item->hint);
    for (size_t i = 0; i < item->n_types; i++)
        mem_free(item->types[i]);
    mem_free(item->types);
}

void found_deinit(struct found *found)
{
    for (size_t i = 0; i < found->count; i++)
        free_item(&found->items[i]);
    mem_free(found->items);
}

static char *copy_of(const char *text)
{
    return text == NULL ? NULL : mem_strdup(text);
}

void found_add_copy(struct found *found, const struct found_item *item)
{
    struct found_item *copy = add(found, item->id, item->field, (struct caret_span){item->at, item->end});
    copy->severity = item->severity;
    copy->headline = mem_strdup(item->headline);
    copy->text = mem_strdup(item->text);
    copy->message = mem_strdup(item->message);
    copy->why = copy_of(item->why);
    copy->subject = mem_strdup(item->subject);
    copy->server = copy_of(item->server);
    copy->remedy = copy_of(item->remedy);
    copy->types = mem_array(item->n_types + 1, sizeof *copy->types);
    for (size_t i = 0; i < item->n_types; i++)
        copy->types[copy->n_types++] = mem_strdup(item->types[i]);
    copy->hint = mem_strdup(item->hint);
    copy->is_counted = item->is_counted;
    copy->is_fixable = item->is_fixable;
}

void found_put_copy(struct found *found, size_t index, const struct found_item *item)
{
    found_add_copy(found, item);
    free_item(&found->items[index]);
    found->items[index] = found->items[--found->count];
}

void found_remove(struct found *found, size_t index)
{
    found->was_unchecked = found->was_unchecked || found->items[index].id == FINDING_NOT_FULLY_CHECKED;
    free_item(&found->items[index]);
    found->count--;
    memmove(&found->items[index], &found->items[index + 1], (found->count - index) * sizeof *found->items);
}

char *found_tag(const struct found_item *item)
{
    const bool is_said = item->id == FINDING_REFUSED || item->id == FINDING_LIMIT_REACHED ||
                         item->id == FINDING_NOT_FULLY_CHECKED;
    cleanup_mem char *id = is_said ? mem_strdup("") : mem_printf(" [%s]", finding_pages[item->id].id);
    return item->versions == NULL ? mem_strdup(id) : mem_printf("%s (Kubernetes %s)", id, item->versions);
}

bool found_is_line(const struct found_item *item)
{
    return !ends_line(item->text, strlen(item->text));
}

size_t found_count(const struct found *found, enum finding_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += found->items[i].severity == severity;
    return count;
}

bool found_has_fault_besides(const struct found *found, enum finding_id id)
{
    for (size_t i = 0; i < found->count; i++) {
        const enum finding_severity severity = found->items[i].severity;
        if ((severity == FINDING_ERROR || severity == FINDING_WARNING) && found->items[i].id != id)
            return true;
    }
    return false;
}

bool found_is_unchecked(const struct found *found)
{
    return found->was_unchecked || found_has(found, FINDING_LIMIT_REACHED) ||
           found_has(found, FINDING_NOT_FULLY_CHECKED);
}

bool found_has(const struct found *found, enum finding_id id)
{
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].id == id)
            return true;
    }
    return false;
}

const struct output_fix *found_advised(const struct output_finding *finding, const struct found_item *item)
{
    for (size_t i = 0; i < finding->n_advised && item->id == FINDING_OPTIONAL_FIELD; i++) {
        if (strcmp(item->field, finding->advised[i].field) == 0)
            return &finding->advised[i];
    }
    return NULL;
}
