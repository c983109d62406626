#include "cmd/kubectl-vapcheck/audit/auditreport.h"

#include <stdio.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/fingerprint.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "controller/apiserver/defaults/clusterfields.h"

const struct auditreport_format *auditreport_find(enum output_format format)
{
    static const struct auditreport_format *const formats[OUTPUT_FORMAT_COUNT] = {
#define FORMAT(ID, id, name, note, check, test, audit, list, status)                                         \
    OUTPUT_FORMAT_MAKER_##audit([OUTPUT_FORMAT_##ID] = &auditreport_##id)
#include "cmd/kubectl-vapcheck/output/output_format.def"
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
    if (found->count == 0)
        return;
    r->of_cluster = r->is_of_files ? clusterfields_name(object->json) : NULL;
    r->format->object(r, object, found);
    mem_free(r->of_cluster);
    r->of_cluster = NULL;
}

enum { LINE_CAP_BYTES = 16 * 1024 * 1024 };

/* The circumstances of the finding: ", binding b, on UPDATE alone". */
static char *describe_circumstances(const struct auditreport *r, const struct evaluation_finding *f)
{
    static const char *const operations[] = {"", ", on CREATE alone", ", on UPDATE alone", ""};
    const struct rulebook_policy *p = &r->book->items[f->policy];
    const char *binding = p->n_bindings > 1 ? auditreport_binding(r, f) : NULL;
    const bool may_be_default = auditreport_may_be_default(r, f);
    return mem_printf("%s%s%s%s%s%s%s%s", binding == NULL ? "" : ", binding ", binding == NULL ? "" : binding,
                      operations[f->operations], f->is_after_change ? ", as mutating policies change it" : "",
                      f->effect == AUDIT_IGNORED ? ", admitted by failurePolicy: Ignore" : "",
                      may_be_default ? ", of such an object the cluster also sets " : "",
                      may_be_default ? r->of_cluster : "", may_be_default ? ", which is not known here" : "");
}

/* The message, and behind it what is particular to the finding. The caller frees it. */
static char *say(const struct auditreport *r, const struct evaluation_finding *f)
{
    cleanup_mem char *circumstances = describe_circumstances(r, f);
    return circumstances[0] == '\0' ? mem_strdup(f->message)
                                    : mem_printf("%s (%s)", f->message, circumstances + strlen(", "));
}

/* All that the policy does with this effect; "": nothing. The caller frees it. */
static char *collect(const struct auditreport *r, const struct evaluation_findings *found, size_t policy,
                     enum audit_effect effect)
{
    cleanup_buf struct buf text;
    buf_init(&text, LINE_CAP_BYTES);
    for (size_t i = 0; i < found->count; i++) {
        const struct evaluation_finding *f = &found->items[i];
        if (f->policy != policy || f->effect != effect)
            continue;
        cleanup_mem char *said = say(r, f);
        buf_printf(&text, "%s%s", text.len == 0 ? "" : "; ", said);
    }
    return mem_strdup(text.data);
}

/* The finding is the first of its policy with its effect. */
static bool is_first(const struct evaluation_findings *found, size_t index)
{
    const struct evaluation_finding *f = &found->items[index];
    for (size_t i = 0; i < index; i++) {
        if (found->items[i].policy == f->policy && found->items[i].effect == f->effect)
            return false;
    }
    return true;
}

void auditreport_keep(struct auditreport *r, const struct auditobject *object,
                      const struct evaluation_findings *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct evaluation_finding *f = &found->items[i];
        if (!is_first(found, i))
            continue;
        const struct auditlines_item item = {.effect = f->effect,
                                             .title = auditobject_title(object),
                                             .file = mem_strdup(object->file),
                                             .line = object->line,
                                             .text = collect(r, found, f->policy, f->effect)};
        auditlines_add(&r->lines, r->book->count, f->policy, &item);
    }
}

void auditreport_end(struct auditreport *r)
{
    r->format->end(r);
}

void auditreport_deinit(struct auditreport *r)
{
    json_object_put(r->not_read);
    json_object_put(r->errors);
    auditlines_deinit(&r->lines);
    keymap_deinit(&r->fingerprints, NULL);
}

void auditreport_add_not_read(struct auditreport *r, const char *what, const char *message)
{
    struct json_object *entry = json_object_new_object();
    auditreport_put(entry, "what", what);
    auditreport_put(entry, "message", message);
    if (r->not_read == NULL)
        r->not_read = json_object_new_array();
    jsonval_append(r->not_read, entry);
    if (r->format != &auditreport_text) /* which says it at the end */
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

void auditreport_judge(const struct auditreport *r, bool *has_error, bool *has_warning)
{
    *has_error = r->not_read != NULL || r->errors != NULL || r->n_with[AUDIT_REFUSED] > 0 ||
                 r->n_with[AUDIT_FAILED] > 0;
    *has_warning = r->n_with[AUDIT_WARNED] + r->n_with[AUDIT_AUDITED] + r->n_with[AUDIT_IGNORED] +
                       r->n_with[AUDIT_UNKNOWN] >
                   0;
    for (size_t i = 0; i < r->book->count; i++)
        *has_error = *has_error || r->book->items[i].problem != NULL;
}

/* ---- for the formats ---- */

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
    return r->of_cluster != NULL && (f->effect == AUDIT_FAILED || f->effect == AUDIT_IGNORED) &&
           f->code == ISSUE_NO_SUCH_KEY;
}

