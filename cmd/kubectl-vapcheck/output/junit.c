#include "cmd/kubectl-vapcheck/output/junit.h"

#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"

enum { CAP_BYTES = 1024 * 1024 * 1024 };

static const char *const elements[JUNIT_OUTCOMES] = {
    [JUNIT_SYSTEM_OUT] = "system-out",
    [JUNIT_FAILURE] = "failure",
    [JUNIT_ERROR] = "error",
    [JUNIT_SKIPPED] = "skipped",
};

void junit_init(struct junit *j)
{
    *j = (struct junit){0};
    buf_init(&j->cases, CAP_BYTES);
    print_raw(stdout, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kubectl-vapcheck\">\n");
}

static void print_suite(struct junit *j)
{
    size_t count = 0;
    if (j->suite == NULL)
        return;
    cleanup_mem char *name = plain_xml(j->suite);
    for (size_t i = 0; i < JUNIT_OUTCOMES; i++)
        count += j->counts[i];
    print_raw(stdout,
              "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" "
              "time=\"0\">\n%s  </testsuite>\n",
              name, count, j->counts[JUNIT_FAILURE], j->counts[JUNIT_ERROR], j->counts[JUNIT_SKIPPED],
              j->cases.data);
    mem_free(j->suite);
    buf_reset(&j->cases);
    j->suite = NULL;
    memset(j->counts, 0, sizeof j->counts);
}

void junit_open(struct junit *j, const char *suite)
{
    print_suite(j);
    j->suite = mem_strdup(suite);
}

void junit_add(struct junit *j, const struct junit_case *c)
{
    const char *element = elements[c->outcome];
    cleanup_mem char *class = plain_xml(c->class), *name = plain_xml(c->name);
    j->counts[c->outcome]++;
    buf_printf(&j->cases, "    <testcase classname=\"%s\" name=\"%s\" time=\"0\"", class, name);
    if (element == NULL) {
        buf_puts(&j->cases, "/>\n");
        return;
    }
    cleanup_mem char *message = plain_xml(c->message == NULL ? "" : c->message), *text = plain_xml(c->text);
    cleanup_mem char *attribute =
        c->message == NULL ? mem_strdup("") : mem_printf(" message=\"%s\"", message);
    buf_printf(&j->cases, ">\n      <%s%s>%s</%s>\n    </testcase>\n", element, attribute, text, element);
}

void junit_end(struct junit *j)
{
    print_suite(j);
    print_raw(stdout, "</testsuites>\n");
    buf_deinit(&j->cases);
}
