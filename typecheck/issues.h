/*
 * issues: an issue of an expression: its code, its message, and what it is about, as data. A public header.
 */
#ifndef TYPECHECK_ISSUES_H
#define TYPECHECK_ISSUES_H

#include "typecheck/base/issue_about.h"
#include "typecheck/base/issue_code.h"

#endif
