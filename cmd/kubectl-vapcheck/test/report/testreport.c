#include "cmd/kubectl-vapcheck/test/report/testreport.h"

#include "client/base/mem.h"

char *testreport_headline(const struct testresult *r)
{
    if (r->why != NULL)
        return mem_strdup(r->why);
    const char *what = r->policy != NULL && r->policy->subject == TESTSUBJECT_WEBHOOK ? "webhook" : "policy";
    return r->outcome == TESTRESULT_UNMATCHED
               ? mem_printf("expected %s, got %s (the %s does not match the request)", r->expected, r->actual,
                            what)
               : mem_printf("expected %s, got %s", r->expected, r->actual);
}

struct testplace testreport_place(const struct testcase *test, const struct testresult *r)
{
    return r->why != NULL && r->why_place.file != NULL ? r->why_place : test->place;
}

char *testreport_value(const struct testresult_value *v)
{
    return mem_printf("%s %s %s", v->part, v->is_error ? "fails:" : "is", v->text);
}

char *testreport_part(const struct testresult_part *part)
{
    return mem_printf("%s %s%s%s%s", part->field, part->value == NULL ? "fails" : "is ",
                      part->value == NULL ? "" : part->value, *part->text == '\0' ? "" : ": ", part->text);
}
