#include "cmd/kubectl-vapcheck/check/check_cmd.h"

#include <stdio.h>

#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/check/versions_check.h"

/* On one version. */
static output_make *const makers[FORMATS_COUNT] = {
#define FORMAT(ID, id, name, note, check, test, audit, list, status)                                         \
    FORMATS_MAKER_##check([FORMATS_##ID] = output_##id)
#include "cmd/kubectl-vapcheck/output/formats.def"
};

static int check_once(const struct options *o)
{
    struct inputs inputs = {0};
    struct schemas *schemas;
    struct err err = {0};
    if (check_open_schemas(o, &schemas, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck check: %s", err.msg);
        return 2;
    }
    options_open_inputs(o, &inputs);
    const struct check_outcome found =
        check_inputs(&(struct check_request){.options = o,
                                             .schemas = schemas,
                                             .is_bundle = !o->is_live && o->schemas == NULL,
                                             .output = makers[o->format](&o->style)},
                     &inputs);
    inputs_deinit(&inputs);
    schemas_free(schemas);
    return check_exit_status(o, &found);
}

int check_cmd(const struct options *o)
{
    const int status = options_version_count(o) > 1 ? versions_check(o) : check_once(o);
    struct err err = {0};
    if (status == 2 || o->new_baseline_path == NULL ||
        baseline_write(o->baseline, o->new_baseline_path, &err) == 0)
        return status;
    print_line(stderr, "kubectl-vapcheck check: %s", err.msg);
    return 2;
}
