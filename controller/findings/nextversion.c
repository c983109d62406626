#include "controller/findings/nextversion.h"

#include <string.h>

#include "client/base/mem.h"

/* A message names at most this many changes, and says if there are more. */
enum { CHANGES_NAMED = 3 };

/* Returns "spec.validations[0].expression (apps/v1 Deployment): no such overload". Since the message of a
 * refusal repeats the expression, only the compiler's answer in it is used. The caller frees the text. */
static char *describe(const struct versiondiff_item *item)
{
    const char *text = item->message + item->detail;
    cleanup_mem char *line = mem_strndup(text, strcspn(text, "\n"));
    return mem_printf("%s%s%s%s: %s%s", item->field, *item->type == '\0' ? "" : " (", item->type,
                      *item->type == '\0' ? "" : ")", item->sort == VERSIONDIFF_REFUSED ? "refused: " : "",
                      line);
}

/* Adds the changes that refuse the object, or make it fail, on the next version. Returns true if there is
 * one. */
static bool add_changes(struct boundedtext *m, const struct nextversion_input *in,
                        const struct versiondiff_report *now)
{
    static const char more[] = "; and more";
    size_t count, named = 0, breaking = 0;
    struct versiondiff_change *changes = versiondiff_compare(now, in->report, &count);
    m->reserved = sizeof more;
    for (size_t i = 0; i < count; i++) {
        if (!versiondiff_breaks(&changes[i]))
            continue;
        cleanup_mem char *item = describe(changes[i].item);
        if (breaking++ < CHANGES_NAMED && m->left_out == 0) {
            boundedtext_add(m, item);
            named++;
        }
    }
    if (breaking > named || m->left_out > 0)
        buf_puts(&m->text, more);
    mem_free(changes);
    return breaking > 0;
}

/* The reason why the comparison is not complete; NULL if it is complete. */
static const char *find_gap(const struct nextversion_input *in, const struct versiondiff_report *now)
{
    if (in->result->n_problems > 0)
        return in->result->problems[0].message;
    if (in->next_result->n_problems > 0)
        return in->next_result->problems[0].message;
    return now->is_partial || in->report->is_partial ? "the policy is too large to be compared" : NULL;
}

static void add(struct conditions *out, const struct nextversion_input *in,
                const struct versiondiff_report *now)
{
    const char *gap = find_gap(in, now);
    struct boundedtext m;
    boundedtext_init(&m);
    buf_printf(&m.text, "on Kubernetes 1.%d: ", in->minor);
    if (add_changes(&m, in, now)) {
        conditions_add(out, CONDITIONS_NEXT, "False", "ChangesFound", buf_take(&m.text, NULL));
        return;
    }
    if (gap != NULL) {
        buf_puts(&m.text, "no change was found, but not everything was checked: ");
        boundedtext_add(&m, gap);
        conditions_add(out, CONDITIONS_NEXT, "Unknown", "NotChecked", buf_take(&m.text, NULL));
        return;
    }
    buf_puts(&m.text, "nothing is refused, and nothing fails that works now");
    conditions_add(out, CONDITIONS_NEXT, "True", "NoChange", buf_take(&m.text, NULL));
}

void nextversion_add(struct conditions *out, const struct nextversion_input *in)
{
    struct versiondiff_report now = {.count = 0};
    if (in->next_result == NULL) {
        conditions_add(out, CONDITIONS_NEXT, "Unknown", "NotChecked",
                       mem_printf("the server is no older than Kubernetes 1.%d", in->minor));
        return;
    }
    versiondiff_add_result(&now, in->policy, in->result);
    versiondiff_add_result(in->report, in->policy, in->next_result);
    add(out, in, &now);
    versiondiff_deinit(&now);
}
