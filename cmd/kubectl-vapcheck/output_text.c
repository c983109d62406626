/* -o text: for people. */
#include <stdio.h>

#include "client/mem.h"
#include "cmd/kubectl-vapcheck/output.h"
#include "cmd/kubectl-vapcheck/plain.h"

struct text_output {
    size_t policies, with_warnings, clean, not_fully_checked, skipped;
};

static void print_safe(const char *text)
{
    cleanup_mem char *plain = plain_text(text);
    fputs(plain, stdout);
}

static void on_policy(void *user, const struct output_place *place, const struct output_finding *finding)
{
    struct text_output *out = user;
    const struct policy *policy = finding->policy;
    const struct check_result *result = finding->result;
    for (size_t i = 0; i < result->n_warnings; i++) {
        const struct check_warning *w = &result->warnings[i];
        const char *field_ref = policy->expressions[w->expression].field_ref;
        const struct yaml_place at = output_where(place, field_ref);
        print_safe(place->file);
        printf(":%zu:%zu: ", at.line, at.column);
        print_safe(policy->name);
        printf(": %s\n", field_ref);
        print_safe(w->text);
    }
    for (size_t i = 0; i < result->n_problems; i++) {
        print_safe(place->file);
        printf(":%zu: ", place->root->start.line);
        print_safe(policy->name);
        fputs(": not fully checked: ", stdout);
        print_safe(result->problems[i].message);
        putchar('\n');
    }
    out->policies++;
    out->with_warnings += result->n_warnings != 0;
    out->not_fully_checked += result->n_problems != 0;
    out->clean += result->n_warnings == 0 && result->n_problems == 0;
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    (void)place;
    (void)kind;
    ((struct text_output *)user)->skipped++;
}

/* Errors are told on stderr, whatever the format. */
static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    (void)user;
    (void)file;
    (void)where;
    (void)message;
}

static void on_end(void *user)
{
    struct text_output *out = user;
    printf("%zu %s: %zu with warnings, %zu clean, %zu not fully checked", out->policies,
           out->policies == 1 ? "policy" : "policies", out->with_warnings, out->clean,
           out->not_fully_checked);
    if (out->skipped != 0)
        printf("; %zu objects of other kinds skipped", out->skipped);
    putchar('\n');
    mem_free(out);
}

struct output output_text(void)
{
    return (struct output){on_policy, on_skipped, on_error, on_end, mem_zalloc(sizeof(struct text_output))};
}
