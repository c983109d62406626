/*
 * constant_run: functions of constants that typecheck/run computes, exactly as the API server does.
 *
 *     object.kind.findAll('[A-Z]')       // of a Deployment: ['D']
 *     '%s-%d'.format([object.kind, 1])   // 'Deployment-1'
 *
 * Only functions whose results are the same in every release of cel-go are asked. The work is paid in
 * the arena.
 */
#ifndef TYPECHECK_EVAL_CONSTANT_RUN_H
#define TYPECHECK_EVAL_CONSTANT_RUN_H

#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/eval/absval.h"

/* The receiver first. NULL: not computed, or an error. In the arena. */
const struct absval *constant_run(struct arena *a, struct str function, const struct absval *const *args,
                                  size_t count);

#endif