char *auditreport_counts(const size_t counts[AUDIT_EFFECTS])
{
    char *text = mem_strdup("");
    for (size_t i = 0; i < AUDIT_EFFECTS; i++) {
        if (counts[i] == 0)
            continue;
        char *longer = mem_printf("%s%s%zu %s", text, text[0] == '\0' ? "" : ", ", counts[i],
                                  audit_effect_name((enum audit_effect)i));
        mem_free(text);
        text = longer;
    }
    return text;
}

const char *auditreport_id(enum audit_effect effect)
{
    static const char *const ids[AUDIT_EFFECTS] = {
        [AUDIT_REFUSED] = "audit-refused", [AUDIT_WARNED] = "audit-warned",
        [AUDIT_AUDITED] = "audit-audited", [AUDIT_FAILED] = "audit-failed",
        [AUDIT_IGNORED] = "audit-ignored", [AUDIT_CHANGED] = "audit-changed",
        [AUDIT_UNKNOWN] = "audit-unknown",
    };
    return ids[effect];
}

enum finding_severity auditreport_severity(const struct auditreport *r, const struct evaluation_finding *f)
{
    static const enum finding_severity severities[AUDIT_EFFECTS] = {
        [AUDIT_REFUSED] = FINDING_ERROR,   [AUDIT_WARNED] = FINDING_WARNING,  [AUDIT_AUDITED] = FINDING_NOTE,
        [AUDIT_FAILED] = FINDING_ERROR,    [AUDIT_IGNORED] = FINDING_WARNING, [AUDIT_CHANGED] = FINDING_NOTE,
        [AUDIT_UNKNOWN] = FINDING_WARNING,
    };
    return auditreport_may_be_default(r, f) ? FINDING_WARNING : severities[f->effect];
}

char *auditreport_fingerprint(struct auditreport *r, const struct auditobject *object,
                              const struct evaluation_finding *f)
{
    const char *binding = auditreport_binding(r, f);
    cleanup_mem char *title = auditobject_title(object);
    cleanup_mem char *rule = auditreport_rule(r, f);
    cleanup_mem char *what =
        mem_printf("%s\n%s\n%s\n%s\n%s\n%s", auditreport_id(f->effect), title, r->book->items[f->policy].name,
                   binding == NULL ? "" : binding, rule == NULL ? "" : rule, f->message);
    return fingerprint_of_text(&r->fingerprints, what);
}

char *auditreport_problem(const struct rulebook_policy *p)
{
    const size_t more = p->n_unevaluated > 1 ? p->n_unevaluated - 1 : 0;
    if (p->problem == NULL || more == 0)
        return p->problem == NULL ? NULL : mem_strdup(p->problem);
    return mem_printf("%s (and %zu more object%s)", p->problem, more, more == 1 ? "" : "s");
}

void auditreport_each_problem(const struct auditreport *r, auditreport_tell *tell, void *user)
{
    const struct yaml_place nowhere = {0};
    for (size_t i = 0; i < r->book->count; i++) {
        const struct rulebook_policy *p = &r->book->items[i];
        if (p->problem == NULL)
            continue;
        cleanup_mem char *said = auditreport_problem(p),
                         *text = mem_printf("policy %s is not evaluated completely: %s", p->name, said);
        tell(user, p->file, p->file[0] == '\0' ? nowhere : yaml_place_at(p->line, 1), text);
    }
    for (size_t i = 0; i < jsonval_length(r->not_read); i++) {
        struct json_object *entry = jsonval_at(r->not_read, i);
        cleanup_mem char *text = mem_printf("not read: %s: %s", jsonval_string_or_empty(entry, "what"),
                                            jsonval_string_or_empty(entry, "message"));
        tell(user, "", nowhere, text);
    }
    for (size_t i = 0; i < jsonval_length(r->errors); i++) {
        struct json_object *entry = jsonval_at(r->errors, i);
        const struct yaml_place where = {
            .line = (unsigned)json_object_get_int64(json_object_object_get(entry, "line")),
            .column = (unsigned)json_object_get_int64(json_object_object_get(entry, "column"))};
        tell(user, jsonval_string_or_empty(entry, "file"), where, jsonval_string_or_empty(entry, "message"));
    }
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
    const bool may_be_default = auditreport_may_be_default(r, f);
    return mem_printf("%s %spolicy %s%s%s, on %s%s: %s%s%s%s", effects[f->effect],
                      p->is_mutating ? "mutating " : "", p->name,
                      p->is_unbound     ? ", if a binding bound it to everything"
                      : binding != NULL ? ", binding "
                                        : "",
                      binding == NULL ? "" : binding, operations[f->operations],
                      f->is_after_change ? ", as mutating policies change it" : "", f->message,
                      may_be_default ? " (of such an object the cluster also sets " : "",
                      may_be_default ? r->of_cluster : "",
                      may_be_default ? ", which is not known here)" : "");
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
    const char *text =
        json_object_to_json_string_ext(take_json, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    cleanup_mem char *shown = plain_json(text);
    print_raw(stdout, "%s\n%s", r->n_written++ == 0 ? "" : ",", shown == NULL ? text : shown);
    json_object_put(take_json);
}
