//go:build !kubernetes1.36

package main

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Policies, mutations and resource rules have another form in these libraries; expressions alone are evaluated.

type matchInput struct {
	Match *struct{} `json:"match"`
}

func match(_ *input, out *output) {
	out.Issues = "resource rules are matched with the libraries of 1.36 and later"
}

func mutationOptions() []cel.EnvOption {
	return nil
}

func objectText(ref.Val) string {
	return ""
}

func readBundle(string) {}

func answerPolicy(_ *environment.EnvSet, _ []byte, _ *policyInput, out *output) {
	out.Issues = "policies are evaluated with the libraries of 1.36 and later"
}
