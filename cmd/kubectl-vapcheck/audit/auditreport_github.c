/* -o github: a workflow command a finding; an object of a cluster has no place. */
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/audit/auditreport.h"
#include "cmd/kubectl-vapcheck/output/ci.h"

static void begin(struct auditreport *r)
{
    (void)r;
}

static void on_object(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found)
{
    const bool has_file = object->file[0] != '\0';
    const struct yaml_place at = has_file ? yaml_place_at(object->line, 1) : (struct yaml_place){0};
    cleanup_mem char *title = auditobject_title(object);
    for (size_t i = 0; i < found->count; i++) {
        const struct evaluation_finding *f = &found->items[i];
        cleanup_mem char *text = auditreport_describe(r, f);
        ci_print_command(ci_level_name(ci_level_of(auditreport_severity(r, f))), object->file, at, at, title,
                         text);
    }
}

static void print_problem(void *user, const char *file, struct yaml_place where, const char *message)
{
    (void)user;
    ci_print_command(ci_level_name(CI_ERROR), file, where, where, "audit", message);
}

static void end(struct auditreport *r)
{
    auditreport_each_problem(r, print_problem, NULL);
}

const struct auditreport_format auditreport_github = {.begin = begin, .object = on_object, .end = end};
