#include "cmd/kubectl-vapcheck/options.h"

#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "cmd/kubectl-vapcheck/options_versions.h"

const char *options_own(struct options *o, char *text)
{
    o->owned = mem_realloc(o->owned, o->n_owned + 1, sizeof(char *));
    return o->owned[o->n_owned++] = text;
}

void options_add_file(struct options *o, const char *file)
{
    o->files = mem_realloc(o->files, o->n_files + 1, sizeof *o->files);
    o->files[o->n_files++] = file;
}

int options_add_versions(struct options *o, const char *text, struct err *err)
{
    if (options_versions_read(text, &o->versions, err) != 0)
        return -1;
    o->bundle = options_versions_oldest(o->versions);
    return 0;
}

size_t options_version_count(const struct options *o)
{
    return options_versions_count(o->versions);
}

bool options_has_files(const struct options *o)
{
    return o->n_files + o->n_kustomizations > 0;
}

void options_open_inputs(const struct options *o, struct inputs *inputs)
{
    inputs->excludes = &o->excludes;
    for (size_t i = 0; i < o->n_files; i++)
        inputs_add(inputs, o->files[i]);
    for (size_t i = 0; i < o->n_kustomizations; i++)
        inputs_add_kustomization(inputs, o->kustomizations[i]);
}

void options_deinit(struct options *o)
{
    for (size_t i = 0; i < o->n_owned; i++)
        mem_free(o->owned[i]);
    mem_free(o->owned);
    mem_free(o->files);
    mem_free(o->groups);
    mem_free(o->kustomizations);
    excludes_deinit(&o->excludes);
    baseline_free(o->baseline);
}

const char *options_schemas(const struct options *options)
{
    return options->is_live ? "cluster" : options->schemas != NULL ? "directory" : "bundle";
}
