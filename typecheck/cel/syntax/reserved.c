#include "typecheck/cel/syntax/reserved.h"

bool reserved_has(struct str name)
{
    static const struct str RESERVED[][6] = {
        /* by length; nothing ends a row */
        [2] = {STR_INIT("as"), STR_INIT("if"), STR_INIT("in")},
        [3] = {STR_INIT("for"), STR_INIT("let"), STR_INIT("var")},
        [4] = {STR_INIT("else"), STR_INIT("loop"), STR_INIT("null"), STR_INIT("true"), STR_INIT("void")},
        [5] = {STR_INIT("break"), STR_INIT("const"), STR_INIT("false"), STR_INIT("while")},
        [6] = {STR_INIT("import"), STR_INIT("return")},
        [7] = {STR_INIT("package")},
        [8] = {STR_INIT("continue"), STR_INIT("function")},
        [9] = {STR_INIT("namespace")},
    };
    if (name.len >= sizeof RESERVED / sizeof *RESERVED)
        return false;
    const struct str *word = RESERVED[name.len];
    while (word->len != 0 && !str_eq(*word, name))
        word++;
    return word->len != 0;
}
