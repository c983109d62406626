#include "cmd/kubectl-vapcheck/check/checkrun.h"

#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/check/hidden_comments.h"
#include "cmd/kubectl-vapcheck/input/yamlhints.h"
#include "cmd/kubectl-vapcheck/output/found.h"
#include "cmd/kubectl-vapcheck/output/remedy.h"
#include "cmd/kubectl-vapcheck/output/unreadable.h"
#include "controller/apiserver/validation/server_warnings.h"
#include "controller/apiserver/validation/static_manifest.h"
#include "controller/findings/suppress.h"

/* The number of counted things that are named, and the longest list of names in bytes. */
enum { NAMED = 5, NAMES_CAP_BYTES = 64 * 1024 };

void checkrun_error(struct checkrun *r, const char *file, const struct yaml_place *where, const char *message,
                    const char *line)
{
    r->found.has_error = true;
    progress_end(&r->progress);
    if (!r->request->is_quiet)
        unreadable_print(&(struct unreadable){file, *where, message, line},
                         r->options->format == OUTPUT_FORMAT_TEXT ? &r->options->style : NULL);
    output_report_error(&r->output, file, where, message);
}

/* Finds the warnings of the API server about an object that it takes. It warns of nothing that it refuses, or
 * reads from a file. */
void checkrun_find_server_warnings(const struct checkrun *r, struct json_object *object,
                                   struct fielderrors *out)
{
    out->minor = schemas_minor(r->schemas);
    if (!static_manifest_is(object, out))
        server_warnings_find(object, out);
}

/* Returns what the notes are. */
static enum finding_id find_notes(const struct checkrun *r, struct json_object *object,
                                  struct fielderrors *out)
{
    out->minor = schemas_minor(r->schemas);
    const bool is_static_manifest = static_manifest_is(object, out);
    if (is_static_manifest)
        fielderrors_add(out, mem_strdup(static_manifest_note), "metadata.name");
    else
        servedkinds_note(&r->kinds, object, out);
    return is_static_manifest ? FINDING_STATIC_MANIFEST : FINDING_SERVED_ON_DEMAND;
}

/* The warnings of the API server. The caller frees the list and the texts. */
static struct output_warning *make_server_warnings(const struct fielderrors *server, char **texts)
{
    struct output_warning *all = mem_array(server->count + 1, sizeof *all);
    for (size_t i = 0; i < server->count; i++) {
        texts[i] = mem_printf("%s\n", server->items[i].message);
        all[i] = (struct output_warning){.id = FINDING_API_SERVER_WARNING,
                                         .field = server->items[i].field,
                                         .text = texts[i],
                                         .len = strlen(texts[i]),
                                         .at = EXTENT_NOWHERE,
                                         .hint = "",
                                         .source = OUTPUT_API_SERVER};
    }
    return all;
}

/* One list behind the other. The caller frees it. */
static struct output_warning *join_warnings(const struct output_warning *first, size_t n_first,
                                            const struct output_warning *second, size_t n_second)
{
    struct output_warning *all = mem_array(n_first + n_second + 1, sizeof *all);
    for (size_t i = 0; i < n_first + n_second; i++)
        all[i] = i < n_first ? first[i] : second[i - n_first];
    return all;
}

/* Returns a text that names the other object of this name; NULL if there is none. The caller frees it. */
static char *find_duplicate(const struct checkrun *r, const struct output_place *place)
{
    const struct fielderrors errors = {.minor = schemas_minor(r->schemas)};
    const char *other =
        objectindex_other(&r->objects, place->file, place->root->start.line, place->root->json);
    /* static policies are compared by the rules of their loader */
    if (other == NULL || static_manifest_is(place->root->json, &errors))
        return NULL;
    return mem_printf("%s has an object of this kind and name, too", other);
}

/* Joins four lists: the caller's findings, hidden comments, an object of the same name, and mistakes in what
 * is to be ignored. The caller frees the list. */
