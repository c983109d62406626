/* -o github: workflow commands, which GitHub shows at the lines of a pull request. */
#include "cmd/kubectl-vapcheck/output/ci.h"
#include "cmd/kubectl-vapcheck/test/report/remarks.h"

static void print(void *user, const struct remark *r)
{
    (void)user;
    ci_print_command(ci_level_name(ci_level_of(r->severity)), r->file, r->at, r->at, r->title, r->text);
}

struct testreport report_github(const struct testreport_options *options)
{
    return remarks_report(options, (struct remarks_format){.add = print});
}
