#include "cmd/kubectl-vapcheck/output/ci.h"

#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"

void ci_put_case(struct buf *cases, const struct ci_case *c)
{
    cleanup_mem char *class = plain_xml(c->class), *name = plain_xml(c->name);
    buf_printf(cases, "    <testcase classname=\"%s\" name=\"%s\" time=\"0\"", class, name);
    if (c->element == NULL) {
        buf_puts(cases, "/>\n");
        return;
    }
    cleanup_mem char *message = plain_xml(c->message == NULL ? "" : c->message), *text = plain_xml(c->text);
    cleanup_mem char *attribute =
        c->message == NULL ? mem_strdup("") : mem_printf(" message=\"%s\"", message);
    buf_printf(cases, ">\n      <%s%s>%s</%s>\n    </testcase>\n", c->element, attribute, text, c->element);
}

void ci_print_command(const char *level, const char *file, struct yaml_place at, const char *title,
                      const char *text)
{
    cleanup_mem char *shown_file = plain_github(file, true), *shown_title = plain_github(title, true);
    cleanup_mem char *message = plain_github(text, false);
    print_raw(stdout, "::%s file=%s", level, shown_file);
    if (at.line != 0)
        print_raw(stdout, ",line=%zu,col=%zu", at.line, at.column);
    print_raw(stdout, ",title=%s::%s\n", shown_title, message);
}