static struct output_extra *join_extras(const struct checkrun *r, const struct output_finding *given,
                                        const struct hidden_comments *hidden, const char *duplicate,
                                        const struct suppression *suppression, size_t *count)
{
    const struct comments *comments = &r->comments;
    struct output_extra *all = mem_array(given->n_extras + hidden->count + 2 + comments->count, sizeof *all);
    size_t n = 0;
    for (; n < given->n_extras; n++)
        all[n] = given->extras[n];
    for (size_t i = 0; i < hidden->count; i++)
        all[n++] = hidden->items[i];
    if (duplicate != NULL)
        all[n++] = (struct output_extra){
            .id = FINDING_DUPLICATE_OBJECT, .field = "metadata.name", .text = duplicate};
    if (suppression->err.code != ERR_NONE)
        all[n++] = (struct output_extra){.id = FINDING_UNKNOWN_IDENTIFIER,
                                         .field = "metadata.annotations[" SUPPRESS_IGNORE "]",
                                         .text = suppression->err.msg};
    for (size_t i = 0; i < comments->count; i++) {
        const struct comment *c = &comments->items[i];
        if (c->problem != NULL && c->line >= r->from_line && c->line < r->to_line)
            all[n++] =
                (struct output_extra){.id = FINDING_UNKNOWN_IDENTIFIER, .text = c->problem, .at = c->at};
    }
    *count = n;
    return all;
}

/* "a, b": a name more, up to some. */
static void add_name(struct buf *names, size_t count, const char *name)
{
    if (count == 0)
        buf_init(names, NAMES_CAP_BYTES);
    if (count < NAMED)
        buf_printf(names, "%s%s", count == 0 ? "" : ", ", name);
    else if (count == NAMED)
        buf_puts(names, " and more");
}

/* Counts policies without a binding: one remark names all of them at the end. */
static void count_unbound(struct checkrun *r, struct found *found, const char *name)
{
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].id != FINDING_POLICY_NOT_BOUND)
            continue;
        found->items[i].is_counted = true;
        add_name(&r->unbound, r->n_unbound++, name);
    }
}

void checkrun_leave_out(struct checkrun *r, const char *file, const char *reason)
{
    cleanup_mem char *name = mem_printf("%s (%s)", file, reason);
    output_report_left_out(&r->output, file, reason);
    if (finding_set_has(r->options->ignored, FINDING_NOT_FULLY_CHECKED))
        return;
    add_name(&r->not_read, r->n_not_read++, name);
    r->found.has_unchecked = true;
}

void checkrun_say_counts(struct checkrun *r)
{
    const bool is_one = r->n_unbound == 1,
               is_of_cluster = r->options->is_live && !options_has_files(r->options);
    if (r->n_unbound > 0) {
        cleanup_mem char *text =
            mem_printf("%zu %s no binding%s: %s", r->n_unbound, is_one ? "policy has" : "policies have",
                       is_of_cluster ? ", so no request is checked" : " in these files", r->unbound.data);
        output_report_remark(&r->output, FINDING_POLICY_NOT_BOUND, FINDING_NOTE, text);
        buf_deinit(&r->unbound);
    }
    if (r->n_not_read > 0) {
        cleanup_mem char *text = mem_printf("%zu file%s not read: %s", r->n_not_read,
                                            r->n_not_read == 1 ? " was" : "s were", r->not_read.data);
        output_report_remark(&r->output, FINDING_NOT_FULLY_CHECKED, FINDING_NOTE, text);
        buf_deinit(&r->not_read);
    }
}

static void print_found(struct checkrun *r, const struct output_place *place,
                        const struct output_finding *given, struct suppression *suppression)
{
    struct output_finding finding = *given;
    struct found found;
    found_init(&found, place, given);
    remedy_put(&found, place);
    suppression_apply(suppression, &found, r->from_line, r->to_line);
    finding.found = &found;
    r->n_objects++;
    r->suppressed.findings += suppression->count;
    count_unbound(r, &found, given->name);
    r->found.has_error = r->found.has_error || found_count(&found, FINDING_ERROR) > 0;
    r->found.has_warning = r->found.has_warning || found_count(&found, FINDING_WARNING) > 0;
    r->found.has_advice = r->found.has_advice || found_count(&found, FINDING_ADVICE) > 0;
    r->found.has_unchecked = r->found.has_unchecked || found_has(&found, FINDING_LIMIT_REACHED) ||
                             found_has(&found, FINDING_NOT_FULLY_CHECKED);
    r->output.finding(r->output.user, place, &finding);
    found_deinit(&found);
}

