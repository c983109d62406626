#include "cmd/kubectl-vapcheck/audit/auditreport.h"

#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/output.h"

const struct auditreport_format *auditreport_find(enum formats format)
{
    static const struct auditreport_format *const formats[FORMATS_COUNT] = {
#define FORMAT(ID, id, name, note, check, test, audit, list, status)                                         \
    FORMATS_MAKER_##audit([FORMATS_##ID] = &auditreport_##id)
#include "cmd/kubectl-vapcheck/output/formats.def"
    };
    return formats[format];
}

void auditreport_begin(struct auditreport *r)
{
    r->format->begin(r);
}

void auditreport_object(struct auditreport *r, const struct auditobject *object,
                        const struct evaluation_findings *found)
{
    bool has[AUDIT_EFFECTS] = {false};
    r->n_objects += !object->is_again;
    for (size_t i = 0; i < found->count; i++)
        has[found->items[i].effect] = true;
    for (size_t i = 0; i < AUDIT_EFFECTS; i++)
        r->n_with[i] += has[i];
    if (found->count > 0)
        r->format->object(r, object, found);
}

void auditreport_end(struct auditreport *r)
{
    r->format->end(r);
}

void auditreport_deinit(struct auditreport *r)
{
    json_object_put(r->not_read);
    json_object_put(r->errors);
}

void auditreport_add_not_read(struct auditreport *r, const char *what, const char *message)
{
    struct json_object *entry = json_object_new_object();
    auditreport_put(entry, "what", what);
    auditreport_put(entry, "message", message);
    if (r->not_read == NULL)
        r->not_read = json_object_new_array();
    jsonval_append(r->not_read, entry);
    print_line(stderr, "kubectl-vapcheck audit: not read: %s: %s", what, message);
}

void auditreport_add_error(struct auditreport *r, const char *file, const struct yaml_place *where,
                           const char *message)
{
    if (where->line != 0)
        print_line(stderr, "%s:%u:%u: %s", file, where->line, where->column, message);
    else
        print_line(stderr, "%s: %s", file, message);
    if (r->errors == NULL)
        r->errors = json_object_new_array();
    jsonval_append(r->errors, output_json_error(file, where, message));
}

bool auditreport_has_findings(const struct auditreport *r)
{
    bool has = r->not_read != NULL || r->errors != NULL;
    for (size_t i = 0; i < AUDIT_EFFECTS; i++)
        has = has || (r->n_with[i] > 0 && i != AUDIT_CHANGED);
    for (size_t i = 0; i < r->book->count; i++)
        has = has || r->book->items[i].problem != NULL;
    return has;
}

/* ---- for the formats ---- */

char *auditreport_title(const struct auditobject *object)
{
    const char *namespace = auditobject_namespace(object);
    return mem_printf("%s %s%s%s", object->route->stored_as.kind, namespace, namespace[0] == '\0' ? "" : "/",
                      output_name(object->json));
}

const char *auditreport_binding(const struct auditreport *r, const struct evaluation_finding *finding)
{
    const struct rulebook_policy *p = &r->book->items[finding->policy];
    struct json_object *binding =
        finding->binding == DISPATCH_NO_BINDING ? NULL : p->bindings[finding->binding];
    return binding == NULL ? NULL : jsonval_metadata(binding, "name");
}

char *auditreport_rule(const struct auditreport *r, const struct evaluation_finding *f)
{
    if (f->validation == POLICY_RUN_NO_VALIDATION)
        return NULL;
    return mem_printf("%s[%zu]", r->book->items[f->policy].is_mutating ? "mutations" : "validations",
                      f->validation);
}

bool auditreport_may_be_default(const struct auditreport *r, const struct evaluation_finding *f)
{
    return (r->is_of_files || f->is_after_change) &&
           (f->effect == AUDIT_FAILED || f->effect == AUDIT_IGNORED) && f->code == ISSUE_NO_SUCH_KEY;
}

char *auditreport_describe(const struct auditreport *r, const struct evaluation_finding *f)
{
    static const char *const effects[AUDIT_EFFECTS] = {
        [AUDIT_REFUSED] = "refused by",
        [AUDIT_WARNED] = "warned about by",
        [AUDIT_AUDITED] = "noted in the audit log by",
        [AUDIT_FAILED] = "refused, because an expression fails, by",
        [AUDIT_IGNORED] = "admitted, although an expression fails, by",
        [AUDIT_CHANGED] = "changed by",
        [AUDIT_UNKNOWN] = "not known for certain, because of",
    };
    static const char *const operations[] = {"", "CREATE", "UPDATE", "CREATE and UPDATE"};
    const struct rulebook_policy *p = &r->book->items[f->policy];
    const char *binding = p->is_unbound ? NULL : auditreport_binding(r, f);
    return mem_printf(
        "%s %spolicy %s%s%s, on %s%s: %s%s", effects[f->effect], p->is_mutating ? "mutating " : "", p->name,
        p->is_unbound     ? ", if a binding bound it to everything"
        : binding != NULL ? ", binding "
                          : "",
        binding == NULL ? "" : binding, operations[f->operations],
        f->is_after_change ? ", as mutating policies change it" : "", f->message,
        !auditreport_may_be_default(r, f) ? ""
        : r->is_of_files ? " (in the object as the file has it; a server sets some fields by default)"
                         : " (in the object as the policies make it; a server sets some fields by default)");
}

struct json_object *auditreport_operations(const struct evaluation_finding *finding)
{
    struct json_object *list = json_object_new_array();
    if ((finding->operations & AUDITOBJECT_CREATE) != 0)
        jsonval_append(list, json_object_new_string("CREATE"));
    if ((finding->operations & AUDITOBJECT_UPDATE) != 0)
        jsonval_append(list, json_object_new_string("UPDATE"));
    return list;
}

void auditreport_put(struct json_object *object, const char *name, const char *text)
{
    if (text != NULL)
        jsonval_set(object, name, json_object_new_string(text));
}

void auditreport_write(struct auditreport *r, struct json_object *take_json)
{
    cleanup_mem char *text = plain_json(
        json_object_to_json_string_ext(take_json, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    print_raw(stdout, "%s\n%s", r->n_written++ == 0 ? "" : ",", text);
    json_object_put(take_json);
}
