/*
 * json_out: JSON on stdout.
 */
#ifndef TESTS_SUPPORT_CELCHECK_JSON_OUT_H
#define TESTS_SUPPORT_CELCHECK_JSON_OUT_H

#include "typecheck/base/str.h"

/* A JSON string: UTF-8 stays as it is. */
void json_out_string(struct str s);

#endif
