/* -o junit: a test suite a policy, a test case an object that it does not just admit. */
#include <stdio.h>

#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"
#include "cmd/kubectl-vapcheck/output/junit.h"

static const enum junit_outcome outcomes[AUDIT_EFFECTS] = {
    [AUDIT_REFUSED] = JUNIT_FAILURE, [AUDIT_WARNED] = JUNIT_FAILURE, [AUDIT_AUDITED] = JUNIT_FAILURE,
    [AUDIT_FAILED] = JUNIT_ERROR,    [AUDIT_IGNORED] = JUNIT_ERROR,  [AUDIT_CHANGED] = JUNIT_SYSTEM_OUT,
    [AUDIT_UNKNOWN] = JUNIT_ERROR,
};

static void begin(struct auditreport *r)
{
    (void)r;
}

static void on_object(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found)
{
    auditreport_keep(r, object, found);
}

static void add_object(struct junit *out, const char *policy, const struct auditlines_item *item)
{
    const char *effect = audit_effect_name(item->effect);
    cleanup_mem char *message = mem_printf("%s: %s", effect, item->text);
    cleanup_mem char *text = item->file[0] == '\0'
                                 ? mem_printf("%s: %s", item->title, message)
                                 : mem_printf("%s:%zu: %s: %s", item->file, item->line, item->title, message);
    const enum junit_outcome outcome = outcomes[item->effect];
    junit_add(out, &(struct junit_case){.class = policy,
                                        .name = item->title,
                                        .outcome = outcome,
                                        .message = outcome == JUNIT_SYSTEM_OUT ? NULL : message,
                                        .text = text});
}

static void add_policy(struct junit *out, const struct auditreport *r, size_t index)
{
    const struct rulebook_policy *p = &r->book->items[index];
    cleanup_mem char *matched =
        mem_printf(p->n_matched == 1 ? "%zu object matches" : "%zu objects match", p->n_matched);
    junit_open(out, p->name);
    junit_add(out, &(struct junit_case){
                       .class = p->name, .name = "evaluated", .outcome = JUNIT_SYSTEM_OUT, .text = matched});
    for (size_t i = 0; r->lines.policies != NULL && i < r->lines.policies[index].count; i++)
        add_object(out, p->name, &r->lines.policies[index].items[i]);
}

static void add_problem(void *user, const char *file, struct yaml_place where, const char *message)
{
    cleanup_mem char *text = where.line == 0
                                 ? mem_printf("%s%s%s", file, file[0] == '\0' ? "" : ": ", message)
                                 : mem_printf("%s:%u:%u: %s", file, where.line, where.column, message);
    junit_add(user, &(struct junit_case){.class = "kubectl-vapcheck",
                                         .name = file[0] == '\0' ? "evaluated" : file,
                                         .outcome = JUNIT_ERROR,
                                         .message = message,
                                         .text = text});
}

static void end(struct auditreport *r)
{
    struct junit out;
    junit_init(&out);
    for (size_t i = 0; i < r->book->count; i++)
        add_policy(&out, r, i);
    junit_open(&out, "kubectl-vapcheck");
    auditreport_each_problem(r, add_problem, &out);
    junit_end(&out);
}

const struct auditreport_format auditreport_junit = {.begin = begin, .object = on_object, .end = end};
