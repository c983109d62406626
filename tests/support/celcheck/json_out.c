#include "tests/support/celcheck/json_out.h"

#include <stdio.h>

void json_out_string(struct str s)
{
    putchar('"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char ch = (unsigned char)s.at[i];
        if (ch == '"' || ch == '\\')
            printf("\\%c", ch);
        else if (ch == '\n')
            fputs("\\n", stdout);
        else if (ch < 0x20 || ch == 0x7F)
            printf("\\u%04x", ch);
        else
            putchar(ch);
    }
    putchar('"');
}
