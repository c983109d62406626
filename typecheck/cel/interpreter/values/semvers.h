/*
 * semvers: semantic versions, as github.com/blang/semver reads and compares them.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_SEMVERS_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_SEMVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/cel/interpreter/values/function.h"

enum { SEMVER_NUMBERS = 3 };

/* "1.2.3-rc.1+build" */
struct semver {
    uint64_t numbers[SEMVER_NUMBERS]; /* major, minor, patch */
    struct str prerelease;            /* "rc.1"; empty: none */
    struct str build;
};

struct str semvers_text(struct arena *a, const struct value *v);
/* Returns true if the two versions are equal; their builds are ignored. */
bool semvers_are_equal(struct arena *a, const struct value *one, const struct value *two);

/* semver(), isSemver(); a second argument true also allows "v1.02". */
function_call semvers_semver, semvers_is_semver;

function_call semvers_is_greater, semvers_is_less, semvers_compare;

/* major(), minor() and patch(), chosen by the name of the function. */
function_call semvers_number;

#endif
