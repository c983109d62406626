/*
 * author: what helps the author of an expression: corrections, advice, completion, witnesses. A public
 * header.
 */
#ifndef TYPECHECK_AUTHOR_H
#define TYPECHECK_AUTHOR_H

#include "typecheck/policy/author/advice/rule_reads.h"
#include "typecheck/policy/author/assist/assist.h"
#include "typecheck/policy/author/repair/hidden_comment.h"
#include "typecheck/policy/author/repair/repair.h"
#include "typecheck/policy/author/witness/witness.h"

#endif
