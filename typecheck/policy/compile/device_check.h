/*
 * device_check: compiles a CEL selector of devices as the API server does when
 * a DeviceClass or a ResourceClaim is created. Pure; a public header beside
 * typecheck.h.
 *
 * The environment is that of new expressions, with the variable `device` and
 * cel.bind (k8s.io/dynamic-resource-allocation/cel). Feature gates have the
 * defaults of Kubernetes 1.34 and later.
 *
 *     struct device_check c;
 *     struct device_checked checked;
 *     device_check_init(&c, env, minor, steps);
 *     if (device_check_compile(&c, text, &checked) && checked.problem.text.len != 0) ...
 *     device_check_deinit(&c);
 */
#ifndef TYPECHECK_POLICY_COMPILE_DEVICE_CHECK_H
#define TYPECHECK_POLICY_COMPILE_DEVICE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/compile/compile_problem.h"

struct types;

/* The highest cost of one selector, by the server's estimate. */
#define DEVICE_CHECK_MAX_COST 1000000u

struct device_check {
    struct arena arena; /* holds the problems */
    const struct env *env;
    struct types *types;
    int minor;
    bool is_exhausted; /* a cap was reached: nothing more is compiled */
};

struct device_checked {
    struct compile_problem problem;
    uint64_t cost; /* if it compiles: the most that one evaluation can take */
};

/* `device` of Kubernetes 1.minor, for assist.h: of is a const int, the minor. */
size_t device_check_declare(const void *of, struct types *types, struct variable *out);

/* env: the one for new expressions of Kubernetes 1.minor. */
void device_check_init(struct device_check *c, const struct env *env, int minor, uint64_t max_steps);
/* False: a cap was reached, now or before, and nothing is known about the text. */
bool device_check_compile(struct device_check *c, struct str text, struct device_checked *out);
void device_check_deinit(struct device_check *c);

#endif