void checkrun_report_with(struct checkrun *r, const struct output_place *place,
                          const struct output_finding *given, struct suppression *suppression)
{
    struct output_finding finding = *given;
    struct fielderrors server = {0}, notes = {0};
    const bool has_written = given->written != NULL;
    finding.note_id = find_notes(r, place->root->json, &notes);
    if (finding.refusals->count == 0)
        checkrun_find_server_warnings(r, place->root->json, &server);
    char **texts = mem_array(server.count + 1, sizeof *texts);
    struct output_warning *of_server = make_server_warnings(&server, texts);
    struct output_warning *warnings =
        join_warnings(given->warnings, given->n_warnings, of_server, server.count);
    struct output_warning *written =
        join_warnings(has_written ? given->written : given->warnings,
                      has_written ? given->n_written : given->n_warnings, of_server, server.count);
    finding.warnings = warnings;
    finding.n_warnings = given->n_warnings + server.count;
    finding.written = written;
    finding.n_written = (has_written ? given->n_written : given->n_warnings) + server.count;
    finding.notes = &notes;
    finding.has_all_types = r->options->style.has_all_types;
    finding.is_upstream = r->options->types.scope == TYPES_UPSTREAM;
    cleanup_mem char *duplicate = find_duplicate(r, place);
    struct hidden_comments hidden;
    hidden_comments_init(&hidden, schemas_new_env(r->schemas), place, given->refusals);
    struct output_extra *extras = join_extras(r, given, &hidden, duplicate, suppression, &finding.n_extras);
    finding.extras = extras;
    print_found(r, place, &finding, suppression);
    for (size_t i = 0; i < server.count; i++)
        mem_free(texts[i]);
    mem_free(texts);
    mem_free(extras);
    hidden_comments_deinit(&hidden);
    mem_free(warnings);
    mem_free(written);
    mem_free(of_server);
    fielderrors_deinit(&server);
    fielderrors_deinit(&notes);
}

void checkrun_report(struct checkrun *r, const struct output_place *place,
                     const struct output_finding *finding)
{
    struct suppression suppression;
    suppression_init(&suppression, r->options, &r->comments, place);
    checkrun_report_with(r, place, finding, &suppression);
    suppression_deinit(&suppression);
}

/* A file is read whatever the server serves. */
bool checkrun_refuse_unserved(struct checkrun *r, struct json_object *object, struct fielderrors *refusals)
{
    return !static_manifest_is(object, refusals) &&
           servedkinds_refuse(&r->kinds, schemas_discovery(r->schemas), object, refusals);
}

void checkrun_check_directory(struct checkrun *r, const struct output_place *place,
                              struct fielderrors *refusals)
{
    if (static_manifest_is(place->root->json, refusals))
        staticdirs_check(&r->static_manifests, place->file, place->root->json, refusals);
}

static const char comment_hint[] = "the comment hides the lines below it: " HIDDEN_COMMENTS_HINT;

/* Returns the hint for a field that a comment hides; NULL if nothing is hidden in it. */
static const char *hint_of_comment(const struct checkrun *r, const struct output_place *place,
                                   const char *field)
{
    const struct yaml_node *node = output_find_node(place, field);
    const bool is_hidden = node != NULL && hidden_comments_has(schemas_new_env(r->schemas), node);
    return is_hidden ? comment_hint : NULL;
}

/* Adds hints about values that YAML reads otherwise than they were meant, for refusals without a hint. */
void checkrun_add_slips(const struct checkrun *r, const struct output_place *place,
                        const struct fielderrors *refusals, const char **hints)
{
    for (size_t i = 0; i < refusals->count; i++) {
        if (hints[i] == NULL)
            hints[i] = yamlhints_of_value(place, &refusals->items[i]);
        if (hints[i] == NULL)
            hints[i] = hint_of_comment(r, place, refusals->items[i].field);
    }
}

struct hints_cluster checkrun_cluster(struct checkrun *r)
{
    struct hints_cluster cluster = {.discovery = schemas_discovery(r->schemas),
                                    .env = schemas_env(r->schemas),
                                    .new_env = schemas_new_env(r->schemas),
                                    .lookup = schemas_lookup,
                                    .user = r->schemas,
                                    .types = r->options->types};
    cluster.types.minor = schemas_minor(r->schemas);
    cluster.types.shared = &r->typesets;
    return cluster;
}

void checkrun_put_hints(struct hints *found, const struct fielderrors *refusals, const char **hints)
{
    for (size_t i = 0; i < refusals->count; i++) {
        const struct fielderror *e = &refusals->items[i];
        if (hints[i] == comment_hint) /* others do not see the whole expression */
            continue;
        const char *tried = hints_get(found, e->field, hints[i]);
        hints[i] = tried == NULL ? hints[i] : tried;
        for (size_t k = 0; k < e->n_issues && hints[i] != NULL; k++) {
            if (hints_repeats(hints[i], e->issues[k].about))
                hints[i] = NULL;
        }
    }
}

/* The hints, one for each refusal. The caller frees them. */
const char **checkrun_find_hints(const struct checkrun *r, const struct output_place *place,
                                 const struct fielderrors *refusals)
{
    const char **hints = fielderrors_hints(refusals);
    checkrun_add_slips(r, place, refusals, hints);
    return hints;
}
