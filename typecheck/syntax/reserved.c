#include "typecheck/syntax/reserved.h"

static const struct str reserved[] = {
    STR_INIT("true"),     STR_INIT("false"),     STR_INIT("null"),     STR_INIT("in"),   STR_INIT("as"),
    STR_INIT("break"),    STR_INIT("const"),     STR_INIT("continue"), STR_INIT("else"), STR_INIT("for"),
    STR_INIT("function"), STR_INIT("if"),        STR_INIT("import"),   STR_INIT("let"),  STR_INIT("loop"),
    STR_INIT("package"),  STR_INIT("namespace"), STR_INIT("return"),   STR_INIT("var"),  STR_INIT("void"),
    STR_INIT("while"),
};

bool reserved_has(struct str name)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        if (str_eq(name, reserved[i]))
            return true;
    }
    return false;
}
