/*
 * dialect: in what the CEL of one API server differs from that of another.
 */
#ifndef TYPECHECK_SYNTAX_DIALECT_H
#define TYPECHECK_SYNTAX_DIALECT_H

#include <stdbool.h>

struct dialect {
    int level;           /* env.h's: which macros there are */
    bool has_backquotes; /* celgo.h's: a.`b-c` is a selection */
    bool copies_targets; /* celgo.h's */
    bool has_bind;       /* cel.bind is a macro */
};

#endif
