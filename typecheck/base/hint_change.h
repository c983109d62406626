/*
 * hint_change: a change that the author of an expression may have meant at the place of an issue.
 *
 * It is only a proposal: whoever shows it as a fix tries the changed expression first.
 */
#ifndef TYPECHECK_BASE_HINT_CHANGE_H
#define TYPECHECK_BASE_HINT_CHANGE_H

#include "typecheck/base/str.h"

enum hint_sort {
    HINT_NOTHING,
    HINT_NAME,     /* `to` stands for the name `from`, which is a field, or a string before `in` */
    HINT_VALUE,    /* the string `to` stands for the string `from` */
    HINT_OPTIONAL, /* the field `from` is selected optionally */
    HINT_WRAP,     /* the function `to` makes of a string what the operation takes */
} __attribute__((packed));

struct hint_change {
    enum hint_sort sort;
    struct str from, to;
};

#define HINT_CHANGE_NOTHING ((struct hint_change){.sort = HINT_NOTHING})

#endif
