//go:build !kubernetes1.35

package main

import "k8s.io/apiserver/pkg/cel/environment"

// Strict costs were an option before 1.35; definitions are validated with them.
func baseEnvironment() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion(), true)
}
