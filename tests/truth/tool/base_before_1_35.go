//go:build !kubernetes1.35

package main

import "k8s.io/apiserver/pkg/cel/environment"

// Costs were an option before 1.35; policies have always had the strict ones.
func baseEnvironment() *environment.EnvSet {
	return environment.MustBaseEnvSet(kubernetes, true)
}
