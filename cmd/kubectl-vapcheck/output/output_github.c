/* -o github: workflow commands, which GitHub shows at the lines of a pull request. */
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/ci.h"
#include "cmd/kubectl-vapcheck/output/found.h"
#include "cmd/kubectl-vapcheck/output/style.h"

enum level { ERROR, WARNING, NOTICE, N_LEVELS };

static const char *const level_names[N_LEVELS] = {"error", "warning", "notice"};

/* GitHub shows no more of a level for one step; all are in its log. */
enum { SHOWN = 10 };

struct github_output {
    size_t printed[N_LEVELS];
};

static enum level level_of(enum finding_severity severity)
{
    switch (severity) {
    case FINDING_ERROR:
        return ERROR;
    case FINDING_WARNING:
        return WARNING;
    case FINDING_NOTE:
    case FINDING_ADVICE:
        break;
    }
    return NOTICE;
}

static void print_command(struct github_output *out, enum level level, const char *file, struct yaml_place at,
                          const char *title, const char *text)
{
    ci_print_command(level_names[level], file, at, title, text);
    out->printed[level]++;
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        cleanup_mem char *tag = found_tag(item);
        cleanup_mem char *title = mem_printf("%s: %s%s", output_title(place, f), item->headline, tag);
        cleanup_mem char *text = mem_printf("%s%s", item->text, item->hint);
        print_command(user, level_of(item->severity), place->file, item->at, title, text);
    }
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    (void)user;
    (void)place;
    (void)kind;
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    print_command(user, ERROR, file, *where, finding_pages[FINDING_UNREADABLE_FILE].id, message);
}

static void on_nothing(void *user, const char *message)
{
    (void)user;
    cleanup_mem char *text = plain_github(message, false);
    print_raw(stdout, "::notice title=%s::%s\n", finding_pages[FINDING_NOTHING_CHECKED].id, text);
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
    for (enum level level = ERROR; level < NOTICE; level++) {
        if (out->printed[level] > SHOWN)
            print_raw(
                stdout,
                "::notice title=more %ss::GitHub shows %d %ss of a step; the log of this step has all %zu\n",
                level_names[level], SHOWN, level_names[level], out->printed[level]);
    }
    mem_free(out);
}

struct output output_github(const struct style *style)
{
    struct github_output *out = mem_zalloc(sizeof *out);
    return (struct output){on_finding, on_skipped, on_error, on_nothing,
                           on_end,     out,        NULL,     style->is_quiet ? NULL : on_suppressed};
}
