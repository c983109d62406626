/*
 * dialect: the differences between the CEL of API servers that matter for parsing.
 */
#ifndef TYPECHECK_CEL_SYNTAX_DIALECT_H
#define TYPECHECK_CEL_SYNTAX_DIALECT_H

#include <stdbool.h>

struct dialect {
    int level;           /* of env.h: decides which macros exist */
    bool has_backquotes; /* of celgo.h: a.`b-c` is a selection */
    bool copies_targets; /* of celgo.h */
    bool has_bind;       /* cel.bind is a macro */
};

#endif
