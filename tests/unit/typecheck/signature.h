/* signature: how an overload's row of a table spells its types, from what was read of it. */
#ifndef TESTS_UNIT_TYPECHECK_SIGNATURE_H
#define TESTS_UNIT_TYPECHECK_SIGNATURE_H

#include "typecheck/base/str.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/type.h"

/* Appends it; types are called as issues call them. */
static inline void signature_add(struct text *out, const struct overload *overload)
{
    size_t i = 0;
    if (overload->receiver) {
        type_print(out, overload->args[i++]);
        text_add_char(out, '.');
    }
    text_add_char(out, '(');
    for (size_t first = i; i < overload->arg_count; i++) {
        text_add(out, i == first ? STR("") : STR(", "));
        type_print(out, overload->args[i]);
    }
    text_add(out, STR(") -> "));
    type_print(out, overload->result);
}

#endif
