#include "cmd/kubectl-vapcheck/output/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/configuration.h"
#include "controller/apiserver/validation/devices.h"
#include "controller/apiserver/validation/validation_common.h"
#include "controller/match/objectkind.h"

#define HOME_URL "https://github.com/vapcheck/vapcheck"

void output_print_json(struct json_object *tree)
{
    size_t len;
    const char *text = json_object_to_json_string_length(
        tree, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
    cleanup_mem char *shown = plain_json(text);
    print_raw_text(stdout, shown == NULL ? text : shown, shown == NULL ? len : strlen(shown));
    print_raw(stdout, "\n");
    json_object_put(tree);
}

void output_report_skipped(const struct output *output, const struct output_place *place, const char *kind)
{
    if (output->skipped != NULL)
        output->skipped(output->user, place, kind);
}

void output_report_error(const struct output *output, const char *file, const struct yaml_place *where,
                         const char *message)
{
    if (output->error != NULL)
        output->error(output->user, file, where, message);
}

void output_report_remark(const struct output *output, enum finding_id id, enum finding_severity severity,
                          const char *message)
{
    if (output->remark != NULL)
        output->remark(output->user, id, severity, message);
}

void output_report_left_out(const struct output *output, const char *path, const char *reason)
{
    if (output->left_out != NULL)
        output->left_out(output->user, path, reason);
}

void output_report_suppressed(const struct output *output, const struct output_suppressed *suppressed)
{
    if (output->suppressed != NULL)
        output->suppressed(output->user, suppressed);
}

void output_end(const struct output *output)
{
    if (output->end != NULL)
        output->end(output->user);
}

static void describe(struct buf *text, size_t count, const char *one, const char *many)
{
    if (count > 0)
        buf_printf(text, "%s%zu %s", text->len > 0 ? ", " : "", count, count == 1 ? one : many);
}

bool output_is_suppressed(const struct output_suppressed *s)
{
    return s->findings + s->objects + s->paths + s->n_stale > 0;
}

/* Limits of the message that names entries of a baseline. */
enum { STALE_NAMED = 5, SUPPRESSED_CAP_BYTES = 64 * 1024 };

char *output_describe_suppressed(const struct output_suppressed *s)
{
    struct buf text;
    buf_init(&text, SUPPRESSED_CAP_BYTES);
    describe(&text, s->findings, "finding suppressed", "findings suppressed");
    describe(&text, s->objects, "object skipped by its annotation", "objects skipped by their annotations");
    describe(&text, s->paths, "path excluded", "paths excluded");
    describe(&text, s->n_stale, "entry of the baseline does not occur",
             "entries of the baseline do not occur");
    for (size_t i = 0; i < s->n_stale && i < STALE_NAMED; i++)
        buf_printf(&text, "%s%s of %s%s%s", i == 0 ? ": " : "; ", s->stale[i].id, s->stale[i].object,
                   *s->stale[i].field == '\0' ? "" : " in ", s->stale[i].field);
    if (s->n_stale > STALE_NAMED)
        buf_puts(&text, "; and more");
    return buf_take(&text, NULL);
}

/* The path in a file of a field that the server names: it names a schema that all versions share as the
 * definition's own, and old servers misspell a field. The caller's. */
static char *field_in_file(const struct output_place *place, const char *field_ref)
{
    static const char shared[] = "spec.validation.",
                      misspelt[] = "spec." VALIDATION_COMMON_OLD_MATCH_RESOURCES;
    if (strncmp(field_ref, misspelt, sizeof misspelt - 1) == 0)
        return mem_printf("spec.matchResources%s", field_ref + sizeof misspelt - 1);
    bool is_shared = strncmp(field_ref, shared, sizeof shared - 1) == 0 &&
                     objectkind_is_definition(objectkind_of(place->root->json)) &&
                     yaml_find(place->root, "spec.validation") == NULL;
    return is_shared ? mem_printf("spec.versions[0].schema.%s", field_ref + sizeof shared - 1)
           : devices_is_kind(place->root->json) ? devices_field(place->root->json, field_ref)
                                                : configuration_field(place->root->json, field_ref);
}

const struct yaml_node *output_find_node(const struct output_place *place, const char *field_ref)
{
    cleanup_mem char *path = field_in_file(place, field_ref);
    return yaml_find(place->root, path);
}

const char *output_name(struct json_object *object)
{
    struct json_object *metadata = jsonval_get(object, "metadata");
    const char *name = jsonval_string_or_empty(metadata, "name"),
               *prefix = jsonval_string_or_empty(metadata, "generateName");
    return *name != '\0' ? name : *prefix != '\0' ? prefix : "(no name)";
}

char *output_name_type(const struct types_target *type)
{
    /* there are thousands for each policy of `*` */
    const char *const parts[] = {type->group, "/", type->version, ", Kind=", type->kind};
    return mem_join(parts, sizeof parts / sizeof *parts);
}

const char *output_title(const struct output_place *place, const struct output_finding *finding)
{
    return *finding->name != '\0' ? finding->name : output_name(place->root->json);
}

char *output_describe(const struct output_place *place, const struct output_finding *finding)
{
    const char *kind = jsonval_string_or_empty(place->root->json, "kind");
    return mem_printf("%s %s", objectkind_words[objectkind_words_of(kind)].one, output_title(place, finding));
}

char *output_help_url(enum finding_id id)
{
    const char *home = getenv("VAPCHECK_HOME_URL");
    return mem_printf("%s/blob/v" VAPCHECK_VERSION "/cmd/kubectl-vapcheck/FINDINGS.md#%s",
                      home == NULL || *home == '\0' ? HOME_URL : home, finding_pages[id].id);
}

struct yaml_place output_where(const struct output_place *place, const char *field_ref)
{
    cleanup_mem char *whole = field_in_file(place, field_ref), *path = mem_strdup(whole);
    const struct yaml_node *node;
    while ((node = yaml_find(place->root, path)) == NULL) {
        char *dot = strrchr(path, '.'), *bracket = strrchr(path, '[');
        char *end = bracket != NULL && (dot == NULL || bracket > dot) ? bracket : dot;
        if (end == NULL)
            return place->root->start;
        *end = '\0';
    }
    if (strcmp(path, whole) == 0)
        return node->style == YAML_COLLECTION ? node->start : node->text;
    /* a missing part of a field is reported at the field's name */
    return node->key == NULL ? node->start : node->key_start;
}
