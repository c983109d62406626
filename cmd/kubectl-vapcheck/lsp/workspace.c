#include "cmd/kubectl-vapcheck/lsp/workspace.h"

#include <string.h>

#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/input/definitions.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/lsp/diagnostics.h"
#include "cmd/kubectl-vapcheck/options_read.h"
#include "controller/apiserver/crd/crds.h"

void workspace_init(struct workspace *w, int argc, char **argv)
{
    *w = (struct workspace){.argc = argc, .argv = argv};
}

static void forget_beside(struct workspace *w)
{
    for (size_t i = 0; i < w->n_beside; i++) {
        manifest_deinit(&w->beside[i].manifest);
        mem_free(w->beside[i].path);
    }
    mem_free(w->beside);
    inputs_deinit(&w->inputs);
    w->beside = NULL;
    w->n_beside = 0;
    w->inputs = (struct inputs){0};
}

static void unload(struct workspace *w)
{
    if (w->schemas == NULL)
        return;
    forget_beside(w);
    schemas_free(w->schemas);
    options_deinit(&w->options);
    w->schemas = NULL;
}

void workspace_deinit(struct workspace *w)
{
    while (w->n_documents > 0)
        workspace_close(w, w->documents[0]);
    mem_free(w->documents);
    unload(w);
}

static bool is_for_us(const struct manifest *m)
{
    for (size_t i = 0; i < m->n_objects; i++) {
        if (m->objects[i].kind != OBJECTKIND_OTHER)
            return true;
    }
    return false;
}

/* A file that cannot be read says so where it is open, or is checked. */
static void read_beside(struct workspace *w)
{
    options_open_inputs(&w->options, &w->inputs);
    w->beside = mem_array(w->inputs.count + 1, sizeof *w->beside);
    for (size_t i = 0; i < w->inputs.count; i++) {
        struct workspace_file *file = &w->beside[w->n_beside];
        manifest_read(&file->manifest, &w->inputs.items[i]);
        file->path = textdocument_real_path(w->inputs.items[i].name);
        if (is_for_us(&file->manifest)) {
            w->n_beside++;
            continue;
        }
        manifest_deinit(&file->manifest);
        mem_free(file->path);
    }
}

int workspace_load(struct workspace *w, struct err *err)
{
    struct options options;
    struct schemas *schemas = NULL;
    int answer = options_read("lsp", w->argc, w->argv, &options); /* as before: 0 */
    if (answer == 0)
        answer = options_configure(&options, err);
    if (answer == 0)
        answer = check_open_schemas(&options, &schemas, err);
    if (answer != 0) {
        options_deinit(&options);
        return -1;
    }
    unload(w);
    w->options = options;
    w->schemas = schemas;
    read_beside(w);
    for (size_t i = 0; i < w->n_documents; i++)
        w->documents[i]->is_stale = true;
    return 0;
}

struct textdocument *workspace_find(const struct workspace *w, const char *uri)
{
    for (size_t i = 0; i < w->n_documents; i++) {
        if (strcmp(w->documents[i]->uri, uri) == 0)
            return w->documents[i];
    }
    return NULL;
}

struct textdocument *workspace_open(struct workspace *w, const char *uri, int64_t version, const char *bytes,
                                    size_t len)
{
    struct textdocument *before = workspace_find(w, uri);
    if (before != NULL)
        workspace_close(w, before);
    w->documents = mem_realloc(w->documents, w->n_documents + 1, sizeof(struct textdocument *));
    return w->documents[w->n_documents++] = textdocument_new(uri, version, bytes, len);
}

void workspace_close(struct workspace *w, struct textdocument *document)
{
    size_t i = 0;
    while (w->documents[i] != document)
        i++;
    textdocument_free(document);
    w->n_documents--;
    memmove(&w->documents[i], &w->documents[i + 1], (w->n_documents - i) * sizeof(struct textdocument *));
}

struct textdocument *workspace_stale(const struct workspace *w)
{
    for (size_t i = 0; w->schemas != NULL && i < w->n_documents; i++) {
        if (w->documents[i]->is_stale)
            return w->documents[i];
    }
    return NULL;
}

/* Returns true if a file is open: then the editor's text counts. */
static bool is_open(const struct workspace *w, const struct workspace_file *file)
{
    for (size_t i = 0; i < w->n_documents; i++) {
        if (strcmp(w->documents[i]->path, file->path) == 0)
            return true;
    }
    return false;
}

/* The document, the others that are open, the files beside. The caller frees the list. */
static const struct manifest **list_manifests(const struct workspace *w, const struct textdocument *document,
                                              size_t *count)
{
    const struct manifest **list = mem_array(w->n_documents + w->n_beside, sizeof(struct manifest *));
    size_t n = 0;
    for (size_t i = 0; i < w->n_documents; i++)
        textdocument_parse(w->documents[i]);
    list[n++] = &document->manifest;
    for (size_t i = 0; i < w->n_documents; i++) {
        if (w->documents[i] != document)
            list[n++] = &w->documents[i]->manifest;
    }
    for (size_t i = 0; i < w->n_beside; i++) {
        if (!is_open(w, &w->beside[i]))
            list[n++] = &w->beside[i].manifest;
    }
    *count = n;
    return list;
}

struct crds *workspace_definitions(const struct workspace *w, const struct textdocument *document)
{
    struct crds *crds = crds_new();
    size_t count;
    const struct manifest **manifests = list_manifests(w, document, &count);
    struct err ignored; /* the diagnostics say it */
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < manifests[i]->n_objects; k++) {
            const struct manifest_object *o = &manifests[i]->objects[k];
            struct definitions found;
            definitions_of(o->kind, o->root->json, &found);
            for (size_t n = 0; n < found.count; n++)
                (void)!crds_add(crds, found.items[n], &ignored);
            definitions_deinit(&found);
        }
    }
    mem_free(manifests);
    return crds;
}

/* Remembers that the caller asked to stop. */
struct watch {
    bool (*is_stopped)(void *user);
    void *user;
    bool was_stopped;
};

static bool watch(void *user)
{
    struct watch *w = user;
    w->was_stopped = w->was_stopped || w->is_stopped(w->user);
    return w->was_stopped;
}

struct json_object *workspace_check(struct workspace *w, struct textdocument *document,
                                    enum textlines_unit unit, bool (*is_stopped)(void *user), void *user)
{
    struct diagnostics found = {.document = document, .unit = unit, .list = json_object_new_array()};
    struct watch stop = {is_stopped, user, false};
    actions_clear(&document->actions);
    size_t count;
    const struct manifest **manifests = list_manifests(w, document, &count);
    if (!inputs_passes_over(&w->options.excludes, document->file))
        (void)check_manifest(
            &(struct check_request){.options = &w->options,
                                    .schemas = w->schemas,
                                    .is_bundle = !w->options.is_live && w->options.schemas == NULL,
                                    .is_quiet = true,
                                    .output = diagnostics_output(&found),
                                    .is_stopped = watch,
                                    .user = &stop},
            manifests, count);
    mem_free(manifests);
    if (textdocument_is_too_long(document))
        diagnostics_note(&found, "The document is longer than 3 MiB, so it is not checked here. The command "
                                 "kubectl vapcheck check checks longer files.");
    cleanup_mem char *more = mem_printf(
        "%zu more findings are not shown. The command kubectl vapcheck check prints all.", found.n_left_out);
    if (found.n_left_out > 0)
        diagnostics_note(&found, more);
    document->is_stale = stop.was_stopped;
    if (!stop.was_stopped)
        return found.list;
    json_object_put(found.list);
    return NULL;
}
