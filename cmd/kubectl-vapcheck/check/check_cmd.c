#include "cmd/kubectl-vapcheck/check/check_cmd.h"

#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/check/check_watch.h"
#include "cmd/kubectl-vapcheck/check/fixrun.h"
#include "cmd/kubectl-vapcheck/check/versions_check.h"

/* The outputs of a check on one version, by format. */
static output_make *const makers[OUTPUT_FORMAT_COUNT] = {
#define FORMAT(ID, id, name, note, check, test, audit, list, status)                                         \
    OUTPUT_FORMAT_MAKER_##check([OUTPUT_FORMAT_##ID] = output_##id)
#include "cmd/kubectl-vapcheck/output/output_format.def"
};

struct run {
    const struct options *options;
    /* The schemas of the one version; NULL if those of several versions are opened one by one. */
    struct schemas *schemas;
    struct keep *keep;     /* the files that several runs read; NULL if they are read once */
    struct proofs *proofs; /* the hints that were proved; NULL if the files are checked once */
};

static int check_once(const struct run *r, const struct inputs *inputs)
{
    const struct options *o = r->options;
    struct schemas *schemas = r->schemas;
    cleanup_mem char *version = mem_printf("1.%d", schemas_minor(schemas));
    const struct output_run run = {.style = &o->style,
                                   .kube_version = version,
                                   .schemas = options_schemas(o),
                                   .is_fixing = o->fix != OPTIONS_FIX_NOTHING};
    const struct check_outcome found =
        check_inputs(&(struct check_request){.options = o,
                                             .schemas = schemas,
                                             .keep = r->keep,
                                             .proofs = r->proofs,
                                             .is_bundle = !o->is_live && o->schemas == NULL,
                                             .output = makers[o->format](&run)},
                     inputs);
    return check_exit_status(o, &found);
}

static int check_now(const struct run *r, const struct inputs *inputs)
{
    return r->schemas == NULL ? versions_check(r->options, inputs, makers[r->options->format])
                              : check_once(r, inputs);
}

static void check_again(void *user, const struct inputs *inputs)
{
    const struct run *r = user;
    keep_begin(r->keep);
    proofs_begin(r->proofs);
    (void)check_now(r, inputs);
}

static int check_all(struct run *r)
{
    const struct options *o = r->options;
    struct inputs inputs = {0};
    struct err err = {0};
    int status = 2;
    if (options_version_count(o) <= 1 && check_open_schemas(o, &r->schemas, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck check: %s", err.msg);
        return 2;
    }
    if (o->is_watch) {
        r->keep = keep_new();
        r->proofs = proofs_new();
        status = check_watch(o, check_again, r);
    } else if (check_open_inputs(o, &inputs, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck check: %s", err.msg);
    } else {
        if (options_version_count(o) > 1)
            inputs_keep(&inputs);
        status = check_now(r, &inputs);
    }
    inputs_deinit(&inputs);
    schemas_free(r->schemas);
    keep_free(r->keep);
    proofs_free(r->proofs);
    return status;
}

static int write_baseline(const struct options *o)
{
    const size_t count = baseline_count(o->baseline);
    struct err err = {0};
    if (baseline_write(o->baseline, o->new_baseline_path, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck check: %s", err.msg);
        return -1;
    }
    if (!o->style.is_quiet)
        print_line(stderr, "%zu finding%s written to %s", count, count == 1 ? " was" : "s were",
                   o->new_baseline_path);
    return 0;
}

static void print_fixed(const struct fixrun *fixed)
{
    if (fixed->n_files > 0)
        print_line(stderr, "%zu finding%s fixed in %zu file%s", fixed->n_fixed,
                   fixed->n_fixed == 1 ? "" : "s", fixed->n_files, fixed->n_files == 1 ? "" : "s");
}

/* Corrects the files, which are then read again; or shows the difference. Returns the exit status, -1 to go
 * on. */
static int fix(const struct options *o)
{
    struct inputs inputs = {0};
    struct fixrun fixed;
    struct err err = {0};
    int answer = check_open_inputs(o, &inputs, &err);
    if (answer != 0)
        print_line(stderr, "kubectl-vapcheck check: %s", err.msg);
    else
        answer = fixrun_run(o, &inputs, &fixed);
    inputs_deinit(&inputs);
    if (answer != 0)
        return 2;
    if (o->fix == OPTIONS_DIFF)
        return fixed.n_files > 0;
    print_fixed(&fixed);
    return -1;
}

int check_cmd(const struct options *o)
{
    const int done = o->fix == OPTIONS_FIX_NOTHING ? -1 : fix(o);
    if (done >= 0)
        return done;
    struct run r = {.options = o};
    const int status = check_all(&r);
    return status == 2 || o->new_baseline_path == NULL || write_baseline(o) == 0 ? status : 2;
}
