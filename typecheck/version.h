/*
 * version: the versions of Kubernetes and of cel-go: what each has, and its environment for expressions. A
 * public header.
 */
#ifndef TYPECHECK_VERSION_H
#define TYPECHECK_VERSION_H

#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/kubernetes.h"

#endif
