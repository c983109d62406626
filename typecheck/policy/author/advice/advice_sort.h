/*
 * advice_sort: the kinds of advice, in a header of their own for code that only reads advice.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_ADVICE_SORT_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_ADVICE_SORT_H

enum advice_sort {
    ADVICE_UNUSED_VARIABLE,
    ADVICE_OPTIONAL_FIELD,
    ADVICE_INT_OR_STRING,
    ADVICE_PATCH_PARENT,
    ADVICE_QUANTITY_ORDER,
};

#endif
