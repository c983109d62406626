#include "cmd/flags/flags_man.h"

#include <string.h>

#include "client/base/print.h"

void flags_man_text(const char *text, FILE *out)
{
    if (*text == '.' || *text == '\'')
        print_raw(out, "\\&");
    for (; *text != '\0'; text++) {
        if (*text == '-' || *text == '\\')
            print_raw(out, "%s", *text == '-' ? "\\-" : "\\e");
        else
            print_raw(out, "%c", *text);
    }
}

void flags_man_row(const struct flags_row *row, const char *text, FILE *out)
{
    print_raw(out, ".TP\n");
    if (row->letter != '\0')
        print_raw(out, "\\fB\\-%c\\fR%s", row->letter, row->name == NULL ? "" : ", ");
    if (row->name != NULL) {
        print_raw(out, "\\fB\\-\\-");
        flags_man_text(row->name, out);
        print_raw(out, "\\fR");
    }
    if (row->value != NULL && *row->value == '[')
        print_raw(out, "[=\\fI%.*s\\fR]", (int)strlen(row->value) - 2, row->value + 1);
    else if (row->value != NULL)
        print_raw(out, " \\fI%s\\fR", row->value);
    print_raw(out, "\n");
    flags_man_text(text, out);
    print_raw(out, "\n");
}
