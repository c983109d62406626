/*
 * advice_sort: which advice there is; apart, for those who only read it.
 */
#ifndef TYPECHECK_ADVICE_ADVICE_SORT_H
#define TYPECHECK_ADVICE_ADVICE_SORT_H

enum advice_sort {
    ADVICE_UNUSED_VARIABLE,
};

#endif
