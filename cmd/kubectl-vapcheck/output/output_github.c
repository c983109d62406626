/* -o github: workflow commands, which GitHub shows at the lines of a pull request. */
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/caret.h"
#include "cmd/kubectl-vapcheck/output/output.h"

/* "::warning file=p.yaml,line=3,col=5,title=p%3A spec...::text"; line 0: no place. */
static void print_command(const char *level, const char *file, struct yaml_place where, const char *title,
                          const char *text)
{
    cleanup_mem char *shown_file = plain_github(file, true), *shown_title = plain_github(title, true);
    cleanup_mem char *message = plain_github(text, false);
    print_raw(stdout, "::%s file=%s", level, shown_file);
    if (where.line != 0)
        print_raw(stdout, ",line=%zu,col=%zu", where.line, where.column);
    print_raw(stdout, ",title=%s::%s\n", shown_title, message);
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    (void)user;
    for (size_t i = 0; i < f->refusals->count; i++) {
        const struct fielderror *e = &f->refusals->items[i];
        cleanup_mem char *title = mem_printf("%s: refused: %s", output_title(place, f), e->field);
        cleanup_mem char *text =
            f->hints[i] == NULL ? mem_strdup(e->message) : mem_printf("%s\n%s", e->message, f->hints[i]);
        print_command("error", place->file, caret_of_refusal(place, e->field, e->message), title, text);
    }
    for (size_t i = 0; i < f->n_warnings; i++) {
        const char *field = f->warnings[i].field;
        cleanup_mem char *readable = output_readable(&f->warnings[i]);
        cleanup_mem char *text = mem_printf("%s%s", readable, f->warnings[i].hint);
        cleanup_mem char *headline = output_headline(&f->warnings[i]);
        cleanup_mem char *title = mem_printf("%s: %s", output_title(place, f), headline);
        print_command("warning", place->file, caret_of_warning(place, field, readable), title, text);
    }
    for (size_t i = 0; f->notes != NULL && i < f->notes->count; i++) {
        const struct fielderror *note = &f->notes->items[i];
        cleanup_mem char *title = mem_printf("%s: note: %s", output_title(place, f), note->field);
        print_command("notice", place->file, output_where(place, note->field), title, note->message);
    }
    struct output_unchecked unchecked;
    for (size_t i = 0; output_unchecked(f, i, &unchecked); i++) {
        cleanup_mem char *title = mem_printf("%s: %s", output_title(place, f),
                                             unchecked.is_limit ? "limit reached" : "not fully checked");
        print_command(unchecked.is_limit ? "error" : "notice", place->file,
                      output_unchecked_where(place, &unchecked), title, unchecked.text);
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
    print_command("error", file, *where, "unreadable", message);
}

static void on_end(void *user)
{
    (void)user;
}

struct output output_github(void)
{
    return (struct output){on_finding, on_skipped, on_error, on_end, NULL};
}
