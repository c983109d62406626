/* -o gitlab: a report of code quality, which GitLab shows in merge requests: one JSON array. */
#include <json-c/json.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/codequality.h"
#include "cmd/kubectl-vapcheck/output/fingerprint.h"
#include "cmd/kubectl-vapcheck/output/found.h"

struct gitlab_output {
    struct json_object *issues;
    struct keymap fingerprints;
};

static void add_issue(struct gitlab_output *out, const struct found_item *item, const char *file,
                      const char *description, const char *fingerprint)
{
    const struct codequality_issue issue = {.check = finding_pages[item->id].id,
                                            .severity = item->severity,
                                            .description = description,
                                            .fingerprint = fingerprint,
                                            .path = file,
                                            .first_line = item->at.line,
                                            .last_line = item->end.line};
    jsonval_append(out->issues, codequality_issue(&issue));
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct gitlab_output *out = user;
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        if (item->is_counted)
            continue;
        cleanup_mem char *fingerprint = fingerprint_of(&out->fingerprints, place, item);
        cleanup_mem char *versions =
            item->versions == NULL ? mem_strdup("") : mem_printf(" (Kubernetes %s)", item->versions);
        cleanup_mem char *text =
            mem_printf("%s: %.*s%s%s%s", output_title(place, f), (int)strcspn(item->text, "\n"), item->text,
                       *item->hint == '\0' ? "" : "; ", item->hint, versions);
        add_issue(out, item, place->file, text, fingerprint);
    }
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    const struct found_item item = {
        .id = FINDING_UNREADABLE_FILE, .severity = FINDING_ERROR, .at = *where, .end = *where};
    cleanup_mem char *fingerprint = mem_printf("%s:%s", finding_pages[item.id].id, file);
    add_issue(user, &item, file, message, fingerprint);
}

static void on_end(void *user)
{
    struct gitlab_output *out = user;
    output_print_json(out->issues);
    keymap_deinit(&out->fingerprints, NULL);
    mem_free(out);
}

struct output output_gitlab(const struct output_run *run)
{
    (void)run;
    struct gitlab_output *out = mem_zalloc(sizeof *out);
    out->issues = json_object_new_array();
    /* an issue has a file; remarks about the run are in the other formats */
    return (struct output){.finding = on_finding, .error = on_error, .end = on_end, .user = out};
}
