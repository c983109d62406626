/*
 * advice_sort: which advice there is; apart, for those who only read it.
 */
#ifndef TYPECHECK_ADVICE_ADVICE_SORT_H
#define TYPECHECK_ADVICE_ADVICE_SORT_H

enum advice_sort {
    ADVICE_UNUSED_VARIABLE,
    ADVICE_NEVER_OPERATION, /* request.operation is compared with what is no operation */
    ADVICE_NEVER_KIND,      /* object.kind is compared with the kind of no type */
    ADVICE_ABSENT_FIELD,    /* has() of a field that no type has */
};

#endif
