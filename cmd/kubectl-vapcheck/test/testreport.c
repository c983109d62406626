#include "cmd/kubectl-vapcheck/test/testreport.h"

#include "client/base/mem.h"

char *testreport_headline(const struct testresult *r)
{
    if (r->why != NULL)
        return mem_strdup(r->why);
    return mem_printf("expected %s, got %s%s", r->expected, r->actual,
                      r->outcome == TESTRESULT_UNMATCHED ? " (the policy does not match the request)" : "");
}

struct testplace testreport_place(const struct testcase *test, const struct testresult *r)
{
    return r->why != NULL && r->why_place.file != NULL ? r->why_place : test->place;
}

char *testreport_part(const struct testresult_part *part)
{
    return mem_printf("%s %s%s%s%s", part->field, part->value == NULL ? "fails" : "is ",
                      part->value == NULL ? "" : part->value, *part->text == '\0' ? "" : ": ", part->text);
}
