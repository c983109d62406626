/* -o github: workflow commands, which GitHub shows at the lines of a pull request. */
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/ci.h"
#include "cmd/kubectl-vapcheck/output/found.h"

static const char *level_of(enum finding_severity severity)
{
    switch (severity) {
    case FINDING_ERROR:
        return "error";
    case FINDING_WARNING:
        return "warning";
    case FINDING_NOTE:
    case FINDING_ADVICE:
        break;
    }
    return "notice";
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    (void)user;
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        cleanup_mem char *tag = found_tag(item);
        cleanup_mem char *title = mem_printf("%s: %s%s", output_title(place, f), item->headline, tag);
        cleanup_mem char *text = mem_printf("%s%s", item->text, item->hint);
        ci_print_command(level_of(item->severity), place->file, item->at, title, text);
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
    (void)user;
    ci_print_command("error", file, *where, finding_pages[FINDING_UNREADABLE_FILE].id, message);
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
    (void)user;
}

struct output output_github(void)
{
    return (struct output){on_finding, on_skipped, on_error, on_nothing, on_end, NULL, NULL, on_suppressed};
}
