/* -o github: workflow commands, which GitHub shows at the lines of a pull request. */
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/ci.h"
#include "cmd/kubectl-vapcheck/output/found.h"
#include "cmd/kubectl-vapcheck/output/style.h"

/* GitHub shows no more of a level for one step; all are in its log. */
enum { SHOWN = 10 };

struct github_output {
    size_t printed[CI_LEVELS];
};

static void print_command(struct github_output *out, enum ci_level level, const char *file,
                          struct yaml_place at, struct yaml_place end, const char *title, const char *text)
{
    ci_print_command(ci_level_name(level), file, at, end, title, text);
    out->printed[level]++;
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        if (item->is_counted)
            continue;
        cleanup_mem char *tag = found_tag(item);
        cleanup_mem char *title = mem_printf("%s: %s%s", output_title(place, f), item->headline, tag);
        cleanup_mem char *text = mem_printf("%s%s", item->text, item->hint);
        print_command(user, ci_level_of(item->severity), place->file, item->at, item->end, title, text);
    }
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    print_command(user, CI_ERROR, file, *where, *where, finding_pages[FINDING_UNREADABLE_FILE].id, message);
}

static void on_remark(void *user, enum finding_id id, enum finding_severity severity, const char *message)
{
    struct github_output *out = user;
    const enum ci_level level = ci_level_of(severity);
    cleanup_mem char *text = plain_github(message, false);
    print_raw(stdout, "::%s title=%s::%s\n", ci_level_name(level), finding_pages[id].id, text);
    out->printed[level]++;
}

static void on_suppressed(void *user, const struct output_suppressed *suppressed)
{
    (void)user;
    cleanup_mem char *text = output_describe_suppressed(suppressed), *shown = plain_github(text, false);
    print_raw(stdout, "::notice title=suppressed::%s\n", shown);
}

static void on_end(void *user)
{
    struct github_output *out = user;
    for (enum ci_level level = CI_ERROR; level < CI_NOTICE; level++) {
        if (out->printed[level] > SHOWN)
            print_raw(
                stdout,
                "::notice title=more %ss::GitHub shows %d %ss of a step; the log of this step has all %zu\n",
                ci_level_name(level), SHOWN, ci_level_name(level), out->printed[level]);
    }
    mem_free(out);
}

struct output output_github(const struct output_run *run)
{
    struct github_output *out = mem_zalloc(sizeof *out);
    return (struct output){.finding = on_finding,
                           .error = on_error,
                           .remark = on_remark,
                           .suppressed = run->style->is_quiet ? NULL : on_suppressed,
                           .end = on_end,
                           .user = out};
}
